//! Runs all tests of the workspace, several executables at a time: one that waits, or whose last test is long, holds nobody up.
//!
//! `./test` calls it once everything is built. What an executable prints comes when it has ended. Tests that failed are tried once more,
//! each by itself: one that passes then is counted, and named as unsteady. What failed twice is printed again at the end, before one line
//! for all.

use std::env;
use std::error::Error;
use std::io::{self, BufReader};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Output, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use cargo_metadata::Message;

/// These look at the clock, and run when all others have ended.
const ALONE: [&str; 1] = ["time"];

/// An executable with tests.
struct Suite {
    name: String,
    executable: PathBuf,
    /// Of its package: tests run there.
    dir: PathBuf,
}

/// What executables said.
#[derive(Default)]
struct Totals<'s> {
    n_passed: u64,
    /// Each with its executable.
    failed: Vec<(&'s Suite, String)>,
    /// Executables that ended badly without naming a test.
    broken: Vec<&'s Suite>,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let (alone, others): (Vec<Suite>, Vec<Suite>) =
        suites()?.into_iter().partition(|suite| ALONE.contains(&&*suite.name));
    let totals = Mutex::new(Totals::default());
    let n_at_once = thread::available_parallelism().map_or(1, usize::from);
    let next = Mutex::new(others.iter());
    thread::scope(|scope| {
        for _ in 0..n_at_once {
            scope.spawn(|| {
                while let Some(suite) = { next.lock().expect("nobody panics").next() } {
                    suite.run(&totals);
                }
            });
        }
    });
    alone.iter().for_each(|suite| suite.run(&totals));
    let Totals { mut n_passed, failed, broken } = totals.into_inner().expect("nobody panics");

    let mut n_failed = 0;
    for (suite, test) in failed {
        let again = suite.output(&["--exact", &test])?;
        if again.status.success() {
            n_passed += 1;
            println!("unsteady: {} {test} failed, and passed when it ran by itself", suite.name);
        } else {
            n_failed += 1;
            println!("failed: {} {test}\n{}", suite.name, text(&again));
        }
    }
    broken.iter().for_each(|suite| println!("failed: {} ended badly", suite.name));
    println!("{n_passed} passed, {n_failed} failed");
    Ok(if n_failed > 0 || !broken.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// What there is to run, built if it is not.
fn suites() -> Result<Vec<Suite>, Box<dyn Error>> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
        // There are no tests in documentation, and looking for them takes long.
        .args(["test", "--workspace", "--tests", "--no-run", "--quiet", "--message-format=json-render-diagnostics"])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut suites = Vec::new();
    for message in Message::parse_stream(BufReader::new(cargo.stdout.take().expect("it is piped"))) {
        if let Message::CompilerArtifact(artifact) = message?
            && artifact.profile.test
            && let Some(executable) = artifact.executable
        {
            let dir = artifact.manifest_path.parent().expect("a manifest is in a directory").into();
            suites.push(Suite { name: artifact.target.name, executable: executable.into(), dir });
        }
    }
    match cargo.wait()?.success() {
        true => Ok(suites),
        false => Err("the tests can't be built".into()),
    }
}

impl Suite {
    fn output(&self, arguments: &[&str]) -> io::Result<Output> {
        Command::new(&self.executable).args(arguments).current_dir(&self.dir).stdin(Stdio::null()).output()
    }

    fn run<'s>(&'s self, totals: &Mutex<Totals<'s>>) {
        let start = Instant::now();
        let output = self.output(&[]);
        let mut totals = totals.lock().expect("nobody panics");
        let output = match output {
            Ok(output) => output,
            Err(error) => {
                totals.broken.push(self);
                println!("{}: {error}", self.executable.display());
                return;
            }
        };
        println!("Running {} in {} ({:.1?})", self.name, self.dir.display(), start.elapsed());
        println!("{}", text(&output));
        let stdout = String::from_utf8_lossy(&output.stdout);
        // The list of names at the end.
        let failed: Vec<&str> = stdout
            .rsplit_once("\nfailures:\n")
            .map(|(_, list)| list.lines().map_while(|line| line.strip_prefix("    ")).collect())
            .unwrap_or_default();
        if failed.is_empty() != output.status.success() {
            totals.broken.push(self);
        }
        totals.failed.extend(failed.into_iter().map(|test| (self, test.into())));
        for line in stdout.lines().filter(|line| line.starts_with("test result:")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let at = words.iter().position(|word| *word == "passed;").unwrap_or(0);
            totals.n_passed += words[at.saturating_sub(1)].parse::<u64>().unwrap_or(0);
        }
    }
}

/// All that it printed.
fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat()
}
