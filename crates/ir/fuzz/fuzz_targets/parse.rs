//! Any text through the parser. What it accepts must print to something that it accepts again and prints the same.
//!
//! Run with `cargo +nightly fuzz run parse` in `crates/ir`; seed the corpus with `.ll` files that clang writes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use spelunk_ir::model::Program;
use spelunk_ir::parse::parse_module;
use spelunk_ir::print::print_module;

/// A struct prints with all its parts, so a chain of definitions that each use the last one twice has a print that
/// does not fit into memory.
const MAX_DEFINITIONS: usize = 16;

fuzz_target!(|text: &str| {
    let mut program = Program::new();
    let Ok(module) = parse_module(&mut program, "input", text) else {
        return;
    };
    if text.matches("type").count() > MAX_DEFINITIONS {
        return;
    }
    let first = print_module(&program, module);
    let mut program = Program::new();
    let module = parse_module(&mut program, "print", &first).expect("a print is legal");
    assert_eq!(first, print_module(&program, module), "the print of a print");
});
