//! Which pointers lead to the same object, and which do not, as far as conditions say.
//!
//! Pointers that are known to lead into one object are a class, each with its distance from the class's first one. Two
//! pointers to one place find the same there: if classes become one, so do the pointers found in them (congruence), and
//! the numbers found in them are equal. As in CUTE (§3.5), null is a pointer like any other; beyond it, classes know
//! contents and distances, so that conditions on what is found through a pointer hold for all that lead to the same place.

mod joining;

use super::terms::{Term, Terms};
use crate::graph::extent::Extent;
use crate::graph::heap::{Heap, NodeId};
use crate::graph::relation::Relation;
use joining::common_home;
use smallvec::SmallVec;
use spelunk_expr::VarId;

/// The number of null.
const NULL: u32 = 0;

/// How many pointers are followed to tell that two can't lead to the same object.
const MAX_STEPS: u32 = 3;

/// What was said can't be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Conflict;

#[derive(Debug)]
pub(crate) struct Classes {
    /// The first is null.
    members: Vec<Member>,
    /// By member; of use for the first of each class.
    classes: Vec<Class>,
    /// By variable: its number as a member, or zero.
    by_var: Vec<u32>,
    /// Numbers that are equal because pointers are.
    contents: Vec<Common>,
    /// Pointers still to be made equal.
    waiting: Vec<(u32, u32, i64)>,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    var: VarId,
    /// Another member of the class, or itself, and how many bytes it is above that.
    parent: u32,
    shift: i64,
}

#[derive(Debug, Default)]
struct Class {
    home: Option<Home>,
    /// The object that becomes its home if its first pointer turns out to lead to a new one: what that leads to is part of it.
    own: Option<NodeId>,
    fields: SmallVec<[Field; 4]>,
    /// Members of other classes: the class's first pointer and so many bytes is not there.
    unlike: SmallVec<[(u32, i64); 4]>,
    n_members: u32,
    /// Whether pointers of the class lead to different places of the object.
    is_spread: bool,
}

/// The object that a class leads into: the own object of one of its members, of which those of the others are part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Home {
    pub node: NodeId,
    /// Where it starts, from where the class's first pointer leads to.
    pub start: i64,
}

/// What is found at a place of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    /// From where the class's first pointer leads to.
    pub at: i64,
    pub n_bytes: u32,
    pub var: VarId,
}

/// Bytes of two numbers that are the same ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Common {
    pub vars: [VarId; 2],
    /// The first of them in each.
    pub first: [u32; 2],
    pub n_bytes: u32,
}

impl Field {
    fn common(&self, other: &Self) -> Option<Common> {
        let (first, end) =
            (self.at.max(other.at), (self.at + i64::from(self.n_bytes)).min(other.at + i64::from(other.n_bytes)));
        let at = |field: &Self| (first - field.at) as u32;
        (first < end).then(|| Common {
            vars: [self.var, other.var],
            first: [at(self), at(other)],
            n_bytes: (end - first) as u32,
        })
    }
}

impl Default for Classes {
    fn default() -> Self {
        let mut classes = Self {
            members: Vec::new(),
            classes: Vec::new(),
            by_var: Vec::new(),
            contents: Vec::new(),
            waiting: Vec::new(),
        };
        classes.add_member(VarId(u32::MAX));
        classes
    }
}

impl Classes {
    pub fn clear(&mut self) {
        for member in &self.members[1..] {
            self.by_var[member.var.index()] = 0;
        }
        self.members.truncate(1);
        self.classes[NULL as usize].reset();
        self.contents.clear();
        self.waiting.clear();
    }

    fn add_member(&mut self, var: VarId) -> u32 {
        let number = self.members.len();
        self.members.push(Member { var, parent: number as u32, shift: 0 });
        match self.classes.get_mut(number) {
            Some(class) => class.reset(),
            None => self.classes.push(Class { n_members: 1, ..Class::default() }),
        }
        number as u32
    }

    /// Takes note of what a variable is: a pointer of its own class, and a content of another.
    pub fn add(&mut self, heap: &Heap, terms: &Terms, var: VarId, term: Term) -> Result<(), Conflict> {
        if let Some(pointer) = term.pointer
            && self.number(var).is_none()
        {
            let number = self.add_member(var);
            if self.by_var.len() <= var.index() {
                self.by_var.resize(var.index() + 1, 0);
            }
            self.by_var[var.index()] = number;
            match pointer.own {
                // Whether that object is there at all, around what it leads to, is open until it is known to lead somewhere new.
                Some(node) if heap.node(node).inside.is_some() => self.classes[number as usize].own = Some(node),
                Some(node) => self.classes[number as usize].home = Some(Home { node, start: 0 }),
                None => self.unite(heap, terms, number, NULL, 0)?,
            }
            if !pointer.nullable {
                self.set_unlike(number, NULL, 0)?;
                self.settle(heap, number);
            }
        }
        self.add_content(heap, terms, var, term)
    }

    /// Takes note of a variable as something found through a pointer that is known.
    pub fn add_content(&mut self, heap: &Heap, terms: &Terms, var: VarId, term: Term) -> Result<(), Conflict> {
        let Some(holder) = terms.pointer_to(term.node).and_then(|pointer| self.number(pointer)) else { return Ok(()) };
        let (root, shift) = self.find(holder);
        let at = shift + i64::from(term.offset) - i64::from(heap.node(term.node).at());
        let field = Field { at, n_bytes: term.n_bytes, var };
        if root != NULL {
            self.put_field(terms, root, field)?;
        }
        self.unite_waiting(heap, terms)
    }

    fn number(&self, var: VarId) -> Option<u32> {
        self.by_var.get(var.index()).copied().filter(|&number| number != 0)
    }

    fn numbers(&self, relation: &Relation) -> Option<(u32, u32)> {
        let other = relation.other.map_or(Some(NULL), |other| self.number(other))?;
        Some((self.number(relation.pointer)?, other))
    }

    /// Adds what a condition says. Its pointers are known.
    pub fn assert(&mut self, heap: &Heap, terms: &Terms, relation: &Relation) -> Result<(), Conflict> {
        let Some((pointer, other)) = self.numbers(relation) else { return Ok(()) };
        match relation.is_equal {
            true => self.unite(heap, terms, pointer, other, relation.shift),
            false => {
                self.set_unlike(pointer, other, relation.shift)?;
                if other == NULL {
                    self.settle(heap, pointer);
                }
                Ok(())
            }
        }
    }

    /// Whether a condition is known to hold, or not to.
    pub fn implies(&self, heap: &Heap, relation: &Relation) -> Option<bool> {
        let (pointer, other) = self.numbers(relation)?;
        let is_same = self.is_same(heap, pointer, other, relation.shift, MAX_STEPS)?;
        Some(is_same == relation.is_equal)
    }

    /// Whether a pointer is known not to be null.
    pub fn is_nonnull(&self, var: VarId) -> bool {
        let Some(number) = self.number(var) else { return false };
        let (root, shift) = self.find(number);
        self.class(root).unlike.iter().any(|&(member, at)| at == shift && self.find(member) == (NULL, 0))
    }

    /// Whether two pointers are known to lead into one object.
    pub fn is_together(&self, a: VarId, b: VarId) -> bool {
        match (self.number(a), self.number(b)) {
            (Some(a), Some(b)) => self.find(a).0 == self.find(b).0,
            _ => false,
        }
    }

    /// Whether nothing else is known to lead to where a pointer does.
    pub fn is_alone(&self, var: VarId) -> bool {
        self.number(var).is_some_and(|number| self.class(self.find(number).0).n_members == 1)
    }

    /// The first pointer of a class that is not null, as a number, and how far above it this one is.
    pub fn place(&self, var: VarId) -> Option<(u32, i64)> {
        let (root, shift) = self.find(self.number(var)?);
        (root != NULL).then_some((root, shift))
    }

    /// The object that a class leads into.
    pub fn home(&self, class: u32) -> Option<Home> {
        self.class(class).home
    }

    /// What is found at a byte of an object, once something was.
    pub fn field(&self, class: u32, at: i64) -> Option<Field> {
        let covers = |field: &&Field| field.at <= at && at < field.at + i64::from(field.n_bytes);
        self.class(class).fields.iter().find(covers).copied()
    }

    /// Whether something was found in a range of an object.
    pub fn has_field(&self, class: u32, range: Extent) -> bool {
        let meets =
            |field: &Field| range.meets(Extent { first: field.at, last: field.at + i64::from(field.n_bytes) - 1 });
        self.class(class).fields.iter().any(meets)
    }

    /// The numbers that are equal because pointers are.
    pub fn equal_contents(&self) -> &[Common] {
        &self.contents
    }

    /// All pointers.
    pub fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        self.members[1..].iter().map(|member| member.var)
    }

    /// Whether a class must not be null if these are.
    pub fn differs_from_any(&self, class: u32, mut is_it: impl FnMut(u32) -> bool) -> bool {
        self.class(class).unlike.iter().any(|&(member, at)| {
            let (other, shift) = self.find(member);
            at == shift && (other == NULL || is_it(other))
        })
    }

    fn class(&self, root: u32) -> &Class {
        &self.classes[root as usize]
    }

    /// The first member of the class, and how many bytes this one is above it.
    fn find(&self, number: u32) -> (u32, i64) {
        let (mut at, mut shift) = (number, 0);
        loop {
            let member = self.members[at as usize];
            if member.parent == at {
                return (at, shift);
            }
            shift += member.shift;
            at = member.parent;
        }
    }

    fn is_same(&self, heap: &Heap, a: u32, b: u32, shift: i64, n_steps: u32) -> Option<bool> {
        // Null comes second: it does not know what is unlike it.
        let (a, b, shift) = if self.find(a).0 == NULL { (b, a, -shift) } else { (a, b, shift) };
        let ((a, a_shift), (b, b_shift)) = (self.find(a), self.find(b));
        // How far above the first one the second one would be.
        let distance = a_shift - b_shift - shift;
        if a == b {
            return Some(distance == 0);
        }
        let (first, second) = (self.class(a), self.class(b));
        let is_excluded = first.unlike.iter().any(|&(member, at)| {
            let (other, other_shift) = self.find(member);
            other == b && at - other_shift == distance
        });
        if is_excluded {
            return Some(false);
        }
        if b == NULL {
            let is_possible = distance == 0 && !first.is_spread && !second.is_spread;
            return if is_possible { None } else { Some(false) };
        }
        let has_homes = first.home.is_some() && second.home.is_some();
        if has_homes && common_home(heap, first.home, second.home, distance).is_none() {
            return Some(false);
        }
        let differ = |x: &Field| {
            let Some(y) = second.fields.iter().find(|y| y.at + distance == x.at) else { return false };
            match (self.number(x.var), self.number(y.var)) {
                (Some(x), Some(y)) => self.is_same(heap, x, y, 0, n_steps - 1) == Some(false),
                _ => false,
            }
        };
        (n_steps > 0 && first.fields.iter().any(differ)).then_some(false)
    }
}

impl Class {
    fn reset(&mut self) {
        self.home = None;
        self.own = None;
        self.fields.clear();
        self.unlike.clear();
        self.n_members = 1;
        self.is_spread = false;
    }
}
