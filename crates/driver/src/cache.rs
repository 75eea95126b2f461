//! Where what clang made of our own sources is kept between runs.
//!
//! A cache is a directory named after everything that the contents depend on, so nothing in it ever gets stale.
//! Files are written whole or not at all, so that runs at the same time don't disturb each other. A cache that can't
//! be read or written only costs time.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Files that are a function of a key.
#[derive(Clone, Debug)]
pub struct Cache {
    /// `None` where there is no home directory.
    dir: Option<PathBuf>,
}

impl Cache {
    /// The cache for contents that are a function of `key`.
    pub(crate) fn open(key: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        Self { dir: root().map(|root| root.join(format!("rt-{:016x}", hasher.finish()))) }
    }

    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.dir.as_ref()?.join(name)).ok()
    }

    pub fn write(&self, name: &str, content: &[u8]) {
        if let Some(dir) = &self.dir {
            // The next run compiles again; nothing else is lost.
            let _ = write_whole(dir, name, content);
        }
    }
}

fn write_whole(dir: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    file.write_all(content)?;
    file.persist(dir.join(name))?;
    Ok(())
}

fn root() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("SPELUNK_CACHE")
        .or_else(|| Some(absolute("XDG_CACHE_HOME")?.join("spelunk")))
        .or_else(|| Some(absolute("HOME")?.join(".cache").join("spelunk")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_back_what_was_written_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache { dir: Some(dir.path().join("rt-1")) };
        assert_eq!(cache.read("a.ll"), None);
        cache.write("a.ll", b"text");
        assert_eq!(cache.read("a.ll").as_deref(), Some(&b"text"[..]));
        let names: Vec<_> =
            fs::read_dir(dir.path().join("rt-1")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["a.ll"], "no temporary file stays");
    }

    #[test]
    fn does_without_a_place_to_write() {
        let cache = Cache { dir: Some("/proc/no-such-place".into()) };
        cache.write("a.ll", b"text");
        assert_eq!(cache.read("a.ll"), None);
    }
}
