//! How a source file is spelt: as the user did where that is known.

use spelunk_ir::debug::SourceFile;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(crate) struct Paths {
    current_dir: PathBuf,
    /// The files that the user named.
    given: Vec<PathBuf>,
}

impl Paths {
    pub fn new(current_dir: PathBuf, given: &[PathBuf]) -> Self {
        Self { current_dir, given: given.to_vec() }
    }

    /// A given file as it was given, another one relative to the current directory if it is below.
    pub fn spell(&self, file: &SourceFile<'_>) -> PathBuf {
        self.spell_path(&file.path())
    }

    pub fn spell_path(&self, path: &Path) -> PathBuf {
        let full = self.absolute(path);
        if let Some(given) = self.given.iter().find(|given| self.absolute(given) == full) {
            return given.clone();
        }
        let spelling = full.strip_prefix(&self.current_dir).unwrap_or(&full);
        spelling.to_owned()
    }

    /// Where the file is, whatever the current directory.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        // Only `.` is taken out: what `..` means depends on symbolic links.
        self.current_dir.join(path).components().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spell(directory: &str, filename: &str) -> String {
        let paths = Paths::new("/home/me".into(), &["./src/a.c".into(), "/opt/b.c".into(), "../c.c".into()]);
        paths.spell(&SourceFile { directory, filename }).display().to_string()
    }

    #[test]
    fn given_files_keep_their_spelling() {
        assert_eq!(spell("/home/me", "./src/a.c"), "./src/a.c");
        assert_eq!(spell("/home", "me/src/a.c"), "./src/a.c");
        assert_eq!(spell("/", "opt/b.c"), "/opt/b.c");
        assert_eq!(spell("/home/me", "../c.c"), "../c.c");
    }

    #[test]
    fn others_are_relative_to_the_current_directory_if_below_it() {
        assert_eq!(spell("/home/me", "./src/a.h"), "src/a.h");
        assert_eq!(spell("", "/home/me/x.h"), "x.h");
        assert_eq!(spell("/usr", "include/stdio.h"), "/usr/include/stdio.h");
    }
}
