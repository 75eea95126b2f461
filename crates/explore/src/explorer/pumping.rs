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

use super::{Explorer, Step, Way};

/// Texts that can't get this long are not worth it: all of their lengths are explored.
const MIN_CAPACITY: usize = 64;

/// So many of the last characters are repeated, at most.
const MAX_PERIOD: usize = 4;

/// The first of these parts of the greatest length is tried first: what is shorter costs less, and programs may refuse what is too long.
const PARTS: [usize; 3] = [16, 4, 1];

/// Instructions that tries may take in any case, and how many of those that all runs have taken come on top of that.
const FREE_INSTRUCTIONS: u64 = 1 << 24;
const SHARE: u64 = 4;

/// So many inputs wait, at most.
const MAX_WAITING: usize = 1 << 10;

/// What a decision was: where, and which alternative.
type Taken = (OpIdx, u64);

#[derive(Default)]
pub(super) struct Pumping {
    waiting: VecDeque<Input>,
    /// The same with texts that are longer: if nothing else is waiting.
    longer: VecDeque<Input>,
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
        let [first, rest @ ..] = PARTS;
        if is_new && self.waiting.len() < MAX_WAITING {
            let inputs = longer(&run.input, &capacity, first);
            match has_news {
                true => inputs.into_iter().rev().for_each(|input| self.waiting.push_front(input)),
                false => self.waiting.extend(inputs),
            }
        }
        if is_new && self.longer.len() < MAX_WAITING {
            self.longer.extend(rest.into_iter().flat_map(|part| longer(&run.input, &capacity, part)));
        }
    }

    /// The input to try next, if it is time for one: every other time, unless there is nothing else to do.
    fn next(&mut self, n_instructions: u64, is_all_done: bool) -> Option<Input> {
        let is_time = (is_all_done || !self.was_last) && self.spent < FREE_INSTRUCTIONS + n_instructions / SHARE;
        let next = is_time.then(|| self.waiting.pop_front().or_else(|| self.longer.pop_front())).flatten();
        self.was_last = next.is_some();
        next
    }
}

/// The input with one of its texts made longer, in all ways: as long as can be, or that divided by something.
fn longer(input: &Input, capacity: impl Fn(&InputObject) -> usize, divided_by: usize) -> Vec<Input> {
    let mut all = Vec::new();
    for (number, object) in input.objects.iter().enumerate() {
        let capacity = capacity(object);
        let len = object.bytes.iter().position(|&byte| byte == 0).unwrap_or(object.bytes.len());
        if len == 0 || capacity < MIN_CAPACITY || !object.references.is_empty() {
            continue;
        }
        for period in 1..=len.min(MAX_PERIOD) {
            let repeated = &object.bytes[len - period..len];
            let is_shorter = |shorter: usize| repeated.iter().zip(&repeated[shorter..]).all(|(a, b)| a == b);
            if (1..period).any(|shorter| period.is_multiple_of(shorter) && is_shorter(shorter)) {
                continue;
            }
            let end = capacity / divided_by;
            if end > len + period {
                let mut longer = input.clone();
                let bytes = &mut longer.objects[number].bytes;
                bytes.resize(bytes.len().max(end), 0);
                (len..end).for_each(|at| bytes[at] = bytes[at - period]);
                all.push(longer);
            }
        }
    }
    all
}

impl Explorer<'_> {
    /// Tries a long input, if one is waiting; nothing if that has come to nothing.
    pub(super) fn try_long(&mut self) -> Result<Option<Step>, Fault> {
        let is_all_done = self.tree.n_open() == 0;
        let Some(input) = self.pumping.next(self.counters.instructions, is_all_done) else { return Ok(None) };
        self.attempt.input = Some(Arc::new(input.clone()));
        let start = std::time::Instant::now();
        let run = self.runner.probe(&input)?;
        self.counters.run_time += start.elapsed();
        self.counters.instructions += run.executed;
        self.pumping.spent += run.executed;
        let is_bug = match &run.stop {
            Stop::Bug(bug) => self.pumping.found.insert((bug.kind, run.last_op)),
            _ => false,
        };
        if !is_bug && self.runner.machine().marks.n_new() == 0 {
            return Ok(is_all_done.then_some(Step::Closed));
        }
        self.run(input, Way::Long).map(Some)
    }
}
