//! What native runs cover, by clang's source-based coverage.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use spelunk_driver::Clang;
use spelunk_report::suite::summary::{NativeCoverage, Ratio};

use crate::error::NativeError;

/// The first version whose coverage knows MC/DC.
const FIRST_WITH_MCDC: u32 = 18;

/// The tools of the compiler's version.
#[derive(Clone, Debug)]
pub struct Tools {
    /// Runs them.
    clang: Clang,
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
    /// Whether some process could not write what it has executed.
    pub has_unmeasured: bool,
    /// Whether the program calls `setjmp`.
    pub returns_twice: bool,
}

impl Tools {
    /// Nothing if one of them is missing.
    pub fn find(clang: &Clang, major: u32) -> Option<Self> {
        Some(Self {
            clang: clang.clone(),
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

    pub fn has_mcdc(&self) -> bool {
        self.has_mcdc
    }

    /// What one profile says of combinations of conditions.
    pub fn vectors(&self, profile: &Path) -> Result<Vec<Vector>, NativeError> {
        let mut command = Command::new(&self.profdata);
        command.args(["merge", "--text"]).arg(profile).args(["-o", "-"]);
        Ok(vectors(&self.run(&mut command, "llvm-profdata")?))
    }

    /// Adds up the profiles in a directory. Generated code does not count.
    pub fn read(&self, executable: &Path, profiles: &Path, generated: &Path) -> Result<Covered, NativeError> {
        let merged = profiles.join("all.profdata");
        let raw = fs::read_dir(profiles).map_err(NativeError::io(profiles))?;
        let raw = raw.filter_map(|entry| Some(entry.ok()?.path()));
        let raw = raw.filter(|path| path.extension().is_some_and(|extension| extension == "profraw"));
        let mut merge = Command::new(&self.profdata);
        merge.args(["merge", "-sparse"]).args(raw).arg("-o").arg(&merged);
        self.run(&mut merge, "llvm-profdata")?;
        let export = |options: &[&str]| {
            let mut command = Command::new(&self.cov);
            command.arg("export").arg(executable).arg(format!("-instr-profile={}", merged.display())).args(options);
            command.arg(format!("-ignore-filename-regex=^{}|^/usr/include/", generated.display()));
            self.run(&mut command, "llvm-cov")
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
        Ok(Covered { lcov, account, has_unmeasured: false, returns_twice: false })
    }

    fn run(&self, command: &mut Command, tool: &'static str) -> Result<String, NativeError> {
        let output = self.clang.run(command)?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(NativeError::Tool { tool, message: String::from_utf8_lossy(&output.stderr).into_owned() })
    }
}

/// A combination of conditions in a decision: the function, and the number of the bit that clang has for it.
pub type Vector = (String, u32);

/// Reads the bitmaps of a profile in its form as text: records of functions with blank lines between them.
fn vectors(text: &str) -> Vec<Vector> {
    let mut found = Vec::new();
    for record in text.split("\n\n") {
        let mut lines = record.lines().filter(|line| !line.is_empty() && !line.starts_with(':'));
        let Some(name) = lines.next() else { continue };
        let bytes = lines.skip_while(|line| *line != "# Bitmap Byte Values:").skip(1);
        for (at, byte) in (0u32..).zip(bytes.map_while(|line| u8::from_str_radix(line.strip_prefix("0x")?, 16).ok())) {
            found.extend((0..8).filter(|bit| byte >> bit & 1 == 1).map(|bit| (name.to_owned(), 8 * at + bit)));
        }
    }
    found
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

/// Where functions start, by file: their first lines and their names.
pub(crate) fn functions(lcov: &str) -> BTreeMap<PathBuf, BTreeMap<u32, String>> {
    let mut files: BTreeMap<PathBuf, BTreeMap<u32, String>> = BTreeMap::new();
    let mut current = PathBuf::new();
    for line in lcov.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            current = fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
        } else if let Some((first, name)) = line.strip_prefix("FN:").and_then(|data| data.split_once(',')) {
            // Those that are `static` have the name of the file before theirs.
            let name = name.rsplit([',', ':']).next().unwrap_or(name);
            if let Ok(first) = first.parse() {
                files.entry(current.clone()).or_default().insert(first, name.to_owned());
            }
        }
    }
    files
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bitmaps_are_read() {
        let text = "f\n# Func Hash:\n7\n# Num Counters:\n1\n# Counter Values:\n1\n# Num Bitmap Bytes:\n$2\n\
                    # Bitmap Byte Values:\n0x10\n0x3\n\n\nmain\n# Func Hash:\n6\n# Num Counters:\n1\n# Counter Values:\n1\n\n";
        let of_f = |bit| ("f".to_owned(), bit);
        assert_eq!(vectors(text), [of_f(4), of_f(8), of_f(9)]);
    }
}
