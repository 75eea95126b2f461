//! Damaged files: whatever happens to a file, the parser answers with a module or an error, and never panics.

mod parse_support;

use parse_support::{c_programs, compile, compilers, parse};
use spelunk_ir::model::Program;
use spelunk_ir::parse::parse_module;
use spelunk_ir::print::print_module;

/// A small generator, so that every run damages the same places.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Parses text that may be anything. If it happens to be legal, its print must be legal too.
fn survive(text: &str) {
    let mut program = Program::new();
    if let Ok(module) = parse_module(&mut program, "damaged.ll", text) {
        let print = print_module(&program, module);
        parse("print of damaged.ll", &print);
    } else {
        assert!(program.functions.is_empty() && program.symbols.is_empty());
    }
}

fn sample_files() -> Vec<String> {
    let sources = c_programs();
    let sources = sources.iter().flat_map(|source| [(source, "-O0"), (source, "-O2")]);
    sources.map(|(source, level)| compile(&compilers()[0], &[level, "-g"], source)).collect()
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[test]
fn truncated_files() {
    let mut random = Random(0x5eed);
    for text in sample_files() {
        for _ in 0..60 {
            let end = boundary(&text, random.below(text.len()));
            survive(&text[..end]);
        }
    }
}

#[test]
fn changed_characters() {
    const REPLACEMENTS: &[&str] = &[
        "",
        " ",
        "0",
        "99999999999",
        "-",
        "%",
        "@",
        "!",
        "(",
        ")",
        "{",
        "}",
        "<",
        ">",
        "[",
        "]",
        "\"",
        "\\",
        ",",
        ":",
        "#",
        "é",
    ];
    let mut random = Random(0xc0ffee);
    for text in sample_files() {
        for _ in 0..60 {
            let mut damaged = text.clone();
            for _ in 0..=random.below(3) {
                let start = boundary(&damaged, random.below(damaged.len()));
                let end = boundary(&damaged, (start + random.below(4)).min(damaged.len()));
                damaged.replace_range(start..end, REPLACEMENTS[random.below(REPLACEMENTS.len())]);
            }
            survive(&damaged);
        }
    }
}

#[test]
fn moved_lines_and_words() {
    let mut random = Random(0xbadcab1e);
    for text in sample_files() {
        let lines: Vec<&str> = text.lines().collect();
        for _ in 0..40 {
            let mut shuffled = lines.clone();
            let (from, to) = (random.below(lines.len()), random.below(lines.len()));
            shuffled[to] = lines[from];
            let words: Vec<&str> = lines[from].split(' ').collect();
            let mut changed = words.clone();
            changed.swap(random.below(words.len()), random.below(words.len()));
            let changed = changed.join(" ");
            shuffled[from] = &changed;
            survive(&shuffled.join("\n"));
        }
    }
}

#[test]
fn arbitrary_tokens() {
    const TOKENS: &[&str] = &[
        "define",
        "declare",
        "i32",
        "void",
        "ptr",
        "@f",
        "@0",
        "%x",
        "%0",
        "%t",
        "=",
        "type",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "<",
        ">",
        ",",
        "global",
        "constant",
        "1",
        "-1",
        "0x0",
        "c\"a\"",
        "\"s\"",
        "!0",
        "!",
        "!dbg",
        "!DILocation",
        "x",
        "4",
        "ret",
        "br",
        "label",
        "call",
        "add",
        "phi",
        "getelementptr",
        "asm",
        "splat",
        "blockaddress",
        "entry:",
        "0:",
        "...",
        "#0",
        "attributes",
        "align",
        "metadata",
        "null",
        "switch",
        "#dbg_value",
        "store",
        "load",
        "bitcast",
        "to",
        "opaque",
    ];
    let mut random = Random(0xfeed);
    for _ in 0..4000 {
        let n_tokens = random.below(40);
        let tokens: Vec<&str> = (0..n_tokens).map(|_| TOKENS[random.below(TOKENS.len())]).collect();
        survive(&tokens.join(" "));
        survive(&format!("define void @f() {{\n {}\n ret void\n}}\n", tokens.join(" ")));
    }
}
