//! What is explored is all that there is: the inputs that an invariant accepts, found by trying every graph of up to three
//! objects natively, are the inputs that tests are made of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use serde::Deserialize;
use spelunk_tests::config::Config;
use spelunk_tests::native::{self, Sources};
use spelunk_tests::run_trials;
use spelunk_tests::spelunk::Spelunk;

fn main() -> ExitCode {
    run_trials(|spelunk| {
        let trial = |path: PathBuf| {
            let spelunk = Arc::clone(spelunk);
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Trial::test(name, move || compare(&spelunk, &path).map_err(Failed::from))
        };
        spelunk_tests::shape_files().into_iter().map(trial).collect()
    })
}

/// A test of `spelunk run`, as far as it says what leads where.
#[derive(Deserialize)]
struct Test {
    input: Vec<Object>,
}

#[derive(Deserialize)]
struct Object {
    name: String,
    #[serde(default)]
    references: Vec<(u32, String, u64)>,
}

/// Where pointers are: in the root, and in the other objects.
struct Pointers {
    root: Vec<u32>,
    others: Vec<u32>,
}

fn compare(spelunk: &Spelunk, path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let header = |name: &str| {
        let prefix = format!("// {name}: ");
        text.lines().find_map(|line| line.strip_prefix(&prefix)).ok_or_else(|| format!("no line `{prefix}`"))
    };
    let offsets = |list: &str| list.split_whitespace().map(str::parse).collect::<Result<Vec<u32>, _>>();
    let (root, others) = header("pointers")?.split_once('/').ok_or("no `/` between pointers")?;
    let pointers = Pointers {
        root: offsets(root).map_err(|error| error.to_string())?,
        others: offsets(others).map_err(|error| error.to_string())?,
    };
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let expected = enumerate(path, &dir.path().join("enumerate"))?;
    let found = explore(spelunk, path, header("explore")?, &pointers, &dir.path().join("out"))?;
    if expected == found {
        return Ok(());
    }
    let list = |shapes: Vec<&String>| format!("{shapes:#?}");
    Err(format!(
        "{} shapes by trying all, {} explored; missing: {}, too many: {}",
        expected.len(),
        found.len(),
        list(expected.difference(&found).collect()),
        list(found.difference(&expected).collect())
    ))
}

fn enumerate(path: &Path, exe: &Path) -> Result<BTreeSet<String>, String> {
    let sources = Sources { files: &[path.to_owned()], cflags: &["-DENUMERATE".to_owned()] };
    let config = Config::by_name("O1").ok_or("no such configuration")?;
    native::build(&sources, config, exe).map_err(|error| error.to_string())?;
    let output = Command::new(exe).output().map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

fn explore(
    spelunk: &Spelunk,
    path: &Path,
    options: &str,
    pointers: &Pointers,
    out: &Path,
) -> Result<BTreeSet<String>, String> {
    let mut command = spelunk.command();
    command.arg("run").arg(path).args(options.split_whitespace()).arg("--out").arg(out);
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    if !text.contains("every path was explored, ") {
        return Err(text.into_owned());
    }
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(out.join("tests")).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let json = std::fs::read(&path).map_err(|error| error.to_string())?;
            let test: Test = serde_json::from_slice(&json).map_err(|error| error.to_string())?;
            let shape = describe(&test, pointers).ok_or_else(|| format!("{}: no graph", path.display()))?;
            if !found.insert(shape.clone()) {
                return Err(format!("{}: {shape} again", path.display()));
            }
        }
    }
    Ok(found)
}

/// A graph in the words of `enumerate.h`.
fn describe(test: &Test, pointers: &Pointers) -> Option<String> {
    let objects: BTreeMap<&str, &Object> = test.input.iter().map(|object| (&*object.name, object)).collect();
    let root = test.input.first()?.references.first()?.1.as_str();
    let mut met: Vec<&str> = Vec::new();
    let mut words = Vec::new();
    let mut at = root;
    loop {
        let offsets = if words.is_empty() { &pointers.root } else { &pointers.others };
        let object = objects.get(at)?;
        let mut word = String::new();
        for &offset in offsets {
            let Some((_, target, _)) = object.references.iter().find(|reference| reference.0 == offset) else {
                word.push('-');
                continue;
            };
            let number = met.iter().position(|known| known == target).unwrap_or_else(|| {
                met.push(target);
                met.len() - 1
            });
            word.push((b'a' + number as u8) as char);
        }
        words.push(word);
        match met.get(words.len() - 1) {
            Some(&next) => at = next,
            None => return Some(words.join(" ")),
        }
    }
}
