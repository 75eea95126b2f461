//! The world that a program sees: its descriptors over the host's files, and what library functions remember.
//!
//! Descriptor numbers are the program's own, so that closing 1 and opening a file behaves as it would natively and the
//! host's streams stay open. Standard streams can be taken from and put into memory instead, and there may
//! be files that exist there only (`memory_file`). A private world leaves the host as it is: `overlay` is what the program
//! did to files. `descriptors` are operations on what is open and `paths` on names, `clock` is the time, and `saved` is how
//! all of it is brought back to an earlier state.

mod capture;
mod clock;
mod descriptors;
mod host_file;
mod memory_file;
mod overlay;
mod paths;
mod saved;

pub use capture::Capture;
pub use memory_file::{CarriedByte, MemoryFile};
pub use saved::SavedWorld;

use crate::directory::Directory;
use clock::Clock;
use host_file::HostFile;
use memory_file::OpenMemoryFile;
use overlay::Overlay;
use rustc_hash::FxHashMap;
use rustix::fd::BorrowedFd;
use rustix::fs::OFlags;
use rustix::io::Errno;
use spelunk_vm::Carried;
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
        self.files.push((self.full(path).ok(), Rc::new(file)));
    }

    /// Makes standard input a file.
    pub fn set_stdin(&mut self, file: MemoryFile) {
        self.files.push((None, Rc::new(file)));
        let open = OpenMemoryFile::new(self.files.len() - 1, OFlags::RDONLY);
        self.descriptors[0] = Some(Descriptor::Memory(Rc::new(open)));
    }

    /// Files in memory carry nothing any more.
    pub fn make_files_plain(&mut self) {
        for (_, file) in self.files.iter_mut().filter(|(_, file)| file.has_carried()) {
            Rc::make_mut(file).make_plain();
        }
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
    pub(crate) fn carried_before(&self, fd: i32, n: usize) -> Option<&[CarriedByte]> {
        match self.descriptor(fd) {
            Ok(Descriptor::Memory(open)) => self.files[open.file].1.carried(open.position.get() - n as u64, n),
            _ => None,
        }
    }

    /// Whether what is written keeps what it carries.
    pub(crate) fn keeps_carried(&self, fd: i32) -> bool {
        matches!(self.descriptor(fd), Ok(Descriptor::Memory(_))) && !self.is_random(fd)
    }

    /// Whether a descriptor leads to a device of random bytes, whose bytes are input.
    pub(crate) fn is_random(&self, fd: i32) -> bool {
        matches!(self.descriptor(fd), Ok(Descriptor::Memory(open)) if self.files[open.file].1.is_random())
    }

    /// Says what the bytes just written carry.
    pub(crate) fn set_carried_before(&mut self, fd: i32, carried: &[CarriedByte]) {
        if let Ok(Target::Memory(open, file)) = self.target(fd) {
            let start = open.position.get() - carried.len() as u64;
            Rc::make_mut(file).set_carried(start, carried);
        }
    }

    /// Gives all bytes of files in memory that carry something their values under another input.
    pub fn reevaluate(&mut self, mut value: impl FnMut(Carried, u8) -> u8) {
        for (_, file) in self.files.iter_mut().filter(|(_, file)| file.has_carried()) {
            Rc::make_mut(file).reevaluate(&mut value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::SeekFrom;

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
