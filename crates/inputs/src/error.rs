//! Why a function can't be tested.

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnitError {
    #[error("there is no function `{name}` in the program{}", hint(suggestion))]
    NoFunction { name: String, suggestion: Option<String> },
    #[error("`{name}` has no debug info: compile it with -g")]
    NoDebugInfo { name: String },
    #[error("`{name}` takes a variable number of arguments")]
    VariableArguments { name: String },
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
    #[error("there is no variable `{name}` in the program that could be an input")]
    NoGlobal { name: String },
    #[error("no parameter of `{name}` has the type `{ty}` that `{check}` takes")]
    NoArgument { name: String, check: String, ty: String },
    #[error("the functions of a sequence work on one structure, but none of them takes a pointer to one")]
    NoStructure,
    #[error("`{check}` returns nothing that could be a condition")]
    NoCondition { check: String },
    #[error("`{setting}` does not fit parameter `{param}` of `{name}`, which has the type `{ty}`")]
    Unfitting { name: String, param: String, ty: String, setting: String },
    #[error("`{setting}` says nothing about a parameter: {reason}")]
    Setting { setting: String, reason: &'static str },
}

fn hint(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}
