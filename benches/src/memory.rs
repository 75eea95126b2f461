//! What a small heap object costs in the VM: the peak of its resident memory with a million of them alive, less the
//! peak with none.
//!
//! The program waits for input once it has built its objects. Its process is looked at then, because the figure that
//! the system gives at its end would include the compiler that the VM's process calls.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde::Serialize;

use crate::Bench;
use crate::compile::Program;
use crate::error::BenchError;

/// Bytes an object, its own 32 included.
pub const MAX_BYTES: f64 = 250.0;

const OBJECTS: u64 = 1_000_000;

#[derive(Serialize)]
pub struct Memory {
    pub objects: u64,
    pub peak_without_mb: f64,
    pub peak_with_mb: f64,
    pub bytes_an_object: f64,
    pub max_bytes: f64,
}

pub fn measure(bench: &Bench) -> Result<Memory, BenchError> {
    let modules = Program::of_kernel("objects.c").emit_ir(&bench.dir.path().join("objects"))?;
    let peak = |count: u64| {
        let mut command = bench.spelunk.command();
        command.arg("exec").args(&modules).arg("--").arg(count.to_string());
        peak_when_waiting(&mut command)
    };
    let (without, with) = (peak(0)?, peak(OBJECTS)?);
    Ok(Memory {
        objects: OBJECTS,
        peak_without_mb: without as f64 / 1e6,
        peak_with_mb: with as f64 / 1e6,
        bytes_an_object: with.saturating_sub(without) as f64 / OBJECTS as f64,
        max_bytes: MAX_BYTES,
    })
}

/// Starts `command`, waits for its first line, and returns its peak of resident memory in bytes.
fn peak_when_waiting(command: &mut Command) -> Result<u64, BenchError> {
    let program = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|source| BenchError::Start { program: program.clone(), source })?;
    let peak = child.stdout.take().ok_or(BenchError::NoMemory).and_then(|stdout| read_peak(&child, stdout));
    // Closes the input that the program waits for.
    drop(child.stdin.take());
    let status = child.wait()?;
    if !status.success() {
        return Err(BenchError::Failed { program, status, stderr: String::new() });
    }
    peak
}

fn read_peak(child: &Child, stdout: ChildStdout) -> Result<u64, BenchError> {
    BufReader::new(stdout).read_line(&mut String::new())?;
    let status = std::fs::read_to_string(Path::new("/proc").join(child.id().to_string()).join("status"))?;
    let kib =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.map(|kib| kib * 1024).ok_or(BenchError::NoMemory)
}
