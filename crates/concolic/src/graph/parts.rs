//! Which objects may be part of which others, by their types.

use super::heap::{Counter, Heap, Node, NodeId};
use super::layout::{Count, Layout, LeafKind};
use super::nest::{Cell, Chars, Grain, OverlapBy, Run};
use smallvec::SmallVec;
use std::ops::RangeInclusive;

/// Distances at which an access is told apart from one through another pointer: beyond this many, it is not looked for more.
const MAX_DISTANCES: usize = 64;

/// As far behind an object may others lie that are overlapped by what overlaps it.
const MAX_BEHIND: u32 = 64;

/// All that there may be.
pub(crate) const EVERYWHERE: RangeInclusive<i64> = i64::MIN / 4..=i64::MAX / 4;

/// By how much one pointer may be above another.
#[derive(Debug, Default)]
pub(crate) struct Distances {
    pub found: SmallVec<[i64; 4]>,
    /// Whether there are more.
    pub are_all: bool,
}

impl Heap {
    /// Whether an object may be a part of another one, so many bytes from its start.
    pub fn is_part(&self, inner: NodeId, outer: NodeId, at: i64) -> bool {
        let mut found = false;
        self.places(inner, outer, at..=at, |_| found = true);
        found
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
    /// or one to a part of what the other points to; the nearest relation first: the same, a part of this, this a part of it.
    pub fn distances(&self, this: NodeId, other: NodeId, range: RangeInclusive<i64>) -> Distances {
        let mut all = Distances { are_all: true, ..Distances::default() };
        // From pointers to objects and back.
        let apart = i64::from(self.node(other).at()) - i64::from(self.node(this).at());
        let range = range.start() - apart..=range.end() - apart;
        let mut note = |at: i64| match all.found.len() < MAX_DISTANCES {
            _ if all.found.contains(&at) => {}
            true => all.found.push(at),
            false => all.are_all = false,
        };
        if range.contains(&0) && (self.is_part(this, other, 0) || self.is_part(other, this, 0)) {
            note(0);
        }
        self.places(other, this, range.clone(), &mut note);
        self.places(this, other, -range.end()..=-range.start(), |at| note(-at));
        all.found.iter_mut().for_each(|at| *at += apart);
        all
    }

    /// The places of a range where an object may be a part of another.
    pub fn places(&self, inner: NodeId, outer: NodeId, range: RangeInclusive<i64>, mut visit: impl FnMut(i64)) {
        let (a, b) = (self.node(inner), self.node(outer));
        if self.is_loose(inner) && self.is_loose(outer) {
            let step = natural_alignment(self.layouts().get(a.layout));
            return Run::row(0, step, self.room(outer) / step).visit(range, &mut visit);
        }
        if a.layout == b.layout && a.count == b.count {
            if range.contains(&0) && are_counted_alike(a, b) {
                visit(0);
            }
            return;
        }
        // Whether a place is one of theirs would depend on how many there are; and strings end where they end.
        if [a, b].iter().any(|node| node.counted_by.is_some() || node.n_after > 0) {
            return;
        }
        let overlap = self.unit.overlap;
        let (guest, host) = (self.layouts().get(a.layout), self.layouts().get(b.layout));
        let mut visit_run = |run: Run, grain: Grain| {
            run.visit(range.clone(), &mut |at| {
                if grain == Grain::Record || self.is_alike(a, b, at as u32) {
                    visit(at);
                }
            });
        };
        let (size, n_bytes) = (host.size.max(1), b.count * host.size);
        if a.layout == b.layout || is_same(guest, host) {
            let grain = if a.layout == b.layout { Grain::Record } else { Grain::Fine };
            Run::row(0, size, b.count).of_many(a.count).into_iter().for_each(|run| visit_run(run, grain));
        } else if overlap.chars == Chars::Anywhere && guest.is_byte() {
            Run::row(0, 1, n_bytes).of_many(a.count).into_iter().for_each(|run| visit_run(run, Grain::Fine));
        } else {
            for nested in guest.cell.into_iter().flat_map(|cell| host.places_of(cell)) {
                let run = nested.at.of_many(a.count).filter(|_| overlap.allows(nested.grain));
                run.into_iter().for_each(|run| visit_run(run.repeated(size, b.count), nested.grain));
            }
        }
    }

    /// Whether others may overlap an object in part, so that it is longer in inputs where they do.
    pub fn is_loose(&self, node: NodeId) -> bool {
        let node = self.node(node);
        self.unit.overlap.by == OverlapBy::Any && !node.is_root() && node.counted_by.is_none() && node.n_after == 0
    }

    /// How many bytes from its start on pointers may lead to if they lead to an object.
    pub fn room(&self, node: NodeId) -> u32 {
        self.node(node).n_bytes(self.layouts()) + if self.is_loose(node) { MAX_BEHIND } else { 0 }
    }

    /// Whether an object finds at a place of another what it could be itself. Structures of one type do; a number or a pointer may have
    /// other values there than its own type says, of which numbers are told ([`super::super::theories`]), pointers not.
    fn is_alike(&self, guest: &Node, host: &Node, at: u32) -> bool {
        let (inner, outer) = (self.layouts().get(guest.layout), self.layouts().get(host.layout));
        let size = outer.size.max(1);
        let pointers_at = |layout: &Layout, at: u32| match layout.leaf_at(at).map(|leaf| (leaf.offset, &leaf.kind)) {
            Some((start, LeafKind::Pointer(kind))) if start == at => Ok(Some(*kind)),
            Some((_, LeafKind::Pointer(_) | LeafKind::Function(_))) => Err(()),
            _ => Ok(None),
        };
        (0..guest.count * inner.size).all(|byte| {
            let (own, there) = (pointers_at(inner, byte % inner.size.max(1)), pointers_at(outer, (at + byte) % size));
            match (own, there) {
                (Ok(Some(own)), Ok(Some(there))) => {
                    let [own, there] = [own, there].map(|kind| self.layouts().pointer(kind));
                    own.target == there.target && (there.nullable || !own.nullable)
                }
                (own, there) => own == there,
            }
        })
    }

    /// A power of two that all addresses are multiples of which pointers to an object like this may have.
    pub fn alignment(&self, node: NodeId) -> u64 {
        let layout = self.layouts().get(self.node(node).layout);
        if self.is_loose(node) {
            return u64::from(natural_alignment(layout));
        }
        let mut align = 16 | u64::from(layout.align) | u64::from(self.node(node).at());
        let is_it = |cell: Cell, grain: Grain| Some(cell) == layout.cell && self.unit.overlap.allows(grain);
        for (_, outer) in self.layouts().iter() {
            for nested in outer.nested.iter().filter(|nested| is_it(nested.cell, nested.grain)) {
                align |= u64::from(nested.at.low_bits() | outer.size);
            }
            if outer.cell == layout.cell {
                align |= u64::from(outer.size);
            }
        }
        if self.unit.overlap.chars == Chars::Anywhere && layout.is_byte() { 1 } else { 1 << align.trailing_zeros() }
    }
}

/// Whether two types are one for C.
fn is_same(a: &Layout, b: &Layout) -> bool {
    a.cell.is_some() && a.cell == b.cell
}

/// Whether the number of elements of two objects is the same if the objects are. Numbers beside pointers are, as the pointers
/// then are the same too ([`Heap::holders`]).
fn are_counted_alike(a: &Node, b: &Node) -> bool {
    a.counted_by.map(|counter| counter.count) == b.counted_by.map(|counter| counter.count)
}

/// How objects of a type are aligned at least, by the largest of their numbers and pointers.
fn natural_alignment(layout: &Layout) -> u32 {
    let largest = layout.leaves.iter().map(|leaf| leaf.n_bytes).max().unwrap_or(1);
    let places = layout.leaves.iter().filter(|leaf| leaf.n_bytes == largest).map(|leaf| leaf.offset);
    1 << places.fold(largest | layout.size, |all, place| all | place).trailing_zeros()
}
