//! Programs that read texts of a grammar: what is found, and that every text is one of the grammar. Parsers are generated here.

use serde_json::Value;
use spelunk_tests::process::End;
use spelunk_tests::scene::Scene;
use std::collections::HashSet;
use std::process::Command;

const CALC: [&str; 6] = ["calc.tab.c", "lex.yy.c", "--grammar", "calc.y", "--lexer", "calc.l"];
const LIST: &str = "list : \"[\" items \"]\" ; items : ITEM | items \",\" ITEM ; ITEM : /[0-9]+/ ;";

/// SimpleCalc, as bison and flex make it.
fn calc() -> Scene {
    let scene = Scene::new(&[("calc.y", include_str!("grammars/calc.y")), ("calc.l", include_str!("grammars/calc.l"))]);
    generate(&scene, "calc");
    scene
}

fn generate(scene: &Scene, name: &str) {
    for (tool, option, kind) in [("bison", "-d", "y"), ("flex", "-L", "l")] {
        let done = Command::new(tool)
            .args([option, &format!("{name}.{kind}")])
            .current_dir(scene.dir.path())
            .output()
            .expect("the tool starts");
        assert!(done.status.success(), "{tool}: {}", String::from_utf8_lossy(&done.stderr));
    }
}

fn words() -> Scene {
    Scene::new(&[("words.c", include_str!("grammars/words.c")), ("list.g", LIST)])
}

#[track_caller]
fn spelunk(scene: &Scene, args: &[&str], code: i32) -> String {
    let output = scene.run(args);
    assert_eq!(output.end, End::Exited(code), "{args:?}\n{}{}", output.stdout_text(), output.stderr_text());
    output.stdout_text().to_string() + &output.stderr_text()
}

/// The bytes of an input of a test.
fn bytes(test: &Value, name: &str) -> Vec<u8> {
    let objects = test["input"].as_array().expect("objects");
    let object = objects.iter().find(|object| object["name"] == name).unwrap_or_else(|| panic!("no {name} in {test}"));
    let hex = object["bytes"].as_str().expect("bytes");
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("digits")).collect()
}

fn texts(scene: &Scene, out: &str, name: &str) -> HashSet<Vec<u8>> {
    scene.tests(out).iter().map(|test| bytes(test, name)).collect()
}

#[test]
fn the_calculator_divides_by_zero() {
    let scene = calc();
    let said = spelunk(&scene, &[&["run"], &CALC[..], &["--max-length", "4", "--out", "out"]].concat(), 1);
    assert!(said.contains("calc.y:18") && said.contains("calc.y:19"), "{said}");
    assert!(said.contains("stdin: all 28 templates up to length 4; 11 of 11 productions"), "{said}");
    let summary = scene.json("out/summary.json");
    // The lexer tells letters from digits, and a divisor may be zero: 2, 2, 36 and 70 paths for texts of 1 to 4 bytes.
    assert_eq!((&summary["paths"], &summary["stopped"]), (&110.into(), &"bounded".into()), "{summary}");
    assert_eq!(summary["bounds"][0]["text"], "texts of up to 4 bytes");
    assert_eq!(texts(&scene, "out", "stdin").len(), 110, "no text comes twice");
    // Every text is accepted: the program exits with 0, or divides by zero.
    for test in scene.tests("out") {
        let is_accepted = test["end"]["status"] == 0 || test["end"]["bug"] == "div-by-zero";
        assert!(is_accepted, "{}", test["end"]);
    }
    let number = summary["bugs"][0]["test"].to_string();
    let shown = spelunk(&scene, &["show", "out", "--test", &number], 0);
    assert!(shown.contains("‹0›") && shown.contains("line: expr") && shown.contains("expr: expr '/' expr"), "{shown}");
    spelunk(&scene, &["export", "out", "--format", "corpus", "--to", "corpus"], 0);
    let files = std::fs::read_dir(scene.path("corpus")).expect("a directory");
    let corpus: HashSet<Vec<u8>> = files.map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect();
    assert_eq!(corpus, texts(&scene, "out", "stdin"));
}

#[test]
fn what_is_explored_depends_neither_on_jobs_nor_on_interruptions() {
    let scene = calc();
    let run = |args: &[&str]| {
        spelunk(&scene, &[&["run"], &CALC[..], &["--max-length", "4", "--no-replay"], args].concat(), 1)
    };
    run(&["--out", "one", "--no-snapshots"]);
    run(&["--out", "four", "--jobs", "4"]);
    run(&["--out", "cut", "--max-paths", "60", "--strategy", "dfs"]);
    let cut = scene.json("cut/summary.json");
    let complete = &cut["texts"][0]["complete_up_to"];
    assert!(complete.is_null() || complete.as_u64() < Some(4), "{cut}");
    spelunk(&scene, &["run", "--resume", "cut", "--no-replay", "--max-paths", "1000000"], 1);
    for out in ["one", "four", "cut"] {
        let summary = scene.json(&format!("{out}/summary.json"));
        assert_eq!((&summary["paths"], &summary["texts"][0]["complete_up_to"]), (&110.into(), &4.into()), "{out}");
    }
}

/// What a token is may depend on what came before it, and on where lines start.
#[test]
fn start_conditions_and_starts_of_lines_are_followed() {
    let scene =
        Scene::new(&[("track.y", include_str!("grammars/track.y")), ("track.l", include_str!("grammars/track.l"))]);
    generate(&scene, "track");
    let run = ["run", "track.tab.c", "lex.yy.c", "--grammar", "track.y", "--lexer", "track.l", "--max-size", "7"];
    let said = spelunk(&scene, &[&run[..], &["--hole-max", "3", "--out", "out"]].concat(), 0);
    assert!(said.contains("6 of 6 productions"), "{said}");
    let texts = texts(&scene, "out", "stdin");
    assert!(texts.len() > 100, "{}", texts.len());
    // A name may look like a word of the language, where it stands for itself.
    assert!(scene.tests("out").iter().all(|test| test["end"]["status"] != 2), "every text is accepted");
    assert!(texts.iter().any(|text| text.starts_with(b"TITLE")) && texts.iter().any(|text| text.ends_with(b":0\n")));
}

/// Figure 3.2 of the paper: which command it is, the grammar says; how long the path is, is one number.
#[test]
fn a_path_overflows_at_one_length() {
    let scene =
        Scene::new(&[("ftpd.c", include_str!("grammars/ftpd.c")), ("command.g", include_str!("grammars/command.g"))]);
    let run = ["run", "ftpd.c", "--entry", "command", "--param", "line=grammar:command.g", "--hole-max", "PATH=2000"];
    let said = spelunk(&scene, &[&run[..], &["--max-size", "2", "--out", "out"]].concat(), 1);
    assert!(said.contains("ftpd.c:14") && said.contains("out-of-bounds"), "{said}");
    let summary = scene.json("out/summary.json");
    assert_eq!(summary["divergences"], 0, "{summary}");
    // Of each command: a path that fits, one that is refused, and the one that overflows.
    assert_eq!((&summary["paths"], &summary["bugs"][0]["hits"]), (&12.into(), &4.into()), "{summary}");
    let test = scene.tests("out").swap_remove(summary["bugs"][0]["test"].as_u64().unwrap() as usize - 1);
    let line = bytes(&test, "*line");
    let path = line.split(|&byte| byte == b' ').nth(1).unwrap().split(|&byte| byte == 0).next().unwrap();
    assert_eq!(path.len(), 1001);
    assert!(path.iter().all(u8::is_ascii_lowercase));
}

#[test]
fn arguments_and_files_may_be_texts() {
    let scene = words();
    spelunk(&scene, &["run", "words.c", "--grammar", "arg=list.g", "--max-size", "4", "--out", "arg"], 0);
    let said =
        spelunk(&scene, &["run", "words.c", "--grammar", "file:in.txt=list.g", "--max-size", "5", "--out", "file"], 0);
    assert!(said.contains("every path was explored for texts of up to 5 productions"), "{said}");
    let is_list = |text: &Vec<u8>| {
        let inner = text.strip_prefix(b"[").and_then(|text| text.strip_suffix(b"]")).expect("brackets");
        inner
            .split(|&byte| byte == b',')
            .all(|item| (1..=4).contains(&item.len()) && item.iter().all(u8::is_ascii_digit))
    };
    let files = texts(&scene, "file", "in.txt");
    assert!(files.len() > 10 && files.iter().all(is_list), "{files:?}");
    // An `x` is in no list, but in a hole that may have any bytes.
    assert!(scene.tests("file").iter().all(|test| test["end"]["status"] != 4));
    let free =
        ["run", "words.c", "--grammar", "file:in.txt=list.g", "--max-size", "3", "--holes", "free", "--out", "free"];
    spelunk(&scene, &free, 0);
    assert!(scene.tests("free").iter().any(|test| test["end"]["status"] == 4));
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
    let dictionary = spelunk(&scene, &["grammar", "calc.y", "--lexer", "calc.l", "--dictionary"], 0);
    assert_eq!(dictionary.lines().count(), 9);
    assert!(dictionary.contains("\"%\"\n"), "{dictionary}");
}

#[test]
fn mistakes_in_grammars_are_pointed_at() {
    let scene = Scene::new(&[
        ("a.g", "s : \"a\" t ;\n"),
        ("b.y", "%token A\n%%\ns: A ;\n"),
        ("c.y", "%token ID IF\n%%\ns: ID | s IF ;\n"),
        ("c.l", "%%\n[a-z]+ return ID;\n\"if\" return IF;\n"),
        ("p.c", "int main(void) { return 0; }\n"),
    ]);
    let said = spelunk(&scene, &["grammar", "a.g"], 2);
    assert!(said.contains("a.g:1:9: error: nothing defines `t`\n 1 | s : \"a\" t ;\n   |         ^"), "{said}");
    let said = spelunk(&scene, &["run", "p.c", "--grammar", "b.y"], 2);
    assert!(said.contains("`s` derives no text") && said.contains("--token A=PATTERN"), "{said}");
    let said = spelunk(&scene, &["grammar", "b.y", "--token", "A=[0-9]"], 0);
    assert!(said.contains("‹0›"), "{said}");
    let said = spelunk(&scene, &["grammar", "c.y", "--lexer", "c.l"], 0);
    assert!(said.contains("nothing is left for `IF` on line 3 of the lexer"), "{said}");
    assert!(said.contains("belong to `ID` on line 2"), "{said}");
    let said = spelunk(&scene, &["run", "p.c", "--grammar", "x=b.y"], 2);
    assert!(said.contains("write stdin, arg or file:NAME"), "{said}");
}
