//! Runs that ended early: what other inputs would have done behind the end was not seen. What a block has done is *stuck* if all runs that
//! did the same ended before it went on: it is tried together with other ways of all that may have ended them, until one goes on.

use super::hang::Keys;
use super::{Alternative, Partition, hash, work};
use rustc_hash::FxHashMap;
use spelunk_concolic::decision::Choice;
use spelunk_concolic::theories::flow::{NONE, Way};
use std::collections::BTreeSet;

/// Something that a run has met: by number, both.
type InRun = (usize, u32);

/// Where runs have gone.
struct Gone {
    /// What is known of each decision, by key.
    choices: FxHashMap<u64, Vec<Choice>>,
    /// The runs that came to a decision and went one way.
    runs: FxHashMap<(u64, u64), Vec<usize>>,
}

impl Partition {
    /// Opens something for all that is stuck. The answer is whether there was anything to open.
    pub(super) fn find_cuts(&mut self) -> bool {
        if self.runs.iter().all(|kept| kept.blamed.is_empty()) || !self.known_flow.follows(Way::Cuts) {
            return false;
        }
        let all: Vec<Keys> = self.runs.iter().map(|kept| Keys::of(&mut self.ties, &kept.hung)).collect();
        let stuck = self.stuck(&all);
        if stuck.is_empty() {
            return false;
        }
        let gone = self.gone(&all);
        let before = self.waiting.len();
        for ends in stuck {
            if let Some((number, alternative)) = self.way_on(&all, &gone, &ends) {
                self.waiting.push_back(work(&self.runs[number].input, alternative));
            }
        }
        self.waiting.len() > before
    }

    /// What blocks did last, where that is so in all runs that did it: in which runs that was.
    fn stuck(&mut self, all: &[Keys]) -> Vec<Vec<InRun>> {
        let mut stuck: FxHashMap<u64, Vec<InRun>> = FxHashMap::default();
        let mut goes_on = Vec::new();
        for (number, keys) in all.iter().enumerate() {
            let Self { runs, ties, .. } = self;
            let kept = &runs[number];
            let mut last: FxHashMap<u32, u32> = FxHashMap::default();
            for (met, hung) in (0..).zip(&kept.hung).filter(|it| it.1.atom != NONE) {
                let before = last.insert(ties.find(hung.atom), met);
                goes_on
                    .extend(before.map(|before| hash(&(keys.keys[before as usize], kept.hung[before as usize].way))));
            }
            for met in last.into_values() {
                let done = hash(&(keys.keys[met as usize], kept.hung[met as usize].way));
                match kept.blamed.is_empty() {
                    true => goes_on.push(done),
                    false => stuck.entry(done).or_default().push((number, met)),
                }
            }
        }
        for done in goes_on {
            stuck.remove(&done);
        }
        let mut stuck: Vec<Vec<InRun>> = stuck.into_values().collect();
        stuck.sort_unstable();
        stuck
    }

    fn gone(&self, all: &[Keys]) -> Gone {
        let mut gone = Gone { choices: FxHashMap::default(), runs: FxHashMap::default() };
        for &(key, choice) in &self.known {
            gone.choices.entry(key).or_default().push(choice);
        }
        gone.choices.values_mut().for_each(|choices| choices.sort_unstable_by_key(|&choice| as_number(choice)));
        for (number, (kept, keys)) in self.runs.iter().zip(all).enumerate() {
            for (hung, &key) in kept.hung.iter().zip(&keys.keys).filter(|it| it.0.decision != NONE) {
                gone.runs.entry((key, hung.way)).or_default().push(number);
            }
        }
        gone
    }

    /// An alternative that nobody has tried, for what a block did last in these runs: what may have ended one of them goes another
    /// way; or a run in which it did goes, in this block, the way of that one.
    fn way_on(&mut self, all: &[Keys], gone: &Gone, ends: &[InRun]) -> Option<(usize, Alternative)> {
        for &(number, last) in ends {
            let kept = &self.runs[number];
            let block = self.ties.find(kept.hung[last as usize].atom);
            for met in blamed(&kept.blamed, &all[number]).into_iter().rev() {
                let (hung, key) = (&self.runs[number].hung[met as usize], all[number].keys[met as usize]);
                let is_own = hung.atom != NONE && self.ties.find(hung.atom) == block;
                let Some(choices) = gone.choices.get(&key).filter(|_| hung.decision != NONE && !is_own) else {
                    continue;
                };
                let (decision, taken) = (hung.decision, Choice::Key(hung.way));
                for &choice in choices.iter().filter(|&&choice| choice != taken) {
                    if is_listed(choices, choice)
                        && let Some(untried) = self.untried(number, decision, choice)
                    {
                        return Some((number, untried));
                    }
                    let Choice::Key(way) = choice else { continue };
                    for &other in gone.runs.get(&(key, way)).into_iter().flatten() {
                        if let Some(untried) = self.towards(all, gone, (other, number), block) {
                            return Some((other, untried));
                        }
                    }
                }
            }
        }
        None
    }

    /// Where a run leaves the way that a block goes in another.
    fn towards(&mut self, all: &[Keys], gone: &Gone, (from, to): (usize, usize), block: u32) -> Option<Alternative> {
        let mut of_block = |number: usize| -> Vec<u32> {
            let hung = (0..).zip(&self.runs[number].hung).filter(|it| it.1.atom != NONE);
            hung.filter(|it| self.ties.find(it.1.atom) == block).map(|it| it.0).collect()
        };
        for (here, there) in of_block(from).into_iter().zip(of_block(to)) {
            let key = all[from].keys[here as usize];
            let (hung, wanted) = (&self.runs[from].hung[here as usize], &self.runs[to].hung[there as usize]);
            if key != all[to].keys[there as usize] {
                return None;
            }
            if hung.way != wanted.way {
                let choices = gone.choices.get(&key).filter(|_| hung.decision != NONE)?;
                let choice = Choice::Key(wanted.way);
                let choice = if is_listed(choices, choice) { choice } else { Choice::Rest };
                return self.untried(from, hung.decision, choice);
            }
        }
        None
    }

    fn untried(&mut self, number: usize, decision: u32, choice: Choice) -> Option<Alternative> {
        let path = self.runs[number].paths[decision as usize];
        self.tried.insert(hash(&(path, choice))).then_some(Alternative { decision, choice, path })
    }
}

/// All that matters to what may have ended a run.
fn blamed(first: &[u32], keys: &Keys) -> BTreeSet<u32> {
    let mut all = BTreeSet::new();
    for &met in first {
        let mut at = met;
        while at != NONE && all.insert(at) {
            at = keys.under[at as usize];
        }
    }
    all
}

/// Whether a decision has this alternative by itself. Where there are too many to be listed, there is only [`Choice::Rest`].
fn is_listed(choices: &[Choice], choice: Choice) -> bool {
    choice == Choice::Rest || !choices.contains(&Choice::Rest)
}

fn as_number(choice: Choice) -> (bool, u64) {
    match choice {
        Choice::Key(number) => (false, number),
        Choice::Rest => (true, 0),
    }
}
