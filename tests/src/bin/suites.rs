//! Runs all tests of the workspace, several executables at a time: one that waits, or whose last test is long, holds nobody up.
//!
//! `./test` calls it once everything is built. What an executable prints comes when it has ended, and at the end one line for all.

use std::env;
use std::error::Error;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
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

/// How many tests passed and failed, and whether an executable ended without saying so.
#[derive(Default)]
struct Totals {
    n_passed: u64,
    n_failed: u64,
    has_broken: bool,
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
    let Totals { n_passed, n_failed, has_broken } = totals.into_inner()?;
    println!("{n_passed} passed, {n_failed} failed");
    Ok(if n_failed > 0 || has_broken { ExitCode::FAILURE } else { ExitCode::SUCCESS })
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
    fn run(&self, totals: &Mutex<Totals>) {
        let start = Instant::now();
        let output = Command::new(&self.executable).current_dir(&self.dir).stdin(Stdio::null()).output();
        let mut totals = totals.lock().expect("nobody panics");
        let output = match output {
            Ok(output) => output,
            Err(error) => {
                totals.has_broken = true;
                println!("{}: {error}", self.executable.display());
                return;
            }
        };
        let stdout = String::from_utf8_lossy(&output.stdout);
        println!("Running {} in {} ({:.1?})", self.name, self.dir.display(), start.elapsed());
        println!("{stdout}{}", String::from_utf8_lossy(&output.stderr));
        totals.has_broken |= !output.status.success();
        for line in stdout.lines().filter(|line| line.starts_with("test result:")) {
            let count = |what| {
                let words: Vec<&str> = line.split_whitespace().collect();
                let at = words.iter().position(|word| word.trim_end_matches(';') == what)?;
                words.get(at.checked_sub(1)?)?.parse::<u64>().ok()
            };
            totals.n_passed += count("passed").unwrap_or(0);
            totals.n_failed += count("failed").unwrap_or(0);
        }
    }
}
