//! What the parser's tests share: C programs through whatever clang is installed, and LLVM's own assembler.
#![allow(dead_code, reason = "each test file uses its part")]

use spelunk_ir::model::{ModuleId, Program};
use spelunk_ir::parse::parse_module;
use spelunk_ir::print::print_module;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// The tools of this name that are installed and know opaque pointers, newest first.
fn installed(name: &str) -> Vec<String> {
    let versions = (OLDEST..=22).rev().map(|version| format!("{name}-{version}"));
    let tools: Vec<String> =
        versions.chain([name.to_owned()]).filter(|tool| version_of(tool).is_some_and(|it| it >= OLDEST)).collect();
    assert!(!tools.is_empty(), "no {name} of version {OLDEST} or newer is installed");
    tools
}

const OLDEST: u32 = 15;

/// The first number after the word *version*, as clang and LLVM's tools print it.
fn version_of(tool: &str) -> Option<u32> {
    let output = Command::new(tool).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.split_once("version ")?.1.split('.').next()?.parse().ok()
}

static COMPILERS: LazyLock<Vec<String>> = LazyLock::new(|| installed("clang"));
static ASSEMBLERS: LazyLock<Vec<String>> = LazyLock::new(|| installed("llvm-as"));

pub fn compilers() -> &'static [String] {
    &COMPILERS
}

/// The newest assembler: only releases from 19 on know debug records.
pub fn newest_assembler() -> &'static str {
    &ASSEMBLERS[0]
}

/// The assembler of a compiler's own release, which knows its constant expressions.
pub fn assembler_of(compiler: &str) -> &'static str {
    let name = compiler.replace("clang", "llvm-as");
    ASSEMBLERS.iter().find(|assembler| **assembler == name).map_or(newest_assembler(), |assembler| assembler)
}

/// The C programs beside the tests.
pub fn c_programs() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/parse_c");
    let mut programs: Vec<_> = std::fs::read_dir(directory)
        .expect("the directory of C programs")
        .map(|entry| entry.expect("a C program").path())
        .collect();
    programs.sort();
    programs
}

/// The module that a compiler makes of a C file.
pub fn compile(compiler: &str, options: &[&str], source: &Path) -> String {
    let output = Command::new(compiler)
        .args(["-S", "-emit-llvm", "-fexceptions", "-w", "-o", "-"])
        .args(options)
        .arg(source)
        .output()
        .expect("clang runs");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} {options:?} {}: {messages}", source.display());
    String::from_utf8(output.stdout).expect("LLVM assembly is UTF-8")
}

pub fn parse(name: &str, text: &str) -> (Program, ModuleId) {
    let mut program = Program::new();
    let module = parse_module(&mut program, name, text).unwrap_or_else(|error| panic!("{error}"));
    (program, module)
}

/// Prints what `text` says, and checks that the print says the same.
pub fn print_twice(name: &str, text: &str) -> String {
    let (program, module) = parse(name, text);
    let first = print_module(&program, module);
    let (program, module) = parse(&format!("print of {name}"), &first);
    let second = print_module(&program, module);
    if first != second {
        let differing = first.lines().zip(second.lines()).find(|(a, b)| a != b);
        panic!("{name}: the second print differs from the first, first in {differing:?}");
    }
    first
}

/// Gives `input` to a tool and returns what it writes.
fn filter(tool: &str, name: &str, input: &[u8]) -> Vec<u8> {
    let mut child = Command::new(tool)
        .args(["-o", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{tool}: {error}"));
    let mut stdin = child.stdin.take().expect("a pipe");
    let output = std::thread::scope(|scope| {
        // A tool that gives up closes its input early; its message then tells why.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the tool ends")
    });
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool} refuses {name}: {messages}");
    output.stdout
}

/// Asserts that an assembler takes the text.
pub fn assert_assembles(assembler: &str, name: &str, text: &str) {
    filter(assembler, name, text.as_bytes());
}

/// The text as LLVM writes it.
pub fn through_llvm(assembler: &str, name: &str, text: &str) -> String {
    let bitcode = filter(assembler, name, text.as_bytes());
    let text = filter(&assembler.replace("llvm-as", "llvm-dis"), name, &bitcode);
    String::from_utf8(text).expect("LLVM assembly is UTF-8")
}

/// Asserts that LLVM reads a print as we do: what it writes for it must print the same.
pub fn assert_llvm_agrees(assembler: &str, name: &str, print: &str) {
    let text = through_llvm(assembler, name, print);
    let (program, module) = parse(&format!("llvm-dis of {name}"), &text);
    let theirs = print_module(&program, module);
    let differing = print.lines().zip(theirs.lines()).find(|(ours, theirs)| ours != theirs);
    assert!(print == theirs, "{name}: LLVM reads our print in another way, first in {differing:?}");
}
