//! Programs that read texts of a grammar: what is found, and that every text is one of the grammar. Parsers are generated here.

use serde_json::Value;
use spelunk_tests::process::End;
use spelunk_tests::scene::Scene;
use std::collections::HashSet;
use std::process::Command;

const CALC: [&str; 7] = ["calc.tab.c", "lex.yy.c", "--grammar", "calc.y", "--lexer", "calc.l", "--out"];

/// SimpleCalc, as bison and flex make it.
fn calc() -> Scene {
    let scene = Scene::new(&[("calc.y", include_str!("grammars/calc.y")), ("calc.l", include_str!("grammars/calc.l"))]);
    for (tool, args) in [("bison", ["-d", "calc.y"]), ("flex", ["-L", "calc.l"])] {
        let done = Command::new(tool).args(args).current_dir(scene.dir.path()).output().expect("the tool starts");
        assert!(done.status.success(), "{tool}: {}", String::from_utf8_lossy(&done.stderr));
    }
    scene
}

#[track_caller]
fn spelunk(scene: &Scene, args: &[&str], code: i32) -> String {
    let output = scene.run(args);
    assert_eq!(output.end, End::Exited(code), "{args:?}\n{}{}", output.stdout_text(), output.stderr_text());
    output.stdout_text().to_string() + &output.stderr_text()
}

/// The bytes of an input of a test.
fn bytes(test: &Value, name: &str) -> Vec<u8> {
    let objects = test["inputs"].as_array().expect("objects");
    let object = objects.iter().find(|object| object["name"] == name).unwrap_or_else(|| panic!("no {name} in {test}"));
    let hex = object["bytes"].as_str().expect("bytes");
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("digits")).collect()
}

#[test]
fn the_calculator_divides_by_zero() {
    let scene = calc();
    let run = [&["run"], &CALC[..], &["out", "--max-length", "4", "--strategy", "dfs"]].concat();
    let said = spelunk(&scene, &run, 1);
    assert!(said.contains("calc.y:18") && said.contains("calc.y:19"), "{said}");
    let summary = scene.json("out/summary.json");
    assert_eq!(summary["status"], "bounded", "{summary}");
    let texts: Vec<Vec<u8>> = scene.tests("out").iter().map(|test| bytes(test, "stdin")).collect();
    assert_eq!(texts.len(), texts.iter().collect::<HashSet<_>>().len(), "no text comes twice");
    // Every text is accepted: the program ends with 0, or in the error.
    let ends: HashSet<String> = scene.tests("out").iter().map(|test| test["end"]["kind"].to_string()).collect();
    assert!(!ends.is_empty(), "{ends:?}");
}

#[test]
fn a_grammar_is_described() {
    let scene = calc();
    let said = spelunk(&scene, &["grammar", "calc.y", "--lexer", "calc.l", "--max-length", "6"], 0);
    assert!(said.contains("LETTER and NUMBER are one hole"), "{said}");
    assert!(said.contains("templates   1   1      9     17        96       246"), "{said}");
    assert!(said.contains("texts      62  62  27032  54002  11839830  35384516"), "{said}");
    let texts = spelunk(&scene, &["grammar", "calc.y", "--lexer", "calc.l", "--max-length", "3", "--emit", "100"], 0);
    assert_eq!(texts.lines().count(), 11);
}

#[test]
fn mistakes_in_grammars_are_pointed_at() {
    let scene = Scene::new(&[("a.g", "s : \"a\" t ;\n"), ("b.y", "%token A\n%%\ns: A ;\n"), ("p.c", "int main(void) { return 0; }\n")]);
    let said = spelunk(&scene, &["grammar", "a.g"], 2);
    assert!(said.contains("a.g:1:9: error: nothing defines `t`\n 1 | s : \"a\" t ;\n   |         ^"), "{said}");
    let said = spelunk(&scene, &["run", "p.c", "--grammar", "b.y"], 2);
    assert!(said.contains("`s` derives no text") && said.contains("--token A=PATTERN"), "{said}");
    let said = spelunk(&scene, &["grammar", "b.y", "--token", "A=[0-9]"], 0);
    assert!(said.contains("‹0›"), "{said}");
}
