//! Branches of real programs that are covered in the same processor time: by input of which every byte is open, by texts of the grammar
//! in the order of their size, by random ones, and by templates. What counts is llvm-cov's account of native runs.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Bench;
use crate::child;
use crate::covered::{self, Covered, Native};
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

pub fn measure(bench: &Bench, file: &Path, seconds: u64) -> Result<Vec<Row>, BenchError> {
    let programs: Vec<Program> = serde_json::from_slice(&std::fs::read(file)?)?;
    programs.iter().map(|program| program.compare(bench, Duration::from_secs(seconds))).collect()
}

impl Program {
    fn compare(&self, bench: &Bench, time: Duration) -> Result<Row, BenchError> {
        let dir = bench.dir.path().join(&self.name);
        std::fs::create_dir_all(&dir)?;
        let native = Native::build(&self.dir, &self.sources, &self.flags, &dir.join("native"))?;
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
            let mut runs = native.runs(&self.arguments, &to.with_extension("profiles"))?;
            let inputs = runs.add(&covered::files(&to)?, limit)?;
            let Covered { covered, count } = runs.covered()?;
            branches = count;
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
