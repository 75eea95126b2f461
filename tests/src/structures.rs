//! Trials of data structures: an operation, the invariants around it, and what is found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::config::CONFIGS;
use crate::explore::{self, Audit, Bug, Ratio, Summary};
use crate::spelunk::Spelunk;

/// What a trial says that the command line takes as it is. Commas separate values of what may be repeated.
const OPTIONS: [&str; 16] = [
    "entry",
    "assume",
    "ensure",
    "depth",
    "nesting",
    "check",
    "sequence",
    "length",
    "param",
    "global",
    "heap",
    "audit",
    "sym-stdin",
    "sym-arg",
    "overlap",
    "strings",
];
const REPEATED: [&str; 2] = ["param", "global"];

/// What else a trial may say.
const EXPECTATIONS: [&str; 11] =
    ["at", "branches", "define", "expect", "fault", "hex", "max-paths", "objects", "paths", "says", "unreachable"];

/// Enough for every fault, and for most structures within their limits, if a trial does not name a number of paths itself.
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
        let is_known = |name: &str| OPTIONS.contains(&name) || EXPECTATIONS.contains(&name);
        if let Some(name) = values.keys().find(|name| !is_known(name)) {
            return Err(format!("nothing is known of `{name}`: {line}"));
        }
        if !values.contains_key("expect") || !(values.contains_key("entry") || values.contains_key("sequence")) {
            return Err(format!("a trial without `expect`, or with neither `entry` nor `sequence`: {line}"));
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
        let parts = [
            "entry",
            "sequence",
            "assume",
            "fault",
            "define",
            "depth",
            "param",
            "global",
            "heap",
            "overlap",
            "hex",
            "objects",
            "sym-stdin",
        ]
        .into_iter()
        .filter_map(|name| self.get(name));
        std::iter::once(&*file).chain(parts).collect::<Vec<_>>().join(" ")
    }

    /// The macro with which the program is compiled.
    fn defined(&self) -> Option<String> {
        let fault = self.get("fault").map(|fault| format!("FAULT_{fault}"));
        fault.or_else(|| self.get("define").map(str::to_owned))
    }

    /// The number that it gives to a name.
    fn number(&self, name: &str) -> Result<Option<u64>, String> {
        let parse = |value: &str| value.parse().map_err(|_| format!("`{name}={value}` is no number"));
        self.get(name).map(parse).transpose()
    }

    /// Whether a text has the words that it expects, which are separated by `_`.
    fn is_said(&self, text: &str) -> bool {
        self.get("says").is_none_or(|words| text.contains(&words.replace('_', " ")))
    }

    /// Whether fewer branches were taken than it asks for.
    fn misses_branches(&self, summary: &Summary) -> Result<bool, String> {
        let Some(least) = self.number("branches")? else { return Ok(false) };
        let Ratio { covered, total } = summary.coverage.branches;
        let reachable = total.saturating_sub(self.number("unreachable")?.unwrap_or(0));
        Ok(100 * covered < least * reachable)
    }
}

/// Runs a trial. Says what is wrong.
pub fn run(spelunk: &Spelunk, request: &Request) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let out = dir.path().join("out");
    let mut command = spelunk.command();
    command.arg("run").arg(&request.file).arg("--out").arg(&out);
    match request.get("max-paths") {
        Some(max_paths) => command.args(["--max-paths", max_paths]),
        None => command.args(BUDGET),
    };
    for (name, value) in &request.values {
        let values: Vec<&str> =
            if REPEATED.contains(&name.as_str()) { value.split(',').collect() } else { vec![value] };
        if OPTIONS.contains(&name.as_str()) {
            command.args(values.iter().map(|value| format!("--{name}={value}")));
        }
    }
    let limits = request.get("objects").into_iter().flat_map(|objects| objects.split(','));
    command.args(limits.map(|limit| format!("--objects=struct {limit}")));
    if let Some(rules) = request.get("hex") {
        command.arg("--hex").arg(request.file.with_file_name(rules));
    }
    if let Some(name) = request.defined() {
        command.arg("--").arg(format!("-D{name}"));
    }
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let expected = request.get("expect").unwrap_or_default();
    if expected == "usage" {
        let is_refused = output.status.code() == Some(2) && text.starts_with("error: ");
        return if is_refused && request.is_said(&text) {
            Ok(())
        } else {
            Err(format!("not refused, or not as expected\n{text}"))
        };
    }
    let json = std::fs::read(out.join("summary.json")).map_err(|error| format!("no summary: {error}\n{text}"))?;
    let summary: Summary = serde_json::from_slice(&json).map_err(|error| error.to_string())?;
    if let Some(contradiction) = summary.contradicted() {
        return Err(format!("{contradiction}\n{text}"));
    }
    if summary.tests > 0 {
        explore::run_again(spelunk, &out)?;
    }
    if let Some(n_paths) = request.get("paths").filter(|&paths| paths != summary.paths.to_string()) {
        return Err(format!("{} paths instead of {n_paths}\n{text}", summary.paths));
    }
    let is_precise = |audit: &Audit| audit.invalid == 0 && audit.unknown == 0;
    if request.get("audit").is_some() && !summary.audit.as_ref().is_some_and(is_precise) {
        return Err(format!("paths without a valid input: {:?}\n{text}", summary.audit));
    }
    if expected == "clean" {
        let is_clean = summary.bugs.is_empty() && summary.divergences == 0 && !request.misses_branches(&summary)?;
        let is_clean = is_clean && request.is_said(&text);
        return if is_clean { Ok(()) } else { Err(format!("{} divergences\n{text}", summary.divergences)) };
    }
    let is_it = |bug: &Bug| bug.kind == expected && request.line.is_none_or(|line| line == bug.line);
    let Some(bug) = summary.bugs.iter().find(|bug| is_it(bug)) else {
        return Err(format!("no {expected} among the bugs\n{text}"));
    };
    if summary.divergences > 0 {
        return Err(format!("{} divergences\n{text}", summary.divergences));
    }
    if !request.is_said(&text) {
        return Err(format!("it is not said as expected\n{text}"));
    }
    let test = out.join(format!("tests/{:06}.json", bug.test));
    compile_code(request, &test)?;
    run_again(spelunk, request, &test)
}

/// A sequence of calls is C code that compiles in the program.
fn compile_code(request: &Request, test: &Path) -> Result<(), String> {
    let json = std::fs::read(test).map_err(|error| error.to_string())?;
    let test_case: Sequence = serde_json::from_slice(&json).map_err(|error| error.to_string())?;
    if test_case.code.is_empty() {
        return Ok(());
    }
    let source = format!(
        "#include \"{}\"\n#include <stdint.h>\nvoid sequence_of_calls(void) {{\n{}\n}}\n",
        request.file.display(),
        test_case.code.join("\n")
    );
    let path = test.with_extension("c");
    std::fs::write(&path, &source).map_err(|error| error.to_string())?;
    let mut clang = Command::new(CONFIGS[0].clang);
    let output = clang.args(["-fsyntax-only", "-Werror"]).arg(&path).output().map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{source}\n{}", String::from_utf8_lossy(&output.stderr))),
    }
}

#[derive(serde::Deserialize)]
struct Sequence {
    #[serde(default)]
    code: Vec<String>,
}

/// The test of a bug shows it again.
fn run_again(spelunk: &Spelunk, request: &Request, test: &Path) -> Result<(), String> {
    let mut command = spelunk.command();
    command.arg("exec").arg(&request.file).arg("--test").arg(test);
    if let Some(check) = request.get("check") {
        command.arg(format!("--check={check}"));
    }
    if let Some(name) = request.defined() {
        command.arg(format!("--cflag=-D{name}"));
    }
    let output = command.output().map_err(|error| error.to_string())?;
    match output.status.code() {
        Some(1) => Ok(()),
        code => Err(format!(
            "the test ends with {code:?} when it is run again\n{}",
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}
