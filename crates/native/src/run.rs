//! Running the executable: several processes at a time, each of which runs tests one after another.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

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
                                 allocator_may_return_null=1:print_summary=0:print_legend=0:color=never:redzone=64";

/// Where profiles go.
#[derive(Clone, Copy, Debug)]
pub enum Profiles<'a> {
    /// Those of all tests together into this directory.
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
    /// The encoded tests.
    pub tests: &'a [u8],
    pub n_tests: usize,
    /// Empty, and for these runs only.
    pub dir: &'a Path,
    pub limits: Limits,
    /// Whose files each test gets copies of.
    pub files: Option<&'a PathBuf>,
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
        let mut reports = self.reports()?;
        for answer in answers {
            for line in answer?.lines() {
                let Some((number, end)) = parse_answer(line) else {
                    return Err(NativeError::Run { message: format!("an answer of `{line}`") });
                };
                let log = fs::read_to_string(self.dir.join(format!("{number}.log"))).unwrap_or_default();
                let reports = reports.remove(&number).unwrap_or_default();
                outcomes.insert(number, Outcome { end, log, reports });
            }
        }
        if outcomes.len() == self.n_tests {
            return Ok(outcomes);
        }
        Err(NativeError::Run { message: format!("{} of {} tests were run", outcomes.len(), self.n_tests) })
    }

    fn work(&self, file: &Path, first: usize, step: usize) -> Result<String, NativeError> {
        let mut command = Command::new(self.executable);
        command.arg(file).arg(self.dir).args([first.to_string(), step.to_string()]);
        command.args([self.limits.time.as_millis().to_string(), self.limits.heap.to_string()]);
        command.arg(self.files.map_or(Path::new(""), PathBuf::as_path));
        let mut options = SANITIZER_OPTIONS.to_owned();
        if self.finds_leaks {
            command.arg("leaks");
            // Local variables would be elsewhere than on the stack.
            options += ":detect_stack_use_after_return=0";
        }
        if self.layout == Layout::Moved {
            command.arg("moved");
        }
        command.env_clear().env("ASAN_OPTIONS", &options).env("UBSAN_OPTIONS", SANITIZER_OPTIONS);
        command.env("MSAN_OPTIONS", SANITIZER_OPTIONS);
        match self.profiles {
            None => {}
            Some(Profiles::Together(dir)) => {
                command.env("LLVM_PROFILE_FILE", dir.join(format!("{first}-%m.profraw")));
            }
            Some(Profiles::Apart) => {
                command.arg("apart").env("LLVM_PROFILE_FILE", self.dir.join(format!("{first}-none.profraw")));
            }
        }
        let output = command.stdin(Stdio::null()).output().map_err(NativeError::io(self.executable))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let message = format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
        Err(NativeError::Run { message })
    }

    /// What sanitizers wrote, by test: the names of files end with the process.
    fn reports(&self) -> Result<BTreeMap<u64, String>, NativeError> {
        let mut reports: BTreeMap<u64, String> = BTreeMap::new();
        for entry in fs::read_dir(self.dir).map_err(NativeError::io(self.dir))? {
            let path = entry.map_err(NativeError::io(self.dir))?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let Some((number, _process)) = name.split_once(".report.") else { continue };
            let Ok(number) = number.parse() else { continue };
            let bytes = fs::read(&path).map_err(NativeError::io(&path))?;
            reports.entry(number).or_default().push_str(&String::from_utf8_lossy(&bytes));
        }
        Ok(reports)
    }
}

fn parse_answer(line: &str) -> Option<(u64, ProcessEnd)> {
    let mut words = line.split(' ');
    let number = words.next()?.parse().ok()?;
    let (kind, value) = (words.next()?, words.next()?.parse().ok()?);
    let end = match kind {
        "exit" => ProcessEnd::Exit(value),
        "signal" => ProcessEnd::Signal(value),
        "time" => ProcessEnd::Time,
        _ => return None,
    };
    Some((number, end))
}
