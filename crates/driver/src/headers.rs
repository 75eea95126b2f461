//! Headers of our own that sources may include, for as long as clang runs.

use crate::error::DriverError;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A header by the name that sources include it by, and its text.
pub type Header = (&'static str, &'static str);

#[derive(Debug)]
pub struct Installed {
    dir: Option<TempDir>,
}

impl Installed {
    pub fn new(headers: &[Header]) -> Result<Self, DriverError> {
        if headers.is_empty() {
            return Ok(Self { dir: None });
        }
        let dir = tempfile::tempdir().map_err(DriverError::Scratch)?;
        for (name, text) in headers {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap_or(dir.path())).map_err(DriverError::Scratch)?;
            fs::write(path, text).map_err(DriverError::Scratch)?;
        }
        Ok(Self { dir: Some(dir) })
    }

    /// Where they are, if there are any. They are found after all others: a header of the same name that the user has wins.
    pub fn path(&self) -> Option<&Path> {
        self.dir.as_ref().map(TempDir::path)
    }
}
