//! What native runs cover, by clang's source-based coverage.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use spelunk_driver::Clang;
use spelunk_report::suite::summary::{NativeCoverage, Ratio};

use crate::error::NativeError;

/// The first version whose coverage knows MC/DC.
const FIRST_WITH_MCDC: u32 = 18;

/// The tools of the compiler's version.
#[derive(Clone, Debug)]
pub struct Tools {
    profdata: PathBuf,
    cov: PathBuf,
    has_mcdc: bool,
}

/// What is known after all runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Covered {
    /// In the format of lcov.
    pub lcov: String,
    pub account: NativeCoverage,
}

impl Tools {
    /// Nothing if one of them is missing.
    pub fn find(clang: &Clang, major: u32) -> Option<Self> {
        Some(Self {
            profdata: clang.companion("llvm-profdata")?,
            cov: clang.companion("llvm-cov")?,
            has_mcdc: major >= FIRST_WITH_MCDC,
        })
    }

    /// For compiling and linking.
    pub fn flags(&self) -> Vec<&'static str> {
        let mut flags = vec!["-fprofile-instr-generate", "-fcoverage-mapping"];
        if self.has_mcdc {
            flags.push("-fcoverage-mcdc");
        }
        flags
    }

    /// Adds up the profiles in a directory. Generated code does not count.
    pub fn read(&self, executable: &Path, profiles: &Path, generated: &Path) -> Result<Covered, NativeError> {
        let merged = profiles.join("all.profdata");
        let raw = fs::read_dir(profiles).map_err(NativeError::io(profiles))?;
        let raw = raw.filter_map(|entry| Some(entry.ok()?.path()));
        let raw = raw.filter(|path| path.extension().is_some_and(|extension| extension == "profraw"));
        let mut merge = Command::new(&self.profdata);
        merge.args(["merge", "-sparse"]).args(raw).arg("-o").arg(&merged);
        run(&mut merge, "llvm-profdata")?;
        let export = |options: &[&str]| {
            let mut command = Command::new(&self.cov);
            command.arg("export").arg(executable).arg(format!("-instr-profile={}", merged.display())).args(options);
            command.arg(format!("-ignore-filename-regex=^{}|^/usr/include/", generated.display()));
            run(&mut command, "llvm-cov")
        };
        let lcov = export(&["-format=lcov"])?;
        let json = export(&["-format=text", "-summary-only"])?;
        let malformed = |error: serde_json::Error| NativeError::Tool { tool: "llvm-cov", message: error.to_string() };
        let parsed: Export = serde_json::from_str(&json).map_err(malformed)?;
        let totals = parsed.data.into_iter().next().map(|unit| unit.totals).unwrap_or_default();
        let account = NativeCoverage {
            lines: totals.lines.into(),
            branches: totals.branches.into(),
            mcdc: totals.mcdc.filter(|_| self.has_mcdc).map(Ratio::from),
            agreed: Ratio::default(),
            differences: Vec::new(),
        };
        Ok(Covered { lcov, account })
    }
}

/// How often each line was executed, by file.
pub(crate) fn lines(lcov: &str) -> BTreeMap<PathBuf, BTreeMap<u32, u64>> {
    let mut files: BTreeMap<PathBuf, BTreeMap<u32, u64>> = BTreeMap::new();
    let mut current = PathBuf::new();
    for line in lcov.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            current = fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
        } else if let Some((number, count)) = line.strip_prefix("DA:").and_then(|data| data.split_once(',')) {
            let count = count.split(',').next().unwrap_or_default();
            if let (Ok(number), Ok(count)) = (number.parse(), count.parse()) {
                files.entry(current.clone()).or_default().insert(number, count);
            }
        }
    }
    files
}

fn run(command: &mut Command, tool: &'static str) -> Result<String, NativeError> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|source| NativeError::Tool { tool, message: source.to_string() })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(NativeError::Tool { tool, message: String::from_utf8_lossy(&output.stderr).into_owned() })
}

#[derive(Deserialize)]
struct Export {
    data: Vec<Unit>,
}

#[derive(Deserialize)]
struct Unit {
    totals: Totals,
}

#[derive(Default, Deserialize)]
struct Totals {
    lines: Total,
    branches: Total,
    mcdc: Option<Total>,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Total {
    count: u64,
    covered: u64,
}

impl From<Total> for Ratio {
    fn from(total: Total) -> Self {
        Self { covered: total.covered, total: total.count }
    }
}
