//! Campaigns that are disturbed: killed, interrupted, out of disk, memory or time. What was found stays, what is left is
//! found when they go on, and whoever is told why they ended is told the truth.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use spelunk_tests::process::{self, End, Output};
use spelunk_tests::spelunk::Spelunk;
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(300);

/// Four bytes, of which each is one of several things: 7^4 paths at least, in a few seconds at most.
const MANY_PATHS: &str = r#"
    #include <klee/klee.h>
    static int kind(unsigned char c) {
      if (c < 10) return 0;
      if (c == 'a') return 1;
      if (c > 200) return 2;
      if (c % 7 == 3) return 4;
      return 5;
    }
    int main(void) {
      unsigned char s[4];
      klee_make_symbolic(s, sizeof s, "s");
      int n = 0;
      for (int i = 0; i < 4; i++)
        n = 7 * n + kind(s[i]);
      return n % 100;
    }"#;

/// There is always one more path.
const ENDLESS: &str = r#"
    #include <klee/klee.h>
    int main(void) {
      int n = 0;
      while (klee_int("n"))
        n++;
      return n & 1;
    }"#;

/// Goes on for ever, except for one way out.
const REACTIVE: &str = r#"
    #include <klee/klee.h>
    #include <stdlib.h>
    int main(void) {
      unsigned state = 0;
      for (;;) {
        int event = klee_int("event");
        if (event == 7 && state == 3)
          abort();
        if (event > 0)
          state = (state + event) % 5;
      }
    }"#;

struct Scene {
    dir: TempDir,
}

impl Scene {
    fn new(source: &str) -> Scene {
        let scene = Scene { dir: tempfile::tempdir().expect("a temporary directory") };
        std::fs::write(scene.path("p.c"), source).expect("a writable directory");
        scene
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = spelunk().command();
        command.arg("run").arg("--no-replay").args(args).current_dir(self.dir.path());
        command
    }

    fn exec(&self, args: &[&str]) -> Output {
        let mut command = spelunk().command();
        command.arg("exec").args(args).current_dir(self.dir.path());
        process::run(&mut command, b"", LIMIT).expect("spelunk starts")
    }

    fn run(&self, args: &[&str]) -> Output {
        process::run(&mut self.command(args), b"", LIMIT).expect("spelunk starts")
    }

    /// Runs, and returns the summary. No bug is found.
    fn summary(&self, args: &[&str]) -> Value {
        let output = self.run(&[args, &["--format", "json"]].concat());
        assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
        serde_json::from_slice(&output.stdout).expect("a summary")
    }

    fn start(&self, args: &[&str]) -> Child {
        self.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("spelunk starts")
    }

    /// What the tests in a directory are about: decisions and ends. No two are about the same.
    fn paths(&self, out: &str) -> BTreeSet<String> {
        let mut paths = BTreeSet::new();
        for path in self.tests(out) {
            let test: Value = serde_json::from_slice(&std::fs::read(&path).expect("a file")).expect("a whole test");
            assert!(paths.insert(format!("{} {}", test["decisions"], test["end"])), "{} is not new", path.display());
        }
        paths
    }

    fn tests(&self, out: &str) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(self.path(out).join("tests")) else { return Vec::new() };
        let files = entries.map(|entry| entry.expect("a readable directory").path());
        files.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect()
    }

    /// Waits until there are so many tests, or the campaign is over.
    fn wait_for_tests(&self, out: &str, n_tests: usize, child: &mut Child) {
        while self.tests(out).len() < n_tests && child.try_wait().expect("a child").is_none() {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

fn spelunk() -> &'static Spelunk {
    static SPELUNK: OnceLock<Spelunk> = OnceLock::new();
    SPELUNK.get_or_init(|| Spelunk::locate().unwrap_or_else(|error| panic!("{error}")))
}

fn losses(summary: &Value) -> Vec<&str> {
    summary["ledger"].as_array().expect("a ledger").iter().filter_map(|line| line["kind"].as_str()).collect()
}

fn assert_refused(output: &Output, words: &[&str]) {
    assert_eq!(output.end, End::Exited(2), "{}", output.stderr_text());
    let text = output.stderr_text();
    assert!(words.iter().all(|word| text.contains(word)), "{text}");
}

#[test]
fn a_campaign_that_was_killed_goes_on() {
    let scene = Scene::new(MANY_PATHS);
    let whole = scene.summary(&["p.c", "--out", "whole"]);
    assert_eq!(whole["exhausted"], true);
    for (round, jobs) in ["1", "2"].into_iter().enumerate() {
        let out = &*format!("out-{round}");
        let mut child = scene.start(&["p.c", "--out", out, "--jobs", jobs]);
        for n_tests in [1, 100, 450, 1100] {
            scene.wait_for_tests(out, n_tests + 37 * round, &mut child);
            child.kill().expect("SIGKILL");
            child.wait().expect("a child");
            child = scene.start(&["p.c", "--resume", out, "--jobs", jobs]);
        }
        child.kill().expect("SIGKILL");
        child.wait().expect("a child");
        let resumed = scene.summary(&["p.c", "--resume", out, "--jobs", jobs]);
        assert_eq!((&resumed["exhausted"], &resumed["tests"]), (&whole["exhausted"], &whole["tests"]));
        assert_eq!(scene.paths(out), scene.paths("whole"));
    }
}

#[test]
fn a_signal_ends_a_campaign_cleanly() {
    let scene = Scene::new(ENDLESS);
    for signal in ["INT", "TERM"] {
        let mut child = scene.start(&["p.c", "--out", signal]);
        scene.wait_for_tests(signal, 20, &mut child);
        let sent = Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status();
        assert!(sent.expect("kill starts").success());
        assert_eq!(child.wait().expect("a child").code(), Some(0));
        let text = std::fs::read(scene.path(signal).join("summary.json")).expect("a summary");
        let summary: Value = serde_json::from_slice(&text).expect("a whole summary");
        assert_eq!(summary["stopped"], "interrupted");
        assert_eq!(summary["tests"].as_u64(), Some(scene.paths(signal).len() as u64));
    }
}

/// Files can't become as large as the input of one of the paths.
#[test]
fn a_disk_that_is_full_ends_a_campaign_and_nothing_is_lost() {
    let scene = Scene::new(
        r#"
        #include <klee/klee.h>
        int main(void) {
          static char large[100000];
          if (klee_int("n") < 5)
            return 1;
          klee_make_symbolic(large, sizeof large, "large");
          return large[3] & 1;
        }"#,
    );
    let whole = scene.summary(&["p.c", "--out", "whole"]);
    assert_eq!(whole["tests"], 2);
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 256; exec \"$0\" run p.c --out full"]);
    limited.arg(spelunk().command().get_program()).current_dir(scene.dir.path());
    let output = process::run(&mut limited, b"", LIMIT).expect("sh starts");
    assert_refused(&output, &["cannot write", "tests/000002.json"]);
    assert_eq!(scene.paths("full").len(), 1);
    let resumed = scene.summary(&["p.c", "--resume", "full"]);
    assert_eq!((&resumed["exhausted"], &resumed["tests"]), (&Value::Bool(true), &whole["tests"]));
    assert_eq!(scene.paths("full"), scene.paths("whole"));
}

/// It is written early, for whoever finds the directory after a kill: so this is told before the time is spent.
#[test]
fn a_summary_that_cannot_be_written_is_an_error() {
    let scene = Scene::new(MANY_PATHS);
    std::fs::create_dir(scene.path("out")).expect("a writable directory");
    std::os::unix::fs::symlink("/dev/full", scene.path("out/summary.tmp")).expect("a writable directory");
    let output = scene.run(&["p.c", "--out", "out", "--max-paths", "50"]);
    assert_refused(&output, &["cannot write", "summary.json", "No space left"]);
    assert!(!scene.path("out/tests").exists());
}

#[test]
fn memory_that_is_used_up_ends_a_campaign() {
    let scene = Scene::new(ENDLESS);
    let summary = scene.summary(&["p.c", "--out", "out", "--memory", "1MiB"]);
    assert_eq!((&summary["stopped"], &summary["exhausted"]), (&Value::from("memory"), &Value::Bool(false)));
    assert!(losses(&summary).contains(&"snapshots-dropped"), "{summary}");
    assert_eq!(summary["tests"].as_u64(), Some(scene.paths("out").len() as u64));
}

#[test]
fn each_budget_says_that_it_is_used_up() {
    let scene = Scene::new(ENDLESS);
    let budgets =
        [("--time", "300ms", "time"), ("--max-paths", "7", "paths"), ("--max-instructions", "900", "instructions")];
    for (option, amount, name) in budgets {
        let summary = scene.summary(&["p.c", "--out", name, option, amount]);
        assert_eq!((&summary["stopped"], &summary["exhausted"]), (&Value::from(name), &Value::Bool(false)));
        assert_eq!(summary["paths"].as_u64(), Some(scene.paths(name).len() as u64));
    }
}

#[test]
fn a_path_without_an_end_does_not_keep_others_from_being_explored() {
    let scene = Scene::new(REACTIVE);
    let output = scene.run(&["p.c", "--out", "out", "--max-instructions", "100000"]);
    assert_eq!(output.end, End::Exited(1), "{output:?}");
    let summary: Value = serde_json::from_slice(&std::fs::read(scene.path("out/summary.json")).unwrap()).unwrap();
    assert_eq!((&summary["bugs"][0]["kind"], &summary["stopped"]), (&"abort".into(), &"instructions".into()));
    assert!(!losses(&summary).is_empty() && losses(&summary).iter().all(|loss| *loss == "limit"), "{summary}");
    // What has no end is a test too: of all that it reached.
    let tests = scene.tests("out");
    assert_eq!(
        (summary["paths"].as_u64(), summary["tests"].as_u64()),
        (Some(tests.len() as u64), summary["paths"].as_u64())
    );
    let is_unfinished = |path: &&PathBuf| std::fs::read_to_string(path).unwrap().contains("put aside");
    let unfinished = tests.iter().find(is_unfinished).expect("a test that goes on");
    let again = scene.exec(&["p.c", "--test", unfinished.to_str().unwrap()]);
    assert_eq!(again.end, End::Exited(1), "{again:?}");
    assert!(again.stderr.is_empty(), "{again:?}");
}

#[test]
fn what_is_cut_off_stands_in_the_ledger() {
    let scene = Scene::new(ENDLESS);
    let summary = scene.summary(&["p.c", "--out", "depth", "--depth", "5"]);
    assert_eq!((&summary["stopped"], &summary["exhausted"]), (&Value::from("bounded"), &Value::Bool(false)));
    assert_eq!((losses(&summary), &summary["paths"]), (vec!["depth-cut"], &Value::from(6)));

    let scene = Scene::new(
        "struct cell { struct cell *next; };
         int length(struct cell *p) { return p ? 1 + length(p->next) : 0; }",
    );
    for (options, n_paths) in [(&["--nesting", "3"][..], 4), (&[], 17)] {
        let out = format!("nesting{n_paths}");
        let run = ["p.c", "--entry", "length", "--out", &out];
        let summary = scene.summary(&[&run, options].concat());
        assert_eq!((&summary["stopped"], &summary["paths"]), (&Value::from("bounded"), &Value::from(n_paths)));
        assert_eq!(losses(&summary), ["nesting-cut"]);
    }

    let scene = Scene::new("#include <klee/klee.h>\nint main(void) { if (klee_int(\"n\")) for (;;) ; return 0; }");
    let summary = scene.summary(&["p.c", "--out", "steps", "--max-steps", "1000"]);
    assert_eq!((&summary["stopped"], &summary["exhausted"]), (&Value::from("incomplete"), &Value::Bool(false)));
    assert_eq!((losses(&summary), &summary["paths"]), (vec!["limit"], &Value::from(2)));
}

/// What a campaign says of the bounds of its input, and whether it claims to have seen every path.
fn bounds_of(scene: &Scene, out: &str, args: &[&str]) -> (bool, Vec<String>) {
    let run = ["p.c", "--out", out];
    let summary = scene.summary(&[&run, args].concat());
    let bounds = summary["bounds"].as_array().cloned().unwrap_or_default();
    assert_eq!(summary["stopped"], if bounds.is_empty() { "exhausted" } else { "bounded" }, "{summary}");
    let text = |bound: &Value| bound["text"].as_str().unwrap_or_default().to_owned();
    (summary["exhausted"] == true, bounds.iter().map(text).collect())
}

#[test]
fn every_path_is_claimed_only_within_the_bounds_of_the_input() {
    let scene = Scene::new(
        r#"
        #include <stdio.h>
        #include <string.h>
        int command(const char *s) {
          if (!strcmp(s, "start")) return 1;
          if (!strncmp(s, "set key=", 8) && s[8] == 'x') return 2;
          return 0;
        }
        int first(const char *s) { return s[0] == 'a'; }
        int sum(const int *a, int n) {
          int total = 0;
          for (int i = 0; i < n; i++) if (a[i] > 0) total++;
          return total;
        }
        struct stack { int depth; };
        void stack_new(struct stack *s) { s->depth = 0; }
        int push(struct stack *s) { return ++s->depth == 9; }
        int main(int argc, char **argv) { return argc > 1 ? argv[1][0] == 'x' : getchar() == 'y'; }
        "#,
    );
    let cases: [(&[&str], &[&str]); 9] = [
        (&["--entry", "command"], &["strings of up to 8 characters"]),
        (&["--entry", "command", "--param", "s=string:3"], &["strings of up to 3 characters"]),
        (&["--entry", "first"], &[]),
        (&["--entry", "sum", "--param", "a=array:n<=2"], &["arrays of up to 2 elements"]),
        (&["--entry", "sum", "--param", "a=array:n<=2", "--param", "n=1"], &[]),
        (&["--sequence", "stack_new,push", "--length", "3"], &["sequences of up to 3 calls"]),
        (&["--sym-args", "0", "1", "2"], &["arguments of up to 2 bytes", "up to 1 argument"]),
        (&["--sym-stdin", "4"], &["standard input of 4 bytes"]),
        (&[], &[]),
    ];
    for (number, (args, bounds)) in cases.iter().enumerate() {
        let expected = (bounds.is_empty(), bounds.iter().map(|bound| (*bound).to_owned()).collect());
        assert_eq!(bounds_of(&scene, &format!("out{number}"), args), expected, "{args:?}");
    }
    let text = scene.run(&["p.c", "--out", "text", "--entry", "command"]).stdout_text();
    assert!(text.contains("every path was explored for strings of up to 8 characters, "), "{text}");
}

/// Two bytes of 7 kinds each.
const FEW_PATHS: &str = r#"
    #include <klee/klee.h>
    static int kind(unsigned char c) {
      if (c < 10) return 0;
      if (c == 'a') return 1;
      if (c > 200) return 2;
      if (c % 7 == 3) return 3;
      return 4;
    }
    int main(void) {
      unsigned char s[2];
      klee_make_symbolic(s, sizeof s, "s");
      int n = 0;
      for (int i = 0; i < 2; i++)
        switch (kind(s[i])) {
        case 0: n += 3; break;
        case 1: n -= 2; break;
        case 2: n *= 2; break;
        }
      return n & 7;
    }"#;

/// Whatever of ours fails: the rest is explored, nobody waits for ever, and everything is written.
#[test]
fn an_error_of_our_own_costs_what_it_is_about() {
    let scene = Scene::new(FEW_PATHS);
    let whole = scene.summary(&["p.c", "--out", "whole"])["paths"].as_u64().unwrap();
    // Where it fails, and how many paths there are then at least.
    let cases = [("run:1", whole), ("run:5", whole), ("query:1", 2), ("query:9", whole / 2), ("observer:2", whole)];
    let of_workers = [("worker:1", whole), ("worker:3", whole), ("adopt:1", 1)];
    for jobs in ["1", "2"] {
        for (place, n_paths) in cases.iter().chain(&of_workers) {
            let out = format!("{place}-{jobs}");
            let run = ["p.c", "--out", &out, "--jobs", jobs, "--fail-at", place];
            let output = scene.run(&run);
            let summary: Value =
                serde_json::from_slice(&std::fs::read(scene.path(&out).join("summary.json")).unwrap()).unwrap();
            let text = output.stderr_text();
            // Whether work is ever given away is a matter of luck.
            if place.starts_with("adopt") && losses(&summary).is_empty() {
                continue;
            }
            assert_eq!(output.end, End::Exited(3), "{text}");
            assert!(text.contains("internal error: planned failure"), "{text}");
            assert_eq!(
                (losses(&summary), &summary["stopped"]),
                (vec!["internal-error"], &"incomplete".into()),
                "{out}"
            );
            let detail = summary["ledger"][0]["detail"].as_str().unwrap();
            assert!(detail.starts_with("planned failure") && detail.contains("failure.rs:"), "{detail}");
            let has_input = ["run:5", "observer:2", "adopt:1"].contains(place);
            assert_eq!(detail.contains(" s=\""), has_input, "{detail}");
            let found = summary["paths"].as_u64().unwrap();
            assert!((*n_paths..=whole).contains(&found), "{out}: {found} of {whole}");
            let n_untold = u64::from(place.starts_with("observer"));
            assert_eq!(scene.paths(&out).len() as u64 + n_untold, found, "{out}");
        }
    }
}

/// What theories know of a run that failed is forgotten with it.
#[test]
fn after_an_error_of_our_own_pointers_are_open_again() {
    let scene = Scene::new(
        "struct n { struct n *next; int v; };
         int f(struct n *l) {
           if (!l) return 0;
           if (l->v <= 3) return 4;
           if (l->next == l) return 1;
           return l->next && l->next->v == 5 ? 10 / (l->next->v - 5) : 3;
         }",
    );
    for place in ["run:1", "run:2", "run:3"] {
        scene.run(&["p.c", "--entry", "f", "--out", place, "--fail-at", place]);
        let text = std::fs::read(scene.path(place).join("summary.json")).expect("a summary");
        let summary: Value = serde_json::from_slice(&text).expect("a summary");
        let kinds: Vec<&str> =
            summary["bugs"].as_array().unwrap().iter().filter_map(|bug| bug["kind"].as_str()).collect();
        assert_eq!((losses(&summary), kinds), (vec!["internal-error"], vec!["div-by-zero"]), "{summary:#}");
    }
}

#[test]
fn a_campaign_that_fails_costs_its_function() {
    let scene = Scene::new("int f(int x) { return x == 1; }\nint g(int x) { return 8 / (x - 2); }\n");
    let output = scene.run(&["p.c", "--entry", "all", "--out", "out", "--fail-at", "campaign:1"]);
    let text = output.stderr_text();
    assert!(text.contains("internal error: planned failure in `campaign`"), "{text}");
    let summary: Value =
        serde_json::from_slice(&std::fs::read(scene.path("out/g/summary.json")).expect("a summary")).expect("JSON");
    assert_eq!(summary["bugs"].as_array().map(Vec::len), Some(1), "{summary:#}");
    assert_eq!(output.end, End::Exited(3), "{text}");
}

#[test]
fn an_account_of_which_a_part_fails_has_the_rest() {
    let scene = Scene::new("int f(const char *s) { return 8 / (s[0] - 'x'); }");
    let parts = [
        "the search for preconditions",
        "the search for smaller inputs",
        "the choice of tests",
        "the native runs",
        "the pictures",
        "the diagnostics",
    ];
    for part in parts {
        let place = format!("{part}:1");
        let args = ["p.c", "--entry", "f", "--keep", "branches", "--out", part, "--fail-at", &place];
        let mut command = spelunk().command();
        command.arg("run").args(args).current_dir(scene.dir.path());
        if part != "the native runs" {
            command.arg("--no-replay");
        }
        let output = process::run(&mut command, b"", LIMIT).expect("spelunk starts");
        // Bugs are what counts.
        assert_eq!(output.end, End::Exited(1), "{}", output.stderr_text());
        let summary: Value =
            serde_json::from_slice(&std::fs::read(scene.path(part).join("summary.json")).unwrap()).unwrap();
        assert_eq!(summary["bugs"].as_array().map(Vec::len), Some(1), "{summary}");
        let line = &summary["ledger"][0];
        assert_eq!((&line["kind"], &line["effect"]), (&"internal-error".into(), &"left-out".into()));
        assert!(line["detail"].as_str().unwrap().starts_with(&format!("{part} failed: ")), "{line}");
        assert!(!scene.tests(part).is_empty());
    }
}

#[test]
fn a_program_that_does_not_fit_in_memory_is_refused() {
    let scene = Scene::new("static char table[1u << 30];\nint main(void) { return table[5]; }");
    for jobs in ["1", "2"] {
        let refused = scene.run(&["p.c", "--out", jobs, "--jobs", jobs]);
        assert_refused(&refused, &["`table`", "1.0 GiB", "--max-memory"]);
    }
}

/// No solver has the factors of a product of two large primes at once.
#[test]
fn a_query_that_takes_too_long_is_given_up() {
    let scene = Scene::new(
        r#"
        #include <klee/klee.h>
        int main(void) {
          unsigned a = klee_int("a"), b = klee_int("b");
          if (a > 1 && b > 1 && (unsigned long)a * b == 9345208821757322069ul)
            return 1;
          return 0;
        }"#,
    );
    let summary = scene.summary(&["p.c", "--out", "out", "--time-limit", "20ms"]);
    assert_eq!(losses(&summary), ["solver-unknown"]);
    assert_eq!((&summary["stopped"], &summary["exhausted"]), (&Value::from("incomplete"), &Value::Bool(false)));
}

#[test]
fn a_path_that_cannot_be_followed_is_not_explored() {
    let scene = Scene::new(
        r#"
        #include <klee/klee.h>
        int main(void) {
          if (klee_int("n") == 7) __asm__ volatile("rdtsc" : : : "eax", "edx");
          return 0;
        }"#,
    );
    let output = scene.run(&["p.c", "--out", "out"]);
    let text = output.stdout_text();
    assert!(text.contains("some paths could not be followed") && text.contains("inline assembly"), "{text}");
    let summary = scene.summary(&["p.c", "--out", "again"]);
    assert_eq!((&summary["stopped"], &summary["exhausted"]), (&Value::from("incomplete"), &Value::Bool(false)));
    assert_eq!((losses(&summary), &summary["paths"]), (vec!["unsupported"], &Value::from(2)));
}

#[test]
fn functions_that_nobody_defines_return_an_input_or_end_the_path() {
    let scene = Scene::new("extern int other(void);\nint main(void) { if (other() == 12) return 1; return 0; }");
    let summary = scene.summary(&["p.c", "--out", "stubs"]);
    assert_eq!((losses(&summary), &summary["paths"]), (vec!["unmodelled-call"], &Value::from(2)));
    let detail = summary["ledger"][0]["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("`other`") && summary["exhausted"] == true, "{summary}");
    let summary = scene.summary(&["p.c", "--out", "none", "--no-stubs"]);
    assert_eq!((losses(&summary), &summary["paths"]), (vec!["unsupported"], &Value::from(1)));
    assert_eq!(summary["exhausted"], false);
    for (dir, status) in [("stubs", 0), ("none", 1)] {
        let test = scene.path(dir).join("tests/000001.json");
        let output = scene.exec(&["p.c", "--test", &test.to_string_lossy()]);
        assert_eq!(output.end, End::Exited(status), "{}", output.stderr_text());
    }
}

#[test]
fn variables_that_nobody_defines_are_zeros_or_refused() {
    let scene = Scene::new("extern int a, b; int main(void) { return a + b; }");
    let summary = scene.summary(&["p.c", "--out", "out"]);
    assert_eq!((losses(&summary), &summary["exhausted"]), (vec!["undefined-variable"], &Value::Bool(true)));
    assert_eq!(summary["ledger"][0]["detail"], "a, b not defined, and taken to be zero");
    assert_refused(&scene.run(&["p.c", "--out", "other", "--no-stubs"]), &["`a`", "`b`"]);
}

#[test]
fn without_a_compiler_there_is_a_message() {
    let scene = Scene::new(ENDLESS);
    let output = scene.run(&["p.c", "--clang", "no-such-clang", "--out", "out"]);
    assert_refused(&output, &["no-such-clang"]);
    assert!(!scene.path("out").exists());
}

#[test]
fn a_program_without_input_runs_once() {
    let scene = Scene::new("#include <stdio.h>\nint main(void) { puts(\"hello\"); return 3; }");
    let output = scene.run(&["p.c", "--out", "out"]);
    assert_eq!(output.end, End::Exited(0));
    assert!(output.stderr_text().contains("the program has no symbolic input"), "{}", output.stderr_text());
    assert_eq!(scene.paths("out").len(), 1);
}
