//! Which objects may be part of which others, by their types.

use super::heap::{Counter, Heap, Node, NodeId};
use super::layout::Count;
use smallvec::SmallVec;

impl Heap {
    /// Whether an object may be a part of another one, so many bytes from its start.
    pub fn is_part(&self, inner: NodeId, outer: NodeId, at: i64) -> bool {
        let (inner, outer) = (self.node(inner), self.node(outer));
        if inner.layout == outer.layout && inner.count == outer.count {
            return at == 0 && are_counted_alike(inner, outer);
        }
        // Whether a place is one of theirs would depend on how many there are.
        if inner.counted_by.is_some() || outer.counted_by.is_some() {
            return false;
        }
        // Strings end where they end.
        let size = i64::from(self.layouts().get(outer.layout).size.max(1));
        if inner.n_after > 0
            || outer.n_after > 0
            || at < 0
            || at / size + i64::from(inner.count) > i64::from(outer.count)
        {
            return false;
        }
        let within = (at % size) as u32;
        let mut places = self.layouts().places_in(inner.layout, outer.layout);
        (inner.layout == outer.layout || inner.count == 1) && places.any(|place| place == within)
    }

    /// The objects that have the pointers which two objects are named after, and where, if these objects can only be the same
    /// if those pointers are: each has the number of elements beside it.
    pub fn holders(&self, a: NodeId, b: NodeId) -> Option<[(NodeId, u32); 2]> {
        let holder = |node: NodeId| match self.node(node).counted_by? {
            Counter { count: Count::Beside { distance, .. }, node, offset, .. } => {
                Some((node, offset.wrapping_add_signed(-distance)))
            }
            _ => None,
        };
        Some([holder(a)?, holder(b)?])
    }

    /// By how much a pointer to an object like `other` may be above one to an object like `this`, if they point to the same
    /// or one to a part of what the other points to.
    pub fn distances(&self, this: NodeId, other: NodeId) -> SmallVec<[i64; 2]> {
        let mut found = SmallVec::new();
        if self.is_part(this, other, 0) && self.is_part(other, this, 0) {
            found.push(0);
            return found;
        }
        self.places(other, this, |at| found.push(at));
        self.places(this, other, |at| found.push(-at));
        found
    }

    /// The places where an object may be a part of another.
    pub fn places(&self, inner: NodeId, outer: NodeId, mut visit: impl FnMut(i64)) {
        let (layout, count) = (self.node(outer).layout, self.node(outer).count);
        let size = i64::from(self.layouts().get(layout).size);
        for element in 0..i64::from(count) {
            for place in self.layouts().places_in(self.node(inner).layout, layout) {
                let at = element * size + i64::from(place);
                if self.is_part(inner, outer, at) {
                    visit(at);
                }
            }
        }
    }
}

/// Whether the number of elements of two objects is the same if the objects are. Numbers beside pointers are, as the pointers
/// then are the same too ([`Heap::holders`]).
fn are_counted_alike(a: &Node, b: &Node) -> bool {
    a.counted_by.map(|counter| counter.count) == b.counted_by.map(|counter| counter.count)
}
