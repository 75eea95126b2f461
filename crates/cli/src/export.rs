//! `spelunk export`: the tests of a campaign in the forms that other tools run.

use crate::args::ExportArgs;
use crate::campaign_dir::tell_unfinished;
use crate::compile::{Warnings, colour, tell};
use crate::{exit, signals};
use spelunk_engine::program::Reloaded;
use spelunk_engine::{Compile, Deadline, EngineError, Plan, Program, read_tests};
use spelunk_export::{ExportError, Exported, Suite, Target, export};
use spelunk_native::{Confinement, Numbered};
use spelunk_report::suite::{Campaign, Recipe, StoreError, TestCase};
use std::path::Path;

/// So many reasons are shown; the rest is counted.
const SHOWN_REASONS: usize = 10;

/// Why nothing was exported.
enum Failed {
    Engine(EngineError),
    Export(ExportError),
    /// A test of one of several campaigns.
    Ambiguous {
        n_campaigns: usize,
    },
}

impl From<EngineError> for Failed {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::Engine(error.into())
    }
}

pub fn run_export(args: &ExportArgs) -> u8 {
    match try_export(args) {
        Ok(()) => return 0,
        Err(Failed::Engine(error)) => return tell(&error),
        Err(Failed::Export(ExportError::Driver(error))) => return tell(&error.into()),
        Err(Failed::Export(error)) => anstream::eprintln!("error: {error}"),
        Err(Failed::Ambiguous { n_campaigns }) => {
            let dir = args.dir.display();
            anstream::eprintln!("error: {dir} holds {n_campaigns} campaigns: name the one that --test means");
        }
    }
    exit::USAGE
}

fn try_export(args: &ExportArgs) -> Result<(), Failed> {
    let campaigns = Campaign::open_all(&args.dir)?;
    if let (false, n_campaigns @ 2..) = (args.test.is_empty(), campaigns.len()) {
        return Err(Failed::Ambiguous { n_campaigns });
    }
    let name = format!("export-{}", args.format.name());
    let deadline = signals::deadline(args.limit);
    for campaign in &campaigns {
        tell_unfinished(campaign.store.dir(), &campaign.summary);
        let dir = match &args.to {
            None => campaign.store.dir().join(&name),
            Some(to) if campaigns.len() == 1 => to.clone(),
            Some(to) => to.join(campaign.store.dir().file_name().unwrap_or_default()),
        };
        one(args, campaign, &dir, &deadline)?;
    }
    Ok(())
}

fn one(args: &ExportArgs, campaign: &Campaign, dir: &Path, deadline: &Deadline) -> Result<(), Failed> {
    let tests = read_tests(&campaign.store, &args.test, deadline)?;
    let recipe = args.format.needs_program().then(|| campaign.store.read_recipe()).transpose()?;
    let reloaded = recipe.as_ref().map(|recipe| reload(recipe, &tests[0].1, deadline)).transpose()?;
    let native = reloaded
        .as_ref()
        .zip(recipe.as_ref())
        .map(|(Reloaded { program, subject }, recipe)| program.native(subject, recipe, Confinement::default()));
    let numbered: Vec<Numbered<'_>> = tests.iter().map(|(number, test)| (*number, test)).collect();
    let suite = Suite { campaign, tests: &numbered, subject: native.as_ref() };
    let whole = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    let target = Target {
        format: args.format,
        dir: &whole,
        copies_sources: args.copy_sources,
        object: args.object.as_deref(),
        deadline,
    };
    let exported = export(&suite, &target).map_err(Failed::Export)?;
    show(dir, &exported);
    Ok(())
}

fn reload(recipe: &Recipe, test: &TestCase, deadline: &Deadline) -> Result<Reloaded, EngineError> {
    if let Some(source) = recipe.changed() {
        return Err(EngineError::Changed(source.to_owned()));
    }
    let plan = Plan::of_campaign(recipe, test);
    let plan = Plan { compile: Compile { colour: colour(), ..plan.compile }, ..plan };
    Program::reload(&plan, deadline, &Warnings)
}

fn show(dir: &Path, exported: &Exported) {
    for left_out in exported.left_out.iter().take(SHOWN_REASONS) {
        anstream::eprintln!("test {} is left out: {}", left_out.test, left_out.reason);
    }
    let n_left_out = exported.left_out.len();
    if n_left_out > SHOWN_REASONS {
        anstream::eprintln!("{} more are left out", n_left_out - SHOWN_REASONS);
    }
    anstream::println!("{}: {} tests, {n_left_out} left out", dir.display(), exported.n_tests);
    if let Some(next) = &exported.next {
        anstream::println!("{next}");
    }
}
