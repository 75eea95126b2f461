//! Which lines a unified diff adds or changes.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Lines of a file as it is after the change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChangedLines {
    pub file: PathBuf,
    pub first: u32,
    pub last: u32,
    /// Something was removed in front of the first one, and nothing added.
    pub is_removal: bool,
}

impl fmt::Display for ChangedLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, first, last, is_removal } = self;
        match is_removal {
            true => write!(f, "{}:-{first}", file.display()),
            false => write!(f, "{}:+{first}-{last}", file.display()),
        }
    }
}

impl FromStr for ChangedLines {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (file, lines) = text.rsplit_once(':')?;
            let number = |text: &str| text.parse().ok();
            let (first, last, is_removal) = match lines.strip_prefix('-') {
                Some(line) => (number(line)?, number(line)?, true),
                None => {
                    let (first, last) = lines.strip_prefix('+')?.split_once('-')?;
                    (number(first)?, number(last)?, false)
                }
            };
            Some(Self { file: file.into(), first, last, is_removal })
        };
        read().ok_or_else(|| format!("`{text}` is neither FILE:+FIRST-LAST nor FILE:-LINE"))
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line} of the diff is not a hunk of a unified diff: `{text}`")]
pub struct PatchError {
    line: usize,
    text: String,
}

/// What a diff changes, in its order: lines that follow each other are one entry.
pub fn changed_lines(diff: &str) -> Result<Vec<ChangedLines>, PatchError> {
    let mut changed: Vec<ChangedLines> = Vec::new();
    let mut file: Option<PathBuf> = None;
    // What is left of the hunk, before and after the change.
    let (mut n_before, mut n_after) = (0, 0);
    let mut at = 0;
    let mut has_removed = false;
    for (number, text) in diff.lines().enumerate() {
        let error = || PatchError { line: number + 1, text: text.to_owned() };
        if n_before == 0 && n_after == 0 {
            if let Some(path) = text.strip_prefix("+++ ") {
                file = path_after(path);
            } else if let Some(header) = text.strip_prefix("@@ ") {
                let hunk = hunk(header).ok_or_else(error)?;
                (n_before, at, n_after) = hunk;
                // A hunk that only removes names the line before it.
                at += u32::from(n_after == 0);
                has_removed = false;
            }
            if n_before > 0 || n_after > 0 {
                continue;
            }
        } else {
            match text.as_bytes().first() {
                Some(b'+') => {
                    n_after = n_after.checked_sub(1).ok_or_else(error)?;
                    add(&mut changed, file.as_deref(), at, false);
                    at += 1;
                    has_removed = false;
                }
                Some(b'-') => {
                    n_before = n_before.checked_sub(1).ok_or_else(error)?;
                    has_removed = true;
                }
                Some(b'\\') => {}
                // Editors take the blank away from empty lines.
                Some(b' ') | None => {
                    if std::mem::take(&mut has_removed) {
                        add(&mut changed, file.as_deref(), at, true);
                    }
                    n_before = n_before.checked_sub(1).ok_or_else(error)?;
                    n_after = n_after.checked_sub(1).ok_or_else(error)?;
                    at += 1;
                }
                Some(_) => return Err(error()),
            }
        }
        if n_before == 0 && n_after == 0 && std::mem::take(&mut has_removed) {
            add(&mut changed, file.as_deref(), at, true);
        }
    }
    Ok(changed)
}

fn add(changed: &mut Vec<ChangedLines>, file: Option<&Path>, line: u32, is_removal: bool) {
    let Some(file) = file else { return };
    if is_removal && changed.last().is_some_and(|last| last.file == file && last.last + 1 == line) {
        // Lines that were replaced by fewer.
        return;
    }
    match changed.last_mut() {
        Some(last) if !is_removal && !last.is_removal && last.file == file && last.last + 1 == line => last.last = line,
        _ => changed.push(ChangedLines { file: file.to_owned(), first: line, last: line, is_removal }),
    }
}

/// The file after the change; nothing if it is removed.
fn path_after(text: &str) -> Option<PathBuf> {
    let path = text.split('\t').next().unwrap_or(text).trim_end();
    match path {
        "/dev/null" => None,
        _ => Some(path.strip_prefix("b/").unwrap_or(path).into()),
    }
}

/// How many lines there were, the first of those that there are, and how many: `-1,2 +3,4 @@ …`.
fn hunk(header: &str) -> Option<(u32, u32, u32)> {
    let (ranges, _) = header.split_once(" @@")?;
    let (before, after) = ranges.strip_prefix('-')?.split_once(" +")?;
    let (_, n_before) = range(before)?;
    let (first, n_after) = range(after)?;
    Some((n_before, first, n_after))
}

fn range(text: &str) -> Option<(u32, u32)> {
    match text.split_once(',') {
        Some((first, n)) => Some((first.parse().ok()?, n.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(diff: &str) -> Vec<(String, u32, u32, bool)> {
        let entry = |it: ChangedLines| (it.file.display().to_string(), it.first, it.last, it.is_removal);
        changed_lines(diff).unwrap().into_iter().map(entry).collect()
    }

    #[test]
    fn lines_are_those_after_the_change() {
        let diff = "diff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\t2024-01-01\n@@ -3 +3,2 @@ int f(void) {\n-a\n+b\n+c\n@@ -10,0 +12 @@\n+d\n";
        assert_eq!(read(diff), [("x.c".into(), 3, 4, false), ("x.c".into(), 12, 12, false)]);
    }

    #[test]
    fn lines_are_read_as_they_are_written() {
        for text in ["src/x.c:+3-4", "x.c:-12"] {
            assert_eq!(text.parse::<ChangedLines>().unwrap().to_string(), text);
        }
        assert!("x.c:3".parse::<ChangedLines>().is_err());
    }

    #[test]
    fn context_is_not_changed() {
        let diff = "--- x.c\n+++ x.c\n@@ -1,4 +1,4 @@\n a\n-b\n+B\n c\n d\n";
        assert_eq!(read(diff), [("x.c".into(), 2, 2, false)]);
    }

    #[test]
    fn what_follows_a_removal_is_changed() {
        assert_eq!(read("--- a/x.c\n+++ b/x.c\n@@ -4,2 +3,0 @@\n-a\n-b\n"), [("x.c".into(), 4, 4, true)]);
        assert_eq!(read("--- a/x.c\n+++ b/x.c\n@@ -3,3 +3,2 @@\n a\n-b\n c\n"), [("x.c".into(), 4, 4, true)]);
    }

    #[test]
    fn lines_that_look_like_headers_are_text() {
        let diff = "--- a/x.c\n+++ b/x.c\n@@ -1 +1,2 @@\n--- a\n+++ b\n+++ c\n@@ -9,0 +11 @@\n+z\n";
        assert_eq!(read(diff), [("x.c".into(), 1, 2, false), ("x.c".into(), 11, 11, false)]);
    }

    #[test]
    fn removed_files_have_no_lines() {
        assert_eq!(read("--- a/x.c\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n"), []);
    }

    #[test]
    fn what_is_no_hunk_is_refused() {
        assert!(changed_lines("+++ b/x.c\n@@ -1,2 +1,x @@\n").is_err());
        assert!(changed_lines("+++ b/x.c\n@@ -1,2 +1,2 @@\n a\nb\n").unwrap_err().to_string().contains("line 4"));
    }
}
