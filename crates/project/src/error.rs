//! What can be wrong with a build, for the user to put right.

use spelunk_driver::DriverError;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ProjectError {
    #[error(
        "{}: no compile_commands.json there, nor in its build directory; CMake writes one with \
         -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson always, and `bear -- make` for other builds",
        .0.display()
    )]
    NoDatabase(PathBuf),
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}:{line}:{column}: not a compilation database: {message}", path.display())]
    Json { path: PathBuf, line: usize, column: usize, message: String },
    #[error("{}: entry {number} ({file}): {message}", path.display())]
    Entry { path: PathBuf, number: usize, file: String, message: String },
    #[error("{}: no C source in it{}", path.display(), others(*n_others))]
    NoSources { path: PathBuf, n_others: usize },
    #[error("`{pattern}` matches no C source of {}{}", path.display(), similar(similar_to))]
    NoMatch { pattern: String, path: PathBuf, similar_to: Vec<String> },
    #[error("`{pattern}` is not a pattern: {message}")]
    Pattern { pattern: String, message: String },
    #[error("no file of {} defines `{name}`{}", path.display(), refused(not_compiled))]
    NoDefinition { name: String, path: PathBuf, not_compiled: Vec<String> },
    #[error(
        "`{name}` is defined in several files of the build:\n  {}\nname the file that is meant, as in\n  spelunk run -p {} {example} {}",
        candidates.join("\n  "), path.display(), candidates[0]
    )]
    Ambiguous { name: String, example: String, path: PathBuf, candidates: Vec<String> },
    #[error(
        "`{name}`, which {needed_by} needs, is defined in several files of the build:\n  {}\nname the file that is meant \
         beside the function's, as in\n  spelunk run -p {} … {needed_by} {}",
        candidates.join("\n  "), path.display(), candidates[0]
    )]
    AmbiguousNeed { name: String, needed_by: String, path: PathBuf, candidates: Vec<String> },
    #[error(
        "cannot compile {source_name}: the header {header} was not found; if the build makes it, build the project first \
         (cmake --build DIR, ninja, make)"
    )]
    NoHeader { source_name: String, header: String, diagnostics: Vec<u8> },
    #[error("cannot compile {source_name} with the flags of the build; --cflag adds flags, and comes last")]
    Compile { source_name: String, diagnostics: Vec<u8> },
    #[error(transparent)]
    Driver(#[from] DriverError),
}

fn others(n: usize) -> String {
    match n {
        0 => String::new(),
        1 => "; one file is in another language".to_owned(),
        n => format!("; {n} files are in other languages"),
    }
}

fn similar(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("; there is {}", names.join(", ")),
    }
}

fn refused(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!(" (not looked into, since clang does not compile them: {})", names.join(", ")),
    }
}
