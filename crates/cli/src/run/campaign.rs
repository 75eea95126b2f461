//! One campaign from its beginning to its account: explore, shrink, keep, run natively.
//!
//! Each phase has its part of the time and ends at once when it is told to; what was not done is said in the account. What is
//! known so far is on disk all the time.

use super::args::{Format, RunArgs};
use super::budget::{self, Budget};
use super::failures::Failures;
use super::hints::Hints;
use super::progress::Line;
use super::settings::of_function;
use super::subject::{Subject, flow};
use super::watcher::Watcher;
use super::{figures, options, pictures, refuse, smallest};
use crate::exit;
use crate::minimise::{self, Keep, Measured};
use crate::replay::confirm;
use crate::too_large::too_large;
use spelunk_concolic::Input;
use spelunk_deadline::Deadline;
use spelunk_driver::{Loaded, undefined_variables};
use spelunk_explore::campaign::{self, Outcome};
use spelunk_explore::ledger::{Loss, NOWHERE};
use spelunk_explore::program::ProgramFlow;
use spelunk_native::Subject as NativeSubject;
use spelunk_report::Reporter;
use spelunk_report::annotations::annotations;
use spelunk_report::suite::convert::Tested;
use spelunk_report::suite::types::NamedTypes;
use spelunk_report::suite::{Campaign as OnDisk, Profile, Recipe, Setup, Store, StoreError, Summary, unfinished};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How this phase is called.
const NATIVE_RUNS: &str = "native runs";

/// What all campaigns of one command have in common.
pub struct Campaign<'a> {
    pub args: &'a RunArgs,
    pub setup: &'a Setup,
    pub loaded: &'static Loaded,
    pub recipe: &'a Recipe,
    /// Of the whole command.
    pub deadline: Deadline,
    /// How long it takes to build what runs natively.
    pub native_build: Duration,
    pub line: &'a Line,
}

/// When tests are run natively.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NativeRuns {
    AtTheEnd,
    /// Once other campaigns have ended: there is too little time to do it for each.
    Later,
    Never,
}

/// A campaign that has ended.
pub struct Ran {
    pub summary: Summary,
    pub code: u8,
}

/// A campaign whose exploring has ended.
struct Explored<'a, 'w> {
    campaign: &'a Campaign<'a>,
    budget: Budget,
    watcher: Watcher<'w>,
    program: &'a ProgramFlow<'static>,
    run_options: spelunk_concolic::Options,
    native: NativeSubject<'a>,
    native_runs: NativeRuns,
    outcome: Outcome,
}

impl Campaign<'_> {
    pub fn native_runs(&self) -> NativeRuns {
        if self.args.no_replay || self.args.no_tests { NativeRuns::Never } else { NativeRuns::AtTheEnd }
    }

    /// Explores one function, or the whole program, until the deadline. What went wrong has been told already.
    pub fn run(&self, subject: &Subject, dir: &Path, deadline: Deadline, native_runs: NativeRuns) -> Result<Ran, u8> {
        let Self { args, setup, loaded, line, .. } = self;
        let budget = Budget::new(deadline, (native_runs == NativeRuns::AtTheEnd).then_some(self.native_build));
        let recipe = match &subject.setup {
            Some(setup) if setup.sequence.is_empty() => Recipe {
                settings: of_function(&self.recipe.settings, &subject.entry, &setup.params),
                ..self.recipe.clone()
            },
            _ => self.recipe.clone(),
        };
        let types = subject.unit.as_ref().map(|unit| NamedTypes::new(unit)).unwrap_or_default();
        let (store, seeds) = self.begin(dir, subject, &recipe, &types).map_err(|error| refuse(&error))?;
        let reporter = Reporter::new(&loaded.program, &loaded.image, recipe.directory.clone(), &args.compile.sources);
        let program = Arc::new(flow(loaded, subject.unit.as_deref()));
        let graph = subject.unit.as_ref().map(|unit| (unit, &types));
        let tested = Tested { entry: &subject.entry, graph, unit: subject.setup.as_ref(), setup };
        let exploring = budget.exploring().part();
        let mut watcher = Watcher::new(args, tested, &reporter, &program, store, exploring.clone(), line);
        let options = options(args, setup, subject, seeds);
        let run_options = options.run.clone();
        line.begin(unfinished::EXPLORING);
        let mut outcome = campaign::explore(&program, options, &exploring, &mut watcher).map_err(|_| {
            anstream::eprintln!("error: {}", too_large(&loaded.image, args.max_memory));
            exit::USAGE
        })?;
        let undefined = undefined_variables(&loaded.program);
        outcome.ledger.add_with(Loss::UndefinedVariable, NOWHERE, undefined.len() as u64, || {
            format!("{} not defined, and taken to be zero", undefined.join(", "))
        });
        if let Some(error) = &watcher.error {
            return Err(refuse(error));
        }
        let native = NativeSubject {
            program: &loaded.program,
            image: &loaded.image,
            unit: subject.unit.as_ref(),
            recipe: &recipe,
            confinement: args.native.replay,
        };
        let mut explored =
            Explored { campaign: self, budget, watcher, program: &program, run_options, native, native_runs, outcome };
        let mut failures = Failures::default();
        let (mut summary, profile) = explored.finish(&types, &mut failures)?;
        let Explored { watcher, outcome, .. } = explored;
        line.clear();
        // A directory whose summary says so has everything.
        let pictures =
            failures.guard("the pictures", || pictures::write(&watcher.store, &summary.bugs, &types.types)).transpose();
        failures.enter(&mut summary);
        let written = pictures.and_then(|pictures| {
            watcher.store.write_profile(&profile)?;
            watcher.store.write_summary(&summary)?;
            Ok(pictures.unwrap_or_default())
        });
        let pictures = written.map_err(|error| refuse(&error))?;
        failures.guard("the account", || match args.format {
            Format::Human => figures::show(&reporter, &watcher, &outcome, &summary, &pictures),
            Format::Json => match serde_json::to_string_pretty(&summary) {
                Ok(text) => anstream::println!("{text}"),
                Err(error) => anstream::eprintln!("error: {error}"),
            },
            Format::Github => anstream::print!("{}", annotations(&summary)),
        });
        let code = match watcher.bugs.is_empty() {
            false => exit::FOUND,
            true if outcome.ledger.has_internal() || !failures.is_empty() => exit::INTERNAL,
            true => 0,
        };
        Ok(Ran { summary, code })
    }

    /// Runs the tests of a campaign natively that was to be later.
    pub fn confirm_later(&self, subject: &Subject, dir: &Path) -> Result<Summary, StoreError> {
        let OnDisk { store, mut summary, profile, .. } = OnDisk::open(dir)?;
        let recipe = store.read_recipe()?;
        let unit = subject.unit.as_ref();
        let native = NativeSubject {
            program: &self.loaded.program,
            image: &self.loaded.image,
            unit,
            recipe: &recipe,
            confinement: self.args.native.replay,
        };
        self.line.begin(NATIVE_RUNS);
        let tell = |n_done, n_all| self.line.count(NATIVE_RUNS, n_done, n_all);
        let not_done = confirm(&store, &native, &profile, &mut summary, &self.deadline, &tell);
        self.line.clear();
        summary.not_done.retain(|what| !what.starts_with(NATIVE_RUNS));
        summary.not_done.extend(not_done);
        store.write_summary(&summary)?;
        Ok(summary)
    }

    /// The directory, with all that it takes to go on, and the inputs to start with.
    fn begin(
        &self,
        dir: &Path,
        subject: &Subject,
        recipe: &Recipe,
        types: &NamedTypes,
    ) -> Result<(Store, Vec<Input>), StoreError> {
        let mut seeds = Vec::new();
        let store = match self.args.resume.is_some() && Store::existing(dir).is_ok() {
            true => {
                let (store, tests) = Store::open(dir)?;
                seeds.extend(tests.iter().map(|test| test.input()));
                store
            }
            false => Store::create(dir)?,
        };
        for dir in &self.args.seed_dir {
            seeds.extend(Store::existing(dir)?.tests()?.iter().map(|test| test.input()));
        }
        store.write_recipe(recipe)?;
        store.write_types(&types.types)?;
        store.write_summary(&Summary {
            version: spelunk_report::suite::VERSION,
            entry: subject.entry.clone(),
            sources: self.args.source_names(),
            stopped: unfinished::UNFINISHED.to_owned(),
            unfinished: Some(unfinished::EXPLORING.to_owned()),
            ..Summary::default()
        })?;
        store.begin()?;
        Ok((store, seeds))
    }
}

impl Explored<'_, '_> {
    /// What comes after exploring, and the account of it all.
    fn finish(&mut self, types: &NamedTypes, failures: &mut Failures) -> Result<(Summary, Profile), u8> {
        let told = |error: StoreError| refuse(&error);
        let mut not_done = Vec::new();
        let mut summary = self.watcher.summary(&self.outcome);
        self.checkpoint(&mut summary, "shrinking").map_err(told)?;
        let line = self.campaign.line;
        let shrinking = self.budget.shrinking();
        let gather = || Hints::gather(&self.watcher, &shrinking);
        let hints = failures.guard("the search for preconditions", gather).transpose().map_err(told)?;
        let find = || smallest::find(&mut self.watcher, &self.run_options, &shrinking, line);
        let found = failures.guard("the search for smaller inputs", find).transpose().map_err(told)?;
        not_done.extend(found.into_iter().flatten());

        let mut summary = self.watcher.summary(&self.outcome);
        let mut profile = self.watcher.profile(&self.outcome);
        if let Some(hints) = &hints {
            let add = || hints.add(&mut summary, &self.watcher, &types.types, &self.budget.keeping());
            let added = failures.guard("the search for preconditions", add).transpose().map_err(told)?;
            not_done.extend(added.into_iter().flatten());
        }
        if self.campaign.args.keep != Keep::Paths {
            self.checkpoint(&mut summary, "keeping").map_err(told)?;
            let kept = failures.guard("the choice of tests", || self.keep(&mut summary, &mut profile));
            not_done.extend(kept.transpose()?.flatten());
        }
        let n_tests = self.watcher.store.n_tests();
        match self.native_runs {
            NativeRuns::AtTheEnd => {
                self.checkpoint(&mut summary, NATIVE_RUNS).map_err(told)?;
                let deadline = self.budget.native_runs();
                let tell = |n_done, n_all| line.count(NATIVE_RUNS, n_done, n_all);
                let store = &self.watcher.store;
                let run = || confirm(store, &self.native, &profile, &mut summary, &deadline, &tell);
                not_done.extend(failures.guard("the native runs", run).into_iter().flatten());
            }
            NativeRuns::Later => {
                not_done.push(format!("{NATIVE_RUNS}: 0 of {n_tests} tests, too little time for each function"));
            }
            NativeRuns::Never => {}
        }
        summary.unfinished = None;
        summary.not_done = not_done;
        Ok((summary, profile))
    }

    /// Chooses tests. Says if there was no time for it.
    fn keep(&mut self, summary: &mut Summary, profile: &mut Profile) -> Result<Option<String>, u8> {
        let deadline = self.budget.keeping();
        let line = self.campaign.line;
        let measured = Measured {
            program: self.program,
            lines: &self.watcher.lines,
            options: &self.run_options,
            native: &self.native,
            deadline: &deadline,
            tell: &|n_done, n_all| line.count("keeping", n_done, n_all),
        };
        let kept = minimise::keep(&mut self.watcher.store, summary, profile, &measured, self.campaign.args.keep);
        match (kept, deadline.over()) {
            (Ok(()), _) => {
                self.watcher.bugs.renumber(summary.bugs.iter().map(|bug| bug.test));
                Ok(None)
            }
            (Err(_), Some(over)) => Ok(Some(format!("choosing tests: all are kept, {}", budget::why(over)))),
            (Err(problem), None) => {
                anstream::eprintln!("error: {problem}");
                Err(exit::USAGE)
            }
        }
    }

    /// Writes down what is known when a phase begins.
    fn checkpoint(&self, summary: &mut Summary, phase: &str) -> Result<(), StoreError> {
        self.campaign.line.begin(phase);
        summary.unfinished = Some(phase.to_owned());
        self.watcher.store.write_profile(&self.watcher.profile(&self.outcome))?;
        self.watcher.store.write_summary(summary)
    }
}
