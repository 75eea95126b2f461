//! Leaks: heap objects that the program can no longer reach.
//!
//! Any word in the registers of a live frame, or at any offset of an object, counts as a pointer if its high half is the
//! number of a heap object. Numbers are large and rarely look like data, so little is missed by that.

use crate::bug::{Bug, BugKind};
use crate::machine::Machine;
use crate::memory::{Memory, ObjectId, object_of};
use crate::trace::TraceId;
use crate::vm::Vm;
use crate::words::{a_sized, plural};
use rustc_hash::FxHashMap;

impl<M: Machine> Vm<'_, M> {
    /// One error for each place that allocated heap objects which are now lost, oldest first. Objects that only lost ones
    /// point to are counted, not told one by one.
    pub fn leaks(&self) -> Vec<Bug> {
        let mut search = Search::new(&self.memory);
        let n_used = self.frames.last().map_or(0, |frame| (frame.base + frame.n_slots) as usize);
        search.reach(self.regs[..n_used].iter().map(|slot| object_of(slot.val)).collect());
        let in_roots = self.memory.live_roots().flat_map(|root| pointers(&self.memory, root));
        search.reach(in_roots.filter(|&target| search.is_unreached(target)).collect());
        search.losses().iter().map(|loss| self.leak(loss)).collect()
    }

    fn leak(&self, loss: &Loss) -> Bug {
        let bytes = plural(loss.n_bytes, "byte");
        let mut message = match loss.n_objects {
            1 => format!("{} heap object was never freed", a_sized(loss.n_bytes)),
            n => format!("{n} heap objects of {bytes} in all were never freed"),
        };
        if loss.n_behind > 0 {
            message += &format!(", nor {} that nothing else points to", plural(loss.n_behind, "object"));
        }
        Bug {
            kind: BugKind::Leak,
            message,
            trace: self.traces.ops(loss.born).collect(),
            notes: Vec::new(),
            stays_in: None,
            beyond: None,
        }
    }
}

/// What was lost of the objects that were allocated at one place.
struct Loss {
    born: TraceId,
    n_objects: u64,
    n_bytes: u64,
    /// Objects that only these led to.
    n_behind: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// Not a live heap object.
    Other,
    Unreached,
    Reached,
}

struct Search<'m> {
    memory: &'m Memory,
    /// Indexed by `ObjectId`, up to the last live heap object.
    marks: Vec<Mark>,
}

impl<'m> Search<'m> {
    fn new(memory: &'m Memory) -> Self {
        let n_objects = memory.live_heap().last().map_or(0, |id| id.0 as usize + 1);
        let mut marks = vec![Mark::Other; n_objects];
        for id in memory.live_heap() {
            marks[id.0 as usize] = Mark::Unreached;
        }
        Self { memory, marks }
    }

    fn is_unreached(&self, id: ObjectId) -> bool {
        self.marks.get(id.0 as usize) == Some(&Mark::Unreached)
    }

    /// Marks what these objects lead to, themselves included; how many were new.
    fn reach(&mut self, mut pending: Vec<ObjectId>) -> u64 {
        let mut n_new = 0;
        while let Some(id) = pending.pop() {
            if self.is_unreached(id) {
                self.marks[id.0 as usize] = Mark::Reached;
                n_new += 1;
                pending.extend(pointers(self.memory, id).filter(|&target| self.is_unreached(target)));
            }
        }
        n_new
    }

    /// What is unreached now. Objects that nothing points to come first; after them, only cycles are left.
    fn losses(mut self) -> Vec<Loss> {
        let lost: Vec<ObjectId> = self.memory.live_heap().filter(|&id| self.is_unreached(id)).collect();
        let mut pointed_at = vec![false; self.marks.len()];
        for &id in &lost {
            for target in pointers(self.memory, id).filter(|&target| target != id && self.is_unreached(target)) {
                pointed_at[target.0 as usize] = true;
            }
        }
        let (inner, heads): (Vec<ObjectId>, Vec<ObjectId>) = lost.iter().partition(|id| pointed_at[id.0 as usize]);

        let mut losses: Vec<Loss> = Vec::new();
        let mut by_place: FxHashMap<TraceId, usize> = FxHashMap::default();
        for id in heads.into_iter().chain(inner) {
            let n_new = self.reach(vec![id]);
            if n_new == 0 {
                continue;
            }
            let object = self.memory.object(id);
            let idx = *by_place.entry(object.born()).or_insert_with(|| {
                losses.push(Loss { born: object.born(), n_objects: 0, n_bytes: 0, n_behind: 0 });
                losses.len() - 1
            });
            losses[idx].n_objects += 1;
            losses[idx].n_bytes += object.size();
            losses[idx].n_behind += n_new - 1;
        }
        losses
    }
}

/// What the words of an object would point to, at any alignment.
fn pointers(memory: &Memory, id: ObjectId) -> impl Iterator<Item = ObjectId> + '_ {
    let words = memory.object(id).data().windows(8);
    words.map(|word| object_of(u64::from_le_bytes(word.try_into().expect("eight bytes"))))
}
