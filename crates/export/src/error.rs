//! Why tests can't be exported. The texts say what to do.

use std::io;
use std::path::PathBuf;

use spelunk_driver::DriverError;
use spelunk_native::NativeError;
use spelunk_report::suite::StoreError;
use spelunk_report::suite::store::advice;

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// What is tested can't be called by C code.
    #[error(transparent)]
    Native(#[from] NativeError),
    #[error("cannot use {path}: {source}{}", advice(source))]
    Io { path: PathBuf, source: io::Error },
    #[error("cannot write {path}: {source}")]
    Archive { path: PathBuf, source: zip::result::ZipError },
}
