//! What of the input bytes was the input of a run, and what bounds it met.

use super::{Grouped, InputBytes, Made, MadeRole};
use crate::graph::heap::{Kind, NodeId};
use crate::input::Input;
use crate::ledger::Bound;
use crate::variables::InputPlace;
use rustc_hash::FxHashSet;
use spelunk_vm::memory::ObjectId;

impl InputBytes {
    /// The input that the run really had: all objects that it made, whole; of a graph only those that can be reached.
    pub fn used(&self) -> Input {
        let (heap, reached) = (&self.heap, self.reached());
        let is_used = |made: &Made| {
            heap.node(made.node).kind == Kind::Asked
                || reached.contains(&made.node) && (!heap.is_optional(made.node) || self.was_read(*made))
        };
        let objects = self.made.iter().filter(|made| made.role == MadeRole::Object).filter(|made| is_used(made));
        Input { objects: objects.map(|&made| heap.as_input(made.node, self.counted(made))).collect() }
    }

    /// The leaves of objects, each with whether the run has read it. Elements of arrays are not told apart.
    pub fn leaves(&self) -> impl Iterator<Item = (InputPlace, bool)> + '_ {
        let objects = self.made.iter().filter(|made| made.role == MadeRole::Object);
        objects.flat_map(move |&made| {
            let leaves = &self.heap.layouts().get(self.heap.node(made.node).layout).leaves;
            let inside = leaves.iter().take_while(move |leaf| leaf.offset + leaf.n_bytes <= made.len);
            inside.map(move |leaf| {
                let place = InputPlace { object: made.node, offset: leaf.offset, n_bytes: leaf.n_bytes };
                (place, !self.are_fresh(made.first + leaf.offset, leaf.n_bytes))
            })
        })
    }

    /// Whether the run has looked at any byte of an object.
    fn was_read(&self, made: Made) -> bool {
        let states = &self.states[made.first as usize..(made.first + made.len) as usize];
        states.iter().any(|state| !state.expr.is_none())
    }

    /// The bounds of strings and arrays that the run may have been cut off by: it has looked at the last character of a
    /// string, which is not its end, or at the number that counts elements.
    pub fn bounds_met(&self) -> impl Iterator<Item = Bound> + '_ {
        let heap = &self.heap;
        self.made.iter().filter_map(move |made| {
            let node = heap.node(made.node);
            let is_string = node.n_after > 0;
            let is_short = node.is_elastic() && made.len == node.count;
            let is_met = match (made.counted_by, node.counted_by) {
                (Some(count), Some(counter)) => {
                    !heap.is_fixed(counter.node, counter.offset) && !self.are_fresh(count.first, count.n_bytes)
                }
                _ if !is_string => false,
                _ => {
                    made.len == 0 || !is_short && self.is_searched_to_end(made) || {
                        let last = made.first + made.len - 1;
                        self.known(last).is_some() && self.byte(last) != 0
                    }
                }
            };
            is_met.then_some(if is_string { Bound::String(made.len) } else { Bound::Array(node.count) })
        })
    }

    /// The bound of a string that the run has read past the end of.
    pub fn bound_of_string(&self, object: ObjectId) -> Option<Bound> {
        let made = self.of_node(self.heap.node_of(object)?)?;
        (self.heap.node(made.node).n_after > 0).then_some(Bound::String(made.len))
    }

    /// The bound of a string, if this is its last character.
    pub fn end_of_string(&self, place: InputPlace) -> Option<Bound> {
        let made = self.of_node(place.object)?;
        let is_string = self.heap.node(made.node).n_after > 0;
        (is_string && place.offset + place.n_bytes >= made.len).then_some(Bound::String(made.len))
    }

    /// Whether how large objects are may be another for other inputs that decide the same.
    pub fn has_varying_sizes(&self) -> bool {
        self.has_long() || self.made.iter().any(|made| made.counted_by.is_some())
    }

    /// Whether a string is longer than usual without a decision that says so.
    pub fn has_undecided_long(&self) -> bool {
        let is_long =
            |made: &&Made| self.heap.node(made.node).is_elastic() && made.len > self.heap.node(made.node).count;
        self.has_long() && self.made.iter().filter(is_long).any(|made| !self.is_searched_to_end(made))
    }

    /// Whether something was looked for in an object up to its end.
    fn is_searched_to_end(&self, made: &Made) -> bool {
        let end = made.first + made.len;
        let is_in = |grouped: &&Grouped| grouped.first >= made.first && grouped.first + grouped.n_bytes == end;
        self.grouped.iter().filter(|grouped| grouped.is_search()).any(|grouped| is_in(&grouped))
    }

    /// Those of an object's bytes that belong to it in this run.
    fn counted(&self, made: Made) -> &[u8] {
        let heap = &self.heap;
        let bytes = self.bytes(made);
        let Some(count) = made.counted_by else { return bytes };
        let size = self.count(count).saturating_mul(u64::from(heap.layouts().get(heap.node(made.node).layout).size));
        &bytes[..bytes.len().min(usize::try_from(size).unwrap_or(usize::MAX))]
    }

    /// The objects that those lead to which no pointer owns.
    fn reached(&self) -> FxHashSet<NodeId> {
        let heap = &self.heap;
        let roots = self.made.iter().map(|made| made.node).filter(|&node| heap.node(node).is_root());
        let mut waiting: Vec<NodeId> = roots.collect();
        let mut reached: FxHashSet<NodeId> = waiting.iter().copied().collect();
        while let Some(node) = waiting.pop() {
            let Some(made) = self.of_node(node) else { continue };
            let n_bytes = self.counted(made).len();
            for offset in heap.pointer_offsets(node).filter(|&offset| (offset as usize) < n_bytes) {
                if let Some((target, _)) = heap.node_at(self.word(made.first + offset))
                    && reached.insert(target)
                {
                    waiting.push(target);
                }
            }
        }
        reached
    }
}
