//! Projects as they are: which files of a build are compiled, with which flags, and what is said if one can't be used.
//!
//! The project is `projects/`; its database is written here, in the forms that build systems have.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use spelunk_tests::process::{self, End, Output};
use spelunk_tests::scene::Scene;

const FILES: &[(&str, &str)] = &[
    ("src/list.c", include_str!("projects/src/list.c")),
    ("src/add.c", include_str!("projects/src/add.c")),
    ("src/hook.c", include_str!("projects/src/hook.c")),
    ("src/log.c", include_str!("projects/src/log.c")),
    ("src/main.c", include_str!("projects/src/main.c")),
    ("inc/list.h", include_str!("projects/inc/list.h")),
    ("tests/test_list.c", include_str!("projects/tests/test_list.c")),
    ("build/config.h", include_str!("projects/build/config.h")),
    ("build/flags.rsp", "-I../inc -I.\n-D'UNUSED=a b'"),
];

/// A project whose build was configured by gcc. The first file has flags in a response file, the others in both forms.
fn project() -> Scene {
    let scene = Scene::new(&[]);
    for (name, text) in FILES {
        let path = scene.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let directory = scene.path("build").display().to_string();
    let command = |file: &str, target: &str, flags: &str| {
        let command =
            format!("gcc {flags} -O2 -Werror -Wall -fno-ipa-icf-nonesuch -o CMakeFiles/{target}.dir/x.o -c ../{file}");
        json!({"directory": directory, "file": format!("../{file}"), "command": command})
    };
    let arguments = |file: &str, flags: &[&str]| {
        let words: Vec<&str> = ["/usr/bin/cc", "-MD", "-MF", "x.d", "-c", file].iter().chain(flags).copied().collect();
        json!({"directory": directory, "file": file, "arguments": words, "output": "CMakeFiles/lib.dir/x.o"})
    };
    let entries = json!([
        command("src/list.c", "lib", "@flags.rsp -DLIMIT=10"),
        arguments("../src/add.c", &["-I", "../inc", "-DWEIGHT=2"]),
        arguments("../src/hook.c", &["-I../inc"]),
        command("src/log.c", "lib", "-I../inc"),
        command("src/main.c", "prog", "-I../inc"),
        command("tests/test_list.c", "check", "-I../inc"),
        // The same file again, for a shared library.
        command("src/list.c", "shared", "-fPIC @flags.rsp -DLIMIT=10"),
        json!({"directory": directory, "file": "x.cpp", "command": "g++ -c x.cpp"}),
    ]);
    fs::write(scene.path("build/compile_commands.json"), entries.to_string()).unwrap();
    scene
}

fn run(scene: &Scene, args: &[&str]) -> Output {
    scene.run(args)
}

fn recipe(scene: &Scene, dir: &str) -> Value {
    let text = fs::read_to_string(scene.path(dir).join("recipe.json")).expect("a recipe");
    serde_json::from_str(&text).expect("JSON")
}

fn sources(scene: &Scene, dir: &str) -> Vec<String> {
    let recipe = recipe(scene, dir);
    recipe["sources"].as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_owned()).collect()
}

#[track_caller]
fn expect(output: &Output, code: i32, parts: &[&str]) {
    let text = format!("{}{}", output.stdout_text(), output.stderr_text());
    assert_eq!(output.end, End::Exited(code), "{text}");
    for part in parts {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn a_function_is_linked_with_what_it_needs_and_nothing_else() {
    let scene = project();
    let output = run(&scene, &["run", "-p", "build", "--entry", "list_len", "--out", "out", "--nesting", "3"]);
    expect(
        &output,
        0,
        &["not know these flags of the build, which are left out: -fno-ipa-icf-nonesuch", "paths         4"],
    );
    // Through a variable of add.c that points to a function of hook.c; log.c is for another function.
    assert_eq!(sources(&scene, "out"), ["src/list.c", "src/add.c", "src/hook.c"]);
    assert!(!output.stdout_text().contains("nobody defines"), "{}", output.stdout_text());
}

#[test]
fn static_functions_are_found_and_each_file_has_its_flags() {
    let scene = project();
    let output = run(&scene, &["run", "-p", "build/compile_commands.json", "--entry", "limit", "--out", "out"]);
    expect(&output, 0, &["paths         2"]);
    assert_eq!(sources(&scene, "out"), ["src/list.c"]);
    let flags = recipe(&scene, "out")["file_flags"][0].to_string();
    assert!(flags.contains("-DLIMIT=10") && flags.contains("-DUNUSED=a b") && !flags.contains("-O2"), "{flags}");
}

#[test]
fn patterns_choose_files_whose_functions_are_tested() {
    let scene = project();
    let output = run(&scene, &["run", "-p", ".", "--entry", "all", "src/li*.c", "--out", "out", "--nesting", "2"]);
    let entered = "1 static function tested only through callers: `limit`";
    expect(&output, 0, &["list_len", "list_trace", "list_limit", entered, "3 functions tested"]);
    let listed = run(&scene, &["run", "-p", "build", "log.c"]);
    expect(&listed, 0, &["log_line(const char *what, int n)"]);
    expect(&run(&scene, &["run", "-p", "build", "lib/list.c"]), 2, &["matches no C source", "there is src/list.c"]);
}

#[test]
fn ambiguity_lists_the_candidates() {
    let scene = project();
    let output = run(&scene, &["run", "-p", "build", "--entry", "add"]);
    expect(&output, 2, &["`add` is defined in several files of the build:\n  src/add.c\n  tests/test_list.c"]);
    let named = run(&scene, &["run", "-p", "build", "--entry", "add", "tests/test_list.c", "--out", "out"]);
    expect(&named, 0, &["paths"]);
    assert_eq!(sources(&scene, "out"), ["tests/test_list.c"]);
    let excluded = run(&scene, &["run", "-p", "build", "--entry", "add", "--exclude", "tests/*", "--out", "two"]);
    expect(&excluded, 1, &["hook.c"]);
    expect(&run(&scene, &["run", "-p", "build"]), 2, &["`main` is defined in several files"]);
    expect(
        &run(&scene, &["run", "-p", "build", "--entry", "nowhere"]),
        2,
        &["no file of build/compile_commands.json defines `nowhere`"],
    );
}

#[test]
fn programs_are_run_and_files_beside_the_build_are_linked() {
    let scene = project();
    expect(&run(&scene, &["exec", "-p", "build", "src/main.c"]), 0, &["2"]);
    // A program of the user's own that is not in the build.
    fs::write(scene.path("mine.c"), "#include \"list.h\"\nint main(void) { return list_limit(50); }\n").unwrap();
    let output = run(&scene, &["exec", "-p", "build", "mine.c"]);
    expect(&output, 10, &["mine.c is not in the build: compiled with the flags of src/list.c"]);
}

#[test]
fn native_runs_exports_and_going_on_have_the_flags_too() {
    let scene = project();
    let output = run(&scene, &["run", "-p", "build", "--entry", "add", "src/add.c", "--out", "out"]);
    expect(&output, 1, &["hook.c:6", "confirmed"]);
    expect(&run(&scene, &["replay", "out"]), 1, &["confirmed"]);
    expect(&run(&scene, &["run", "--resume", "out"]), 1, &["hook.c:6"]);
    expect(&run(&scene, &["export", "out", "--format", "c", "--to", "tests-c"]), 0, &[]);
    let make = |args: &[&str], dir: &Path| {
        let output =
            process::run(Command::new("make").args(args).current_dir(dir), b"", Duration::from_secs(120)).unwrap();
        assert!(output.succeeded(), "{}", output.stderr_text());
    };
    make(&["-s", "tests", "CC=clang-19"], &scene.path("tests-c"));
}

#[test]
fn what_a_build_has_not_made_yet_is_told() {
    let scene = project();
    fs::remove_file(scene.path("build/config.h")).unwrap();
    let output = run(&scene, &["run", "-p", "build", "--entry", "list_len"]);
    expect(&output, 2, &["cannot compile src/list.c: the header config.h was not found", "build the project first"]);
    fs::remove_file(scene.path("build/flags.rsp")).unwrap();
    expect(
        &run(&scene, &["run", "-p", "build", "--entry", "list_len"]),
        2,
        &["entry 1 (../src/list.c): the response file"],
    );
    expect(&run(&scene, &["run", "-p", "src", "--entry", "list_len"]), 2, &["no compile_commands.json there", "bear"]);
}

/// What a project says of itself.
const CONFIG: &str = "\
# What is tested, and how.
build = \"build\"
exclude = [\"tests/*\"]
entries = [\"list_len\", \"list_limit\"]
nesting = 3
no-replay = true

[entry.list_len]
param = [\"l=nonnull\"]

[sequence.limits]
functions = [\"list_trace\", \"list_len\"]
length = 2
";

#[test]
fn a_file_says_what_belongs_to_the_project() {
    let scene = project();
    fs::write(scene.path("spelunk.toml"), CONFIG).unwrap();
    // All entries, and what is said of one of them is not said of the others.
    expect(&run(&scene, &["run", "--out", "all"]), 0, &["list_len", "list_limit", "2 functions tested"]);
    assert_eq!(scene.json("all/list_len/summary.json")["paths"], 3, "without the empty list");
    // The command line has the last word.
    let said = ["run", "--entry", "list_len", "--param", "l=null", "--nesting", "5", "--out", "one"];
    expect(&run(&scene, &said), 0, &["paths         1"]);
    let sequence = run(&scene, &["run", "--sequence", "limits", "--out", "two"]);
    expect(&sequence, 0, &["paths"]);
    assert_eq!(scene.json("two/recipe.json")["settings"]["sequence"], json!(["list_trace", "list_len"]));
    let without = run(&scene, &["run", "--no-config", "--entry", "list_len"]);
    expect(&without, 2, &["<SRC>"]);
}

#[test]
fn files_are_found_from_below_and_their_paths_start_there() {
    let scene = project();
    fs::write(scene.path("spelunk.toml"), CONFIG).unwrap();
    let mut command = spelunk_tests::scene::spelunk().command();
    command.args(["run", "--entry", "limit", "--out", "../out"]).current_dir(scene.path("src"));
    let output = process::run(&mut command, b"", Duration::from_secs(120)).unwrap();
    expect(&output, 0, &["paths         2"]);
    expect(&run(&scene, &["run", "--resume", "out"]), 0, &["paths         2"]);
}

#[test]
fn what_is_wrong_with_the_file_is_told_with_its_line() {
    let scene = project();
    let said = |text: &str, parts: &[&str]| {
        fs::write(scene.path("spelunk.toml"), text).unwrap();
        expect(&run(&scene, &["run", "--entry", "limit"]), 2, parts);
    };
    said("build = \"build\"\ntimes = \"3s\"\n", &["spelunk.toml:2:1: `times` is no option that a project can set"]);
    said("build = \"build\"\n\ntime = \"soon\"\n", &["spelunk.toml:3:1: invalid value 'soon' for 'time'"]);
    said("build = \n", &["spelunk.toml:1:"]);
    said("no-replay = 3\n", &["spelunk.toml:1:1: `no-replay` is true or false"]);
    said("time = [\"3s\", \"4s\"]\n", &["spelunk.toml:1:1: `time` has one value"]);
    said("[sequence.a]\nlength = 3\n", &["spelunk.toml:1:11: [sequence.a] needs functions"]);
    said("[entry.limit]\nparam = [\"n\"]\n", &["spelunk.toml:2:1: invalid value 'n' for 'param'"]);
    said("out = \"x\"\n", &["`out` is no option that a project can set"]);
}
