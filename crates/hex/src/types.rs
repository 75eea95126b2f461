//! What a specification speaks of: the types of a unit's input, and the parameters and globals that hold it.
//!
//! Whoever uses the crate makes these tables. A *reference* is a pointer in an object; its steps lead there from the object's start, through embedded
//! structs and arrays, so that `.link.next` and `.child[3]` are one reference each. A pointer parameter is an object of its own, of a
//! type with one reference that has no steps.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(pub u32);

#[derive(Clone, Default, Debug)]
pub struct Types {
    pub types: Vec<Type>,
    /// Results come last.
    pub roots: Vec<Root>,
}

#[derive(Clone, Default, Debug)]
pub struct Type {
    /// As C spells it: `struct node`.
    pub name: String,
    /// Other names that a specification may use: typedefs.
    pub aliases: Vec<String>,
    /// In order of offset. Members that are no pointers may be here too, with `is_lazy` false, so that messages can say so.
    pub refs: Vec<Ref>,
    /// Records that lie in an object of this type, also those inside of others; without the object itself.
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub struct Ref {
    pub steps: Vec<Step>,
    /// `None` for `void *`.
    pub target: Option<TypeId>,
    /// False for what rules can't speak of: numbers, strings, function pointers.
    pub is_lazy: bool,
    /// Whether it may be null, whatever rules say.
    pub is_nullable: bool,
}

#[derive(Clone, Debug)]
pub struct Part {
    pub steps: Vec<Step>,
    pub ty: TypeId,
    pub offset: u32,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    Member(String),
    Index(u32),
}

#[derive(Clone, Debug)]
pub struct Root {
    pub name: String,
    pub kind: RootKind,
    pub ty: TypeId,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RootKind {
    Param,
    Global,
    /// What a function returns: there may be any number of them, so that a heap has one only when it is added.
    Result,
}

impl Types {
    pub fn get(&self, ty: TypeId) -> &Type {
        &self.types[ty.0 as usize]
    }

    /// The type of this name, or with this alias.
    pub fn find(&self, name: &str) -> Option<TypeId> {
        let is_it = |t: &Type| t.name == name || t.aliases.iter().any(|a| a == name);
        self.types.iter().position(is_it).map(|i| TypeId(i as u32))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Member(name) => write!(f, ".{name}"),
            Step::Index(i) => write!(f, "[{i}]"),
        }
    }
}

impl fmt::Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            RootKind::Param => f.write_str(&self.name),
            RootKind::Global => write!(f, "::{}", self.name),
            RootKind::Result => write!(f, "{}()", self.name),
        }
    }
}

/// `.child[3]`.
pub(crate) fn show_steps(steps: &[Step]) -> String {
    steps.iter().map(Step::to_string).collect()
}
