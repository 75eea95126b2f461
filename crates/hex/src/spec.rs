//! A specification, read and compiled: rules as clauses over atoms, atoms over expressions, expressions in automata.
//!
//! A *block* is what is checked together: all rules from the roots, or all rules of `in T`. An *atom* says something of every reference on its
//! path (Definition 3.2 of the HEX paper), so that a reference that breaks it breaks it for good. A rule is a conjunction of *clauses*;
//! one is violated when its atoms are broken and none of them was to be.

use crate::automata::{Dfa, Letter, State};
use crate::diagnostic::{Diagnostic, Source};
use crate::heap::ObjIx;
use crate::memo::Memo;
use crate::resolve::{Expansions, TypePlace};
use crate::types::{Step, TypeId, Types};
use smallvec::SmallVec;
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RuleId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CompanionId(pub u32);

/// A rule as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    pub text: String,
    /// The `in` around it: `struct node`.
    pub context: Option<String>,
    pub source: String,
    pub line: u32,
    pub column: u32,
}

/// `when path check function(args)`: a function of the program that accepts or refuses the numbers of a partial heap.
#[derive(Clone, Debug)]
pub struct Companion {
    pub function: String,
    /// `None`: parameters are to be matched by type.
    pub args: Option<Vec<Arg>>,
    /// The whole of it, as a rule has it.
    pub rule: Rule,
}

/// An argument of a companion: a way to one reference or object.
#[derive(Clone, Debug)]
pub struct Arg {
    pub text: String,
    /// `None`: from `this`.
    pub root: Option<ObjIx>,
    pub steps: Vec<Step>,
}

/// Immutable; to be shared.
#[derive(Clone, Debug)]
pub struct Spec {
    pub(crate) types: Types,
    pub(crate) layouts: Vec<Layout>,
    pub(crate) root_letters: Vec<Letter>,
    pub(crate) blocks: Vec<Block>,
    /// The blocks of `in T`, by type.
    pub(crate) blocks_in: Vec<SmallVec<[u16; 2]>>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) companions: Vec<Companion>,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) expansions: Expansions,
    pub(crate) is_under_rules: Vec<bool>,
    /// By type and reference.
    pub(crate) is_lazy: Vec<Vec<bool>>,
    pub(crate) memo: Memo,
}

impl Spec {
    /// Reads and compiles rules against the types that they speak of.
    pub fn parse(sources: &[Source], types: &Types) -> Result<Spec, Vec<Diagnostic>> {
        crate::compile::compile(sources, types)
    }

    /// The specification without rules: plain lazy initialization.
    pub fn without_rules(types: &Types) -> Spec {
        Spec::parse(&[], types).expect("no rules, no mistakes").all_lazy()
    }

    pub fn types(&self) -> &Types {
        &self.types
    }

    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    pub fn companions(&self) -> &[Companion] {
        &self.companions
    }

    /// What may be meant otherwise.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The references whose new objects are around what they point to (`expands to struct item.link`): each with that object's type, and the part of it.
    pub fn expands_inside(&self) -> impl Iterator<Item = ((TypeId, usize), (TypeId, u16))> + '_ {
        self.expansions.inside.iter().filter_map(|(&reference, &(ty, part))| Some((reference, (ty, part?))))
    }

    /// The types that rules let pointers expand to part of: they have to be known, though no pointer of the input leads to them.
    pub fn types_around(sources: &[Source]) -> Vec<String> {
        let items = crate::parser::parse(sources).unwrap_or_default();
        let mut names: Vec<String> =
            crate::compile::places_inside(&items).map(|(place, _)| place.ty.name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// All pointers to records are decided lazily, also those that no rule reaches.
    pub fn all_lazy(mut self) -> Spec {
        self.is_under_rules.fill(true);
        self.extend_to_holders();
        self.memo = Memo::default();
        self
    }

    /// What leads to objects under rules is decided lazily as well: rules reach nothing behind a pointer that is not.
    pub(crate) fn extend_to_holders(&mut self) {
        let Spec { types, is_under_rules, is_lazy, .. } = self;
        let mut is_known = false;
        while !std::mem::replace(&mut is_known, true) {
            for (i, ty) in types.types.iter().enumerate() {
                let inside = ty.parts.iter().map(|part| part.ty);
                let behind = ty.refs.iter().filter(|it| it.is_lazy).filter_map(|it| it.target);
                if !is_under_rules[i] && inside.chain(behind).any(|to| is_under_rules[to.0 as usize]) {
                    (is_under_rules[i], is_known) = (true, false);
                }
            }
        }
        for (ty, is_lazy) in types.types.iter().zip(is_lazy) {
            for (reference, is_lazy) in ty.refs.iter().zip(is_lazy) {
                *is_lazy |= reference.is_lazy && reference.target.is_some_and(|to| is_under_rules[to.0 as usize]);
            }
        }
    }

    /// Whether rules reach pointers to objects of this type, or what these lead to: those are to be decided lazily.
    pub fn is_under_rules(&self, ty: TypeId) -> bool {
        self.is_under_rules[ty.0 as usize]
    }

    /// Whether this reference is to be decided lazily: it points to a type under rules, or is a `void *` that rules speak of.
    pub fn is_lazy(&self, ty: TypeId, reference: usize) -> bool {
        self.is_lazy[ty.0 as usize][reference]
    }
}

/// The letters of a type's references and parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    pub refs: Vec<Route>,
    pub parts: Vec<Route>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Route {
    pub letters: SmallVec<[Letter; 2]>,
    /// The parts around it, the innermost first.
    pub around: SmallVec<[u16; 2]>,
}

impl Layout {
    /// The letters from the place `at` to the reference; nothing if it lies elsewhere.
    pub fn to_ref(&self, at: Option<u16>, reference: usize) -> Option<&[Letter]> {
        self.from(at, &self.refs[reference])
    }

    /// The letters from the place `at` to another, which lies in it.
    pub fn to_part(&self, at: Option<u16>, part: Option<u16>) -> Option<&[Letter]> {
        match part {
            _ if at == part => Some(&[]),
            None => None,
            Some(p) => self.from(at, &self.parts[p as usize]),
        }
    }

    fn from<'a>(&self, at: Option<u16>, route: &'a Route) -> Option<&'a [Letter]> {
        match at {
            None => Some(&route.letters),
            Some(p) => route.around.contains(&p).then(|| &route.letters[self.parts[p as usize].letters.len()..]),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The type of `in`; `None` for rules from the roots.
    pub anchor: Option<TypeId>,
    pub dfa: Dfa,
    pub atoms: Vec<Atom>,
    pub clauses: Vec<Clause>,
    pub companions: Vec<(u8, CompanionId)>,
    /// By state: the atoms that speak of a reference there.
    pub subjects: Vec<u64>,
    /// The atoms that null, an expansion or an alias may break.
    pub on_null: u64,
    pub on_expand: u64,
    pub on_alias: u64,
    /// The expressions that stand behind some `aliases max`.
    pub max_paths: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Atom {
    /// An expression of the block.
    pub subject: u8,
    pub verb: Verb,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verb {
    NotNull,
    /// To one of these places; to nothing if there is none.
    ExpandsTo(Vec<TypePlace>),
    AliasesNothing,
    AliasesSome(TypeId),
    Aliases(PathRef),
    AliasesMax(PathRef),
}

/// An expression: of the atom's own block, or of one from the roots.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PathRef {
    pub block: u16,
    pub path: u8,
}

/// At least one atom of `hold` holds, or one of `fail` does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Clause {
    pub hold: u64,
    pub fail: u64,
    pub rule: RuleId,
}

impl Clause {
    /// Whether no refinement satisfies it any more. An atom that is to fail still can.
    pub fn is_violated(&self, broken: u64) -> bool {
        self.fail == 0 && self.hold & !broken == 0
    }

    /// Whether it is satisfied if nothing else is broken.
    pub fn is_satisfied(&self, broken: u64) -> bool {
        self.hold & !broken != 0 || self.fail & broken != 0
    }
}

impl Block {
    /// The atoms that speak of a reference in this state.
    pub fn subjects(&self, state: State) -> u64 {
        self.subjects[state as usize]
    }

    pub fn violated(&self, before: u64, newly: u64) -> Option<RuleId> {
        let broken = before | newly;
        self.clauses.iter().find(|c| c.hold & newly != 0 && c.is_violated(broken)).map(|c| c.rule)
    }
}

/// The numbers of the bits of a set.
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} `{}`", self.source, self.line, self.text)?;
        match &self.context {
            Some(ty) => write!(f, " in {ty}"),
            None => Ok(()),
        }
    }
}
