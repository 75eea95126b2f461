//! What is guessed of parameters that belong together: exactly what the comments of `guess/guess.c` say, in the listing and in
//! campaigns; and that users can change it.

use serde_json::json;
use spelunk_tests::process::{End, Output};
use spelunk_tests::scene::Scene;

const SOURCE: &str = include_str!("guess/guess.c");

#[track_caller]
fn text(output: &Output, code: i32) -> String {
    let text = format!("{}{}", output.stdout_text(), output.stderr_text());
    assert_eq!(output.end, End::Exited(code), "{text}");
    text
}

/// The functions of the source with what is expected of each.
fn expected() -> Vec<(&'static str, Vec<&'static str>)> {
    let line = |line: &'static str| {
        let (code, guesses) = line.split_once("//~")?;
        let name = code.split('(').next()?.rsplit([' ', '*']).next()?;
        // A setting of a member has a space in it.
        let guesses =
            if guesses.contains("struct ") { vec![guesses.trim()] } else { guesses.split_whitespace().collect() };
        Some((name, guesses))
    };
    SOURCE.lines().filter_map(line).collect()
}

#[test]
fn the_listing_has_each_guess_and_no_other() {
    let scene = Scene::new(&[("guess.c", SOURCE)]);
    let listed = text(&scene.run(&["run", "guess.c"]), 0);
    let part = |name: &str| {
        let from = listed.find(&format!("  {name}(")).unwrap_or_else(|| panic!("no {name} in {listed}"));
        let rest = &listed[from + 2..];
        let end = rest
            .match_indices("\n  ")
            .find(|(at, _)| !rest[at + 3..].starts_with(' '))
            .map_or(rest.len(), |(at, _)| at);
        rest[..end].to_owned()
    };
    for (name, guesses) in expected() {
        let part = part(name);
        assert_eq!(part.matches("guessed: ").count(), guesses.len(), "{part}");
        for guess in guesses {
            assert!(part.contains(&format!("guessed: {guess}")), "no {guess} in {part}");
        }
    }
    assert!(listed.contains("--guess off"));
    let plain = text(&scene.run(&["run", "guess.c", "--guess", "off"]), 0);
    assert!(!plain.contains("guessed"), "{plain}");
}

#[test]
fn campaigns_say_what_was_guessed_and_users_can_change_it() {
    let scene = Scene::new(&[("guess.c", SOURCE)]);
    let run = |more: &[&str], code: i32| {
        let args = [&["run", "guess.c", "--entry", "sum", "--no-replay"], more].concat();
        text(&scene.run(&args), code)
    };
    // No index is out of bounds, and what is added up decides nothing.
    let fixed = run(&["--out", "a", "--param", "n=3"], 0);
    assert!(fixed.contains("guessed       a=array:n") && fixed.contains("paths         1 "), "{fixed}");
    let guessed = run(&["--out", "b"], 0);
    assert!(guessed.contains("guessed       a=array:n"), "{guessed}");
    // From no element to 8.
    assert!(guessed.contains("paths         9 "), "{guessed}");
    assert_eq!(scene.json("b/summary.json")["guessed"], json!(["a=array:n"]));
    let test = &scene.tests("b")[0];
    assert_eq!((&test["unit"]["params"], &test["unit"]["guessed"]), (&json!(["a=array:n"]), &json!(["a=array:n"])));
    let small = run(&["--out", "c", "--param", "a=array:n<=2"], 0);
    assert!(small.contains("paths         3 ") && !small.contains("guessed"), "{small}");
    let off = run(&["--out", "d", "--guess", "off"], 4);
    assert!(off.contains("out-of-bounds"), "{off}");
    // What was stored runs again as it was.
    let again = scene.run(&["replay", "c", "--vm"]);
    assert_eq!(again.end, End::Exited(0), "{}", again.stderr_text());
}

#[test]
fn no_parameter_is_null_if_the_user_says_so() {
    let source = "struct s { int x; struct s *next; };\n\
                  int f(struct s *a, const int *b) { return a->x + *b + (a->next ? a->next->x : 0); }\n";
    let scene = Scene::new(&[("f.c", source)]);
    let run = |more: &[&str], code: i32| {
        text(&scene.run(&[&["run", "f.c", "--entry", "f", "--no-replay"], more].concat()), code)
    };
    assert!(run(&["--out", "a"], 4).contains("null-deref"));
    assert!(run(&["--out", "b", "--nonnull"], 0).contains("findings      none"));
    assert!(run(&["--out", "c", "--param", "*=nonnull"], 0).contains("findings      none"));
    assert!(run(&["--out", "d", "--nonnull", "--param", "b=null"], 1).contains("null-deref"));
    assert!(run(&["--param", "*=null"], 2).contains("only *=nonnull"));
    let all = text(&scene.run(&["run", "f.c", "--entry", "all", "--param", "f:*=nonnull", "--out", "e"]), 0);
    assert!(all.contains("findings      none"), "{all}");
}

#[test]
fn plain_files_are_seeds() {
    let source = "#include <stdio.h>\n#include <string.h>\n\
                  int main(void) { char b[8] = {0}; fread(b, 1, 7, stdin);\n\
                  unsigned h = 5381; for (int i = 0; i < 7; i++) h = h * 33 ^ (unsigned char)b[i];\n\
                  if (h == 0x9abef6d6u && b[0] == 's') { puts(\"deep\"); if (b[6] == '!') return *(volatile int *)0; }\n\
                  return 0; }\n";
    let scene = Scene::new(&[("p.c", source)]);
    let hash = b"seed!!!".iter().fold(5381u32, |hash, &byte| hash.wrapping_mul(33) ^ u32::from(byte));
    std::fs::write(scene.path("p.c"), source.replace("0x9abef6d6u", &format!("{hash}u"))).unwrap();
    for dir in ["corpus", "afl/default/queue"] {
        std::fs::create_dir_all(scene.path(dir)).unwrap();
        std::fs::write(scene.path(dir).join("id:000000,orig:x"), "seed!!!").unwrap();
        std::fs::write(scene.path(dir).join("README.txt"), "no seed").unwrap();
    }
    for (dir, out) in [("corpus", "a"), ("afl", "b")] {
        // Standard input is as large as the seed, without another option; the first run has its content.
        let output = scene.run(&["run", "p.c", "--seed-dir", dir, "--max-paths", "1", "--no-replay", "--out", out]);
        assert!(text(&output, 1).contains("null-deref"));
    }
    std::fs::create_dir(scene.path("empty")).unwrap();
    let empty = scene.run(&["run", "p.c", "--sym-stdin", "7", "--seed-dir", "empty"]);
    assert!(text(&empty, 2).contains("empty"));
}

#[test]
fn the_first_input_is_printable_and_the_second_zero() {
    let source = "#include <stdio.h>\n#include <string.h>\n\
                  int main(void) { char b[4]; fread(b, 1, 4, stdin);\n\
                  if (b[0] == 'x') puts(\"x\"); else if (b[0] == 'y') puts(\"y\"); return 0; }\n";
    let scene = Scene::new(&[("p.c", source)]);
    let run = |more: &[&str]| text(&scene.run(&[&["run", "p.c", "--no-replay", "--keep", "paths"], more].concat()), 0);
    let bytes = |out: &str, name: &str| -> Vec<String> {
        let of = |test: &serde_json::Value| {
            let object = test["input"].as_array().unwrap().iter().find(|it| it["name"] == name).cloned().unwrap();
            object["bytes"].as_str().unwrap().to_owned()
        };
        scene.tests(out).iter().map(of).collect()
    };
    run(&["--sym-stdin", "4", "--max-paths", "1", "--out", "a"]);
    assert_eq!(bytes("a", "stdin"), ["61626364"]);
    let all = run(&["--sym-stdin", "4", "--out", "b"]);
    assert!(all.contains("paths         3 ") && all.contains("every path was explored"), "{all}");
}

/// What makes a structure and works on it is called in sequences as well: findings in states that no call makes need a precondition.
#[test]
fn calls_tell_which_states_a_structure_can_be_in() {
    let scene = Scene::new(&[("ring.c", include_str!("guess/ring.c"))]);
    let run = ["run", "ring.c", "--entry", "all", "--no-replay", "--max-paths", "400", "--out", "out"];
    let output = text(&scene.run(&run), 1);
    assert!(output.contains("4 functions tested"), "{output}");
    let findings = |function: &str| {
        let summary = scene.json(&format!("out/{function}/summary.json"));
        let class = |bug: &serde_json::Value| (bug["kind"].clone(), bug["class"].clone(), bug["calls"].to_string());
        let bugs: Vec<_> = summary["bugs"].as_array().expect("bugs").iter().map(class).collect();
        bugs
    };
    // Sizes of 0 are refused when a ring is made, and its places stay inside.
    let put = findings("ring_put");
    let is_excluded = |calls: &str| calls.contains("`ring_new` and 3 other functions came to this line without it");
    assert!(put.iter().any(|(kind, _, calls)| kind == "out-of-bounds" && is_excluded(calls)), "{put:?}");
    assert!(put.iter().all(|(_, class, _)| class == "needs-precondition"), "{put:?}");
    // Nobody looks whether the place that is asked for is inside.
    let at = findings("ring_at");
    let is_shown = |calls: &str| calls.contains("calls that make their `struct ring` themselves show it too");
    assert!(
        at.iter().any(|(kind, class, calls)| kind == "out-of-bounds" && class == "bug" && is_shown(calls)),
        "{at:?}"
    );
    let calls = findings("calls-on-struct_ring");
    assert!(calls.iter().all(|(kind, class, _)| kind == "out-of-bounds" && class == "bug"), "{calls:?}");
    // A test of it runs again, and nothing of it is there where nothing is guessed.
    let again = text(&scene.run(&["replay", "out/calls-on-struct_ring"]), 1);
    assert!(!again.contains(" 0 confirm a bug") && again.contains("0 otherwise"), "{again}");
    let off =
        text(&scene.run(&["run", "ring.c", "--entry", "all", "--guess", "off", "--max-paths", "50", "--no-replay"]), 1);
    assert!(!off.contains("calls-on"), "{off}");
}
