//! How a run starts and ends.

use crate::project::{Project, Run};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const HELLO: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 7; }\n";

#[test]
fn arguments_and_environment_reach_the_program() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv, char **envp) {\n\
                  printf(\"%d %s %s|%s|%s\\n\", argc, argv[0], argv[1], argv[2], getenv(\"FLAVOUR\"));\n\
                  return argv[argc] || !envp[0]; }\n";
    let project = Project::new(&[("sub/a.c", source)]);
    let output = project.command(&["sub/a.c", "--", "-x", ""]).env("FLAVOUR", "sour").output();
    let run = Run::of(output.expect("spelunk starts"));
    run.expect(0, &[]);
    assert_eq!(run.stdout, "3 sub/a -x||sour\n");
}

#[test]
fn constructors_run_before_main_and_destructors_after_exit_handlers() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\n\
                  __attribute__((constructor(102))) static void second(void) { puts(\"second\"); }\n\
                  __attribute__((constructor(101))) static void first(void) { puts(\"first\"); }\n\
                  __attribute__((destructor)) static void last(void) { puts(\"last\"); }\n\
                  static void handler(void) { puts(\"handler\"); }\n\
                  int main(void) { atexit(handler); puts(\"main\"); return 0; }\n";
    let run = Project::new(&[("a.c", source)]).exec(&["a.c"]);
    run.expect(0, &[]);
    assert_eq!(run.stdout, "first\nsecond\nmain\nhandler\nlast\n");
}

#[test]
fn ir_with_stray_bytes_is_read() {
    let project = Project::new(&[]);
    let text = b"; caf\xe9\ndefine i32 @main() {\n  ret i32 5\n}\n";
    std::fs::write(project.path().join("a.ll"), text).expect("a source file");
    project.exec(&["a.ll"]).expect(5, &[]);
}

#[test]
fn optimisation_flags_replace_ours() {
    let source = "int main(void) {\n#ifdef __OPTIMIZE__\nreturn 1;\n#else\nreturn 0;\n#endif\n}\n";
    let project = Project::new(&[("a.c", source)]);
    project.exec(&["a.c"]).expect(0, &[]);
    project.exec(&["a.c", "--cflag=-O2"]).expect(1, &[]);
}

#[test]
fn undefined_variables_are_named_together() {
    let source = "extern int somewhere, here; int main(void) { return somewhere + here; }\n";
    let run = Project::new(&[("a.c", source)]).exec(&["a.c"]);
    run.expect(2, &["error: undefined variables: `somewhere`, `here`\n"]);
}

#[test]
fn errors_in_ir_look_like_those_of_a_compiler() {
    let run = Project::new(&[("a.ll", "define i32 @main() {\n  ret i32\n}\n")]).exec(&["a.ll"]);
    run.expect(2, &["a.ll:3:1: error: "]);
}

#[test]
fn warnings_of_clang_are_shown_and_the_program_runs() {
    let run = Project::new(&[("a.c", "int main(void) { int x = \"\"; return 4 + 0 * !x; }\n")])
        .exec(&["a.c", "--cflag=-Wno-error=int-conversion"]);
    run.expect(4, &["a.c:1:22: warning: "]);
}

#[test]
fn a_function_that_nobody_defines_ends_the_run_only_when_called() {
    let source =
        "void fancy(void);\nint main(int argc, char **argv) {\n  if (argc > 1)\n    fancy();\n  return 0;\n}\n";
    let project = Project::new(&[("a.c", source)]);
    project.exec(&["a.c"]).expect(0, &[]);
    project.exec(&["a.c", "--", "x"]).expect(1, &["a.c:4:5: error: unsupported: ", "`fancy`", "[unsupported]\n"]);
}

#[test]
fn limits_end_the_run() {
    let project = Project::new(&[
        ("loop.c", "int main(void) {\n  for (unsigned long n = 0;; n++)\n    ;\n}\n"),
        ("deep.c", "int f(int n) { return n ? 1 + f(n - 1) : 0; }\nint main(void) { return f(10000) != 10000; }\n"),
        ("big.c", "static char big[1 << 20];\nint main(void) { return big[5]; }\n"),
    ]);
    project.exec(&["loop.c", "--max-steps", "1000"]).expect(1, &["loop.c:2:3: error: stopped: ", "[step-limit]"]);
    project.exec(&["deep.c"]).expect(0, &[]);
    project
        .exec(&["deep.c", "--stack-size", "64KiB"])
        .expect(1, &["[stack-exhausted]", "called from `f`, ", " times\n"]);
    project.exec(&["big.c"]).expect(0, &[]);
    project
        .exec(&["big.c", "--max-memory", "512KiB"])
        .expect(2, &["error: the program's variables take 1.0 MiB", "--max-memory 512.0 KiB"]);
}

#[test]
fn output_before_a_limit_is_not_lost() {
    let source = "#include <stdio.h>\n\
                  static int down(int n) { return n ? 1 + down(n + 1) : 0; }\n\
                  int main(int argc, char **argv) {\n\
                  \x20 printf(\"so far\");\n\
                  \x20 if (argc > 1) return down(1);\n\
                  \x20 for (;;)\n    ;\n}\n";
    let project = Project::new(&[("a.c", source)]);
    let ends: [(&[&str], &str); 2] =
        [(&["a.c", "--max-steps=5000"], "[step-limit]"), (&["a.c", "--", "deep"], "[stack-exhausted]")];
    for (args, slug) in ends {
        let run = project.exec(args);
        run.expect(1, &[slug]);
        assert_eq!(run.stdout, "so far");
    }
}

#[test]
fn an_interrupt_ends_the_run() {
    let project = Project::new(&[(
        "a.c",
        "#include <stdio.h>\nint main(void) {\n  puts(\"go\");\n  fflush(stdout);\n  for (unsigned long n = 0;; n++)\n    ;\n}\n",
    )]);
    let mut child =
        project.command(&["a.c"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("spelunk starts");
    let mut line = String::new();
    let mut stdout = std::io::BufReader::new(child.stdout.take().expect("piped"));
    std::io::BufRead::read_line(&mut stdout, &mut line).expect("a line");
    assert_eq!(line, "go\n");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill starts").success());
    let start = Instant::now();
    let run = Run::of(child.wait_with_output().expect("spelunk ends"));
    run.expect(130, &["a.c:5:3: error: stopped: interrupted [interrupted]"]);
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn statistics_are_printed_on_request() {
    let run = Project::new(&[("a.c", HELLO)]).exec(&["a.c", "--stats"]);
    run.expect(7, &["compile ", "parse ", "link ", "lower ", "run ", "operations ", "memory "]);
}

#[test]
fn the_cache_may_be_cold_shared_or_missing() {
    let project = Project::new(&[("a.c", HELLO), ("cache/.keep", "")]);
    let cache = project.path().join("cache");
    let runs: Vec<_> = (0..3)
        .map(|_| {
            project
                .command(&["a.c"])
                .env("SPELUNK_CACHE", &cache)
                .stdout(Stdio::piped())
                .spawn()
                .expect("spelunk starts")
        })
        .collect();
    for run in runs {
        Run::of(run.wait_with_output().expect("spelunk ends")).expect(7, &[]);
    }
    let key = std::fs::read_dir(&cache).expect("the cache").flatten().find(|entry| entry.file_name() != ".keep");
    let files = std::fs::read_dir(key.expect("a key").path()).expect("cached files").flatten();
    let names: Vec<String> = files.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    assert!(names.contains(&"start.ll".to_owned()) && names.iter().all(|name| name.ends_with(".ll")), "{names:?}");

    let nowhere = project.command(&["a.c"]).env("SPELUNK_CACHE", "/proc/nowhere").output();
    Run::of(nowhere.expect("spelunk starts")).expect(7, &[]);
}
