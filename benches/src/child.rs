//! Child processes and what they cost.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

use wait4::Wait4;

use crate::error::BenchError;

pub struct Finished {
    pub stdout: String,
    /// User and system time together: how the kernel divides them is a guess, their sum is exact. Children that the
    /// child waited for are included.
    pub cpu: Duration,
    pub peak_bytes: u64,
}

/// Runs `command` to its successful end.
pub fn run(command: &mut Command) -> Result<Finished, BenchError> {
    run_to(command, &[0])
}

/// Runs a campaign to its end, whether it finds bugs or not.
pub fn run_with_findings(command: &mut Command) -> Result<Finished, BenchError> {
    run_to(command, &[0, 1])
}

fn run_to(command: &mut Command, expected: &[i32]) -> Result<Finished, BenchError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let start_error = |source| BenchError::Start { program: program.clone(), source };
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(start_error)?;
    // One stream after the other will do: none of our children says much.
    let stdout = read_all(child.stdout.take())?;
    let stderr = read_all(child.stderr.take())?;
    let usage = child.wait4()?;
    if !usage.status.code().is_some_and(|code| expected.contains(&code)) {
        return Err(BenchError::Failed { program, status: usage.status, stderr });
    }
    Ok(Finished { stdout, cpu: usage.rusage.utime + usage.rusage.stime, peak_bytes: usage.rusage.maxrss })
}

fn read_all(pipe: Option<impl Read>) -> Result<String, BenchError> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_end(&mut bytes)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
