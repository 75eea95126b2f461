//! Branches of real programs that are covered in the same processor time: by input of which every byte is open, by texts of the grammar
//! in the order of their size, by random ones, and by templates. What counts is llvm-cov's account of native runs.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use spelunk_driver::Clang;
use wait4::Wait4;

use crate::Bench;
use crate::child;
use crate::error::BenchError;

/// A program as the file names it; paths are relative to its directory.
#[derive(Deserialize)]
struct Program {
    name: String,
    dir: PathBuf,
    sources: Vec<String>,
    #[serde(default)]
    flags: Vec<String>,
    #[serde(default)]
    arguments: Vec<String>,
    grammar: String,
    #[serde(default)]
    lexer: Option<String>,
    /// More options for the grammar.
    #[serde(default)]
    options: Vec<String>,
    /// Tokens that are holes.
    #[serde(default)]
    holes: Vec<String>,
    /// How many bytes the input without a grammar has.
    bytes: u32,
    /// The size of the largest texts among random ones.
    random_size: u32,
}

#[derive(Serialize)]
pub struct Row {
    program: String,
    branches: u64,
    ways: Vec<Way>,
}

#[derive(Serialize)]
struct Way {
    name: &'static str,
    inputs: usize,
    covered: u64,
}

/// So many texts are written for ways that need no exploration: more than can be run in the time.
const MAX_TEXTS: &str = "100000";
/// Processor time ends a campaign, well before this: but texts then have no bound, as for users who give a time.
const LONG: &str = "1h";
/// A run that takes longer is of no interest here.
const RUN_SECONDS: &str = "0.5";

pub fn measure(bench: &Bench, file: &Path, seconds: u64) -> Result<Vec<Row>, BenchError> {
    let programs: Vec<Program> = serde_json::from_slice(&std::fs::read(file)?)?;
    programs.iter().map(|program| program.compare(bench, Duration::from_secs(seconds))).collect()
}

impl Program {
    fn compare(&self, bench: &Bench, time: Duration) -> Result<Row, BenchError> {
        let dir = bench.dir.path().join(&self.name);
        std::fs::create_dir_all(&dir)?;
        let native = Native::build(self, &dir)?;
        let bytes = self.bytes.to_string();
        let fixed = self.holes.iter().flat_map(|hole| ["--fixed".to_owned(), hole.clone()]).collect();
        let random = vec!["--random".to_owned(), "1".to_owned(), "--max-size".to_owned(), self.random_size.to_string()];
        let mut grammar = vec!["--grammar".to_owned(), self.grammar.clone()];
        grammar.extend(self.of_grammar());
        let mut ways = Vec::new();
        let mut branches = 0;
        for (name, options) in [
            ("open bytes", Some(vec!["--sym-stdin".to_owned(), bytes])),
            ("texts by size", None),
            ("random texts", None),
            ("templates", Some(grammar)),
        ] {
            let to = dir.join(name.replace(' ', "-"));
            let limit = match &options {
                Some(options) => {
                    self.explore(bench, options, &to, time)?;
                    Duration::MAX
                }
                None => {
                    let more = if name == "random texts" { &random } else { &fixed };
                    self.write_texts(bench, more, &to)?;
                    time
                }
            };
            let (inputs, covered, all) = native.run(self, &to, limit)?;
            branches = all;
            ways.push(Way { name, inputs, covered });
        }
        Ok(Row { program: self.name.clone(), branches, ways })
    }

    fn of_grammar(&self) -> impl Iterator<Item = String> {
        let lexer = self.lexer.iter().flat_map(|lexer| ["--lexer".to_owned(), lexer.clone()]);
        lexer.chain(self.options.clone())
    }

    fn explore(&self, bench: &Bench, options: &[String], to: &Path, time: Duration) -> Result<(), BenchError> {
        let out = to.with_extension("out");
        let mut command = bench.spelunk.command();
        command
            .arg("run")
            .args(&self.sources)
            .args(options)
            .args(["--time", LONG, "--no-replay", "--format", "json", "--out"])
            .arg(&out);
        command.args(self.arguments.iter().map(|argument| format!("--arg={argument}")));
        command.arg("--").args(&self.flags).arg("-w").current_dir(&self.dir);
        child::run_with_findings_for(&mut command, time)?;
        let mut export = bench.spelunk.command();
        child::run(export.arg("export").arg(&out).args(["--format", "corpus", "--to"]).arg(to))?;
        Ok(())
    }

    fn write_texts(&self, bench: &Bench, options: &[String], to: &Path) -> Result<(), BenchError> {
        let mut command = bench.spelunk.command();
        command.arg("grammar").arg(&self.grammar).args(self.of_grammar()).args(options);
        child::run(command.args(["--emit", MAX_TEXTS, "--to"]).arg(to).current_dir(&self.dir))?;
        Ok(())
    }
}

/// A program that counts which branches its runs take.
struct Native {
    program: PathBuf,
    profdata: PathBuf,
    cov: PathBuf,
}

impl Native {
    fn build(program: &Program, dir: &Path) -> Result<Self, BenchError> {
        let clang = Clang::find(None)?;
        let tool = |name: &str| clang.companion(name).ok_or(BenchError::NoTool(name.to_owned()));
        let native = Self { program: dir.join("native"), profdata: tool("llvm-profdata")?, cov: tool("llvm-cov")? };
        let mut command = Command::new(clang.program());
        command.args(["-w", "-O0", "-fprofile-instr-generate", "-fcoverage-mapping"]).args(&program.flags);
        command.args(&program.sources).args(["-lm", "-o"]).arg(&native.program).current_dir(&program.dir);
        child::run(&mut command)?;
        Ok(native)
    }

    /// Runs files of a directory in order, until they have taken so much time together. How many, and how many branches of how many.
    fn run(&self, program: &Program, inputs: &Path, limit: Duration) -> Result<(usize, u64, u64), BenchError> {
        let profiles = inputs.with_extension("profiles");
        std::fs::create_dir_all(&profiles)?;
        let entries = std::fs::read_dir(inputs)?.collect::<Result<Vec<_>, _>>()?;
        let files: BTreeSet<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
        let (mut taken, mut n) = (Duration::ZERO, 0);
        for file in files {
            let mut command = Command::new("timeout");
            command.args(["-s", "INT", "-k", "1", RUN_SECONDS]).arg(&self.program).args(&program.arguments);
            command.stdin(File::open(&file)?).stdout(Stdio::null()).stderr(Stdio::null());
            // Runs add to one profile.
            command.env("LLVM_PROFILE_FILE", profiles.join("%m.profraw")).current_dir(&profiles);
            let usage = command.spawn()?.wait4()?.rusage;
            (taken, n) = (taken + usage.utime + usage.stime, n + 1);
            if taken >= limit {
                break;
            }
        }
        let merged = profiles.join("all.profdata");
        let raw: Vec<PathBuf> = std::fs::read_dir(&profiles)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .filter(|path| path.extension().is_some_and(|it| it == "profraw"))
            .collect();
        child::run(Command::new(&self.profdata).args(["merge", "-o"]).arg(&merged).args(raw))?;
        let mut export = Command::new(&self.cov);
        export.args(["export", "-summary-only", "-instr-profile"]).arg(&merged).arg(&self.program);
        let account: Account = serde_json::from_str(&child::run(&mut export)?.stdout)?;
        let branches = account.data.first().map_or((0, 0), |data| {
            let Count { covered, count } = data.totals.branches;
            (covered, count)
        });
        Ok((n, branches.0, branches.1))
    }
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
    branches: Count,
}

#[derive(Deserialize)]
struct Count {
    covered: u64,
    count: u64,
}

pub fn show(f: &mut fmt::Formatter<'_>, rows: &[Row]) -> fmt::Result {
    let Some(first) = rows.first() else { return Ok(()) };
    write!(f, "{:<14}{:>10}", "program", "branches")?;
    for way in &first.ways {
        write!(f, "{:>24}", way.name)?;
    }
    writeln!(f)?;
    for row in rows {
        write!(f, "{:<14}{:>10}", row.program, row.branches)?;
        for way in &row.ways {
            let share = 100.0 * way.covered as f64 / row.branches.max(1) as f64;
            write!(f, "{:>24}", format!("{share:.1} % ({} inputs)", way.inputs))?;
        }
        writeln!(f)?;
    }
    Ok(())
}
