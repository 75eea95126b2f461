//! What a program sees of its users, its process and its machine natively is what it sees in the VM, out of the same files: those
//! of the VM's C library that answer such questions are linked with programs that call one of their functions.
//!
//! They serve the program alone (`own_symbols`), and what it defines itself stays its own.

use std::collections::BTreeSet;

use spelunk_ir::code::{Image, Origin};
use spelunk_libc::{Served, entries, rt_file_defining, sources};

/// The files. `runtime/process.c` has what they need of the VM.
const SHARED: &[&str] = &["ids.c", "process.c", "pwd.c"];

/// What they include.
pub fn header() -> (&'static str, &'static str) {
    *sources().iter().find(|(name, _)| *name == "rt.h").expect("all files of the library include it")
}

/// The files that a program needs, with their texts.
pub fn files(image: &Image) -> Vec<(&'static str, &'static str)> {
    let called = image.functions.iter().filter(|function| function.origin == Origin::Library);
    let files: BTreeSet<&str> = called.filter_map(|function| rt_file_defining(&function.name)).collect();
    let is_needed = |(name, _): &&(&'static str, &'static str)| SHARED.contains(name) && files.contains(name);
    sources().iter().filter(is_needed).copied().collect()
}

/// The functions that they define.
pub fn functions(files: &[(&'static str, &'static str)]) -> Vec<String> {
    let is_there = |file: &str| files.iter().any(|(name, _)| *name == file);
    let defined = entries().filter(|entry| matches!(entry.served, Served::C(file) if is_there(file)));
    defined.map(|entry| entry.name.to_owned()).collect()
}

/// A file in LLVM IR, in which functions give way to those of the program.
pub fn giving_way(text: &str) -> String {
    let is_definition =
        |line: &str| line.starts_with("define ") && !line.contains(" internal ") && !line.contains(" private ");
    let line = |line: &str| match line.strip_prefix("define ") {
        Some(rest) if is_definition(line) => format!("define weak {rest}\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_weak() {
        let text = "define dso_local i32 @getuid() {\n}\ndefine internal i32 @f() {\n}\n";
        assert_eq!(giving_way(text), "define weak dso_local i32 @getuid() {\n}\ndefine internal i32 @f() {\n}\n");
    }

    #[test]
    fn shared_files_are_files_of_the_library() {
        for name in SHARED {
            let (name, text) = *sources().iter().find(|(file, _)| file == name).expect("a file");
            assert!(functions(&[(name, text)]).len() > 5, "{name}");
        }
    }
}
