//! SimpleCalc, as bison and flex make it, by the length of its texts: with its grammar, and with as many bytes of input.

use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Bench;
use crate::child;
use crate::error::BenchError;

const MAX_LENGTH: u32 = 10;

#[derive(Serialize)]
pub struct Row {
    length: u32,
    /// Of texts up to this length.
    with_grammar: Explored,
    /// Of any input of this length; nothing if a shorter one took too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    plain: Option<Explored>,
}

#[derive(Serialize)]
struct Explored {
    is_all: bool,
    templates: u64,
    paths: u64,
    branches: u64,
    all_branches: u64,
    seconds: f64,
}

#[derive(Deserialize)]
struct Summary {
    paths: u64,
    stopped: String,
    coverage: Coverage,
    #[serde(default)]
    texts: Vec<Texts>,
}

#[derive(Deserialize)]
struct Coverage {
    branches: Ratio,
}

#[derive(Deserialize)]
struct Ratio {
    covered: u64,
    total: u64,
}

#[derive(Deserialize)]
struct Texts {
    templates: u64,
}

pub fn measure(bench: &Bench, seconds: u64) -> Result<Vec<Row>, BenchError> {
    let dir = bench.dir.path().join("calc");
    std::fs::create_dir_all(&dir)?;
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/grammars");
    for (tool, option, file) in [("bison", "-d", "calc.y"), ("flex", "-L", "calc.l")] {
        std::fs::copy(programs.join(file), dir.join(file))?;
        child::run(Command::new(tool).args([option, file]).current_dir(&dir))?;
    }
    let explore = |name: &str, length: u32, options: &[&str]| -> Result<Explored, BenchError> {
        let mut command = bench.spelunk.command();
        command.args(["run", "calc.tab.c", "lex.yy.c", "--no-replay", "--no-tests", "--format", "json"]);
        command.args(options).args(["--out", &format!("{name}-{length}")]).current_dir(&dir);
        let finished = child::run_with_findings_for(&mut command, Duration::from_secs(seconds))?;
        let summary: Summary = serde_json::from_str(&finished.stdout)?;
        Ok(Explored {
            is_all: summary.stopped != "interrupted",
            templates: summary.texts.first().map_or(0, |texts| texts.templates),
            paths: summary.paths,
            branches: summary.coverage.branches.covered,
            all_branches: summary.coverage.branches.total,
            seconds: finished.cpu.as_secs_f64(),
        })
    };
    let mut rows: Vec<Row> = Vec::new();
    for length in 1..=MAX_LENGTH {
        let n = length.to_string();
        let options = ["--grammar", "calc.y", "--lexer", "calc.l", "--max-length", &n];
        let with_grammar = explore("grammar", length, &options)?;
        let goes_on = rows.last().is_none_or(|row| row.plain.as_ref().is_some_and(|plain| plain.is_all));
        let plain = if goes_on { Some(explore("plain", length, &["--sym-stdin", &n])?) } else { None };
        rows.push(Row { length, with_grammar, plain });
    }
    Ok(rows)
}

pub fn show(f: &mut fmt::Formatter<'_>, rows: &[Row]) -> fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(f, "SimpleCalc   {:^44}   {:^32}", "texts up to this length", "any input of this length")?;
    let head = format!("{:>10}{:>12}{:>12}{:>10}", "templates", "paths", "branches", "time");
    writeln!(f, "{:<13}{head}   {:>10}{:>12}{:>10}", "length", "paths", "branches", "time")?;
    for row in rows {
        let explored = |it: &Explored| {
            let time = format!("{}{:.1} s", if it.is_all { "" } else { "> " }, it.seconds);
            (format!("{}/{}", it.branches, it.all_branches), time)
        };
        let (branches, time) = explored(&row.with_grammar);
        write!(f, "{:<13}{:>10}{:>12}", row.length, row.with_grammar.templates, row.with_grammar.paths)?;
        write!(f, "{branches:>12}{time:>10}")?;
        if let Some(plain) = &row.plain {
            let (branches, time) = explored(plain);
            write!(f, "   {:>10}{branches:>12}{time:>10}", plain.paths)?;
        }
        writeln!(f)?;
    }
    writeln!(f)
}
