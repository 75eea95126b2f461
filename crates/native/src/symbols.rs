//! From addresses of code to lines of the source, for all of them in one go.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustc_hash::FxHashMap;
use spelunk_driver::Clang;

use crate::error::NativeError;

/// Lines of the source, innermost first where functions were inlined.
pub type Lines = Vec<(PathBuf, u32)>;

#[derive(Debug, Default)]
pub struct Symbols {
    by_address: FxHashMap<u64, Lines>,
}

impl Symbols {
    pub fn look_up(clang: &Clang, executable: &Path, addresses: &BTreeSet<u64>) -> Result<Self, NativeError> {
        if addresses.is_empty() {
            return Ok(Self::default());
        }
        let (tool, args): (_, &[&str]) = match clang.companion("llvm-symbolizer") {
            Some(tool) => (tool, &["--print-address", "--inlining", "--obj"]),
            None => match clang.companion("addr2line") {
                Some(tool) => (tool, &["-a", "-f", "-i", "-e"]),
                None => return Err(NativeError::NoTool { tool: "llvm-symbolizer", package: "llvm" }),
            },
        };
        let question: String = addresses.iter().map(|address| format!("{address:#x}\n")).collect();
        let output = clang.run_with(Command::new(&tool).args(args).arg(executable), question.into_bytes())?;
        Ok(Self { by_address: parse(&String::from_utf8_lossy(&output.stdout)) })
    }

    pub fn lines(&self, address: u64) -> &[(PathBuf, u32)] {
        self.by_address.get(&address).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Both tools write the address, then a function and a place on lines of their own for each call.
fn parse(text: &str) -> FxHashMap<u64, Lines> {
    let mut by_address: FxHashMap<u64, Lines> = FxHashMap::default();
    let mut current = None;
    for line in text.lines() {
        if let Some(address) = line.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok()) {
            current = Some(address);
        } else if let (Some(address), Some(place)) = (current, parse_place(line)) {
            by_address.entry(address).or_default().push(place);
        }
    }
    by_address
}

/// `FILE:LINE` or `FILE:LINE:COLUMN`, with a remark behind it or not.
fn parse_place(line: &str) -> Option<(PathBuf, u32)> {
    let line = line.split(" (discriminator").next()?;
    let (rest, last) = line.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    let (file, number) = match rest.rsplit_once(':') {
        Some((file, number)) if number.parse::<u32>().is_ok() => (file, number.parse().ok()?),
        _ => (rest, last),
    };
    (number != 0 && !file.starts_with('?')).then(|| (PathBuf::from(file), number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tools_are_understood() {
        let llvm = "0x401136\ninner\n/tmp/a.c:3:7\nouter\n/tmp/a.c:9:3\n\n0x500000\n??\n??:0:0\n\n";
        let gnu = "0x0000000000401136\ninner\n/tmp/a.c:3\nouter\n/tmp/a.c:9 (discriminator 2)\n0x500000\n??\n??:0\n";
        for text in [llvm, gnu] {
            let found = parse(text);
            assert_eq!(found[&0x401136], [(PathBuf::from("/tmp/a.c"), 3), (PathBuf::from("/tmp/a.c"), 9)]);
            assert!(!found.contains_key(&0x500000));
        }
    }
}
