//! What the documentation shows is what happens: the commands of tutorial and guides are run, and the reference of the
//! command line is what the program itself says. The demo is run as well.
//!
//! In a document, a block that starts with "```c NAME" is a file, and one with "```console" a session: lines after `$ ` are
//! commands, and those below are lines of the output, in this order. Lines of the output may be left out. `…` stands for any
//! text, and in pictures only words are compared: which values show a bug is not what the reader is told.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use spelunk_tests::process;
use spelunk_tests::run_trials;
use spelunk_tests::spelunk::Spelunk;

const LIMIT: Duration = Duration::from_secs(120);
const DOCUMENTS: &[&str] =
    &["README.md", "docs/tutorial.md", "docs/inputs.md", "docs/strings.md", "docs/targets.md", "docs/ci.md"];

fn main() -> ExitCode {
    run_trials(|spelunk| {
        let document = |&name: &&'static str| {
            let spelunk = Arc::clone(spelunk);
            Trial::test(name, move || follow(&spelunk, name))
        };
        let reference = Arc::clone(spelunk);
        let reference = Trial::test("docs/cli.md", move || compare_reference(&reference));
        let demo = Arc::clone(spelunk);
        let demo = Trial::test("demo", move || show_demo(&demo));
        DOCUMENTS.iter().map(document).chain([reference, demo]).collect()
    })
}

fn read(name: &str) -> Result<String, Failed> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()).into())
}

fn compare_reference(spelunk: &Spelunk) -> Result<(), Failed> {
    let output = process::run(spelunk.command().arg("reference"), b"", LIMIT)?;
    match String::from_utf8_lossy(&output.stdout) == read("docs/cli.md")? {
        true => Ok(()),
        false => Err("it is out of date: run `spelunk reference > docs/cli.md`".into()),
    }
}

/// It says itself whether it saw what it shows.
fn show_demo(spelunk: &Spelunk) -> Result<(), Failed> {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../demo");
    let output = process::run(Command::new(demo).env("SPELUNK", spelunk.command().get_program()), b"", LIMIT)?;
    match output.succeeded() {
        true => Ok(()),
        false => Err(format!("{}\n{}", output.end, String::from_utf8_lossy(&output.stdout)).into()),
    }
}

/// Does what a document says, in a directory of its own.
fn follow(spelunk: &Spelunk, name: &str) -> Result<(), Failed> {
    let dir = tempfile::tempdir()?;
    let mut n_commands = 0;
    for block in blocks(&read(name)?) {
        match block.info.split_whitespace().collect::<Vec<_>>()[..] {
            ["c", file] => std::fs::write(dir.path().join(file), block.text)?,
            ["console"] => {
                for (command, expected) in commands(block.text) {
                    n_commands += 1;
                    compare(command, &expected, &run(spelunk, dir.path(), command)?)?;
                }
            }
            _ => {}
        }
    }
    if n_commands == 0 { Err("there is no command in it".into()) } else { Ok(()) }
}

struct Block<'a> {
    info: &'a str,
    text: &'a str,
}

fn blocks(document: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut rest = document;
    while let Some((_, after)) = rest.split_once("\n```") {
        let (info, after) = after.split_once('\n').unwrap_or((after, ""));
        let (text, after) = after.split_once("```\n").unwrap_or((after, ""));
        blocks.push(Block { info, text });
        // The line break before a further block.
        rest = if after.is_empty() { "" } else { &rest[rest.len() - after.len() - 1..] };
    }
    blocks
}

/// The commands of a session, each with the lines below it.
fn commands(session: &str) -> Vec<(&str, Vec<&str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in session.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, Vec::new())),
            (None, Some((_, expected))) => expected.push(line),
            (None, None) => {}
        }
    }
    commands
}

/// What a command prints, to standard output and standard error.
fn run(spelunk: &Spelunk, dir: &Path, command: &str) -> Result<String, Failed> {
    let mut paths = vec![spelunk.dir().to_owned()];
    paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec 2>&1; {command}")]).current_dir(dir).env("PATH", std::env::join_paths(paths)?);
    // Pictures are drawn for a terminal like the reader's.
    shell.env("LC_ALL", "C.UTF-8").env("COLUMNS", "100");
    Ok(String::from_utf8_lossy(&process::run(&mut shell, b"", LIMIT)?.stdout).into_owned())
}

fn compare(command: &str, expected: &[&str], output: &str) -> Result<(), Failed> {
    let mut lines = output.lines();
    for expected in expected.iter().filter(|line| !line.is_empty() && **line != "…") {
        if !lines.any(|line| matches(expected, line)) {
            return Err(format!("`{command}` does not print\n{expected}\nbut\n{output}").into());
        }
    }
    Ok(())
}

/// The words in a line of a picture; nothing for other lines.
fn words(line: &str) -> Option<Vec<&str>> {
    let is_picture = line.trim_start().starts_with(['│', '┌', '└']);
    is_picture.then(|| line.split(|c: char| !c.is_alphabetic() && c != '_').filter(|word| !word.is_empty()).collect())
}

/// Whether a line is as expected, `…` being any text.
fn matches(expected: &str, line: &str) -> bool {
    if let (Some(expected), Some(line)) = (words(expected), words(line)) {
        return expected == line;
    }
    let mut parts = expected.split('…');
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}
