//! Running the executable: several processes at a time, each of which runs tests one after another.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use spelunk_deadline::{Deadline, Ended};
use spelunk_driver::DriverError;

use crate::containment::{Confinement, Containment, Stage};
use crate::error::NativeError;

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessEnd {
    Exit(i32),
    Signal(i32),
    /// It took too long.
    Time,
}

/// What is left of one test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    pub end: ProcessEnd,
    /// What the runtime noted, and what the sanitizers reported.
    pub log: String,
    pub reports: String,
}

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub time: Duration,
    pub heap: u64,
}

/// What sanitizers are told: no symbols, which are looked up for all reports at once, and nothing that ends programs for
/// other reasons than errors.
const SANITIZER_OPTIONS: &str = "symbolize=0:detect_leaks=0:abort_on_error=0:exitcode=99:handle_sigill=1:handle_sigfpe=1:\
                                 allocator_may_return_null=1:print_summary=0:print_legend=0:color=never:redzone=64:\
                                 detect_stack_use_after_return=1";

/// Where profiles go.
#[derive(Clone, Copy, Debug)]
pub enum Profiles<'a> {
    /// Those of all tests of a process together, into this directory.
    Together(&'a Path),
    /// That of each test beside its other files.
    Apart,
}

/// Where objects of the input are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    Usual,
    /// Elsewhere: what is another value then depends on addresses.
    Moved,
}

pub struct Running<'a> {
    pub executable: &'a Path,
    pub deadline: &'a Deadline,
    /// The encoded tests.
    pub tests: &'a [u8],
    pub n_tests: usize,
    /// Empty, and for these runs only.
    pub dir: &'a Path,
    pub limits: Limits,
    /// Where the program is.
    pub directory: &'a Path,
    /// Whether tests get copies of the files there, if they can't have the directory itself.
    pub copies_files: bool,
    pub confinement: Confinement,
    /// What has to be in force for each test: nothing is run with less.
    pub containment: Containment,
    pub finds_leaks: bool,
    pub layout: Layout,
    /// Where profiles go, if the executable makes them.
    pub profiles: Option<Profiles<'a>>,
}

impl Running<'_> {
    /// Runs all tests; what came of each, by number.
    pub fn run(&self) -> Result<BTreeMap<u64, Outcome>, NativeError> {
        fs::create_dir_all(self.dir).map_err(NativeError::io(self.dir))?;
        let file = self.dir.join("tests.bin");
        fs::write(&file, self.tests).map_err(NativeError::io(&file))?;
        let n_workers = thread::available_parallelism().map_or(1, NonZero::get).min(self.n_tests.max(1));
        let answers = thread::scope(|scope| {
            let worker = |first| {
                let file = &file;
                scope.spawn(move || self.work(file, first, n_workers))
            };
            let workers: Vec<_> = (0..n_workers).map(worker).collect();
            workers.into_iter().map(|worker| worker.join().expect("workers don't panic")).collect::<Vec<_>>()
        });
        let mut outcomes = BTreeMap::new();
        for answer in answers {
            outcomes.extend(answer?);
        }
        if outcomes.len() == self.n_tests {
            return Ok(outcomes);
        }
        Err(NativeError::Run { message: format!("{} of {} tests were run", outcomes.len(), self.n_tests) })
    }

    fn work(&self, file: &Path, first: usize, step: usize) -> Result<Vec<(u64, Outcome)>, NativeError> {
        let scratch = self.dir.join(format!("scratch{first}"));
        fs::create_dir_all(&scratch).map_err(NativeError::io(&scratch))?;
        let mut command = Command::new(self.executable);
        command.arg(file).arg(&scratch).args([first.to_string(), step.to_string()]);
        command.args([self.limits.time.as_millis().to_string(), self.limits.heap.to_string()]);
        // Nothing can be laid over the root itself.
        let directory = if self.directory == Path::new("/") { Path::new("/tmp") } else { self.directory };
        command.arg(directory).arg(self.containment.bits().to_string()).args(self.confinement.flags(Stage::Tests));
        if self.finds_leaks {
            command.arg("leaks");
        }
        let flags = [
            (self.copies_files, "files"),
            (self.layout == Layout::Moved, "moved"),
            (matches!(self.profiles, Some(Profiles::Apart)), "apart"),
        ];
        command.args(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag));
        command.env_clear().env("ASAN_OPTIONS", SANITIZER_OPTIONS).env("UBSAN_OPTIONS", SANITIZER_OPTIONS);
        command.env("MSAN_OPTIONS", SANITIZER_OPTIONS);
        let ended = spelunk_deadline::output(&mut command, self.deadline).map_err(NativeError::io(self.executable))?;
        let output = match ended {
            Ended::ByItself(output) => output,
            Ended::Over(over) => return Err(DriverError::Over(over).into()),
        };
        if !output.status.success() {
            let message = format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
            return Err(NativeError::Run { message });
        }
        self.read(&output.stdout, first)
            .map_err(|what| NativeError::Run { message: format!("an answer of `{what}`") })?
    }

    /// What a process answered: see `runtime/server.c`. What is no answer is given back.
    fn read(&self, mut rest: &[u8], first: usize) -> Result<Result<Vec<(u64, Outcome)>, NativeError>, String> {
        let mut outcomes = Vec::new();
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            let line = String::from_utf8_lossy(&rest[..end]).into_owned();
            rest = &rest[end + 1..];
            let mut take = |size: usize| {
                let (taken, after) = rest.split_at_checked(size).ok_or_else(|| line.clone())?;
                rest = after;
                Ok::<_, String>(taken)
            };
            let written = match (Answer::parse(&line).ok_or_else(|| line.clone())?, self.profiles) {
                (Answer::Test { number, end, sizes: [log, reports, profile] }, _) => {
                    let mut text = |size| Ok::<_, String>(String::from_utf8_lossy(take(size)?).into_owned());
                    outcomes.push((number, Outcome { end, log: text(log)?, reports: text(reports)? }));
                    let profile = take(profile)?;
                    // A process that was killed leaves none.
                    match profile.is_empty() {
                        true => Ok(()),
                        false => write(&self.dir.join(format!("{number}.profraw")), profile),
                    }
                }
                (Answer::Profile(size), Some(Profiles::Together(dir))) => {
                    let run = self.dir.file_name().unwrap_or_default().to_string_lossy();
                    write(&dir.join(format!("{run}-{first}.profraw")), take(size)?)
                }
                (Answer::Profile(size), _) => take(size).map(|_| Ok(()))?,
            };
            if let Err(error) = written {
                return Ok(Err(error));
            }
        }
        Ok(Ok(outcomes))
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), NativeError> {
    fs::create_dir_all(path.parent().unwrap_or(path))
        .and_then(|()| fs::write(path, bytes))
        .map_err(NativeError::io(path))
}

/// A line that a process answers, before the bytes that belong to it.
enum Answer {
    /// How a test ended, and the sizes of log, reports and profile.
    Test { number: u64, end: ProcessEnd, sizes: [usize; 3] },
    /// That of all tests.
    Profile(usize),
}

impl Answer {
    fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split(' ').collect();
        if let ["profile", size] = words[..] {
            return Some(Self::Profile(size.parse().ok()?));
        }
        let [number, kind, value, log, reports, profile] = words[..] else { return None };
        let value = value.parse().ok()?;
        let end = match kind {
            "exit" => ProcessEnd::Exit(value),
            "signal" => ProcessEnd::Signal(value),
            "time" => ProcessEnd::Time,
            _ => return None,
        };
        let sizes = [log.parse().ok()?, reports.parse().ok()?, profile.parse().ok()?];
        Some(Self::Test { number: number.parse().ok()?, end, sizes })
    }
}
