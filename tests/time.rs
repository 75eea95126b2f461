//! Campaigns whose time is up, and campaigns that are told to end, in each phase: they do, with everything that was found.
//!
//! What would go on for ever otherwise is a query, a compiler that reads from a pipe, or a program.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use spelunk_tests::config::CONFIGS;
use spelunk_tests::process::{self, End, Output};
use spelunk_tests::scene::{Scene, spelunk};

/// There is always one more path.
const ENDLESS: &str = "
    #include <klee/klee.h>
    int main(void) { int n = 0; while (klee_int(\"n\")) n++; return n & 1; }";

/// No solver has the factors of a product of two large primes soon.
const FACTORS: &str = "
    #include <klee/klee.h>
    int main(void) {
      unsigned long a = klee_int(\"a\") & 0xffffffffu, b = klee_int(\"b\") & 0xffffffffu;
      if (a > 1 && b > 1 && a * b == 9345208821757322069ul) return 1;
      return 0;
    }";

/// The same for whole words, with a quotient.
const DIVISION: &str = include_str!("../benches/deadline/query.c");

/// The same for floating point.
const FLOATS: &str = "
    #include <klee/klee.h>
    int main(void) {
      double a, b, c;
      klee_make_symbolic(&a, sizeof a, \"a\");
      klee_make_symbolic(&b, sizeof b, \"b\");
      klee_make_symbolic(&c, sizeof c, \"c\");
      if (a > 1 && b > 2 && c > 3 && a * a * a + b * b * b == c * c * c / (a + b)) return 1;
      return 0;
    }";

/// Every run takes a while, and there is a bug whose input could be smaller.
const SLOW: &str = "
    #include <klee/klee.h>
    int main(void) {
      unsigned char s[40];
      klee_make_symbolic(s, sizeof s, \"s\");
      volatile int n = 0;
      for (int i = 0; i < 12; i++)
        if (s[i] > 7 + i) n++;
      for (int i = 0; i < 300000; i++) n++;
      if (s[19] > 50 && s[29] > 60) return *(volatile int *)0;
      return n;
    }";

/// Each goes on for ever.
const LOOPS: &str = "
    #include <klee/klee.h>
    int main(void) {
      switch (klee_int(\"n\")) {
      case 1: for (;;); case 2: for (;;); case 3: for (;;); case 4: for (;;); case 5: for (;;); case 6: for (;;);
      case 7: for (;;); case 8: for (;;); case 9: for (;;); case 10: for (;;); case 11: for (;;); case 12: for (;;);
      case 13: for (;;); case 14: for (;;); case 15: for (;;); case 16: for (;;); case 17: for (;;); case 18: for (;;);
      }
      return 0;
    }";

/// So long that a test would fail that waits for it.
const LIMIT: Duration = Duration::from_secs(120);

/// A compiler that comes to this waits for ever.
const WAIT: &str = "#include \"pipe\"\n";

/// So does one that builds for native runs.
const WAIT_NATIVELY: &str = "#if __has_feature(address_sanitizer)\n#include \"pipe\"\n#endif\n";

fn scene(source: &str) -> Scene {
    let scene = Scene::new(&[("p.c", source)]);
    assert!(Command::new("mkfifo").arg(scene.path("pipe")).status().expect("mkfifo starts").success());
    scene
}

fn command(scene: &Scene, args: &[&str]) -> Command {
    let mut command = spelunk().command();
    command.args(["run", "p.c", "--out", "out"]).args(args).current_dir(scene.dir.path());
    command
}

fn run(scene: &Scene, args: &[&str]) -> Output {
    process::run(&mut command(scene, args), b"", LIMIT).expect("spelunk starts")
}

/// What the summary says was not done.
fn not_done(scene: &Scene) -> String {
    let summary = scene.json("out/summary.json");
    assert_eq!((&summary["unfinished"], &summary["tests"]), (&Value::Null, &Value::from(scene.tests("out").len())));
    let lines = summary["not_done"].as_array().cloned().unwrap_or_default();
    lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("; ")
}

#[test]
fn a_compiler_that_takes_too_long_is_killed() {
    let scene = scene(&format!("{WAIT}{ENDLESS}"));
    let output = run(&scene, &["--time", "300ms"]);
    assert_eq!(output.end, End::Exited(2), "{}", output.stderr_text());
    assert!(output.stderr_text().contains("time limit reached while compiling"), "{}", output.stderr_text());
    assert!(!scene.path("out").exists());
    // Also where the build says what is compiled.
    let entry = serde_json::json!([{"directory": scene.dir.path(), "file": "p.c", "command": "cc -c p.c"}]);
    fs::write(scene.path("compile_commands.json"), entry.to_string()).expect("a writable directory");
    let output = run(&scene, &["--time", "300ms", "-p", "."]);
    assert_eq!(output.end, End::Exited(2), "{}", output.stderr_text());
    assert!(output.stderr_text().contains("time limit reached while compiling"), "{}", output.stderr_text());
}

#[test]
fn a_query_ends_with_the_campaign() {
    for (source, solver) in [(FACTORS, "blast"), (FACTORS, "z3"), (DIVISION, "auto"), (FLOATS, "auto")] {
        let scene = scene(source);
        let output = run(&scene, &["--no-replay", "--time", "2s", "--time-limit", "1h", "--solver", solver]);
        assert_eq!(output.end, End::Exited(0), "{solver}: {}", output.stderr_text());
        let summary = scene.json("out/summary.json");
        assert_eq!(summary["stopped"], "time", "{solver}: {summary}");
        assert_eq!(not_done(&scene), "");
    }
}

#[test]
fn native_runs_end_with_the_time() {
    let scene = scene(&format!("{WAIT_NATIVELY}{ENDLESS}"));
    let output = run(&scene, &["--max-paths", "7", "--time", "4s"]);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    assert_eq!(not_done(&scene), "native runs: 0 of 7 tests, time limit reached");
    assert!(output.stdout_text().contains("not done      native runs: 0 of 7 tests"), "{}", output.stdout_text());
}

/// Tools that the user does not know of have no more time than the compiler.
#[test]
fn tools_around_native_runs_end_with_the_time() {
    let waits = "#!/bin/sh\nexec sleep 1000\n";
    let compiles = format!("#!/bin/sh\nexec {} \"$@\"\n", CONFIGS[0].clang);
    let waits_for = |what: &str| compiles.replacen('\n', &format!("\ncase $1 in {what}) exec sleep 1000;; esac\n"), 1);
    let tools = [
        vec![("clang", compiles.clone()), ("llvm-symbolizer", waits.to_owned())],
        vec![("clang", waits_for("-print-file-name=*"))],
        vec![("clang", waits_for("-dumpversion"))],
    ];
    for tools in tools {
        let scene = scene("int f(int n) { return 7 / n; }");
        fs::create_dir(scene.path("bin")).expect("a writable directory");
        for (name, text) in &tools {
            let path = scene.path("bin").join(name);
            fs::write(&path, text).expect("a writable directory");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a file of ours");
        }
        let args = ["--entry", "f", "--clang", "bin/clang", "--time", "15s"];
        let mut command = command(&scene, &args);
        let output = process::run(command.env("SPELUNK_CACHE", scene.path("cache")), b"", LIMIT).expect("it starts");
        assert_eq!(output.end, End::Exited(1), "{tools:?}: {}", output.stderr_text());
        assert_eq!(scene.json("out/summary.json")["bugs"][0]["status"], "unconfirmed");
        assert_eq!(not_done(&scene), "native runs: 0 of 2 tests, time limit reached", "{tools:?}");
    }
}

#[test]
fn shrinking_and_choosing_end_with_the_time() {
    let scene = scene(SLOW);
    let output = run(&scene, &["--no-replay", "--time", "4s", "--keep", "branches"]);
    assert!(matches!(output.end, End::Exited(0 | 1 | 4..=6)), "{}", output.stderr_text());
    assert_eq!(scene.json("out/summary.json")["stopped"], "time");
    let all = not_done(&scene);
    assert!(all.contains("choosing tests: all are kept, time limit reached"), "{all}");
}

/// Starts a campaign, waits until it is in a phase, and sends a signal. Returns the exit code.
fn interrupted(scene: &Scene, args: &[&str], phase: &str, signal: &str) -> Option<i32> {
    let mut child = command(scene, args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("spelunk starts");
    // Whoever reads goes on waiting as long as it is open.
    let mut pipe = None;
    wait_for(&mut child, || match phase {
        // It can be opened as soon as someone reads.
        "compiling" => {
            pipe = OpenOptions::new().write(true).open(scene.path("pipe")).ok();
            pipe.is_some()
        }
        "exploring" => scene.tests("out").len() > 5,
        "native loops" => is_in(&scene.path("out"), "native runs"),
        phase => is_in(&scene.path("out"), phase),
    });
    send(signal, &child);
    child.wait().expect("a child").code()
}

fn is_in(dir: &Path, phase: &str) -> bool {
    let summary = fs::read(dir.join("summary.json")).ok();
    let summary: Option<Value> = summary.and_then(|text| serde_json::from_slice(&text).ok());
    summary.is_some_and(|summary| summary["unfinished"] == phase)
}

fn wait_for(child: &mut Child, mut is_there: impl FnMut() -> bool) {
    while !is_there() {
        assert!(child.try_wait().expect("a child").is_none(), "it has ended before");
        thread::sleep(Duration::from_millis(2));
    }
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status();
    assert!(sent.expect("kill starts").success());
}

/// A phase and how to come to it: source and options; then the exit code, and what was not done.
type Phase<'a> = (&'a str, &'a str, &'a [&'a str], Option<i32>, &'a str);

#[test]
fn a_signal_ends_any_phase_and_what_was_found_is_kept() {
    let (waits, waits_natively) = (format!("{WAIT}{ENDLESS}"), format!("{WAIT_NATIVELY}{ENDLESS}"));
    let phases: &[Phase<'_>] = &[
        ("compiling", &waits, &[], Some(130), ""),
        ("exploring", ENDLESS, &[], Some(0), "native runs: 0 of"),
        ("shrinking", SLOW, &["--max-paths", "30"], Some(1), "shrinking: 0 of 1 findings, interrupted; "),
        (
            "keeping",
            SLOW,
            &["--no-replay", "--keep", "branches", "--max-paths", "30"],
            Some(1),
            "all are kept, interrupted",
        ),
        ("native runs", &waits_natively, &["--max-paths", "9"], Some(0), "0 of 9 tests, interrupted"),
        ("native loops", LOOPS, &[], Some(5), "native runs: 0 of 19 tests, interrupted"),
    ];
    for (number, &(phase, source, args, code, missing)) in phases.iter().enumerate() {
        let scene = scene(source);
        let signal = ["INT", "TERM"][number % 2];
        assert_eq!(interrupted(&scene, args, phase, signal), code, "{phase}");
        match phase {
            "compiling" => assert!(!scene.path("out").exists()),
            _ => assert!(not_done(&scene).contains(missing), "{phase}: {}", not_done(&scene)),
        }
    }
}

#[test]
fn each_phase_is_told_on_a_terminal() {
    let scene = scene(SLOW);
    let mut script = Command::new("script");
    let line = format!(
        "{} run p.c --out out --max-paths 30 --keep branches --time 20s",
        spelunk().command().get_program().to_string_lossy()
    );
    script.args(["-qec", &line, "/dev/null"]).current_dir(scene.dir.path());
    let output = process::run(&mut script, b"", LIMIT).expect("script starts");
    let text = output.stdout_text();
    let phases = ["compiling", "exploring", "shrinking", "keeping", "native runs"];
    for phase in phases {
        assert!(text.contains(phase), "{phase}: {text}");
    }
}

/// Functions of which none comes to an end, byte by byte.
fn functions() -> String {
    let function = |n| format!("int f{n}(const char *s) {{ int i = 0; while (s[i] == {n}) i++; return s[i]; }}\n");
    (1..=5).map(function).collect()
}

#[test]
fn functions_share_the_time() {
    let scene = scene(&functions());
    let output = run(&scene, &["--entry", "all", "--param", "s=string:200", "--strings", "bytes", "--time", "20s"]);
    assert!(matches!(output.end, End::Exited(0 | 1 | 4..=6)), "{}", output.stderr_text());
    let index = scene.json("out/index.json");
    assert_eq!((&index["functions"], &index["unfinished"]), (&Value::from(5), &Value::Bool(false)));
    let campaigns = index["campaigns"].as_array().expect("campaigns");
    assert!(campaigns.iter().all(|it| it["paths"].as_u64() > Some(0)) && campaigns.len() == 5, "{index}");
    let text = output.stdout_text();
    assert!(text.contains("== f2 (2 of 5)") && text.contains("5 functions tested, in out"), "{text}");
    let rows = text.lines().skip_while(|line| !line.starts_with("function ")).count();
    assert_eq!(rows, 7, "{text}");
}

/// Bugs are confirmed after the last function, where one whose tests take long leaves time for the others.
#[test]
fn functions_share_the_time_of_native_runs() {
    let slow = "int f0(unsigned char c) {\n#if __has_feature(address_sanitizer)\n  \
                for (volatile long i = 0; i < 4000000000; i++);\n#endif\n  \
                for (int i = 0; i < 40; i++) if (c == 3 * i) return 100 / (c - 30);\n  return 0;\n}\n";
    let fast = |n| format!("int f{n}(int x) {{ return 7 / (x - {n}); }}\n");
    let scene = scene(&[slow.to_owned(), (1..=4).map(fast).collect()].concat());
    run(&scene, &["--entry", "all", "--time", "20s"]);
    let index = scene.json("out/index.json");
    let confirmed = |entry: &Value| entry["confirmed"].as_u64().unwrap_or(0);
    let n_confirmed: u64 = index["campaigns"].as_array().expect("campaigns").iter().skip(1).map(confirmed).sum();
    assert!(n_confirmed > 0, "{index}");
}

#[test]
fn a_signal_ends_the_whole_command_and_it_can_go_on() {
    let scene = scene(&functions());
    let args = ["--entry", "all", "--param", "s=string:5000", "--strings", "bytes", "--no-replay"];
    let mut child = command(&scene, &args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("spelunk starts");
    wait_for(&mut child, || scene.tests("out/f1").len() > 5);
    send("INT", &child);
    assert!(child.wait().expect("a child").code().is_some_and(|code| matches!(code, 0 | 1 | 4..=6)));
    let index = scene.json("out/index.json");
    assert_eq!(index["campaigns"].as_array().map(Vec::len), Some(1), "{index}");
    assert_eq!(index["campaigns"][0]["stopped"], "interrupted");
    let output = scene.run(&["run", "--resume", "out", "--max-paths", "8"]);
    assert!(matches!(output.end, End::Exited(0 | 1 | 4..=6)), "{}", output.stderr_text());
    let index = scene.json("out/index.json");
    assert_eq!(index["campaigns"].as_array().map(Vec::len), Some(5), "{index}");
}

/// Commands that work on a campaign end at a signal too, and leave it as it was.
#[test]
fn a_signal_ends_what_is_done_with_a_campaign() {
    let source = format!("#if __has_include(\"waits.h\")\n{WAIT}#endif\n{WAIT_NATIVELY}{ENDLESS}");
    let scene = scene(&source);
    assert_eq!(run(&scene, &["--max-paths", "7", "--no-replay"]).end, End::Exited(0));
    fs::create_dir(scene.path("headers"))
        .and_then(|()| fs::write(scene.path("headers/waits.h"), ""))
        .expect("a header");
    let read = || (fs::read(scene.path("out/summary.json")).expect("a summary"), scene.tests("out").len());
    let before = read();
    let commands: &[(&[&str], &str)] = &[
        (&["replay", "out"], ""),
        (&["minimise", "out", "--keep", "mcdc"], ""),
        (&["export", "out", "--format", "c", "--to", "exported"], "headers"),
    ];
    for (args, headers) in commands {
        let mut command = spelunk().command();
        command.args(*args).current_dir(scene.dir.path()).env("CPATH", scene.path(headers));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("spelunk starts");
        // It can be opened as soon as someone reads, who waits as long as it is open.
        let held = OpenOptions::new().write(true).open(scene.path("pipe"));
        send("TERM", &child);
        assert_eq!(child.wait().expect("a child").code(), Some(130), "{args:?}");
        drop(held);
        assert_eq!(read(), before, "{args:?}");
    }
    assert!(!scene.path("exported").exists());
}

#[test]
fn commands_on_a_campaign_end_in_their_time() {
    let scene = Scene::new(&[("p.c", &format!("#include \"gate\"\n{LOOPS}")), ("gate", "")]);
    assert_eq!(run(&scene, &["--no-replay"]).end, End::Exited(5));
    // Less than a compiler takes.
    let ended = |args: &[&str], status| {
        let output = scene.run(&[args, &["--time", "100ms"]].concat());
        assert_eq!(output.end, End::Exited(status), "{args:?}: {}", output.stderr_text());
        assert!(output.stderr_text().contains("time limit reached"), "{args:?}: {}", output.stderr_text());
    };
    let before = scene.json("out/summary.json");
    ended(&["replay", "out"], 0);
    assert_eq!(scene.json("out/summary.json"), before, "what is known of all is worth more than what was seen of some");
    // From now on, a compiler waits for ever.
    fs::remove_file(scene.path("gate")).expect("a file of ours");
    assert!(Command::new("mkfifo").arg(scene.path("gate")).status().expect("mkfifo starts").success());
    ended(&["replay", "out", "--vm"], 2);
    ended(&["minimise", "out"], 2);
    ended(&["export", "out", "--format", "c"], 2);
}
