//! One campaign from its beginning to its account: explore, shrink, keep, run natively.
//!
//! Each phase has its part of the time (`budget`) and ends at once when it is told to; what was not done is said in the account.
//! What is known so far is on disk all the time: `watcher` takes it down. `several` are campaigns for one function each,
//! `calls` of a structure's own functions tell which states it can be in, `smallest` looks for smaller inputs that show the same bugs, `hints` for what may be missing as a precondition, `pictures`
//! shows what the tests of bugs are given, `learned` is what theories keep for later, `targets` what became of what was to be reached, `failures` are errors of our own, `ended` is what comes of it all.

pub mod budget;
mod calls;
mod ended;
pub mod failures;
mod hints;
mod learned;
mod partition;
mod pictures;
mod several;
mod smallest;
mod targets;
mod watcher;

pub use ended::{Ended, FoundBug};
pub use pictures::Shown;
pub use several::Several;

use crate::again::too_large;
use crate::first;
use crate::minimise::{self, Measured};
use crate::plan::{Keep, Plan};
use crate::replay::{PHASE as NATIVE_RUNS, confirm};
use crate::seeds;
use crate::stored::read_inputs;
use crate::subject::{Subject, flow};
use crate::{EngineError, Observer, Program};
use budget::Budget;
use calls::Calls;
use failures::Failures;
use hints::Hints;
use spelunk_concolic::Input;
use spelunk_concolic::graph::shapes::Shapes;
use spelunk_deadline::Deadline;
use spelunk_driver::undefined_variables;
use spelunk_explore::campaign::{self, Outcome};
use spelunk_explore::ledger::{Loss, NOWHERE};
use spelunk_explore::program::ProgramFlow;
use spelunk_explore::targets::{Targets, beside_targets};
use spelunk_hex::Rule;
use spelunk_report::Reporter;
use spelunk_report::suite::convert::Tested;
use spelunk_report::suite::summary::{BugEntry, RuleSummary};
use spelunk_report::suite::types::NamedTypes;
use spelunk_report::suite::{Campaign as OnDisk, Profile, Recipe, Store, StoreError, Summary, unfinished};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use watcher::Watcher;

/// What all campaigns by one plan have in common.
pub struct Campaign<'a> {
    plan: &'a Plan,
    program: &'a Program,
    recipe: Recipe,
    beginning: Beginning,
    /// Of everything.
    deadline: Deadline,
    /// How long it takes to build what runs natively.
    native_build: Duration,
    observer: &'a dyn Observer,
}

/// Whether there is something to go on with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beginning {
    /// The directory must not be in use.
    New,
    /// The tests that are in the directory are run again first.
    Resumed,
}

/// When tests are run natively.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NativeRuns {
    AtTheEnd,
    /// Once other campaigns have ended: there is too little time to do it for each.
    Later,
    Never,
}

/// A campaign whose exploring has ended.
struct Explored<'a, 'w> {
    campaign: &'a Campaign<'a>,
    budget: Budget,
    watcher: Watcher<'w>,
    program: &'a ProgramFlow<'static>,
    run_options: spelunk_concolic::Options,
    native: spelunk_native::Subject<'a>,
    native_runs: NativeRuns,
    outcome: Outcome,
    /// What a campaign that goes on had found before.
    earlier: Vec<BugEntry>,
    targets: Arc<Targets>,
}

/// What a campaign starts with.
struct Begun {
    store: Store,
    seeds: Vec<Input>,
    bugs: Vec<BugEntry>,
}

impl<'a> Campaign<'a> {
    /// Campaigns for subjects of a program that was loaded by the same plan. All of them end at the deadline.
    pub fn new(plan: &'a Plan, program: &'a Program, deadline: &Deadline, observer: &'a dyn Observer) -> Self {
        Self {
            plan,
            program,
            recipe: plan.recipe(),
            beginning: Beginning::New,
            deadline: deadline.clone(),
            native_build: budget::native_build(program.loaded().phases.compile),
            observer,
        }
    }

    pub fn beginning(self, beginning: Beginning) -> Self {
        Self { beginning, ..self }
    }

    /// Explores one function, or the whole program, and leaves what was found in a directory.
    pub fn run(&self, subject: &Subject, dir: &Path) -> Result<Ended, EngineError> {
        self.run_within(subject, dir, &self.deadline, self.native_runs(), &[])
    }

    fn native_runs(&self) -> NativeRuns {
        let tests = &self.plan.tests;
        if tests.are_replayed && tests.are_written { NativeRuns::AtTheEnd } else { NativeRuns::Never }
    }

    fn run_within(
        &self,
        subject: &Subject,
        dir: &Path,
        deadline: &Deadline,
        native_runs: NativeRuns,
        calls: &[Calls],
    ) -> Result<Ended, EngineError> {
        let Self { plan, program, observer, .. } = self;
        let stated = partition::stated(plan)?;
        let loaded = program.loaded();
        let budget = Budget::new(deadline.clone(), (native_runs == NativeRuns::AtTheEnd).then_some(self.native_build));
        let recipe = plan.recipe_of(subject, &self.recipe);
        let types = subject.unit.as_ref().map(|unit| NamedTypes::new(unit)).unwrap_or_default();
        let exploring = budget.exploring().part();
        let Begun { store, seeds, bugs: earlier } = self.begin(dir, subject, &recipe, &types, &exploring)?;
        let reporter = program.reporter(&plan.compile);
        let flow = Arc::new(flow(loaded, subject.unit.as_deref()));
        let graph = subject.unit.as_ref().map(|unit| (unit, &types));
        let texts = program.grammars();
        let tested = Tested { entry: &subject.entry, graph, unit: subject.setup.as_ref(), setup: &plan.setup, texts };
        let targets = Arc::new(program.wanted().of(&flow, subject));
        let mut watcher = Watcher::new(plan, tested, &reporter, &flow, store, exploring.clone(), *observer);
        watcher.target_tests = vec![0; targets.all().len()];
        let mut options = plan.explore_options(subject, seeds);
        options.explorer.targets = Arc::clone(&targets);
        if plan.summarises() {
            options.run.summarised = Arc::new(beside_targets(&flow, &targets));
        }
        options.run.theories = program.theories().to_vec();
        if self.beginning == Beginning::Resumed {
            learned::resume(&watcher.store, program.theories())?;
        }
        // A test is run again as it is stored.
        let run_options = spelunk_concolic::Options { summarised: Arc::default(), flow: None, ..options.run.clone() };
        observer.phase(unfinished::EXPLORING);
        let mut outcome = campaign::explore(&flow, options, &exploring, &mut watcher)
            .map_err(|_| too_large(&loaded.image, run_options.limits.memory))?;
        learned::save(&watcher.store, program.theories())?;
        let undefined = undefined_variables(&loaded.program);
        outcome.ledger.add_with(Loss::UndefinedVariable, NOWHERE, undefined.len() as u64, || {
            format!("{} not defined, and taken to be zero", undefined.join(", "))
        });
        if let Some(error) = watcher.error.take() {
            return Err(error.into());
        }
        let native = program.native(subject, &recipe, plan.tests.confinement);
        let mut explored = Explored {
            campaign: self,
            budget,
            watcher,
            program: &flow,
            run_options,
            native,
            native_runs,
            outcome,
            earlier,
            targets,
        };
        let mut failures = Failures::default();
        let (mut summary, profile) = explored.finish(&types, calls, &mut failures)?;
        let Explored { watcher, outcome, .. } = explored;
        // A directory whose summary says so has everything.
        let pictures =
            failures.guard("the pictures", || pictures::write(&watcher.store, &summary.bugs, &types.types)).transpose();
        let bugs = failures.guard("the diagnostics", || found_bugs(&reporter, &watcher)).unwrap_or_default();
        failures.enter(&mut summary);
        summary.loops = program.loops(&reporter, watcher.bugs.iter().map(|record| &record.bug), &outcome);
        summary.texts = program.texts(&outcome);
        summary.audit = watcher.audit;
        if let (Some(found), Some(stated)) = (&mut summary.partition, &stated) {
            found.verify(stated);
        }
        summary.internal = subject.internal.clone();
        summary.guessed = subject.setup.as_ref().map(|setup| setup.guessed.clone()).unwrap_or_default();
        summary.rules = subject.unit.as_ref().and_then(|unit| unit.shapes.as_deref()).map(rules).unwrap_or_default();
        let pictures = pictures?.unwrap_or_default();
        watcher.store.write_profile(&profile)?;
        watcher.store.write_summary(&summary)?;
        let has_failed = outcome.ledger.has_internal() || !failures.is_empty();
        // The choice of calls is one, even if the first call of every path ends it.
        let is_sequence = subject.unit.as_ref().is_some_and(|unit| unit.sequence_length().is_some());
        let has_input = watcher.has_input || is_sequence;
        Ok(Ended { has_input, store: watcher.store, summary, bugs, pictures, has_failed })
    }

    /// The directory, with all that it takes to go on, the inputs to start with, and what is known already.
    fn begin(
        &self,
        dir: &Path,
        subject: &Subject,
        recipe: &Recipe,
        types: &NamedTypes,
        deadline: &Deadline,
    ) -> Result<Begun, StoreError> {
        let (mut seeds, mut bugs) = (Vec::new(), Vec::new());
        let store = match self.beginning == Beginning::Resumed && Store::existing(dir).is_ok() {
            true => {
                let store = Store::open(dir)?;
                bugs.extend(OnDisk::open(dir)?.summary.bugs);
                seeds.extend(read_inputs(&store, deadline)?);
                store
            }
            false => Store::create(dir)?,
        };
        for dir in &self.plan.seed_dirs {
            seeds.extend(seeds::read(dir, &self.plan.setup, deadline)?);
        }
        seeds.extend(self.program.samples());
        seeds.extend(first::printable(self.plan, subject));
        store.write_recipe(recipe)?;
        store.write_types(&types.types)?;
        store.write_summary(&Summary {
            loops: None,
            version: spelunk_report::suite::VERSION,
            entry: subject.entry.clone(),
            sources: self.plan.compile.source_names(),
            stopped: unfinished::UNFINISHED.to_owned(),
            unfinished: Some(unfinished::EXPLORING.to_owned()),
            ..Summary::default()
        })?;
        store.begin()?;
        Ok(Begun { store, seeds, bugs })
    }
}

/// What the rules for heaps have refused.
fn rules(shapes: &Shapes) -> Vec<RuleSummary> {
    let counted = shapes.spec.rules().iter().zip(shapes.refused());
    let entry = |(rule, refused): (&Rule, u64)| RuleSummary {
        file: rule.source.clone(),
        line: rule.line,
        rule: rule.text.clone(),
        refused,
    };
    counted.map(entry).collect()
}

/// In the order in which the summary has them.
fn found_bugs(reporter: &Reporter<'_>, watcher: &Watcher<'_>) -> Vec<FoundBug> {
    let found = watcher.bugs.told();
    found.iter().map(|record| FoundBug { diagnostic: reporter.bug(&record.bug), n_paths: record.hits }).collect()
}

impl Explored<'_, '_> {
    /// What comes after exploring, and the account of it all.
    fn finish(
        &mut self,
        types: &NamedTypes,
        calls: &[Calls],
        failures: &mut Failures,
    ) -> Result<(Summary, Profile), EngineError> {
        let mut not_done = Vec::new();
        let mut summary = self.watcher.summary(&self.outcome);
        self.checkpoint(&mut summary, "shrinking")?;
        let Campaign { plan, observer, .. } = *self.campaign;
        let shrinking = self.budget.shrinking();
        let hints = Hints::gather(&mut self.watcher);
        let find = || smallest::find(&mut self.watcher, &self.run_options, &shrinking, observer);
        let found = failures.guard("the search for smaller inputs", find).transpose()?;
        not_done.extend(found.into_iter().flatten());

        let mut summary = self.watcher.summary(&self.outcome);
        summary.targets = self.watcher.targets(&self.targets, &self.outcome);
        let mut profile = self.watcher.profile(&self.outcome);
        let add =
            || hints.add(&mut summary, &mut self.watcher, &self.outcome, &types.types, &self.budget.classifying());
        let added = failures.guard("the search for preconditions", add).transpose()?;
        not_done.extend(added.into_iter().flatten());
        for calls in calls.iter().filter(|calls| calls.has(&summary.entry)) {
            summary.bugs.iter_mut().for_each(|bug| calls.judge(bug));
        }
        if self.watcher.lacks_known(&self.outcome) {
            not_done.push(self.add_earlier(&mut summary));
        }
        if plan.tests.keep.is_by_what_was_new() {
            let kept = self.watcher.kept(&summary);
            minimise::retain(&mut self.watcher.store, &mut summary, &mut profile, kept)?;
            self.watcher.bugs.renumber(summary.bugs.iter().map(|bug| bug.test));
        } else if plan.tests.keep != Keep::Paths {
            self.checkpoint(&mut summary, "keeping")?;
            let kept = failures.guard("the choice of tests", || self.keep(&mut summary, &mut profile));
            not_done.extend(kept.transpose()?.flatten());
        }
        let n_tests = self.watcher.store.n_tests();
        match self.native_runs {
            NativeRuns::AtTheEnd => {
                self.checkpoint(&mut summary, NATIVE_RUNS)?;
                let deadline = self.budget.native_runs();
                let store = &self.watcher.store;
                let run = || confirm(store, &self.native, &profile, &mut summary, &deadline, observer);
                not_done.extend(failures.guard("the native runs", run).into_iter().flatten());
            }
            NativeRuns::Later => {
                let later = match summary.bugs.is_empty() {
                    true => "too little time for each function",
                    false => "findings are confirmed after the last function",
                };
                not_done.push(format!("{NATIVE_RUNS}: 0 of {n_tests} tests; {later}"));
            }
            NativeRuns::Never => {}
        }
        summary.unfinished = None;
        summary.count_classes();
        summary.not_done = not_done;
        Ok((summary, profile))
    }

    /// Adds the bugs of tests that there was no time to run again. Says so.
    fn add_earlier(&self, summary: &mut Summary) -> String {
        let is_same = |one: &BugEntry, other: &BugEntry| one.kind == other.kind && one.place == other.place;
        for bug in &self.earlier {
            if !summary.bugs.iter().any(|known| is_same(known, bug)) {
                summary.bugs.push(bug.clone());
            }
        }
        let why = self.campaign.deadline.over().map_or("the campaign has ended before", budget::why);
        format!("running earlier tests again: {why}; their bugs are those of the last account")
    }

    /// Chooses tests. Says if there was no time for it.
    fn keep(&mut self, summary: &mut Summary, profile: &mut Profile) -> Result<Option<String>, EngineError> {
        let deadline = self.budget.keeping();
        let Campaign { plan, observer, .. } = *self.campaign;
        let measured = Measured {
            program: self.program,
            lines: &self.watcher.lines,
            options: &self.run_options,
            native: &self.native,
            deadline: &deadline,
            observer,
        };
        let kept = minimise::keep(&mut self.watcher.store, summary, profile, &measured, plan.tests.keep);
        match (kept, deadline.over()) {
            (Ok(()), _) => {
                self.watcher.bugs.renumber(summary.bugs.iter().map(|bug| bug.test));
                Ok(None)
            }
            (Err(_), Some(over)) => Ok(Some(format!("choosing tests: all are kept, {}", budget::why(over)))),
            (Err(problem), None) => Err(problem),
        }
    }

    /// Writes down what is known when a phase begins.
    fn checkpoint(&self, summary: &mut Summary, phase: &str) -> Result<(), StoreError> {
        self.campaign.observer.phase(phase);
        summary.unfinished = Some(phase.to_owned());
        self.watcher.store.write_profile(&self.watcher.profile(&self.outcome))?;
        self.watcher.store.write_summary(summary)
    }
}
