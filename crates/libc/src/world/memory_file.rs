//! Files that exist in memory only, with what their bytes carry.

use super::Done;
use crate::stat::Status;
use rustix::fs::{FileType, OFlags, SeekFrom};
use rustix::io::Errno;
use spelunk_vm::Carried;
use std::cell::Cell;

/// Which byte of which expression a byte of a file carries.
pub type CarriedByte = (Carried, u8);

const PLAIN: CarriedByte = (Carried::NONE, 0);

#[derive(Clone, Debug, Default)]
pub struct MemoryFile {
    bytes: Vec<u8>,
    /// By position; those that are missing at the end are plain.
    carried: Vec<CarriedByte>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Kind {
    #[default]
    Regular,
    Pipe,
    /// A device of random bytes. It holds nothing: whoever reads from it gets input instead.
    Random,
}

impl MemoryFile {
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, ..Self::default() }
    }

    /// Both ends of a pipe read and write at positions of their own.
    pub fn pipe() -> Self {
        Self { kind: Kind::Pipe, ..Self::default() }
    }

    pub fn is_pipe(&self) -> bool {
        self.kind == Kind::Pipe
    }

    pub fn random() -> Self {
        Self { kind: Kind::Random, ..Self::default() }
    }

    pub fn is_random(&self) -> bool {
        self.kind == Kind::Random
    }

    /// A file whose bytes carry what `carried` says, by position.
    pub fn carrying(bytes: Vec<u8>, carried: impl FnMut(usize) -> CarriedByte) -> Self {
        let carried = (0..bytes.len()).map(carried).collect();
        Self { bytes, carried, kind: Kind::Regular }
    }

    pub fn make_plain(&mut self) {
        self.carried.clear();
    }

    pub fn status(&self) -> Status {
        match self.kind {
            Kind::Pipe => Status::of_type(FileType::Fifo),
            Kind::Random => Status::of_type(FileType::CharacterDevice),
            Kind::Regular => Status::of_type(FileType::RegularFile).with_size(self.bytes.len() as u64),
        }
    }

    fn read(&self, position: u64, buffer: &mut [u8]) -> usize {
        let rest = self.bytes.get(position as usize..).unwrap_or_default();
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        n
    }

    fn write(&mut self, position: u64, data: &[u8]) {
        let (start, end) = (position as usize, position as usize + data.len());
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[start..end].copy_from_slice(data);
        let n_carried = self.carried.len();
        self.carried[start.min(n_carried)..end.min(n_carried)].fill(PLAIN);
    }

    pub fn truncate(&mut self, len: u64) {
        self.bytes.resize(len as usize, 0);
        self.carried.truncate(len as usize);
    }

    /// What the bytes of a range carry, if any of them carries something.
    pub fn carried(&self, start: u64, n: usize) -> Option<&[CarriedByte]> {
        let rest = self.carried.get(start as usize..)?;
        let range = &rest[..n.min(rest.len())];
        range.iter().any(|&carried| carried != PLAIN).then_some(range)
    }

    pub fn set_carried(&mut self, start: u64, carried: &[CarriedByte]) {
        let (start, end) = (start as usize, start as usize + carried.len());
        if self.carried.len() < end {
            self.carried.resize(end, PLAIN);
        }
        self.carried[start..end].copy_from_slice(carried);
    }

    /// Whether a byte carries something.
    pub fn has_carried(&self) -> bool {
        self.carried.iter().any(|&carried| carried != PLAIN)
    }

    /// What the bytes carry, for those that do; with repetitions.
    pub fn exprs(&self) -> impl Iterator<Item = Carried> + '_ {
        self.carried.iter().map(|&(expr, _)| expr).filter(|expr| expr.is_some())
    }

    /// Gives every byte that carries something its value under another input.
    pub fn reevaluate(&mut self, mut value: impl FnMut(Carried, u8) -> u8) {
        for (byte, &(expr, index)) in self.bytes.iter_mut().zip(&self.carried) {
            if expr.is_some() {
                *byte = value(expr, index);
            }
        }
    }
}

/// An open file. Duplicated descriptors share one, and so its position.
#[derive(Debug)]
pub struct OpenMemoryFile {
    /// Which of the world's files.
    pub file: usize,
    pub position: Cell<u64>,
    flags: OFlags,
}

/// No file needs more, and memory must not run out by a seek.
const MAX_POSITION: u64 = 1 << 32;

impl OpenMemoryFile {
    pub fn new(file: usize, flags: OFlags) -> Self {
        Self { file, position: Cell::new(0), flags }
    }

    pub fn mode(&self) -> OFlags {
        self.flags & OFlags::RWMODE
    }

    pub fn read(&self, file: &MemoryFile, buffer: &mut [u8]) -> Done<usize> {
        if self.mode() == OFlags::WRONLY {
            return Err(Errno::BADF);
        }
        let n = file.read(self.position.get(), buffer);
        self.position.set(self.position.get() + n as u64);
        Ok(n)
    }

    pub fn write(&self, file: &mut MemoryFile, data: &[u8]) -> Done<usize> {
        if self.mode() == OFlags::RDONLY {
            return Err(Errno::BADF);
        }
        if file.is_random() {
            return Ok(data.len());
        }
        if self.flags.contains(OFlags::APPEND) {
            self.position.set(file.bytes.len() as u64);
        }
        let end = self.position.get() + data.len() as u64;
        if end > MAX_POSITION {
            return Err(Errno::FBIG);
        }
        file.write(self.position.get(), data);
        self.position.set(end);
        Ok(data.len())
    }

    pub fn seek(&self, file: &MemoryFile, to: SeekFrom) -> Done<u64> {
        match file.kind {
            Kind::Pipe => return Err(Errno::SPIPE),
            Kind::Random => return Ok(0),
            Kind::Regular => {}
        }
        let (from, by) = match to {
            SeekFrom::Start(position) => (position, 0),
            SeekFrom::Current(by) => (self.position.get(), by),
            SeekFrom::End(by) => (file.bytes.len() as u64, by),
            _ => return Err(Errno::INVAL),
        };
        let position = from.checked_add_signed(by).ok_or(Errno::INVAL)?;
        self.position.set(position);
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(n: u8) -> MemoryFile {
        MemoryFile::carrying((0..n).collect(), |i| (Carried(7), i as u8))
    }

    #[test]
    fn reads_and_writes_share_a_position() {
        let mut file = marked(4);
        let open = OpenMemoryFile::new(0, OFlags::RDWR);
        let mut buffer = [0; 3];
        assert_eq!(open.read(&file, &mut buffer), Ok(3));
        assert_eq!(buffer, [0, 1, 2]);
        assert_eq!(open.write(&mut file, &[8, 9]), Ok(2));
        assert_eq!(open.seek(&file, SeekFrom::End(-3)), Ok(2));
        assert_eq!(open.read(&file, &mut buffer), Ok(3));
        assert_eq!(buffer, [2, 8, 9]);
        assert_eq!(open.read(&file, &mut buffer), Ok(0));
        assert_eq!(open.seek(&file, SeekFrom::Current(-9)), Err(Errno::INVAL));
        assert_eq!(OpenMemoryFile::new(0, OFlags::RDONLY).write(&mut file, &[1]), Err(Errno::BADF));
    }

    #[test]
    fn what_is_overwritten_carries_nothing() {
        let mut file = marked(4);
        file.write(1, &[1, 1]);
        assert_eq!(file.carried(0, 4).unwrap(), [(Carried(7), 0), PLAIN, PLAIN, (Carried(7), 3)]);
        assert_eq!(file.carried(1, 2), None);
        assert_eq!(file.exprs().collect::<Vec<_>>(), [Carried(7), Carried(7)]);
        file.reevaluate(|_, index| 100 + index);
        assert_eq!(file.bytes, [100, 1, 1, 103]);
        file.truncate(2);
        assert_eq!(file.carried(1, 8), None);
    }
}
