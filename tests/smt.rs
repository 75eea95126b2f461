//! Runs every script of `smt/` through the real binary in every way of solving: one trial per pair, named `FILE@WAY`.
//!
//! A script says before each check what is expected of it: `; expect: sat`. Where the last answer is `sat`, the model is
//! put in place of the declarations, and the script must still hold.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use spelunk_solver::chain::{Backend, Layer};
use spelunk_tests::process::{self, End, Output};
use spelunk_tests::spelunk::Spelunk;

/// Generous: a loaded machine, and Z3 on floats.
const LIMIT: Duration = Duration::from_secs(300);

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let spelunk = match Spelunk::locate() {
        Ok(spelunk) => Arc::new(spelunk),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let trials = scripts().iter().flat_map(|path| trials_of(path, &spelunk)).collect();
    libtest_mimic::run(&args, trials).exit_code()
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
