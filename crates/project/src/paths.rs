//! Paths as text: absolute ones for compilers, short ones for people.

use std::path::{Component, Path, PathBuf};

/// Without `.` and `..`, as far as the text alone says.
pub fn normal(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if result.file_name().is_some() => {
                result.pop();
            }
            part => result.push(part),
        }
    }
    result
}

/// As seen from a directory: relative if it lies below.
pub fn short(path: &Path, from: &Path) -> PathBuf {
    path.strip_prefix(from).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved() {
        assert_eq!(normal(Path::new("/a/b/../c/./d.c")), Path::new("/a/c/d.c"));
        assert_eq!(normal(Path::new("../x")), Path::new("../x"));
        assert_eq!(short(Path::new("/a/b/c.c"), Path::new("/a")), Path::new("b/c.c"));
        assert_eq!(short(Path::new("/x/c.c"), Path::new("/a")), Path::new("/x/c.c"));
    }
}
