//! Native runs of tests: each kind of bug is confirmed, wrong predictions are noticed, what is missing is named.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;
use spelunk_tests::annotations::Case;
use spelunk_tests::explore;
use spelunk_tests::process::End;
use spelunk_tests::scene::{Scene, spelunk};

/// Every kind of bug, at its line.
#[test]
fn every_kind_of_bug_is_confirmed() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("replay/kinds.c");
    let case = Case::load(&source).unwrap_or_else(|error| panic!("{error}"));
    let dir = tempfile::tempdir().expect("a temporary directory");
    explore::explore(spelunk(), &case, &[], dir.path()).unwrap_or_else(|error| panic!("{error}"));
}

const PROGRAM: &str = r#"
    #include <stdio.h>
    #include <string.h>
    int main(int argc, char **argv) {
      char line[8] = "";
      FILE *file = fopen("A", "r");
      if (argc > 2 && !strcmp(argv[2], "go"))
        return 3;
      if (fgets(line, sizeof line, stdin) && line[0] == 'x')
        return 4;
      if (file && fgetc(file) == 'y')
        return 5;
      return argc - 3;
    }"#;

#[test]
fn arguments_standard_input_and_files_come_from_the_test() {
    let scene = Scene::new(&[("p.c", PROGRAM)]);
    let inputs = ["--sym-arg", "2", "--sym-stdin", "2", "--sym-file", "A", "1", "--arg", "fixed"];
    let output = scene.run(&[&["run", "p.c", "--out", "out"], &inputs[..]].concat());
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    let summary = scene.json("out/summary.json");
    assert_eq!(summary["replay"]["as_predicted"], summary["tests"], "{summary}");
    assert_eq!(summary["replay"]["mismatches"], Value::Array(Vec::new()));
    let native = &summary["coverage"]["native"];
    assert_eq!(native["lines"]["covered"], native["lines"]["total"], "{native}");
    assert_eq!(native["differences"], Value::Array(Vec::new()), "{native}");
    let lcov = fs::read_to_string(scene.path("out/coverage.lcov")).expect("a file");
    assert!(lcov.contains("SF:") && lcov.contains("p.c\n"), "{lcov}");
}

/// The entry is `static`, in a program of two files that has a `main`.
const UNIT: &str = r#"
    struct cell { int value; struct cell *next; };
    extern int twice(int);
    static int third(struct cell *list) {
      int n = 0;
      for (; list; list = list->next)
        if (++n == 3)
          return 60 / (list->value - twice(21));
      return n;
    }
    int main(void) { return third(0); }"#;

fn unit() -> Scene {
    Scene::new(&[("unit.c", UNIT), ("other.c", "int twice(int n) { return 2 * n; }\n")])
}

const RUN_UNIT: [&str; 9] = ["run", "unit.c", "other.c", "--entry", "third", "--max-paths", "12", "--out", "out"];

#[test]
fn a_static_function_is_called_with_its_graph() {
    let scene = unit();
    let output = scene.run(&RUN_UNIT);
    assert_eq!(output.end, End::Exited(1), "{}", output.stderr_text());
    let summary = scene.json("out/summary.json");
    assert_eq!(summary["bugs"][0]["status"], "confirmed", "{summary}");
    assert_eq!(summary["replay"]["mismatches"], Value::Array(Vec::new()));
    let output = scene.run(&["replay", "out"]);
    assert_eq!(output.end, End::Exited(1), "{}", output.stderr_text());
    assert!(output.stdout_text().contains("unit.c:8: div-by-zero confirmed"), "{}", output.stdout_text());
}

#[test]
fn a_wrong_prediction_is_an_error_of_ours() {
    let scene = unit();
    scene.run(&[&RUN_UNIT[..], &["--no-replay"]].concat());
    let summary = scene.json("out/summary.json");
    assert_eq!(summary["bugs"][0]["status"], "unconfirmed");
    let bug = summary["bugs"][0]["test"].as_u64().expect("a number");
    let ordinary = if bug == 1 { 2 } else { 1 };
    scene.change(&format!("out/tests/{ordinary:06}.json"), |test| test["end"]["status"] = 7.into());
    let output = scene.run(&["replay", "out", "--test", &ordinary.to_string()]);
    assert_eq!(output.end, End::Exited(3), "{}", output.stderr_text());
    assert!(output.stderr_text().contains("instead of exit status 7"), "{}", output.stderr_text());
    // A bug that is said to be elsewhere is not confirmed.
    scene.change(&format!("out/tests/{bug:06}.json"), |test| test["end"]["line"] = 6.into());
    scene.change("out/summary.json", |summary| summary["bugs"][0]["line"] = 6.into());
    let output = scene.run(&["replay", "out", "--test", &bug.to_string()]);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    assert!(
        output.stdout_text().contains("unconfirmed: the native run shows division by zero"),
        "{}",
        output.stdout_text()
    );
}

#[test]
fn what_is_missing_is_named() {
    let scene = unit();
    // A compiler whose linker does not find the sanitizers.
    let compiler = "#!/bin/sh\ncase \" $* \" in *' -no-pie '*) echo 'cannot find libclang_rt.asan.a' >&2; exit 1;; esac\nexec clang-19 \"$@\"\n";
    fs::write(scene.path("clang"), compiler).expect("a writable directory");
    fs::set_permissions(scene.path("clang"), fs::Permissions::from_mode(0o755)).expect("the file is ours");
    let output = scene.run(&[&RUN_UNIT[..], &["--clang", "./clang"]].concat());
    assert_eq!(output.end, End::Exited(1), "{}", output.stderr_text());
    let summary = scene.json("out/summary.json");
    assert_eq!(summary["bugs"][0]["status"], "unconfirmed");
    let reason = summary["bugs"][0]["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("libclang-rt-19-dev"), "{reason}");
    assert_eq!(scene.run(&["replay", "out"]).end, End::Exited(2));

    scene.change("out/recipe.json", |recipe| recipe["version"] = 99.into());
    let output = scene.run(&["replay", "out"]);
    assert_eq!(output.end, End::Exited(2));
    assert!(output.stderr_text().contains("another version"), "{}", output.stderr_text());
    assert_eq!(scene.run(&["replay", "nowhere"]).end, End::Exited(2));
}
