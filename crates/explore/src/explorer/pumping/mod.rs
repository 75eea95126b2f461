//! Inputs that go further than others.
//!
//! Many errors show only after hundreds of rounds of a loop, and each round is another decision: no search goes that deep by itself. So
//! where a run has done something new, its input is stretched (`stretch`): parts of texts are repeated, numbers that a loop runs to
//! made large. The program is tried with that, concretely. Only if it comes to a bug or to code that no run has reached, the input is run as
//! any other and its path entered into the tree. Where nothing new came of a text that a program went through, the solver is asked for what could have (`survey`).
//! Nothing that an exhausted campaign says depends on it.

mod stretch;
mod survey;

use rustc_hash::{FxHashSet, FxHasher};
use spelunk_concolic::decision::{Decision, DecisionKind};
use spelunk_concolic::{Input, Run};
use spelunk_expr::FreeVars;
use spelunk_ir::code::OpIdx;
use spelunk_vm::memory::Fault;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::running::is_interrupted;
use super::{Counters, Explorer, Step, Way};
use crate::bugs;
use stretch::{NumberAt, Source, Try};

/// How many of a run's last decisions tell it from others.
const N_LAST: usize = 4;

/// Instructions that tries may take in any case. On top of that come some for each run, and those that all runs have taken several times:
/// a run asks the solver, and carries expressions, which takes many times as long. Where it takes longer still, they have a share of the time.
const FREE_INSTRUCTIONS: u64 = 1 << 24;
const FOR_A_RUN: u64 = 1 << 13;
const TIMES: u64 = 2;
const SHARE_TRIED: u32 = 4;

/// To begin a run counts as so many.
const BEGINNING: u64 = 1 << 12;

/// The time that surveys may take in any case, and a share of all.
const FREE_ASKED: Duration = Duration::from_secs(1);
const SHARE_ASKED: u32 = 4;

/// A try ends after so many.
const MAX_STEPS: u64 = 1 << 21;

/// What takes more is not surveyed: expressions make it many times as long, and it may have no end.
const MAX_SURVEYED: u64 = 1 << 18;

/// So many numbers are made large at once.
const MAX_NUMBERS: usize = 8;

/// So many tries may be made one after the other.
const MAX_IN_A_ROW: usize = 8;

/// So many inputs wait, at most.
const MAX_WAITING: usize = 1 << 11;

/// What a decision was: where, and which alternative.
type Taken = (OpIdx, u64);

#[derive(Default)]
pub(super) struct Pumping {
    waiting: VecDeque<Try>,
    /// Inputs that were tried.
    tried: FxHashSet<u64>,
    /// How many instructions tries of the first size have taken, by how the runs ended that they come from: those that took as many
    /// did most likely the same.
    courses: FxHashSet<(Arc<[Taken]>, u64)>,
    /// Instructions that tries have taken, and how long that was.
    spent: u64,
    time: Duration,
    /// Decisions one after the other that runs have made.
    pairs: FxHashSet<(Taken, Taken)>,
    free_vars: FreeVars,
    /// What the solver has taken for questions of surveys.
    asked: Duration,
    /// Whether the last step was a try.
    was_last: bool,
}

fn taken(decision: &Decision) -> Taken {
    (decision.site, decision.taken)
}

impl Pumping {
    /// Whether a run whose decisions from one on are its own decided two things one after the other that none has before.
    fn has_new_pair(&mut self, path: &[Decision], first: usize) -> bool {
        let pairs = path[first.saturating_sub(1).min(path.len())..].windows(2);
        pairs.filter(|pair| self.pairs.insert((taken(&pair[0]), taken(&pair[1])))).count() > 0
    }

    /// What repeats the end of a text comes first, if its run has reached something new.
    fn add(&mut self, tries: Vec<Try>) {
        let (first, others): (Vec<Try>, Vec<Try>) = tries.into_iter().partition(|it| it.is_first_choice);
        first.into_iter().rev().for_each(|it| self.waiting.push_front(it));
        self.waiting.extend(others);
        self.waiting.truncate(MAX_WAITING);
    }

    /// What to try next, if it is time for that.
    fn next(&mut self, all: &Counters) -> Option<(Try, Input)> {
        let is_spent = self.spent >= FREE_INSTRUCTIONS + FOR_A_RUN * all.n_runs + TIMES * all.instructions;
        if is_spent && self.time * SHARE_TRIED >= all.solver_time + all.run_time {
            return None;
        }
        loop {
            let next = self.waiting.pop_front()?;
            let input = next.input();
            let mut hasher = FxHasher::default();
            input.hash(&mut hasher);
            if self.tried.insert(hasher.finish()) {
                return Some((next, input));
            }
        }
    }

    pub fn asked(&mut self, time: Duration) {
        self.asked += time;
    }

    /// Whether surveys had less than their share of all time.
    pub fn may_ask(&self, all: Duration) -> bool {
        self.asked < FREE_ASKED + all / SHARE_ASKED
    }

    /// Takes note of what became of a try. If the program has gone through it, and did something else than with others, a larger
    /// one is next.
    fn tried(&mut self, tried: Try, executed: u64) {
        self.spent += executed + BEGINNING;
        let is_other = !tried.is_first() || self.courses.insert((Arc::clone(&tried.last), executed));
        self.waiting.extend(tried.between(executed));
        if is_other {
            self.waiting.extend(tried.shifted());
            tried.larger(executed).into_iter().for_each(|larger| self.waiting.push_front(larger));
        }
    }
}

impl Explorer<'_> {
    /// Takes note of a run. It is of interest if it reached something new, or decided two things one after the other that none has before.
    pub(super) fn note_run(&mut self, run: &Run, has_news: bool) {
        let first = self.prediction.len();
        let has_new_pair = self.pumping.has_new_pair(&run.path, first);
        if !(has_news || has_new_pair) || !self.runner.is_free() {
            return;
        }
        let last = run.path.iter().rev().take(N_LAST).map(taken).collect();
        let source = Source { input: &run.input, last, has_news };
        let mut tries = Vec::new();
        tries.extend(source.numbers(self.places_of_bound(run, first)));
        tries.extend(source.texts(|object| self.runner.longest(object)));
        self.pumping.add(tries);
    }

    /// The numbers of the input that the last decision which was predicted depends on, if it is one of a loop.
    fn places_of_bound(&mut self, run: &Run, first: usize) -> Vec<NumberAt> {
        let Some(decision) = first.checked_sub(1).and_then(|index| run.path.get(index)) else { return Vec::new() };
        let is_same = |other: &&Decision| other.site == decision.site && other.stack == decision.stack;
        let is_loop = run.path.iter().filter(is_same).nth(1).is_some();
        if !is_loop || decision.kind != DecisionKind::Branch {
            return Vec::new();
        }
        let Self { pumping: Pumping { free_vars, .. }, runner, .. } = self;
        let vars = free_vars.of(runner.pool(), decision.cond);
        let place = |var| {
            let (key, offset, n_bytes) = runner.machine().free_place(var)?;
            let object = run.input.objects.iter().position(|object| object.key == *key)?;
            let (offset, n_bytes) = (offset as usize, n_bytes as usize);
            let holds = |from: u32| (from as usize) < offset + n_bytes && offset < from as usize + 8;
            let is_number = n_bytes <= 8 && !run.input.objects[object].references.iter().any(|it| holds(it.offset));
            is_number.then_some(NumberAt { object, offset, n_bytes })
        };
        free_vars.iter(vars).filter_map(place).take(MAX_NUMBERS).collect()
    }

    /// Tries inputs that go further, if some are waiting; nothing if that has come to nothing.
    pub(super) fn try_far(&mut self) -> Result<Option<Step>, Fault> {
        // What runs show of flows would be lost with those that are not entered into the tree.
        if self.partition.is_some() {
            return Ok(None);
        }
        let is_all_done = self.tree.n_open() == 0;
        if self.pumping.was_last && !is_all_done {
            self.pumping.was_last = false;
            return Ok(None);
        }
        for _ in 0..MAX_IN_A_ROW {
            let Some((tried, input)) = self.pumping.next(&self.counters) else { return Ok(None) };
            self.pumping.was_last = true;
            let (executed, step) = self.run_if_new(&input)?;
            let surveyed = (tried.is_survey() && executed <= MAX_SURVEYED).then(|| input.clone());
            if tried.is_numbers() {
                // A number that counts once may do so again.
                let source = Source { input: &Arc::new(input), last: Arc::clone(&tried.last), has_news: false };
                self.pumping.add(source.texts(|object| self.runner.longest(object)));
            }
            self.pumping.tried(tried, executed);
            if step.is_some() {
                return Ok(step);
            }
            if let Some(input) = surveyed.filter(|_| !self.is_shared) {
                self.survey(input)?;
            }
        }
        Ok(is_all_done.then_some(Step::Closed))
    }

    /// Tries an input without expressions. Says how many instructions that took; if it comes to something new, it is then run as any other.
    pub(super) fn run_if_new(&mut self, input: &Input) -> Result<(u64, Option<Step>), Fault> {
        self.attempt.input = Some(Arc::new(input.clone()));
        let start = Instant::now();
        let run = self.runner.probe(input, MAX_STEPS)?;
        let time = start.elapsed();
        self.counters.run_time += time;
        self.pumping.time += time;
        if is_interrupted(&run) {
            return Ok((run.executed, Some(Step::Interrupted)));
        }
        let is_bug = bugs::key(self.program.image, &run.stop).is_some_and(|key| !self.errors.is_known(key));
        // Several workers look for bugs in this way, but what is new to one of them may not be to another.
        let is_new = is_bug || !self.is_shared && self.runner.machine().marks.n_new() > 0;
        let step = if is_new { Some(self.run(input.clone(), Way::Long)?) } else { None };
        Ok((run.executed, step))
    }
}
