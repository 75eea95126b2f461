//! Why tests can't be run natively. The texts say what to do.

use std::io;
use std::path::PathBuf;

use spelunk_driver::DriverError;
use spelunk_report::suite::store::advice;

#[derive(Debug, thiserror::Error)]
pub enum NativeError {
    #[error(transparent)]
    Driver(#[from] DriverError),
    #[error("cannot use {path}: {source}{}", advice(source))]
    Io { path: PathBuf, source: io::Error },
    #[error("`{name}` is `static` in {}, where no C code can be added: name the C source instead", source_file.display())]
    Hidden { name: String, source_file: PathBuf },
    #[error("`{function}` can't be called from C: the type `{ty}` has no name there")]
    NoName { function: String, ty: String },
    #[error("there is no variable `{name}` that could be set")]
    NoVariable { name: String },
    #[error("`{function}` can't be called from C: its arguments can't be told apart")]
    Arguments { function: String },
    #[error(
        "this clang has no run-time library for its sanitizers (Debian: `apt-get install libclang-rt-{version}-dev`)"
    )]
    NoSanitizer { version: u32 },
    #[error("cannot compile {what}:\n{message}{}", about_space(message))]
    Compile { what: String, message: String },
    #[error("cannot link the tests:\n{message}{}", about_space(message))]
    Link { message: String },
    #[error("the tests could not be run: {message} (TMPDIR names the directory that they are run in)")]
    Run { message: String },
    #[error(
        "this kernel can't keep native runs away from {}, and the program uses {}: its tests are not run without `--replay uncontained`",
        unprotected.join(", "),
        dangers.join(", ")
    )]
    Uncontained { unprotected: Vec<&'static str>, dangers: Vec<String> },
    #[error("{tool} is missing (Debian: `apt-get install {package}`)")]
    NoTool { tool: &'static str, package: &'static str },
    #[error("MC/DC is measured by clang 18 and later, with llvm-profdata and llvm-cov of its version")]
    NoMcdc,
    #[error("{tool} failed: {message}")]
    Tool { tool: &'static str, message: String },
}

/// What to do about a full disk that another tool has met.
fn about_space(message: &str) -> &'static str {
    if message.contains("No space left") { "free some space, or set TMPDIR to another directory" } else { "" }
}

impl NativeError {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }
}
