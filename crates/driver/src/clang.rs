//! The compiler as a process: which one, and how it is asked for textual IR.

use crate::error::DriverError;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

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
pub(crate) struct Clang {
    program: String,
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
        let path = std::env::var_os("PATH").unwrap_or_default();
        let found = match name {
            Some(name) => is_runnable(&path, name).then_some(name),
            None => CANDIDATES.iter().copied().find(|candidate| is_runnable(&path, candidate)),
        };
        match found {
            Some(program) => Ok(Self { program: program.to_owned() }),
            None => Err(DriverError::NoClang { tried: name.map_or_else(|| CANDIDATES.join(", "), str::to_owned) }),
        }
    }

    /// All that clang says about itself.
    pub fn version(&self) -> Result<String, DriverError> {
        let output = self.output(Command::new(&self.program).arg("--version"))?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(DriverError::ClangVersion { clang: self.program.clone(), message });
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Makes textual IR of `input`.
    pub fn emit_llvm(&self, flags: &[impl AsRef<OsStr>], input: &Path) -> Result<Output, DriverError> {
        let mut command = Command::new(&self.program);
        command.args(["-S", "-emit-llvm", "-o", "-"]).args(flags).arg(input);
        let output = self.output(&mut command)?;
        Ok(Output {
            succeeded: output.status.success(),
            // Clang escapes everything that is not ASCII.
            text: String::from_utf8_lossy(&output.stdout).into_owned(),
            diagnostics: output.stderr,
        })
    }

    fn output(&self, command: &mut Command) -> Result<std::process::Output, DriverError> {
        let start_error = |source| DriverError::ClangStart { clang: self.program.clone(), source };
        command.stdin(Stdio::null()).output().map_err(start_error)
    }
}

/// Whether there is a file of that name in a directory of `path`, or at the place that the name states.
fn is_runnable(path: &OsStr, name: &str) -> bool {
    if name.contains('/') {
        return Path::new(name).is_file();
    }
    std::env::split_paths(path).any(|dir| dir.join(name).is_file())
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
