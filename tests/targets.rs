//! Reaching a line: what `--target` and `--changed` say is so, and nothing is said that is not.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use spelunk_engine::plan::{Search, Tests};
use spelunk_engine::targets::TargetError;
use spelunk_engine::{Campaign, EngineError, Plan, Program};
use spelunk_explore::strategy::Kind;
use spelunk_report::suite::Summary;
use spelunk_report::suite::summary::TargetStatus;
use spelunk_tests::annotations::Case;
use spelunk_tests::explored_programs;
use spelunk_tests::process::End;
use spelunk_tests::scene::Scene;
use spelunk_tests::ways::Explored;

/// Explores a program with one target.
fn aimed(plan: &Plan, program: &Program, target: &str) -> Option<Summary> {
    let search = Search { strategy: Kind::Target, ..plan.search.clone() };
    let tests = Tests { are_replayed: false, ..plan.tests.clone() };
    let plan = Plan { targets: vec![target.to_owned()], search, tests, ..plan.clone() };
    let program = match program.aimed(&plan) {
        Err(EngineError::Target(TargetError::NoCode { .. })) => return None,
        program => program.expect("a target"),
    };
    let dir = tempfile::tempdir().expect("a temporary directory");
    let campaign = Campaign::new(&plan, &program, &plan.deadline(), &());
    let ended = campaign.run(&program.subjects()[0], &dir.path().join("out")).expect("a campaign");
    Some(ended.summary)
}

/// The lines of a program that some path reaches by the account of a campaign without targets, if that is exhausted.
fn covered(plan: &Plan, program: &Program) -> Option<BTreeSet<u64>> {
    let program = &program.aimed(plan).expect("a plan without targets");
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("out");
    let ended =
        Campaign::new(plan, program, &plan.deadline(), &()).run(&program.subjects()[0], &out).expect("a campaign");
    let profile: Value = serde_json::from_slice(&std::fs::read(out.join("profile.json")).unwrap()).unwrap();
    let lines = profile["files"][0]["lines"].as_array()?.clone();
    let covered = lines.iter().filter(|line| line[1] == Value::Bool(true)).filter_map(|line| line[0].as_u64());
    matches!(&*ended.summary.stopped, "exhausted" | "bounded").then(|| covered.collect())
}

/// Every line of every program, one after another, against what exploring all of the program shows.
#[test]
fn a_line_is_reached_if_and_only_if_some_path_reaches_it() {
    let mut n_compared = 0;
    for path in explored_programs() {
        let explored = Explored::new(Case::load(&path).expect("a program"));
        let plan = explored.plan().expect("a plan");
        // With a target, so that functions may be summarised.
        let aimed_plan = Plan { targets: vec!["main".to_owned()], ..plan.clone() };
        let program = Program::load(&aimed_plan, &plan.deadline(), &()).expect("a program");
        let Some(covered) = covered(&plan, &program) else { continue };
        let n_lines = std::fs::read_to_string(&path).expect("a source").lines().count() as u64;
        for line in 1..=n_lines {
            let Some(summary) = aimed(&plan, &program, &format!("{}:{line}", path.display())) else { continue };
            let expected = if covered.contains(&line) { TargetStatus::Reached } else { TargetStatus::Unreachable };
            let target = &summary.targets[0];
            assert_eq!(target.status, expected, "{}:{line}: {target:?}", path.display());
            n_compared += 1;
        }
    }
    assert!(n_compared > 300, "{n_compared}");
}

/// The assertion of a program of `targets/` fails after so many paths at most.
fn assert_found(name: &str, args: &[&str], at_most: u64) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("targets").join(name);
    let scene = Scene::new(&[("calls.c", &std::fs::read_to_string(source).expect("a source"))]);
    let summary = run(&scene, &[args, &["--target", "assert@calls.c", "--time", "60s"]].concat());
    assert_eq!(summary["targets"][0]["status"], "reached", "{name}: {summary:#}");
    assert!(summary["paths"].as_u64().unwrap() <= at_most, "{name}: {summary:#}");
    // A test takes its path again, without any of this.
    let test = summary["targets"][0]["test"].as_u64().unwrap();
    let again = scene.run(&["exec", "calls.c", "--test", &format!("out/tests/{test:06}.json")]);
    assert_eq!(again.end, End::Exited(1), "{}", again.stderr_text());
    assert!(again.stderr_text().contains("assertion failed"), "{}", again.stderr_text());
}

/// At most as many executions as the paper has: 37 and 144.
#[test]
fn targets_behind_many_paths_are_reached() {
    assert_found("testabs.c", &["--entry", "test_abs"], 2);
    assert_found("hwm.c", &["--entry", "hwm", "--param", "s=string:32"], 37);
    assert_found("parser.c", &["--entry", "parser", "--param", "s=string:40"], 144);
    // How many paths it takes depends on how long queries do: 54 on a machine that is not busy.
    assert_found("incdec.c", &["--entry", "incdec"], 1000);
}

#[test]
fn what_a_summary_is_bound_by_is_told() {
    // The words don't fit into a string of the usual length, which says nothing of longer ones.
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("targets/hwm.c");
    let scene = Scene::new(&[("calls.c", &std::fs::read_to_string(source).expect("a source"))]);
    let summary = run(&scene, &["--entry", "hwm", "--target", "assert@calls.c"]);
    let target = &summary["targets"][0];
    assert_eq!((&target["status"], &summary["stopped"]), (&"unreachable".into(), &"bounded".into()), "{summary:#}");
    let relies_on = target["relies_on"].as_array().expect("it does");
    assert!(relies_on.iter().any(|line| line["kind"] == "string-length"), "{summary:#}");
}

const CALLS: &str = "#include <stdlib.h>
int twice(int x) {
  if (x > 1000)
    return 1000;
  return 2 * x;
}
int stub(void);
int f(int x, int y, int *p) {
  if (twice(x) == 84)
    return twice(y);
  if (y == 7)
    exit(0);
  int z = *p;
  return z +
         1;
}
int g(int x) {
  if (x == 3 && x == 4)
    return 1;
  if (stub() == 5 && x < 0 && x > 0)
    return 2;
  return 0;
}
unsigned h(unsigned n) {
  unsigned s = 0;
  for (unsigned i = 0; i < n; i++)
    s += i;
  if (s == 123456789)
    return 1;
  return 0;
}
";

fn run(scene: &Scene, args: &[&str]) -> Value {
    let mut all = vec!["run", "calls.c", "--no-replay", "--out", "out"];
    all.extend(args);
    let output = scene.run(&all);
    assert!(matches!(output.end, End::Exited(0 | 1 | 4..=6)), "{}", output.stderr_text());
    scene.json("out/summary.json")
}

#[test]
fn a_run_that_ends_before_a_line_does_not_reach_it() {
    // The first run dereferences null on line 13, in the block of line 14.
    let scene = Scene::new(&[("calls.c", CALLS)]);
    let summary = run(&scene, &["--entry", "f", "--target", "calls.c:14"]);
    assert_eq!(summary["targets"][0]["status"], "reached");
    let test = summary["targets"][0]["test"].as_u64().unwrap() as usize;
    assert_eq!(scene.tests("out")[test - 1]["end"]["kind"], "exited", "{summary:#}");
}

#[test]
fn what_leads_to_no_target_is_not_explored() {
    let scene = Scene::new(&[("calls.c", CALLS)]);
    let summary = run(&scene, &["--entry", "f", "--target", "calls.c:10"]);
    assert_eq!(summary["targets"][0]["status"], "reached");
    // Neither what `y` is nor where `p` leads matters.
    assert!(summary["paths"].as_u64().unwrap() <= 3, "{summary:#}");
    assert_eq!(summary["stopped"], "targets");
    assert_eq!(summary["exhausted"], false);
    let ledger = summary["ledger"].as_array().unwrap();
    assert!(
        ledger.iter().any(|line| line["kind"] == "beside-targets" && line["effect"] == "beyond-bound"),
        "{summary:#}"
    );
}

#[test]
fn a_bug_of_a_kind_is_a_target() {
    let scene = Scene::new(&[("calls.c", CALLS)]);
    let summary = run(&scene, &["--entry", "f", "--target", "null-deref@calls.c:13"]);
    assert_eq!(summary["targets"][0]["status"], "reached", "{summary:#}");
    let test = summary["targets"][0]["test"].as_u64().unwrap() as usize;
    assert_eq!(scene.tests("out")[test - 1]["end"]["bug"], "null-deref");
    std::fs::remove_dir_all(scene.path("out")).unwrap();
    let summary = run(&scene, &["--entry", "f", "--target", "div-by-zero@f"]);
    assert_eq!(summary["targets"][0]["status"], "unreachable", "{summary:#}");
}

#[test]
fn unreachable_says_what_it_relies_on() {
    let scene = Scene::new(&[("calls.c", CALLS)]);
    let summary = run(&scene, &["--entry", "g", "--target", "calls.c:19", "--target", "calls.c:21", "--target", "f"]);
    let [first, second, third] = [0, 1, 2].map(|number| &summary["targets"][number]);
    assert_eq!((&first["status"], &first["relies_on"]), (&"unreachable".into(), &Value::Null), "{summary:#}");
    assert_eq!(second["status"], "unreachable", "{summary:#}");
    assert_eq!(second["relies_on"][0]["kind"], "unmodelled-call", "{summary:#}");
    assert_eq!(third["status"], "unreachable", "{summary:#}");
}

#[test]
fn unreachable_names_preconditions() {
    let program = "int valid(int x) { return x < 5; }
int f(int x) {
  if (x > 10)
    return 1;
  return 0;
}
struct n { struct n *next; };
int g(struct n *l) {
  if (l && l->next == l)
    return 1;
  return 0;
}
int other(void) { return 0; }
";
    let scene = Scene::new(&[("calls.c", program), ("list.hex", "l(.next)+ aliases nothing\n")]);
    let relies_on = |args: &[&str]| -> (Value, Vec<String>) {
        let summary = run(&scene, args);
        std::fs::remove_dir_all(scene.path("out")).unwrap();
        let lines = summary["targets"][0]["relies_on"].as_array().cloned().unwrap_or_default();
        let details = lines.iter().filter(|line| line["kind"] == "precondition").map(|line| line["detail"].clone());
        let details = details.map(|detail| detail.as_str().unwrap_or_default().to_owned()).collect();
        (summary["targets"][0]["status"].clone(), details)
    };
    let unreachable = |detail: &str| -> (Value, Vec<String>) { ("unreachable".into(), vec![detail.to_owned()]) };
    assert_eq!(
        relies_on(&["--entry", "f", "--assume", "valid", "--target", "calls.c:4"]),
        unreachable("`--assume valid`")
    );
    assert_eq!(
        relies_on(&["--entry", "g", "--hex", "list.hex", "--target", "calls.c:10"]),
        unreachable("the rules of list.hex")
    );
    // Where no way leads, nothing has to be assumed.
    assert_eq!(
        relies_on(&["--entry", "f", "--assume", "valid", "--target", "other"]),
        ("unreachable".into(), Vec::new())
    );
}

#[test]
fn open_says_how_near_it_came() {
    let scene = Scene::new(&[("calls.c", CALLS)]);
    let summary = run(&scene, &["--entry", "h", "--target", "calls.c:29", "--max-paths", "5"]);
    let target = &summary["targets"][0];
    assert_eq!(target["status"], "open", "{summary:#}");
    assert_eq!(
        (&target["nearest"]["line"], &target["nearest"]["never"]),
        (&28.into(), &"never true".into()),
        "{summary:#}"
    );
}

#[test]
fn several_threads_and_a_second_attempt_reach_the_same() {
    let scene = Scene::new(&[("calls.c", CALLS)]);
    let targets =
        ["--target", "calls.c:10", "--target", "calls.c:12", "--target", "calls.c:4", "--target", "uncovered"];
    let statuses = |summary: &Value| -> Vec<Value> {
        summary["targets"].as_array().unwrap().iter().map(|target| target["status"].clone()).collect()
    };
    let one = run(&scene, &[&["--entry", "f"], &targets[..]].concat());
    std::fs::remove_dir_all(scene.path("out")).unwrap();
    let many = run(&scene, &[&["--entry", "f", "--jobs", "4"], &targets[..]].concat());
    assert_eq!(statuses(&one), statuses(&many));
    std::fs::remove_dir_all(scene.path("out")).unwrap();
    run(&scene, &[&["--entry", "f", "--max-paths", "1"], &targets[..]].concat());
    let output = scene.run(&["run", "--resume", "out", "--max-paths", "1000", "--no-replay"]);
    assert!(matches!(output.end, End::Exited(0 | 1 | 4..=6)), "{}", output.stderr_text());
    let resumed = scene.json("out/summary.json");
    assert_eq!(statuses(&one), statuses(&resumed));
    let tests = scene.tests("out").len() as u64;
    let reached = resumed["targets"].as_array().unwrap().iter().filter_map(|target| target["test"].as_u64());
    assert!(reached.clone().count() > 3 && reached.clone().all(|test| test >= 1 && test <= tests), "{resumed:#}");
}

#[test]
fn inputs_that_are_none_reach_nothing() {
    let program = "#include <spelunk.h>
int main(void) {
  int x = 0;
  spelunk_symbolic(&x, sizeof x, \"x\");
  if (x == 5)
    x++;
  spelunk_assume(x > 10);
  return 0;
}
";
    let scene = Scene::new(&[("calls.c", program)]);
    let summary = run(&scene, &["--target", "calls.c:6"]);
    assert_eq!(summary["targets"][0]["status"], "unreachable", "{summary:#}");
}

#[test]
fn control_comes_back_by_longjmp_and_through_the_library() {
    let program = "#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
static jmp_buf back;
static int deep(int x) {
  if (x == 77)
    longjmp(back, 1);
  exit(0);
}
int order(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  if (x == y)
    return 0;
  return x < y ? -1 : 1;
}
int f(int x, char *s, int *two) {
  if (setjmp(back))
    return 1;
  if (strcmp(s, \"key\") == 0)
    deep(x);
  qsort(two, 2, sizeof *two, order);
  return 0;
}
";
    let scene = Scene::new(&[("calls.c", program)]);
    let args = ["--entry", "f", "--param", "s=string:4", "--param", "two=array:2", "--time", "60s"];
    let summary = run(&scene, &[&args[..], &["--target", "calls.c:18", "--target", "calls.c:13"]].concat());
    assert_eq!(
        [0, 1].map(|number| &summary["targets"][number]["status"]),
        [&"reached".into(), &Value::from("reached")],
        "{summary:#}"
    );
}

#[test]
fn calls_through_pointers_of_other_types_lead_there() {
    let program = "typedef int (*any)();
static int one(int x) {
  if (x == 5)
    return 7;
  return 0;
}
static int two(unsigned x, char *s) {
  if (x == 6 && s)
    return 8;
  return 0;
}
static any table[2] = {(any)one, (any)two};
static int (*wide)(long, void *) = (int (*)(long, void *))two;
int f(int k, int x) {
  if (k == 0)
    return table[0](x);
  if (k == 1)
    return wide(x, &k);
  return 0;
}
";
    let scene = Scene::new(&[("calls.c", program)]);
    let summary = run(&scene, &["--entry", "f", "--target", "calls.c:4", "--target", "calls.c:9"]);
    let statuses = [0, 1].map(|number| &summary["targets"][number]["status"]);
    assert_eq!(statuses, [&"reached".into(), &Value::from("reached")], "{summary:#}");
}

/// The kinds of ledger lines that a verdict relies on.
fn relied_on(summary: &Value) -> Vec<String> {
    let target = &summary["targets"][0];
    assert_eq!(target["status"], "unreachable", "{summary:#}");
    let lines = target["relies_on"].as_array().cloned().unwrap_or_default();
    lines.iter().map(|line| line["kind"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn unreachable_says_which_objects_would_have_to_be_larger() {
    let program = "#include <string.h>
int one(int *p) {
  if (p && p[3] == 4)
    return 1;
  return 0;
}
int at(int *p, unsigned i) {
  if (p && p[i] == 4 && i == 3)
    return 1;
  return 0;
}
static int third(const int *p, unsigned i) {
  if (p[i] == 4)
    return 5;
  return p[i] == 6;
}
int inside(int *p, unsigned i) {
  if (p && third(p, i) == 5 && i == 3)
    return 1;
  return 0;
}
int copied(int *p, unsigned n) {
  int copy[8] = {0};
  if (!p || n > sizeof copy)
    return 0;
  memcpy(copy, p, n);
  if (copy[3] == 4)
    return 1;
  return 0;
}
int text(const char *s) {
  if (s[39] == 4)
    return 1;
  return 0;
}
int whole(const int *p) {
  if (p && *p == 4 && *p == 5)
    return 1;
  return 0;
}
";
    let scene = Scene::new(&[("calls.c", program)]);
    let lines = [
        ("one", 4, "object-size"),
        ("at", 9, "object-size"),
        ("inside", 19, "object-size"),
        ("copied", 28, "object-size"),
        ("text", 33, "string-length"),
    ];
    for (function, line, kind) in lines {
        let summary = run(&scene, &["--entry", function, "--target", &format!("calls.c:{line}")]);
        assert!(relied_on(&summary).iter().any(|found| found == kind), "{function}: {summary:#}");
        assert!(summary["ledger"].as_array().unwrap().iter().all(|line| line["kind"] != "object-size"), "{summary:#}");
        std::fs::remove_dir_all(scene.path("out")).unwrap();
    }
    let summary = run(&scene, &["--entry", "whole", "--target", "calls.c:38"]);
    assert_eq!(relied_on(&summary), [""; 0], "{summary:#}");
}

#[test]
fn unreachable_says_how_a_program_is_started() {
    let program = "#include <stdio.h>
int main(int argc, char **argv) {
  int c = getchar();
  if (argc > 2 && argv[1][0] == 'x')
    return 1;
  if (c == 'y')
    return 2;
  return 0;
}
";
    let scene = Scene::new(&[("calls.c", program)]);
    let details = |args: &[&str]| -> Value {
        let summary = run(&scene, args);
        std::fs::remove_dir_all(scene.path("out")).unwrap();
        assert!(relied_on(&summary).contains(&"precondition".to_owned()), "{summary:#}");
        summary["targets"][0]["relies_on"].as_array().unwrap().last().unwrap()["detail"].clone()
    };
    assert_eq!(details(&["--target", "calls.c:7"]), "the program has no arguments and empty standard input");
    assert_eq!(details(&["--target", "calls.c:5", "--sym-stdin", "2", "--sym-arg", "2"]), "the program has 1 argument");
}

#[test]
fn guessed_buffers_have_room_for_more_than_the_first_word() {
    let program = "#include <stddef.h>
int request(const char *buf, size_t len) {
  static const char wanted[] = \"GET /a HTTP/1.1\";
  for (size_t i = 0; i < sizeof wanted - 1; i++)
    if (i >= len || buf[i] != wanted[i])
      return -1;
  return 0;
}
";
    let scene = Scene::new(&[("calls.c", program)]);
    let summary = run(&scene, &["--entry", "request", "--target", "calls.c:7"]);
    assert_eq!(summary["guessed"][0], "buf=array:len<=64", "{summary:#}");
    assert_eq!(summary["targets"][0]["status"], "reached", "{summary:#}");
    // What a user says counts.
    std::fs::remove_dir_all(scene.path("out")).unwrap();
    let summary = run(&scene, &["--entry", "request", "--param", "buf=array:len<=8", "--target", "calls.c:7"]);
    assert!(relied_on(&summary).contains(&"array-length".to_owned()), "{summary:#}");
}

#[test]
fn targets_that_are_none_are_refused() {
    let scene = Scene::new(&[("calls.c", CALLS)]);
    let refused = |target: &str, words: &[&str]| {
        let output = scene.run(&["run", "calls.c", "--entry", "f", "--target", target]);
        assert_eq!(output.end, End::Exited(2), "{target}");
        let stderr = output.stderr_text();
        assert!(words.iter().all(|word| stderr.contains(word)), "{target}: {stderr}");
    };
    refused("calls.c:7", &["no code on line 7", "nearest line with code is 6"]);
    refused("calls.c:700", &["no code on line 700", "nearest line with code is 31"]);
    refused("calls.c:9:1", &["column 1", "columns with code are"]);
    refused("other.c:7", &["other.c", "its files are calls.c"]);
    refused("nobody", &["no function `nobody`"]);
    refused("overrun@calls.c:9", &["no kind of bug", "out-of-bounds"]);
    refused("assert@f", &["no assertion in f"]);
}

/// Line 3 of `lib.c` is changed, and lines 7 to 9 are added.
const BEFORE: &str = "int trim(int n) {
  if (n > 100)
    return 100;
  return n;
}
int scale(int n) {
  return 3 * n;
}
int other(int n) {
  return n == 4;
}
";
const AFTER: &str = "int trim(int n) {
  if (n > 100)
    return 99;
  return n;
}
int scale(int n) {
  /* A comment has no code. */
  if (n == 12345)
    return 0;
  return 3 * n;
}
int other(int n) {
  return n == 4;
}
";
const PATCH: &str = "--- a/lib.c
+++ b/lib.c
@@ -1,8 +1,11 @@
 int trim(int n) {
   if (n > 100)
-    return 100;
+    return 99;
   return n;
 }
 int scale(int n) {
+  /* A comment has no code. */
+  if (n == 12345)
+    return 0;
   return 3 * n;
 }
";

/// What became of changed lines, by the function that was tested.
fn changed(scene: &Scene, function: &str) -> Vec<(String, String)> {
    let summary = scene.json(&format!("out/{function}/summary.json"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let targets = summary["targets"].as_array().unwrap();
    targets.iter().map(|target| (text(&target["target"]), text(&target["status"]))).collect()
}

fn assert_changes_are_tested(scene: &Scene) {
    let lines = ["lib.c:3", "lib.c:8", "lib.c:9"];
    let expect = |function: &str, reached: &[&str]| {
        let status = |line: &str| if reached.contains(&line) { "reached" } else { "unreachable" };
        let expected: Vec<_> = lines.iter().map(|line| (line.to_string(), status(line).to_owned())).collect();
        assert_eq!(changed(scene, function), expected, "{function}");
    };
    expect("trim", &lines[..1]);
    expect("scale", &lines[1..]);
    assert!(!scene.path("out/other").exists(), "what was not changed is not tested");
}

#[test]
fn a_patch_says_which_lines_to_test() {
    let scene = Scene::new(&[("lib.c", AFTER), ("change.patch", PATCH)]);
    let args = ["run", "lib.c", "--entry", "all", "--changed", "change.patch", "--no-replay", "--out", "out"];
    let output = scene.run(&args);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    assert_changes_are_tested(&scene);
    // What was changed is known to whoever goes on, without the patch.
    std::fs::remove_file(scene.path("change.patch")).unwrap();
    assert_eq!(scene.run(&["run", "--resume", "out", "--no-replay"]).end, End::Exited(0));
    assert_changes_are_tested(&scene);
}

#[test]
fn git_says_which_lines_to_test() {
    let scene = Scene::new(&[("lib.c", BEFORE)]);
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=me", "-c", "user.email=me@example.org"]).args(args).current_dir(scene.dir.path());
        let output = git.output().expect("git starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    git(&["init", "-q"]);
    git(&["add", "lib.c"]);
    git(&["commit", "-q", "-m", "before"]);
    std::fs::write(scene.path("lib.c"), AFTER).unwrap();
    let args = ["run", "lib.c", "--entry", "all", "--changed", "HEAD", "--no-replay", "--out", "out"];
    let output = scene.run(&args);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    assert_changes_are_tested(&scene);
    git(&["commit", "-q", "-a", "-m", "after"]);
    let output = scene.run(&["run", "lib.c", "--entry", "all", "--changed", "HEAD"]);
    assert_eq!(output.end, End::Exited(0));
    assert!(output.stderr_text().contains("nothing to do"), "{}", output.stderr_text());
    let output = scene.run(&["run", "lib.c", "--entry", "all", "--changed", "nowhere"]);
    assert_eq!(output.end, End::Exited(2));
    assert!(output.stderr_text().contains("neither a file nor a revision"), "{}", output.stderr_text());
}
