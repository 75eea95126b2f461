//! Trials of data structures: an operation, the invariants around it, and what is found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::explore::{Bug, Summary};
use crate::spelunk::Spelunk;

/// Enough for every fault, and for most structures within their limits.
const BUDGET: [&str; 4] = ["--max-paths", "400", "--max-instructions", "3000000"];

/// One `// trial:` line.
#[derive(Clone, Debug)]
pub struct Request {
    file: PathBuf,
    values: BTreeMap<String, String>,
    /// The line that the `at` of the trial names.
    line: Option<usize>,
}

/// The trials of a file.
pub fn requests(path: &Path) -> Result<Vec<Request>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let lines = text.lines().filter_map(|line| line.strip_prefix("// trial: "));
    lines.map(|line| Request::parse(path, &text, line)).collect()
}

impl Request {
    fn parse(path: &Path, text: &str, line: &str) -> Result<Self, String> {
        let pair = |word: &str| {
            let (name, value) = word.split_once('=').ok_or_else(|| format!("`{word}` has no value"))?;
            Ok((name.to_owned(), value.to_owned()))
        };
        let values = line.split_whitespace().map(pair).collect::<Result<BTreeMap<_, _>, String>>()?;
        for name in ["entry", "expect"] {
            if !values.contains_key(name) {
                return Err(format!("a trial without `{name}`: {line}"));
            }
        }
        let marked = |at: &String| {
            let mark = format!("//~ {at}");
            let found = text.lines().position(|line| line.ends_with(&mark));
            found.map(|number| number + 1).ok_or_else(|| format!("no line ends with `{mark}`"))
        };
        let line = values.get("at").map(marked).transpose()?;
        Ok(Self { file: path.to_owned(), values, line })
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    pub fn name(&self) -> String {
        let file = self.file.file_stem().unwrap_or_default().to_string_lossy();
        let parts = ["entry", "assume", "fault", "depth"].into_iter().filter_map(|name| self.get(name));
        std::iter::once(&*file).chain(parts).collect::<Vec<_>>().join(" ")
    }

    /// Whether what it expects is known not to be found yet.
    pub fn is_open(&self) -> bool {
        self.values.contains_key("open")
    }
}

/// Runs a trial. Says what is wrong.
pub fn run(spelunk: &Spelunk, request: &Request) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let out = dir.path().join("out");
    let mut command = spelunk.command();
    command.arg("run").arg(&request.file).arg("--out").arg(&out).args(BUDGET);
    for (name, value) in &request.values {
        if ["entry", "assume", "ensure", "depth", "check"].contains(&name.as_str()) {
            command.arg(format!("--{name}={value}"));
        }
    }
    if let Some(fault) = request.get("fault") {
        command.arg("--").arg(format!("-DFAULT_{fault}"));
    }
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let json = std::fs::read(out.join("summary.json")).map_err(|error| format!("no summary: {error}\n{text}"))?;
    let summary: Summary = serde_json::from_slice(&json).map_err(|error| error.to_string())?;
    let expected = request.get("expect").unwrap_or_default();
    if expected == "clean" {
        let is_clean = summary.bugs.is_empty() && summary.divergences == 0;
        return if is_clean { Ok(()) } else { Err(format!("{} divergences\n{text}", summary.divergences)) };
    }
    let is_it = |bug: &Bug| bug.kind == expected && request.line.is_none_or(|line| line == bug.line);
    if summary.bugs.iter().any(is_it) { Ok(()) } else { Err(format!("no {expected} among the bugs\n{text}")) }
}
