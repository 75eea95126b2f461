//! Building programs both ways before anything is measured: natively, and to the IR text that the VM loads.

use std::path::{Path, PathBuf};
use std::process::Command;

use spelunk_tests::config::{CONFIGS, Config};
use spelunk_tests::native::{self, Sources};
use spelunk_tests::realcode::{Library, Packages};

use crate::child;
use crate::error::BenchError;

/// C files and the flags they are compiled with.
pub struct Program {
    pub files: Vec<PathBuf>,
    pub cflags: Vec<String>,
}

impl Program {
    /// A program of `kernels/`.
    pub fn of_kernel(file: &str) -> Program {
        Program { files: vec![kernels_dir().join(file)], cflags: Vec::new() }
    }

    /// `driver` linked with `library`.
    pub fn of_library(driver: PathBuf, library: &Library, packages: &Packages) -> Result<Program, BenchError> {
        let mut files = vec![driver];
        files.extend(packages.sources(library)?);
        Ok(Program { files, cflags: packages.cflags(library)? })
    }

    pub fn build_native(&self, exe: &Path) -> Result<(), BenchError> {
        Ok(native::build(&Sources { files: &self.files, cflags: &self.cflags }, config(), exe)?)
    }

    /// One `.ll` file a source, in a new directory at `dir`.
    pub fn emit_ir(&self, dir: &Path) -> Result<Vec<PathBuf>, BenchError> {
        std::fs::create_dir(dir)?;
        self.files.iter().map(|file| emit_ir(file, &self.cflags, dir)).collect()
    }
}

pub fn kernels_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels")
}

/// Compiles `file` as `spelunk exec` does.
pub fn emit_ir(file: &Path, cflags: &[String], dir: &Path) -> Result<PathBuf, BenchError> {
    let output = dir.join(file.file_stem().unwrap_or_default()).with_extension("ll");
    let config = config();
    let mut clang = Command::new(config.clang);
    clang.args([config.opt, "-g", "-w", "-S", "-emit-llvm"]).args(cflags).arg(file).arg("-o").arg(&output);
    child::run(&mut clang)?;
    Ok(output)
}

/// No optimisation, because that is also what the VM executes.
fn config() -> Config {
    CONFIGS[0]
}
