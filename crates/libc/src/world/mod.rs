//! The world that a program sees: its descriptors over the host's files, and what library functions remember.
//!
//! Descriptor numbers are the program's own, so that closing 1 and opening a file behaves as it would natively and the
//! host's streams stay open. Standard streams can be taken from and put into memory instead, and there may
//! be files that exist there only (`memory_file`). A private world leaves the host as it is: `overlay` is what the program
//! did to files. `paths` are operations on names, `clock` is the time, and `saved` is how all of it is brought back to an
//! earlier state.

mod capture;
mod clock;
mod host_file;
mod memory_file;
mod overlay;
mod paths;
mod saved;

pub use capture::Capture;
pub use memory_file::{Carried, MemoryFile};
pub use saved::SavedWorld;

use crate::directory::{Directory, read_entries};
use crate::stat::Status;
use clock::Clock;
use host_file::HostFile;
use memory_file::OpenMemoryFile;
use overlay::{Opening, Overlay};
use rustc_hash::FxHashMap;
use rustix::fd::BorrowedFd;
use rustix::fs::{FileType, Mode, OFlags, SeekFrom};
use rustix::io::Errno;
use rustix::pipe::PipeFlags;
use spelunk_vm::ExprId;
use std::rc::Rc;

type Done<T> = Result<T, Errno>;

/// Where standard input comes from.
#[derive(Debug, Default)]
pub enum Input {
    /// The host's standard input.
    #[default]
    Inherit,
    Bytes {
        bytes: Vec<u8>,
        /// How many were read.
        position: usize,
    },
}

/// Where standard output or error goes.
#[derive(Debug, Default)]
pub enum Output {
    /// The host's stream of the same number.
    #[default]
    Inherit,
    Capture(Capture),
}

#[derive(Clone, Debug)]
enum Descriptor {
    Stdin,
    Stdout,
    Stderr,
    File(Rc<HostFile>),
    Memory(Rc<OpenMemoryFile>),
}

impl Descriptor {
    fn as_file(descriptor: &Option<Self>) -> Option<&HostFile> {
        match descriptor {
            Some(Self::File(file)) => Some(file),
            _ => None,
        }
    }

    fn as_memory_file(descriptor: &Option<Self>) -> Option<&OpenMemoryFile> {
        match descriptor {
            Some(Self::Memory(file)) => Some(file),
            _ => None,
        }
    }
}

/// What a descriptor leads to.
enum Target<'a> {
    File(&'a HostFile),
    /// A stream of the host that Spelunk itself was started with.
    Inherited(BorrowedFd<'static>),
    Input {
        bytes: &'a [u8],
        position: &'a mut usize,
    },
    Output(&'a mut Capture),
    Memory(&'a OpenMemoryFile, &'a mut Rc<MemoryFile>),
}

impl<'a> Target<'a> {
    /// The host's descriptor, if there is one behind it.
    fn host(&self) -> Option<BorrowedFd<'a>> {
        match *self {
            Self::File(file) => Some(file.fd()),
            Self::Inherited(fd) => Some(fd),
            Self::Input { .. } | Self::Output(_) | Self::Memory(..) => None,
        }
    }
}

/// What the program is told where nothing may depend on the host.
const PRIVATE_PROCESS_ID: i32 = 4242;

/// As many descriptors as a process has by default.
const MAX_DESCRIPTORS: usize = 1024;

#[derive(Debug)]
pub struct World {
    pub stdin: Input,
    pub stdout: Output,
    pub stderr: Output,
    descriptors: Vec<Option<Descriptor>>,
    /// Files in memory, by number, with their paths as long as they have one.
    files: Vec<(Option<Vec<u8>>, Rc<MemoryFile>)>,
    /// By the address of the program's `DIR`.
    pub(crate) directories: FxHashMap<u64, Directory>,
    /// The variable behind `errno`, once looked for; the inner one is `None` if the program has none.
    pub(crate) errno_address: Option<Option<u64>>,
    /// Whether the program did something to the host that can't be undone.
    has_changed_host: bool,
    /// What the program did to files where the host is to stay as it is.
    overlay: Option<Overlay>,
    pub(crate) clock: Clock,
}

impl Default for World {
    fn default() -> Self {
        Self::new(Input::default(), Output::default(), Output::default())
    }
}

impl World {
    pub fn new(stdin: Input, stdout: Output, stderr: Output) -> Self {
        let descriptors = vec![Some(Descriptor::Stdin), Some(Descriptor::Stdout), Some(Descriptor::Stderr)];
        Self {
            stdin,
            stdout,
            stderr,
            descriptors,
            files: Vec::new(),
            directories: FxHashMap::default(),
            errno_address: None,
            has_changed_host: false,
            overlay: None,
            clock: Clock::Host,
        }
    }

    /// A world in which the program can do nothing to the host, and where it is the same time in every run.
    pub fn private(stdin: Input, stdout: Output, stderr: Output) -> Self {
        let clock = Clock::Own { nanos: 0 };
        Self { overlay: Some(Overlay::default()), clock, ..Self::new(stdin, stdout, stderr) }
    }

    pub(crate) fn process_id(&self) -> i32 {
        match self.overlay {
            Some(_) => PRIVATE_PROCESS_ID,
            None => rustix::process::getpid().as_raw_pid(),
        }
    }

    /// Does something to the host that can't be undone.
    pub(crate) fn change_host<T>(&mut self, change: impl FnOnce() -> Done<T>) -> Done<T> {
        let done = change();
        self.has_changed_host |= done.is_ok();
        done
    }

    fn descriptor(&self, fd: i32) -> Done<&Descriptor> {
        let idx = usize::try_from(fd).map_err(|_| Errno::BADF)?;
        self.descriptors.get(idx).and_then(Option::as_ref).ok_or(Errno::BADF)
    }

    fn target(&mut self, fd: i32) -> Done<Target<'_>> {
        let idx = usize::try_from(fd).map_err(|_| Errno::BADF)?;
        let descriptor = self.descriptors.get(idx).and_then(Option::as_ref).ok_or(Errno::BADF)?;
        Ok(match descriptor {
            Descriptor::File(file) => Target::File(file),
            Descriptor::Memory(open) => Target::Memory(open, &mut self.files[open.file].1),
            Descriptor::Stdin => match &mut self.stdin {
                Input::Inherit => Target::Inherited(rustix::stdio::stdin()),
                Input::Bytes { bytes, position } => Target::Input { bytes, position },
            },
            Descriptor::Stdout => match &mut self.stdout {
                Output::Inherit => Target::Inherited(rustix::stdio::stdout()),
                Output::Capture(bytes) => Target::Output(bytes),
            },
            Descriptor::Stderr => match &mut self.stderr {
                Output::Inherit => Target::Inherited(rustix::stdio::stderr()),
                Output::Capture(bytes) => Target::Output(bytes),
            },
        })
    }

    /// Gives a descriptor the lowest number that is free.
    fn install(&mut self, descriptor: Descriptor) -> Done<i32> {
        let idx = match self.descriptors.iter().position(Option::is_none) {
            Some(idx) => idx,
            None if self.descriptors.len() >= MAX_DESCRIPTORS => return Err(Errno::MFILE),
            None => {
                self.descriptors.push(None);
                self.descriptors.len() - 1
            }
        };
        self.descriptors[idx] = Some(descriptor);
        i32::try_from(idx).map_err(|_| Errno::MFILE)
    }

    /// Adds a file that is found by its path, whatever the host has there.
    pub fn add_file(&mut self, path: &[u8], file: MemoryFile) {
        self.files.push((Some(self.full(path)), Rc::new(file)));
    }

    /// Makes standard input a file.
    pub fn set_stdin(&mut self, file: MemoryFile) {
        self.files.push((None, Rc::new(file)));
        let open = OpenMemoryFile::new(self.files.len() - 1, OFlags::RDONLY);
        self.descriptors[0] = Some(Descriptor::Memory(Rc::new(open)));
    }

    pub fn has_memory_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// By its full name.
    fn find_file(&self, path: &[u8]) -> Option<usize> {
        self.files.iter().position(|(name, _)| name.as_deref() == Some(path))
    }

    /// The file in memory that has this full name.
    fn file(&self, path: &[u8]) -> Option<&MemoryFile> {
        self.find_file(path).map(|idx| &*self.files[idx].1)
    }

    /// Takes a file in memory its path. Says whether there is one.
    fn unlink_file(&mut self, path: &[u8]) -> bool {
        let found = self.find_file(path);
        found.map(|idx| self.files[idx].0 = None).is_some()
    }

    /// What the `n` bytes before the descriptor's position carry, if they do.
    pub(crate) fn carried_before(&self, fd: i32, n: usize) -> Option<&[Carried]> {
        match self.descriptor(fd) {
            Ok(Descriptor::Memory(open)) => self.files[open.file].1.carried(open.position.get() - n as u64, n),
            _ => None,
        }
    }

    /// Whether what is written keeps what it carries.
    pub(crate) fn keeps_carried(&self, fd: i32) -> bool {
        matches!(self.descriptor(fd), Ok(Descriptor::Memory(_)))
    }

    /// Says what the bytes just written carry.
    pub(crate) fn set_carried_before(&mut self, fd: i32, carried: &[Carried]) {
        if let Ok(Target::Memory(open, file)) = self.target(fd) {
            let start = open.position.get() - carried.len() as u64;
            Rc::make_mut(file).set_carried(start, carried);
        }
    }

    /// Gives all bytes of files in memory that carry something their values under another input.
    pub fn reevaluate(&mut self, mut value: impl FnMut(ExprId, u8) -> u8) {
        for (_, file) in self.files.iter_mut().filter(|(_, file)| file.has_carried()) {
            Rc::make_mut(file).reevaluate(&mut value);
        }
    }

    pub fn open(&mut self, path: &[u8], flags: u32, mode: u32) -> Done<i32> {
        // The program's descriptors are not ours to hand to a child process.
        let flags = OFlags::from_bits_retain(flags) | OFlags::CLOEXEC;
        let path = self.full(path);
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
fn retry<T>(mut call: impl FnMut() -> Done<T>) -> Done<T> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_memory(input: &[u8]) -> World {
        let stdin = Input::Bytes { bytes: input.to_vec(), position: 0 };
        World::new(stdin, Output::Capture(Capture::default()), Output::Capture(Capture::default()))
    }

    #[test]
    fn standard_streams_in_memory() {
        let mut world = in_memory(b"abc");
        let mut buffer = [0; 2];
        assert_eq!(world.read(0, &mut buffer), Ok(2));
        assert_eq!(world.read(0, &mut buffer), Ok(1));
        assert_eq!(world.read(0, &mut buffer), Ok(0));
        assert_eq!(world.write(1, b"xyz"), Ok(3));
        assert!(matches!(&world.stdout, Output::Capture(bytes) if &**bytes == b"xyz"));
        assert_eq!(world.write(0, b"x"), Err(Errno::BADF));
        assert_eq!(world.read(1, &mut buffer), Err(Errno::BADF));
        assert_eq!(world.seek(1, SeekFrom::Start(0)), Err(Errno::SPIPE));
    }

    #[test]
    fn numbers_are_the_lowest_free_ones() {
        let mut world = in_memory(b"");
        assert_eq!(world.dup(1), Ok(3));
        assert_eq!(world.close(0), Ok(()));
        assert_eq!(world.dup(1), Ok(0));
        assert_eq!(world.dup2(2, 9), Ok(9));
        assert_eq!(world.dup(1), Ok(4));
        assert_eq!(world.close(5), Err(Errno::BADF));
        assert_eq!(world.dup2(1, -1), Err(Errno::BADF));
        assert_eq!(world.write(9, b"e"), Ok(1));
        assert!(matches!(&world.stderr, Output::Capture(bytes) if &**bytes == b"e"));
    }
}
