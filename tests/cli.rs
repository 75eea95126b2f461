//! The command line of the real binary: what it accepts, what it refuses and how, and what it passes through.
//! What programs do once they run is the business of `ui.rs`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use spelunk_tests::config::CONFIGS;
use spelunk_tests::process::{self, End, Output};
use spelunk_tests::report::parse_reports;
use spelunk_tests::spelunk::Spelunk;
use tempfile::TempDir;

const LIMIT: Duration = Duration::from_secs(120);

/// A directory with files in it, and `spelunk` run inside.
struct Scene {
    dir: TempDir,
}

impl Scene {
    fn new(files: &[(&str, &str)]) -> Scene {
        let scene = Scene { dir: tempfile::tempdir().expect("a temporary directory") };
        for (name, text) in files {
            scene.write(name, text.as_bytes());
        }
        scene
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).expect("a writable directory");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a readable file")
    }

    /// Runs clang with `args` here; it must succeed.
    fn clang(&self, args: &[&str]) {
        let mut clang = Command::new(CONFIGS[0].clang);
        let output = process::run(clang.args(args).current_dir(self.dir.path()), b"", LIMIT).expect("clang starts");
        assert!(output.succeeded(), "clang failed: {}", output.stderr_text());
    }

    fn spelunk(&self, args: &[&str]) -> Output {
        self.spelunk_with(args, b"", &[])
    }

    fn spelunk_with(&self, args: &[&str], stdin: &[u8], env: &[(&str, &str)]) -> Output {
        static SPELUNK: OnceLock<Spelunk> = OnceLock::new();
        let spelunk = SPELUNK.get_or_init(|| Spelunk::locate().unwrap_or_else(|error| panic!("{error}")));
        let mut command = spelunk.command();
        command.args(args).current_dir(self.dir.path()).envs(env.iter().copied());
        process::run(&mut command, stdin, LIMIT).expect("spelunk starts")
    }
}

/// Exit status 2, nothing on stdout, and every one of `words` in the message.
#[track_caller]
fn assert_refused(output: &Output, words: &[&str]) {
    let stderr = output.stderr_text();
    assert_eq!(output.end, End::Exited(2), "stderr: {stderr}");
    assert_eq!(output.stdout_text(), "");
    for word in words {
        assert!(stderr.contains(word), "`{word}` is missing from: {stderr}");
    }
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[track_caller]
fn assert_ran(output: &Output, status: i32, stdout: &str) {
    assert_eq!(output.end, End::Exited(status), "stderr: {}", output.stderr_text());
    assert_eq!(output.stdout_text(), stdout);
}

const HELLO: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n";

#[test]
fn a_source_that_does_not_compile_shows_the_message_of_clang() {
    let scene = Scene::new(&[("bad.c", "int main(void) {\n    return undeclared_name;\n}\n")]);
    assert_refused(&scene.spelunk(&["exec", "bad.c"]), &["bad.c:2:12: error:", "undeclared_name"]);
}

#[test]
fn a_missing_file_is_named() {
    let scene = Scene::new(&[]);
    for name in ["absent.c", "absent.ll", "absent.bc"] {
        assert_refused(&scene.spelunk(&["exec", name]), &[name]);
    }
}

#[test]
fn a_directory_is_no_source() {
    let scene = Scene::new(&[]);
    std::fs::create_dir(scene.path("dir.ll")).expect("a writable directory");
    assert_refused(&scene.spelunk(&["exec", "dir.ll"]), &["dir.ll"]);
}

#[test]
fn a_file_of_unknown_kind_is_named() {
    let scene = Scene::new(&[("notes.txt", "not a program")]);
    assert_refused(&scene.spelunk(&["exec", "notes.txt"]), &["notes.txt"]);
}

#[test]
fn a_program_without_main_is_refused() {
    let scene = Scene::new(&[("part.c", "int f(void) { return 0; }\n")]);
    assert_refused(&scene.spelunk(&["exec", "part.c"]), &["main"]);
}

#[test]
fn a_program_without_functions_can_not_be_explored() {
    let scene = Scene::new(&[("data.c", "int data;\n")]);
    assert_refused(&scene.spelunk(&["run", "data.c"]), &["main", "function"]);
    assert_refused(&scene.spelunk(&["run", "data.c", "--entry", "all"]), &["function"]);
}

#[test]
fn a_setting_that_is_about_nothing_is_named() {
    let code = "struct box { int *all, n; };\nint f(struct box *b) { return b->n; }\nint g(int k) { return k; }\n";
    let scene = Scene::new(&[("box.c", code)]);
    let refused = |entry: &str, param: &str, parts: &[&str]| {
        assert_refused(&scene.spelunk(&["run", "box.c", "--entry", entry, "--param", param]), parts);
    };
    refused("f", "c->all=null", &["`f`", "`c->all`"]);
    refused("f", "b->some=null", &["struct box", "`some`", "all, n"]);
    refused("f", "b->all=array:m", &["`m`"]);
    refused("f", "b->n->x=null", &["`x`", "`int`"]);
    refused("f", "b->n=null", &["`b->n=null`", "`int`"]);
    refused("f", "b->=null", &["b->=null"]);
    refused("all", "x=3", &["`x=3`"]);
    assert!(!scene.spelunk(&["run", "box.c", "--entry", "all", "--param", "k=3"]).stdout.is_empty());
}

#[test]
fn a_function_defined_twice_is_named() {
    let body = "int twice(void) { return 1; }\n";
    let scene =
        Scene::new(&[("a.c", body), ("b.c", body), ("m.c", "int twice(void); int main(void) { return twice(); }")]);
    assert_refused(&scene.spelunk(&["exec", "a.c", "b.c", "m.c"]), &["twice"]);
}

#[test]
fn damaged_ir_is_refused_with_its_position() {
    let scene = Scene::new(&[("hello.c", HELLO)]);
    scene.clang(&["-S", "-emit-llvm", "hello.c", "-o", "good.ll"]);
    let good = scene.read("good.ll");
    let line = good.lines().position(|line| line.contains("call i32 @puts")).expect("the call is in the IR") + 1;
    scene.write("bad.ll", good.replace("call i32 @puts(", "call i32 @puts[").as_bytes());
    assert_refused(&scene.spelunk(&["exec", "bad.ll"]), &[&format!("bad.ll:{line}:")]);
}

#[test]
fn ir_cut_short_anywhere_is_refused_without_a_panic() {
    let scene = Scene::new(&[("hello.c", HELLO)]);
    scene.clang(&["-g", "-S", "-emit-llvm", "hello.c", "-o", "good.ll"]);
    let good = scene.read("good.ll");
    let body = good.find("define ").expect("a function in the IR");
    for numerator in 1..8 {
        let end = body + 10 + (good.len() - body) * numerator / 20;
        scene.write("cut.ll", &good.as_bytes()[..end]);
        let output = scene.spelunk(&["exec", "cut.ll"]);
        assert!(!output.stderr_text().contains("panicked"), "cut at {end}: {}", output.stderr_text());
        assert_ne!(output.end, End::Exited(3), "cut at {end}: {}", output.stderr_text());
    }
}

#[test]
fn bytes_that_are_no_ir_are_refused() {
    let scene = Scene::new(&[("text.ll", "this is prose\n"), ("empty.ll", ""), ("empty.bc", "")]);
    scene.write("binary.ll", &[0, 159, 146, 150, 255, 10, 0]);
    scene.write("binary.bc", &[0, 159, 146, 150, 255, 10, 0]);
    assert_refused(&scene.spelunk(&["exec", "text.ll"]), &["text.ll:1:1"]);
    for name in ["binary.ll", "binary.bc"] {
        assert_refused(&scene.spelunk(&["exec", name]), &[name]);
    }
    // An empty file is a module in which nothing is defined.
    for name in ["empty.ll", "empty.bc"] {
        assert_refused(&scene.spelunk(&["exec", name]), &["main"]);
    }
}

#[test]
fn textual_and_binary_ir_run_like_the_source() {
    let scene = Scene::new(&[("hello.c", HELLO)]);
    scene.clang(&["-S", "-emit-llvm", "hello.c", "-o", "hello.ll"]);
    scene.clang(&["-O1", "-c", "-emit-llvm", "hello.c", "-o", "hello.bc"]);
    for name in ["hello.c", "hello.ll", "hello.bc"] {
        assert_ran(&scene.spelunk(&["exec", name]), 0, "hello\n");
    }
}

#[test]
fn kinds_of_input_link_with_each_other() {
    let scene = Scene::new(&[
        (
            "m.c",
            "#include <stdio.h>\nint a(void); int b(void);\nint main(void) { printf(\"%d\\n\", a() + b()); return 0; }\n",
        ),
        ("a.c", "int a(void) { return 40; }\n"),
        ("b.c", "int b(void) { return 2; }\n"),
    ]);
    scene.clang(&["-S", "-emit-llvm", "a.c", "-o", "a.ll"]);
    scene.clang(&["-c", "-emit-llvm", "b.c", "-o", "b.bc"]);
    assert_ran(&scene.spelunk(&["exec", "m.c", "a.ll", "b.bc"]), 0, "42\n");
}

#[test]
fn ir_without_debug_information_still_reports_its_bug() {
    let scene = Scene::new(&[("null.c", "int main(void) { int *p = 0; return *p; }\n")]);
    scene.clang(&["-S", "-emit-llvm", "null.c", "-o", "null.ll"]);
    let output = scene.spelunk(&["exec", "null.ll"]);
    assert_eq!(output.end, End::Exited(1));
    let reports = parse_reports(&output.stderr_text());
    assert_eq!(reports.len(), 1, "stderr: {}", output.stderr_text());
    assert_eq!(reports[0].kind, "null-deref");
}

#[test]
fn the_exit_status_of_the_program_passes_through() {
    let source = "#include <stdlib.h>\nint main(int argc, char **argv) { (void)argc; return atoi(argv[1]); }\n";
    let scene = Scene::new(&[("status.c", source)]);
    for (given, status) in [("0", 0), ("1", 1), ("2", 2), ("42", 42), ("255", 255), ("256", 0), ("-1", 255)] {
        assert_ran(&scene.spelunk(&["exec", "status.c", "--", given]), status, "");
    }
}

#[test]
fn a_program_killed_by_a_signal_ends_like_under_a_shell() {
    let scene = Scene::new(&[("kill.c", "#include <signal.h>\nint main(void) { return raise(SIGTERM); }\n")]);
    assert_ran(&scene.spelunk(&["exec", "kill.c"]), 128 + 15, "");
}

#[test]
fn arguments_reach_the_program_unchanged() {
    let source =
        "#include <stdio.h>\nint main(int c, char **v) { for (int i = 1; i < c; i++) puts(v[i]); return 0; }\n";
    let scene = Scene::new(&[("args.c", source)]);
    let output = scene.spelunk(&["exec", "args.c", "--", "-O2", "--check", "two words", "", "é", "--", "x.c"]);
    assert_ran(&output, 0, "-O2\n--check\ntwo words\n\né\n--\nx.c\n");
}

#[test]
fn the_environment_reaches_the_program() {
    let source =
        "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { puts(getenv(\"SCENE_NAME\")); return 0; }\n";
    let scene = Scene::new(&[("env.c", source)]);
    assert_ran(&scene.spelunk_with(&["exec", "env.c"], b"", &[("SCENE_NAME", "a value")]), 0, "a value\n");
}

#[test]
fn any_bytes_pass_from_stdin_to_stdout() {
    let source = "#include <stdio.h>\nint main(void) { for (int c; (c = getchar()) != EOF;) putchar(c); return 0; }\n";
    let scene = Scene::new(&[("cat.c", source)]);
    let bytes: Vec<u8> = (0..200_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let output = scene.spelunk_with(&["exec", "cat.c"], &bytes, &[]);
    assert_eq!(output.end, End::Exited(0), "stderr: {}", output.stderr_text());
    assert!(output.stdout == bytes, "{} bytes in, {} bytes out", bytes.len(), output.stdout.len());
}

#[test]
fn the_two_output_streams_stay_apart() {
    let source = "#include <stdio.h>\nint main(void) { puts(\"out\"); fputs(\"err\\n\", stderr); return 0; }\n";
    let scene = Scene::new(&[("two.c", source)]);
    let output = scene.spelunk(&["exec", "two.c"]);
    assert_ran(&output, 0, "out\n");
    assert_eq!(output.stderr_text(), "err\n");
}

#[test]
fn output_before_a_bug_is_not_lost() {
    let source = "#include <stdio.h>\nint main(void) {\n    printf(\"before\");\n    int *p = 0;\n    return *p;\n}\n";
    let scene = Scene::new(&[("late.c", source)]);
    let output = scene.spelunk(&["exec", "late.c"]);
    assert_ran(&output, 1, "before");
    let position = parse_reports(&output.stderr_text())[0].position.clone().expect("a position");
    assert_eq!((position.file.as_path(), position.line), (Path::new("late.c"), 5));
}

#[test]
fn compile_flags_are_handed_to_clang() {
    let source = "#include <stdio.h>\n#include \"conf.h\"\nint main(void) { printf(\"%d %d\\n\", A, B); return 0; }\n";
    let scene = Scene::new(&[("flags.c", source)]);
    std::fs::create_dir(scene.path("include")).expect("a writable directory");
    scene.write("include/conf.h", b"#define B 7\n");
    assert_ran(&scene.spelunk(&["exec", "--cflag=-DA=35", "--cflag=-Iinclude", "flags.c"]), 0, "35 7\n");
}

#[test]
fn a_compiler_that_is_not_there_is_named() {
    let scene = Scene::new(&[("hello.c", HELLO)]);
    assert_refused(&scene.spelunk(&["exec", "--clang", "no-such-clang", "hello.c"]), &["no-such-clang"]);
}

#[test]
fn the_library_is_listed() {
    let output = Scene::new(&[]).spelunk(&["exec", "--list-libc"]);
    assert_eq!(output.end, End::Exited(0), "stderr: {}", output.stderr_text());
    let listing = output.stdout_text();
    for name in ["malloc", "printf", "strlen", "qsort", "memcpy"] {
        assert!(listing.split_whitespace().any(|word| word == name), "`{name}` is not listed");
    }
}

#[test]
fn wrong_usage_is_refused() {
    let scene = Scene::new(&[("hello.c", HELLO)]);
    assert_refused(&scene.spelunk(&["exec", "--no-such-option", "hello.c"]), &["--no-such-option"]);
    assert_refused(&scene.spelunk(&["exec", "--check", "no-such-check", "hello.c"]), &["no-such-check"]);
    assert_refused(&scene.spelunk(&["no-such-command"]), &["no-such-command"]);
    assert_refused(&scene.spelunk(&["exec"]), &[]);
    assert_refused(&scene.spelunk(&[]), &[]);
}

#[test]
fn help_and_version_are_answers() {
    let scene = Scene::new(&[]);
    for args in [&["--help"][..], &["exec", "--help"], &["--version"]] {
        let output = scene.spelunk(args);
        assert_eq!(output.end, End::Exited(0), "{args:?}: {}", output.stderr_text());
        assert!(!output.stdout.is_empty(), "{args:?} printed nothing");
    }
}

#[test]
fn the_same_run_prints_the_same_bytes() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n    void *p = malloc(3);\n    int local;\n    printf(\"%p %p %p\\n\", p, (void *)&local, (void *)main);\n    return ((char *)p)[3];\n}\n";
    let scene = Scene::new(&[("same.c", source)]);
    let (first, second) = (scene.spelunk(&["exec", "same.c"]), scene.spelunk(&["exec", "same.c"]));
    assert_eq!(first.end, End::Exited(1));
    assert_eq!(first.stdout_text(), second.stdout_text());
    assert_eq!(first.stderr_text(), second.stderr_text());
}

#[test]
fn settings_of_parameters_that_do_not_fit_are_refused() {
    let scene = Scene::new(&[("f.c", "struct s { int a, b; };\nint f(int n, struct s s) { return n + s.a; }\n")]);
    for setting in ["n=string:4", "s=7"] {
        let output = scene.spelunk(&["run", "f.c", "--entry", "f", "--param", setting]);
        assert_refused(&output, &[setting, "does not fit"]);
    }
    let output = scene.spelunk(&["run", "f.c", "--entry", "f", "--param", "m=7"]);
    assert_refused(&output, &["no parameter `m`"]);
}

#[test]
fn functions_that_no_instruction_calls_count_as_reached() {
    let source = "#include <stdlib.h>\nstatic int by_value(const void *a, const void *b) {\n    return *(const int *)a - *(const int *)b;\n}\nint least(int x, int y) {\n    int both[] = {x % 8, y % 8};\n    qsort(both, 2, sizeof *both, by_value);\n    return both[0];\n}\n";
    let scene = Scene::new(&[("least.c", source)]);
    let output = scene.spelunk(&["run", "least.c", "--entry", "least"]);
    assert_eq!(output.end, End::Exited(0), "stderr: {}", output.stderr_text());
    let lines = output.stdout_text().lines().find(|line| line.starts_with("lines ")).map(str::to_owned);
    assert!(lines.as_ref().is_some_and(|line| line.contains("100.0 %")), "{lines:?}");
}

#[test]
fn inputs_are_drawn() {
    let source = "struct node { int v; struct node *next; };\nint f(struct node *l) { return l && l->next == l && l->v == 7 ? 1 / (l->v - 7) : 0; }\n";
    let scene = Scene::new(&[("f.c", source)]);
    let output = scene.spelunk(&["run", "f.c", "--entry", "f", "--out", "out"]);
    assert_eq!(output.end, End::Exited(1), "{}", output.stderr_text());
    for line in ["┌──▶┌ #1 struct node ┐◀─┐", "│ v            7 │  │", "│ next         ● ├──┘"]
    {
        assert!(output.stdout_text().contains(line), "no {line} in\n{}", output.stdout_text());
    }
    let number = |name: &str| name.strip_suffix(".svg").and_then(|name| name.parse::<u64>().ok());
    let files = std::fs::read_dir(scene.path("out/tests")).expect("a directory");
    let names = files.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned());
    let pictures: Vec<u64> = names.filter_map(|name| number(&name)).collect();
    let [shown] = pictures[..] else { panic!("one bug, but pictures of {pictures:?}") };
    let shown = shown.to_string();
    let output = scene.spelunk_with(&["show", "out", "--test", &shown], b"", &[("LC_ALL", "C")]);
    assert!(output.stdout_text().contains("+ #1 struct node +<"), "{}", output.stdout_text());
    let output = scene.spelunk(&["show", "out", "--svg"]);
    assert_eq!(output.stdout_text().lines().count(), 4, "{}", output.stdout_text());
    assert!(scene.read("out/tests/000001.svg").starts_with("<svg"));
    assert_refused(&scene.spelunk(&["show", "nowhere"]), &["nowhere"]);
}

/// One function for each class, and the exit code that belongs to it.
#[test]
fn findings_come_in_classes() {
    let source = "struct s { int v; };\nint bug(int n) { return n == 7 ? 1 / (n - 7) : n; }\nint needs(struct s *s) { return s->v; }\nint loops(int n) { while (n == 3) ; return n; }\nint deep(int n) { return n == 3 ? 1 + deep(n) : n; }\nint fine(int n) { return n > 3; }\n";
    let scene = Scene::new(&[("f.c", source)]);
    let classes =
        [("bug", "bug", 1), ("needs", "needs-precondition", 4), ("loops", "may-not-end", 5), ("deep", "resource", 6)];
    for (entry, class, code) in classes {
        let output = scene.spelunk(&["run", "f.c", "--entry", entry, "--no-replay", "--out", entry]);
        assert_eq!(output.end, End::Exited(code), "{}", output.stderr_text());
        let summary: serde_json::Value =
            serde_json::from_str(&scene.read(&format!("{entry}/summary.json"))).expect("a summary");
        assert_eq!(summary["bugs"][0]["class"], class, "{summary}");
        assert_eq!(summary["findings"], serde_json::json!({ class: 1 }), "{summary}");
        let label = if class == "bug" { "error: " } else { "warning: " };
        // Findings, then figures, in one stream.
        let text = output.stdout_text();
        let (finding, figures) = (text.find(label).expect("a finding"), text.find("stopped ").expect("figures"));
        assert!(finding < figures, "{text}");
    }
    assert_eq!(scene.spelunk(&["run", "f.c", "--entry", "fine", "--no-replay", "--out", "fine"]).end, End::Exited(0));
    // Of several functions, the code is that of the class that says most.
    let output = scene.spelunk(&["run", "f.c", "--entry", "all", "--no-replay", "--out", "all"]);
    assert_eq!(output.end, End::Exited(1), "{}", output.stderr_text());
    let index: serde_json::Value = serde_json::from_str(&scene.read("all/index.json")).expect("an index");
    let of =
        |entry: &str| index["campaigns"].as_array().and_then(|all| all.iter().find(|it| it["entry"] == entry).cloned());
    assert_eq!(of("needs").expect("an entry")["findings"], serde_json::json!({ "needs-precondition": 1 }));
}

/// An unterminated comment and an unterminated string end at one read: two findings. That letters lead there in many ways is one.
#[test]
fn findings_at_one_place_have_causes() {
    let source = "void minify(char *s) {\n    while (*s) {\n        if (s[0] == '/' && s[1] == '*') {\n            while (*s && !(s[0] == '*' && s[1] == '/')) s++;\n            s += 2;\n        } else if (*s == '\"') {\n            s++;\n            while (*s && *s != '\"') s++;\n            s++;\n        } else s++;\n    }\n}\nint letters(const char *s, int *a) {\n    int n = 0;\n    if (s[0] == 'a') n++;\n    else if (s[0] == 'b') n += 2;\n    return a ? a[9] : n;\n}\n";
    let scene = Scene::new(&[("m.c", source)]);
    let found = |entry: &str, args: &[&str]| {
        let run = ["run", "m.c", "--entry", entry, "--no-replay", "--out", entry];
        scene.spelunk(&[&run[..], args].concat());
        let summary: serde_json::Value =
            serde_json::from_str(&scene.read(&format!("{entry}/summary.json"))).expect("a summary");
        let bugs = summary["bugs"].as_array().expect("bugs").clone();
        bugs.iter().map(|bug| (bug["line"].as_u64(), bug["cause"]["line"].as_u64())).collect::<Vec<_>>()
    };
    let causes = found("minify", &["--param", "s=string:4"]);
    let of_comment_and_string = [(Some(2), Some(4)), (Some(2), Some(8))];
    assert!(of_comment_and_string.iter().all(|cause| causes.contains(cause)), "{causes:?}");
    assert_eq!(found("letters", &[]), [(Some(17), None)]);
}

/// Half of the alternatives of `f` lead to one error: they come after others. All paths of `g` do, which is told.
#[test]
fn known_errors_do_not_use_up_the_budget() {
    let source = "int f(const unsigned char *s) {\n    int n = 0;\n    for (int i = 0; i < 12; i++) {\n        if (s[i] > 200) return *(volatile int *)0;\n        if (s[i] & 1) n++;\n    }\n    return n;\n}\nint g(const unsigned char *s) {\n    int n = 0;\n    for (int i = 0; i < 6; i++)\n        if (s[i] & 1) n++;\n    return *(volatile int *)0 + n;\n}\n";
    let scene = Scene::new(&[("f.c", source)]);
    let run = |entry: &str| {
        let input = ["--param", "s=bytes:12", "--param", "s=nonnull", "--max-paths", "400"];
        let output =
            scene.spelunk(&[&["run", "f.c", "--entry", entry, "--no-replay", "--out", entry], &input[..]].concat());
        let summary: serde_json::Value =
            serde_json::from_str(&scene.read(&format!("{entry}/summary.json"))).expect("a summary");
        (output, summary["bugs"][0]["hits"].as_u64().expect("a bug"), summary["paths"].as_u64().expect("a number"))
    };
    let (output, n_known, n_paths) = run("f");
    assert!(n_paths == 400 && n_known < n_paths / 5, "{n_known} of {n_paths}");
    assert!(!output.stdout_text().contains("most paths"), "{}", output.stdout_text());
    let (output, n_known, n_paths) = run("g");
    assert_eq!(n_known, n_paths);
    assert!(output.stdout_text().contains("most paths (64 of 64) end here"), "{}", output.stdout_text());
}

#[test]
fn conditions_that_may_be_missing_are_told() {
    let source = "struct s { int v; };\nint f(struct s *a, struct s *b) { a->v = 1; b->v = 2; return 1 / (a->v == 1); }\nint g(struct s *a) { return a ? 9 / a->v : 0; }\n";
    let scene = Scene::new(&[("f.c", source)]);
    let output = scene.spelunk(&["run", "f.c", "--entry", "f", "--out", "f"]);
    let summary = scene.read("f/summary.json");
    for condition in ["a != NULL", "b != NULL", "b != a"] {
        assert!(output.stdout_text().contains(&format!("violate `{condition}`")), "{}", output.stdout_text());
        assert!(summary.contains(&format!("\"precondition\":\"{condition}\"")), "{summary}");
    }
    let output = scene.spelunk(&["run", "f.c", "--entry", "g", "--out", "g"]);
    assert_eq!(output.end, End::Exited(1), "{}", output.stderr_text());
    assert!(!output.stdout_text().contains("violate"), "{}", output.stdout_text());
}

/// That the smallest input has a null pointer elsewhere too has nothing to do with it, and cycles have many lengths.
#[test]
fn conditions_that_may_be_missing_are_those_that_matter() {
    let source = "#include <stdlib.h>\nstruct n { struct n *next; };\nvoid drop(struct n **l, int (*keep)(struct n *)) {\n    while (*l && !keep(*l)) {\n        struct n *old = *l;\n        l = &old->next;\n        free(old);\n    }\n}\nvoid all(struct n *l) {\n    while (l) {\n        struct n *next = l->next;\n        free(l);\n        l = next;\n    }\n}\n";
    let scene = Scene::new(&[("f.c", source)]);
    for (entry, kind, condition) in
        [("drop", "null-deref", "l != NULL"), ("all", "use-after-free", "no object leads back to itself")]
    {
        scene.spelunk(&["run", "f.c", "--entry", entry, "--nesting", "6", "--max-paths", "200", "--out", entry]);
        let summary: serde_json::Value =
            serde_json::from_str(&scene.read(&format!("{entry}/summary.json"))).expect("a summary");
        let bugs = summary["bugs"].as_array().expect("bugs");
        let bug = bugs.iter().find(|bug| bug["kind"] == kind).unwrap_or_else(|| panic!("no {kind}: {summary}"));
        assert_eq!(bug["precondition"], condition, "{summary}");
    }
}

/// Rules decide the pointers of parameters, and of what functions return that nobody defines.
#[test]
fn only_pointers_under_rules_are_undecided() {
    let source = "struct n { struct n *next; };\nstruct n *make(void);\nint f(struct n *l) {\n    struct n *m = make();\n    return l ? 1 : m && m->next ? 2 : 3;\n}\n";
    let scene = Scene::new(&[("f.c", source), ("f.hex", "l(.next)* aliases nothing\n")]);
    scene.spelunk(&["run", "f.c", "--entry", "f", "--hex", "f.hex", "--no-replay", "--out", "out"]);
    let files = std::fs::read_dir(scene.path("out/tests")).expect("a directory");
    let tests = files.map(|file| std::fs::read_to_string(file.expect("a file").path()).expect("a test"));
    let tests: Vec<serde_json::Value> = tests.map(|text| serde_json::from_str(&text).expect("a test")).collect();
    let objects = tests.iter().flat_map(|test| test["input"].as_array().expect("objects"));
    let undecided = objects.filter(|object| object["undecided"].is_array());
    let names: std::collections::BTreeSet<&str> = undecided.filter_map(|object| object["name"].as_str()).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["*l", "*make()->next", "make()"]);
}

#[test]
fn a_budget_that_is_used_up_concerns_no_other_function() {
    let source = "#include <stdio.h>\nint f(int x) { return x > 1 ? 2 : x > 0; }\nint g(int x) { return x > 5 ? 1 : 2; }\nint h(FILE *s) { return s ? fgetc(s) : 0; }\n";
    let scene = Scene::new(&[("f.c", source)]);
    let output = scene.spelunk(&["run", "f.c", "--entry", "all", "--max-paths", "1", "--out", "out"]);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    for function in ["f", "g"] {
        assert!(scene.read(&format!("out/{function}/summary.json")).contains("\"paths\":1,"), "{function}");
    }
    assert_refused(&scene.spelunk(&["run", "f.c", "--entry", "h"]), &["`s`", "stream", "--sym-file"]);
}

#[test]
fn functions_are_listed_with_what_they_would_be_given() {
    let program = r#"
        struct node { int key; struct node *next; };
        enum color { RED, GREEN, BLUE };
        typedef int (*less)(const void *, const void *);
        int f(struct node *n, enum color c, _Bool b, const char *s, void *p, double d) { return n && c && b && s && p && d; }
        int g(struct node by_value, less is_less, int a[4]) { return is_less(&by_value, a); }
        int h(const char *format, ...) { return *format; }"#;
    let scene = Scene::new(&[("p.c", program)]);
    let output = scene.spelunk(&["run", "p.c"]);
    assert_eq!(output.end, End::Exited(0));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let expected = "\
  f(struct node *n, enum color c, _Bool b, const char *s, void *p, double d)
      n  null, or one `struct node`, and what its pointers lead to
      c  one of 3 constants
      b  0 or 1
      s  a string of up to 8 characters (up to 4200 by its length)
      p  null, or 16 bytes of any value
      d  any value
  g(struct node by_value, less is_less, int *a)
      by_value  any values of its members, and what its pointers lead to
      is_less   a function that returns any value
      a         null, or one `int`
  h: can't be tested: ";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn static_functions_are_entered_through_their_callers() {
    let source = "static int half(int n) { return 8 / n; }\nstatic int alone(int n) { return n + 1; }\n\
                  int (*table[])(int) = {alone};\nint twice(int n) { return n ? half(n) : 0; }\n";
    let scene = Scene::new(&[("s.c", source)]);
    let listed = scene.spelunk(&["run", "s.c"]).stdout_text();
    assert!(listed.contains("half(int n), internal (static): called by `twice`"), "{listed}");
    assert!(listed.contains("alone(int n), internal (static)\n"), "{listed}");
    let all = scene.spelunk(&["run", "s.c", "--entry", "all", "--no-replay", "--out", "all"]);
    assert_eq!(all.end, End::Exited(0), "{}", all.stdout_text());
    assert!(
        all.stdout_text().contains("1 static function tested only through callers: `half`"),
        "{}",
        all.stdout_text()
    );
    assert!(scene.path("all/alone").exists() && !scene.path("all/half").exists());
    // By itself, a finding says that its callers may rule it out.
    let one = scene.spelunk(&["run", "s.c", "--entry", "half", "--no-replay", "--out", "one"]);
    assert_eq!(one.end, End::Exited(1), "{}", one.stdout_text());
    assert!(one.stdout_text().contains("`half` is internal (static), called by `twice`"), "{}", one.stdout_text());
    assert!(one.stdout_text().contains("--entry twice"), "{}", one.stdout_text());
}

#[test]
fn short_help_has_the_common_options() {
    let scene = Scene::new(&[]);
    let (short, long) = (scene.spelunk(&["run", "-h"]).stdout_text(), scene.spelunk(&["run", "--help"]).stdout_text());
    assert!(["What to test:", "--entry", "--time"].iter().all(|it| short.contains(it) && long.contains(it)), "{short}");
    assert!(!short.contains("--log-queries") && long.contains("--log-queries"), "{short}");
}

/// A choice between what is initialised and what is not, where the run is kept in between: each way has its own answer.
#[test]
fn what_is_initialised_on_one_way_only() {
    let program = |choice: &str| {
        format!(
            "declare i32 @klee_int(ptr)\n@x = private constant [2 x i8] c\"x\\00\"\n\
             define i32 @main() {{\nentry:\n  %slot = alloca i32\n  %unset = load i32, ptr %slot\n  \
             %x = call i32 @klee_int(ptr @x)\n  br label %wait\n\
             wait:\n  %i = phi i32 [ 0, %entry ], [ %next, %wait ]\n  %next = add i32 %i, 1\n  \
             %done = icmp eq i32 %next, 1000\n  br i1 %done, label %choose, label %wait\n\
             choose:\n  %is_seven = icmp eq i32 %x, 7\n  %value = select i1 %is_seven, {choice}\n  \
             br i1 %is_seven, label %use, label %end\n\
             use:\n  %is_five = icmp eq i32 %value, 5\n  br i1 %is_five, label %end, label %other\n\
             other:\n  ret i32 1\nend:\n  ret i32 0\n}}\n"
        )
    };
    let scene =
        Scene::new(&[("defined.ll", &program("i32 5, i32 %unset")), ("undefined.ll", &program("i32 %unset, i32 5"))]);
    let run = |name: &str| scene.spelunk(&["run", name, "--no-replay", "--out", &format!("{name}.out")]);
    let (defined, undefined) = (run("defined.ll"), run("undefined.ll"));
    assert_eq!(defined.end, End::Exited(0), "{}", defined.stdout_text());
    assert_eq!(undefined.end, End::Exited(1), "{}", undefined.stdout_text());
    assert!(undefined.stdout_text().contains("[uninitialised]"), "{}", undefined.stdout_text());
}
