//! What can go wrong before the program runs. All of it is for the user to put right; the texts say how.

use spelunk_deadline::Over;
use spelunk_ir::link::LinkError;
use spelunk_ir::lower::LowerError;
use spelunk_ir::parse::ParseError;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum DriverError {
    #[error("no clang found: tried {tried}; install one (Debian: `apt-get install clang`) or name it with --clang")]
    NoClang { tried: String },
    #[error("cannot run {}: {source}", clang.display())]
    ClangStart { clang: PathBuf, source: std::io::Error },
    #[error("{}", match .0 {
        Over::Time => "time limit reached",
        Over::Stopped => "interrupted",
    })]
    Over(Over),
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}: not a C source (.c, .i) or LLVM IR (.ll, .bc)", .0.display())]
    UnknownKind(PathBuf),
    /// `diagnostics` is what clang printed for all files, in order.
    #[error("cannot compile {}", list(sources))]
    Compile { sources: Vec<PathBuf>, diagnostics: Vec<u8> },
    #[error(
        "cannot compile the run-time library with this clang; are the C library's headers installed \
         (Debian: `apt-get install libc6-dev`)?\n{message}"
    )]
    Runtime { message: String },
    #[error("cannot prepare the run-time library: {0}")]
    Scratch(std::io::Error),
    /// In a file of the user's.
    #[error(transparent)]
    Parse(ParseError),
    /// In what clang made of a file.
    #[error(
        "cannot read the LLVM IR that clang made of {}, line {}: {}; is this clang newer than 22?",
        .0.file, .0.line, .0.message
    )]
    CompiledIr(ParseError),
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error(transparent)]
    Lower(#[from] LowerError),
    #[error("the program has no `main` function")]
    NoMain,
    #[error("undefined {}: {}", if names.len() == 1 { "variable" } else { "variables" }, quote(names))]
    UndefinedVariables { names: Vec<String> },
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

fn quote(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
