//! What a program did to the file system that only it is to see: while paths are explored, nothing may happen to the host.
//!
//! Files that it writes are files in memory, which begin as copies. Here is the rest: what it removed, which directories it
//! made, and where it is. Listings of directories are the host's all the same.

use super::{Done, MemoryFile, World};
use rustix::fs::{Access, AtFlags, CWD, FileType, OFlags, Stat};
use rustix::io::Errno;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Overlay {
    /// Where the program began.
    start: Vec<u8>,
    /// Where the program is.
    directory: Vec<u8>,
    removed: BTreeSet<Vec<u8>>,
    made: BTreeSet<Vec<u8>>,
    /// Where the host was last asked for something that the program gets to know.
    pub(super) host_path: RefCell<Option<Vec<u8>>>,
    /// What the program has changed since someone asked.
    pub(super) changed: RefCell<Vec<Vec<u8>>>,
}

impl Default for Overlay {
    fn default() -> Self {
        let directory = rustix::process::getcwd(Vec::new()).map_or_else(|_| b"/".to_vec(), |name| name.into_bytes());
        Self {
            start: directory.clone(),
            directory,
            removed: BTreeSet::new(),
            made: BTreeSet::new(),
            host_path: RefCell::default(),
            changed: RefCell::default(),
        }
    }
}

impl Overlay {
    /// A path from the root, without what changes nothing.
    pub fn full(&self, path: &[u8]) -> Vec<u8> {
        let start: &[u8] = if path.starts_with(b"/") { b"" } else { &self.directory };
        let mut parts: Vec<&[u8]> = Vec::new();
        let slash = |byte: &u8| *byte == b'/';
        for part in start.split(slash).chain(path.split(slash)) {
            match part {
                b"" | b"." => {}
                b".." => drop(parts.pop()),
                _ => parts.push(part),
            }
        }
        [b"/", &parts.join(&b'/')[..]].concat()
    }

    /// Whether a path leads into the directory in which the program began.
    pub(super) fn is_here(&self, path: &[u8]) -> bool {
        path.strip_prefix(&self.start[..]).is_some_and(|rest| matches!(rest.first(), None | Some(b'/')))
    }

    pub(super) fn note_change(&self, path: &[u8]) {
        self.changed.borrow_mut().push(path.to_vec());
    }

    /// Whether the program has removed what the host has at a path.
    fn is_removed(&self, path: &[u8]) -> bool {
        let is_above = |name: &Vec<u8>| path == &name[..] || (path.starts_with(name) && path[name.len()] == b'/');
        self.removed.iter().any(is_above)
    }

    /// From now on there is nothing at a path.
    pub(super) fn hide(&mut self, path: &[u8]) {
        self.note_change(path);
        self.removed.insert(path.to_vec());
    }

    /// What the host has at a path, unless the program has removed it.
    fn on_host(&self, path: &[u8], flags: AtFlags) -> Done<Stat> {
        if self.is_removed(path) {
            return Err(Errno::NOENT);
        }
        if !SAME_EVERYWHERE.contains(&path) {
            *self.host_path.borrow_mut() = Some(path.to_vec());
        }
        rustix::fs::statat(CWD, path, flags)
    }

    /// That there is a directory to make something in is taken for granted, and nothing that the program gets to know.
    fn is_directory(&self, path: &[u8]) -> bool {
        let is_on_host = || rustix::fs::stat(path).is_ok_and(|status| kind(&status) == FileType::Directory);
        self.made.contains(path) || !self.is_removed(path) && is_on_host()
    }

    fn check_parent(&self, path: &[u8]) -> Done<()> {
        let end = path.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
        if self.is_directory(&path[..end.max(1)]) { Ok(()) } else { Err(Errno::NOENT) }
    }
}

fn kind(status: &Stat) -> FileType {
    FileType::from_raw_mode(status.st_mode)
}

/// What every machine has.
const SAME_EVERYWHERE: [&[u8]; 6] = [b"/", b"/dev/null", b"/dev/zero", b"/dev/full", b"/dev/random", b"/dev/urandom"];

/// Devices whose bytes nobody can know before.
const RANDOM: [&[u8]; 2] = [b"/dev/random", b"/dev/urandom"];

/// Larger files are not copied into memory.
const MAX_COPIED: i64 = 256 << 20;

/// What is to be done with a path of the host.
pub(super) enum Opening {
    /// It is a file in memory now.
    InMemory(usize),
    /// It is only read, or no file that could be copied.
    OnHost,
}

impl World {
    /// Prepares to open what is no file in memory yet. A file to be written becomes one.
    pub(super) fn take_over(&mut self, path: &[u8], flags: OFlags) -> Done<Opening> {
        let Some(overlay) = &mut self.overlay else { return Ok(Opening::OnHost) };
        let writes = flags.intersects(OFlags::WRONLY | OFlags::RDWR | OFlags::CREATE | OFlags::TRUNC);
        if flags.intersects(OFlags::TMPFILE.difference(OFlags::DIRECTORY)) {
            self.files.push((None, Rc::default()));
            return Ok(Opening::InMemory(self.files.len() - 1));
        }
        if overlay.made.contains(path) {
            return Err(if writes { Errno::ISDIR } else { Errno::ACCESS });
        }
        let bytes = match overlay.on_host(path, AtFlags::empty()) {
            Ok(_) if flags.contains(OFlags::CREATE | OFlags::EXCL) => return Err(Errno::EXIST),
            Ok(_) if RANDOM.contains(&path) => {
                self.files.push((None, Rc::new(MemoryFile::random())));
                return Ok(Opening::InMemory(self.files.len() - 1));
            }
            Ok(status) if !writes || kind(&status) != FileType::RegularFile => return Ok(Opening::OnHost),
            Ok(status) if status.st_size > MAX_COPIED => return Err(Errno::FBIG),
            Ok(_) => {
                if flags.intersects(OFlags::WRONLY | OFlags::RDWR) {
                    rustix::fs::access(path, Access::WRITE_OK)?;
                }
                if flags.contains(OFlags::TRUNC) { Vec::new() } else { read(path)? }
            }
            Err(Errno::NOENT) if flags.contains(OFlags::CREATE) => {
                overlay.check_parent(path)?;
                Vec::new()
            }
            Err(error) => return Err(error),
        };
        if flags.contains(OFlags::CREATE | OFlags::TRUNC) {
            // It is new or empty, whatever was there.
            overlay.host_path.take();
        }
        overlay.note_change(path);
        overlay.removed.remove(path);
        self.files.push((Some(path.to_vec()), Rc::new(MemoryFile::new(bytes))));
        Ok(Opening::InMemory(self.files.len() - 1))
    }

    /// As `unlink`, for a path without a file in memory.
    pub(super) fn remove_privately(&mut self, path: &[u8]) -> Option<Done<()>> {
        let overlay = self.overlay.as_mut()?;
        Some(overlay.on_host(path, AtFlags::SYMLINK_NOFOLLOW).and_then(|status| {
            if kind(&status) == FileType::Directory {
                return Err(Errno::ISDIR);
            }
            overlay.hide(path);
            Ok(())
        }))
    }

    pub(super) fn make_directory_privately(&mut self, path: &[u8]) -> Option<Done<()>> {
        let is_file = self.file(path).is_some();
        let overlay = self.overlay.as_mut()?;
        if is_file || overlay.made.contains(path) || overlay.on_host(path, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
            return Some(Err(Errno::EXIST));
        }
        Some(overlay.check_parent(path).map(|()| {
            overlay.note_change(path);
            overlay.made.insert(path.to_vec());
        }))
    }

    pub(super) fn remove_directory_privately(&mut self, path: &[u8]) -> Option<Done<()>> {
        let inside = [path, b"/"].concat();
        let mut names = self.files.iter().filter_map(|(name, _)| name.as_deref());
        let has_files = names.any(|name| name.starts_with(&inside));
        let overlay = self.overlay.as_mut()?;
        if has_files {
            return Some(Err(Errno::NOTEMPTY));
        }
        if overlay.made.remove(path) {
            return Some(Ok(()));
        }
        Some(overlay.on_host(path, AtFlags::SYMLINK_NOFOLLOW).and_then(|status| {
            if kind(&status) != FileType::Directory {
                return Err(Errno::NOTDIR);
            }
            overlay.hide(path);
            Ok(())
        }))
    }

    /// A file of the host under another name is a copy.
    pub(super) fn rename_privately(&mut self, from: &[u8], to: &[u8]) -> Option<Done<()>> {
        self.overlay.as_ref()?;
        let idx = match self.find_file(from) {
            Some(idx) => Ok(idx),
            None => match self.take_over(from, OFlags::RDWR) {
                Ok(Opening::InMemory(idx)) => Ok(idx),
                Ok(Opening::OnHost) => Err(Errno::XDEV),
                Err(error) => Err(error),
            },
        };
        Some(idx.and_then(|idx| self.move_file(idx, from, to)))
    }

    fn move_file(&mut self, idx: usize, from: &[u8], to: &[u8]) -> Done<()> {
        if let Some(overlay) = &mut self.overlay {
            overlay.check_parent(to)?;
            if overlay.is_directory(to) {
                return Err(Errno::ISDIR);
            }
            overlay.hide(from);
            overlay.note_change(to);
            overlay.removed.remove(to);
        }
        self.unlink_file(to);
        self.files[idx].0 = Some(to.to_vec());
        Ok(())
    }

    pub(super) fn change_directory_privately(&mut self, path: &[u8]) -> Option<Done<()>> {
        let overlay = self.overlay.as_mut()?;
        let found = match overlay.made.contains(path) {
            true => Ok(()),
            false => overlay.on_host(path, AtFlags::empty()).and_then(|status| match kind(&status) {
                FileType::Directory => Ok(()),
                _ => Err(Errno::NOTDIR),
            }),
        };
        if found.is_ok() {
            overlay.directory = path.to_vec();
        }
        Some(found)
    }

    pub(super) fn private_directory(&self) -> Option<&[u8]> {
        self.overlay.as_ref().map(|overlay| &overlay.directory[..])
    }

    /// What the program knows of a path that is no file in memory: the host's word, or whether it is a new directory.
    pub(super) fn look_at(&self, path: &[u8], flags: AtFlags) -> Done<Option<Stat>> {
        match &self.overlay {
            Some(overlay) if overlay.made.contains(path) => Ok(None),
            Some(overlay) => overlay.on_host(path, flags).map(Some),
            None => rustix::fs::statat(CWD, path, flags).map(Some),
        }
    }
}

fn read(path: &[u8]) -> Done<Vec<u8>> {
    use std::os::unix::ffi::OsStrExt;
    let failed = |error: std::io::Error| error.raw_os_error().map_or(Errno::IO, Errno::from_raw_os_error);
    std::fs::read(std::ffi::OsStr::from_bytes(path)).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::super::{Capture, Input, Output};
    use super::*;

    fn private() -> World {
        let stdin = Input::Bytes { bytes: Vec::new(), position: 0 };
        World::private(stdin, Output::Capture(Capture::default()), Output::Capture(Capture::default()))
    }

    #[test]
    fn paths_are_told_apart_by_where_they_lead() {
        let overlay = Overlay { directory: b"/tmp/x".to_vec(), ..Overlay::default() };
        let cases: [(&[u8], &[u8]); 6] = [
            (b"a/./b", b"/tmp/x/a/b"),
            (b"a/../b", b"/tmp/x/b"),
            (b"../y", b"/tmp/y"),
            (b"/../a//b/", b"/a/b"),
            (b".", b"/tmp/x"),
            (b"/", b"/"),
        ];
        for (path, full) in cases {
            assert_eq!(overlay.full(path), full);
        }
    }

    #[test]
    fn the_host_stays_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).into_os_string().into_encoded_bytes();
        std::fs::write(dir.path().join("old"), b"abc").unwrap();
        let mut world = private();
        let fd = world.open(&path("old"), OFlags::RDWR.bits(), 0).unwrap();
        world.write(fd, b"xy").unwrap();
        let new = world.open(&path("new"), (OFlags::WRONLY | OFlags::CREATE).bits(), 0o600).unwrap();
        world.write(new, b"n").unwrap();
        assert_eq!(world.open(&path("none/new"), (OFlags::WRONLY | OFlags::CREATE).bits(), 0), Err(Errno::NOENT));
        assert_eq!(world.mkdir(&path("none"), 0), Ok(()));
        assert!(world.open(&path("none/new"), (OFlags::WRONLY | OFlags::CREATE).bits(), 0).is_ok());
        assert_eq!(world.rmdir(&path("none")), Err(Errno::NOTEMPTY));
        assert_eq!(world.rename(&path("old"), &path("other")), Ok(()));
        assert_eq!(world.open(&path("old"), 0, 0), Err(Errno::NOENT));
        let fd = world.open(&path("other"), 0, 0).unwrap();
        let mut buffer = [0; 9];
        assert_eq!((world.read(fd, &mut buffer), &buffer[..3]), (Ok(3), &b"xyc"[..]));
        assert_eq!(world.unlink(&path("new")), Ok(()));
        assert_eq!(world.unlink(&path("new")), Err(Errno::NOENT));
        assert_eq!(world.chdir(&path("none")), Ok(()));
        assert_eq!(world.current_directory(), Ok(path("none")));
        assert!(world.open(b"../other", 0, 0).is_ok());
        let names: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["old"]);
        assert_eq!(std::fs::read(dir.path().join("old")).unwrap(), b"abc");
    }

    #[test]
    fn a_pipe_in_memory() {
        let mut world = private();
        let (reader, writer) = world.pipe(rustix::pipe::PipeFlags::empty()).unwrap();
        let mut buffer = [0; 4];
        assert_eq!(world.read(reader, &mut buffer), Err(Errno::AGAIN));
        assert_eq!(world.write(writer, b"abcdef"), Ok(6));
        assert_eq!((world.read(reader, &mut buffer), &buffer), (Ok(4), b"abcd"));
        world.close(writer).unwrap();
        assert_eq!(world.read(reader, &mut buffer), Ok(2));
        assert_eq!(world.read(reader, &mut buffer), Ok(0));
        assert_eq!(world.seek(reader, rustix::fs::SeekFrom::Start(0)), Err(Errno::SPIPE));
    }
}
