//! What programs do with descriptors: open, read, write, seek.

use super::memory_file::{MemoryFile, OpenMemoryFile};
use super::overlay::Opening;
use super::{Descriptor, Done, HostFile, MAX_DESCRIPTORS, Target, World};
use crate::directory::{Directory, read_entries};
use crate::stat::Status;
use rustix::fs::{FileType, Mode, OFlags, SeekFrom};
use rustix::io::Errno;
use rustix::pipe::PipeFlags;
use std::rc::Rc;

impl World {
    pub fn open(&mut self, path: &[u8], flags: u32, mode: u32) -> Done<i32> {
        // The program's descriptors are not ours to hand to a child process.
        let flags = OFlags::from_bits_retain(flags) | OFlags::CLOEXEC;
        let path = self.full(path)?;
        if let Some(idx) = self.find_file(&path) {
            if flags.contains(OFlags::CREATE | OFlags::EXCL) {
                return Err(Errno::EXIST);
            }
            if flags.contains(OFlags::TRUNC) {
                Rc::make_mut(&mut self.files[idx].1).truncate(0);
            }
            return self.install(Descriptor::Memory(Rc::new(OpenMemoryFile::new(idx, flags))));
        }
        if let Opening::InMemory(idx) = self.take_over(&path, flags)? {
            return self.install(Descriptor::Memory(Rc::new(OpenMemoryFile::new(idx, flags))));
        }
        let open = || retry(|| rustix::fs::open(&path, flags, Mode::from_bits_truncate(mode)));
        let changes = flags.intersects(OFlags::CREATE | OFlags::TRUNC | OFlags::TMPFILE.difference(OFlags::DIRECTORY));
        let file = if changes { self.change_host(open)? } else { open()? };
        self.install(Descriptor::File(Rc::new(HostFile::new(file))))
    }

    pub fn pipe(&mut self, flags: PipeFlags) -> Done<(i32, i32)> {
        let ends = if self.overlay.is_some() {
            self.files.push((None, Rc::new(MemoryFile::pipe())));
            let end = |flags| Descriptor::Memory(Rc::new(OpenMemoryFile::new(self.files.len() - 1, flags)));
            [end(OFlags::RDONLY), end(OFlags::WRONLY | OFlags::APPEND)]
        } else {
            let (reader, writer) = self.change_host(|| rustix::pipe::pipe_with(flags | PipeFlags::CLOEXEC))?;
            [reader, writer].map(|end| Descriptor::File(Rc::new(HostFile::new(end))))
        };
        let [reader, writer] = ends;
        let reader = self.install(reader)?;
        let writer = self.install(writer);
        if writer.is_err() {
            self.close(reader)?;
        }
        Ok((reader, writer?))
    }

    pub fn open_directory(&mut self, path: &[u8]) -> Done<i32> {
        self.open(path, (OFlags::RDONLY | OFlags::DIRECTORY).bits(), 0)
    }

    /// Where the directory is that a descriptor leads to.
    pub(crate) fn directory_path(&mut self, fd: i32) -> Done<Vec<u8>> {
        use std::os::fd::AsRawFd;
        let file = self.target(fd)?.host().ok_or(Errno::NOTDIR)?;
        if FileType::from_raw_mode(rustix::fs::fstat(file)?.st_mode) != FileType::Directory {
            return Err(Errno::NOTDIR);
        }
        let link = format!("/proc/self/fd/{}", file.as_raw_fd());
        rustix::fs::readlink(link, Vec::new()).map(|path| path.into_bytes())
    }

    /// The entries of the directory that a descriptor leads to, from the first one on.
    pub(crate) fn directory(&mut self, fd: i32) -> Done<Directory> {
        let file = self.target(fd)?.host().ok_or(Errno::NOTDIR)?;
        Ok(Directory { fd, entries: read_entries(file)?, position: 0 })
    }

    pub fn change_mode(&mut self, fd: i32, mode: Mode) -> Done<()> {
        if self.overlay.is_some() {
            return self.descriptor(fd).map(drop);
        }
        let changed = rustix::fs::fchmod(self.target(fd)?.host().ok_or(Errno::INVAL)?, mode);
        self.change_host(|| changed)
    }

    pub fn close(&mut self, fd: i32) -> Done<()> {
        self.descriptor(fd)?;
        self.descriptors[fd as usize] = None;
        Ok(())
    }

    pub fn dup(&mut self, fd: i32) -> Done<i32> {
        let descriptor = self.descriptor(fd)?.clone();
        self.install(descriptor)
    }

    pub fn dup2(&mut self, from: i32, to: i32) -> Done<i32> {
        let descriptor = self.descriptor(from)?.clone();
        let idx = usize::try_from(to).ok().filter(|&idx| idx < MAX_DESCRIPTORS).ok_or(Errno::BADF)?;
        if self.descriptors.len() <= idx {
            self.descriptors.resize(idx + 1, None);
        }
        self.descriptors[idx] = Some(descriptor);
        Ok(to)
    }

    pub fn read(&mut self, fd: i32, buffer: &mut [u8]) -> Done<usize> {
        match self.target(fd)? {
            Target::File(file) => file.read(buffer),
            Target::Inherited(stream) => self.change_host(|| retry(|| rustix::io::read(stream, &mut *buffer))),
            Target::Input { bytes, position } => {
                let rest = &bytes[*position..];
                let n = rest.len().min(buffer.len());
                buffer[..n].copy_from_slice(&rest[..n]);
                *position += n;
                Ok(n)
            }
            Target::Memory(open, file) => match open.read(file, buffer)? {
                // Only another thread could write now.
                0 if file.is_pipe() && !buffer.is_empty() => {
                    let file = open.file;
                    if self.is_open(file, OFlags::WRONLY) { Err(Errno::AGAIN) } else { Ok(0) }
                }
                n => Ok(n),
            },
            Target::Output(_) => Err(Errno::BADF),
        }
    }

    /// Whether a descriptor of this mode leads to a file in memory.
    fn is_open(&self, file: usize, mode: OFlags) -> bool {
        let mut open = self.descriptors.iter().filter_map(Descriptor::as_memory_file);
        open.any(|open| open.file == file && open.mode() == mode)
    }

    pub fn write(&mut self, fd: i32, data: &[u8]) -> Done<usize> {
        if let Target::Memory(open, file) = self.target(fd)?
            && file.is_pipe()
        {
            let file = open.file;
            if !self.is_open(file, OFlags::RDONLY) {
                return Err(Errno::PIPE);
            }
        }
        match self.target(fd)? {
            Target::File(file) => {
                let written = file.write(data);
                self.change_host(|| written)
            }
            Target::Inherited(stream) => self.change_host(|| retry(|| rustix::io::write(stream, data))),
            Target::Output(capture) => {
                capture.write(data);
                Ok(data.len())
            }
            Target::Memory(open, file) => open.write(Rc::make_mut(file), data),
            Target::Input { .. } => Err(Errno::BADF),
        }
    }

    pub fn seek(&mut self, fd: i32, to: SeekFrom) -> Done<u64> {
        match self.target(fd)? {
            Target::File(file) => file.seek(to),
            Target::Inherited(stream) => self.change_host(|| rustix::fs::seek(stream, to)),
            Target::Memory(open, file) => open.seek(file, to),
            _ => Err(Errno::SPIPE),
        }
    }

    pub fn truncate(&mut self, fd: i32, len: u64) -> Done<()> {
        let file = match self.target(fd)? {
            Target::Memory(_, file) => {
                Rc::make_mut(file).truncate(len);
                return Ok(());
            }
            target => target.host().ok_or(Errno::INVAL)?,
        };
        let truncated = retry(|| rustix::fs::ftruncate(file, len));
        self.change_host(|| truncated)
    }

    /// What is known of the file; streams in memory look like pipes.
    pub fn status(&mut self, fd: i32) -> Done<Status> {
        match self.target(fd)? {
            Target::Memory(_, file) => Ok(file.status()),
            target => match target.host() {
                Some(file) => rustix::fs::fstat(file).map(Status::from),
                None => Ok(Status::of_type(FileType::Fifo)),
            },
        }
    }

    pub fn is_terminal(&mut self, fd: i32) -> Done<bool> {
        Ok(self.target(fd)?.host().is_some_and(rustix::termios::isatty))
    }
}

/// Calls again what a signal of ours interrupted: the program knows nothing of it.
pub(super) fn retry<T>(mut call: impl FnMut() -> Done<T>) -> Done<T> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            done => return done,
        }
    }
}
