//! Campaigns that are killed with SIGKILL at any moment: their directories are campaigns, and go on.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use spelunk_tests::process::End;
use spelunk_tests::scene::{Scene, spelunk};

/// Three bytes, each of which is one of four things; one combination is a bug.
const SOURCE: &str = "
    static int kind(unsigned char c) {
      if (c < 10) return 0;
      if (c == 'a') return 1;
      if (c > 200) return 2;
      return 3;
    }
    int classify(unsigned char a, unsigned char b, unsigned char c) {
      int n = kind(a) + 4 * kind(b) + 16 * kind(c);
      return 1000 / (n - 1 - 4 - 16);
    }";

const N_KILLS: usize = 200;

/// Each takes a compilation or two.
const N_KILLS_IN_NATIVE_RUNS: usize = 10;

fn scene() -> Scene {
    let scene = Scene::new(&[("p.c", SOURCE)]);
    // Textual IR starts sooner than clang.
    let mut clang = Command::new("clang-19");
    clang.args(["-S", "-emit-llvm", "-g", "-O0", "p.c", "-o", "p.ll"]).current_dir(scene.dir.path());
    assert!(clang.status().expect("clang starts").success());
    scene
}

/// What tests are about. Each file is whole, and no two are about the same.
fn paths(dir: &Path) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    let Ok(entries) = fs::read_dir(dir.join("tests")) else { return paths };
    let files = entries.map(|entry| entry.expect("a readable directory").path());
    for path in files.filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
        let test: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("a whole test");
        assert!(paths.insert(format!("{} {}", test["decisions"], test["end"])), "{} is not new", path.display());
    }
    paths
}

fn command(scene: &Scene, out: &str) -> Command {
    let mut command = spelunk().command();
    command.arg("run").current_dir(scene.dir.path()).stdout(Stdio::null()).stderr(Stdio::null());
    match scene.path(out).join("tests").exists() {
        true => command.args(["--resume", out]),
        false => command.args(["p.ll", "--entry", "classify", "--no-replay", "--out", out]),
    };
    command
}

/// One whose tests are run natively at its end.
fn command_with_native_runs(scene: &Scene, out: &str) -> Command {
    let mut command = spelunk().command();
    command.args(["run", "p.c", "--entry", "classify", "--out", out]);
    command.current_dir(scene.dir.path()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// What can be done with a directory is done with it.
fn is_a_campaign(scene: &Scene, out: &str) {
    let n_tests = paths(&scene.path(out)).len();
    let succeeds = |args: &[&str]| {
        let output = scene.run(args);
        assert!(matches!(output.end, End::Exited(0 | 1 | 4..=6)), "{args:?}: {}", output.stderr_text());
        output.stdout_text()
    };
    succeeds(&["report", out]);
    let sarif: Value =
        serde_json::from_str(&succeeds(&["report", out, "--format", "sarif", "--to", "-"])).expect("JSON");
    assert!(sarif["runs"].is_array());
    if n_tests > 0 {
        assert_eq!(succeeds(&["show", out]).matches("test ").count(), n_tests);
        assert!(succeeds(&["replay", out, "--vm"]).starts_with(&format!("{n_tests} tests: {n_tests} as written")));
        let text = succeeds(&["export", out, "--format", "corpus", "--to", "exported"]);
        assert!(text.contains(&format!("{n_tests} tests")), "{text}");
        fs::remove_dir_all(scene.path("exported")).expect("a directory of ours");
    }
}

/// Random numbers that are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end.max(1)
    }
}

#[test]
fn nothing_is_lost_and_nothing_mixed_whenever_it_is_killed() {
    let scene = scene();
    let time = |out| {
        let start = Instant::now();
        assert_eq!(command(&scene, out).status().expect("spelunk starts").code(), Some(1));
        start.elapsed()
    };
    // The first one may have to fill caches. A campaign that goes on takes as long again for what it has.
    let shortest = ["whole", "again", "once-more"].map(time).into_iter().min().expect("three");
    let longest = 3 * shortest.as_micros() as u64 / 2;
    let whole = paths(&scene.path("whole"));
    let mut random = Random(7);
    let (mut n_killed, mut round) = (0, 0);
    while n_killed < N_KILLS {
        round += 1;
        let out = format!("out-{round}");
        let mut known = BTreeSet::new();
        loop {
            let mut child = command(&scene, &out).spawn().expect("spelunk starts");
            thread::sleep(Duration::from_micros(random.below(longest)));
            let has_ended = child.try_wait().expect("a child").is_some();
            child.kill().expect("SIGKILL");
            let code = child.wait().expect("a child").code();
            let now = paths(&scene.path(&out));
            assert!(now.is_superset(&known), "a test is lost");
            assert!(now.is_subset(&whole), "a test of another program");
            known = now;
            if has_ended {
                assert_eq!(code, Some(1));
                break;
            }
            n_killed += 1;
            if n_killed % 25 == 0 && scene.path(&out).join("tests").exists() {
                is_a_campaign(&scene, &out);
            }
        }
        assert_eq!(known, whole, "as if it had never been killed");
        let summary = scene.json(&format!("{out}/summary.json"));
        assert_eq!((&summary["stopped"], &summary["unfinished"]), (&"exhausted".into(), &Value::Null));
        assert_eq!((&summary["tests"], &summary["bugs"][0]["kind"]), (&whole.len().into(), &"div-by-zero".into()));
    }
}

/// Processes of native runs that are still there, by the directory that they were started in.
fn left_behind(scene: &Scene) -> Vec<PathBuf> {
    let processes = fs::read_dir("/proc").expect("a list of processes").filter_map(|entry| Some(entry.ok()?.path()));
    processes.filter(|process| fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd == scene.dir.path())).collect()
}

#[test]
fn native_runs_that_are_killed_leave_a_campaign_and_no_process() {
    let scene = scene();
    let time = |out| {
        let start = Instant::now();
        assert_eq!(command_with_native_runs(&scene, out).status().expect("spelunk starts").code(), Some(1));
        start.elapsed()
    };
    let whole = [time("whole"), time("again")].into_iter().min().expect("two");
    let tests = paths(&scene.path("whole"));
    let mut random = Random(11);
    // Exploring is over after a small part of the time; the tests are all there from then on.
    let (mut n_in_native_runs, mut n_rounds) = (0, 0);
    while n_in_native_runs < N_KILLS_IN_NATIVE_RUNS {
        n_rounds += 1;
        assert!(n_rounds < 20 * N_KILLS_IN_NATIVE_RUNS, "native runs are never met");
        let out = format!("out-{n_rounds}");
        let mut child = command_with_native_runs(&scene, &out).spawn().expect("spelunk starts");
        thread::sleep(Duration::from_micros(random.below(whole.as_micros() as u64)));
        let has_ended = child.try_wait().expect("a child").is_some();
        child.kill().expect("SIGKILL");
        child.wait().expect("a child");
        if has_ended || paths(&scene.path(&out)) != tests {
            continue;
        }
        n_in_native_runs += 1;
        let start = Instant::now();
        while !left_behind(&scene).is_empty() && start.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(left_behind(&scene), Vec::<PathBuf>::new(), "nobody goes on");
        if n_in_native_runs % 5 == 0 {
            is_a_campaign(&scene, &out);
        }
        let resumed = scene.run(&["run", "--resume", &out]);
        assert_eq!(resumed.end, End::Exited(1), "{}", resumed.stderr_text());
        assert_eq!(paths(&scene.path(&out)), tests);
        let summary = scene.json(&format!("{out}/summary.json"));
        let replay = &summary["replay"];
        assert_eq!(
            (&replay["tests"], &summary["bugs"][0]["status"]),
            (&tests.len().into(), &"confirmed".into()),
            "{summary}"
        );
    }
}

/// What rules for heaps have refused is counted once, however often a way is gone.
#[test]
fn refusals_are_those_of_a_campaign_that_was_never_ended() {
    let files = [("p.c", include_str!("structures/hex_ring.c")), ("p.hex", include_str!("structures/hex_ring.hex"))];
    let scene = Scene::new(&files);
    let rules = |args: &[&str], out: &str| {
        let output = scene.run(&[&["run", "--no-replay"], args].concat());
        assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
        let summary = scene.json(&format!("{out}/summary.json"));
        (summary["paths"].clone(), summary["rules"].clone())
    };
    let begin = ["p.c", "--entry", "there_and_back", "--hex", "p.hex", "--objects", "struct node=6"];
    let whole = rules(&[&begin[..], &["--out", "whole"]].concat(), "whole");
    let shared = rules(&[&begin[..], &["--out", "shared", "--jobs", "3"]].concat(), "shared");
    rules(&[&begin[..], &["--out", "parts", "--max-paths", "3"]].concat(), "parts");
    let resumed = rules(&["--resume", "parts", "--max-paths", "100"], "parts");
    assert!(whole.1.as_array().is_some_and(|rules| rules.iter().any(|rule| rule["refused"].as_u64() > Some(0))));
    assert_eq!((&shared, &resumed), (&whole, &whole));
}

#[test]
fn a_campaign_goes_on_with_nothing_but_its_directory() {
    let scene = scene();
    let first = scene.run(&[
        "run",
        "p.c",
        "--entry",
        "classify",
        "--depth",
        "9",
        "--max-paths",
        "3",
        "--out",
        "out",
        "--no-replay",
    ]);
    assert_eq!(first.end, End::Exited(0), "{}", first.stderr_text());
    let refused = |args: &[&str], words: &[&str]| {
        let output = scene.run(&[&["run", "--resume", "out"], args].concat());
        assert_eq!(output.end, End::Exited(2), "{}", output.stderr_text());
        assert!(words.iter().all(|word| output.stderr_text().contains(word)), "{}", output.stderr_text());
    };
    refused(&["--depth", "4"], &["`--depth 4` can't be changed", "began with `--depth 9`"]);
    refused(&["--entry", "kind"], &["`--entry kind`", "`--entry classify`"]);
    refused(&["--check", "leak"], &["`--check leak`", "without it"]);
    refused(&["p.ll"], &["`p.ll` can't be changed", "`p.c`"]);
    // What it was told already may be said again, and it may be given more time.
    let again = scene.run(&["run", "p.c", "--resume", "out", "--depth", "9", "--max-paths", "1000", "--jobs", "2"]);
    assert_eq!(again.end, End::Exited(1), "{}", again.stderr_text());
    let summary = scene.json("out/summary.json");
    assert!(summary["tests"].as_u64() > Some(3), "{summary}");
    let elsewhere = scene.path("else/where");
    fs::create_dir_all(&elsewhere).expect("a writable directory");
    let out: PathBuf = "../../out".into();
    let mut command = spelunk().command();
    command.arg("run").arg("--resume").arg(out).current_dir(&elsewhere).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(command.status().expect("spelunk starts").code().is_some_and(|code| matches!(code, 0 | 1 | 4..=6)));
    fs::write(scene.path("p.c"), SOURCE.replace("c < 10", "c < 9")).expect("a writable directory");
    refused(&[], &["p.c has changed since the campaign began", "--seed-dir out"]);
}
