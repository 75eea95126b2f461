//! The compiler as a process: which one, and how it is asked for textual IR.

use crate::cache::Cache;
use crate::error::DriverError;
use spelunk_deadline::{Deadline, Ended};
use std::ffi::OsStr;
use std::hash::Hash;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::time::SystemTime;

/// Versions in the order in which they are preferred: the ones that most testing was done with come first.
const CANDIDATES: &[&str] =
    &["clang-19", "clang-18", "clang-17", "clang-16", "clang-20", "clang-21", "clang-22", "clang-15", "clang"];

/// Whether clang colours its messages. It can't see the terminal, since we collect what it says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Colour {
    #[default]
    Never,
    Always,
}

#[derive(Clone, Debug)]
pub struct Clang {
    program: PathBuf,
    deadline: Deadline,
    /// Where relative paths start; the current directory if it is empty.
    directory: PathBuf,
}

fn in_time(command: &Command, ended: io::Result<Ended>) -> Result<process::Output, DriverError> {
    match ended {
        Ok(Ended::ByItself(output)) => Ok(output),
        Ok(Ended::Over(over)) => Err(DriverError::Over(over)),
        Err(source) => Err(DriverError::ClangStart { clang: command.get_program().into(), source }),
    }
}

/// Tells compilers apart without starting one: another version is another file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Identity {
    file: PathBuf,
    size: u64,
    modified: Option<SystemTime>,
}

/// What one run of clang gave.
#[derive(Debug)]
pub(crate) struct Output {
    pub succeeded: bool,
    /// The `.ll` text.
    pub text: String,
    pub diagnostics: Vec<u8>,
}

impl Clang {
    /// The clang of that name or path; without one, the first on `PATH` of those we know.
    pub fn find(name: Option<&str>) -> Result<Self, DriverError> {
        let found = match name {
            Some(name) => locate(name),
            None => CANDIDATES.iter().find_map(|candidate| locate(candidate)),
        };
        match found {
            Some(program) => Ok(Self { program, deadline: Deadline::default(), directory: PathBuf::new() }),
            None => Err(DriverError::NoClang { tried: name.map_or_else(|| CANDIDATES.join(", "), str::to_owned) }),
        }
    }

    /// The same compiler, whose processes are killed when the deadline passes.
    pub fn until(self, deadline: &Deadline) -> Self {
        Self { deadline: deadline.clone(), ..self }
    }

    /// The same compiler, as if it was started in this directory.
    pub fn within(self, directory: &Path) -> Self {
        Self { directory: directory.to_owned(), ..self }
    }

    /// Where a file is that the compiler is told of.
    pub(crate) fn path_of(&self, file: &Path) -> PathBuf {
        self.directory.join(file)
    }

    /// Runs a command of the compiler, or of a tool that belongs to it.
    pub fn run(&self, command: &mut Command) -> Result<process::Output, DriverError> {
        if !self.directory.as_os_str().is_empty() {
            command.current_dir(&self.directory);
        }
        let ended = spelunk_deadline::output(command, &self.deadline);
        in_time(command, ended)
    }

    /// The same for a command that reads its input.
    pub fn run_with(&self, command: &mut Command, input: Vec<u8>) -> Result<process::Output, DriverError> {
        let ended = spelunk_deadline::answer(command, input, &self.deadline);
        in_time(command, ended)
    }

    /// The file that is run.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The first part of the version; zero if the compiler does not say.
    pub fn major_version(&self) -> u32 {
        let version = self.ask("-dumpversion").unwrap_or_default();
        version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0)
    }

    /// What the compiler says of itself. Starting it takes longer than most compilations, so answers are kept.
    pub fn ask(&self, question: &str) -> Option<String> {
        let cache = self.cache("answers").ok()?;
        let name = question.trim_start_matches('-').replace('/', "_");
        let known = cache.read(&name).and_then(|answer| String::from_utf8(answer).ok());
        known.or_else(|| {
            let output = self.run(Command::new(&self.program).arg(question)).ok()?;
            let answer = String::from_utf8(output.stdout).ok()?.trim().to_owned();
            if output.status.success() {
                cache.write(&name, answer.as_bytes());
            }
            Some(answer)
        })
    }

    /// Another tool of the same version: beside the compiler, or on `PATH` with the compiler's suffix or none.
    pub fn companion(&self, tool: &str) -> Option<PathBuf> {
        let real = self.program.canonicalize().ok()?;
        let beside = real.parent().map(|dir| dir.join(tool)).filter(|path| path.is_file());
        let suffix = || {
            let name = self.program.file_name()?.to_str()?;
            locate(&format!("{tool}{}", name.strip_prefix("clang")?))
        };
        beside.or_else(suffix).or_else(|| locate(tool))
    }

    /// Where results of this compiler are kept that are a function of `key`, in this version of ours.
    pub fn cache(&self, key: impl Hash) -> Result<Cache, DriverError> {
        Ok(Cache::open((self.identity()?, env!("CARGO_PKG_VERSION"), key)))
    }

    fn identity(&self) -> Result<Identity, DriverError> {
        let identity = || {
            let file = self.program.canonicalize()?;
            let metadata = file.metadata()?;
            Ok(Identity { size: metadata.len(), modified: metadata.modified().ok(), file })
        };
        identity().map_err(|source| self.start_error(source))
    }

    /// Makes textual IR of `input`.
    pub(crate) fn emit_llvm(&self, flags: &[impl AsRef<OsStr>], input: &Path) -> Result<Output, DriverError> {
        let mut command = Command::new(&self.program);
        command.args(["-S", "-emit-llvm", "-o", "-"]).args(flags).arg(input);
        let output = self.run(&mut command)?;
        Ok(Output {
            succeeded: output.status.success(),
            // Clang escapes everything that is not ASCII.
            text: String::from_utf8_lossy(&output.stdout).into_owned(),
            diagnostics: output.stderr,
        })
    }

    fn start_error(&self, source: std::io::Error) -> DriverError {
        DriverError::ClangStart { clang: self.program.clone(), source }
    }
}

/// The program of that name in a directory of `PATH`, or at the place that the name states.
fn locate(name: &str) -> Option<PathBuf> {
    which::which(name).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_compiler_is_named() {
        let error = Clang::find(Some("no-such-clang")).unwrap_err();
        assert!(error.to_string().contains("tried no-such-clang;"), "{error}");
    }
}
