//! Flags that clang does not know: those of another compiler. Clang itself is asked, once for each set of flags.

use crate::error::ProjectError;
use rustc_hash::FxHashMap;
use spelunk_driver::Clang;
use std::collections::BTreeSet;
use std::process::Command;

/// How often flags are dropped before we give up: clang names all that it does not know at once, nearly always.
const MAX_ATTEMPTS: usize = 8;

pub struct Accepted<'c> {
    clang: &'c Clang,
    known: FxHashMap<Vec<String>, Vec<String>>,
    /// What was dropped.
    pub dropped: BTreeSet<String>,
}

impl<'c> Accepted<'c> {
    pub fn new(clang: &'c Clang) -> Self {
        Self { clang, known: FxHashMap::default(), dropped: BTreeSet::new() }
    }

    /// These flags without those that clang refuses.
    pub fn of(&mut self, flags: &[String]) -> Result<Vec<String>, ProjectError> {
        if let Some(known) = self.known.get(flags) {
            return Ok(known.clone());
        }
        let mut kept = flags.to_vec();
        for _ in 0..MAX_ATTEMPTS {
            let mut command = Command::new(self.clang.program());
            let output = self.clang.run(command.args(["-###", "-c", "-x", "c"]).args(&kept).arg("/dev/null"))?;
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let refused: Vec<&str> = said.lines().filter(|line| line.contains(": error: ")).flat_map(quoted).collect();
            let is_refused = |flag: &String| refused.iter().any(|word| is_meant(word, flag));
            let (gone, rest): (Vec<_>, Vec<_>) = kept.into_iter().partition(is_refused);
            kept = rest;
            if gone.is_empty() {
                break;
            }
            self.dropped.extend(gone);
        }
        self.known.insert(flags.to_vec(), kept.clone());
        Ok(kept)
    }
}

/// What stands between apostrophes.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('\'').skip(1).step_by(2)
}

/// Whether clang speaks of this flag, by its name or by the part before its value.
fn is_meant(word: &str, flag: &str) -> bool {
    word.starts_with('-') && (word == flag || word.ends_with('=') && flag.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_gcc_alone_are_dropped() {
        let clang = Clang::find(None).unwrap();
        let mut accepted = Accepted::new(&clang);
        let flags = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let given = flags(&["-DX", "-fno-such-thing-as-this", "-mindirect-branch-register", "-std=c99"]);
        assert_eq!(accepted.of(&given).unwrap(), ["-DX", "-std=c99"]);
        assert_eq!(accepted.dropped.len(), 2, "{:?}", accepted.dropped);
        assert_eq!(accepted.of(&flags(&["-DY"])).unwrap(), ["-DY"]);
    }
}
