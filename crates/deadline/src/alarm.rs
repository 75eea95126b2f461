//! A deadline for those who look at nothing but a flag.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

use crate::Deadline;

/// How long a deadline that has passed may go unnoticed.
const INTERVAL: Duration = Duration::from_millis(10);

/// Raises a flag when the deadline passes, as long as it lives.
#[derive(Debug)]
pub struct Alarm {
    flag: Arc<AtomicBool>,
    is_off: Arc<AtomicBool>,
    thread: Thread,
}

impl Alarm {
    pub fn new(deadline: &Deadline) -> Self {
        let (flag, is_off) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let watcher = {
            let (deadline, flag, is_off) = (deadline.clone(), Arc::clone(&flag), Arc::clone(&is_off));
            thread::spawn(move || {
                while !is_off.load(Ordering::Relaxed) {
                    if deadline.is_over() {
                        return flag.store(true, Ordering::Relaxed);
                    }
                    thread::park_timeout(INTERVAL);
                }
            })
        };
        Self { flag, is_off, thread: watcher.thread().clone() }
    }

    /// May also be raised by others.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.is_off.store(true, Ordering::Relaxed);
        self.thread.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_off_when_the_time_is_over_and_not_before() {
        let deadline = Deadline::default();
        let alarm = Alarm::new(&deadline);
        assert!(!alarm.flag().load(Ordering::Relaxed));
        deadline.raise();
        while !alarm.flag().load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(1));
        }
    }
}
