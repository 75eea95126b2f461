//! Independent inputs: with `--partition auto` the same lines are reached and the same bugs found as without, by no more paths.
//!
//! Programs are those of `partition/` and of `explore/`; made ones are in `crates/explore/tests/flows`.

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

/// A program, its function, the rules for its heap, and how many objects there may be.
const RULED: [(&str, &str, &str, &str); 8] = [
    ("hex_checks.c", "limited", "hex_checks.hex", "node=2"),
    ("hex_checks.c", "kinds", "hex_checks_branch.hex", "pair=2"),
    ("hex_checks.c", "total", "hex_checks_sum.hex", "node=3"),
    ("hex_dead_end.c", "visit", "hex_dead_end.hex", "dnode=2"),
    ("hex_inside.c", "through", "hex_inside.hex", "node=2"),
    ("hex_intrusive.c", "find", "hex_intrusive.hex", "item=2"),
    ("hex_results.c", "append", "hex_results_given.hex", "node=3"),
    ("hex_tree.c", "compare", "hex_two_trees.hex", "tree=2"),
];

#[test]
fn heaps_with_rules_reach_the_same() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("structures");
    for (program, entry, rules, objects) in RULED {
        let rules = dir.join(rules).display().to_string();
        let options = ["--entry", entry, "--hex", &rules, &format!("--objects=struct {objects}")].map(str::to_owned);
        compare(&dir.join(program), &options, &[]);
    }
}

#[test]
fn texts_of_a_grammar_reach_the_same() {
    let program = "#include <stdio.h>
int n, m;
int main(void) {
  char text[64] = {0};
  int length = fread(text, 1, 63, stdin);
  if (text[0] == 's')
    m++;
  for (int i = 4; i < length; i += 2)
    if (text[i] == '7')
      n++;
#ifdef COUNTS
  if (text[0] == 's' && n == 3 && length > 7)
    m++;
#endif
  return 0;
}
";
    let list = "text : verb items ; verb : \"set \" | \"get \" ; items : ITEM | items \",\" ITEM ; ITEM : /[0-9]/ ;";
    let scene = Scene::new(&[("list.c", program), ("list.g", list)]);
    let grammar = scene.path("list.g").display().to_string();
    let options = ["--grammar", &grammar, "--max-size", "6"].map(str::to_owned);
    let [all, parts] = compare(&scene.path("list.c"), &options, &[]);
    assert_eq!((all.n_paths(), parts.n_paths()), (60, 28), "numbers are independent of each other");
    compare(&scene.path("list.c"), &options, &["-DCOUNTS".to_owned()]);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let scene = Scene::new(&[("x.c", "int f(int a) { return a; }")]);
    for other in ["--check=termination", "--check=memory-limit", "--audit=f"] {
        let output = scene.run(&["run", "x.c", "--entry", "f", "--partition", "auto", other]);
        assert!(output.stderr_text().contains("--partition does not go together with"), "{}", output.stderr_text());
    }
    let output = scene.run(&["run", "x.c", "--entry", "f", "--partition", "no-such-file"]);
    assert!(output.stderr_text().contains("cannot read"), "{}", output.stderr_text());
}
