//! What can keep a measurement from being made.

use spelunk_ir::link::LinkError;
use spelunk_ir::lower::LowerError;
use spelunk_ir::parse::ParseError;
use spelunk_tests::native::NativeError;
use spelunk_tests::realcode::RealCodeError;
use spelunk_tests::spelunk::FindError;

#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error(transparent)]
    Find(#[from] FindError),
    #[error(transparent)]
    RealCode(#[from] RealCodeError),
    #[error(transparent)]
    Native(#[from] NativeError),
    #[error(transparent)]
    Parse(#[from] ParseError),
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error(transparent)]
    Lower(#[from] LowerError),
    #[error(transparent)]
    Driver(#[from] spelunk_driver::DriverError),
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("cannot start {program}: {source}")]
    Start { program: String, source: std::io::Error },
    #[error("{program} ended with {status}:\n{stderr}")]
    Failed { program: String, status: std::process::ExitStatus, stderr: String },
    #[error("{kernel}: the native program printed {native:?}, the VM {vm:?}")]
    Differs { kernel: &'static str, native: String, vm: String },
    #[error("{program}: the run after a query left the path that was asked for")]
    Diverged { program: &'static str },
    #[error("{program}: solvers disagree on query {query}")]
    Disagree { program: &'static str, query: usize },
    #[error("the grammar is wrong: {0}")]
    Grammar(String),
    #[error("there is no {0} beside clang")]
    NoTool(String),
    #[error("KLEE does not say how many paths it completed")]
    Klee,
    #[error("the program ended before its memory could be read")]
    NoMemory,
    #[error("spelunk's summary is not what it should be: {0}")]
    Summary(#[from] serde_json::Error),
}
