//! Other programs, which are killed when the time is over.

use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::Duration;

use crate::{Deadline, Over};

/// How long a deadline that has passed, or a child that has ended, may go unnoticed: little at first.
const SHORTEST_PAUSE: Duration = Duration::from_micros(200);
const LONGEST_PAUSE: Duration = Duration::from_millis(10);

/// What came of a process.
#[derive(Debug)]
pub enum Ended {
    ByItself(Output),
    /// It was killed.
    Over(Over),
}

/// Runs a command without input, and collects what it writes. It is killed when the deadline passes.
pub fn output(command: &mut Command, deadline: &Deadline) -> io::Result<Ended> {
    run(command.stdin(Stdio::null()), None, deadline)
}

/// The same with an input.
pub fn answer(command: &mut Command, input: Vec<u8>, deadline: &Deadline) -> io::Result<Ended> {
    run(command.stdin(Stdio::piped()), Some(input), deadline)
}

fn run(command: &mut Command, input: Option<Vec<u8>>, deadline: &Deadline) -> io::Result<Ended> {
    if let Some(over) = deadline.over() {
        return Ok(Ended::Over(over));
    }
    // Ctrl-C goes to all processes of a group: what it means for this one is for us to say.
    command.process_group(0);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let (Some(mut pipe), Some(input)) = (child.stdin.take(), input) {
        // Both sides could wait for each other if one thread did both. Who ends before it has read everything has seen enough.
        thread::spawn(move || pipe.write_all(&input));
    }
    let (stdout, stderr) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let ended = wait(&mut child, deadline)?;
    // A process that a killed one has left behind may hold the pipes open: what it writes is of no interest.
    let Some(status) = ended else { return Ok(Ended::Over(deadline.over().unwrap_or(Over::Time))) };
    Ok(Ended::ByItself(Output { status, stdout: join(stdout)?, stderr: join(stderr)? }))
}

/// Waits for a process; kills it when the deadline passes, and then returns nothing.
fn wait(child: &mut Child, deadline: &Deadline) -> io::Result<Option<ExitStatus>> {
    let mut pause = SHORTEST_PAUSE;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if deadline.is_over() {
            // An error means that it has just ended.
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

type Collected = thread::JoinHandle<io::Result<Vec<u8>>>;

fn collect(pipe: Option<impl Read + Send + 'static>) -> Collected {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes))?;
        Ok(bytes)
    })
}

fn join(collected: Collected) -> io::Result<Vec<u8>> {
    collected.join().expect("reading does not panic")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_ends_in_time_gives_its_output() {
        let Ended::ByItself(output) = output(Command::new("echo").arg("here"), &Deadline::default()).unwrap() else {
            panic!("there is no limit");
        };
        assert!(output.status.success() && output.stdout == b"here\n");
    }

    #[test]
    fn a_process_is_told_its_input() {
        let input = vec![b'x'; 1 << 20];
        let Ended::ByItself(output) = answer(&mut Command::new("cat"), input.clone(), &Deadline::default()).unwrap()
        else {
            panic!("there is no limit");
        };
        assert!(output.stdout == input);
        let soon = Deadline::default().within(Duration::from_millis(20));
        let mut sleep = Command::new("sleep");
        assert!(matches!(answer(sleep.arg("1000"), input, &soon), Ok(Ended::Over(Over::Time))));
    }

    #[test]
    fn a_process_that_does_not_is_killed() {
        let mut sleep = Command::new("sleep");
        let soon = Deadline::default().within(Duration::from_millis(20));
        assert!(matches!(output(sleep.arg("1000"), &soon), Ok(Ended::Over(Over::Time))));
        let stopped = Deadline::default();
        let flag = stopped.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            flag.raise();
        });
        assert!(matches!(output(&mut sleep, &stopped), Ok(Ended::Over(Over::Stopped))));
    }
}
