//! Sequences of calls: what is called when, where they end, and how they are shown and exported.

use std::process::Command;
use std::time::Duration;

use spelunk_tests::process::{self, End, Output};
use spelunk_tests::scene::Scene;

#[track_caller]
fn text(output: &Output, code: i32) -> String {
    let text = format!("{}{}", output.stdout_text(), output.stderr_text());
    assert_eq!(output.end, End::Exited(code), "{text}");
    text
}

/// How many exported tests there are, pass, and fail.
#[track_caller]
fn exported(scene: &Scene) -> String {
    text(&scene.run(&["export", "out", "--format", "c", "--to", "kept"]), 0);
    let run = |command: &mut Command| process::run(command, b"", Duration::from_secs(300)).expect("it starts");
    let built = run(Command::new("make").args(["-s", "tests"]).current_dir(scene.path("kept")));
    assert_eq!(built.end, End::Exited(0), "{}", built.stderr_text());
    let output = run(Command::new("./tests").current_dir(scene.path("kept")));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().last().unwrap_or_default().to_owned()
}

const SAME_NAMES: &str = "#include <stdlib.h>\n\
    struct acc { int n, last; };\n\
    struct acc *acc_new(void) { return calloc(1, sizeof(struct acc)); }\n\
    void acc_put(struct acc *a, int v) { a->last = v; a->n++; }\n\
    int acc_get(struct acc *a, int *v) { *v = a->last; return 7 / (2 - a->n); }\n";

/// Parameters of one name and different types are different inputs.
#[test]
fn parameters_of_one_name_and_different_types() {
    let scene = Scene::new(&[("acc.c", SAME_NAMES)]);
    let run = ["run", "acc.c", "--sequence", "acc_new,acc_put,acc_get", "--length", "4", "--out", "out"];
    let output = text(&scene.run(&[&run[..], &["--keep", "paths"]].concat()), 1);
    let division = output.split("[div-by-zero]").nth(1).expect("a division by zero");
    assert!(division.contains("acc_get(s, object"), "{output}");
    let n_tests = scene.tests("out").len();
    let n_bugs = scene.tests("out").iter().filter(|test| test["end"]["kind"] == "bug").count();
    assert_eq!(exported(&scene), format!("{n_tests} tests: {} passed, {n_bugs} failed", n_tests - n_bugs));
}

const CALLBACKS: &str = "#include <stdlib.h>\n\
    struct p { int (*space)(int); void *(*grow)(size_t); int n; };\n\
    void p_init(struct p *p) { p->space = NULL; p->grow = NULL; p->n = 0; }\n\
    void p_set_space(struct p *p, int (*f)(int)) { p->space = f; }\n\
    void p_set_grow(struct p *p, void *(*f)(size_t)) { p->grow = f; }\n\
    int p_run(struct p *p, int c) {\n\
    if (p->grow && !p->grow(16)) return -1;\n\
    if (p->space && p->space(c)) return 1;\n\
    return 0;\n}\n";

#[test]
fn callbacks_of_one_name_and_different_types() {
    let scene = Scene::new(&[("cb.c", CALLBACKS)]);
    let run = ["run", "cb.c", "--sequence", "p_init,p_set_space,p_set_grow,p_run", "--length", "4", "--out", "out"];
    text(&scene.run(&[&run[..], &["--keep", "paths", "--no-replay"]].concat()), 0);
    let tests = scene.tests("out");
    let takes = |test: &serde_json::Value, what: &str| test["code"].to_string().contains(what);
    assert!(tests.iter().any(|test| takes(test, "p_set_grow(&s, callback_f")), "{tests:#?}");
    let n_tests = tests.len();
    assert_eq!(exported(&scene), format!("{n_tests} tests: {n_tests} passed, 0 failed"));
}

/// Explores all of a program, for so many paths each, and gives what was found in its calls.
#[track_caller]
fn found_in_calls(scene: &Scene, file: &str, structure: &str) -> Vec<String> {
    let output = scene.run(&["run", file, "--entry", "all", "--no-replay", "--max-paths", "300", "--out", "all"]);
    let text = format!("{}{}", output.stdout_text(), output.stderr_text());
    assert!(text.contains(&format!("calls-on-{structure}")), "{text}");
    let summary = scene.json(&format!("all/calls-on-{structure}/summary.json"));
    let kind = |bug: &serde_json::Value| bug["kind"].as_str().expect("a kind").to_owned();
    summary["bugs"].as_array().expect("bugs").iter().map(kind).collect()
}

const OBJECT: &str = "#include <stdlib.h>\n\
    struct obj { int n, refs; };\n\
    struct obj *obj_new(void) { struct obj *o = calloc(1, sizeof *o); if (o) o->refs = 1; return o; }\n\
    int obj_get(struct obj *o) { return o->n; }\n";

/// What frees a structure that it has by value ends its life, whatever it is called; others must not free it.
#[test]
fn what_frees_the_structure_is_the_last_call() {
    let found = |more: &str| {
        let scene = Scene::new(&[("obj.c", &format!("{OBJECT}{more}"))]);
        let found = found_in_calls(&scene, "obj.c", "struct_obj");
        let tests = scene.tests("all/calls-on-struct_obj");
        (found, tests)
    };
    let (bugs, _) = found("void obj_release(struct obj *o) { free(o); }\n");
    assert!(bugs.is_empty(), "{bugs:?}");
    // Only the last reference frees it.
    let (bugs, _) = found(
        "void obj_ref(struct obj *o) { o->refs++; }\nint obj_unref(struct obj *o) { if (--o->refs) return o->refs; free(o); return 0; }\n",
    );
    assert!(bugs.is_empty(), "{bugs:?}");
    let (bugs, tests) = found("void obj_set(struct obj *o, int n) { if (n == 7) free(o); else o->n = n; }\n");
    assert!(!bugs.is_empty() && bugs.iter().all(|kind| kind == "use-after-free" || kind == "double-free"), "{bugs:?}");
    // The last call shown is the one that fails.
    let shows = |test: &serde_json::Value| {
        let lines: Vec<String> = test["code"].as_array().expect("code").iter().map(ToString::to_string).collect();
        let freed = lines.iter().position(|line| line.contains("obj_set(s, 7)"));
        freed.is_some_and(|at| lines.len() == at + 2)
    };
    assert!(tests.iter().any(shows), "{tests:#?}");
}

/// Sequences that end before their length are run natively and exported as they were.
#[test]
fn sequences_that_end_early_are_tests() {
    let source = format!("{OBJECT}int obj_drop(struct obj *o) {{ free(o); return 3; }}\n");
    let scene = Scene::new(&[("obj.c", &source)]);
    let run = ["run", "obj.c", "--sequence", "obj_new,obj_get,obj_drop", "--length", "4", "--keep", "paths"];
    let output = text(&scene.run(&[&run[..], &["--out", "out"]].concat()), 0);
    // One with each number of calls in between, and one without the end.
    assert!(
        output.contains("paths         4 ") && output.contains("4 of 4 tests end natively as predicted"),
        "{output}"
    );
    let dropped = |test: &&serde_json::Value| {
        let code = test["code"].as_array().expect("code");
        code.iter().position(|line| line.to_string().contains("obj_drop")).is_some_and(|at| at + 1 == code.len())
    };
    assert_eq!(scene.tests("out").iter().filter(dropped).count(), 3);
    assert_eq!(exported(&scene), "4 tests: 4 passed, 0 failed");
    let again = text(&scene.run(&["exec", "obj.c", "--test", "out/tests/000002.json"]), 0);
    assert!(!again.contains("differs"), "{again}");
}

/// A structure that `init` fills is a variable, also where some function returns a pointer to one.
#[test]
fn what_is_initialised_in_place_is_a_variable() {
    let source = "#include <stddef.h>\n\
        struct ilist { struct ilist *next, *prev; };\n\
        void ilist_init(struct ilist *l) { l->next = l; l->prev = l; }\n\
        struct ilist *ilist_head(struct ilist *l) { return l->next != l ? l->next : NULL; }\n\
        int ilist_is_empty(struct ilist *l) { return l->next == l; }\n";
    let scene = Scene::new(&[("ilist.c", source)]);
    assert_eq!(found_in_calls(&scene, "ilist.c", "struct_ilist"), [""; 0]);
    let paths = scene.json("all/calls-on-struct_ilist/summary.json")["paths"].as_u64();
    assert_eq!(paths, Some(16), "two functions in four places");
    // The first call of all paths is the last one, but which ones there are is open.
    let source = "#include <stddef.h>\nstruct i { int n; };\n\
        void i_init(struct i *i) { i = NULL; i->n = 0; }\nint i_get(struct i *i) { return i->n; }\n";
    let scene = Scene::new(&[("i.c", source)]);
    let run = ["run", "i.c", "--sequence", "i_init,i_get", "--no-replay", "--out", "out"];
    assert!(!text(&scene.run(&run), 1).contains("has no input"));
}

/// After an initialiser that says it has failed, or has set nothing, no other function is called.
#[test]
fn a_sequence_ends_where_its_structure_was_not_initialised() {
    let found = |init: &str| {
        let rest = "int bits_get(struct bits *b, unsigned i) { return i < b->n ? b->p[i] : -1; }\n\
                    void bits_free(struct bits *b) { free(b->p); }\n";
        let head = "#include <errno.h>\n#include <stdbool.h>\n#include <stdlib.h>\nstruct bits { unsigned n; unsigned char *p; };\n";
        let scene = Scene::new(&[("bits.c", &format!("{head}{init}{rest}"))]);
        found_in_calls(&scene, "bits.c", "struct_bits")
    };
    let none: [&str; 0] = [];
    // What was set before it failed does not matter.
    let body =
        "b->n = n; if (n == 0 || n > 64) return FAILED; b->p = calloc(n, 1); if (!b->p) return FAILED; return DONE;";
    let init = |ty: &str, failed: &str, done: &str| {
        let body = body.replace("FAILED", failed).replace("DONE", done);
        format!("{ty} bits_init(struct bits *b, unsigned n) {{ {body} }}\n")
    };
    assert_eq!(found(&init("int", "-1", "0")), none);
    assert_eq!(found(&init("bool", "false", "true")), none);
    assert_eq!(found(&init("enum { OK, FULL = -3 }", "FULL", "OK")), none);
    assert_eq!(found(&init("struct bits *", "NULL", "b")), none);
    // Numbers that may mean anything: nothing was set.
    let early = "int bits_init(struct bits *b, unsigned n) { if (n == 0 || n > 64) return EINVAL; b->n = n; b->p = calloc(n, 1); return b->p ? 0 : -1; }\n";
    assert_eq!(found(early), none);
    // Who says that all is well must have set all.
    assert!(found(&init("int", "0", "0")).iter().any(|kind| kind == "uninitialised"));
    assert!(found(&init("void", "", "")).iter().any(|kind| kind == "uninitialised"));
}

/// A loop in a state that no calls make needs a precondition, as other findings do.
#[test]
fn endless_loops_are_judged_by_calls() {
    let source = "#include <stdlib.h>\n\
        struct set { size_t cap, n; int slot[4]; };\n\
        struct set *set_new(void) { struct set *s = calloc(1, sizeof *s); if (s) s->cap = 4; return s; }\n\
        int set_add(struct set *s, int v) {\n\
        if (v == 0 || s->n >= 2) return -1;\n\
        s->slot[s->n++] = v;\nreturn 0;\n}\n\
        int set_has(struct set *s, int v) {\n\
        size_t i = (unsigned)v % 4;\n\
        while (s->slot[i] != 0 && s->slot[i] != v) i = (i + 1) % 4;\n\
        return s->slot[i] == v;\n}\n";
    let scene = Scene::new(&[("set.c", source)]);
    assert_eq!(found_in_calls(&scene, "set.c", "struct_set"), [""; 0]);
    let summary = scene.json("all/set_has/summary.json");
    let bugs = summary["bugs"].as_array().expect("bugs");
    let endless: Vec<_> = bugs.iter().filter(|bug| bug["kind"] == "endless-loop").collect();
    assert!(!endless.is_empty(), "{bugs:#?}");
    for bug in endless {
        assert_eq!(bug["class"], "needs-precondition", "{bug:#}");
        assert!(bug["precondition"].is_string() || bug["calls"].to_string().contains("came to this line"), "{bug:#}");
    }
}

/// Strings are text, and what no call gets is not there.
#[test]
fn strings_are_shown_as_text() {
    let source = "#include <stdlib.h>\n#include <string.h>\n\
        struct name { char text[1024]; };\n\
        struct name *name_new(void) { return calloc(1, sizeof(struct name)); }\n\
        void name_add(struct name *n, const char *s) { strcat(n->text, s); }\n\
        int name_is(struct name *n, const char *other) { return strcmp(n->text, other) == 0 && other[0] == 'q' && other[1] == '\"'; }\n";
    let scene = Scene::new(&[("name.c", source)]);
    let run = ["run", "name.c", "--sequence", "name_new,name_add,name_is", "--length", "3", "--keep", "paths"];
    let output = text(&scene.run(&[&run[..], &["--no-replay", "--out", "out"]].concat()), 1);
    assert!(output.lines().count() < 60 && output.contains("memset(object1"), "{output}");
    let all: Vec<String> = scene.tests("out").iter().map(|test| test["code"].to_string()).collect();
    assert!(all.iter().any(|code| code.contains("strcpy(object") && code.contains("q\\\\\\\"")), "{all:#?}");
    for code in all {
        let n_made = code.matches(" = calloc(").count();
        let n_taken = code.matches("name_add(s, object").count() + code.matches("name_is(s, object").count();
        assert!(n_made <= n_taken, "{code}");
    }
}
