//! Forms that are data: what tests are given, and how they went, in files that other tools read.
//!
//! One form a file. `given` says how a test's input comes to the program.

pub mod corpus;
mod given;
pub mod junit;
pub mod ktest;
pub mod testcomp;

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};
use spelunk_report::suite::TestCase;
use spelunk_report::suite::store::write_whole;

use crate::{ExportError, Exported, LeftOut, Suite};

/// Hands each test to `write`, which answers with the reason why it can't be written, if so.
fn each(
    suite: &Suite<'_>,
    mut write: impl FnMut(u64, &TestCase) -> Result<Result<(), String>, ExportError>,
) -> Result<Exported, ExportError> {
    let mut exported = Exported::default();
    for &(number, test) in suite.tests {
        match write(number, test)? {
            Ok(()) => exported.n_tests += 1,
            Err(reason) => exported.left_out.push(LeftOut { test: number, reason }),
        }
    }
    Ok(exported)
}

fn make_dir(dir: &Path) -> Result<(), ExportError> {
    fs::create_dir_all(dir).map_err(|source| ExportError::Io { path: dir.to_owned(), source })
}

fn write(dir: &Path, name: &str, content: &[u8]) -> Result<(), ExportError> {
    Ok(write_whole(&dir.join(name), content)?)
}

/// As hexadecimal digits.
fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}
