//! How much longer the VM takes than the machine, for programs that each wear out one thing.
//!
//! A program is told how much work to do. It is run with that amount and with none, and the difference of the two CPU
//! times counts: compiling, loading and starting cancel out. What the program prints must be the same both ways.
//!
//! Steps to add one: a program in `kernels/` that takes the amount as its last argument, and a row in `KERNELS`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde::Serialize;
use spelunk_tests::realcode::{self, LUA};

use crate::Bench;
use crate::child;
use crate::compile::{Program, kernels_dir};
use crate::error::BenchError;

/// The geometric mean of all ratios must not be above.
pub const MAX_RATIO: f64 = 25.0;

struct Kernel {
    name: &'static str,
    code: Code,
    /// Chosen so that the native run takes about a fifth of a second.
    amount: u64,
}

enum Code {
    C(&'static str),
    Lua(&'static str),
}

const KERNELS: &[Kernel] = &[
    Kernel { name: "CRC by table", code: Code::C("crc.c"), amount: 18_000 },
    Kernel { name: "binary tree", code: Code::C("tree.c"), amount: 1_500_000 },
    Kernel { name: "quicksort", code: Code::C("quicksort.c"), amount: 1_600_000 },
    Kernel { name: "matrix product", code: Code::C("matrix.c"), amount: 500 },
    Kernel { name: "string scan", code: Code::C("scan.c"), amount: 350_000 },
    Kernel { name: "sieve", code: Code::C("sieve.c"), amount: 4_000 },
    Kernel { name: "array of structs", code: Code::C("structs.c"), amount: 60_000 },
    Kernel { name: "recursive calls", code: Code::C("calls.c"), amount: 4_500 },
    Kernel { name: "Lua fib", code: Code::Lua("fib.lua"), amount: 160 },
];

#[derive(Serialize)]
pub struct Kernels {
    pub kernels: Vec<Ratio>,
    pub geometric_mean: f64,
    pub max_ratio: f64,
}

#[derive(Serialize)]
pub struct Ratio {
    pub name: &'static str,
    pub native_ms: f64,
    pub vm_ms: f64,
    pub ratio: f64,
}

pub fn measure(bench: &Bench) -> Result<Kernels, BenchError> {
    let mut subjects = KERNELS.iter().map(|kernel| Subject::build(kernel, bench)).collect::<Result<Vec<_>, _>>()?;
    // All kernels take turns, so that a burst of other work on the machine does not hit all runs of one.
    for _ in 0..bench.repetitions {
        for subject in &mut subjects {
            subject.run_all()?;
        }
    }
    let kernels: Vec<Ratio> = subjects.iter().map(Subject::ratio).collect();
    let log_sum: f64 = kernels.iter().map(|kernel| kernel.ratio.ln()).sum();
    let geometric_mean = (log_sum / kernels.len() as f64).exp();
    Ok(Kernels { kernels, geometric_mean, max_ratio: MAX_RATIO })
}

/// A kernel built both ways, with the best times so far.
struct Subject {
    kernel: &'static Kernel,
    native: Contestant,
    vm: Contestant,
}

struct Contestant {
    program: OsString,
    args: Vec<OsString>,
    without_work: Duration,
    with_work: Duration,
}

impl Subject {
    fn build(kernel: &'static Kernel, bench: &Bench) -> Result<Subject, BenchError> {
        let (program, script) = match kernel.code {
            Code::C(file) => (Program::of_kernel(file), None),
            Code::Lua(script) => {
                let driver = realcode::drivers_dir().join("lua.c");
                (Program::of_library(driver, &LUA, &bench.packages)?, Some(kernels_dir().join(script)))
            }
        };
        let dir = bench.dir.path().join(kernel.name);
        let modules = program.emit_ir(&dir)?;
        let exe = dir.join("native");
        program.build_native(&exe)?;

        let exec =
            ["exec".into()].into_iter().chain(modules.into_iter().map(PathBuf::into_os_string)).chain(["--".into()]);
        let script = || script.clone().map(PathBuf::into_os_string);
        Ok(Subject {
            kernel,
            native: Contestant::new(exe.into(), script().into_iter().collect()),
            vm: Contestant::new(bench.spelunk.command().get_program().to_owned(), exec.chain(script()).collect()),
        })
    }

    fn run_all(&mut self) -> Result<(), BenchError> {
        let native = self.native.run_both(self.kernel.amount)?;
        let vm = self.vm.run_both(self.kernel.amount)?;
        if native == vm { Ok(()) } else { Err(BenchError::Differs { kernel: self.kernel.name, native, vm }) }
    }

    fn ratio(&self) -> Ratio {
        let (native_ms, vm_ms) = (self.native.milliseconds(), self.vm.milliseconds());
        Ratio { name: self.kernel.name, native_ms, vm_ms, ratio: vm_ms / native_ms }
    }
}

impl Contestant {
    fn new(program: OsString, args: Vec<OsString>) -> Contestant {
        Contestant { program, args, without_work: Duration::MAX, with_work: Duration::MAX }
    }

    /// Runs without work and with `amount` of it, and returns what the latter printed.
    fn run_both(&mut self, amount: u64) -> Result<String, BenchError> {
        let run = |amount: u64| child::run(Command::new(&self.program).args(&self.args).arg(amount.to_string()));
        self.without_work = self.without_work.min(run(0)?.cpu);
        let full = run(amount)?;
        self.with_work = self.with_work.min(full.cpu);
        Ok(full.stdout)
    }

    fn milliseconds(&self) -> f64 {
        self.with_work.saturating_sub(self.without_work).as_secs_f64() * 1e3
    }
}
