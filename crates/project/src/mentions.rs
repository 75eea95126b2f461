//! What the text of a source says without a compiler: which names occur, and which look as if they were defined here.
//!
//! It only decides which files are compiled to find out, and in which order.

use rustc_hash::FxHashSet;
use std::path::Path;

#[derive(Clone, Debug, Default)]
pub struct Mentions {
    text: String,
    names: FxHashSet<String>,
}

impl Mentions {
    /// What a file says; nothing if it can't be read.
    pub fn read(path: &Path) -> Self {
        let text = std::fs::read(path).unwrap_or_default();
        Self::of(String::from_utf8_lossy(&text).into_owned())
    }

    fn of(text: String) -> Self {
        let names =
            text.split(|sign: char| !is_part(sign)).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        Self { text, names }
    }

    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Whether a function of the name seems to be defined: its name, something in parentheses, and then neither an operator nor
    /// the end of a statement.
    pub fn seems_to_define(&self, name: &str) -> bool {
        self.has(name) && self.text.match_indices(name).any(|(at, _)| self.is_definition(at, name))
    }

    fn is_definition(&self, at: usize, name: &str) -> bool {
        let (before, behind) = (&self.text[..at], &self.text[at + name.len()..]);
        if before.ends_with(is_part) || behind.starts_with(is_part) {
            return false;
        }
        // `(name)(…)` keeps macros away.
        let behind = behind.trim_start();
        let behind = behind.strip_prefix(')').unwrap_or(behind).trim_start();
        let Some(behind) = behind.strip_prefix('(').and_then(behind_parentheses) else { return false };
        let behind = behind.trim_start();
        behind.starts_with('{') || behind.starts_with('/') || behind.starts_with('#') || behind.starts_with(is_part)
    }
}

fn is_part(sign: char) -> bool {
    sign == '_' || sign.is_ascii_alphanumeric()
}

/// What comes after the parenthesis that is open.
fn behind_parentheses(text: &str) -> Option<&str> {
    let mut depth = 1;
    for (at, sign) in text.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            ';' | '{' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[at + 1..]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_told_from_calls() {
        let seems = |text: &str| Mentions::of(text.to_owned()).seems_to_define("f");
        assert!(seems("int f(int (*g)(int), char c)\n{ }"));
        assert!(seems("API(int) (f)(void) /* why */ {"));
        assert!(seems("int f(a, b) int a; char b; {"));
        assert!(seems("int f(void) NOEXCEPT {"));
        assert!(!seems("int f(int);"));
        assert!(!seems("x = f(1) + 2; if (f(3)) { }"));
        assert!(!seems("int af(void) { } int fa(void) { }"));
        assert!(!seems("f"));
    }
}
