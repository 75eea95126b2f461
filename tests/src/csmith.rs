//! Random programs from csmith: generating one, running it natively and under the VM, comparing the checksums.
//!
//! The generator runs in a scratch directory because it leaves a file behind. Its headers are looked for in
//! `CSMITH_INCLUDE`, then in the usual place.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::compare::{self, Streams};
use crate::config::Config;
use crate::native::{self, Invocation, NativeError, Sources};
use crate::process::{self, End};
use crate::spelunk::Spelunk;

/// A program that natively runs longer than this most likely never ends.
const NATIVE_LIMIT: Duration = Duration::from_secs(5);
const VM_LIMIT: Duration = Duration::from_secs(300);
const GENERATE_LIMIT: Duration = Duration::from_secs(60);
const USUAL_INCLUDE: &str = "/usr/include/csmith";

/// Small programs, so that a mismatch can be read.
const SIZE: &[&str] = &["--max-funcs", "5", "--max-block-depth", "4", "--max-expr-complexity", "8"];

/// Language features that a seed adds to the generator's defaults, by seed modulo the number of rows.
const FLAVOURS: &[&[&str]] = &[
    &[],
    &["--float"],
    &["--builtins", "--disable-builtin-kinds", "x86"],
    &["--no-packed-struct", "--inline-function"],
];

#[derive(Debug, thiserror::Error)]
pub enum CsmithError {
    #[error("cannot use a temporary directory: {0}")]
    Dir(#[from] std::io::Error),
    #[error("csmith ended with {0}")]
    Generate(End),
    #[error(transparent)]
    Native(#[from] NativeError),
}

#[derive(Debug)]
pub enum Outcome {
    Same,
    /// The native run did not end in time, so there is nothing to compare.
    Endless,
    /// The VM reports an uninitialised value and so does a native run under a sanitizer: the generator is at fault.
    Faulty,
    Differs(String),
}

/// Generates the program of `seed` and runs it both ways.
pub fn compare_seed(spelunk: &Spelunk, seed: u64, config: Config) -> Result<Outcome, CsmithError> {
    let dir = tempfile::tempdir()?;
    let source = generate(seed, dir.path())?;
    let (files, cflags) = ([source], include_flags());
    let sources = Sources { files: &files, cflags: &cflags };
    let exe = dir.path().join("program");
    native::build(&sources, config, &exe)?;
    let mut invocation = Invocation { args: &[], stdin: b"", env: &[], dir: dir.path(), limit: NATIVE_LIMIT };
    let expected = native::run(&exe, &invocation)?;
    if expected.end == End::TimedOut {
        return Ok(Outcome::Endless);
    }
    invocation.limit = VM_LIMIT;
    let vm = spelunk.exec(&sources, config, &[], &invocation)?;
    let Some(difference) = compare::difference(&expected, &vm, Streams::Stdout) else { return Ok(Outcome::Same) };
    if vm.stderr_text().contains("[uninitialised]") && reads_uninitialised(&sources, config, &invocation)? {
        return Ok(Outcome::Faulty);
    }
    Ok(Outcome::Differs(difference + &vm.stderr_text()))
}

/// Whether a native run under MemorySanitizer finds a use of an uninitialised value.
fn reads_uninitialised(sources: &Sources, config: Config, invocation: &Invocation) -> Result<bool, CsmithError> {
    let cflags = [sources.cflags, &["-fsanitize=memory".to_owned()]].concat();
    let exe = invocation.dir.join("sanitized");
    native::build(&Sources { cflags: &cflags, ..*sources }, config, &exe)?;
    let run = native::run(&exe, invocation)?;
    Ok(run.stderr_text().contains("use-of-uninitialized-value"))
}

/// Writes the program of `seed` into `dir` and returns its path.
pub fn generate(seed: u64, dir: &Path) -> Result<PathBuf, CsmithError> {
    let flavour = FLAVOURS[(seed % FLAVOURS.len() as u64) as usize];
    let mut csmith = Command::new("csmith");
    csmith.args(["--seed", &seed.to_string()]).args(SIZE).args(flavour).current_dir(dir);
    let output = process::run(&mut csmith, b"", GENERATE_LIMIT)
        .map_err(|source| NativeError::Start { program: "csmith".to_owned(), source })?;
    if !output.succeeded() {
        return Err(CsmithError::Generate(output.end));
    }
    let path = dir.join(format!("seed{seed}.c"));
    std::fs::write(&path, output.stdout)?;
    Ok(path)
}

pub fn include_flags() -> Vec<String> {
    let include = std::env::var("CSMITH_INCLUDE").unwrap_or_else(|_| USUAL_INCLUDE.to_owned());
    vec!["-I".to_owned() + &include, "-w".to_owned()]
}
