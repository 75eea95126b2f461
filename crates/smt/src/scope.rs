//! What names mean: functions of the theories, declarations and definitions by level, and variables bound by `let`.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use spelunk_expr::ExprId;

use crate::builtin::{Entry, TABLE};
use crate::sort::{Scalar, Sort};

/// An expression with the sort that the script gives it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    pub id: ExprId,
    pub sort: Sort,
}

impl Term {
    pub fn boolean(id: ExprId) -> Self {
        Term { id, sort: Sort::BOOL }
    }
}

/// What a declaration or definition gave a name.
#[derive(Clone, Debug)]
pub enum Binding {
    /// A declared constant.
    Constant(Term),
    /// A defined one, or a named term.
    Defined(Term),
    /// A declared function, by number.
    Function(usize),
    /// A defined one, by number.
    Macro(usize),
    /// Why its uses are beyond us.
    Unsupported(Rc<str>),
}

/// What a name of a sort stands for, parameters included.
#[derive(Clone, Debug)]
pub enum SortTemplate {
    Known(Sort),
    Parameter(usize),
    Array(Box<SortTemplate>, Box<SortTemplate>),
}

#[derive(Clone, Debug)]
pub enum SortBinding {
    Alias { n_params: usize, template: SortTemplate },
    Unsupported(Rc<str>),
}

/// What a name means where it stands.
pub enum Meaning<'s> {
    Local(Term),
    Global(&'s Binding),
    Builtin(&'static Entry),
}

#[derive(Default)]
struct Name {
    local: Option<Term>,
    global: Option<Binding>,
    builtin: Option<&'static Entry>,
}

enum Declared {
    Symbol(usize),
    Sort(Rc<str>),
}

/// Whether declarations end with the level that they are made in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lifetime {
    #[default]
    Level,
    Session,
}

pub struct Scope {
    ids: FxHashMap<Rc<str>, usize>,
    spellings: Vec<Rc<str>>,
    names: Vec<Name>,
    /// Variables bound now, and what their names meant before.
    locals: Vec<(usize, Option<Term>)>,
    sorts: FxHashMap<Rc<str>, SortBinding>,
    free_sorts: Vec<Rc<str>>,
    /// All declarations that still hold, in order.
    declared: Vec<(Declared, Lifetime)>,
    /// How many declarations there were when each level began.
    levels: Vec<usize>,
    pub lifetime: Lifetime,
}

impl Default for Scope {
    fn default() -> Self {
        let mut scope = Scope {
            ids: FxHashMap::default(),
            spellings: Vec::new(),
            names: Vec::new(),
            locals: Vec::new(),
            sorts: FxHashMap::default(),
            free_sorts: Vec::new(),
            declared: Vec::new(),
            levels: Vec::new(),
            lifetime: Lifetime::Level,
        };
        for entry in TABLE {
            let id = scope.id(entry.name);
            scope.names[id].builtin = Some(entry);
        }
        scope
    }
}

impl Scope {
    fn id(&mut self, name: &str) -> usize {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let spelling: Rc<str> = name.into();
        self.ids.insert(spelling.clone(), self.names.len());
        self.spellings.push(spelling);
        self.names.push(Name::default());
        self.names.len() - 1
    }

    pub fn lookup(&self, name: &str) -> Option<Meaning<'_>> {
        let name = &self.names[*self.ids.get(name)?];
        match (name.local, &name.global, name.builtin) {
            (Some(term), _, _) => Some(Meaning::Local(term)),
            (None, Some(binding), _) => Some(Meaning::Global(binding)),
            (None, None, Some(entry)) => Some(Meaning::Builtin(entry)),
            (None, None, None) => None,
        }
    }

    pub fn is_builtin(&self, name: &str) -> bool {
        self.ids.get(name).is_some_and(|&id| self.names[id].builtin.is_some())
    }

    /// Returns false if the name is taken.
    #[must_use]
    pub fn declare(&mut self, name: &str, binding: Binding) -> bool {
        let id = self.id(name);
        if self.names[id].global.is_some() || self.names[id].builtin.is_some() {
            return false;
        }
        self.names[id].global = Some(binding);
        self.declared.push((Declared::Symbol(id), self.lifetime));
        true
    }

    /// Binds a variable until [`Scope::unbind`] takes it back.
    pub fn bind(&mut self, name: &str, term: Term) {
        let id = self.id(name);
        let before = self.names[id].local.replace(term);
        self.locals.push((id, before));
    }

    pub fn n_bound(&self) -> usize {
        self.locals.len()
    }

    /// Takes back all variables but the first `n_kept`.
    pub fn unbind(&mut self, n_kept: usize) {
        for (id, before) in self.locals.drain(n_kept..).rev() {
            self.names[id].local = before;
        }
    }

    pub fn sort(&self, name: &str) -> Option<&SortBinding> {
        self.sorts.get(name)
    }

    /// Returns false if the name is taken.
    #[must_use]
    pub fn define_sort(&mut self, name: &str, binding: SortBinding) -> bool {
        let name: Rc<str> = name.into();
        if self.sorts.contains_key(&name) {
            return false;
        }
        self.sorts.insert(name.clone(), binding);
        self.declared.push((Declared::Sort(name), self.lifetime));
        true
    }

    /// A sort about which nothing is known.
    #[must_use]
    pub fn declare_sort(&mut self, name: &str) -> bool {
        let scalar = Scalar::Free(self.free_sorts.len() as u32);
        self.free_sorts.push(name.into());
        self.define_sort(name, SortBinding::Alias { n_params: 0, template: SortTemplate::Known(Sort::Scalar(scalar)) })
    }

    pub fn free_sort_name(&self, number: u32) -> &str {
        &self.free_sorts[number as usize]
    }

    /// The names that hold, in the order of their declarations.
    pub fn declarations(&self) -> impl Iterator<Item = (&str, &Binding)> + '_ {
        self.declared.iter().filter_map(|(declared, _)| match declared {
            Declared::Symbol(id) => Some((&*self.spellings[*id], self.names[*id].global.as_ref()?)),
            Declared::Sort(_) => None,
        })
    }

    pub fn push(&mut self) {
        self.levels.push(self.declared.len());
    }

    /// Ends the innermost level; there must be one.
    pub fn pop(&mut self) {
        let start = self.levels.pop().expect("as many levels begin as end");
        let ended = self.declared.split_off(start);
        for (declared, lifetime) in ended {
            match (declared, lifetime) {
                (declared, Lifetime::Session) => self.declared.push((declared, lifetime)),
                (Declared::Symbol(id), Lifetime::Level) => self.names[id].global = None,
                (Declared::Sort(name), Lifetime::Level) => {
                    self.sorts.remove(&name);
                }
            }
        }
    }

    /// Ends all levels and the time before them.
    pub fn pop_all(&mut self) {
        // As if the first level held all declarations.
        self.levels = vec![0];
        self.pop();
    }
}
