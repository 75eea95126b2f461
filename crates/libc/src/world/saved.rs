//! What a snapshot keeps of the world.
//!
//! Everything that lives in memory comes back. Files of the host do as long as the program only reads them: once it has
//! written, created, removed or renamed one, has read what can't be read again, or has a pipe, the world can't be saved.

use super::capture::SavedCapture;
use super::clock::Clock;
use super::memory_file::{MemoryFile, OpenMemoryFile};
use super::overlay::Overlay;
use super::{Descriptor, Input, Output, World};
use crate::directory::Directory;
use rustc_hash::FxHashMap;
use spelunk_vm::{Carried, Reversible};
use std::rc::Rc;

#[derive(Debug)]
pub struct SavedWorld {
    input_position: usize,
    stdout: SavedCapture,
    stderr: SavedCapture,
    descriptors: Vec<Option<Descriptor>>,
    /// Of the files among the descriptors, in their order.
    positions: Vec<u64>,
    files: Vec<(Option<Vec<u8>>, Rc<MemoryFile>)>,
    /// Of the descriptors of files in memory, in their order.
    memory_positions: Vec<u64>,
    directories: FxHashMap<u64, Directory>,
    overlay: Option<Overlay>,
    clock: Clock,
}

impl SavedWorld {
    /// What bytes of files carry; with repetitions.
    pub fn exprs(&self) -> impl Iterator<Item = Carried> + '_ {
        self.files.iter().flat_map(|(_, file)| file.exprs())
    }
}

impl Reversible for World {
    type Saved = SavedWorld;

    fn save(&mut self) -> Option<SavedWorld> {
        if self.has_changed_host {
            return None;
        }
        let files = self.descriptors.iter().filter_map(Descriptor::as_file);
        Some(SavedWorld {
            positions: files.map(|file| file.position().ok()).collect::<Option<_>>()?,
            input_position: match &self.stdin {
                Input::Inherit => 0,
                Input::Bytes { position, .. } => *position,
            },
            stdout: save_output(&mut self.stdout),
            stderr: save_output(&mut self.stderr),
            descriptors: self.descriptors.clone(),
            files: self.files.clone(),
            memory_positions: self.memory_files().map(|file| file.position.get()).collect(),
            directories: self.directories.clone(),
            overlay: self.overlay.clone(),
            clock: self.clock,
        })
    }

    fn restore(&mut self, saved: &SavedWorld) {
        if let Input::Bytes { position, .. } = &mut self.stdin {
            *position = saved.input_position;
        }
        restore_output(&mut self.stdout, &saved.stdout);
        restore_output(&mut self.stderr, &saved.stderr);
        self.descriptors.clone_from(&saved.descriptors);
        for (file, &position) in self.descriptors.iter().filter_map(Descriptor::as_file).zip(&saved.positions) {
            // A file that had a position keeps having one.
            let _ = file.rewind(position);
        }
        self.files.clone_from(&saved.files);
        for (file, &position) in self.memory_files().zip(&saved.memory_positions) {
            file.position.set(position);
        }
        self.directories.clone_from(&saved.directories);
        self.overlay.clone_from(&saved.overlay);
        self.clock = saved.clock;
        self.has_changed_host = false;
    }
}

impl World {
    fn memory_files(&self) -> impl Iterator<Item = &OpenMemoryFile> {
        self.descriptors.iter().filter_map(Descriptor::as_memory_file)
    }
}

fn save_output(output: &mut Output) -> SavedCapture {
    match output {
        Output::Inherit => None,
        Output::Capture(capture) => capture.save(),
    }
}

fn restore_output(output: &mut Output, saved: &SavedCapture) {
    if let Output::Capture(capture) = output {
        capture.restore(saved);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::SeekFrom;

    fn in_memory(input: &[u8]) -> World {
        let stdin = Input::Bytes { bytes: input.to_vec(), position: 0 };
        World::new(stdin, Output::Capture(Default::default()), Output::Capture(Default::default()))
    }

    fn read<const N: usize>(world: &mut World, fd: i32) -> [u8; N] {
        let mut buffer = [0; N];
        assert_eq!(world.read(fd, &mut buffer), Ok(N));
        buffer
    }

    #[test]
    fn streams_and_descriptors_come_back() {
        let mut world = in_memory(b"abcdef");
        read::<2>(&mut world, 0);
        world.write(1, b"one").unwrap();
        let saved = world.save().unwrap();
        read::<3>(&mut world, 0);
        world.write(1, b"two").unwrap();
        world.write(2, b"three").unwrap();
        world.close(0).unwrap();
        world.dup(1).unwrap();
        world.restore(&saved);
        assert_eq!(&read::<4>(&mut world, 0), b"cdef");
        assert!(matches!((&world.stdout, &world.stderr), (Output::Capture(out), Output::Capture(err))
            if &**out == b"one" && err.is_empty()));
        assert_eq!(world.dup(1), Ok(3));
    }

    #[test]
    fn files_that_are_read_come_back_at_their_position() {
        let mut world = in_memory(b"");
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let fd = world.open(path.as_bytes(), 0, 0).unwrap();
        let copy = world.dup(fd).unwrap();
        read::<4>(&mut world, fd);
        let saved = world.save().unwrap();
        let next = read::<5>(&mut world, copy);
        world.seek(fd, SeekFrom::End(0)).unwrap();
        world.close(fd).unwrap();
        world.restore(&saved);
        assert_eq!(read::<5>(&mut world, fd), next);
        assert_eq!(world.seek(copy, SeekFrom::Current(0)), Ok(9));
    }

    #[test]
    fn files_in_memory_come_back() {
        let mut world = in_memory(b"");
        world.set_stdin(MemoryFile::new(b"abcdef".to_vec()));
        world.add_file(b"./log", MemoryFile::new(Vec::new()));
        let fd = world.open(b"log", rustix::fs::OFlags::RDWR.bits(), 0).unwrap();
        world.write(fd, b"one").unwrap();
        read::<2>(&mut world, 0);
        let saved = world.save().unwrap();
        assert_eq!(&read::<3>(&mut world, 0), b"cde");
        world.write(fd, b"two").unwrap();
        assert!(world.unlink_file(b"log"));
        assert!(world.file(b"log").is_none());
        world.restore(&saved);
        assert_eq!(&read::<4>(&mut world, 0), b"cdef");
        assert_eq!(world.seek(fd, SeekFrom::End(0)), Ok(3));
        assert!(world.file(b"log").is_some());
    }

    #[test]
    fn what_changed_the_host_is_not_saved() {
        let mut world = in_memory(b"");
        let before = world.save().unwrap();
        world.pipe(rustix::pipe::PipeFlags::empty()).unwrap();
        assert!(world.save().is_none());
        world.restore(&before);
        assert!(world.save().is_some());
        world.open(b"/dev/null", (rustix::fs::OFlags::WRONLY | rustix::fs::OFlags::TRUNC).bits(), 0).unwrap();
        assert!(world.save().is_none());
    }
}
