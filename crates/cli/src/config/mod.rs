//! `spelunk.toml`: what belongs to a project, so that nobody has to say it each time.
//!
//! It is a command line that is kept in a file. What it says is added to the one that was given, before that is parsed: single
//! options only where they were not given, those that may be repeated in front of the others. So everything that is
//! checked, stored and gone on with is what a command line would have said, and nothing else knows of the file. `file` reads
//! it.

mod file;

use crate::args::command;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Command};
use file::{ConfigError, File, Options};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const NAME: &str = "spelunk.toml";

/// Commands that it is for.
const COMMANDS: [&str; 3] = ["run", "exec", "hex"];

/// Options whose values are paths, which start at the file.
const PATHS: [&str; 5] = ["build", "hex", "seed_dir", "sources", "exclude"];

/// What is not for a file to say: where a campaign is, and what is known only now.
const NOT_HERE: [&str; 9] =
    ["resume", "out", "args", "clang_args", "changed_lines", "fail_at", "no_config", "replay", "list_libc"];

/// The command line, with what the project's file adds to it.
pub fn matches(words: Vec<OsString>) -> Result<ArgMatches, ConfigError> {
    let plain = || command().get_matches_from(&words);
    let Some((given, subcommand)) = look(&words) else { return Ok(plain()) };
    let is_said = |id: &str| given.try_contains_id(id).is_ok_and(|it| it) && is_given(&given, id);
    if is_said("no_config") || is_said("resume") || is_said("list_libc") {
        return Ok(plain());
    }
    let Some(path) = locate() else { return Ok(plain()) };
    let file = File::read(&path)?;
    let added = added(&file, &given, &subcommand)?;
    // Options come before the words behind two dashes.
    let at = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let mut all = words[..at].to_vec();
    if let Some(name) = sequence_name(&given).filter(|name| file.sequences.contains_key(name)) {
        without_sequence(&mut all, &name);
    }
    all.extend(added.into_iter().map(OsString::from));
    all.extend_from_slice(&words[at..]);
    Ok(command().get_matches_from(all))
}

/// What was given, if it is a command that the file is for and can be understood at all.
fn look(words: &[OsString]) -> Option<(ArgMatches, Command)> {
    let lenient = command().ignore_errors(true);
    let matches = lenient.clone().try_get_matches_from(words).ok()?;
    let (name, given) = matches.subcommand()?;
    let subcommand = lenient.find_subcommand(name)?.clone();
    COMMANDS.contains(&name).then(|| (given.clone(), subcommand))
}

fn is_given(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id).is_some_and(|source| source != ValueSource::DefaultValue)
}

/// The file of this directory, or of the nearest one above.
fn locate() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|dir| dir.join(NAME)).find(|path| path.is_file())
}

/// What was given as a sequence, if it is one word.
fn sequence_name(given: &ArgMatches) -> Option<String> {
    let mut values = given.try_get_raw("sequence").ok()??;
    let name = values.next()?.to_string_lossy().into_owned();
    values.next().is_none().then_some(name)
}

/// Drops the name of a sequence, in whose place its functions come.
fn without_sequence(words: &mut Vec<OsString>, name: &str) {
    let joined = OsString::from(format!("--sequence={name}"));
    words.retain(|word| *word != joined);
    if let Some(at) = words.windows(2).position(|pair| pair[0] == "--sequence" && pair[1] == *name) {
        words.drain(at..at + 2);
    }
}

/// The words that the file adds.
fn added(file: &File, given: &ArgMatches, subcommand: &Command) -> Result<Vec<String>, ConfigError> {
    let mut sets: Vec<(&Options, Option<&str>)> = Vec::new();
    let said = |id: &str| -> Vec<String> {
        match given.try_get_raw(id) {
            Ok(Some(values)) if is_given(given, id) => {
                values.map(|value| value.to_string_lossy().into_owned()).collect()
            }
            _ => Vec::new(),
        }
    };
    let sequence = sequence_name(given);
    let mut entry = said("entry").pop();
    if entry.is_none() && said("sequence").is_empty() && subcommand.get_name() == "run" {
        entry = file.entries.clone().map(|entries| entries.join(","));
    }
    let mut words = Vec::new();
    if said("entry").is_empty() {
        words.extend(entry.as_ref().map(|entry| format!("--entry={entry}")));
    }
    let named = sequence.and_then(|name| file.sequences.get(&name));
    sets.extend(named.map(|named| (named, None)));
    let tested: Vec<&str> = entry.iter().flat_map(|entry| entry.split(',')).collect();
    for (name, options) in &file.functions {
        match tested[..] {
            [only] if only == name => sets.push((options, None)),
            _ if tested.contains(&name.as_str()) || tested == ["all"] => sets.push((options, Some(name))),
            _ => {}
        }
    }
    sets.push((&file.options, None));
    let mut taken: Vec<String> = Vec::new();
    for (options, function) in sets {
        for option in options {
            let Some(arg) = subcommand.get_arguments().find(|arg| arg.get_id() == option.id.as_str()) else { continue };
            let is_list = matches!(arg.get_action(), ArgAction::Append);
            if function.is_some() && option.id != "param" {
                anstream::eprintln!(
                    "note: {}: `{}` of one function is left out, since several are tested",
                    file.place(option.at),
                    option.key
                );
                continue;
            }
            let is_given = is_given(given, &option.id) && !(option.id == "sequence" && named.is_some());
            if !is_list && (is_given || taken.contains(&option.id)) || option.id == "sources" && is_given {
                continue;
            }
            taken.push(option.id.clone());
            let values =
                option.values.iter().filter(|value| option.id != "param" || !is_about_same(value, &said("param")));
            words.extend(values.flat_map(|value| file.words(option, arg, value, function)));
        }
    }
    Ok(words)
}

/// Whether a setting is about what one on the command line is about.
fn is_about_same(setting: &str, given: &[String]) -> bool {
    let path = |setting: &str| setting.split_once('=').map_or(setting, |(path, _)| path).trim().to_owned();
    given.iter().any(|other| path(other) == path(setting))
}

/// A path that starts at the file, as it is called from here.
fn from_here(path: &str, dir: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let whole = dir.join(path);
    whole.strip_prefix(&here).unwrap_or(&whole).display().to_string()
}
