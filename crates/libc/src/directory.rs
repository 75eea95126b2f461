//! An open directory and `struct dirent` as C programs for x86-64 Linux see it.

use rustix::fd::BorrowedFd;
use rustix::fs::{Dir, DirEntry};
use rustix::io::Errno;
use std::rc::Rc;

pub const ENTRY_SIZE: usize = 280;

/// Names longer than this do not exist.
const MAX_NAME: usize = 255;

/// The entries that there were when it was opened or rewound.
#[derive(Clone, Debug)]
pub struct Directory {
    pub fd: i32,
    pub entries: Rc<[[u8; ENTRY_SIZE]]>,
    pub position: usize,
}

pub fn read_entries(directory: BorrowedFd<'_>) -> Result<Rc<[[u8; ENTRY_SIZE]]>, Errno> {
    let mut entries = Vec::new();
    for entry in Dir::read_from(directory)? {
        let next = entries.len() as u64 + 1;
        entries.push(encode(&entry?, next));
    }
    Ok(entries.into())
}

/// Inode, position of the next entry, record length, type, name.
fn encode(entry: &DirEntry, next: u64) -> [u8; ENTRY_SIZE] {
    let mut bytes = [0; ENTRY_SIZE];
    let name = entry.file_name().to_bytes();
    let name = &name[..name.len().min(MAX_NAME)];
    bytes[0..8].copy_from_slice(&entry.ino().to_le_bytes());
    bytes[8..16].copy_from_slice(&next.to_le_bytes());
    bytes[16..18].copy_from_slice(&(ENTRY_SIZE as u16).to_le_bytes());
    bytes[18] = (entry.file_type().as_raw_mode() >> 12) as u8;
    bytes[19..19 + name.len()].copy_from_slice(name);
    bytes
}
