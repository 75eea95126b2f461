//! By how much campaigns go on beyond `--time`, where something takes long: a query, a compiler, shrinking, native runs.
//!
//! Times are those of a clock, so other work on the machine disturbs them.

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde::Serialize;

use crate::Bench;
use crate::error::BenchError;
use crate::report::relation;

const SECONDS: f64 = 4.0;

pub const MAX_BEYOND_S: f64 = 1.0;

/// What takes long, in which file, with which options.
const CASES: [(&str, &str, &[&str]); 7] = [
    ("query, blast", "query.c", &["--no-replay", "--time-limit", "1h", "--solver", "blast"]),
    ("query, Z3", "query.c", &["--no-replay", "--time-limit", "1h", "--solver", "z3"]),
    ("query, any", "query.c", &["--no-replay", "--time-limit", "1h"]),
    ("compiling", "compile.c", &[]),
    ("shrinking", "shrink.c", &["--no-replay", "--keep", "branches"]),
    ("compiling for native runs", "native.c", &["--cflag=-DWAITS"]),
    ("native runs", "native.c", &[]),
];

#[derive(Serialize)]
pub struct Deadline {
    pub cases: Vec<Case>,
    pub max_beyond_s: f64,
}

#[derive(Serialize)]
pub struct Case {
    pub name: &'static str,
    /// Beyond the time that was given; less than nothing if it ended before.
    pub beyond_s: f64,
}

impl Deadline {
    pub fn meets_its_bar(&self) -> bool {
        self.cases.iter().all(|case| case.beyond_s <= self.max_beyond_s)
    }
}

pub fn measure(bench: &Bench) -> Result<Deadline, BenchError> {
    let dir = bench.dir.path().join("deadline");
    fs::create_dir(&dir)?;
    Command::new("mkfifo").arg(dir.join("pipe")).status()?;
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("deadline");
    let cases = CASES.iter().enumerate().map(|(number, &(name, file, args))| {
        fs::copy(sources.join(file), dir.join(file))?;
        let mut command = bench.spelunk.command();
        command.args(["run", file, "--out", &format!("out{number}"), "--time", &format!("{SECONDS}s")]).args(args);
        command.current_dir(&dir).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let start = Instant::now();
        command.status()?;
        Ok(Case { name, beyond_s: start.elapsed().as_secs_f64() - SECONDS })
    });
    Ok(Deadline { cases: cases.collect::<Result<_, BenchError>>()?, max_beyond_s: MAX_BEYOND_S })
}

impl fmt::Display for Deadline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<32}{:>12}", "what takes long", "beyond")?;
        for Case { name, beyond_s } in &self.cases {
            let bar = self.max_beyond_s;
            writeln!(f, "{name:<32}{beyond_s:>10.2} s  ({} {bar} s)", relation(*beyond_s, bar))?;
        }
        Ok(())
    }
}
