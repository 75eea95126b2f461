//! Branches as C has them: every outcome of a condition and every case label is explored, counted as clang's source-based coverage
//! counts it, and shown with the truth that it has in the source.

use serde_json::{Value, json};
use spelunk_tests::page;
use spelunk_tests::process::End;
use spelunk_tests::scene::Scene;

/// Functions `f` in which nothing is compared but in conditions, so that clang counts the same branches as we do.
const CONDITIONS: &[(&str, &str)] = &[
    ("sign", "int f(int x) { return x < 0 ? -1 : 1; }"),
    ("and", "int f(int a, int b) { return a > 3 && b > 4; }"),
    ("and not", "int f(int a, int b) { return a && !b; }"),
    ("bool", "#include <stdbool.h>\nint f(int a, bool b) { return a || b; }"),
    ("call", "static _Bool g(_Bool a) { return a; }\nint f(int a, _Bool b) { return a > 1 && g(b); }"),
    ("minimum", "int f(int a, int b) { return a < b ? a : b; }"),
    ("clamp", "int f(int a) { return a < 0 ? 0 : a > 255 ? 255 : a; }"),
    ("absolute", "int f(int a) { if (a == -2147483647 - 1) return 0; return a < 0 ? -a : a; }"),
    ("difference", "unsigned f(unsigned a, unsigned b) { return a > b ? a - b : 0; }"),
    ("folded", "int f(int a) { if (1) a++; while (0) a--; return a == 7 ? 3 : 5; }"),
    ("chosen twice", "int f(int a, int b) { return (a > 0 || b > 0) && a != b ? 1 : 2; }"),
    ("loop", "int f(int a, int b) { int n = 0; do n++; while (n < 3 && !(a == n && b)); return n; }"),
    ("float", "int f(float a) { return a > 1.5f ? 2 : 3; }"),
    (
        "labels",
        "int f(int c) {\n  switch (c) {\n  case 'a':\n  case 'b':\n  case 'x':\n    return 1;\n  case 9:\n    break;\n  \
         default:\n    return 3;\n  }\n  return 4;\n}",
    ),
    ("default with others", "int f(int c) { switch (c) { case 1: return 1; case 2: default: case 3: return 2; } }"),
    ("no default", "int f(unsigned char c) { int n = 0; switch (c) { case 1: case 2: n = 4; } return n; }"),
    (
        "table",
        "int f(int c) { switch (c) { case 1: return 9; case 2: return 4; case 3: return 7; case 4: return 1; } return 0; }",
    ),
    (
        "ranges",
        "#define DIGIT '0' ... '9'\nenum { LOW = 'a', HIGH = 'f' };\n\
         int f(int c) { switch (c) { case DIGIT: return 1; case LOW ... HIGH: case 'x': return 2; case -3 ... 2: return 3; } \
         return 4; }",
    ),
    (
        "range of many",
        "int f(int c) { switch (c) { case 5: return 1; case 100 ... 400: return 2; default: return 3; } }",
    ),
    (
        "range or cases",
        "int f(int c) { switch (c) { case 1 ... 3: return 1; case 5: case 6: case 7: return 2; } return 3; }",
    ),
    (
        "ranges with default",
        "int f(unsigned char c) { switch (c) { case 250 ... 255: return 1; case 10 ... 11: default: case 12: return 2; } }",
    ),
];

/// Others that an optimiser makes one comparison of.
const MERGED: &[(&str, &str)] = &[
    ("digit", "int f(int c) { return c >= '0' && c <= '9'; }"),
    ("outside", "int f(int c) { if (c < 'a' || c > 'z') return 1; return 2; }"),
    ("unsigned", "int f(unsigned char c) { if (c >= 32 && c < 127) return 1; return 2; }"),
    ("percent", "unsigned f(unsigned n) { return n < 5 ? 5 : n > 95 ? 95 : n; }"),
];

fn explore(source: &str, options: &[&str]) -> Value {
    let scene = Scene::new(&[("f.c", source)]);
    let output = scene.run(&[&["run", "f.c", "--entry", "f", "--out", "out"], options].concat());
    assert_eq!(output.end, End::Exited(0), "{source}\n{}", output.stderr_text());
    scene.json("out/summary.json")
}

#[test]
fn clang_counts_the_same() {
    for (name, source) in CONDITIONS {
        let summary = explore(source, &[]);
        let coverage = &summary["coverage"];
        assert_eq!(coverage["branches"], coverage["native"]["branches"], "{name}: {summary:#}");
        assert_eq!(coverage["branches"]["covered"], coverage["branches"]["total"], "{name}: {summary:#}");
        assert_eq!(summary["stopped"], "exhausted", "{name}");
    }
}

#[test]
fn optimised_code_is_covered_as_well() {
    for (name, source) in CONDITIONS.iter().chain(MERGED) {
        for level in ["-O1", "-O2"] {
            let coverage = &explore(source, &["--", level])["coverage"];
            let branches = &coverage["native"]["branches"];
            assert_eq!(branches["covered"], branches["total"], "{name} at {level}: {coverage:#}");
        }
    }
}

#[test]
fn outcomes_split_no_paths() {
    let source = "struct s { int a[8]; };\n\
                  int f(struct s s) { int n = 0; for (int i = 0; i < 8; i++) n += s.a[i] > 3; return n; }";
    for options in [&[][..], &["--strategy", "bfs", "--no-snapshots"], &["--jobs", "2"], &["--patience", "1"]] {
        let summary = explore(source, &[options, &["--no-replay"]].concat());
        assert_eq!(summary["paths"], 1, "{options:?} {summary:#}");
        assert_eq!(summary["coverage"]["branches"], json!({ "covered": 4, "total": 4 }), "{options:?}");
        assert!(summary["tests"].as_u64() <= Some(2), "{options:?} {summary:#}");
    }
}

#[test]
fn what_no_input_does_is_left_over() {
    let summary = explore("int f(int a) { if (a > 5) { int b = a > 3; return b; } return 2; }", &[]);
    assert_eq!(summary["coverage"]["branches"], json!({ "covered": 3, "total": 4 }), "{summary:#}");
    assert_eq!(summary["stopped"], "exhausted");
}

#[test]
fn tests_of_outcomes_are_kept_and_continued() {
    let scene = Scene::new(&[("f.c", CONDITIONS[13].1)]);
    let explore = |options: &[&str]| scene.run(&[&["run", "f.c", "--entry", "f"], options].concat()).end;
    assert_eq!(explore(&["--out", "out", "--keep", "branches"]), End::Exited(0));
    let kept = scene.json("out/summary.json");
    assert_eq!((&kept["paths"], &kept["tests"]), (&json!(3), &json!(5)), "{kept:#}");
    assert_eq!(scene.run(&["replay", "out", "--vm"]).end, End::Exited(0));
    assert_eq!(explore(&["--resume", "out"]), End::Exited(0));
    let resumed = scene.json("out/summary.json");
    assert_eq!((&resumed["paths"], &resumed["tests"]), (&json!(3), &json!(5)), "{resumed:#}");
}

const SHOWN: &str = r#"#define EMPTY(q) (!(q))
static int zero(int n) { return n == 0; }
int f(int *p, int n) {
  if (!p)
    return -1;
  if (n == 3 || !n)
    return 1;
  while (!(n > 10))
    n += 5;
  if (EMPTY(n - 12))
    return 2;
  if (!zero(n - 13))
    return 3;
  return 100;
}
"#;

#[test]
fn conditions_are_shown_as_they_were_written() {
    let scene = Scene::new(&[("f.c", SHOWN)]);
    let output = scene.run(&["run", "f.c", "--entry", "f", "--max-paths", "40", "--out", "out"]);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    assert_eq!(scene.run(&["report", "out"]).end, End::Exited(0));
    let html = std::fs::read_to_string(scene.path("out/report.html")).expect("a page");
    let data = page::data(&html).expect("data in the page");
    for line in [4, 6] {
        assert_eq!(last_truths(&data, line), [true], "line {line}: only where it is true, the function returns");
    }
    for (line, is_shown) in [(4, true), (6, true), (8, true), (10, false), (12, true)] {
        assert_eq!(is_known(&data, line), is_shown, "line {line}");
    }
}

fn is_known(data: &Value, line: i64) -> bool {
    let sites = data["sites"].as_array().expect("sites");
    sites.iter().filter(|site| site[1] == line).all(|site| site[4] == 1)
}

/// What the condition in a line is in tests that decide nothing after it.
fn last_truths(data: &Value, line: i64) -> Vec<bool> {
    let paths = page::paths(data);
    let last = paths.iter().filter_map(|path| Some(&data["decisions"][*path.last()? as usize]));
    let is_here = |decision: &&Value| data["sites"][decision[0].as_i64().expect("a site") as usize][1] == line;
    let mut truths: Vec<bool> = last.filter(is_here).map(|decision| decision[2] == 1).collect();
    truths.dedup();
    truths
}
