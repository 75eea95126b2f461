//! Exported tests: they build without warnings, pass, and fail where they show a bug, with the real frameworks.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use spelunk_tests::process::{self, End, Output};
use spelunk_tests::scene::Scene;

const LIMIT: Duration = Duration::from_secs(300);

/// A `static` function of a program of two files, which has a `main`; both files have a `static` function of one name.
const LIST: &str = include_str!("export/list.c");
const OTHER: &str = include_str!("export/other.c");
const TYPES: &str = include_str!("export/types.c");
const PROGRAM: &str = include_str!("export/program.c");

/// How many tests pass and fail, as some framework says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Counts {
    passed: usize,
    failed: usize,
}

struct Project {
    scene: Scene,
    /// The tests of the campaign that show no bug, and those that do.
    expected: Counts,
}

impl Project {
    /// Explores a program that stands in a scene.
    fn new(files: &[(&str, &str)], args: &[&str]) -> Self {
        let scene = Scene::new(files);
        let output = scene.run(&[&["run", "--out", "out", "--no-replay"], args].concat());
        assert!(matches!(output.end, End::Exited(0 | 1 | 4..=6)), "{}", output.stderr_text());
        let tests = scene.tests("out");
        let failed = tests.iter().filter(|test| test["end"]["kind"] == "bug").count();
        Self { expected: Counts { passed: tests.len() - failed, failed }, scene }
    }

    fn list() -> Self {
        let project =
            Self::new(&[("list.c", LIST), ("other.c", OTHER)], &["list.c", "other.c", "--entry", "insert_third"]);
        assert!(project.expected.passed > 2 && project.expected.failed > 0, "{:?}", project.expected);
        project
    }

    fn export(&self, format: &str, more: &[&str]) -> PathBuf {
        let output = self.scene.run(&[&["export", "out", "--format", format, "--to", format], more].concat());
        assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
        assert_eq!(output.stderr_text(), "", "nothing is left out");
        self.scene.path(format)
    }

    /// Builds with `make`, without a warning, and runs the tests.
    fn make(&self, format: &str, compiler: &str) -> String {
        let dir = self.export(format, &[]);
        quiet(Command::new("make").args(["-s", "tests", &format!("CC={compiler}")]).current_dir(&dir));
        let output = run(Command::new("./tests").current_dir(&dir));
        let fails = self.expected.failed > 0;
        assert_eq!(output.end == End::Exited(0), !fails, "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

fn run(command: &mut Command) -> Output {
    process::run(command, b"", LIMIT).unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Runs something that succeeds and has nothing to say against the code.
fn quiet(command: &mut Command) {
    let output = run(command);
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), output.stderr_text());
    // Processors whose clocks differ are nothing against the code.
    let is_of_clock = |line: &&str| line.contains("Clock skew detected") || line.contains("modification time");
    let has_warning = text.lines().filter(|line| !is_of_clock(line)).any(|line| line.contains("warning"));
    assert!(output.end == End::Exited(0) && !has_warning, "{command:?}: {text}");
}

/// The numbers in a line.
fn numbers(line: &str) -> Vec<usize> {
    line.split(|character: char| !character.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}

/// The numbers of the line that a framework ends with.
fn last_numbers(text: &str, sign: &str) -> Vec<usize> {
    numbers(text.lines().rfind(|line| line.contains(sign)).unwrap_or_else(|| panic!("no {sign} in {text}")))
}

fn plain_counts(text: &str) -> Counts {
    let [_, passed, failed] = last_numbers(text, "tests: ")[..] else { panic!("{text}") };
    Counts { passed, failed }
}

#[test]
fn plain_c() {
    let project = Project::list();
    for compiler in ["clang-19", "gcc"] {
        assert_eq!(plain_counts(&project.make("c", compiler)), project.expected, "{compiler}");
        fs::remove_dir_all(project.scene.path("c")).expect("a directory");
    }
    let text = fs::read_to_string(project.export("c", &[]).join("tests.c")).expect("a file");
    for part in ["spelunk_new(struct node, .key = ", ".next = ", "/* observed */", "[null-deref] at list.c:"] {
        assert!(text.contains(part), "no {part} in {text}");
    }
}

#[test]
fn cmocka() {
    let project = Project::list();
    let text = project.make("cmocka", "clang-19");
    assert_eq!(plain_counts(&text), project.expected);
    assert_eq!(text.matches("[       OK ] test_").count(), project.expected.passed, "{text}");
    let code = fs::read_to_string(project.scene.path("cmocka/tests.c")).expect("a file");
    assert!(code.contains("assert_int_equal(") && code.contains("assert_ptr_equal("), "{code}");
}

#[test]
fn check() {
    let project = Project::list();
    let text = project.make("check", "gcc");
    let [_, all, failures, errors] = last_numbers(&text, "Checks: ")[..] else { panic!("{text}") };
    assert_eq!((all - errors, errors, failures), (project.expected.passed, project.expected.failed, 0), "{text}");
    let code = fs::read_to_string(project.scene.path("check/tests.c")).expect("a file");
    assert!(code.contains("START_TEST(") && code.contains("ck_assert_int_eq("), "{code}");
}

#[test]
fn google_test() {
    let project = Project::list();
    let text = project.make("gtest", "gcc");
    let of = |sign: &str| last_numbers(&text, sign)[0];
    assert_eq!((of("[  PASSED  ]"), of("FAILED TEST")), (project.expected.passed, project.expected.failed), "{text}");
}

#[test]
fn ctest() {
    let project = Project::list();
    let dir = project.export("ctest", &[]);
    quiet(Command::new("cmake").args(["-B", "build"]).current_dir(&dir));
    quiet(Command::new("cmake").args(["--build", "build"]).current_dir(&dir));
    let output = run(Command::new("ctest").args(["--test-dir", "build"]).current_dir(&dir));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let [_, failed, all] = last_numbers(&text, "tests passed")[..] else { panic!("{text}") };
    assert_eq!(Counts { passed: all - failed, failed }, project.expected);
}

/// Each function of the file has parameters of another kind.
#[test]
fn all_kinds_of_input() {
    let settings: &[(&str, &[&str])] = &[
        ("by_value", &[]),
        ("members", &[]),
        ("rows", &["--param", "rows=array:2"]),
        ("text", &[]),
        ("buffer", &["--param", "data=array:n"]),
        ("callback", &[]),
        ("variables", &["--global", "limit", "--global", "config", "--global", "table"]),
        ("device", &[]),
        ("floats", &[]),
        ("cycle", &[]),
        ("quits", &[]),
        ("flexible", &[]),
        ("release", &[]),
        ("harness", &[]),
    ];
    for (entry, more) in settings {
        let args = [&["types.c", "--max-paths", "12", "--entry", entry], *more].concat();
        let project = Project::new(&[("types.c", TYPES)], &args);
        for compiler in ["gcc", "clang-19"] {
            assert_eq!(plain_counts(&project.make("c", compiler)), project.expected, "{entry} with {compiler}");
            fs::remove_dir_all(project.scene.path("c")).expect("a directory");
        }
    }
}

#[test]
fn sequences_are_calls() {
    let args =
        ["list.c", "other.c", "--sequence", "stack_init,stack_push,stack_pop", "--length", "4", "--ensure", "stack_ok"];
    let project = Project::new(&[("list.c", LIST), ("other.c", OTHER)], &args);
    assert_eq!(plain_counts(&project.make("c", "clang-19")), project.expected);
    let code = fs::read_to_string(project.scene.path("c/tests.c")).expect("a file");
    assert!(code.contains("stack_push(&s, ") && code.contains("expect_true(stack_ok(&s));"), "{code}");
}

/// A structure that only its own source knows, through a pointer, and a callback, which is a function and not null.
#[test]
fn opaque_structures_and_callbacks_are_exported() {
    let header = "typedef struct bag bag;\nbag *bag_new(void);\nvoid bag_add(bag *b, int v);\nvoid bag_each(bag *b, void (*f)(int));\n";
    let source = "#include \"bag.h\"\n#include <stdlib.h>\nstruct bag { int n, all[8]; };\nbag *bag_new(void) { return calloc(1, sizeof(bag)); }\nvoid bag_add(bag *b, int v) { if (b->n < 8) b->all[b->n++] = v; }\nvoid bag_each(bag *b, void (*f)(int)) { for (int i = 0; i < b->n; i++) f(b->all[i]); }\n";
    let project = Project::new(
        &[("bag.h", header), ("bag.c", source)],
        &["bag.c", "--sequence", "bag_new:bag_add,bag_each", "--length", "3", "--param", "f=stub"],
    );
    assert_eq!(plain_counts(&project.make("c", "clang-19")), project.expected);
    let code = fs::read_to_string(project.scene.path("c/tests.c")).expect("a file");
    assert!(code.contains("struct bag *") && !code.contains("bag_each(b, NULL)"), "{code}");
    let shown = project.scene.tests("out").iter().map(|test| test["code"].to_string()).collect::<String>();
    assert!(shown.contains("callback_f)") && !shown.contains(", NULL)"), "{shown}");
}

/// Tests of heaps by rules are complete heaps, also where their paths left something open.
#[test]
fn heaps_by_rules() {
    let files = [
        ("ring.c", include_str!("structures/hex_ring.c")),
        ("ring.hex", include_str!("structures/hex_ring.hex")),
        ("names.c", include_str!("structures/hex_names.c")),
        ("names.hex", include_str!("structures/hex_names.hex")),
    ];
    let ring = ["ring.c", "--entry", "ends", "--hex", "ring.hex", "--objects", "struct node=3"];
    let names = ["names.c", "--entry", "longest", "--hex", "names.hex", "--objects", "struct item=2"];
    for args in [ring, names] {
        let project = Project::new(&files, &args);
        assert!(project.expected.passed > 2 && project.expected.failed == 0, "{:?}", project.expected);
        assert_eq!(plain_counts(&project.make("c", "clang-19")), project.expected, "{args:?}");
    }
}

#[test]
fn whole_programs_are_run_with_their_input() {
    let args = ["program.c", "--sym-arg", "2", "--sym-stdin", "2", "--sym-file", "A", "1", "--arg", "fixed"];
    let project = Project::new(&[("program.c", PROGRAM)], &args);
    assert!(project.expected.failed > 0 && project.expected.passed > 3, "{:?}", project.expected);
    assert_eq!(plain_counts(&project.make("c", "gcc")), project.expected);
    let text = project.make("check", "clang-19");
    let [_, all, failures, errors] = last_numbers(&text, "Checks: ")[..] else { panic!("{text}") };
    assert_eq!((all - failures, failures, errors), (project.expected.passed, project.expected.failed, 0), "{text}");
}

#[test]
fn one_test_can_be_run_alone_and_exported_alone() {
    let project = Project::list();
    let dir = project.export("c", &["--test", "2"]);
    quiet(Command::new("make").args(["-s", "tests"]).current_dir(&dir));
    for name in ["2", "test_000002"] {
        let output = run(Command::new("./tests").arg(name).current_dir(&dir));
        assert_eq!(last_numbers(&String::from_utf8_lossy(&output.stdout), "tests: ")[0], 1);
    }
    let output = run(Command::new("./tests").arg("1").current_dir(&dir));
    assert_eq!(output.end, End::Exited(1), "that test is not there");
}

#[test]
fn copied_sources_are_enough() {
    let header = ("inc/list.h", "struct node { int key; struct node *next; };\n");
    let source = "#include \"list.h\"\nint first(struct node *list) { return list ? list->key : 0; }\n";
    let scene = Scene::new(&[("first.c", source)]);
    fs::create_dir(scene.path("inc")).expect("a directory");
    fs::write(scene.path(header.0), header.1).expect("a file");
    let output = scene.run(&["run", "first.c", "--entry", "first", "--out", "out", "--", "-Iinc"]);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    let output = scene.run(&["export", "out", "--format", "c", "--to", "c", "--copy-sources"]);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    let moved = tempfile::tempdir().expect("a directory");
    let dir = moved.path().join("moved");
    fs::rename(scene.path("c"), &dir).expect("the same disk");
    drop(scene);
    quiet(Command::new("make").args(["-s", "check"]).current_dir(&dir));
}

#[test]
fn an_expectation_that_is_wrong_fails() {
    let project = Project::new(&[("types.c", TYPES)], &["types.c", "--entry", "text"]);
    project.scene.change("out/tests/000001.json", |test| {
        test["observed"]["returned"][0]["bytes"] = "7f000000".into();
    });
    for format in ["c", "cmocka", "check", "gtest"] {
        let dir = project.export(format, &[]);
        quiet(Command::new("make").args(["-s", "tests"]).current_dir(&dir));
        assert_ne!(run(Command::new("./tests").current_dir(&dir)).end, End::Exited(0), "{format}");
    }
}

#[test]
fn what_can_not_be_written_is_left_out() {
    let source = "int f(struct { int a; } *p) { return p ? p->a : 0; }\nstatic int g(void) { return 0; }\nint h(void) { return g(); }\n";
    let project = Project::new(&[("f.c", source)], &["f.c", "--entry", "f"]);
    assert_eq!(plain_counts(&project.make("c", "clang-19")), project.expected, "as bytes");
    project.scene.change("out/tests/000001.json", |test| {
        test["end"] = serde_json::json!({"kind": "limit", "what": "instructions"});
    });
    let output = project.scene.run(&["export", "out", "--format", "c", "--to", "less"]);
    assert_eq!(output.end, End::Exited(0));
    assert!(output.stderr_text().contains("test 1 is left out: it was not run to its end"), "{}", output.stderr_text());
}

#[test]
fn what_is_wrong_is_said() {
    let project = Project::new(&[("types.c", TYPES)], &["types.c", "--entry", "text"]);
    let said = |args: &[&str], part: &str| {
        let output = project.scene.run(args);
        assert_eq!(output.end, End::Exited(2), "{args:?}");
        assert!(output.stderr_text().contains(part), "{args:?}: {}", output.stderr_text());
    };
    said(&["export", "nowhere", "--format", "c"], "cannot read nowhere");
    said(&["export", "out", "--format", "c", "--test", "999"], "has no test 999");
    said(&["export", "out", "--format", "c", "--to", "types.c/x"], "types.c/x");
    fs::write(project.scene.path("types.c"), format!("int added;\n{TYPES}")).expect("a file");
    said(&["export", "out", "--format", "c"], "types.c has changed");
    project.scene.change("out/recipe.json", |recipe| recipe["version"] = 99.into());
    said(&["export", "out", "--format", "c"], "another version");
}

/// The message of the build says what to install.
#[test]
fn a_framework_that_is_missing_is_named() {
    let project = Project::list();
    for (format, package) in
        [("cmocka", "libcmocka-dev"), ("check", "apt-get install check"), ("gtest", "libgtest-dev")]
    {
        let dir = project.export(format, &[]);
        let nothing = project.scene.path("nothing");
        let mut make = Command::new("make");
        let output = run(make.arg("tests").env("PKG_CONFIG_LIBDIR", &nothing).current_dir(&dir));
        assert_ne!(output.end, End::Exited(0), "{format}");
        assert!(output.stderr_text().contains(package), "{}", output.stderr_text());
    }
}

#[test]
fn what_a_device_gives_can_t_be_exported() {
    let source = "#include <stdio.h>\nint f(void) { FILE *s = fopen(\"/dev/urandom\", \"r\"); int c = getc(s); fclose(s); return c == 7; }\n";
    let scene = Scene::new(&[("f.c", source)]);
    assert_eq!(scene.run(&["run", "f.c", "--entry", "f", "--no-replay", "--out", "out"]).end, End::Exited(0));
    let output = scene.run(&["export", "out", "--format", "c", "--to", "c"]);
    assert!(output.stdout_text().contains("0 tests, 2 left out"), "{}", output.stdout_text());
    assert!(output.stderr_text().contains("what /dev/urandom gives"), "{}", output.stderr_text());
}

/// The first loop is tested as part of the tests, the second as a source of its own.
const ENDLESS: &str = "\
struct at {
  unsigned short x;
};
unsigned odd(unsigned short x) {
  struct at at = {x}, *p = &at;
  while (p->x != 0)
    p->x -= 2;
  return at.x;
}
";
const ENDLESS_PROGRAM: &str = "\
unsigned odd(unsigned short x);
int main(int argc, char **argv) {
  return argc > 1 && argv[1][0] > 'a' ? (int)odd((unsigned short)argv[1][0]) : 0;
}
";

/// A test of a loop that never ends fails because the run stays in its set of states, not because it takes long; and passes when it does not.
#[test]
fn loops_that_never_end_are_seen_to_be_in_their_sets() {
    let project =
        Project::new(&[("p.c", ENDLESS)], &["p.c", "--entry", "odd", "--check", "termination", "--depth", "6"]);
    assert_eq!(project.expected.failed, 1);
    let tests = |format: &str| {
        let dir = project.scene.path(format);
        quiet(Command::new("make").args(["-s", "tests"]).current_dir(&dir));
        run(Command::new("./tests").current_dir(&dir))
    };
    for format in ["c", "cmocka"] {
        project.export(format, &[]);
        let output = tests(format);
        let said = output.stderr_text();
        assert!(output.end != End::Exited(0), "{output:?}");
        assert!(said.contains("p.c:6: the loop is never left while") && said.contains("1000000 visits"), "{said}");
    }
    // A source that has changed elsewhere, and in the line of the loop, where nothing can be told any more.
    for (old, new) in [("p->x -= 2", "p->x /= 2"), ("p->x != 0", "p->x > 1")] {
        fs::write(project.scene.path("p.c"), ENDLESS.replace(old, new)).expect("a file");
        let output = tests("c");
        assert_eq!(output.end, End::Exited(0), "{output:?}");
    }
}

#[test]
fn loops_of_other_sources_are_seen_to_be_in_their_sets() {
    let files = [("p.c", ENDLESS), ("main.c", ENDLESS_PROGRAM)];
    let args = ["main.c", "p.c", "--sym-arg", "1", "--check", "termination", "--depth", "12"];
    let project = Project::new(&files, &args);
    let dir = project.export("ctest", &[]);
    quiet(Command::new("cmake").args(["-S", ".", "-B", "build"]).current_dir(&dir));
    quiet(Command::new("cmake").args(["--build", "build"]).current_dir(&dir));
    let output = run(Command::new("./build/tests").current_dir(&dir));
    let said = output.stderr_text();
    assert!(said.contains("p.c:6: the loop is never left while"), "{said}");
    assert_eq!(plain_counts(&String::from_utf8_lossy(&output.stdout)), project.expected);
}
