//! `spelunk export`: the tests of a campaign in the forms that other tools run.

use crate::args::ExportArgs;
use crate::reload::{Failed, Reloaded, read_tests, tell_unfinished};
use spelunk_export::{Exported, Suite, Target, export};
use spelunk_native::Confinement;
use spelunk_native::Numbered;
use spelunk_report::suite::{Campaign, TestCase};
use std::path::{Path, PathBuf};

/// So many reasons are shown; the rest is counted.
const SHOWN_REASONS: usize = 10;

pub fn run_export(args: &ExportArgs) -> u8 {
    try_export(args).map_or_else(Failed::tell, |()| 0)
}

fn try_export(args: &ExportArgs) -> Result<(), Failed> {
    let campaigns = Campaign::open_all(&args.dir).map_err(|error| Failed::Message(error.to_string()))?;
    if let (false, n_campaigns @ 2..) = (args.test.is_empty(), campaigns.len()) {
        let dir = args.dir.display();
        return Err(Failed::Message(format!("{dir} holds {n_campaigns} campaigns: name the one that --test means")));
    }
    let name = format!("export-{}", args.format.name());
    // Reading a program changes the current directory.
    let here = std::env::current_dir().unwrap_or_default();
    for campaign in &campaigns {
        tell_unfinished(campaign.store.dir(), &campaign.summary);
        let dir = match &args.to {
            None => campaign.store.dir().join(&name),
            Some(to) if campaigns.len() == 1 => to.clone(),
            Some(to) => to.join(campaign.store.dir().file_name().unwrap_or_default()),
        };
        one(args, campaign, &dir, &here)?;
    }
    Ok(())
}

fn one(args: &ExportArgs, campaign: &Campaign, dir: &Path, here: &Path) -> Result<(), Failed> {
    let tests = read_tests(&campaign.store, &args.test).map_err(Failed::Message)?;
    let reloaded = args.format.needs_program().then(|| reload(campaign, &tests[0].1)).transpose()?;
    let subject = reloaded.as_ref().map(|reloaded| reloaded.subject(Confinement::default()));
    let numbered: Vec<Numbered<'_>> = tests.iter().map(|(number, test)| (*number, test)).collect();
    let suite = Suite { campaign, tests: &numbered, subject: subject.as_ref() };
    let whole: PathBuf = here.join(dir);
    let target =
        Target { format: args.format, dir: &whole, copies_sources: args.copy_sources, object: args.object.as_deref() };
    let exported = export(&suite, &target).map_err(|error| Failed::Message(error.to_string()))?;
    let moved = std::env::set_current_dir(here);
    moved.map_err(|error| Failed::Message(format!("cannot go back to {}: {error}", here.display())))?;
    show(dir, &exported);
    Ok(())
}

fn reload(campaign: &Campaign, test: &TestCase) -> Result<Reloaded, Failed> {
    let recipe = campaign.store.read_recipe().map_err(|error| Failed::Message(error.to_string()))?;
    if let Some(source) = recipe.changed() {
        let source = source.display();
        return Err(Failed::Message(format!("{source} has changed since its tests were made: run the campaign again")));
    }
    Reloaded::new(recipe, test)
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
