//! Inputs that have nothing to do with each other (FlowTest): of what they can do together, each part is explored once.
//!
//! A run tells what it met and what that depends on ([`FlowRecord`]). `ties` says which inputs belong together: those that one
//! condition depends on, and those that decide whether conditions of others are met in the middle of their own. Each thing met hangs under
//! the last earlier one that matters to it (`hang`), instead of under the one before; what lies between belongs to other inputs. An
//! alternative is opened only if it is new for what it hangs under. So every input stays symbolic, the tree and its path
//! conditions are as ever, and there are never more paths than without.
//!
//! What is known of ties and effects grows. When nothing is open, all runs are hung anew, runs that ended early are looked at (`cuts`),
//! and runs that knew less than is known now are executed again; only when that brings nothing is the campaign exhausted.
//!
//! *Invariant:* what a run says is followed completely, or nothing is left out from then on ([`Partition::give_up`]).

mod cuts;
mod hang;
mod report;
mod ties;

pub use report::{Block, PartitionReport, TieReport};

use crate::explorer::Work;
use hang::{Hung, Keys};
use rustc_hash::FxHashSet;
use spelunk_concolic::decision::{Choice, Decision};
use spelunk_concolic::theories::flow::{Atom, FlowRecord, Knowledge, NONE, Way};
use spelunk_concolic::{Input, Run};
use spelunk_ir::code::OpIdx;
use spelunk_vm::{Limit, Stop};
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use ties::Ties;

/// More would take too much memory.
const MAX_HUNG: usize = 1 << 24;

/// An alternative at a decision of a run.
#[derive(Clone, Copy, Debug)]
struct Alternative {
    decision: u32,
    choice: Choice,
    /// The decisions before, as a number.
    path: u64,
}

/// What is kept of a run.
#[derive(Debug)]
struct Kept {
    input: Arc<Input>,
    /// For each decision, those before as a number.
    paths: Vec<u64>,
    /// How many decisions it may take when it is executed again: one that was put aside stops where it did.
    patience: usize,
    hung: Vec<Hung>,
    opened: Vec<Alternative>,
    /// Left out because they were known.
    parked: Vec<Alternative>,
    /// Of a run that ended early: what it had met that may have ended it.
    blamed: Vec<u32>,
    effects_used: Vec<(u32, u64)>,
    /// Whether it is being executed again.
    is_under_way: bool,
}

/// What is to be done when nothing is open.
pub(crate) enum Task {
    Open(Work),
    /// The run of this number is to be executed again.
    Again(usize),
}

/// Workers take turns with it.
#[derive(Debug, Default)]
pub(crate) struct Partition {
    known_flow: Arc<Knowledge>,
    atoms: Vec<Atom>,
    n_bytes_tied: usize,
    ties: Ties,
    runs: Vec<Kept>,
    /// Which ways are known, by what they hang under.
    known: FxHashSet<(u64, Choice)>,
    /// The keys of the decisions of the run that is being entered.
    keys: Vec<u64>,
    /// Alternatives that were opened or taken, by the path before them.
    tried: FxHashSet<u64>,
    waiting: VecDeque<Work>,
    /// Runs up to here were executed with all that was known of effects at that version, if it is still the same.
    audited: (usize, u64),
    n_hung: usize,
    is_settled: bool,
    /// Whether its account was given.
    is_reported: bool,
    pub n_again: u64,
    pub given_up: Option<(OpIdx, String)>,
}

impl Partition {
    pub fn new(known_flow: &Arc<Knowledge>) -> Self {
        Self { known_flow: Arc::clone(known_flow), ..Self::default() }
    }

    /// Takes down a run before its alternatives are asked for.
    pub fn take(&mut self, run: &Run, record: FlowRecord) {
        self.is_settled = false;
        if let Some((site, why)) = &record.lost {
            self.give_up(*site, why.clone());
        }
        if self.given_up.is_some() {
            return;
        }
        let hung = self.hang_new(&record);
        let paths = path_hashes(&run.path);
        self.n_hung += hung.len();
        let keys = Keys::of(&mut self.ties, &hung);
        self.keys = vec![0; run.path.len()];
        for (met, &key) in hung.iter().zip(&keys.keys).filter(|it| it.0.decision != NONE) {
            self.keys[met.decision as usize] = key;
            self.known.insert((key, Choice::Key(met.way)));
        }
        for (decision, &path) in run.path.iter().zip(&paths) {
            self.tried.insert(hash(&(path, Choice::Key(decision.taken))));
        }
        let is_put_aside = matches!(run.stop, Stop::Limit(Limit::PutAside));
        self.runs.push(Kept {
            input: Arc::clone(&run.input),
            paths,
            patience: if is_put_aside { run.path.len().max(1) } else { usize::MAX },
            hung,
            opened: Vec::new(),
            parked: Vec::new(),
            blamed: record.blamed,
            effects_used: record.effects_used,
            is_under_way: false,
        });
        if self.n_hung > MAX_HUNG {
            self.give_up(crate::ledger::NOWHERE, "too much would have to be remembered".to_owned());
        }
    }

    /// Takes down what a run shows that is known already: inputs and effects may be new.
    pub fn learn(&mut self, record: &FlowRecord) {
        self.is_settled = false;
        match &record.lost {
            Some((site, why)) => self.give_up(*site, why.clone()),
            None => drop(self.hang_new(record)),
        }
    }

    /// Whether an alternative of the run that was taken down last is new.
    pub fn admits(&mut self, index: usize, choice: Choice) -> bool {
        let Some(kept) = self.runs.last_mut().filter(|_| self.given_up.is_none()) else { return true };
        let alternative = Alternative { decision: index as u32, choice, path: kept.paths[index] };
        if self.known.insert((self.keys[index], choice)) {
            self.tried.insert(hash(&(alternative.path, choice)));
            kept.opened.push(alternative);
            return true;
        }
        kept.parked.push(alternative);
        false
    }

    /// From now on nothing is left out, nor stays left out.
    pub fn give_up(&mut self, site: OpIdx, why: String) {
        if self.given_up.is_some() {
            return;
        }
        self.given_up = Some((site, why));
        for kept in std::mem::take(&mut self.runs) {
            for left_out in kept.parked {
                if self.tried.insert(hash(&(left_out.path, left_out.choice))) {
                    self.waiting.push_back(work(&kept.input, left_out));
                }
            }
        }
    }

    /// The next thing to do, if there is any.
    pub fn next(&mut self) -> Option<Task> {
        loop {
            if let Some(work) = self.waiting.pop_front() {
                return Some(Task::Open(work));
            }
            if self.given_up.is_some() {
                return None;
            }
            if std::mem::replace(&mut self.is_settled, true) {
                return self.next_outdated().map(Task::Again);
            }
            self.rehang();
            // What is opened may bring no run.
            self.is_settled = !self.find_cuts();
        }
    }

    /// A run that knew less of effects than is known now.
    fn next_outdated(&mut self) -> Option<usize> {
        loop {
            let version = self.known_flow.version();
            let is_audited = self.audited.0 == self.runs.len() && self.audited.1 == version;
            if is_audited || !self.known_flow.follows(Way::Audit) {
                return None;
            }
            let from = if self.audited.0 == self.runs.len() { 0 } else { self.audited.0 };
            if from == 0 {
                self.audited.1 = version;
            }
            let Self { runs, known_flow, .. } = self;
            let is_outdated = |kept: &Kept| !kept.is_under_way && known_flow.is_outdated(&kept.effects_used);
            let found = runs[from..].iter().position(is_outdated).map(|at| from + at);
            self.audited.0 = found.map_or(self.runs.len(), |number| number + 1);
            if let Some(number) = found {
                self.runs[number].is_under_way = true;
                return Some(number);
            }
        }
    }

    /// Some of what is to be opened, for a worker that has nothing to do. Nothing if there is little.
    pub fn give_away(&mut self) -> Option<Work> {
        if self.waiting.len() < 2 { None } else { self.waiting.pop_front() }
    }

    /// The input of a run, and how many decisions it may take. Nothing if that is of no use any more.
    pub fn input_of(&self, run: usize) -> Option<(Arc<Input>, usize)> {
        self.runs.get(run).map(|kept| (Arc::clone(&kept.input), kept.patience))
    }

    /// A run was executed again.
    pub fn replace(&mut self, number: usize, record: FlowRecord) {
        self.n_again += 1;
        if let Some((site, why)) = &record.lost {
            return self.give_up(*site, why.clone());
        }
        if self.given_up.is_some() {
            return;
        }
        let hung = self.hang_new(&record);
        let kept = &mut self.runs[number];
        kept.is_under_way = false;
        kept.effects_used = record.effects_used;
        kept.blamed = record.blamed;
        if kept.hung != hung {
            self.is_settled = false;
            kept.hung = hung;
        }
        self.is_settled &= !self.ties.take_change();
    }

    /// Makes what a run has met a part of what is known of ties.
    fn hang_new(&mut self, record: &FlowRecord) -> Vec<Hung> {
        let Self { known_flow, atoms, ties, n_bytes_tied, .. } = self;
        known_flow.news(atoms.len(), *n_bytes_tied, |new, tied| {
            atoms.extend_from_slice(new);
            ties.resize(atoms.len());
            *n_bytes_tied += tied.len();
            tied.iter().for_each(|&(a, b, site, why)| ties.unite(a, b, (site, why.into())));
        });
        let hung = hang::hung(&mut self.ties, &record.met);
        hang::tie_regions(&mut self.ties, &hung);
        hung
    }

    /// Finds out again what hangs under what, and opens what is new by what is known now.
    fn rehang(&mut self) {
        loop {
            self.ties.take_change();
            self.runs.iter().for_each(|kept| hang::tie_regions(&mut self.ties, &kept.hung));
            if !self.ties.take_change() {
                break;
            }
        }
        self.known.clear();
        let mut keys: Vec<Vec<u64>> = Vec::with_capacity(self.runs.len());
        for kept in &self.runs {
            let all = Keys::of(&mut self.ties, &kept.hung);
            let mut here = vec![0; kept.paths.len()];
            for (met, &key) in kept.hung.iter().zip(&all.keys).filter(|it| it.0.decision != NONE) {
                here[met.decision as usize] = key;
                self.known.insert((key, Choice::Key(met.way)));
            }
            self.known.extend(kept.opened.iter().map(|it| (here[it.decision as usize], it.choice)));
            keys.push(here);
        }
        for (kept, keys) in self.runs.iter_mut().zip(&keys) {
            let Kept { parked, opened, input, .. } = kept;
            parked.retain(|&left_out| {
                let is_new = self.known.insert((keys[left_out.decision as usize], left_out.choice));
                if is_new {
                    opened.push(left_out);
                    if self.tried.insert(hash(&(left_out.path, left_out.choice))) {
                        self.waiting.push_back(work(input, left_out));
                    }
                }
                !is_new
            });
        }
    }
}

fn work(input: &Arc<Input>, alternative: Alternative) -> Work {
    Work { input: Input::clone(input), depth: alternative.decision, choice: alternative.choice }
}

/// For each decision, those before it as a number.
fn path_hashes(path: &[Decision]) -> Vec<u64> {
    let mut before = 0;
    let each = path.iter().map(|decision| {
        let here = before;
        before = hash(&(before, decision.site, decision.taken));
        here
    });
    each.collect()
}

/// The same in every run. Not the fast one: it makes zero of zeros, and these numbers stand for pasts.
fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
