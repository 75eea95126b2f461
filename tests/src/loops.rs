//! Random loops over two bytes, or two integers that come of them: what `--check termination` says of them, compared with running them.
//!
//! A program has few states, and counts how often control comes to the head of a loop or into a recursive call: more often than there are
//! states means that it never ends. So every claim is decided, and nothing is a matter of time. Of integers, there are too many states: what is
//! claimed is run for some millions of rounds, in which none may overflow.

use crate::config::CONFIGS;
use crate::spelunk::Spelunk;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The effort for one program. What is claimed after more or less time has to be right all the same.
const EFFORT: [&str; 7] = ["--max-paths", "40", "--max-instructions", "300000", "--time", "20s", "--no-replay"];

/// What became of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Claims that a run never ends: all of them are right.
    pub n_claims: u64,
    /// Whether it does not end for some input of a coarse grid.
    pub is_endless: bool,
}

/// Says what is wrong with what is said of the program of a seed.
pub fn compare_seed(spelunk: &Spelunk, seed: u64) -> Result<Outcome, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (source, truth, out) = (dir.path().join("loop.c"), dir.path().join("truth"), dir.path().join("out"));
    let text = program(seed);
    std::fs::write(&source, &text).map_err(|error| error.to_string())?;
    let overflow = ["-fsanitize=signed-integer-overflow", "-fsanitize-trap=signed-integer-overflow"];
    let mut compiler = Command::new(CONFIGS[0].clang);
    run(compiler.args(["-w", "-O1", "-DTRUTH"]).args(overflow).arg("-o").arg(&truth).arg(&source), &[0])?;
    let mut command = spelunk.command();
    command.arg("run").arg(&source).args(["--entry", "f", "--check", "termination", "--out"]).arg(&out).args(EFFORT);
    run(&mut command, &[0, 1, 5, 6])?;
    let summary = read(&out.join("summary.json"))?;
    let mut n_claims = 0;
    for bug in summary["bugs"].as_array().into_iter().flatten() {
        if !matches!(bug["kind"].as_str(), Some("endless-loop" | "stack-exhausted")) {
            return Err(format!("a bug that is none: {bug}\n{text}"));
        }
        n_claims += 1;
        let test = read(&out.join(format!("tests/{:06}.json", bug["test"].as_u64().unwrap_or(0))))?;
        let bytes = |idx: usize| test["input"][idx]["bytes"].as_str().unwrap_or_default().to_owned();
        let output = run(Command::new(&truth).args([bytes(0), bytes(1)]), &[0])?;
        if output != "endless\n" {
            return Err(format!("{output} for {} {}: {}\n{text}", bytes(0), bytes(1), bug["message"]));
        }
    }
    if is_over_integers(seed) {
        return Ok(Outcome { n_claims, is_endless: n_claims > 0 });
    }
    let is_endless = run(&mut Command::new(&truth), &[0])? == "endless\n";
    if is_endless && n_claims == 0 && summary["exhausted"] == Value::Bool(true) {
        return Err(format!("every path is said to end\n{text}"));
    }
    Ok(Outcome { n_claims, is_endless })
}

fn run(command: &mut Command, expected: &[i32]) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    match output.status.code() {
        Some(code) if expected.contains(&code) => Ok(text.into_owned()),
        code => Err(format!("{command:?}: {code:?}\n{text}{}", String::from_utf8_lossy(&output.stderr))),
    }
}

fn read(path: &Path) -> Result<Value, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

/// `HEAD` is where rounds are counted. Without arguments, the program tries a grid, with fewer rounds for each.
const FRAME: &str = r#"
#ifdef TRUTH
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf out;
static long n_left;
#define HEAD (n_left-- == 0 ? longjmp(out, 1) : (void)0);
#else
#define HEAD
#endif
typedef unsigned char u8;
typedef signed char s8;
static const u8 table[4] = {TABLE};
struct node { struct node *next; u8 key; };
CODE
#ifdef TRUTH
static int is_endless(u8 x, u8 y, long most) {
  n_left = most;
  if (setjmp(out)) return 1;
  f(x, y);
  return 0;
}
int main(int argc, char **argv) {
  int found = 0;
  if (argc == 3) found = is_endless(strtol(argv[1], 0, 16), strtol(argv[2], 0, 16), STATES);
  else for (int x = 0; x < 256; x += 15) for (int y = 0; y < 256; y += 17) found |= is_endless(x, y, 1 << 18);
  puts(found ? "endless" : "ends");
  return 0;
}
#endif
"#;

fn is_over_integers(seed: u64) -> bool {
    seed % 6 == 5
}

fn program(seed: u64) -> String {
    let mut random = Random(fastrand::Rng::with_seed(seed));
    let (kind, n_states) = match seed % 6 {
        _ if is_over_integers(seed) => (random.integers(), 1 << 22),
        0 | 1 => (random.single(), 1 << 16),
        2 => (random.nested(), 1 << 25),
        // So deep that the stack of a native run holds it.
        3 => (random.recursion(), 1 << 16),
        _ => (random.pointers(), 1 << 19),
    };
    let table: Vec<String> = (0..4).map(|_| random.pick(256).to_string()).collect();
    let frame = FRAME.replace("TABLE", &table.join(", ")).replace("STATES", &format!("{}L", n_states + 1));
    frame.replace("CODE", &kind)
}

struct Random(fastrand::Rng);

impl Random {
    fn pick(&mut self, n: usize) -> usize {
        self.0.usize(0..n)
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.pick(choices.len())]
    }

    fn single(&mut self) -> String {
        let (ty, cond, body) = (self.one_of(&["u8", "s8"]), self.cond(), self.body(3));
        match self.pick(3) {
            0 => format!("int f({ty} x, {ty} y) {{\nagain:\n  HEAD\n{body}  if ({cond}) goto again;\n  return x;\n}}"),
            1 => format!("int f({ty} x, {ty} y) {{\n  do {{\n    HEAD\n{body}  }} while ({cond});\n  return x;\n}}"),
            _ => format!("int f({ty} x, {ty} y) {{\n  while ({cond}) {{\n    HEAD\n{body}  }}\n  return x;\n}}"),
        }
    }

    /// Whether it is left depends on both, so overflow of either is one that counts.
    fn integers(&mut self) -> String {
        let wide = ["", " - 128", " * 8388608", " * 65793 - 1", " | 0x7fffff00"];
        let (x, y) = (self.one_of(&wide), self.one_of(&wide));
        let op = self.one_of(&["<", "<=", ">", ">=", "!=", "!="]);
        let bound = self.one_of(&["0", "5", "100", "2147483646", "-2147483647", "1073741824"]);
        let body = self.body(2);
        format!(
            "int f(u8 a, u8 b) {{\n  int x = a{x}, y = b{y};\n  while ((x ^ y) {op} {bound}) {{\n    HEAD\n{body}  }}\n  return x;\n}}"
        )
    }

    fn nested(&mut self) -> String {
        let (ty, outer, inner) = (self.one_of(&["u8", "s8"]), self.cond(), self.cond());
        let (first, second, last) = (self.body(1), self.body(2), self.body(1));
        format!(
            "int f({ty} x, {ty} y) {{\n  u8 i = 0;\n  while ({outer}) {{\n    HEAD\n{first}    for (i = 0; i < (u8)({inner}) + 3; i++) {{\n      HEAD\n{second}    }}\n{last}  }}\n  return x;\n}}"
        )
    }

    fn recursion(&mut self) -> String {
        let ty = self.one_of(&["u8", "s8"]);
        let mut call = |name| format!("{name}(({ty})({}), ({ty})({}))", self.expr(1), self.expr(1));
        let (first, second) = (call("g"), call("f"));
        let (leave, also) = (self.cond(), self.cond());
        let other = match self.pick(3) {
            0 => format!("int g({ty} x, {ty} y) {{ HEAD; return ({also}) ? y : {second}; }}"),
            1 => format!("int g({ty} x, {ty} y) {{ int local = 0; HEAD; return ({also}) ? y : {second} + local; }}"),
            _ => format!("int g({ty} x, {ty} y) {{ HEAD; return ({also}) ? y : {second} + 1; }}"),
        };
        format!("int f({ty} x, {ty} y);\n{other}\nint f({ty} x, {ty} y) {{ HEAD; return ({leave}) ? x : {first}; }}")
    }

    /// A walk along four nodes that are linked by the table.
    fn pointers(&mut self) -> String {
        let (cond, body) = (self.cond(), self.body(2));
        let key = self.one_of(&["p->key != x", "p->key < 200", "p != nodes + y % 4", "p->key != y && x != 7"]);
        let change = self.one_of(&["", "", "    p->key += 3;\n", "    if (x == y) p->next = nodes;\n"]);
        format!(
            "int f(u8 x, u8 y) {{\n  struct node nodes[4];\n  for (int i = 0; i < 4; i++) {{ HEAD nodes[i].next = nodes + table[i] % 4; nodes[i].key = table[i]; }}\n  struct node *p = nodes;\n  while ({key} && ({cond})) {{\n    HEAD\n{body}{change}    p = p->next;\n  }}\n  return x;\n}}"
        )
    }

    fn body(&mut self, n: usize) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.pick(n) {
            let (target, value) = (self.one_of(&["x", "y"]), self.expr(2));
            let statement = format!("{target} = {value};");
            text += &match self.pick(6) {
                0 => format!("    if ({}) {statement}\n", self.cond()),
                1 => format!("    if ({}) {statement} else x = {};\n", self.cond(), self.expr(1)),
                _ => format!("    {statement}\n"),
            };
        }
        text
    }

    fn cond(&mut self) -> String {
        let op = self.one_of(&["<", "<=", ">", ">=", "!=", "!=", "=="]);
        let left = self.expr(1);
        let right = if self.pick(2) == 0 { self.expr(0) } else { self.pick(130).to_string() };
        format!("{left} {op} {right}")
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 || self.pick(4) == 0 {
            return match self.pick(5) {
                0 => self.pick(6).to_string(),
                1 | 2 => "x".to_owned(),
                _ => "y".to_owned(),
            };
        }
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.pick(12) {
            0..=2 => format!("({a} + {b})"),
            3 | 4 => format!("({a} - {b})"),
            5 => format!("({a} ^ {b})"),
            6 => format!("({a} & {b})"),
            7 => format!("({a} * {})", 2 + self.pick(3)),
            8 => format!("({a} / {})", 2 + self.pick(3)),
            9 => format!("(~{a})"),
            10 => format!("table[({a}) & 3]"),
            _ => format!("({a} >> 1)"),
        }
    }
}
