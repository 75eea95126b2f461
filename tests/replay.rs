//! Native runs of tests: each kind of bug is confirmed, wrong predictions are noticed, what is missing is named.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use spelunk_tests::annotations::Case;
use spelunk_tests::config::CONFIGS;
use spelunk_tests::explore;
use spelunk_tests::process::{self, End};
use spelunk_tests::scene::{Scene, spelunk};

const LIMIT: Duration = Duration::from_secs(300);

/// Every kind of bug, at its line.
#[test]
fn every_kind_of_bug_is_confirmed() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("replay/kinds.c");
    let case = Case::load(&source).unwrap_or_else(|error| panic!("{error}"));
    let dir = tempfile::tempdir().expect("a temporary directory");
    explore::explore(spelunk(), &case, &[], dir.path()).unwrap_or_else(|error| panic!("{error}"));
}

/// What is the same for all programs is compiled by the first, and found by the next.
#[test]
fn the_runtime_is_compiled_once() {
    let scene = Scene::new(&[("p.c", "int f(int n) { return 7 / n; }")]);
    let clang = scene.path("clang");
    let log =
        format!("#!/bin/sh\necho \"$@\" >> {}/log\nexec {} \"$@\"\n", scene.dir.path().display(), CONFIGS[0].clang);
    fs::write(&clang, log).expect("a writable directory");
    fs::set_permissions(&clang, fs::Permissions::from_mode(0o755)).expect("a file of ours");
    let n_compiled = |out: &str| {
        let mut command = spelunk().command();
        command.args(["run", "p.c", "--entry", "f", "--clang", "./clang", "--out", out]).current_dir(scene.dir.path());
        let output = process::run(command.env("SPELUNK_CACHE", scene.path("cache")), b"", LIMIT).expect("it starts");
        assert_eq!(output.end, End::Exited(1), "{}", output.stderr_text());
        assert_eq!(scene.json(&format!("{out}/summary.json"))["bugs"][0]["status"], "confirmed");
        let log = fs::read_to_string(scene.path("log")).expect("the compiler was called");
        fs::remove_file(scene.path("log")).expect("a file of ours");
        log.lines().filter(|line| line.contains("/replay.c") || line.contains("/contain.c")).count()
    };
    assert_eq!([n_compiled("first"), n_compiled("second")], [2, 0]);
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
        output.stdout_text().contains("not reproduced natively: the native run shows division by zero"),
        "{}",
        output.stdout_text()
    );
}

/// The links of an XOR list are numbers made from addresses, which a single test meets in another order than the campaign.
const LOOPS: &str = r#"
    int odd(unsigned char x) { // the set speaks of a local variable
      while (x != 0)
        x -= 2;
      return x;
    }
    static unsigned char at;
    int odd_at(unsigned char x) { // and of one of the program
      at = x;
      while (at != 0)
        at -= 2;
      return at;
    }
    int turn(int x, int y) { // every second round
      unsigned char z = 1;
      while (x > 5 && y != 0 && z != 0) {
        x += y;
        y = -y;
        z -= 2;
      }
      return x;
    }
    int unread(int n) { // there is no condition
      unsigned long rounds = 0;
      for (int i = 0; i < 10;) {
        rounds++;
        if (n == 7)
          break;
      }
      return (int)rounds;
    }"#;

/// A native run is seen to be in the set that a loop never leaves, and need not be waited for.
#[test]
fn loops_that_never_end_are_seen_to_be_in_their_sets() {
    let scene = Scene::new(&[("p.c", LOOPS)]);
    let reason = |out: &str| {
        let bug = scene.json(&format!("{out}/summary.json"))["bugs"][0].clone();
        (bug["status"].as_str().unwrap_or_default().to_owned(), bug["reason"].as_str().unwrap_or_default().to_owned())
    };
    for (entry, words) in [
        ("odd", "in this set after 1000000 visits"),
        ("odd_at", "in this set after 1000000 visits"),
        ("turn", "in this set after 1000000 visits"),
        ("unread", "in the loop after 1000000 rounds"),
    ] {
        let output =
            scene.run(&["run", "p.c", "--entry", entry, "--check", "termination", "--depth", "12", "--out", entry]);
        assert_eq!(output.end, End::Exited(5), "{}", output.stderr_text());
        let (status, how) = reason(entry);
        assert!(status == "confirmed" && how.contains(words), "{entry}: {status}: {how}");
    }
    // Other conditions, and other input: what is seen then is what the test says no more.
    let test = |out: &str| {
        let number = scene.json(&format!("{out}/summary.json"))["bugs"][0]["test"].as_u64().expect("a number");
        format!("{out}/tests/{number:06}.json")
    };
    let set = scene.json(&test("odd"))["stays_in"].clone();
    assert_eq!(set["variables"][0]["name"], "x", "{set}");
    assert_eq!(scene.json(&test("odd_at"))["stays_in"]["variables"][0]["name"], "at");
    let replayed = |out: &str| {
        scene.run(&["replay", out]);
        reason(out)
    };
    scene.change(&test("odd"), |test| test["stays_in"]["condition"] = "x == 300".into());
    let (status, why) = replayed("odd");
    assert!(status == "unconfirmed" && why.contains("is not in the set"), "{status}: {why}");
    scene.change(&test("odd"), |test| test["stays_in"]["condition"] = "x < 50".into());
    let (status, why) = replayed("odd");
    assert!(status == "unconfirmed" && why.contains("is not in the set"), "{status}: {why}");
    let input = |test: &mut Value, bytes: &str| test["input"][0]["bytes"] = bytes.into();
    scene.change(&test("odd"), |test| {
        test["stays_in"] = set;
        input(test, "08");
    });
    let (status, why) = replayed("odd");
    assert!(status == "unconfirmed" && why.contains("never in the set, and ends after 5 visits"), "{status}: {why}");
    scene.change(&test("unread"), |test| input(test, "07000000"));
    let (status, why) = replayed("unread");
    assert!(status == "unconfirmed" && why.contains("leaves the loop after 1 visit"), "{status}: {why}");
}

#[test]
fn tests_take_their_paths_again_in_the_vm() {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("structures/xorlist.c");
    let source = fs::read_to_string(&list).unwrap_or_else(|error| panic!("{}: {error}", list.display()));
    let scene = Scene::new(&[("xorlist.c", &source)]);
    let run = ["run", "xorlist.c", "--entry", "xlist_remove", "--assume", "xlist_ok", "--no-replay", "--out", "out"];
    assert_eq!(scene.run(&run).end, End::Exited(0));
    let n_tests = scene.json("out/summary.json")["tests"].as_u64().expect("a number");
    let output = scene.run(&["replay", "out", "--vm"]);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    let all = format!("{n_tests} tests: {n_tests} as written, 0 show a bug, 0 otherwise\n");
    assert_eq!(output.stdout_text(), all);

    scene.change("out/tests/000002.json", |test| test["end"]["status"] = 7.into());
    scene.change("out/tests/000003.json", |test| test["decisions"][0][2] = 9.into());
    let output = scene.run(&["replay", "out", "--vm"]);
    assert_eq!(output.end, End::Exited(3), "{}", output.stderr_text());
    let said = output.stderr_text();
    assert!(said.contains("test 2 is not what happens: it ends with") && said.contains("test 3 is not"), "{said}");
    assert_eq!(said.lines().count(), 2, "{said}");
    assert_eq!(scene.run(&["replay", "out", "--vm", "--test", "1"]).end, End::Exited(0));
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

/// A bug behind what only files of the directory and addresses decide.
const SURROUNDED: &str = r#"
    #include <stdint.h>
    #include <stdio.h>
    struct pair { uintptr_t both; int *left, *right; };
    int swap(struct pair *p) {
      if (!p || !p->left || !p->right || p->both != ((uintptr_t)p->left ^ (uintptr_t)p->right))
        return 0;
      FILE *file = fopen("data/limit.txt", "r");
      int limit = 0;
      if (!file || fscanf(file, "%d", &limit) != 1)
        return 1;
      fclose(file);
      return *p->left / (*p->right - limit);
    }"#;

#[test]
fn programs_that_look_at_addresses_and_files_find_those_of_the_vm() {
    let scene = Scene::new(&[("swap.c", SURROUNDED)]);
    fs::create_dir(scene.path("data")).expect("a writable directory");
    fs::write(scene.path("data/limit.txt"), "42\n").expect("a writable directory");
    // What an earlier campaign has left is more than is copied.
    fs::create_dir(scene.path("before")).expect("a writable directory");
    fs::write(scene.path("before/recipe.json"), "{}").expect("a writable directory");
    (0..600).for_each(|i| fs::write(scene.path(&format!("before/{i}")), "").expect("a writable directory"));
    let output = scene.run(&["run", "swap.c", "--entry", "swap", "--max-paths", "40", "--out", "out"]);
    assert_eq!(output.end, End::Exited(1), "{}", output.stderr_text());
    let summary = scene.json("out/summary.json");
    assert_eq!(summary["replay"]["mismatches"], Value::Array(Vec::new()), "{summary}");
    assert_eq!(summary["replay"]["unconfirmed"], 0, "{summary}");
    let kinds: Vec<_> = summary["bugs"].as_array().expect("bugs").iter().map(|bug| bug["kind"].clone()).collect();
    assert!(kinds.contains(&"div-by-zero".into()), "{kinds:?}");
    // The user's file is as it was, though tests may write to theirs.
    assert_eq!(fs::read_to_string(scene.path("data/limit.txt")).expect("a file"), "42\n");
}

#[test]
fn llvm_ir_is_replayed_without_coverage() {
    let scene = unit();
    for (source, target, flags) in [("unit.c", "unit.ll", "-S"), ("other.c", "other.bc", "-c")] {
        let mut clang = Command::new("clang-19");
        clang.args(["-g", "-emit-llvm", flags, source, "-o", target]).current_dir(scene.dir.path());
        assert!(clang.status().expect("clang-19 starts").success());
    }
    let run = |entry: &str| {
        let args = ["run", "unit.ll", "other.bc", "--entry", entry, "--max-paths", "12", "--out", entry];
        (scene.run(&args), scene.json(&format!("{entry}/summary.json")))
    };
    // No code of ours can stand beside what is `static`.
    let (_, summary) = run("third");
    let problem = summary["replay"]["problem"].as_str().unwrap_or_default();
    assert!(problem.contains("`third` is `static` in unit.ll") && problem.contains("name the C source"), "{summary}");
    let (output, summary) = run("twice");
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    assert_eq!(summary["replay"]["as_predicted"], summary["tests"], "{summary}");
    assert_eq!(summary["coverage"]["native"], Value::Null);
}

/// AddressSanitizer watches functions of LLVM IR too.
#[test]
fn bugs_in_llvm_ir_are_confirmed() {
    let source = "int get(int *p, unsigned i) { if (p && i < 9) return p[i]; return 0; }\n";
    let scene = Scene::new(&[("get.c", source)]);
    let mut clang = Command::new("clang-19");
    clang.args(["-g", "-emit-llvm", "-S", "get.c"]).current_dir(scene.dir.path());
    assert!(clang.status().expect("clang-19 starts").success());
    scene.run(&["run", "get.ll", "--entry", "get", "--out", "out"]);
    let summary = scene.json("out/summary.json");
    assert_eq!(summary["bugs"][0]["kind"], "out-of-bounds", "{summary}");
    assert_eq!(summary["bugs"][0]["status"], "confirmed", "{summary}");
}

#[test]
fn a_place_that_cannot_be_written_to_costs_no_results() {
    let scene = unit();
    scene.run(&[&RUN_UNIT[..], &["--no-replay"]].concat());
    let before = scene.json("out/summary.json");
    let mut command = spelunk().command();
    // A file is no directory; nobody can write there, whoever they are.
    command.args(["replay", "out"]).current_dir(scene.dir.path()).env("TMPDIR", scene.path("other.c"));
    let output = process::run(&mut command, b"", Duration::from_secs(300)).expect("spelunk starts");
    assert_eq!(output.end, End::Exited(2), "{}", output.stderr_text());
    assert!(output.stderr_text().contains("other.c"), "{}", output.stderr_text());
    assert_eq!(scene.json("out/summary.json"), before);
    assert_eq!(scene.run(&["replay", "out"]).end, End::Exited(1));
    assert_eq!(scene.json("out/summary.json")["bugs"][0]["status"], "confirmed");
}

#[test]
fn files_of_another_version_are_refused_by_every_command() {
    let scene = unit();
    scene.run(&[&RUN_UNIT[..], &["--no-replay"]].concat());
    let commands: [(&str, &[&str]); 8] = [
        ("recipe.json", &["replay", "out"]),
        ("tests/000001.json", &["replay", "out"]),
        ("summary.json", &["replay", "out"]),
        ("summary.json", &["report", "out"]),
        ("profile.json", &["report", "out"]),
        ("tests/000001.json", &["show", "out"]),
        ("types.json", &["show", "out"]),
        ("tests/000001.json", &["exec", "unit.c", "other.c", "--test", "out/tests/000001.json"]),
    ];
    for (file, args) in commands {
        let file = format!("out/{file}");
        scene.change(&file, |json| json["version"] = 99.into());
        let output = scene.run(args);
        assert_eq!(output.end, End::Exited(2), "{args:?} with {file}: {}", output.stderr_text());
        let message = output.stderr_text();
        assert!(message.contains(&format!("{file} was written by another version of spelunk (format 99")), "{message}");
        scene.change(&file, |json| json["version"] = 1.into());
    }
    assert_eq!(scene.run(&["show", "out"]).end, End::Exited(0));
}

/// Tests of earlier versions, and those that people write, have names for objects and no keys.
#[test]
fn objects_may_be_known_by_their_names_alone() {
    let source = "struct node { int value; struct node *next; };\nextern struct node *made(void);\n\
                  int f(struct node *l) {\n  struct node *m = made();\n  \
                  if (l && l->next && l->next->next == l && l->next->value == 5)\n    return 1;\n  \
                  if (m && m->value == 7)\n    return m->next == m ? 2 : 3;\n  return 0;\n}\n";
    let scene = Scene::new(&[("p.c", source)]);
    let output = scene.run(&["run", "p.c", "--entry", "f", "--nesting", "2", "--no-replay", "--out", "out"]);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    let n_tests = scene.tests("out").len();
    assert!(n_tests > 4, "{n_tests} tests");
    for number in 1..=n_tests {
        scene.change(&format!("out/tests/{number:06}.json"), |test| {
            for object in test["input"].as_array_mut().expect("a list") {
                object.as_object_mut().expect("an object").remove("key").expect("a key");
            }
        });
    }
    for (how, words) in [(&["--vm"][..], "as written"), (&[], "as predicted")] {
        let output = scene.run(&[&["replay", "out"], how].concat());
        let text = output.stdout_text();
        assert_eq!(output.end, End::Exited(0), "{text}{}", output.stderr_text());
        assert!(text.contains(&format!("{n_tests} tests: {n_tests} {words}")), "{text}");
    }
    let output = scene.run(&["export", "out", "--format", "c"]);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    let checked = Command::new("make").arg("-C").arg(scene.path("out/export-c")).arg("check").output().expect("make");
    let text = String::from_utf8_lossy(&checked.stdout);
    assert!(checked.status.success() && text.contains(&format!("{n_tests} tests: {n_tests} passed")), "{text}");
    let output = scene.run(&["run", "--resume", "out"]);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    assert_eq!(scene.json("out/summary.json")["tests"], n_tests);
}
