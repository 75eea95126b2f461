//! Rules for heaps, proposed from the structures that a program builds itself: sequences of calls of growing length are explored, and the heap
//! that each leaves is an example.
//!
//! What the shorter half of the lengths alone would have suggested is checked on the examples of the others: rules that these break are told as refuted.

use crate::again::too_large;
use crate::subject::{flow, learned_from};
use crate::{EngineError, Observer, Plan, Program, Subject};
use rustc_hash::FxHashSet;
use spelunk_concolic::Run;
use spelunk_concolic::graph::shapes::Learning;
use spelunk_concolic::marks::Marks;
use spelunk_deadline::Deadline;
use spelunk_explore::campaign::{self, Progress, Stopped};
use spelunk_explore::spent::Cost;
use spelunk_hex::{Effort, Example, Learned, Proposal, first_against};
use spelunk_inputs::LearnRequest;
use spelunk_report::suite::UnitSetup;
use spelunk_vm::Stop;
use std::sync::Arc;

/// What a rule needs to be proposed. Many speak of one pointer in each heap, and lists of `n` calls are `n` heaps.
const EFFORT: Effort = Effort { min_references: 5, min_examples: 3, max_objects: 4, budget: 100_000 };

/// More heaps than these take longer to check than to build.
const MAX_HEAPS: usize = 500;

/// The part of the time in which heaps are built.
const BUILDING_SHARE: f64 = 0.7;

/// What was proposed, and on which grounds.
#[derive(Clone, Debug)]
pub struct Proposed {
    pub learned: Learned,
    pub refuted: Vec<Refuted>,
    /// What rules call the parameter, and the type that it points to.
    pub param: String,
    pub ty: String,
    /// Sequences that have returned.
    pub n_runs: u64,
    /// Those among them that left no complete heap.
    pub n_unusable: u64,
    /// Different heaps.
    pub n_heaps: usize,
    /// The greatest length of which any sequence was run, and the greatest up to which all were.
    pub max_length: u32,
    pub all_up_to: u32,
}

/// A rule that shorter sequences suggest and a longer one breaks.
#[derive(Clone, Debug)]
pub struct Refuted {
    pub rule: Proposal,
    /// As many calls suggest it.
    pub up_to: u32,
    /// As many break it.
    pub length: u32,
}

/// Explores what the plan's sequence builds, up to its length, and proposes rules for it. `name` is what these call the parameter, unless it is to be
/// what the functions call it.
pub fn learn(
    plan: &Plan,
    name: Option<String>,
    deadline: &Deadline,
    observer: &dyn Observer,
) -> Result<Proposed, EngineError> {
    let learns = LearnRequest { name };
    let program = Program::load_for(plan, Vec::new(), deadline, observer, |functions| {
        let lengths = 1..=plan.unit.length;
        let subject = |length| Ok(learned_from(functions, &UnitSetup { length, ..plan.unit.clone() }, &learns)?);
        lengths.map(subject).collect()
    })?;
    let learning = program.subjects().iter().find_map(learning_of).ok_or(EngineError::NothingTestable)?;
    let types = &learning.table.types;
    let param = types.roots[0].name.clone();
    let Some(target) = types.get(types.roots[0].ty).refs.first().and_then(|pointer| pointer.target) else {
        return Err(EngineError::NoPointers { ty: format!("{param}, a pointer") });
    };
    let ty = types.get(target).name.clone();
    if !types.get(target).refs.iter().any(|pointer| pointer.is_lazy) {
        return Err(EngineError::NoPointers { ty });
    }
    let found = build(plan, &program, deadline, observer)?;
    observer.phase("learning");
    let Found { examples, lengths, n_runs, n_unusable, max_length, all_up_to, .. } = found;
    match (n_runs, examples.len()) {
        (0, _) => return Err(EngineError::NothingReturned),
        (_, 0) => return Err(EngineError::NothingBuilt { n_runs }),
        _ => {}
    }
    let learned = spelunk_hex::learn(types, &examples, EFFORT);
    let up_to = max_length / 2;
    let n_short = lengths.partition_point(|&length| length <= up_to);
    let short = spelunk_hex::learn(types, &examples[..n_short], EFFORT);
    let refuted = short.proposals.into_iter().filter_map(|rule| {
        let against = first_against(types, &rule, &examples[n_short..])?;
        Some(Refuted { rule, up_to, length: lengths[n_short + against] })
    });
    Ok(Proposed {
        refuted: refuted.collect(),
        learned,
        param,
        ty,
        n_runs,
        n_unusable,
        n_heaps: examples.len(),
        max_length,
        all_up_to,
    })
}

fn learning_of(subject: &Subject) -> Option<Arc<Learning>> {
    subject.unit.as_ref()?.learning.clone()
}

/// Heaps that sequences have built.
#[derive(Default)]
struct Found {
    /// Different ones, in the order of the lengths at which they were first met.
    examples: Vec<Example>,
    lengths: Vec<u32>,
    known: FxHashSet<Example>,
    n_runs: u64,
    n_unusable: u64,
    max_length: u32,
    all_up_to: u32,
}

/// Explores the sequences of each length, as far as time allows.
fn build(plan: &Plan, program: &Program, deadline: &Deadline, observer: &dyn Observer) -> Result<Found, EngineError> {
    let loaded = program.loaded();
    let building =
        deadline.left().map_or_else(|| deadline.part(), |left| deadline.within(left.mul_f64(BUILDING_SHARE)));
    let subjects = program.subjects();
    let mut found = Found::default();
    for (number, subject) in subjects.iter().enumerate() {
        if building.is_over() || found.examples.len() >= MAX_HEAPS {
            break;
        }
        observer.subject(&subject.entry, number, subjects.len());
        // What short sequences leave of their time is for the longer ones.
        let share = building.left().map(|left| left / (subjects.len() - number) as u32);
        let share = share.map_or_else(|| building.part(), |share| building.within(share).part());
        let mut options = plan.explore_options(subject, Vec::new());
        options.run.observes = true;
        options.run.theories = program.theories().to_vec();
        let memory = options.run.limits.memory;
        let flow = Arc::new(flow(loaded, subject.unit.as_deref()));
        let length = number as u32 + 1;
        let mut collector = Collector { found: &mut found, length, enough: share.clone() };
        let outcome =
            campaign::explore(&flow, options, &share, &mut collector).map_err(|_| too_large(&loaded.image, memory))?;
        let is_all = matches!(outcome.stopped, Stopped::Exhausted | Stopped::Bounded);
        if is_all && found.all_up_to + 1 == length {
            found.all_up_to = length;
        }
    }
    Ok(found)
}

/// Takes down the heaps of sequences of one length.
struct Collector<'a> {
    found: &'a mut Found,
    length: u32,
    /// Raised when there are enough.
    enough: Deadline,
}

impl campaign::Observer for Collector<'_> {
    fn path(&mut self, run: &Run, _seed: Option<usize>, _cost: Cost) {
        if !matches!(run.stop, Stop::Exited(_)) {
            return;
        }
        let found = &mut *self.found;
        found.n_runs += 1;
        found.max_length = self.length;
        let Some(example) = &run.example else {
            found.n_unusable += 1;
            return;
        };
        if found.examples.len() >= MAX_HEAPS {
            self.enough.raise();
        } else if found.known.insert(example.clone()) {
            found.examples.push(example.clone());
            found.lengths.push(self.length);
        }
    }

    fn progress(&mut self, _progress: &Progress, _marks: &Marks) {}
}
