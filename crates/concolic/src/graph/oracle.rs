//! Where pointers may lead, by their types, against all placements in a small region.
//!
//! The truth is said without tables: a placement is allowed if objects that do not overlap can be chosen, each at a pointer and of its
//! type, such that every pointer leads to where its type occurs in one of them.

use super::heap::{Heap, Kind, Node, NodeId};
use super::layout::{Layout, LayoutId, Layouts, Leaf, LeafKind};
use super::nest::{Cell, Grain, Nested, Overlap, Run};
use super::parts::EVERYWHERE;
use super::unit::Unit;
use crate::key::{ObjectKey, Root};
use std::sync::Arc;

/// Bytes of the region.
const REGION: i64 = 16;

#[derive(Clone, PartialEq, Eq)]
enum Type {
    Number(u32),
    Record(Vec<Type>),
}

impl Type {
    fn size(&self) -> i64 {
        match self {
            Self::Number(size) => i64::from(*size),
            Self::Record(members) => members.iter().map(Self::size).sum(),
        }
    }

    /// Whether a type is found at a place of this one.
    fn has(&self, ty: &Self, at: i64) -> bool {
        if at == 0 && self == ty {
            return true;
        }
        let Self::Record(members) = self else { return false };
        let mut start = 0;
        members.iter().any(|member| {
            let found = at >= start && member.has(ty, at - start);
            start += member.size();
            found
        })
    }
}

fn is_disjoint((a, a_size): (i64, i64), (b, b_size): (i64, i64)) -> bool {
    a + a_size <= b || b + b_size <= a
}

/// The definition: some of the pointers lead to whole objects, which are apart, and all others into one of these.
fn is_allowed(pointers: &[(i64, &Type)]) -> bool {
    (1u32..1 << pointers.len()).any(|chosen| {
        let whole: Vec<_> = (0..pointers.len()).filter(|i| chosen >> i & 1 == 1).map(|i| pointers[i]).collect();
        let are_apart = whole.iter().enumerate().all(|(number, (a, ty))| {
            whole[..number].iter().all(|(b, other)| is_disjoint((*a, ty.size()), (*b, other.size())))
        });
        are_apart && pointers.iter().all(|(at, ty)| whole.iter().any(|(start, outer)| outer.has(ty, at - start)))
    })
}

/// The types as layouts.
struct Table {
    types: Vec<Type>,
    layouts: Layouts,
    ids: Vec<LayoutId>,
}

impl Table {
    fn cell(&mut self, ty: &Type) -> Cell {
        let known = self.types.iter().position(|known| known == ty);
        Cell(known.unwrap_or_else(|| {
            self.types.push(ty.clone());
            self.types.len() - 1
        }) as u32)
    }

    fn fill(&mut self, layout: &mut Layout, ty: &Type, offset: u32) {
        let cell = self.cell(ty);
        let grain = if matches!(ty, Type::Record(_)) { Grain::Record } else { Grain::Fine };
        layout.nested.push(Nested { cell, grain, at: Run::at(offset) });
        match ty {
            Type::Number(n_bytes) => {
                let (kind, path) = (LeafKind::Number, String::new());
                layout.leaves.push(Leaf { offset, n_bytes: *n_bytes, kind, path });
            }
            Type::Record(members) => {
                let mut at = offset;
                for member in members {
                    self.fill(layout, member, at);
                    at += member.size() as u32;
                }
            }
        }
    }

    fn add(&mut self, ty: &Type) {
        let cell = self.cell(ty);
        let mut layout = Layout { size: ty.size() as u32, align: 16, cell: Some(cell), ..Layout::default() };
        self.fill(&mut layout, ty, 0);
        layout.nested.retain(|nested| nested.cell != cell);
        self.ids.push(self.layouts.add(layout));
    }
}

fn heap(types: &[&Type], overlap: Overlap) -> (Heap, Vec<NodeId>) {
    let mut table = Table { types: Vec::new(), layouts: Layouts::default(), ids: Vec::new() };
    types.iter().for_each(|ty| table.add(ty));
    let mut heap = Heap::new(Arc::new(Unit { layouts: table.layouts, overlap, ..Unit::default() }));
    let nodes = (0u32..).zip(&table.ids).map(|(number, &layout)| {
        heap.add(Node {
            key: Arc::new(ObjectKey::of_root(Root::Param(number))),
            name: number.to_string().into(),
            kind: Kind::Pointed,
            layout,
            count: 1,
            longest: 1,
            n_after: 0,
            addr: 0,
            inside: None,
            counted_by: None,
            holder: None,
            pointers: None,
        })
    });
    let nodes = nodes.collect();
    (heap, nodes)
}

/// All placements, and those that are allowed by the definition; both judgements must agree.
fn count(types: &[&Type], overlap: Overlap) -> (usize, usize) {
    let (heap, nodes) = heap(types, overlap);
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    for ty in types {
        let places = 0..=REGION - ty.size();
        all = all.iter().flat_map(|before| places.clone().map(|at| [&before[..], &[at]].concat())).collect();
    }
    let pairs: Vec<(usize, usize)> = (0..types.len()).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let mut n_allowed = 0;
    for places in &all {
        let pointers: Vec<(i64, &Type)> = places.iter().copied().zip(types.iter().copied()).collect();
        let truth = is_allowed(&pointers);
        n_allowed += usize::from(truth);
        let fits = |&(a, b): &(usize, usize)| {
            let distance = places[b] - places[a];
            let is_apart = is_disjoint((places[a], types[a].size()), (places[b], types[b].size()));
            let distances = heap.distances(nodes[a], nodes[b], EVERYWHERE);
            let near = heap.distances(nodes[a], nodes[b], distance..=distance);
            let back = heap.distances(nodes[b], nodes[a], EVERYWHERE);
            assert_eq!(distances.found.contains(&distance), near.found[..] == [distance], "a range is a part of all");
            assert_eq!(distances.found.contains(&distance), back.found.contains(&-distance), "both ways are one");
            is_apart || distances.found.contains(&distance)
        };
        assert_eq!(pairs.iter().all(fits), truth, "at {places:?}");
    }
    (n_allowed, all.len())
}

#[test]
fn placements_are_those_of_the_definition() {
    let (int, short) = (Type::Number(4), Type::Number(2));
    let u = Type::Record(vec![int.clone(), int.clone()]);
    let s = Type::Record(vec![short.clone(), short]);
    let o = Type::Record(vec![int.clone(), u.clone()]);
    let typed = Overlap::default();
    assert_eq!(count(&[&u, &int], typed), (48, 117));
    assert_eq!(count(&[&u, &u], typed), (11, 81));
    assert_eq!(count(&[&int, &int], typed), (103, 169));
    assert_eq!(count(&[&u, &s], typed), (30, 117));
    assert_eq!(count(&[&u, &int, &int], typed), (192, 1521));
    assert_eq!(count(&[&o, &u, &int], typed), (17, 585));
    assert_eq!(count(&[&o, &u, &u], typed), (5, 405));
}

#[test]
fn arrays_hold_elements_and_shorter_arrays() {
    let int = Type::Number(4);
    let u = Type::Record(vec![int.clone(), int.clone()]);
    for (overlap, expected) in [("same", &[][..]), ("records", &[]), ("typed", &[0, 4, 8, 12, 16, 20])] {
        let (mut heap, nodes) = heap(&[&u, &int], overlap.parse().expect("a way to overlap"));
        heap.nodes[0].count = 3;
        let mut found = heap.distances(nodes[0], nodes[1], EVERYWHERE).found;
        found.sort_unstable();
        assert_eq!(found[..], *expected, "{overlap}");
        // No array of ints is in there.
        heap.nodes[1].count = 2;
        assert!(heap.distances(nodes[0], nodes[1], EVERYWHERE).found.is_empty(), "{overlap}");
    }
    let (mut heap, nodes) = heap(&[&int, &int], Overlap::default());
    heap.nodes[0].count = 5;
    heap.nodes[1].count = 3;
    assert_eq!(heap.distances(nodes[0], nodes[1], EVERYWHERE).found[..], [0, 4, 8]);
}
