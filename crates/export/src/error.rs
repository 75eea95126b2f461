//! Why tests can't be exported. The texts say what to do.

use std::io;
use std::path::PathBuf;

use spelunk_driver::DriverError;
use spelunk_report::suite::StoreError;
use spelunk_report::suite::store::advice;

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Driver(#[from] DriverError),
    #[error("cannot use {path}: {source}{}", advice(source))]
    Io { path: PathBuf, source: io::Error },
    #[error("cannot write {path}: {source}")]
    Archive { path: PathBuf, source: zip::result::ZipError },
    #[error("{} is no C source: only C can stand in a project of C code", .0.display())]
    NotC(PathBuf),
    #[error("the tests can't be compiled:\n{message}")]
    Compile { message: String },
    /// The caller has not loaded it.
    #[error("the program is needed to write C code")]
    NoProgram,
}
