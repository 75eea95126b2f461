//! Which branches native runs cover, by llvm-cov's account.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::Deserialize;
use spelunk_driver::Clang;
use wait4::Wait4;

use crate::child;
use crate::error::BenchError;

/// A run that takes longer is of no interest here.
const RUN_SECONDS: &str = "0.5";

/// A program that counts which branches its runs take.
pub struct Native {
    program: PathBuf,
    profdata: PathBuf,
    cov: PathBuf,
}

/// Runs of it, which add to one profile.
pub struct Runs<'a> {
    native: &'a Native,
    arguments: &'a [String],
    profiles: PathBuf,
}

impl Native {
    pub fn build(dir: &Path, sources: &[String], flags: &[String], to: &Path) -> Result<Self, BenchError> {
        let clang = Clang::find(None)?;
        let tool = |name: &str| clang.companion(name).ok_or(BenchError::NoTool(name.to_owned()));
        let native = Self { program: to.to_owned(), profdata: tool("llvm-profdata")?, cov: tool("llvm-cov")? };
        let mut command = Command::new(clang.program());
        command.args(["-w", "-O0", "-fprofile-instr-generate", "-fcoverage-mapping"]).args(flags);
        child::run(command.args(sources).args(["-lm", "-o"]).arg(&native.program).current_dir(dir))?;
        Ok(native)
    }

    /// No runs yet; the directory is for their profiles.
    pub fn runs<'a>(&'a self, arguments: &'a [String], profiles: &Path) -> Result<Runs<'a>, BenchError> {
        std::fs::create_dir_all(profiles)?;
        Ok(Runs { native: self, arguments, profiles: profiles.to_owned() })
    }
}

impl Runs<'_> {
    /// Runs files in their order, until they have taken so much time together. How many.
    pub fn add(&mut self, files: &[PathBuf], limit: Duration) -> Result<usize, BenchError> {
        let (mut taken, mut n) = (Duration::ZERO, 0);
        for file in files {
            let mut command = Command::new("timeout");
            command.args(["-s", "INT", "-k", "1", RUN_SECONDS]).arg(&self.native.program).args(self.arguments);
            command.stdin(File::open(file)?).stdout(Stdio::null()).stderr(Stdio::null());
            command.env("LLVM_PROFILE_FILE", self.profiles.join("%m.profraw")).current_dir(&self.profiles);
            let usage = command.spawn()?.wait4()?.rusage;
            (taken, n) = (taken + usage.utime + usage.stime, n + 1);
            if taken >= limit {
                break;
            }
        }
        Ok(n)
    }

    pub fn covered(&self) -> Result<Covered, BenchError> {
        let merged = self.profiles.join("all.profdata");
        let is_raw = |path: &PathBuf| path.extension().is_some_and(|it| it == "profraw");
        let raw: Vec<PathBuf> = files(&self.profiles)?.into_iter().filter(is_raw).collect();
        if raw.is_empty() {
            return Ok(Covered::default());
        }
        child::run(Command::new(&self.native.profdata).args(["merge", "-o"]).arg(&merged).args(raw))?;
        let mut export = Command::new(&self.native.cov);
        export.args(["export", "-summary-only", "-instr-profile"]).arg(&merged).arg(&self.native.program);
        let account: Account = serde_json::from_str(&child::run(&mut export)?.stdout)?;
        Ok(account.data.first().map(|data| data.totals.branches).unwrap_or_default())
    }
}

/// The files of a directory, in the order of their names.
pub fn files(dir: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let entries = std::fs::read_dir(dir)?.collect::<Result<Vec<_>, _>>()?;
    Ok(entries.into_iter().map(|entry| entry.path()).collect::<BTreeSet<PathBuf>>().into_iter().collect())
}

#[derive(Deserialize)]
struct Account {
    data: Vec<Data>,
}

#[derive(Deserialize)]
struct Data {
    totals: Totals,
}

#[derive(Deserialize)]
struct Totals {
    branches: Covered,
}

/// Outcomes of branches.
#[derive(Clone, Copy, Default, Deserialize)]
pub struct Covered {
    pub covered: u64,
    pub count: u64,
}
