//! Running a child process with its input given, its output captured and its time limited.

use std::fmt;
use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use wait_timeout::ChildExt;

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exited(i32),
    Signalled(i32),
    TimedOut,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Exited(code) => write!(f, "exit status {code}"),
            End::Signalled(signal) => write!(f, "killed by signal {signal}"),
            End::TimedOut => write!(f, "timed out"),
        }
    }
}

/// Everything a run left behind.
#[derive(Clone, Debug)]
pub struct Output {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Output {
    pub fn succeeded(&self) -> bool {
        self.end == End::Exited(0)
    }

    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    pub fn stdout_text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }
}

/// Runs `command` with `stdin` on a pipe; a child still running after `limit` is killed.
pub fn run(command: &mut Command, stdin: &[u8], limit: Duration) -> io::Result<Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let writer = feed(&mut child, stdin.to_vec());
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let end = match child.wait_timeout(limit)? {
        Some(status) => end_of(status),
        None => {
            child.kill()?;
            child.wait()?;
            End::TimedOut
        }
    };
    writer.join().expect("the writer does not panic");
    Ok(Output {
        end,
        stdout: stdout.join().expect("the reader does not panic")?,
        stderr: stderr.join().expect("the reader does not panic")?,
    })
}

fn feed(child: &mut Child, bytes: Vec<u8>) -> JoinHandle<()> {
    let pipe = child.stdin.take();
    thread::spawn(move || {
        if let Some(mut pipe) = pipe {
            // A child that exits without reading all of its input closes the pipe: that is its right.
            let _ = pipe.write_all(&bytes);
        }
    })
}

fn drain<R: Read + Send + 'static>(pipe: Option<R>) -> JoinHandle<io::Result<Vec<u8>>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    })
}

fn end_of(status: ExitStatus) -> End {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exited(code),
        (None, Some(signal)) => End::Signalled(signal),
        (None, None) => unreachable!("a waited-for child has exited or was signalled"),
    }
}
