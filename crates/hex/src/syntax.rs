//! What the parser makes of text: rules as they are written, names not yet looked up.

use crate::diagnostic::Span;
use crate::types::Step;

/// A rule or a companion, with the `in` that it stands in.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub anchor: Option<TypeName>,
    pub span: Span,
    pub kind: ItemKind,
}

#[derive(Clone, Debug)]
pub(crate) enum ItemKind {
    Rule(Formula),
    Companion { path: Path, function: String, args: Option<Vec<Path>> },
}

#[derive(Clone, Debug)]
pub(crate) struct TypeName {
    pub name: String,
    pub span: Span,
}

/// `struct item.link`
#[derive(Clone, Debug)]
pub(crate) struct PlaceName {
    pub ty: TypeName,
    pub steps: Vec<Step>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Formula {
    Atom(Atom),
    Not(Box<Formula>),
    Or(Vec<Formula>),
}

#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub subject: Path,
    pub verb: Verb,
}

#[derive(Clone, Debug)]
pub(crate) enum Verb {
    NotNull,
    IsNull,
    Is(Path),
    ExpandsToNothing,
    ExpandsTo(Vec<PlaceName>),
    AliasesNothing,
    AliasesSome(TypeName),
    Aliases(Path),
    AliasesMax(Path),
}

#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub regex: Regex,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Regex {
    Symbol(Pattern, Span),
    /// The empty path: the object of `in`.
    This(Span),
    Seq(Vec<Regex>),
    Or(Vec<Regex>),
    /// `*`, `+` or `?`.
    Repeat(Box<Regex>, char),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Pattern {
    Param(String),
    Global(String),
    /// `make_list()`
    Result(String),
    Step(Step),
    /// `[*]`
    AnyIndex,
    /// Any symbol whatever: `any` is its repetition.
    Anything,
}

impl Pattern {
    pub fn is_root(&self) -> bool {
        matches!(self, Pattern::Param(_) | Pattern::Global(_) | Pattern::Result(_))
    }
}

/// The first `this` in an expression.
pub(crate) fn this_in(regex: &Regex) -> Option<Span> {
    match regex {
        Regex::This(span) => Some(*span),
        Regex::Symbol(..) => None,
        Regex::Seq(all) | Regex::Or(all) => all.iter().find_map(this_in),
        Regex::Repeat(inner, _) => this_in(inner),
    }
}

/// An expression as text, the same for the same expression.
pub(crate) fn show(regex: &Regex) -> String {
    let all = |all: &[Regex], between: &str| all.iter().map(show).collect::<Vec<_>>().join(between);
    match regex {
        Regex::This(_) => "this".into(),
        Regex::Symbol(pattern, _) => match pattern {
            Pattern::Param(name) => name.clone(),
            Pattern::Global(name) => format!("::{name}"),
            Pattern::Result(name) => format!("{name}()"),
            Pattern::Step(step) => step.to_string(),
            Pattern::AnyIndex => "[*]".into(),
            Pattern::Anything => "any".into(),
        },
        Regex::Seq(parts) => all(parts, ""),
        Regex::Or(parts) => format!("({})", all(parts, "|")),
        Regex::Repeat(inner, sign) => format!("({}){sign}", show(inner)),
    }
}
