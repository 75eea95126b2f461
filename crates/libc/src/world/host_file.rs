//! A file of the host that the program has opened.

use super::Done;
use super::descriptors::retry;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::SeekFrom;
use std::cell::Cell;

/// Duplicated descriptors share one, and so its position.
#[derive(Debug)]
pub struct HostFile {
    fd: OwnedFd,
    /// Kept beside the host's own, so that saving and restoring it rarely asks the host. `None` if not known.
    position: Cell<Option<u64>>,
}

impl HostFile {
    pub fn new(fd: OwnedFd) -> Self {
        Self { fd, position: Cell::new(None) }
    }

    pub fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    pub fn read(&self, buffer: &mut [u8]) -> Done<usize> {
        let n = retry(|| rustix::io::read(&self.fd, &mut *buffer))?;
        self.position.set(self.position.get().map(|position| position + n as u64));
        Ok(n)
    }

    pub fn write(&self, data: &[u8]) -> Done<usize> {
        // One that appends moves to the end first.
        self.position.set(None);
        retry(|| rustix::io::write(&self.fd, data))
    }

    pub fn seek(&self, to: SeekFrom) -> Done<u64> {
        let position = rustix::fs::seek(&self.fd, to)?;
        self.position.set(Some(position));
        Ok(position)
    }

    /// An error if there is none: a pipe, a terminal.
    pub fn position(&self) -> Done<u64> {
        match self.position.get() {
            Some(position) => Ok(position),
            None => self.seek(SeekFrom::Current(0)),
        }
    }

    /// Goes back to where it was.
    pub fn rewind(&self, position: u64) -> Done<()> {
        if self.position.get() != Some(position) {
            self.seek(SeekFrom::Start(position))?;
        }
        Ok(())
    }
}
