//! What a campaign was told on the command line: kept in its directory, so that nothing else is needed to go on.

use super::args::{Format, RunArgs};
use crate::args::{Cli, Command, command};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, FromArgMatches};
use spelunk_engine::Plan;
use spelunk_report::suite::store::{StoreError, read_recipe_in};
use spelunk_report::suite::{Index, Recipe, Store};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Values by the names of arguments.
pub type Settings = BTreeMap<String, Vec<String>>;

const SOURCES: &str = "sources";
const BUILD: &str = "build";
const CLANG_ARGS: &str = "clang_args";

/// Where the campaign is, which is no part of what it is.
const PLACES: &[&str] = &["out", "resume"];

/// What native runs may do is said by whoever starts them, not by a directory.
const NEVER_KEPT: &str = "replay";

/// Takes over into a plan what another says.
type Change = fn(&mut Plan, &Plan);

/// What may be another when a campaign goes on: how long, how fast and what comes of it, but not which paths there are.
/// Arguments by their names, each with what it changes in a plan.
const CHANGEABLE: &[(&str, Change)] = &[
    ("time", |plan, to| plan.budget.time = to.budget.time),
    ("memory", |plan, to| plan.budget.memory = to.budget.memory),
    ("max_paths", |plan, to| plan.budget.paths = to.budget.paths),
    ("max_instructions", |plan, to| plan.budget.instructions = to.budget.instructions),
    ("jobs", |plan, to| plan.search.jobs = to.search.jobs),
    ("strategy", |plan, to| plan.search.strategy = to.search.strategy),
    ("patience", |plan, to| plan.search.patience = to.search.patience),
    ("collect_at", |plan, to| plan.search.collect_at = to.search.collect_at),
    ("no_snapshots", |plan, to| plan.search.snapshots = to.search.snapshots),
    ("solver", |plan, to| plan.search.backend = to.search.backend),
    ("sat", |plan, to| plan.search.sat = to.search.sat),
    ("without", |plan, to| plan.search.without.clone_from(&to.search.without)),
    ("time_limit", |plan, to| plan.search.query_time = to.search.query_time),
    ("log_queries", |plan, to| plan.search.log.clone_from(&to.search.log)),
    ("log_before", |plan, to| plan.search.log.clone_from(&to.search.log)),
    ("seed_dir", |plan, to| plan.seed_dirs.clone_from(&to.seed_dirs)),
    // What is printed is no part of a plan.
    ("format", |_, _| {}),
    ("verbose", |_, _| {}),
    ("keep", |plan, to| plan.tests.keep = to.tests.keep),
    ("no_replay", |plan, to| plan.tests.are_replayed = to.tests.are_replayed),
    (NEVER_KEPT, |plan, to| plan.tests.confinement = to.tests.confinement),
];

fn is_changeable(name: &str) -> bool {
    CHANGEABLE.iter().any(|(changeable, _)| *changeable == name)
}

fn arguments() -> Vec<Arg> {
    let cli = command();
    let run = cli.find_subcommand("run").expect("it is one of the commands");
    run.get_arguments().filter(|arg| !PLACES.contains(&arg.get_id().as_str())).cloned().collect()
}

/// What the user said, without what is so by default.
pub fn given(matches: &ArgMatches) -> Settings {
    let value = |arg: &Arg| {
        let id = arg.get_id().as_str();
        let is_said = matches.value_source(id).is_some_and(|source| source != ValueSource::DefaultValue);
        let values = matches.get_raw(id).into_iter().flatten().map(|value| value.to_string_lossy().into_owned());
        is_said.then(|| (id.to_owned(), if takes_values(arg) { values.collect() } else { Vec::new() }))
    };
    arguments().iter().filter(|arg| arg.get_id() != "help").filter_map(value).collect()
}

fn takes_values(arg: &Arg) -> bool {
    arg.get_action().takes_values()
}

/// What is kept of it.
pub fn kept(mut settings: Settings) -> Settings {
    settings.remove(NEVER_KEPT);
    settings
}

/// The command line that says it.
fn command_line(settings: &Settings) -> Vec<String> {
    let mut line = vec!["spelunk".to_owned(), "run".to_owned()];
    for arg in arguments() {
        let Some(values) = settings.get(arg.get_id().as_str()) else { continue };
        let Some(long) = arg.get_long() else { continue };
        let n_values = arg.get_num_args().map_or(1, |range| range.min_values());
        match n_values {
            _ if !takes_values(&arg) => line.push(format!("--{long}")),
            0 | 1 => line.extend(values.iter().map(|value| format!("--{long}={value}"))),
            _ => values.chunks(n_values).for_each(|values| {
                line.push(format!("--{long}"));
                line.extend(values.iter().cloned());
            }),
        }
    }
    let values = |name: &str| settings.get(name).cloned().unwrap_or_default();
    line.extend(values(SOURCES));
    if !values(CLANG_ARGS).is_empty() {
        line.push("--".to_owned());
        line.extend(values(CLANG_ARGS));
    }
    line
}

/// A campaign that goes on.
pub struct Resumed {
    pub plan: Plan,
    /// Where it is, from the directory that is the current one now.
    pub dir: PathBuf,
    pub format: Format,
}

/// What it takes to go on. The directory of the campaign's first command becomes the current one.
pub fn resume(dir: &Path, args: &RunArgs, said: Settings) -> Result<Resumed, String> {
    let told = |error: StoreError| error.to_string();
    let is_one_of_several = Index::read(dir).map_err(told)?.is_some();
    if !is_one_of_several {
        Store::existing(dir).map_err(told)?;
    }
    let recipe = read_recipe_in(dir).map_err(told)?;
    if let Some(source) = recipe.changed() {
        return Err(format!(
            "{} has changed since the campaign began, so its tests may take other paths: \
             begin another, with --seed-dir {} to start from them",
            source.display(),
            dir.display()
        ));
    }
    let changed = said.iter().find(|(name, values)| !is_changeable(name) && !is_same(&recipe, name, values));
    if let Some((name, values)) = changed {
        return Err(difference(&recipe, name, values, dir));
    }
    if let Some(plan) = Plan::of_recipe(&recipe).map_err(|error| error.to_string())? {
        let plan = changed_plan(plan, &args.plan(Settings::new())?, &said);
        return Ok(Resumed { plan, dir: enter(&recipe, dir)?, format: args.format });
    }
    let mut settings = recipe.settings.clone();
    if !settings.contains_key(SOURCES) && !settings.contains_key(BUILD) {
        return Err(format!(
            "the campaign in {0} does not say how it began: begin another, with --seed-dir {0} to start from its tests",
            dir.display()
        ));
    }
    settings.extend(said.into_iter().filter(|(name, _)| is_changeable(name)));
    let matches = command().try_get_matches_from(command_line(&settings)).map_err(|error| error.to_string())?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.to_string())?;
    let Command::Run(args) = cli.command else { return Err("these are no settings of a campaign".to_owned()) };
    // Files that it names are found from there.
    let dir = enter(&recipe, dir)?;
    Ok(Resumed { plan: args.plan(settings)?, dir, format: args.format })
}

/// A plan that no command line has made, with what this one says.
fn changed_plan(mut plan: Plan, to: &Plan, said: &Settings) -> Plan {
    for (_, change) in CHANGEABLE.iter().filter(|(name, _)| said.contains_key(*name)) {
        change(&mut plan, to);
    }
    plan
}

/// Goes to where the campaign began. Returns how its directory is called there.
fn enter(recipe: &Recipe, dir: &Path) -> Result<PathBuf, String> {
    if std::env::current_dir().ok().as_deref() == Some(&recipe.directory) {
        return Ok(dir.to_owned());
    }
    let cannot = |error| format!("cannot go to {}: {error}", recipe.directory.display());
    let absolute = std::path::absolute(dir).map_err(cannot)?;
    std::env::set_current_dir(&recipe.directory).map_err(cannot)?;
    Ok(absolute)
}

/// Whether the campaign was told the same.
fn is_same(recipe: &Recipe, name: &str, values: &[String]) -> bool {
    let known = recipe.settings.get(name);
    if name == SOURCES && !recipe.settings.contains_key(BUILD) {
        let known = recipe.sources.iter().map(|source| recipe.directory.join(source).canonicalize().ok());
        return known.eq(values.iter().map(|source| Path::new(source).canonicalize().ok()));
    }
    match known {
        _ if recipe.plan.is_some() => false,
        Some(known) => known == values,
        None => is_default(name, values),
    }
}

fn is_default(name: &str, values: &[String]) -> bool {
    let is_it = |arg: &&Arg| arg.get_id() == name;
    let args = arguments();
    let default = args.iter().find(is_it).map(|arg| arg.get_default_values()).unwrap_or_default();
    !default.is_empty() && default.iter().map(|value| value.to_string_lossy()).eq(values.iter().map(String::as_str))
}

fn difference(recipe: &Recipe, name: &str, values: &[String], dir: &Path) -> String {
    let args = arguments();
    let long = args.iter().find(|arg| arg.get_id() == name).and_then(|arg| arg.get_long()).unwrap_or(name);
    let in_words = |values: &[String]| match name {
        SOURCES => values.join(" "),
        CLANG_ARGS => format!("-- {}", values.join(" ")),
        _ => format!("--{long} {}", values.join(" ")).trim_end().to_owned(),
    };
    let known = match recipe.settings.get(name) {
        _ if recipe.plan.is_some() => "with a plan of its own, through the library".to_owned(),
        Some(known) => format!("with `{}`", in_words(known)),
        None => "without it".to_owned(),
    };
    format!(
        "`{}` can't be changed: the campaign in {} began {known}; leave it out, or begin another campaign",
        in_words(values),
        dir.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_is_said_again() {
        let line = "spelunk run a.c b.c --entry f --param p=array:4 --param q=null --sym-args 1 2 8 --cflag=-DN=1 \
                    --no-tests --time 5s --arg=-x --out o -- -O2 -DX";
        let parse = |line: Vec<String>| command().try_get_matches_from(line).unwrap();
        let matches = parse(line.split_whitespace().map(str::to_owned).collect());
        let settings = given(matches.subcommand_matches("run").unwrap());
        assert!(!settings.contains_key("out") && !settings.contains_key("max_steps"), "{settings:?}");
        let again = parse(command_line(&settings));
        assert_eq!(given(again.subcommand_matches("run").unwrap()), settings);
    }
}
