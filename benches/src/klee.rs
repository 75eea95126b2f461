//! KLEE on the programs of the suite `explore`, for those who have it.
//!
//! It is asked for the same work: depth first, no tests written, until all paths are explored or a minute is over. What
//! counts is CPU time; KLEE's includes its start, which is a tenth of a second.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde::Serialize;

use crate::Bench;
use crate::child;
use crate::error::BenchError;

const TIME: &str = "60s";

#[derive(Args)]
pub struct Klee {
    /// KLEE's program, to measure against in `explore`
    #[arg(long, value_name = "PROGRAM")]
    klee: Option<PathBuf>,

    /// A clang of the LLVM version that KLEE was built with
    #[arg(long, value_name = "CLANG", default_value = "clang-16", requires = "klee")]
    klee_clang: PathBuf,
}

#[derive(Serialize)]
pub struct ByKlee {
    pub paths: u64,
    pub paths_a_second: f64,
}

impl Klee {
    /// Explores a program, if there is a KLEE to do it.
    pub fn explore(&self, bench: &Bench, source: &Path) -> Result<Option<ByKlee>, BenchError> {
        let Some(klee) = &self.klee else { return Ok(None) };
        let bitcode = bench.dir.path().join(source.file_name().unwrap_or_default()).with_extension("bc");
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/concolic/include");
        let mut compile = Command::new(&self.klee_clang);
        compile.args(["-c", "-emit-llvm", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-I"]).arg(include);
        child::run(compile.arg(source).arg("-o").arg(&bitcode))?;
        let out = bitcode.with_extension("klee");
        let mut command = Command::new(klee);
        command.args(["--solver-backend=stp", "--search=dfs", "--write-no-tests", "--max-time", TIME]);
        command.arg("--output-dir").arg(&out);
        let finished = child::run(command.arg(&bitcode))?;
        let paths = completed(&std::fs::read_to_string(out.join("info"))?).ok_or(BenchError::Klee)?;
        Ok(Some(ByKlee { paths, paths_a_second: paths as f64 / finished.cpu.as_secs_f64() }))
    }
}

/// The number of paths in what KLEE says at its end.
fn completed(info: &str) -> Option<u64> {
    let number = info.lines().find_map(|line| line.strip_prefix("KLEE: done: completed paths = "))?;
    number.trim().parse().ok()
}
