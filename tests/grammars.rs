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

fn context() -> Scene {
    let files = [("context.y", include_str!("grammars/context.y")), ("context.l", include_str!("grammars/context.l"))];
    let scene = Scene::new(&files);
    generate(&scene, "context");
    scene
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

/// All texts of up to 6 bytes, and no others: the generated parser is asked about every sequence of tokens.
#[test]
fn texts_are_those_that_the_parser_accepts() {
    let scene = calc();
    std::fs::write(scene.path("accepted.c"), include_str!("grammars/accepted.c")).expect("it is written");
    let built = Command::new("cc")
        .args(["-O1", "-w", "-DLENGTH=6", "-Dmain=calc_main", "-c", "calc.tab.c", "lex.yy.c"])
        .current_dir(scene.dir.path())
        .status()
        .expect("the compiler starts");
    let linked = Command::new("cc")
        .args(["-O1", "-w", "-DLENGTH=6", "accepted.c", "calc.tab.o", "lex.yy.o", "-o", "accepted"])
        .current_dir(scene.dir.path())
        .status()
        .expect("the compiler starts");
    assert!(built.success() && linked.success());
    let accepted = Command::new(scene.path("accepted")).output().expect("it starts");
    let accepted = String::from_utf8(accepted.stdout).expect("text");
    let made = ["grammar", "calc.y", "--lexer", "calc.l", "--max-length", "6", "--emit", "100000"];
    let made = spelunk(&scene, &made, 0).replace('0', "a");
    let (accepted, made): (Vec<&str>, Vec<&str>) = (accepted.lines().collect(), made.lines().collect());
    let by_length = |length| made.iter().filter(|text| text.len() == length).count();
    assert_eq!((1..=6).map(by_length).collect::<Vec<_>>(), [1, 1, 9, 17, 96, 246]);
    assert_eq!(made.len(), accepted.len(), "each comes once");
    assert_eq!(made.iter().collect::<HashSet<_>>(), accepted.iter().collect::<HashSet<_>>());
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

/// What a token is may depend on what follows: a name before a parenthesis, a point at the end of a line.
#[test]
fn trailing_context_is_followed() {
    let scene = context();
    let run = ["run", "context.tab.c", "lex.yy.c", "--grammar", "context.y", "--lexer", "context.l"];
    let said = spelunk(&scene, &[&run[..], &["--max-size", "4", "--hole-max", "1", "--out", "out"]].concat(), 0);
    assert!(said.contains("8 of 8 productions"), "{said}");
    let texts = texts(&scene, "out", "stdin");
    assert!(scene.tests("out").iter().all(|test| test["end"]["status"] == 0), "every text is accepted: {texts:?}");
    let has = |wanted: fn(&[u8]) -> bool| texts.iter().any(|text| wanted(text));
    assert!(has(|text| text.ends_with(b".\n")) && has(|text| text.windows(2).any(|it| it == b"km")), "{texts:?}");
    assert!(has(|text| text[0] == b'!') && has(|text| text[0].is_ascii_lowercase() && text[1..].starts_with(b"()")));
    // Neither a word nor what must follow it has one length: where they part is up to flex.
    let said = spelunk(&scene, &["grammar", "context.y", "--lexer", "context.l"], 0);
    assert!(said.contains("no text is made from `[a-z]+/[ ]*\":\"`: neither what it matches nor"), "{said}");
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
    assert!(said.starts_with("error: `s` derives no text") && said.contains("--token A=PATTERN"), "{said}");
    let said = spelunk(&scene, &["grammar", "b.y", "--token", "A=[0-9]"], 0);
    assert!(said.contains("‹0›"), "{said}");
    let said = spelunk(&scene, &["grammar", "c.y", "--lexer", "c.l"], 0);
    assert!(said.contains("nothing is left for `IF` on line 3 of the lexer"), "{said}");
    assert!(said.contains("belong to `ID` on line 2"), "{said}");
    assert!(!said.contains("error:"), "{said}");
    let said = spelunk(&scene, &["run", "p.c", "--grammar", "x=b.y"], 2);
    assert!(said.contains("write stdin, arg or file:NAME"), "{said}");
}

#[test]
fn inputs_are_said_once() {
    let scene = words();
    let refused = |args: &[&str]| spelunk(&scene, &[&["run", "words.c"], args].concat(), 2);
    let said = refused(&["--grammar", "list.g", "--sym-stdin", "4"]);
    assert!(said.contains("either a text of a grammar (--grammar) or any bytes (--sym-stdin)"), "{said}");
    let said = refused(&["--grammar", "list.g", "--grammar", "list.g"]);
    assert!(said.contains("one grammar only"), "{said}");
    let said = refused(&["--grammar", "file:a=list.g", "--sym-file", "a", "3"]);
    assert!(said.contains("`a` is said twice"), "{said}");
    let said = refused(&["--grammar", "list.g", "--lexer", "list.g", "--lexer", "list.g"]);
    assert!(said.contains("more files for --lexer than grammars"), "{said}");
}

/// A campaign ends by itself, and says where.
#[test]
fn without_a_bound_there_is_one() {
    let ten: String = ["t "; 10].concat();
    let scene = Scene::new(&[
        ("p.c", "#include <stdio.h>\nint main(void) { return getchar() == '['; }\n"),
        ("list.g", LIST),
        ("many.g", &format!("s : {ten} ; t : \"a\" | \"b\" | \"c\" | \"d\" | \"e\" | \"f\" | \"g\" ;")),
        ("tree.g", "s : \"a\" | \"b\" | \"c\" | s s s ;"),
    ]);
    let run = |grammar: &str, more: &[&str], code| {
        spelunk(&scene, &[&["run", "p.c", "--grammar", grammar, "--no-replay"], more].concat(), code)
    };
    let said = run("list.g", &["--out", "out"], 0);
    assert!(said.contains("note: without a bound, only texts of stdin up to size"), "{said}");
    let bounds = &scene.json("out/summary.json")["bounds"];
    assert!(bounds.to_string().contains("text-size"), "{bounds}");
    let said = run("list.g", &["--max-paths", "1"], 0);
    assert!(!said.contains("without a bound"), "{said}");
    let said = run("many.g", &[], 2);
    assert!(said.contains("error: the smallest texts of stdin have 282475249 templates"), "{said}");
    let said = run("tree.g", &["--max-size", "400", "--max-paths", "1"], 0);
    assert!(said.contains("268435456 are the most: only texts up to size"), "{said}");
}

/// What grammars mean that lead back to themselves or have tokens without letters.
#[test]
fn cycles_and_empty_words_have_a_meaning() {
    let scene = Scene::new(&[
        ("cycle.g", "s : t | \"a\" ; t : s | \"b\" t | ;"),
        ("left.g", "s : s \",\" s | N ; N : /[0-9]/ ;"),
        ("maybe.g", "s : \"<\" T \">\" ; T : /a*/ ;"),
        ("empty.g", "s : T ; T : /()/ ;"),
        ("endless.g", "s : \"a\" s ;"),
        ("p.c", "int main(void) { return 0; }\n"),
    ]);
    let texts = |grammar: &str, more: &[&str]| {
        let texts = spelunk(&scene, &[&["grammar", grammar, "--emit", "100"], more].concat(), 0);
        texts.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    // Each text once, however many derivations it has.
    assert_eq!(texts("cycle.g", &["--max-length", "2"]), ["", "a", "b", "bb", "ba"]);
    let said = spelunk(&scene, &["grammar", "cycle.g", "--max-length", "2"], 0);
    assert!(said.contains("may lead back to where it started"), "{said}");
    assert_eq!(texts("left.g", &["--max-length", "5"]), ["0", "0,0", "0,0,0"]);
    // A token is never empty.
    assert_eq!(texts("maybe.g", &["--max-length", "4"]), ["<a>", "<aa>"]);
    for (grammar, command) in [("empty.g", "grammar"), ("endless.g", "grammar"), ("empty.g", "run")] {
        let args = if command == "run" { vec!["run", "p.c", "--grammar", grammar] } else { vec![command, grammar] };
        let said = spelunk(&scene, &args, 2);
        assert!(said.starts_with("error: `s` derives no text"), "{said}");
    }
    spelunk(&scene, &["run", "p.c", "--grammar", "cycle.g", "--max-length", "3", "--out", "cycle"], 0);
}
