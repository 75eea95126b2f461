//! Native runs can't do anything to the machine: `contained/escape.c` tries, and everything is as it was afterwards. It tries
//! nothing where it finds that it could.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use spelunk_tests::process::{self, End, Output};
use spelunk_tests::scene::{Scene, spelunk};
use tempfile::TempDir;

const PROGRAM: &str = include_str!("contained/escape.c");
const LIMIT: Duration = Duration::from_secs(300);

/// What must stay as it is, outside of the directory that the program is in.
struct Victims {
    /// One where nothing can be written to, and one among temporary files.
    dirs: [TempDir; 2],
    process: Child,
    tcp: TcpListener,
    local: UnixListener,
}

impl Victims {
    fn new() -> Self {
        let dirs = [
            tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory"),
            tempfile::tempdir().expect("a directory"),
        ];
        for dir in &dirs {
            for name in ["kept", "renamed", "removed"] {
                fs::write(dir.path().join(name), "old").expect("a writable directory");
            }
        }
        let local = UnixListener::bind(dirs[0].path().join("socket")).expect("a socket");
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
        let process = Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn().expect("a process");
        for listener in [tcp.set_nonblocking(true), local.set_nonblocking(true)] {
            listener.expect("a socket that does not wait");
        }
        Self { dirs, process, tcp, local }
    }

    /// What clang is told of them.
    fn definitions(&self, max_written: u64) -> Vec<String> {
        let port = self.tcp.local_addr().expect("an address").port();
        let disk = fs::metadata("/").expect("a root").dev();
        vec![
            format!("-DVICTIM=\"{}\"", self.dirs[0].path().display()),
            format!("-DVICTIM_IN_TMP=\"{}\"", self.dirs[1].path().display()),
            format!("-DVICTIM_PID={}", self.process.id()),
            format!("-DPORT={}", port.to_be()),
            format!("-DDISK={disk}ul"),
            format!("-DMAX_WRITTEN={max_written}l"),
        ]
    }

    fn check(&mut self) {
        for dir in &self.dirs {
            check_dir(dir.path());
        }
        assert!(matches!(self.process.try_wait(), Ok(None)), "the process was killed");
        assert!(self.tcp.accept().is_err() && self.local.accept().is_err(), "something was connected to");
    }
}

impl Drop for Victims {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn check_dir(dir: &Path) {
    let mut names: Vec<String> = fs::read_dir(dir)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name != "socket")
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["kept", "removed", "renamed"]);
    let kept = dir.join("kept");
    assert_eq!(fs::read_to_string(&kept).expect("a file"), "old");
    let metadata = fs::metadata(&kept).expect("a file");
    assert_eq!(metadata.permissions().mode() & 0o111, 0);
    assert!(metadata.mtime() > 1);
}

fn scene() -> Scene {
    Scene::new(&[("escape.c", PROGRAM), ("kept", "old"), ("renamed", "old"), ("removed", "old")])
}

fn run(scene: &Scene, victims: &Victims, without: &str, max_written: u64) -> Output {
    let mut command = spelunk().command();
    command.args(["run", "escape.c", "--out", "out", "--"]).args(victims.definitions(max_written));
    command.current_dir(scene.dir.path()).env("SPELUNK_WITHOUT", without);
    process::run(&mut command, b"", LIMIT).expect("spelunk starts")
}

/// A test is given 64 MiB where it has files of its own.
const SPACE: u64 = 64 << 20;

fn nothing_happens(without: &str, max_written: u64) {
    let (scene, mut victims) = (scene(), Victims::new());
    let output = run(&scene, &victims, without, max_written);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    let summary = scene.json("out/summary.json");
    assert!(summary["tests"].as_u64() > Some(18), "{summary}");
    assert_eq!(summary["replay"]["as_predicted"], summary["tests"], "{}", summary["replay"]);
    assert_eq!(summary["replay"]["mismatches"], Value::Array(Vec::new()));
    victims.check();
    let left: Vec<PathBuf> =
        fs::read_dir(scene.dir.path()).expect("a directory").map(|it| it.expect("an entry").path()).collect();
    assert_eq!(left.len(), 5, "{left:?}");
}

#[test]
fn nothing_happens_to_the_machine() {
    nothing_happens("", SPACE);
}

#[test]
fn namespaces_and_the_filter_are_enough() {
    nothing_happens("landlock", SPACE);
}

/// As on systems that let nobody but the administrator make namespaces. There a full disk is not prevented, only large files.
#[test]
fn landlock_and_the_filter_are_enough() {
    nothing_happens("namespaces", u64::MAX >> 1);
}

/// Makes a file, but not in the VM, where code is elsewhere.
const MAKES_A_FILE: &str = "#include <stdint.h>\n#include <stdio.h>\nint main(void) {\n  \
                            if ((uintptr_t)main < (uintptr_t)1 << 32) fopen(FILE_NAME, \"w\");\n  return 0;\n}\n";

/// Runs that; says what was told, and whether the file is there afterwards.
fn make_a_file(without: &str, how: &str) -> (String, bool) {
    let scene = Scene::new(&[("p.c", MAKES_A_FILE)]);
    let victim = tempfile::tempdir().expect("a directory");
    let file = victim.path().join("made");
    let mut command = spelunk().command();
    command.args(["run", "p.c", "--out", "out", "--replay", how, "--", &format!("-DFILE_NAME=\"{}\"", file.display())]);
    command.current_dir(scene.dir.path()).env("SPELUNK_WITHOUT", without);
    let output = process::run(&mut command, b"", LIMIT).expect("spelunk starts");
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    (output.stderr_text(), file.exists())
}

#[test]
fn a_program_that_nothing_contains_is_not_run() {
    for without in ["namespaces,landlock,filter", "namespaces,landlock", "filter"] {
        let (told, is_made) = make_a_file(without, "contained");
        assert!(!is_made, "{without}");
        assert!(told.contains("this kernel can't keep native runs away from"), "{told}");
        assert!(told.contains("`fopen`") && told.contains("--replay uncontained"), "{told}");
    }
}

/// Without namespaces, tests are in a directory of their own. What depends on the other one is no error of Spelunk's.
#[test]
fn the_directory_is_a_known_difference_without_namespaces() {
    let source = "#include <string.h>\n#include <unistd.h>\nint main(void) {\n  char here[4096];\n  \
                  return getcwd(here, sizeof here) && strstr(here, \"/test\") == 0 ? 3 : 4;\n}\n";
    for (without, known) in [("", 0), ("namespaces", 1)] {
        let scene = Scene::new(&[("p.c", source)]);
        let mut command = spelunk().command();
        command.args(["run", "p.c", "--out", "out"]).current_dir(scene.dir.path()).env("SPELUNK_WITHOUT", without);
        let output = process::run(&mut command, b"", LIMIT).expect("spelunk starts");
        assert!(!output.stderr_text().contains("bug in spelunk"), "{}", output.stderr_text());
        let replay = &scene.json("out/summary.json")["replay"];
        assert_eq!(
            (&replay["not_compared"], &replay["as_predicted"]),
            (&known.into(), &(1 - known).into()),
            "{replay}"
        );
    }
}

/// Programs may be refused to write, which is no error of Spelunk's; and what they only read is as they expect.
#[test]
fn what_is_written_elsewhere_is_a_known_difference() {
    let victim = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let elsewhere = victim.path().display();
    let writes = |name: &str| {
        format!("#include <stdio.h>\nint main(void) {{ FILE *f = fopen(\"{name}\", \"w\"); return f ? 3 : 4; }}\n")
    };
    let mkdir = format!("#include <sys/stat.h>\nint main(void) {{ return mkdir(\"{elsewhere}/d\", 0755) ? 3 : 4; }}\n");
    let reads = "#include <stdio.h>\nint main(void) { return fopen(\"/etc/passwd\", \"r\") ? 3 : 4; }\n".to_owned();
    // How many differ, with namespaces and without.
    let in_tmp = format!("/tmp/new-{}", std::process::id());
    let programs =
        [(writes(&format!("{elsewhere}/new")), [1, 1]), (mkdir, [1, 1]), (writes(&in_tmp), [0, 1]), (reads, [0, 0])];
    for (source, known) in &programs {
        for (without, known) in ["", "namespaces"].iter().zip(known) {
            let scene = Scene::new(&[("p.c", source)]);
            let mut command = spelunk().command();
            command.args(["run", "p.c", "--out", "out"]).current_dir(scene.dir.path()).env("SPELUNK_WITHOUT", without);
            let output = process::run(&mut command, b"", LIMIT).expect("spelunk starts");
            assert!(!output.stderr_text().contains("bug in spelunk"), "{source} {}", output.stderr_text());
            let summary = scene.json("out/summary.json");
            assert_eq!(summary["replay"]["not_compared"], *known, "{source} {without} {summary:#}");
            // What it writes is its own, and nothing that is left out.
            assert_eq!(summary["stopped"] == "exhausted", source.contains("\"w\""), "{source} {summary:#}");
        }
    }
    assert_eq!(fs::read_dir(victim.path()).expect("a directory").count(), 0);
}

/// Where nothing was written and no file of the directory was read, a difference is one also without namespaces.
#[test]
fn what_a_machine_has_elsewhere_excuses_nothing() {
    let source = "#include <stdint.h>\n#include <stdio.h>\nint main(void) {\n  if (!fopen(\"/etc/passwd\", \"r\")) return 1;\n  \
                  return (uintptr_t)main < (uintptr_t)1 << 32 ? 3 : 4;\n}\n";
    let scene = Scene::new(&[("p.c", source)]);
    let mut command = spelunk().command();
    command.args(["run", "p.c", "--out", "out"]).current_dir(scene.dir.path()).env("SPELUNK_WITHOUT", "namespaces");
    process::run(&mut command, b"", LIMIT).expect("spelunk starts");
    let replay = &scene.json("out/summary.json")["replay"];
    assert_eq!(replay["not_compared"], 0, "{replay}");
    assert_eq!(replay["mismatches"].as_array().map(Vec::len), Some(1), "{replay}");
}

/// What the kernel has said that it can do may fail in a test all the same.
#[test]
fn no_test_is_run_with_less_than_was_promised() {
    for (without, what) in [("later:landlock", "Landlock"), ("later:filter", "the filter of system calls")] {
        let (told, _) = make_a_file(without, "contained");
        assert!(told.contains("the tests were not run natively") && told.contains(what), "{told}");
    }
}

/// Assembly could do anything: this does nothing.
#[test]
fn assembly_is_dangerous() {
    let scene = Scene::new(&[(
        "p.c",
        "int main(void) {\n  int volatile zero = 0;\n  if (zero) __asm__ volatile(\"nop\");\n  return 0;\n}\n",
    )]);
    let mut command = spelunk().command();
    command.args(["run", "p.c", "--out", "out"]).current_dir(scene.dir.path()).env("SPELUNK_WITHOUT", "filter");
    let output = process::run(&mut command, b"", LIMIT).expect("spelunk starts");
    assert!(output.stderr_text().contains("the program uses inline assembly"), "{}", output.stderr_text());
}

/// Unless that is asked for.
#[test]
fn uncontained_runs_do_what_the_program_does() {
    for (how, is_made) in [("contained", false), ("uncontained", true)] {
        let (told, was_made) = make_a_file("", how);
        assert_eq!(was_made, is_made, "{how}: {told}");
    }
}

/// Without anything dangerous in it, there is nothing to contain.
#[test]
fn a_harmless_program_is_run_in_any_case() {
    let scene = Scene::new(&[("p.c", "int f(int n) { return 10 / (n - 3); }\n")]);
    let mut command = spelunk().command();
    command.args(["run", "p.c", "--entry", "f", "--out", "out"]).current_dir(scene.dir.path());
    command.env("SPELUNK_WITHOUT", "namespaces,landlock,filter");
    let output = process::run(&mut command, b"", LIMIT).expect("spelunk starts");
    assert_eq!(output.end, End::Exited(1), "{}", output.stderr_text());
    assert_eq!(scene.json("out/summary.json")["bugs"][0]["status"], "confirmed");
}
