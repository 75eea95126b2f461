//! What tests say that runs were seen to do: results, changed objects and variables, freed objects.

use serde_json::{Value, json};
use spelunk_tests::process::End;
use spelunk_tests::scene::Scene;

const SOURCE: &str = include_str!("replay/observed.c");

fn scene() -> Scene {
    Scene::new(&[("observed.c", SOURCE)])
}

/// The tests of a function that end normally, after each was run again.
fn tests(scene: &Scene, args: &[&str]) -> Vec<Value> {
    let output = scene.run(&[&["run", "observed.c", "--out", "out", "--no-replay"], args].concat());
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    let tests = scene.tests("out");
    for number in 1..=tests.len() {
        let path = format!("out/tests/{number:06}.json");
        let output = scene.run(&["exec", "observed.c", "--test", &path]);
        assert_eq!(output.end, End::Exited(0), "{path}: {}", output.stderr_text());
    }
    tests
}

/// The number in some bytes of a value.
fn part(value: &Value, offset: usize, len: usize) -> u64 {
    let digits = value["bytes"].as_str().expect("bytes");
    let byte = |at: usize| u64::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("digits");
    (offset..offset + len).rev().fold(0, |high, at| high << 8 | byte(at))
}

/// A value that is a number of four bytes.
fn number(value: &Value) -> u32 {
    part(value, 0, 4) as u32
}

/// The object of this name among some.
fn object<'a>(objects: &'a Value, name: &str) -> &'a Value {
    let found = objects.as_array().into_iter().flatten().find(|object| object["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {objects}"))
}

fn has(objects: &Value, name: &str) -> bool {
    objects.as_array().into_iter().flatten().any(|object| object["name"] == name)
}

#[test]
fn a_list_changes() {
    let tests = tests(&scene(), &["--entry", "list_insert"]);
    let full: Vec<&Value> = tests.iter().filter(|test| has(&test["input"], "*list")).collect();
    assert!(!full.is_empty() && full.len() < tests.len(), "{tests:?}");
    for test in full {
        let (before, observed) = (object(&test["input"], "*list"), &test["observed"]);
        let after = object(&observed["objects"], "*list");
        assert_eq!(after["type"], "struct list");
        assert_eq!(after["references"], json!([[0, "?", 0]]), "the head is a new element: {after}");
        let count = |object: &Value| part(object, 8, 4) as u32;
        assert_eq!(count(after), count(before).wrapping_add(1), "{test}");
        let returned = &observed["returned"][0];
        assert_eq!((&returned["call"], &returned["type"]), (&json!("list_insert"), &json!("struct node *")));
        assert_eq!(returned["references"], json!([[0, "?", 0]]));
        assert_eq!(observed.get("freed"), None);
        assert_eq!(observed.get("globals"), None);
    }
}

#[test]
fn a_result_may_be_an_object_of_the_input() {
    let tests = tests(&scene(), &["--entry", "second_of"]);
    let targets: Vec<&Value> = tests.iter().map(|test| &test["observed"]["returned"][0]["references"]).collect();
    assert!(
        targets.contains(&&json!([[0, "*n->next", 0]])) && targets.contains(&&json!([[0, "*n", 0]])),
        "{targets:?}"
    );
    // Null is no reference, and nothing has changed.
    assert!(targets.contains(&&Value::Null));
    assert!(tests.iter().all(|test| test["observed"].get("objects").is_none()));
}

#[test]
fn results_may_be_structs_and_padding_is_not_known() {
    let in_registers = tests(&scene(), &["--entry", "make_pair"]);
    let pair = &in_registers[0]["observed"]["returned"][0];
    assert_eq!(pair["type"], "struct pair");
    assert_eq!(pair["known"], "ffff000000000000ffffffffffffffff");
    assert_eq!(part(pair, 0, 2), part(object(&in_registers[0]["input"], "a"), 0, 2));
    let in_memory = tests(&scene(), &["--entry", "make_large", "--param", "n=nonnull"]);
    let large = &in_memory[0]["observed"]["returned"][0];
    assert_eq!(large["type"], "struct large");
    assert_eq!(part(large, 24, 8), 7);
    assert_eq!(large["references"], json!([[32, "*n", 0]]));
    assert_eq!(large.get("known"), None);
}

#[test]
fn variables_change_and_objects_are_freed() {
    let tests = tests(&scene(), &["--entry", "list_drop"]);
    let (dropped, kept): (Vec<&Value>, Vec<&Value>) = tests.iter().partition(|test| has(&test["input"], "*n"));
    assert!(!dropped.is_empty() && !kept.is_empty());
    for test in dropped {
        let observed = &test["observed"];
        assert_eq!(observed["freed"], json!(["*n"]));
        assert_eq!(observed.get("objects"), None);
        assert_eq!(number(object(&observed["globals"], "counter")), 10);
        assert_eq!(number(object(&observed["globals"], "list_drop.n_dropped")), 1);
        assert_eq!(object(&observed["globals"], "chosen")["references"], json!([[0, "&key_of", 0]]));
        // From one string literal to another.
        assert!(!has(&observed["globals"], "text"));
    }
    for test in kept {
        assert_eq!(test["observed"], json!({"returned": [{"call": "list_drop", "type": "int", "bytes": "ffffffff"}]}));
    }
}

#[test]
fn a_variable_that_is_an_input_is_an_object() {
    let tests = tests(&scene(), &["--entry", "list_drop", "--global", "counter", "--param", "n=nonnull"]);
    let observed = &tests[0]["observed"];
    let before = number(object(&tests[0]["input"], "counter"));
    assert_eq!(number(object(&observed["objects"], "counter")), before.wrapping_add(3));
    assert!(!has(&observed["globals"], "counter"));
}

#[test]
fn a_call_that_does_not_return_is_not_observed() {
    let tests = tests(&scene(), &["--entry", "leave"]);
    let observed: Vec<Option<&Value>> = tests.iter().map(|test| test.get("observed")).collect();
    assert!(observed.contains(&None) && observed.contains(&Some(&json!({}))), "{observed:?}");
}

#[test]
fn every_call_of_a_sequence_is_observed() {
    let tests = tests(&scene(), &["--sequence", "stack_init,stack_push,stack_pop", "--length", "3"]);
    let calls = |test: &Value| -> Vec<String> {
        let returned = test["observed"]["returned"].as_array().cloned().unwrap_or_default();
        returned.iter().map(|it| it["call"].as_str().expect("a name").to_owned()).collect()
    };
    let pushed_and_popped = tests.iter().find(|test| calls(test) == ["stack_push", "stack_pop"]).expect("such a test");
    let returned = &pushed_and_popped["observed"]["returned"];
    let value = object(&pushed_and_popped["input"], "call2.value");
    assert_eq!(returned[1]["bytes"], value["bytes"], "what was pushed is popped");
    let stack = object(&pushed_and_popped["observed"]["objects"], "s");
    assert_eq!(number(stack), 0, "the stack is empty: {stack}");
    assert!(stack["known"].as_str().expect("what nobody has written is not known").contains("00"), "{stack}");
}

#[test]
fn what_a_test_says_was_observed_is_checked() {
    let scene = scene();
    tests(&scene, &["--entry", "list_drop", "--param", "n=nonnull"]);
    let exec = || scene.run(&["exec", "observed.c", "--test", "out/tests/000001.json"]);
    let first = scene.json("out/tests/000001.json");
    let wrong = |what: &str, change: &dyn Fn(&mut Value)| {
        scene.change("out/tests/000001.json", |test| {
            *test = first.clone();
            change(&mut test["observed"]);
        });
        let output = exec();
        assert_eq!(output.end, End::Exited(3), "{}", output.stderr_text());
        assert!(output.stderr_text().contains(what), "{}", output.stderr_text());
    };
    wrong("`list_drop` returns 01000000 instead of 02000000", &|it| it["returned"][0]["bytes"] = "02000000".into());
    wrong("`*n` is freed", &|it| it["freed"] = json!([]));
    wrong("becomes", &|it| it["globals"] = json!([]));
}

#[test]
fn native_runs_do_what_was_observed() {
    let entries =
        ["list_insert", "second_of", "make_pair", "make_large", "list_drop", "half", "is_empty", "nothing", "leave"];
    let scene = scene();
    for entry in entries {
        let output = scene.run(&["run", "observed.c", "--out", entry, "--entry", entry]);
        assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
        let summary = scene.json(&format!("{entry}/summary.json"));
        assert_eq!(summary["replay"]["as_predicted"], summary["tests"], "{entry}: {summary}");
    }
    let output = scene.run(&[
        "run",
        "observed.c",
        "--out",
        "sequence",
        "--sequence",
        "stack_init,stack_push,stack_pop",
        "--length",
        "4",
    ]);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    let summary = scene.json("sequence/summary.json");
    assert_eq!(summary["replay"]["as_predicted"], summary["tests"], "{summary}");
}

#[test]
fn other_values_in_a_native_run_are_an_error_of_ours() {
    let scene = scene();
    tests(&scene, &["--entry", "list_insert", "--param", "list=nonnull"]);
    let first = scene.json("out/tests/000001.json");
    let replay = |change: &dyn Fn(&mut Value)| {
        scene.change("out/tests/000001.json", |test| {
            *test = first.clone();
            change(&mut test["observed"]);
        });
        scene.run(&["replay", "out", "--test", "1"])
    };
    assert_eq!(replay(&|_| {}).end, End::Exited(0));
    let wrong = |what: &str, change: &dyn Fn(&mut Value)| {
        let output = replay(change);
        assert_eq!(output.end, End::Exited(3), "{}", output.stderr_text());
        assert!(output.stderr_text().contains(what), "{what}: {}", output.stderr_text());
    };
    wrong("another result of `list_insert`", &|it| it["returned"][0]["references"] = json!([]));
    wrong("another content of `*list`, whose byte 12 is 0x00", &|it| {
        let bytes = it["objects"][0]["bytes"].as_str().expect("bytes").to_owned();
        it["objects"][0]["bytes"] = format!("{}01{}", &bytes[..24], &bytes[26..]).into();
    });
    wrong("`*list` not freed", &|it| it["freed"] = json!(["*list"]));
}

/// What depends on addresses is another value in each process, and no error.
#[test]
fn addresses_are_not_compared() {
    let source = "struct cell { unsigned long link; int n; };\n\
                  unsigned long mixed(struct cell *a, struct cell *b) {\n\
                  if (!a || !b || a == b) return 0;\n\
                  a->link = (unsigned long)a ^ (unsigned long)b;\n\
                  return (unsigned long)b >> 4 & 0xffff; }\n";
    let scene = Scene::new(&[("mixed.c", source)]);
    let output = scene.run(&["run", "mixed.c", "--out", "out", "--entry", "mixed"]);
    assert_eq!(output.end, End::Exited(0), "{}", output.stderr_text());
    let summary = scene.json("out/summary.json");
    assert!(scene.tests("out").iter().any(|test| has(&test["observed"]["objects"], "*a")));
    assert_eq!(summary["replay"]["mismatches"], json!([]), "{summary}");
}
