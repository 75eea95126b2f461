//! Calls of library functions (`calls/calls.c`): what they return and write in the VM, compared with glibc.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::compare::{self, Streams};
use crate::config::Config;
use crate::native::{self, Invocation, Sources};
use crate::process;
use crate::spelunk::Spelunk;

const LIMIT: Duration = Duration::from_secs(600);

/// Strings that are explored have something to find, and not much more.
const EXPLORED: &[&str] = &["--entry", "explored", "--param", "s=string:12", "--param", "t=string:6"];

struct Program {
    dir: tempfile::TempDir,
    files: [PathBuf; 1],
    cflags: Vec<String>,
}

impl Program {
    /// The program, and beside it the table of its functions: each that is defined as `CALL…(name`.
    fn new() -> Result<Self, String> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("calls/calls.c");
        let text = std::fs::read_to_string(&source).map_err(|error| error.to_string())?;
        let names = text.lines().filter_map(|line| {
            let (before, after) = line.split_once('(')?;
            let is_call = before.strip_prefix("CALL")?.chars().all(|c| c == '_' || c.is_ascii_uppercase());
            is_call.then(|| after.split([',', ')']).next()).flatten()
        });
        let rows: String = names.map(|name| format!("  {{\"{name}\", call_{name}}},\n")).collect();
        let table = format!(
            "static const struct {{\n  const char *name;\n  long (*call)(const char *, const char *, size_t, int);\n}} calls[] = {{\n{rows}}};\n"
        );
        let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
        std::fs::write(dir.path().join("table.h"), table).map_err(|error| error.to_string())?;
        let cflags = vec!["-w".to_owned(), format!("-I{}", dir.path().display())];
        Ok(Self { dir, files: [source], cflags })
    }
}

/// Calls each function so many times, with arguments drawn from a seed. The lines that differ, or nothing.
pub fn compare_random(spelunk: &Spelunk, config: Config, seed: u64, rounds: u64) -> Result<(), String> {
    let mut program = Program::new()?;
    program.cflags.push("-DMAIN".to_owned());
    let sources = Sources { files: &program.files, cflags: &program.cflags };
    let exe = program.dir.path().join("calls");
    native::build(&sources, config, &exe).map_err(|error| error.to_string())?;
    let args = [seed.to_string(), rounds.to_string()];
    let invocation = Invocation { args: &args, stdin: b"", env: &[], dir: program.dir.path(), limit: LIMIT };
    let expected = native::run(&exe, &invocation).map_err(|error| error.to_string())?;
    if !expected.succeeded() || expected.stdout.is_empty() {
        return Err(format!("the native run ended with {}", expected.end));
    }
    let vm = spelunk.exec(&sources, config, &[], &invocation).map_err(|error| error.to_string())?;
    compare::difference(&expected, &vm, Streams::Stdout).map_or(Ok(()), |text| Err(text + &vm.stderr_text()))
}

/// Explores so many paths of all functions, and runs all tests natively: each has the result that was predicted.
pub fn compare_explored(spelunk: &Spelunk, seed: u64, paths: u64) -> Result<(), String> {
    let program = Program::new()?;
    let out = program.dir.path().join("out");
    let mut command = spelunk.command();
    command.arg("run").args(&program.files).args(program.cflags.iter().map(|flag| format!("--cflag={flag}")));
    command.args(EXPLORED).args(["--max-paths", &paths.to_string(), "--seed", &seed.to_string(), "--out"]).arg(&out);
    let output = process::run(&mut command, b"", LIMIT).map_err(|error| error.to_string())?;
    let text = std::fs::read(out.join("summary.json"))
        .map_err(|error| format!("{error}: {}{}", output.stdout_text(), output.stderr_text()))?;
    let summary: Value = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
    let (replay, coverage) = (&summary["replay"], &summary["coverage"]["lines"]);
    let is_right = summary["bugs"].as_array().is_some_and(Vec::is_empty)
        && summary["divergences"] == 0
        && replay["tests"].as_u64() >= Some(paths)
        && replay["as_predicted"] == replay["tests"]
        && coverage["covered"] == coverage["total"];
    if is_right { Ok(()) } else { Err(format!("{}{}{summary}", output.stdout_text(), output.stderr_text())) }
}
