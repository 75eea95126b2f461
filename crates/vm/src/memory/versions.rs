//! Versions of memory as a tree, and the differences between them.
//!
//! The current state is always plain arrays; a version is reached from it by differences. Versions form a tree that hangs
//! from the current state: each has the difference that leads to it from the next one on the way there. Going to a version
//! turns the differences on the way around (Baker's rerooting), so it costs what changed in between.
//!
//! What is done to the objects themselves, and when a change is recorded, is in `history`.

use super::delta::Delta;
use super::graveyard::Graveyard;
use super::log::Log;
use super::object::Object;
use super::shadow::Shadow;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, PoisonError};

/// A state of memory that can be brought back. It is kept until this is dropped.
#[derive(Debug)]
pub struct Version {
    pub(super) id: VersionId,
    released: Released,
}

/// Versions that were dropped since the memory last looked.
type Released = Arc<Mutex<Vec<VersionId>>>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct VersionId(u32);

impl Drop for Version {
    fn drop(&mut self) {
        self.released.lock().unwrap_or_else(PoisonError::into_inner).push(self.id);
    }
}

#[derive(Debug, Default)]
pub(super) struct Versions {
    nodes: Vec<Option<Node>>,
    vacant: Vec<VersionId>,
    /// The version that the current state came from.
    pub head: Option<VersionId>,
    /// From the current state to `head`.
    pub log: Log,
    /// How many objects `head` has: others need not be recorded.
    n_shared: usize,
    /// What all differences but the log take.
    footprint: u64,
    released: Released,
}

#[derive(Debug)]
struct Node {
    /// How many `Version`s there are of it.
    n_pins: u32,
    census: Census,
    /// The next version on the way to the current state; none if this is `head`.
    next: Option<VersionId>,
    /// From `next` to this one.
    delta: Delta,
    /// The versions whose `next` this is.
    before: SmallVec<[VersionId; 2]>,
}

/// All of a state that is not in its objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Census {
    pub n_objects: usize,
    pub used: u64,
    pub dead_heap: Graveyard,
    pub dead_stack: Graveyard,
}

impl Versions {
    fn node(&self, id: VersionId) -> &Node {
        self.nodes[id.0 as usize].as_ref().expect("a version that is there")
    }

    fn node_mut(&mut self, id: VersionId) -> &mut Node {
        self.nodes[id.0 as usize].as_mut().expect("a version that is there")
    }

    pub fn census(&self, id: VersionId) -> Census {
        self.node(id).census
    }

    pub fn owns(&self, version: &Version) -> bool {
        Arc::ptr_eq(&self.released, &version.released)
    }

    /// Whether the object of that index is to be recorded when it changes for the first time.
    pub fn shares(&self, idx: usize) -> bool {
        idx < self.n_shared
    }

    /// What all versions together take.
    pub fn footprint(&self) -> u64 {
        self.footprint + self.log.delta().footprint()
    }

    /// The differences that lead from the current state to a version, the last one first.
    pub fn deltas_since(&self, id: VersionId) -> impl Iterator<Item = &Delta> {
        let way = std::iter::successors(Some(self.node(id)), |node| node.next.map(|next| self.node(next)));
        way.map(|node| &node.delta).chain([self.log.delta()])
    }

    /// Shadows as other versions have them.
    pub fn shadows(&self) -> impl Iterator<Item = &Shadow> {
        let deltas = self.nodes.iter().flatten().map(|node| &node.delta);
        deltas.chain([self.log.delta()]).flat_map(Delta::shadows)
    }

    /// One more of `head`.
    pub fn pin(&mut self, id: VersionId) -> Version {
        self.node_mut(id).n_pins += 1;
        Version { id, released: Arc::clone(&self.released) }
    }

    /// The current state becomes a version, and `head`.
    pub fn add(&mut self, census: Census, objects: &[Object]) -> VersionId {
        let id = self.vacant.pop().unwrap_or_else(|| {
            self.nodes.push(None);
            VersionId(u32::try_from(self.nodes.len() - 1).expect("fewer versions than bytes of memory"))
        });
        let before = self.head.into_iter().collect();
        self.nodes[id.0 as usize] = Some(Node { n_pins: 0, census, next: None, delta: Delta::default(), before });
        if let Some(previous) = self.head {
            let delta = std::mem::take(&mut self.log).close(objects);
            self.put_delta(previous, delta);
            self.node_mut(previous).next = Some(id);
        }
        self.set_head(Some(id));
        id
    }

    fn set_head(&mut self, head: Option<VersionId>) {
        self.head = head;
        self.n_shared = head.map_or(0, |head| self.node(head).census.n_objects);
    }

    fn take_delta(&mut self, id: VersionId) -> Delta {
        let delta = std::mem::take(&mut self.node_mut(id).delta);
        self.footprint -= delta.footprint();
        delta
    }

    fn put_delta(&mut self, id: VersionId, delta: Delta) {
        self.footprint += delta.footprint();
        self.node_mut(id).delta = delta;
    }

    /// `id` becomes `head`. The current state must be that of `head`; `change` makes it that of a version just before, and
    /// returns the way back.
    pub fn go_to(&mut self, id: VersionId, mut change: impl FnMut(Delta, Census) -> Delta) {
        let mut way: SmallVec<[VersionId; 8]> = SmallVec::new();
        let mut at = Some(id);
        while let Some(id) = at {
            way.push(id);
            at = self.node(id).next;
        }
        for (&to, &from) in way.iter().zip(&way[1..]).rev() {
            let inverse = change(self.take_delta(to), self.node(to).census);
            self.put_delta(from, inverse);
            let node = self.node_mut(from);
            node.next = Some(to);
            node.before.retain(|before| *before != to);
            let node = self.node_mut(to);
            node.next = None;
            node.before.push(from);
        }
        self.set_head(Some(id));
        // What was passed may be at an end of the tree now.
        for &passed in &way[1..] {
            if self.nodes[passed.0 as usize].is_some() {
                self.prune(passed, &mut |_| unreachable!("`head` is wanted, so it stays"));
            }
        }
    }

    /// Forgets the versions that were dropped. `logged` is told of changes that are part of the log from here on.
    pub fn collect_released(&mut self, mut logged: impl FnMut(&Delta)) {
        let released = std::mem::take(&mut *self.released.lock().unwrap_or_else(PoisonError::into_inner));
        for id in released {
            self.node_mut(id).n_pins -= 1;
            self.prune(id, &mut logged);
        }
    }

    /// Removes a version that nobody wants, if it does not join others.
    fn prune(&mut self, id: VersionId, logged: &mut impl FnMut(&Delta)) {
        let mut candidate = Some(id);
        while let Some(id) = candidate {
            let node = self.node(id);
            if node.n_pins > 0 {
                return;
            }
            let next = node.next;
            match node.before[..] {
                [] => {
                    self.remove(id);
                    match next {
                        Some(next) => self.node_mut(next).before.retain(|before| *before != id),
                        None => {
                            self.log = Log::default();
                            self.set_head(None);
                        }
                    }
                    candidate = next;
                }
                [before] => {
                    let n_objects = self.node(before).census.n_objects;
                    let delta = self.take_delta(before);
                    match next {
                        Some(next) => {
                            let sum = self.take_delta(id).then(delta, n_objects);
                            self.put_delta(before, sum);
                            self.node_mut(next).before.iter_mut().filter(|it| **it == id).for_each(|it| *it = before);
                        }
                        None => {
                            logged(&delta);
                            let mut log = std::mem::take(&mut self.log).into_delta();
                            log.close();
                            self.log = Log::resume(log.then(delta, n_objects));
                            self.set_head(Some(before));
                        }
                    }
                    self.node_mut(before).next = next;
                    self.remove(id);
                    return;
                }
                _ => return,
            }
        }
    }

    fn remove(&mut self, id: VersionId) {
        self.take_delta(id);
        self.nodes[id.0 as usize] = None;
        self.vacant.push(id);
    }
}
