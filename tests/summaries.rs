//! Made programs whose functions return, write, switch, fail, recurse and are called through pointers: which lines can be reached is what a
//! native run with all inputs says, with and without summaries, with one worker and with two. These are the theorems of *Demand-Driven
//! Compositional Symbolic Execution*, by example: a line that some input reaches is reached (relative completeness), and every campaign ends
//! with a verdict (termination) without running an input that does not go where it was meant to (progress).

use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::Command;

use serde_json::Value;
use spelunk_tests::process::End;
use spelunk_tests::scene::Scene;

/// Numbers that look random, the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }

    fn condition(&mut self) -> String {
        let left = self.one_of(&[
            "x",
            "y",
            "x + y",
            "x - y",
            "x * 2",
            "z",
            "g",
            "m[1]",
            "m[y & 3]",
            "AT_INDEX(table, x)",
            "AT_INDEX(m, y - 1)",
        ]);
        format!("{left} {} {}", self.one_of(&["<", ">", "==", "!=", "<="]), self.below(9) as i64 - 1)
    }

    /// A value of `x`, `y` and `z`, by functions with smaller numbers.
    fn value(&mut self, n_functions: u64) -> String {
        match self.below(if n_functions > 0 { 13 } else { 9 }) {
            0 => "x".to_owned(),
            1 => "y + 1".to_owned(),
            2 => format!("{} - x", self.below(9)),
            3 => "table[x & 3]".to_owned(),
            4 => format!("DIV(10, y - {})", self.below(12)),
            5 => format!("{} + g", self.one_of(&["m[0]", "m[x & 3]", "z"])),
            6 => format!("AT_INDEX(table, {})", self.one_of(&["x", "y", "x - y", "x + y", "z & 7"])),
            7 => format!("AT_INDEX(m, {})", self.one_of(&["x", "y - 2", "z & 7"])),
            8 => format!("SHIFT(1, {}) & 31", self.one_of(&["x", "y * 8", "z"])),
            _ => format!("f{}(x, {})", self.below(n_functions), self.one_of(&["y", "z", "x - 2"])),
        }
    }

    fn statement(&mut self, n_functions: u64) -> String {
        let (condition, value) = (self.condition(), self.value(n_functions));
        match self.below(if n_functions > 0 { 13 } else { 11 }) {
            0 => format!("  if ({condition})\n    return {value};\n"),
            1 => format!("  if ({condition})\n    z = {value};\n  else\n    z++;\n"),
            2 => "  for (int i = 0; i < 3; i++)\n    if (x > i)\n      z += 2;\n".to_owned(),
            3 => "  for (int i = 0; i < x; i++)\n    z++;\n".to_owned(),
            4 => format!("  switch (y) {{\n  case 1:\n    return {value};\n  case 3:\n    z = 7;\n  }}\n"),
            5 => format!("  if ({condition})\n    g = {value};\n"),
            6 => format!("  if ({condition})\n    m[{}] = {value};\n", self.one_of(&["0", "2", "x & 3"])),
            7 => format!("  z = {value};\n"),
            8 => format!("  if ({condition})\n    AT_INDEX(m, {}) = {value};\n", self.one_of(&["x", "y", "z & 7"])),
            9 => format!(
                "  switch ({}) {{\n  case 0:\n  case 2:\n    z = {value};\n    break;\n  case 5:\n    return z + 1;\n  case 6:\n    z++;\n  default:\n    z--;\n  }}\n",
                self.one_of(&["x", "y", "z", "x + y"])
            ),
            10 => format!(
                "  for (int i = 0; i < 3; i++)\n    if (AT_INDEX(table, {}) == {})\n      z += {value};\n",
                self.one_of(&["x + i", "y - i", "i"]),
                self.below(5)
            ),
            11 => format!(
                "  w{}({}, {});\n",
                self.below(n_functions),
                self.one_of(&["&z", "&g", "m + 1"]),
                self.one_of(&["x", "y"])
            ),
            _ => {
                format!("  z += {};\n", self.one_of(&["count(x)", "pick[x & 1](y)", "loose[y & 1](x)", "leap(z + y)"]))
            }
        }
    }

    /// Functions of every kind, and one that has a line for many of their results. The last number is that of lines to reach.
    fn program(&mut self) -> (String, usize) {
        let mut text = PROLOGUE.to_owned();
        let n_functions = 1 + self.below(3);
        for number in 0..n_functions {
            let _ = write!(text, "static int f{number}(int x, int y) {{\n  int z = {};\n", self.below(5));
            (0..1 + self.below(3)).for_each(|_| text += &self.statement(number));
            text += "  return z;\n}\n";
            let _ = write!(text, "static void w{number}(int *p, int x) {{\n  int y = *p, z = {};\n", self.below(5));
            let body = self.statement(number).replace("return ", "z = ");
            let _ = write!(
                text,
                "{body}  if ({})\n    *p = {};\n}}\n",
                self.condition(),
                self.one_of(&["z", "y + x", "3"])
            );
        }
        text += "int entry(unsigned char a, unsigned char b) {\n  int x = a & 7, y = b & 7, z = 0;\n  g = 0, m[0] = m[1] = m[2] = m[3] = 2;\n";
        let n_lines = 7;
        text += "  if (setjmp(away)) {\n    AT(0), g++;\n    return g;\n  }\n";
        for number in 1..n_lines {
            let statement = self.statement(n_functions).replace("return ", "z = ");
            let _ = write!(text, "{statement}  if ({})\n    AT({number}), y ^= {};\n", self.condition(), self.below(8));
        }
        (text + "  return z;\n}\n" + NATIVE, n_lines)
    }
}

const PROLOGUE: &str = "#include <setjmp.h>
static jmp_buf away;
#ifdef NATIVE
#include <stdio.h>
static jmp_buf out;
static int hit[64];
#define AT(n) hit[n] = 1
#define DIV(a, b) ((b) ? (a) / (b) : (longjmp(out, 1), 0))
#define AT_INDEX(a, i) (*((unsigned)(i) < sizeof(a) / sizeof(a)[0] ? &(a)[i] : (longjmp(out, 1), &(a)[0])))
#define SHIFT(a, n) ((unsigned)(n) < 32 ? (int)((unsigned)(a) << (n)) : (longjmp(out, 1), 0))
#else
#define AT(n) (void)0
#define DIV(a, b) ((a) / (b))
#define AT_INDEX(a, i) (a)[i]
#define SHIFT(a, n) ((int)((unsigned)(a) << (n)))
#endif
static const int table[4] = {3, 1, 4, 1};
static int g, m[4];
static int count(int n) {
  return n <= 0 ? 0 : 1 + count(n - 1);
}
static int twice(int n) {
  return 2 * n;
}
static int small(int n) {
  if (n > 3)
    return 3;
  return n;
}
static int (*const pick[2])(int) = {twice, small};
static int seen(unsigned n) {
  if (n == 6)
    g = 8;
  return 1;
}
static int (*const loose[2])() = {(int (*)())small, (int (*)())seen};
static int leap(int n) {
  if (n > 8)
    longjmp(away, n);
  return n;
}
";

const NATIVE: &str = "#ifdef NATIVE
int main(void) {
  for (int i = 0; i < 64; i++)
    if (!setjmp(out))
      entry(i & 7, i >> 3);
  for (int i = 0; i < 64; i++)
    if (hit[i])
      printf(\"%d\\n\", i);
}
#endif
";

/// The lines that some input reaches, by a native run with all of them.
fn reached_natively(scene: &Scene) -> BTreeSet<usize> {
    let run = |command: &mut Command| command.current_dir(scene.dir.path()).output().expect("it starts");
    let compiled = run(Command::new("clang-19").args(["-w", "-fwrapv", "-DNATIVE", "made.c", "-o", "made"]));
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = run(&mut Command::new(scene.path("made")));
    let text = String::from_utf8(output.stdout).expect("numbers");
    text.lines().map(|line| line.parse().expect("a number")).collect()
}

/// What a campaign says of the lines.
fn verdicts(scene: &Scene, targets: &[String], options: &[&str]) -> (Vec<bool>, Value) {
    let mut args = vec!["run", "made.c", "--entry", "entry", "--no-replay", "--time", "120s", "--out", "out"];
    targets.iter().for_each(|target| args.extend(["--target", target]));
    args.extend(options);
    let output = scene.run(&args);
    assert!(matches!(output.end, End::Exited(0 | 1 | 4..=6)), "{}", output.stderr_text());
    let summary = scene.json("out/summary.json");
    std::fs::remove_dir_all(scene.path("out")).expect("it was written");
    let statuses = summary["targets"].as_array().expect("targets").iter();
    let is_reached = statuses.map(|target| match target["status"].as_str() {
        Some("reached") => true,
        Some("unreachable") => false,
        other => panic!("{other:?}: {summary:#}"),
    });
    (is_reached.collect(), summary)
}

#[test]
fn verdicts_are_what_all_inputs_say() {
    let (mut dice, mut n_unreachable) = (Dice(7), 0);
    for number in 0..30 {
        let (text, n_lines) = dice.program();
        let scene = Scene::new(&[("made.c", &text)]);
        let line_of = |target: usize| {
            let at = text.lines().position(|line| line.contains(&format!("AT({target})"))).expect("it is there");
            format!("made.c:{}", at + 1)
        };
        let targets: Vec<String> = (0..n_lines).map(line_of).collect();
        let natively = reached_natively(&scene);
        let expected: Vec<bool> = (0..n_lines).map(|target| natively.contains(&target)).collect();
        n_unreachable += expected.iter().filter(|&&is_reached| !is_reached).count();
        let options: &[&str] = [&[][..], &["--no-summaries"], &["--jobs", "2"]][number % 3];
        for options in [&[][..], options] {
            let (found, summary) = verdicts(&scene, &targets, options);
            assert_eq!(found, expected, "{options:?}: {summary:#} of\n{text}");
            assert_eq!(summary["divergences"], 0, "{options:?}: {summary:#} of\n{text}");
        }
    }
    assert!(n_unreachable > 10, "{n_unreachable}");
}

/// Functions whose paths, taken together, are too many: each is a branch of one expression.
#[test]
fn switches_and_the_library_multiply_no_paths() {
    let keyword = "#include <string.h>
static int keyword(const char *s) {
  if (strcmp(s, \"if\") == 0)
    return 1;
  if (strcmp(s, \"else\") == 0)
    return 2;
  if (strcmp(s, \"for\") == 0)
    return 3;
  return strlen(s) > 4 ? 4 : 0;
}
int entry(const char *a, const char *b, const char *c) {
  int n = keyword(a) + 5 * keyword(b) + 25 * keyword(c);
  if (n == 3 + 5 * 1 + 25 * 2)
    return 1;
  return 0;
}
";
    let class = "static int class(int c) {
  switch (c) {
  case ' ': case '\\t': case '\\n': return 1;
  case '{': return 2;
  case '}': return 3;
  default: return c >= '0' && c <= '9' ? 4 : 0;
  }
}
int entry(unsigned char a, unsigned char b, unsigned char c, unsigned char d) {
  int n = class(a) + 5 * class(b) + 25 * class(c) + 125 * class(d);
  if (n == 3 + 5 * 1 + 25 * 2 + 125 * 4)
    return 1;
  return 0;
}
";
    for (text, target) in [(keyword, "made.c:14"), (class, "made.c:12")] {
        let scene = Scene::new(&[("made.c", text)]);
        let (found, summary) = verdicts(&scene, &[target.to_owned()], &[]);
        assert_eq!(found, [true], "{summary:#}");
        assert!(summary["paths"].as_u64().expect("a number") <= 4, "{summary:#}");
    }
}

/// Where a pointer leads is for the caller to decide: what is behind it is not the same for all inputs before.
#[test]
fn functions_that_follow_pointers_of_the_input_are_gone_into() {
    let text = "struct node { struct node *next, *prev; int key; };
static int length(struct node *l) {
  int n = 0;
  for (; l; l = l->next)
    n++;
  return n;
}
static int is_sorted(struct node *l) {
  for (; l && l->next; l = l->next)
    if (l->key > l->next->key)
      return 0;
  return 1;
}
static int is_same(const int *p, const int *q) {
  if (p == q)
    return 1;
  return 0;
}
int entry(struct node *l, int *p, int *q) {
  if (length(l) == 3 && is_sorted(l) && l->key == 5)
    return 1;
  if (length(l) == 2 && !is_sorted(l) && l->key == 7)
    return 2;
  if (is_same(p, q) + is_same(&l->key, p) == 1)
    return 3;
  return 0;
}
";
    let scene = Scene::new(&[("made.c", text)]);
    for line in [21, 23, 25] {
        let (found, summary) = verdicts(&scene, &[format!("made.c:{line}")], &[]);
        assert_eq!((&found[..], &summary["divergences"]), (&[true][..], &0.into()), "{line}: {summary:#}");
    }
}
