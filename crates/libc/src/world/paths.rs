//! What is done to paths: by the host, or where the program alone sees it.

use super::{Done, World};
use crate::stat::Status;
use rustix::fs::{Access, AtFlags, FileType, Mode};
use rustix::io::Errno;

impl World {
    /// The name under which the program's own files are known. Nothing is found by an empty one.
    pub(super) fn full(&self, path: &[u8]) -> Done<Vec<u8>> {
        match &self.overlay {
            _ if path.is_empty() => Err(Errno::NOENT),
            Some(overlay) => Ok(overlay.full(path)),
            None => Ok(path.strip_prefix(b"./").unwrap_or(path).to_vec()),
        }
    }

    /// The path at which a private world was last found to be as the host's is, unless that was told before.
    pub(crate) fn take_host_path(&mut self) -> Option<Vec<u8>> {
        self.overlay.as_ref()?.host_path.take()
    }

    /// What was changed in a private world since this was asked last.
    pub(crate) fn take_changed(&mut self) -> Vec<Vec<u8>> {
        self.overlay.as_ref().map(|overlay| overlay.changed.take()).unwrap_or_default()
    }

    /// Whether a path leads into the directory in which the program of a private world began.
    pub(crate) fn is_here(&self, path: &[u8]) -> bool {
        self.overlay.as_ref().is_some_and(|overlay| overlay.is_here(path))
    }

    pub(crate) fn is_private(&self) -> bool {
        self.overlay.is_some()
    }

    pub fn unlink(&mut self, path: &[u8]) -> Done<()> {
        let path = self.full(path)?;
        if self.unlink_file(&path) {
            if let Some(overlay) = &mut self.overlay {
                // The host's file of that name is not to come back.
                overlay.hide(&path);
            }
            return Ok(());
        }
        self.remove_privately(&path).unwrap_or_else(|| self.change_host(|| rustix::fs::unlink(&path)))
    }

    pub fn mkdir(&mut self, path: &[u8], mode: u32) -> Done<()> {
        let path = self.full(path)?;
        let make = || rustix::fs::mkdir(&path, Mode::from_bits_truncate(mode));
        self.make_directory_privately(&path).unwrap_or_else(|| self.change_host(make))
    }

    pub fn rmdir(&mut self, path: &[u8]) -> Done<()> {
        let path = self.full(path)?;
        self.remove_directory_privately(&path).unwrap_or_else(|| self.change_host(|| rustix::fs::rmdir(&path)))
    }

    pub fn rename(&mut self, from: &[u8], to: &[u8]) -> Done<()> {
        let (from, to) = (self.full(from)?, self.full(to)?);
        self.rename_privately(&from, &to).unwrap_or_else(|| self.change_host(|| rustix::fs::rename(&from, &to)))
    }

    pub fn chdir(&mut self, path: &[u8]) -> Done<()> {
        let path = self.full(path)?;
        self.change_directory_privately(&path).unwrap_or_else(|| self.change_host(|| rustix::process::chdir(&path)))
    }

    pub fn current_directory(&self) -> Done<Vec<u8>> {
        match self.private_directory() {
            Some(directory) => Ok(directory.to_vec()),
            None => rustix::process::getcwd(Vec::new()).map(|name| name.into_bytes()),
        }
    }

    pub fn status_at(&self, path: &[u8], flags: AtFlags) -> Done<Status> {
        let path = self.full(path)?;
        match self.file(&path) {
            Some(file) => Ok(file.status()),
            None => Ok(match self.look_at(&path, flags)? {
                Some(status) => Status::from(status),
                None => Status::of_type(FileType::Directory),
            }),
        }
    }

    pub fn access(&self, path: &[u8], mode: u32) -> Done<()> {
        let mode = Access::from_bits(mode).ok_or(Errno::INVAL)?;
        let path = self.full(path)?;
        if self.file(&path).is_some() || self.look_at(&path, AtFlags::empty())?.is_none() {
            return Ok(());
        }
        rustix::fs::access(&path, mode)
    }

    pub fn link(&mut self, old: &[u8], new: &[u8]) -> Done<()> {
        let (old, new) = (self.full(old)?, self.full(new)?);
        self.change_host_only(|| rustix::fs::link(&old, &new))
    }

    pub fn symlink(&mut self, target: &[u8], name: &[u8]) -> Done<()> {
        let name = self.full(name)?;
        self.change_host_only(|| rustix::fs::symlink(target, &name))
    }

    pub fn read_link(&mut self, path: &[u8]) -> Done<Vec<u8>> {
        let path = self.full(path)?;
        self.look_at(&path, AtFlags::SYMLINK_NOFOLLOW)?;
        rustix::fs::readlink(&path, Vec::new()).map(|target| target.into_bytes())
    }

    /// The path without symbolic links. What the program alone sees has none.
    pub fn real_path(&mut self, path: &[u8]) -> Done<Vec<u8>> {
        use std::os::unix::ffi::{OsStrExt, OsStringExt};
        let path = self.full(path)?;
        if self.overlay.is_some() && (self.file(&path).is_some() || self.look_at(&path, AtFlags::empty())?.is_none()) {
            return Ok(path);
        }
        let failed = |error: std::io::Error| error.raw_os_error().map_or(Errno::IO, Errno::from_raw_os_error);
        let real = std::fs::canonicalize(std::ffi::OsStr::from_bytes(&path)).map_err(failed)?;
        Ok(real.into_os_string().into_vec())
    }

    /// Nobody asks for permissions where the program's files are its own.
    pub fn chmod(&mut self, path: &[u8], mode: Mode) -> Done<()> {
        if let Some(overlay) = &self.overlay {
            overlay.note_change(&self.full(path)?);
            return self.status_at(path, AtFlags::empty()).map(drop);
        }
        let path = self.full(path)?;
        self.change_host(|| rustix::fs::chmod(&path, mode))
    }

    /// What can't be done without the host.
    fn change_host_only(&mut self, change: impl FnOnce() -> Done<()>) -> Done<()> {
        if self.overlay.is_some() { Err(Errno::PERM) } else { self.change_host(change) }
    }
}
