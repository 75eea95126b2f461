//! Child processes and what they cost.

use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use wait4::Wait4;

use crate::error::BenchError;

pub struct Finished {
    pub stdout: String,
    /// User and system time together: how the kernel divides them is a guess, their sum is exact. Children that the
    /// child waited for are included.
    pub cpu: Duration,
    pub peak_bytes: u64,
}

/// What a campaign may end with, whether it finds bugs or not, if it is interrupted.
const CAMPAIGN_ENDS: [i32; 6] = [0, 1, 4, 5, 6, 130];

type Watch<'a> = &'a mut (dyn FnMut(Duration) + Send);

/// Runs `command` to its successful end.
pub fn run(command: &mut Command) -> Result<Finished, BenchError> {
    run_to(command, &[0])
}

/// Runs a campaign, whether it finds bugs or not, and ends it as Ctrl-C does once it has taken so much processor time: what others do on
/// the machine changes nothing. One that was ended before it had anything to tell has printed nothing.
pub fn run_with_findings_for(command: &mut Command, cpu: Duration) -> Result<Finished, BenchError> {
    run_until(command, &CAMPAIGN_ENDS, Some((cpu, &mut |_| {})))
}

/// The same for any program that ends well when it is interrupted, and time that processes below it take counts too. While it runs, it is told
/// how much time that is, again and again.
pub fn run_watched(command: &mut Command, cpu: Duration, watch: Watch<'_>) -> Result<Finished, BenchError> {
    run_until(command, &CAMPAIGN_ENDS, Some((cpu, watch)))
}

/// Runs a campaign to its end, whether it finds bugs or not.
pub fn run_with_findings(command: &mut Command) -> Result<Finished, BenchError> {
    run_to(command, &[0, 1, 4, 5, 6])
}

fn run_to(command: &mut Command, expected: &[i32]) -> Result<Finished, BenchError> {
    run_until(command, expected, None)
}

fn run_until(
    command: &mut Command,
    expected: &[i32],
    limit: Option<(Duration, Watch<'_>)>,
) -> Result<Finished, BenchError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let start_error = |source| BenchError::Start { program: program.clone(), source };
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(start_error)?;
    let (pid, is_over) = (child.id(), &AtomicBool::new(false));
    let (stdout, stderr) = thread::scope(|scope| {
        if let Some((limit, watch)) = limit {
            scope.spawn(move || interrupt_after(pid, limit, is_over, watch));
        }
        // One stream after the other will do: none of our children says much.
        let streams = (read_all(child.stdout.take()), read_all(child.stderr.take()));
        // It has closed its streams, but is still there to be asked about, and no other process has its number yet.
        is_over.store(true, Ordering::Relaxed);
        streams
    });
    let (stdout, stderr) = (stdout?, stderr?);
    let usage = child.wait4()?;
    if !usage.status.code().is_some_and(|code| expected.contains(&code)) {
        return Err(BenchError::Failed { program, status: usage.status, stderr });
    }
    Ok(Finished { stdout, cpu: usage.rusage.utime + usage.rusage.stime, peak_bytes: usage.rusage.maxrss })
}

/// Interrupts a process that has taken so much processor time, once.
fn interrupt_after(pid: u32, limit: Duration, is_over: &AtomicBool, watch: Watch<'_>) {
    while !is_over.load(Ordering::Relaxed) {
        let cpu = cpu_of(pid);
        watch(cpu);
        if cpu >= limit {
            if let Some(pid) = Pid::from_raw(pid as i32) {
                // It may have ended by itself.
                let _ = kill_process(pid, Signal::INT);
            }
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// How Linux counts processor time, on all machines that we know.
const TICKS_A_SECOND: u64 = 100;

/// What a process, those below it and all that they waited for have taken so far.
fn cpu_of(pid: u32) -> Duration {
    let below = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let below: Duration = below.split_whitespace().filter_map(|it| it.parse().ok()).map(cpu_of).sum();
    below + cpu_of_one(pid).unwrap_or_default()
}

fn cpu_of_one(pid: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program, in parentheses, may have blanks in it.
    let ticks: u64 =
        stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(4).filter_map(|it| it.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(1000 * ticks / TICKS_A_SECOND))
}

fn read_all(pipe: Option<impl Read>) -> Result<String, BenchError> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_end(&mut bytes)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
