//! Inputs that go on as they began.
//!
//! Many errors show only after hundreds of rounds of a loop, and each round is another decision: no search goes that deep by itself. So
//! where a run has done something new, texts of its input are made long by repeating their last characters, and the program is tried
//! with that, concretely. Only if it comes to a bug or to code that no run has reached, the input is run as any other and its
//! path entered into the tree. Nothing that an exhausted campaign says depends on it.

use rustc_hash::FxHashSet;
use spelunk_concolic::decision::Decision;
use spelunk_concolic::{Input, InputObject, Run};
use spelunk_ir::code::OpIdx;
use spelunk_vm::memory::Fault;
use spelunk_vm::{BugKind, Stop};
use std::collections::VecDeque;
use std::sync::Arc;

use super::{Explorer, News, Step, Way};

/// Texts that can't get this long are not worth it: all of their lengths are explored.
const MIN_CAPACITY: usize = 64;

/// So many of the last characters are repeated, at most.
const MAX_PERIOD: usize = 4;

/// Parts of the greatest length, in the order in which they are tried: what is shorter costs less, and programs may refuse what is
/// too long.
const PARTS: [usize; 3] = [16, 4, 1];

/// Instructions that tries may take in any case, and how many of those that all runs have taken come on top of that.
const FREE_INSTRUCTIONS: u64 = 1 << 24;
const SHARE: u64 = 4;

/// So many inputs wait, at most.
const MAX_WAITING: usize = 1 << 10;

/// What a decision was: where, and which alternative.
type Taken = (OpIdx, u64);

/// An input of which a text is to be made long.
struct Try {
    input: Arc<Input>,
    /// The last decisions of its run.
    last: Vec<Taken>,
    /// The text, of the objects.
    number: usize,
    /// How many of its last characters are repeated.
    period: usize,
    /// How long it may be.
    capacity: usize,
    /// Which of the parts of that it is to be.
    stage: usize,
}

#[derive(Default)]
pub(super) struct Pumping {
    waiting: VecDeque<Try>,
    /// How many instructions tries of the first stage have taken, by how the runs ended that they come from: those that took as many
    /// did most likely the same.
    courses: FxHashSet<(Vec<Taken>, u64)>,
    /// Instructions that tries have taken.
    spent: u64,
    /// Decisions one after the other that runs have made.
    pairs: FxHashSet<(Taken, Taken)>,
    /// Bugs that were found in this way.
    found: FxHashSet<(BugKind, OpIdx)>,
    /// Whether the last step was a try.
    was_last: bool,
}

impl Pumping {
    /// Takes note of a run whose decisions from one on are its own. It is of interest if it reached something new, or decided two
    /// things one after the other that none has before. `capacity` is how long a text may be.
    pub fn note(&mut self, run: &Run, first: usize, has_news: bool, capacity: impl Fn(&InputObject) -> usize) {
        let taken = |decision: &Decision| (decision.site, decision.taken);
        let mut is_new = has_news;
        for pair in run.path[first.saturating_sub(1).min(run.path.len())..].windows(2) {
            is_new |= self.pairs.insert((taken(&pair[0]), taken(&pair[1])));
        }
        if is_new && self.waiting.len() < MAX_WAITING {
            let last: Vec<Taken> = run.path.iter().rev().take(MAX_PERIOD).map(taken).collect();
            let tries = tries(&run.input, &last, capacity);
            match has_news {
                true => tries.into_iter().rev().for_each(|it| self.waiting.push_front(it)),
                false => self.waiting.extend(tries),
            }
        }
    }

    /// What to try next, if it is time for that: every other time, unless there is nothing else to do.
    fn next(&mut self, n_instructions: u64, is_all_done: bool) -> Option<Try> {
        let is_time = (is_all_done || !self.was_last) && self.spent < FREE_INSTRUCTIONS + n_instructions / SHARE;
        let next = is_time.then(|| self.waiting.pop_front()).flatten();
        self.was_last = next.is_some();
        next
    }

    /// Takes note of what became of a try. If the program has gone through the text, and did something else than with others, a longer
    /// one is next.
    fn tried(&mut self, tried: Try, executed: u64) {
        self.spent += executed;
        let went_through = executed >= tried.end() as u64;
        let is_other = tried.stage > 0 || self.courses.insert((tried.last.clone(), executed));
        if went_through && is_other && tried.stage + 1 < PARTS.len() {
            self.waiting.push_front(Try { stage: tried.stage + 1, ..tried });
        }
    }
}

impl Try {
    fn end(&self) -> usize {
        self.capacity / PARTS[self.stage]
    }

    fn input(&self) -> Input {
        let mut longer = Input::clone(&self.input);
        let bytes = &mut longer.objects[self.number].bytes;
        let len = length(bytes);
        bytes.resize(bytes.len().max(self.end()), 0);
        (len..self.end()).for_each(|at| bytes[at] = bytes[at - self.period]);
        longer
    }
}

fn length(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len())
}

/// All ways to make a text of an input long.
fn tries(input: &Arc<Input>, last: &[Taken], capacity: impl Fn(&InputObject) -> usize) -> Vec<Try> {
    let mut all = Vec::new();
    for (number, object) in input.objects.iter().enumerate() {
        let (capacity, len) = (capacity(object), length(&object.bytes));
        if capacity < MIN_CAPACITY || !object.references.is_empty() {
            continue;
        }
        for period in 1..=len.min(MAX_PERIOD) {
            let repeated = &object.bytes[len - period..len];
            let is_shorter = |shorter: usize| repeated.iter().zip(&repeated[shorter..]).all(|(a, b)| a == b);
            if (1..period).any(|shorter| period.is_multiple_of(shorter) && is_shorter(shorter)) {
                continue;
            }
            let stage = PARTS.iter().position(|part| capacity / part > len + period);
            let input = || Arc::clone(input);
            all.extend(stage.map(|stage| Try { input: input(), last: last.to_vec(), number, period, capacity, stage }));
        }
    }
    all
}

impl Explorer<'_> {
    /// Tries a long input, if one is waiting; nothing if that has come to nothing.
    pub(super) fn try_long(&mut self) -> Result<Option<Step>, Fault> {
        let is_all_done = self.tree.n_open() == 0;
        let Some(tried) = self.pumping.next(self.counters.instructions, is_all_done) else { return Ok(None) };
        let input = tried.input();
        self.attempt.input = Some(Arc::new(input.clone()));
        let start = std::time::Instant::now();
        let run = self.runner.probe(&input)?;
        self.counters.run_time += start.elapsed();
        self.counters.instructions += run.executed;
        self.pumping.tried(tried, run.executed);
        let is_bug = match &run.stop {
            Stop::Bug(bug) => self.pumping.found.insert((bug.kind, run.last_op)),
            _ => false,
        };
        if !is_bug && self.runner.machine().marks.n_new() == 0 {
            return Ok(is_all_done.then_some(Step::Closed));
        }
        let mut step = self.run(input, Way::Long)?;
        if let Step::Ran { run, news: news @ News::Nothing, .. } = &mut step
            && is_bug
        {
            // The tree does not know what lies beyond a bound from what it has explored.
            *news = News::Outcome;
            self.runner.observe(run);
        }
        Ok(Some(step))
    }
}
