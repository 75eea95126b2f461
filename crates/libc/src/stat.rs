//! `struct stat` as C programs for x86-64 Linux see it.

use rustix::fs::{FileType, Stat};

pub const SIZE: u64 = 144;

/// The bytes of a `struct stat`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Status([u8; SIZE as usize]);

/// Offsets of the fields.
mod at {
    pub const DEV: usize = 0;
    pub const INO: usize = 8;
    pub const NLINK: usize = 16;
    pub const MODE: usize = 24;
    pub const UID: usize = 28;
    pub const GID: usize = 32;
    pub const RDEV: usize = 40;
    pub const SIZE: usize = 48;
    pub const BLKSIZE: usize = 56;
    pub const BLOCKS: usize = 64;
    pub const ATIME: usize = 72;
    pub const MTIME: usize = 88;
    pub const CTIME: usize = 104;
}

impl Status {
    /// An empty file of this type that its owner may use.
    pub fn of_type(file_type: FileType) -> Self {
        let mut status = Self([0; SIZE as usize]);
        status.put_u32(at::MODE, file_type.as_raw_mode() | 0o600);
        status.put_u64(at::NLINK, 1);
        status.put_u64(at::BLKSIZE, 4096);
        status
    }

    pub fn with_size(mut self, size: u64) -> Self {
        self.put_u64(at::SIZE, size);
        self.put_u64(at::BLOCKS, size.div_ceil(512));
        self
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn put_u32(&mut self, at: usize, value: u32) {
        self.0[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    fn put_u64(&mut self, at: usize, value: u64) {
        self.0[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }
}

/// The host's widths differ between architectures; the program's are fixed.
#[allow(clippy::unnecessary_cast)]
impl From<Stat> for Status {
    fn from(host: Stat) -> Self {
        let mut status = Self([0; SIZE as usize]);
        status.put_u64(at::DEV, host.st_dev as u64);
        status.put_u64(at::INO, host.st_ino as u64);
        status.put_u64(at::NLINK, host.st_nlink as u64);
        status.put_u32(at::MODE, host.st_mode as u32);
        status.put_u32(at::UID, host.st_uid as u32);
        status.put_u32(at::GID, host.st_gid as u32);
        status.put_u64(at::RDEV, host.st_rdev as u64);
        status.put_u64(at::SIZE, host.st_size as u64);
        status.put_u64(at::BLKSIZE, host.st_blksize as u64);
        status.put_u64(at::BLOCKS, host.st_blocks as u64);
        let times = [
            (at::ATIME, host.st_atime as u64, host.st_atime_nsec as u64),
            (at::MTIME, host.st_mtime as u64, host.st_mtime_nsec as u64),
            (at::CTIME, host.st_ctime as u64, host.st_ctime_nsec as u64),
        ];
        for (at, seconds, nanoseconds) in times {
            status.put_u64(at, seconds);
            status.put_u64(at + 8, nanoseconds);
        }
        status
    }
}
