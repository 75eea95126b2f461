//! Runs every script of `smt/` through the real binary in every way of solving: one trial per pair, named `FILE@WAY`.
//!
//! A script says before each check what is expected of it: `; expect: sat`. Where the last answer is `sat`, the model is
//! put in place of the declarations, and the script must still hold. The rest is about the command line.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use spelunk_solver::chain::{Backend, Layer};
use spelunk_tests::process::{self, End, Output};
use spelunk_tests::run_trials;
use spelunk_tests::spelunk::Spelunk;

/// Generous: a loaded machine, and Z3 on floats.
const LIMIT: Duration = Duration::from_secs(300);

fn main() -> ExitCode {
    run_trials(|spelunk| {
        let mut trials: Vec<Trial> = scripts().iter().flat_map(|path| trials_of(path, spelunk)).collect();
        trials.extend(COMMAND_LINE.iter().map(|&(name, test)| {
            let spelunk = Arc::clone(spelunk);
            Trial::test(name, move || {
                test(&spelunk);
                Ok(())
            })
        }));
        trials
    })
}

fn scripts() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("smt");
    let entries = dir.read_dir().expect("the directory of scripts");
    let mut scripts: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    scripts.sort();
    scripts
}

/// A script with what it says about itself.
struct Script {
    text: String,
    answers: Vec<String>,
    exit: i32,
}

impl Script {
    fn load(path: &Path) -> Script {
        let text = std::fs::read_to_string(path).expect("a readable script");
        let said = |what: &str| -> Vec<String> {
            text.lines().filter_map(|line| line.strip_prefix(what)).map(|rest| rest.trim().to_owned()).collect()
        };
        let answers = said("; expect:");
        let exit = said("; exit:").first().map_or(0, |code| code.parse().expect("an exit code"));
        Script { answers, exit, text }
    }

    fn has_floats(&self) -> bool {
        self.text.contains("Float")
    }

    /// Models can be put in place of declarations if these hold for the whole script.
    fn has_one_scope(&self) -> bool {
        !["(push", "(reset", "(declare-sort", "check-sat-assuming"].iter().any(|command| self.text.contains(command))
    }
}

/// The options of each way to solve.
fn ways(script: &Script) -> Vec<Vec<String>> {
    let backends = Backend::ALL.iter().filter(|&&backend| backend != Backend::Blast || !script.has_floats());
    let backends = backends.map(|backend| vec!["--solver".to_owned(), backend.name().to_owned()]);
    let layers = Layer::ALL.iter().map(|layer| vec!["--without".to_owned(), layer.name().to_owned()]);
    let sats = ["own", "cadical"].map(|sat| vec!["--sat".to_owned(), sat.to_owned()]);
    backends.chain(layers).chain(sats).collect()
}

fn trials_of(path: &Path, spelunk: &Arc<Spelunk>) -> Vec<Trial> {
    let name = path.file_stem().expect("a file has a name").display().to_string();
    let script = Arc::new(Script::load(path));
    ways(&script)
        .into_iter()
        .map(|options| {
            let (script, spelunk) = (Arc::clone(&script), Arc::clone(spelunk));
            Trial::test(format!("{name}@{}", options.join("")), move || judge(&spelunk, &script, &options))
        })
        .collect()
}

fn run(spelunk: &Spelunk, script: &str, options: &[String]) -> Output {
    let mut command = spelunk.command();
    command.args(["smt", "-"]).args(options);
    process::run(&mut command, script.as_bytes(), LIMIT).expect("spelunk starts")
}

fn judge(spelunk: &Spelunk, script: &Script, options: &[String]) -> Result<(), Failed> {
    let output = run(spelunk, &script.text, options);
    let answers: Vec<String> = output.stdout_text().lines().map(str::to_owned).collect();
    if script.answers.is_empty() || answers != script.answers || output.end != End::Exited(script.exit) {
        let what = format!("expected {:?} and exit status {}, got {answers:?}", script.answers, script.exit);
        return Err(Failed::from(format!("{what} and {}\n{}", output.end, output.stderr_text())));
    }
    if script.has_one_scope() && answers.last().is_some_and(|answer| answer == "sat") {
        return judge_model(spelunk, script, options);
    }
    Ok(())
}

/// With the model's definitions in place of the declarations, all that was asserted must be true.
fn judge_model(spelunk: &Spelunk, script: &Script, options: &[String]) -> Result<(), Failed> {
    let output = run(spelunk, &format!("{}(get-model)", script.text), options).stdout_text();
    let model: String =
        output.lines().filter(|line| line.starts_with("  (define-fun")).flat_map(|line| [line, "\n"]).collect();
    let mut lines: Vec<&str> = script.text.lines().filter(|line| !line.starts_with("(declare-")).collect();
    let start = lines.iter().position(|line| line.starts_with("(set-logic")).expect("a script begins with its logic");
    lines.insert(start + 1, &model);
    let checked = run(spelunk, &lines.join("\n"), options);
    match checked.stdout_text().lines().last() {
        Some("sat") => Ok(()),
        _ => Err(Failed::from(format!(
            "the model does not hold:\n{model}{}{}",
            checked.stdout_text(),
            checked.stderr_text()
        ))),
    }
}

/// Factors of a prime: nobody finds them, and nobody finds out soon that there are none.
const HARD: &str = "(declare-const p (_ BitVec 90))
(declare-const q (_ BitVec 90))
(assert (= (bvmul p q) (_ bv618970019642690137449562111 90)))
(assert (and (bvugt p (_ bv1 90)) (bvult p (bvshl (_ bv1 90) (_ bv45 90)))))
(assert (and (bvugt q (_ bv1 90)) (bvult q (bvshl (_ bv1 90) (_ bv45 90)))))
(echo \"go\")
(check-sat)
(reset-assertions)
(check-sat)
";

/// A property of the command line, by name.
type Property = (&'static str, fn(&Spelunk));

const COMMAND_LINE: &[Property] = &[
    ("errors_have_a_place", errors_have_a_place),
    ("files_must_be_readable", files_must_be_readable),
    ("answers_do_not_wait", answers_do_not_wait),
    ("interrupts_end_the_check", interrupts_end_the_check),
    ("time_is_limited", time_is_limited),
    ("statistics_are_printed", statistics_are_printed),
    ("logged_queries_are_scripts", logged_queries_are_scripts),
    ("a_log_that_cannot_be_written_is_an_error", a_log_that_cannot_be_written_is_an_error),
];

fn errors_have_a_place(spelunk: &Spelunk) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(dir.path().join("bad.smt2"), "(check-sat)\n\t(assert (and true\n  #x00))\n").expect("a file");
    let mut command = spelunk.command();
    command.args(["smt", "bad.smt2"]).current_dir(dir.path());
    let output = process::run(&mut command, b"", LIMIT).expect("spelunk starts");
    assert_eq!(output.end, End::Exited(2));
    let message = "expected Bool, this has sort (_ BitVec 8)";
    assert_eq!(output.stdout_text(), format!("sat\n(error \"line 3 column 3: {message}\")\n"));
    let expected = format!("bad.smt2:3:3: error: {message}\n    3 |   #x00))\n      |   ^\n");
    assert_eq!(output.stderr_text(), expected);
}

fn files_must_be_readable(spelunk: &Spelunk) {
    let mut command = spelunk.command();
    let output = process::run(command.args(["smt", "absent.smt2"]), b"", LIMIT).expect("spelunk starts");
    assert_eq!(output.end, End::Exited(2));
    assert!(output.stderr_text().contains("absent.smt2"), "{}", output.stderr_text());
}

fn answers_do_not_wait(spelunk: &Spelunk) {
    let mut command = spelunk.command();
    command.args(["smt", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("spelunk starts");
    let mut stdin = child.stdin.take().expect("piped");
    let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
    for (question, answer) in [("(check-sat)\n", "sat\n"), ("(assert false) (check-sat)", "unsat\n")] {
        stdin.write_all(question.as_bytes()).expect("spelunk reads");
        stdin.write_all(b"\n").expect("spelunk reads");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("an answer");
        assert_eq!(line, answer);
    }
    drop(stdin);
    assert!(child.wait().expect("spelunk ends").success());
}

fn interrupts_end_the_check(spelunk: &Spelunk) {
    let mut command = spelunk.command();
    command.args(["smt", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("spelunk starts");
    child.stdin.take().expect("piped").write_all(HARD.as_bytes()).expect("spelunk reads");
    let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
    let mut text = String::new();
    stdout.read_line(&mut text).expect("a line");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill starts").success());
    stdout.read_to_string(&mut text).expect("the rest");
    let output = child.wait_with_output().expect("spelunk ends");
    assert_eq!(text, "\"go\"\nunknown\nsat\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("7:1: note: unknown: interrupted"), "{output:?}");
}

fn time_is_limited(spelunk: &Spelunk) {
    let output = run(spelunk, HARD, &["--time-limit".to_owned(), "50ms".to_owned()]);
    assert_eq!(output.stdout_text(), "\"go\"\nunknown\nsat\n");
    assert_eq!(output.end, End::Exited(1));
    assert!(output.stderr_text().contains("note: unknown: the time limit was reached"), "{}", output.stderr_text());
}

fn statistics_are_printed(spelunk: &Spelunk) {
    let output = run(spelunk, "(check-sat)", &["--stats".to_owned()]);
    let table = output.stderr_text();
    let names: Vec<&str> = table.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names.first(), Some(&"layer"));
    for layer in ["slice", "blast", "z3"] {
        assert!(names.contains(&layer), "{table}");
    }
}

/// Five values among four: no layer says that they can't differ.
const FOR_A_BACKEND: &str =
    "(declare-const a (_ BitVec 32))(declare-const b (_ BitVec 32))(declare-const c (_ BitVec 32))
    (declare-const d (_ BitVec 32))(declare-const e (_ BitVec 32))
    (assert (distinct a b c d e))(assert (bvult (bvor a b c d e) #x00000004))(check-sat)";

fn a_log_that_cannot_be_written_is_an_error(spelunk: &Spelunk) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let script = FOR_A_BACKEND;
    let file = dir.path().join("file");
    std::fs::write(&file, "").expect("a file");
    let output = run(spelunk, script, &["--log-queries".to_owned(), file.join("log").display().to_string()]);
    assert_eq!(output.end, End::Exited(2), "{}", output.stderr_text());
    // In place of the first query there is something else.
    let log = dir.path().join("log");
    std::fs::create_dir_all(log.join("000000.smt2")).expect("a directory");
    let output = run(spelunk, script, &["--log-queries".to_owned(), log.display().to_string()]);
    assert_eq!(output.end, End::Exited(2), "{}", output.stderr_text());
    assert!(output.stderr_text().contains("can't write the query log"), "{}", output.stderr_text());
}

fn logged_queries_are_scripts(spelunk: &Spelunk) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let log = dir.path().join("log");
    let script = FOR_A_BACKEND;
    let options = ["--log-queries".to_owned(), log.display().to_string()];
    let answer = run(spelunk, script, &options).stdout_text();
    let logged: Vec<PathBuf> =
        log.read_dir().expect("a directory").map(|entry| entry.expect("an entry").path()).collect();
    assert_eq!(logged.len(), 1, "{logged:?}");
    let query = std::fs::read_to_string(&logged[0]).expect("a readable query");
    let question = if query.contains("(check-sat)") { "" } else { "(check-sat)" };
    assert_eq!(run(spelunk, &format!("{query}{question}"), &[]).stdout_text(), answer);
}
