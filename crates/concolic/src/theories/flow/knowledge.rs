//! What the runs of a campaign have shown, whichever worker ran them: which inputs there are, what lies in the same memory, and what branches
//! and writes may change.

use super::places::Affected;
use super::record::{Atom, Shared};
use super::ways::Way;
use crate::key::ObjectKey;
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_ir::code::OpIdx;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug, Default)]
pub struct Knowledge {
    /// For tests of the tests.
    ignored: Option<Way>,
    inputs: Mutex<Inputs>,
    effects: Mutex<Effects>,
}

impl Knowledge {
    /// Does not follow information on one of its ways, and so misses things.
    #[doc(hidden)]
    pub fn without(way: Way) -> Self {
        Self { ignored: Some(way), ..Self::default() }
    }

    pub fn follows(&self, way: Way) -> bool {
        self.ignored != Some(way)
    }

    /// Calls back with inputs and ties beyond the first of each.
    pub fn news(&self, n_atoms: usize, n_ties: usize, take: impl FnOnce(&[Atom], &[Tie])) {
        let inputs = self.inputs();
        take(&inputs.all[n_atoms..], &inputs.ties[n_ties..]);
    }

    /// Whether more is known of some effects than when they were used ([`FlowRecord::effects_used`](super::FlowRecord)).
    pub fn is_outdated(&self, used: &[(u32, u64)]) -> bool {
        let effects = self.effects();
        used.iter().any(|&(number, seen)| effects.kinds[number as usize].grown_at > seen)
    }

    /// Changes whenever more is known of effects.
    pub fn version(&self) -> u64 {
        self.effects().version
    }

    pub(super) fn inputs(&self) -> MutexGuard<'_, Inputs> {
        self.inputs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn effects(&self) -> MutexGuard<'_, Effects> {
        self.effects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Two inputs that belong together, and where that was seen.
pub type Tie = (u32, u32, OpIdx, Shared);

/// Which variable an input is, in all pools.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Identity {
    pub key: Option<Arc<ObjectKey>>,
    pub offset: u32,
    pub n_bytes: u32,
    /// Of a variable that is no bytes.
    pub name: Option<String>,
}

/// Inputs by number. Those that share bytes are tied, and so is what lies behind pointers that are compared.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    numbers: FxHashMap<Identity, u32>,
    all: Vec<Atom>,
    by_byte: FxHashMap<(Arc<ObjectKey>, u32), u32>,
    /// By object: an input that depends on all of its bytes.
    of_whole: FxHashMap<Arc<ObjectKey>, u32>,
    by_object: FxHashMap<Arc<ObjectKey>, Vec<u32>>,
    /// What lies behind these pointers is one with them.
    related: Vec<(ObjectKey, u32)>,
    /// The first input that rules for heaps speak of.
    of_rules: Option<u32>,
    ties: Vec<Tie>,
}

impl Inputs {
    /// The number of an input.
    pub fn number(&mut self, identity: Identity, name: impl FnOnce() -> String, site: OpIdx) -> u32 {
        if let Some(&known) = self.numbers.get(&identity) {
            return known;
        }
        let atom = self.all.len() as u32;
        self.numbers.insert(identity.clone(), atom);
        let Identity { key, offset, n_bytes, name: is_derived } = identity;
        self.all.push(Atom { key: key.clone(), offset, n_bytes, name: name() });
        let Some(key) = key else { return atom };
        self.tie_neighbours(&key, atom, site);
        if is_derived.is_some() {
            let whole = *self.of_whole.entry(Arc::clone(&key)).or_insert(atom);
            self.tie(whole, atom, site);
            let others = self.by_object.get(&key).cloned().unwrap_or_default();
            others.into_iter().for_each(|other| self.tie(other, atom, site));
        }
        for byte in offset..offset + n_bytes {
            let first = *self.by_byte.entry((Arc::clone(&key), byte)).or_insert(atom);
            self.tie(first, atom, site);
        }
        atom
    }

    fn tie_neighbours(&mut self, key: &Arc<ObjectKey>, atom: u32, site: OpIdx) {
        self.by_object.entry(Arc::clone(key)).or_default().push(atom);
        if let Some(&whole) = self.of_whole.get(key) {
            self.tie(whole, atom, site);
        }
        let above: Vec<u32> = self.related.iter().filter(|(top, _)| is_below(key, top)).map(|it| it.1).collect();
        above.into_iter().for_each(|pointer| self.tie(pointer, atom, site));
    }

    /// A pointer is compared with another: what it leads to may be one with what others lead to.
    pub fn relate(&mut self, top: ObjectKey, pointer: u32, site: OpIdx) {
        if self.related.iter().any(|(known, _)| *known == top) {
            return;
        }
        let is_there = |atom: &Atom| atom.key.as_ref().is_some_and(|key| is_below(key, &top));
        let below: Vec<u32> = (0..).zip(&self.all).filter(|it| is_there(it.1)).map(|it| it.0).collect();
        below.into_iter().for_each(|atom| self.tie(pointer, atom, site));
        self.related.push((top, pointer));
    }

    /// Rules for heaps speak of an input: what they allow depends on all of these.
    pub fn tie_by_rules(&mut self, atom: u32, site: OpIdx) {
        let first = *self.of_rules.get_or_insert(atom);
        if first != atom {
            self.ties.push((first, atom, site, Shared::Rules));
        }
    }

    fn tie(&mut self, a: u32, b: u32, site: OpIdx) {
        if a != b {
            self.ties.push((a, b, site, Shared::Memory));
        }
    }
}

/// Whether pointers lead from one object to another, or it is that object.
fn is_below(key: &ObjectKey, top: &ObjectKey) -> bool {
    key.root == top.root && key.through.starts_with(&top.through)
}

/// What branches and writes of one kind have changed in some run: what a run that went another way left out depends on them too.
#[derive(Debug, Default)]
pub(super) struct Effects {
    numbers: FxHashMap<u64, u32>,
    kinds: Vec<Changed>,
    version: u64,
    objects: FxHashMap<Arc<ObjectKey>, u32>,
    keys: Vec<Arc<ObjectKey>>,
}

#[derive(Debug, Default)]
struct Changed {
    places: FxHashSet<Affected>,
    grown_at: u64,
}

impl Effects {
    pub fn number(&mut self, kind: u64) -> u32 {
        let next = self.kinds.len() as u32;
        let number = *self.numbers.entry(kind).or_insert(next);
        if number == next {
            self.kinds.push(Changed::default());
        }
        number
    }

    /// Adds to what is known. The answer is when it last grew.
    pub fn learn(&mut self, number: u32, places: impl IntoIterator<Item = Affected>) -> u64 {
        let known = &mut self.kinds[number as usize];
        let before = known.places.len();
        known.places.extend(places);
        if known.places.len() > before {
            self.version += 1;
            known.grown_at = self.version;
        }
        known.grown_at
    }

    pub fn of(&self, number: u32) -> &FxHashSet<Affected> {
        &self.kinds[number as usize].places
    }

    /// An object of the input, which has other numbers in other pools.
    pub fn object(&mut self, key: &Arc<ObjectKey>) -> u32 {
        let next = self.keys.len() as u32;
        let number = *self.objects.entry(Arc::clone(key)).or_insert(next);
        if number == next {
            self.keys.push(Arc::clone(key));
        }
        number
    }

    pub fn key(&self, object: u32) -> &ObjectKey {
        &self.keys[object as usize]
    }
}
