//! A directory with sources, and `spelunk exec` run in it.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

pub struct Project {
    dir: TempDir,
}

/// What a run left behind, as text.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Project {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a file in the directory")).expect("a sub-directory");
            std::fs::write(path, text).expect("a source file");
        }
        Self { dir }
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_spelunk"));
        command.current_dir(self.path()).arg("exec").args(args).stdin(Stdio::null()).env_remove("SPELUNK_CLANG");
        command
    }

    pub fn exec(&self, args: &[&str]) -> Run {
        Run::of(self.command(args).output().expect("spelunk starts"))
    }
}

impl Run {
    pub fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("valid text");
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Fails unless the run ended so and each of `parts` is in its standard error.
    #[track_caller]
    pub fn expect(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:#?}");
        for part in parts {
            assert!(self.stderr.contains(part), "no `{part}` in\n{}", self.stderr);
        }
    }
}
