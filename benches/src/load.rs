//! How long a large module takes from text to code that can run, against LLVM's own assembler, which reads the same
//! text and checks it.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use spelunk_ir::link::{Role, link};
use spelunk_ir::lower::{Checks, lower};
use spelunk_ir::model::Program;
use spelunk_ir::parse::parse_module;
use spelunk_tests::realcode::SQLITE;

use crate::Bench;
use crate::child;
use crate::compile;
use crate::error::BenchError;

/// Our time must not be more than so many times the assembler's.
pub const MAX_RATIO: f64 = 3.0;

const ASSEMBLER: &str = "llvm-as-19";

#[derive(Serialize)]
pub struct Load {
    pub module_mb: f64,
    pub parse_ms: f64,
    pub link_ms: f64,
    pub lower_ms: f64,
    pub assembler_ms: f64,
    pub ratio: f64,
    pub max_ratio: f64,
}

/// CPU times of one loading; each minimum is taken alone.
struct Phases {
    parse: Duration,
    link: Duration,
    lower: Duration,
}

pub fn measure(bench: &Bench) -> Result<Load, BenchError> {
    let mut module = Vec::new();
    for file in bench.packages.sources(&SQLITE)? {
        module.push(compile::emit_ir(&file, &bench.packages.cflags(&SQLITE)?, bench.dir.path())?);
    }
    let [module] = module.as_slice() else { unreachable!("the amalgamation is one file") };

    let mut best = Phases { parse: Duration::MAX, link: Duration::MAX, lower: Duration::MAX };
    let mut assembler = Duration::MAX;
    for _ in 0..bench.repetitions {
        let phases = load(module)?;
        best.parse = best.parse.min(phases.parse);
        best.link = best.link.min(phases.link);
        best.lower = best.lower.min(phases.lower);
        let finished = child::run(Command::new(ASSEMBLER).arg(module).args(["-o", "/dev/null"]))?;
        assembler = assembler.min(finished.cpu);
    }
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    Ok(Load {
        module_mb: std::fs::metadata(module)?.len() as f64 / 1e6,
        parse_ms: ms(best.parse),
        link_ms: ms(best.link),
        lower_ms: ms(best.lower),
        assembler_ms: ms(assembler),
        ratio: ms(best.parse + best.link + best.lower) / ms(assembler),
        max_ratio: MAX_RATIO,
    })
}

/// Reading the file counts as parsing, as it does for the assembler.
fn load(module: &Path) -> Result<Phases, BenchError> {
    let role = |_| Role::Program;
    let mut program = Program::new();
    let (parse, parsed) = timed(|| -> Result<(), BenchError> {
        let text = std::fs::read_to_string(module)?;
        parse_module(&mut program, &module.to_string_lossy(), &text)?;
        Ok(())
    });
    parsed?;
    let (link, linkage) = timed(|| link(&program, role));
    let linkage = linkage?;
    let (lower, image) = timed(|| lower(&program, &linkage, role, Checks::default()));
    image?;
    Ok(Phases { parse, link, lower })
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = cpu_time();
    let result = work();
    (cpu_time() - start, result)
}

fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
