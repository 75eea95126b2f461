//! The reference: a program built by the same clang at the same level and run on the machine itself.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::config::Config;
use crate::process::{self, End, Output};

/// Long enough for any compilation in the suite on a busy machine, short enough to notice a compiler that hangs.
const COMPILE_LIMIT: Duration = Duration::from_secs(300);

#[derive(Debug, thiserror::Error)]
pub enum NativeError {
    #[error("cannot start {program}: {source}")]
    Start { program: String, source: std::io::Error },
    #[error("{clang} {opt} on the program: {end}\n{message}")]
    Compile { clang: String, opt: String, end: End, message: String },
}

/// What is compiled, apart from the configuration.
pub struct Sources<'a> {
    pub files: &'a [PathBuf],
    pub cflags: &'a [String],
}

/// Builds `sources` into the executable `exe`.
pub fn build(sources: &Sources<'_>, config: Config, exe: &Path) -> Result<(), NativeError> {
    let mut clang = Command::new(config.clang);
    clang.arg(config.opt).arg("-w").args(sources.cflags).args(sources.files).arg("-o").arg(exe).arg("-lm");
    finish(&mut clang, config)
}

/// Compiles a source into LLVM IR as text.
pub fn emit_llvm(source: &Path, cflags: &[String], config: Config, target: &Path) -> Result<(), NativeError> {
    let mut clang = Command::new(config.clang);
    clang.arg(config.opt).args(["-S", "-emit-llvm", "-g", "-w", "-fno-pic", "-fno-jump-tables"]).args(cflags);
    finish(clang.arg(source).arg("-o").arg(target), config)
}

fn finish(clang: &mut Command, config: Config) -> Result<(), NativeError> {
    let output = process::run(clang, b"", COMPILE_LIMIT)
        .map_err(|source| NativeError::Start { program: config.clang.to_owned(), source })?;
    if output.succeeded() {
        return Ok(());
    }
    Err(NativeError::Compile {
        clang: config.clang.to_owned(),
        opt: config.opt.to_owned(),
        end: output.end,
        message: output.stderr_text(),
    })
}

/// What a run is given; the same for the native run and the VM's.
pub struct Invocation<'a> {
    pub args: &'a [String],
    pub stdin: &'a [u8],
    pub env: &'a [(String, String)],
    /// The working directory, fresh and empty.
    pub dir: &'a Path,
    pub limit: Duration,
}

impl Invocation<'_> {
    /// Runs `command` in this invocation's directory and environment; the caller has already added the arguments.
    pub fn run(&self, command: &mut Command) -> Result<Output, NativeError> {
        let program = command.get_program().to_string_lossy().into_owned();
        command
            .current_dir(self.dir)
            .env("LC_ALL", "C")
            .env("TZ", "UTC")
            .envs(self.env.iter().map(|(name, value)| (name, value)));
        process::run(command, self.stdin, self.limit).map_err(|source| NativeError::Start { program, source })
    }
}

pub fn run(exe: &Path, invocation: &Invocation<'_>) -> Result<Output, NativeError> {
    invocation.run(Command::new(exe).args(invocation.args))
}
