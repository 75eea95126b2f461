//! Strings to start with, whole or longer than usual: nothing that is explored from them leaves its path, and no path is lost.

use serde_json::{Value, json};
use spelunk_tests::scene::Scene;

/// Explores with a text for the first parameter as the only seed.
fn with_seed(scene: &Scene, source: &str, text: &[u8], args: &[&str]) -> Value {
    let common = ["run", source, "--entry", "f", "--no-replay"];
    scene.run(&[&common[..], &["--max-paths", "1", "--out", "seeds"]].concat());
    scene.change("seeds/tests/000001.json", |test| {
        let bytes: String = text.iter().map(|byte| format!("{byte:02x}")).collect();
        let string = json!({"name": "*s", "key": {"param": 0, "through": [0]}, "type": "char", "bytes": bytes});
        test["input"] = json!([string]);
    });
    scene.run(&[&common[..], args, &["--seed-dir", "seeds", "--out", "out"]].concat());
    let summary = scene.json("out/summary.json");
    assert_eq!(summary["divergences"], 0, "{summary:#}");
    summary
}

fn letters(n: usize) -> Vec<u8> {
    (b'a'..=b'z').cycle().take(n).collect()
}

/// What one search has passed and what another has passed leave no byte for a place that both pass.
#[test]
fn searches_for_what_others_pass() {
    let words = "#include <string.h>\nint f(const char *s) {\n  char buf[16];\n  int n = 0;\n  strcpy(buf, s);\n  \
        for (char *p = strtok(buf, \", \"); p; p = strtok(NULL, \", \")) n++;\n  return n;\n}\n";
    let scene = Scene::new(&[("words.c", words)]);
    with_seed(&scene, "words.c", &letters(12), &["--param", "s=string:12", "--max-paths", "60"]);
}

/// A long string that nobody measures is a test; what is explored are short ones, all of them.
#[test]
fn seeds_that_are_longer_than_usual() {
    let count = "int f(const char *s) {\n  int n = 0;\n  for (; *s; s++)\n    if (*s == 'a' || *s == 'q') n++;\n  \
        return n > 3;\n}\n";
    let scene = Scene::new(&[("count.c", count)]);
    scene.run(&["run", "count.c", "--entry", "f", "--no-replay", "--out", "plain"]);
    let plain = scene.json("plain/summary.json");
    for n in [8, 9, 40] {
        let scene = Scene::new(&[("count.c", count)]);
        let summary = with_seed(&scene, "count.c", &letters(n), &[]);
        assert_eq!((&summary["paths"], &summary["stopped"]), (&plain["paths"], &plain["stopped"]), "{n}: {summary:#}");
    }
}

/// Functions that are summarised are tried out, which leaves nothing behind that a run from a snapshot would find.
#[test]
fn targets_are_looked_for_from_seeds() {
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("targets/parser.c");
    let source = std::fs::read_to_string(source).expect("a source").replace("void parser(", "void f(");
    for n in [12, 40] {
        let scene = Scene::new(&[("parser.c", &source)]);
        let args = ["--param", "s=string:40", "--target", "assert@parser.c"];
        let summary = with_seed(&scene, "parser.c", &letters(n), &args);
        assert_eq!(summary["targets"][0]["status"], "reached", "{summary:#}");
    }
}
