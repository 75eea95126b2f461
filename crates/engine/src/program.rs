//! A program that was loaded, and what of it is tested.

use spelunk_concolic::Input;
use spelunk_concolic::theories::texts::{Text, Texts};
use spelunk_concolic::theories::{self, Maker};
use spelunk_deadline::Deadline;
use spelunk_driver::{DriverError, Loaded, Purpose, undefined_variables};
use spelunk_explore::campaign::Outcome;
use spelunk_explore::ledger::Loss;
use spelunk_explore::targets::summarisable;
use spelunk_inputs::{Functions, Guess, Testable, UnitError};
use spelunk_ir::lower::Uninitialised;
use spelunk_native::Confinement;
use spelunk_report::Reporter;
use spelunk_report::suite::Recipe;
use spelunk_report::suite::summary::{Fate, LoopSummary, LoopsSummary, TextSummary, UnboundedLoop, WrappingLoop};
use spelunk_termination::{Integers, LoopFate, Names, Termination, Wraps};
use spelunk_vm::{Bug, BugKind};
use std::sync::Arc;

use crate::plan::{Check, Compile, Plan};
use crate::targets::Wanted;
use crate::texts;
use crate::{EngineError, Observer, Subject, subject};

/// A program, and its subjects by a plan. It is there for as long as the process is: a thread that does not notice the end of
/// a campaign is left behind with it.
#[derive(Clone, Debug)]
pub struct Program {
    loaded: &'static Loaded,
    subjects: Vec<Subject>,
    theories: Vec<Arc<dyn Maker>>,
    termination: Option<Arc<Termination>>,
    texts: Option<Arc<Texts>>,
    wanted: Wanted,
}

impl Program {
    /// Compiles and links what a plan names, and finds what it wants tested.
    pub fn load(plan: &Plan, deadline: &Deadline, observer: &dyn Observer) -> Result<Self, EngineError> {
        Self::load_with(plan, Vec::new(), deadline, observer)
    }

    /// The same, to be explored with theories beside the usual ones.
    pub fn load_with(
        plan: &Plan,
        theories: Vec<Arc<dyn Maker>>,
        deadline: &Deadline,
        observer: &dyn Observer,
    ) -> Result<Self, EngineError> {
        Self::load_for(plan, theories, deadline, observer, |functions| subject::choose(plan, functions))
    }

    /// The same, with other subjects than the plan's.
    pub(crate) fn load_for(
        plan: &Plan,
        mut theories: Vec<Arc<dyn Maker>>,
        deadline: &Deadline,
        observer: &dyn Observer,
        choose: impl FnOnce(&Functions<'_>) -> Result<Vec<Subject>, EngineError>,
    ) -> Result<Self, EngineError> {
        observer.phase("compiling");
        let mut loaded = load(&plan.compile, Purpose::Explore, plan.setup.uninitialised(), deadline, observer)?;
        let undefined = undefined_variables(&loaded.program);
        if plan.setup.no_stubs && !undefined.is_empty() {
            return Err(DriverError::UndefinedVariables { names: undefined }.into());
        }
        let functions = Functions::new(&loaded.program, &loaded.image);
        let subjects = choose(&functions)?;
        let shapes = subjects.iter().filter_map(|subject| subject.unit.as_ref()?.shapes.as_ref());
        shapes.flat_map(|shapes| shapes.spec.warnings()).for_each(|it| observer.warnings(format!("{it}\n").as_bytes()));
        let stubs = functions.into_stubs();
        stubs.iter().for_each(|name| loaded.image.add_undefined(name));
        let checks = &plan.compile.checks;
        let integers = match checks.contains(&Check::TerminationUnbounded) {
            true => Some(Integers::AlsoUnbounded),
            false => checks.contains(&Check::Termination).then_some(Integers::Machine),
        };
        let names = || Names::new(&loaded.program, &loaded.image);
        let termination = integers.map(|integers| Arc::new(Termination::new(names(), integers)));
        theories.extend(termination.clone().map(|maker| maker as Arc<dyn Maker>));
        let texts = match plan.setup.texts.is_empty() {
            true => None,
            false => {
                let (texts, notes) = texts::of_plan(plan, &subjects)?;
                notes.iter().for_each(|it| observer.warnings(format!("{it}\n").as_bytes()));
                Some(Arc::new(texts))
            }
        };
        theories.extend(texts.clone().map(|maker| maker as Arc<dyn Maker>));
        theories::prepare(&mut loaded.image, &theories);
        if plan.summarises() {
            let found = summarisable(&loaded.image);
            loaded.image.call_through_sites(|id, _| found.contains_key(&id));
        }
        let wanted = Wanted::find(plan, &loaded, &reporter(&loaded, &plan.compile))?;
        Ok(Self { loaded: Box::leak(Box::new(loaded)), subjects, theories, termination, texts, wanted })
    }

    /// The same program, with what another plan wants reached.
    pub fn aimed(&self, plan: &Plan) -> Result<Self, EngineError> {
        let wanted = Wanted::find(plan, self.loaded, &self.reporter(&plan.compile))?;
        Ok(Self { wanted, ..self.clone() })
    }

    /// The program of a test that is to run again, which is its only subject.
    pub fn reload(plan: &Plan, deadline: &Deadline, observer: &dyn Observer) -> Result<Reloaded, EngineError> {
        let program = Self::load(plan, deadline, observer)?;
        // Its entry is the whole program, a function or a sequence, and never a wish for any.
        let subject = program.subjects.first().cloned().ok_or(EngineError::NothingTestable)?;
        Ok(Reloaded { program, subject })
    }

    /// What the plan wants tested: nothing if it does not say, and there is no `main`.
    pub fn subjects(&self) -> &[Subject] {
        &self.subjects
    }

    /// The functions that could be tested, or why not.
    pub fn functions(&self, plan: &Plan) -> Vec<(String, Result<Testable, UnitError>)> {
        let n_tested = plan.compile.n_tested.unwrap_or(usize::MAX);
        let guess = if plan.unit.guesses { Guess::On } else { Guess::Off };
        Functions::new(&self.loaded.program, &self.loaded.image).list_of(n_tested, guess)
    }

    pub fn theories(&self) -> &[Arc<dyn Maker>] {
        &self.theories
    }

    /// What is known of the loops that runs came to so far, if that was asked for. Bugs may say of one that it never ends.
    /// Runs were cut short where the ledger says so, and by the end of the campaign.
    pub fn loops<'b>(
        &self,
        reporter: &Reporter<'_>,
        bugs: impl Iterator<Item = &'b Bug>,
        outcome: &Outcome,
    ) -> Option<LoopsSummary> {
        let mut account = self.termination.as_ref()?.account();
        for bug in bugs.filter(|bug| bug.kind == BugKind::EndlessLoop) {
            bug.trace.first().into_iter().for_each(|&head| account.never_ends(head));
        }
        let at_limits = outcome.ledger.entries().into_iter().filter(|entry| entry.loss == Loss::Limit);
        let cut_short = at_limits.map(|entry| entry.site).chain(outcome.counters.interrupted_at.iter().copied());
        cut_short.for_each(|site| account.cut_short(&self.loaded.image, site));
        Some(LoopsSummary {
            never_end: account.count(LoopFate::NeverEnds),
            end: account.count(LoopFate::Ends),
            unknown: account.count(LoopFate::Unknown),
            each: account
                .fates()
                .map(|(head, fate)| {
                    let fate = match fate {
                        LoopFate::NeverEnds => Fate::NeverEnds,
                        LoopFate::Ends => Fate::Ends,
                        LoopFate::Unknown => Fate::Unknown,
                    };
                    LoopSummary { place: reporter.site(head), fate }
                })
                .collect(),
            unbounded: account
                .unbounded()
                .map(|(head, set)| UnboundedLoop { place: reporter.site(head), set: set.to_owned() })
                .collect(),
            wrapping: account
                .wrapping()
                .map(|(head, Wraps { text, overflows, is_sure })| WrappingLoop {
                    place: reporter.site(head),
                    text: text.clone(),
                    overflows: overflows.iter().map(|&site| reporter.site(site)).collect(),
                    surely: *is_sure,
                })
                .collect(),
        })
    }

    /// Inputs that are texts of a grammar.
    pub(crate) fn grammars(&self) -> &[Arc<Text>] {
        self.texts.as_ref().map_or(&[], |texts| &texts.0)
    }

    /// Texts that show what their grammars can do, to start with.
    pub(crate) fn samples(&self) -> Vec<Input> {
        self.texts.as_deref().map_or_else(Vec::new, Texts::samples)
    }

    /// What is known of the texts that runs had, if there are grammars.
    pub(crate) fn texts(&self, outcome: &Outcome) -> Vec<TextSummary> {
        self.texts.as_deref().map_or_else(Vec::new, |texts| texts::summary(texts, outcome))
    }

    pub fn loaded(&self) -> &'static Loaded {
        self.loaded
    }

    /// What is to be reached.
    pub fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    pub(crate) fn reporter(&self, compile: &Compile) -> Reporter<'_> {
        reporter(self.loaded, compile)
    }

    /// What is run natively.
    pub fn native<'a>(
        &'a self,
        subject: &'a Subject,
        recipe: &'a Recipe,
        confinement: Confinement,
    ) -> spelunk_native::Subject<'a> {
        let Loaded { program, image, .. } = self.loaded;
        spelunk_native::Subject { program, image, unit: subject.unit.as_ref(), recipe, confinement }
    }
}

fn reporter<'l>(loaded: &'l Loaded, compile: &Compile) -> Reporter<'l> {
    Reporter::new(&loaded.program, &loaded.image, compile.root(), &compile.sources)
}

/// A program for tests that are there already.
#[derive(Clone, Debug)]
pub struct Reloaded {
    pub program: Program,
    pub subject: Subject,
}

/// Compiles and loads a program for some purpose.
pub fn load(
    compile: &Compile,
    purpose: Purpose,
    uninitialised: Uninitialised,
    deadline: &Deadline,
    observer: &dyn Observer,
) -> Result<Loaded, EngineError> {
    let loaded = spelunk_driver::load(&compile.driver_options(purpose, uninitialised, deadline))?;
    observer.warnings(&loaded.diagnostics);
    Ok(loaded)
}
