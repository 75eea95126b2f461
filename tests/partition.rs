//! Independent inputs: with `--partition auto` the same lines are reached and the same bugs found as without, by no more paths.
//!
//! Programs are those of `partition/`, those of `explore/`, and made ones in which information flows in many ways.

use serde_json::Value;
use spelunk_tests::header::Header;
use spelunk_tests::process::End;
use spelunk_tests::scene::Scene;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a campaign came to.
struct Found {
    summary: Value,
    lines: BTreeSet<u64>,
    bugs: BTreeSet<(String, u64)>,
}

impl Found {
    fn n_paths(&self) -> u64 {
        self.summary["paths"].as_u64().unwrap() + self.summary["excluded"].as_u64().unwrap()
    }
}

fn explore(source: &Path, options: &[String], partition: &str, cflags: &[String]) -> Found {
    let scene = Scene::new(&[]);
    let source = source.display().to_string();
    let mut args = vec!["run", &source, "--no-replay", "--no-tests", "--out", "out", "--partition", partition];
    args.extend(options.iter().map(String::as_str));
    args.push("--");
    args.extend(cflags.iter().map(String::as_str));
    let output = scene.run(&args);
    assert!(matches!(output.end, End::Exited(0 | 1 | 4 | 5 | 6)), "{source}: {}", output.stderr_text());
    let (summary, profile) = (scene.json("out/summary.json"), scene.json("out/profile.json"));
    let lines = profile["files"].as_array().unwrap().iter().flat_map(|file| file["lines"].as_array().unwrap().clone());
    let lines = lines.filter(|line| line[1] == Value::Bool(true)).filter_map(|line| line[0].as_u64()).collect();
    let bug = |bug: &Value| (bug["kind"].as_str().unwrap().to_owned(), bug["line"].as_u64().unwrap());
    let bugs = summary["bugs"].as_array().unwrap().iter().map(bug).collect();
    Found { summary, lines, bugs }
}

/// Explores a program with and without a partition: the latter must be complete.
fn compare(source: &Path, options: &[String], cflags: &[String]) -> [Found; 2] {
    let all = explore(source, options, "off", cflags);
    let parts = explore(source, options, "auto", cflags);
    let what = source.display();
    let n_paths = (parts.n_paths(), all.n_paths());
    assert_eq!(parts.summary["stopped"], all.summary["stopped"], "{what}: {:#}", parts.summary["ledger"]);
    if matches!(all.summary["stopped"].as_str(), Some("exhausted" | "bounded")) {
        assert_eq!(parts.lines, all.lines, "{what}: lines of {n_paths:?} paths");
        assert_eq!(parts.bugs, all.bugs, "{what}: bugs of {n_paths:?} paths");
        assert!(n_paths.0 <= n_paths.1, "{what}: {n_paths:?} paths");
    }
    [all, parts]
}

fn programs() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("partition");
    let files = std::fs::read_dir(dir).expect("a directory").map(|entry| entry.expect("a file").path());
    let mut programs: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|it| it == "c")).collect();
    programs.sort();
    programs
}

fn header(source: &Path) -> Header {
    Header::parse(&std::fs::read_to_string(source).expect("a source")).expect("a header")
}

#[test]
fn programs_have_the_paths_that_they_state() {
    for source in programs() {
        let Header { options, cflags, paths, ledger, .. } = header(&source);
        let [_, parts] = compare(&source, &options, &cflags);
        let what = format!("{}: {:#}", source.display(), parts.summary["partition"]);
        assert_eq!(Some(parts.n_paths()), paths.or(Some(parts.n_paths())), "{what}");
        let said = parts.summary["ledger"].to_string();
        ledger.iter().for_each(|text| assert!(said.contains(text), "{what}: {said}"));
        assert_eq!(said.contains("flow-not-followed"), !ledger.is_empty(), "{what}");
    }
}

/// Programs of `explore/` in which information goes ways of its own: through files, the library, varargs, sizes, recursion.
const EXPLORED: [&str; 12] = [
    "branches.c",
    "copy_length_bugs.c",
    "files.c",
    "heap.c",
    "lines.c",
    "pointers.c",
    "printed_file.c",
    "recursion.c",
    "stubs.c",
    "unsupported.c",
    "varargs.c",
    "vla.c",
];

#[test]
fn programs_with_input_reach_the_same() {
    for name in EXPLORED {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("explore").join(name);
        let Header { options, cflags, .. } = header(&source);
        compare(&source, &options, &cflags);
    }
}

#[test]
fn workers_find_the_same_together() {
    for source in programs() {
        let Header { options, cflags, .. } = header(&source);
        let all = explore(&source, &options, "off", &cflags);
        let options: Vec<String> = options.into_iter().chain(["--jobs".to_owned(), "3".to_owned()]).collect();
        let parts = explore(&source, &options, "auto", &cflags);
        let what = source.display();
        assert_eq!(parts.summary["stopped"], all.summary["stopped"], "{what}");
        assert_eq!((parts.lines, parts.bugs), (all.lines, all.bugs), "{what}");
        assert!(parts.summary["partition"]["blocks"].as_array().is_some_and(|it| !it.is_empty()), "{what}");
    }
}

#[test]
fn targets_have_the_same_verdicts() {
    for name in ["and.c", "cut.c", "fig51a.c", "inside.c"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("partition").join(name);
        let Header { options, cflags, .. } = header(&source);
        let all = explore(&source, &options, "off", &cflags);
        let text = std::fs::read_to_string(&source).unwrap();
        let is_error = |line: &str| line.starts_with("  ") && (line.contains(" = 1;") || line.contains("error"));
        for line in (1..).zip(text.lines()).filter(|it| is_error(it.1)).map(|it| it.0) {
            let target = format!("{name}:{line}");
            let aimed = options.iter().cloned().chain(["--target".to_owned(), target.clone()]);
            let found = explore(&source, &aimed.collect::<Vec<_>>(), "auto", &cflags);
            let Some(found) = found.summary["targets"][0]["status"].as_str().map(str::to_owned) else { continue };
            let expected = if all.lines.contains(&line) { "reached" } else { "unreachable" };
            assert_eq!(found, expected, "{target}");
        }
    }
}

#[test]
fn campaigns_go_on() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("partition/guards.c");
    let Header { options, .. } = header(&source);
    let all = explore(&source, &options, "off", &[]);
    let scene = Scene::new(&[]);
    let source = source.display().to_string();
    let run = |more: &[&str]| {
        let mut args = vec!["run", &source, "--no-replay", "--partition", "auto"];
        args.extend(options.iter().map(String::as_str).chain(more.iter().copied()));
        let output = scene.run(&args);
        assert!(matches!(output.end, End::Exited(0 | 1 | 4)), "{}", output.stderr_text());
        scene.json("out/summary.json")
    };
    assert_eq!(run(&["--out", "out", "--max-paths", "2"])["stopped"], "paths");
    let summary = run(&["--resume", "out", "--max-paths", "1000"]);
    assert_eq!(summary["stopped"], "exhausted", "{summary:#}");
    assert_eq!(summary["coverage"]["lines"], all.summary["coverage"]["lines"]);
    assert!(summary["partition"]["left_out"].as_u64() > Some(0), "{:#}", summary["partition"]);
}

#[test]
fn what_a_user_states_is_compared() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("partition/fig51b.c");
    let options: Vec<String> = header(&source).options;
    let scene = Scene::new(&[("right", "A[i] count[i]\n"), ("wrong", "A[0] count[0]\n")]);
    let wrong = |file: &str| {
        let found = explore(&source, &options, &scene.path(file).display().to_string(), &["-DN=4".to_owned()]);
        found.summary["partition"]["wrong"].as_array().map_or(0, Vec::len)
    };
    assert_eq!((wrong("right"), wrong("wrong")), (0, 3));
}

#[test]
fn what_does_not_go_together_is_refused() {
    let scene = Scene::new(&[("x.c", "int f(int a) { return a; }")]);
    for other in ["--check=leak", "--check=termination", "--check=memory-limit"] {
        let output = scene.run(&["run", "x.c", "--entry", "f", "--partition", "auto", other]);
        assert!(output.stderr_text().contains("--partition does not go together with"), "{}", output.stderr_text());
    }
    let output = scene.run(&["run", "x.c", "--entry", "f", "--partition", "no-such-file"]);
    assert!(output.stderr_text().contains("cannot read"), "{}", output.stderr_text());
}

/// Numbers that look random, the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    fn input(&mut self) -> &'static str {
        self.one(&["a", "b", "c"])
    }

    fn variable(&mut self) -> &'static str {
        self.one(&["x", "y", "z", "u", "g0", "g1", "t[0]", "t[1]", "t[2]", "s[1]", "*p"])
    }

    fn value(&mut self) -> String {
        match self.below(4) {
            0 => self.below(4).to_string(),
            1 => format!("({} & 3)", self.input()),
            2 => self.variable().to_owned(),
            _ => format!("{} + {}", self.variable(), self.variable()),
        }
    }

    fn condition(&mut self) -> String {
        match self.below(9) {
            0..5 => format!("{} {}", self.input(), ["& 1", "== 2", "> 1"][self.below(3)]),
            5..7 => format!("{} {}", self.variable(), ["!= 0", "== 1", "> 1"][self.below(3)]),
            7 => format!("{} == {}", self.variable(), self.variable()),
            _ => format!("is_good({})", self.variable()),
        }
    }

    /// Statements, a line each, so that lines tell them apart.
    fn statement(&mut self, depth: usize) -> String {
        let variable = self.variable();
        match self.below(if depth > 0 { 25 } else { 15 }) {
            0 => format!("p = {};\n", self.one(&["&g0", "&g1", "&t[1]"])),
            1 => format!("t[{} & 3] = {};\n", self.value(), self.value()),
            2 => format!("{variable} = t[{} & 3];\n", self.value()),
            3 => format!("{variable} = 8 / ({} + {});\n", self.variable(), self.below(2)),
            4 => "free(h);\nh = 0;\n".to_owned(),
            5 => format!("h = malloc(4);\nif (h)\n*h = {};\n", self.value()),
            6 => format!("if (h)\n{variable} = *h;\n"),
            7 => format!("set({});\n", self.value()),
            8 => format!("{variable} = get({});\n", self.value()),
            9 => "memcpy(t, s, sizeof t);\n".to_owned(),
            10 => format!("call = {};\n", self.one(&["set", "other"])),
            11 => format!("call({});\n", self.value()),
            12 => format!("assert({variable} != {});\n", 2 + self.below(3)),
            13..15 => format!("{variable} = {};\n", self.value()),
            15..19 => format!("if ({}) {{\n{}}}\n", self.condition(), self.block(depth - 1)),
            19..21 => {
                let condition = self.condition();
                format!("if ({condition}) {{\n{}}} else {{\n{}}}\n", self.block(depth - 1), self.block(depth - 1))
            }
            21 => {
                let (value, first) = (self.value(), self.block(depth - 1));
                format!("switch (({value}) & 3) {{\ncase 0:\n{first}break;\ncase 2:\n{}}}\n", self.block(depth - 1))
            }
            22 => {
                let bound = self.value();
                format!("for (int i = 0; i < (({bound}) & 3); i++) {{\n{}}}\n", self.block(depth - 1))
            }
            23 => format!("if ({})\n{};\n", self.condition(), self.one(&["return 1", "exit(1)", "return x"])),
            _ => format!("for (int i = 0; i < 2; i++) {{\n{}if ({})\nbreak;\n}}\n", self.block(0), self.condition()),
        }
    }

    fn block(&mut self, depth: usize) -> String {
        (0..1 + self.below(2)).map(|_| self.statement(depth)).collect()
    }
}

const LIBRARY: &str = "#include <assert.h>
#include <stdlib.h>
#include <string.h>
int g0, g1, t[4], s[4];
static void set(int v) {
  if (v > 1)
    g0 = v;
  else
    t[2] = v;
}
static void other(int v) { g1 = v; }
static int get(int v) {
  if (v == 2)
    return g1;
  if (v & 1)
    return t[1];
  return v;
}
static int is_good(int v) {
  if (v == 3)
    return 0;
  if (g0 == 1)
    return 0;
  return v & 1;
}
int test(unsigned char a, unsigned char b, unsigned char c) {
  int x = 0, y = 0, z = 0, u = 0, *p = &g0, *h = 0;
  void (*call)(int) = set;
";

#[test]
fn made_programs_reach_the_same() {
    let (mut dice, mut all, mut parts) = (Dice(1), 0, 0);
    for number in 0..30 {
        let body: String = (0..6).map(|_| dice.statement(2)).collect();
        let scene = Scene::new(&[("made.c", &format!("{LIBRARY}{body}return x + y + z + u + (h != 0);\n}}\n"))]);
        let options = ["--entry", "test", "--max-paths", "2000"].map(str::to_owned);
        let [without, with] = compare(&scene.path("made.c"), &options, &[]);
        assert!(with.summary["partition"]["given_up"].is_null(), "program {number}: {:#}", with.summary["partition"]);
        all += without.n_paths();
        parts += with.n_paths();
    }
    assert!(parts < all, "{parts} paths, {all} without");
}
