//! Why a function can't be tested.

use spelunk_hex::Diagnostic;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnitError {
    #[error("{0}")]
    Overlap(String),
    #[error("there is no function `{name}` in the program{}", hint(suggestion))]
    NoFunction { name: String, suggestion: Option<String> },
    #[error("`{name}` has no debug info: compile it with -g")]
    NoDebugInfo { name: String },
    #[error("`{name}` takes a variable number of arguments")]
    VariableArguments { name: String },
    #[error("parameter `{param}` of `{name}` is a `va_list`, which can't be an input: test a function that calls it")]
    ArgumentList { name: String, param: String },
    #[error("parameter `{param}` of `{name}` has the type `{ty}`, which has no known size")]
    UnknownSize { name: String, param: String, ty: String },
    #[error(
        "parameter `{param}` of `{name}` is a stream, which can't be an input: call it from a `main` that opens a file of \
         --sym-file, or say --param {param}=null"
    )]
    Stream { name: String, param: String },
    #[error("`{name}` expects its parameter `{param}` in a way that is not supported")]
    Passing { name: String, param: String },
    #[error("`{name}` has no parameter `{param}`")]
    NoParameter { name: String, param: String },
    #[error("`{ty}` has no member `{member}`, which `{path}` asks for: it has {names}")]
    NoMember { path: String, ty: String, member: String, names: String },
    #[error("there is no member `{member}` as in `{path}`: it would be one of `{ty}`")]
    NoMembers { path: String, ty: String, member: String },
    #[error("`{path}` asks for elements of `{ty}`, which is neither an array nor a pointer")]
    NoElements { path: String, ty: String },
    #[error("nothing says how many there are, as `{setting}` asks: `{count}` is no whole number of the input")]
    NoCount { setting: String, count: String },
    #[error("there is no variable `{name}` in the program that could be an input")]
    NoGlobal { name: String },
    #[error("no parameter of `{name}` has the type `{ty}` that `{check}` takes")]
    NoArgument { name: String, check: String, ty: String },
    #[error("the functions of a sequence work on one structure, but none of them takes a pointer to one")]
    NoStructure,
    #[error("`{check}` returns nothing that could be a condition")]
    NoCondition { check: String },
    #[error("`{setting}` does not fit what has the type `{ty}`")]
    Unfitting { ty: String, setting: String },
    #[error("`{text}` is no limit of objects: write TYPE=N, as in 'struct node=6'")]
    ObjectLimit { text: String },
    #[error("the number of `{ty}` is only limited where the heap is lazy: add --heap lazy or --hex FILE")]
    EagerLimit { ty: String },
    #[error(
        "rules for heaps (--hex, annotations) decide each pointer where it is used, which --heap maps does not: leave out one of both"
    )]
    MapsWithRules,
    #[error("the input of `{name}` has no objects of the type `{ty}`")]
    NoObjects { name: String, ty: String },
    #[error("{}", diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Rules { diagnostics: Vec<Diagnostic> },
    #[error("`{name}` is to check {n_params} pointers: it must take as many, and nothing else")]
    NoCompanion { name: String, n_params: usize },
    #[error("`{setting}` is about a function that is not tested")]
    OtherFunction { setting: String },
    #[error("`{setting}` says nothing about an input: {reason}")]
    Setting { setting: String, reason: &'static str },
}

fn hint(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}
