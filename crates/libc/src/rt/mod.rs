//! The part of the library that is written in C: the sources as text, and which file defines which symbol.
//!
//! The index is made when this crate is built (`index`), so that only the files that a program needs have to be compiled.
//! Compiling is left to whoever links. A file needs its `rt.h` beside it and the system's C headers.

#[cfg(test)]
mod index;

const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/rt_sources.rs"));

/// Symbols that the C files define for others, with the file of each, sorted by symbol.
const INDEX: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/rt_index.rs"));

/// All files, headers among them: name and text.
pub fn sources() -> &'static [(&'static str, &'static str)] {
    SOURCES
}

/// The C file that defines a function or variable.
pub fn rt_file_defining(name: &str) -> Option<&'static str> {
    find(name).map(|(_, file)| *file)
}

/// A symbol, if a C file defines it.
pub fn find_symbol(name: &str) -> Option<&'static str> {
    find(name).map(|(symbol, _)| *symbol)
}

fn find(name: &str) -> Option<&'static (&'static str, &'static str)> {
    let found = INDEX.binary_search_by(|(symbol, _)| (*symbol).cmp(name)).ok()?;
    Some(&INDEX[found])
}

/// All symbols that the C files define for others, with the file of each.
pub fn symbols() -> impl Iterator<Item = (&'static str, &'static str)> {
    INDEX.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;
    use std::process::Command;

    /// The symbols of a file, by what the library's headers define.
    fn definitions(file: &str, text: &str) -> Vec<String> {
        let headers = sources().iter().copied().filter(|(file, _)| file.ends_with(".h"));
        let sources: Vec<(&str, &str)> = headers.chain([(file, text)]).collect();
        index::index(&sources).into_iter().map(|(symbol, _)| symbol).collect()
    }

    fn check(text: &str, expected: &[&str]) {
        let found = definitions("checked.c", text);
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn functions_and_variables() {
        check("int f(void) { return g(1); } int g(int);", &["f"]);
        check("static int f(void) { return 0; } extern int x; typedef int t;", &[]);
        check("struct s { int a; }; enum { A, B }; struct s v = { 1 }, *w;", &["v", "w"]);
        check(
            "void (*hook)(int); int table[3] = {1, 2, 3}; const char *const name = \"x;{\";",
            &["hook", "name", "table"],
        );
        check("void (*f(int a))(int); int (*g(void))(void) { return 0; }", &["g"]);
        check("_Noreturn void f(int (*g)(int)) { for (;;) { } } // int h(void) { }\n", &["f"]);
    }

    #[test]
    fn names_given_by_labels_and_aliases() {
        check("int f(void) __asm__(\"g\"); int f(void) { return 0; }", &["g"]);
        check("int f(void) { return 0; } RT_ALIAS(h, f);", &["f", "h"]);
    }

    #[test]
    fn macros_that_define_functions() {
        check(
            "#define VARIANT(type, s) type f##s(void) { } type g##s##_r(void) { }\nVARIANT(double, ) VARIANT(float, f)\n",
            &["f", "ff", "g_r", "gf_r"],
        );
        check(
            "#define PAIR(a, p) int a##_x(void) { return 0; } \\\n int a##_y(void) __asm__(p \"y\"); int a##_y(void) {}\nPAIR(f, \"z_\")\n",
            &["f_x", "z_y"],
        );
    }

    /// The index against what the compiler makes of the same files.
    #[test]
    fn index_agrees_with_the_compiler() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("rt");
        let clang = find_clang().expect("a clang, which the project needs anyway");
        for &(file, text) in sources().iter().filter(|(file, _)| file.ends_with(".c")) {
            let args = ["-S", "-emit-llvm", "-w", "-o", "-"];
            let output = Command::new(&clang).args(args).arg(root.join(file)).output().expect("clang runs");
            assert!(output.status.success(), "{file}: {}", String::from_utf8_lossy(&output.stderr));
            let ir = String::from_utf8_lossy(&output.stdout);
            let compiled: BTreeSet<&str> = ir.lines().filter_map(defined_symbol).collect();
            let read = definitions(file, text);
            assert_eq!(read.iter().map(String::as_str).collect::<BTreeSet<_>>(), compiled, "{file}");
            assert_eq!(read.len(), compiled.len(), "{file} defines a symbol twice");
        }
    }

    fn find_clang() -> Option<String> {
        let versions = (15..=22).rev().map(|version| format!("clang-{version}"));
        versions
            .chain(["clang".to_owned()])
            .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()))
    }

    /// The symbol that a line of textual IR defines for other modules.
    fn defined_symbol(line: &str) -> Option<&str> {
        let is_definition = line.starts_with("define ")
            || line.starts_with('@') && !line.contains(" external ") && !line.contains("= appending ");
        if !is_definition || line.contains(" internal ") || line.contains(" private ") {
            return None;
        }
        let name = &line[line.find('@')? + 1..];
        let name = name.strip_prefix("\"\\01").unwrap_or(name);
        name.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).next()
    }
}
