//! The alternative from which it is nearest to what is looked for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Gain, Strategy, View};
use crate::distance::Distances;
use crate::tree::{Ticket, Tree};

/// How far it is. Distances only grow: what was reached is not looked for any more.
pub trait Measure {
    fn distance(&mut self, view: View<'_>, ticket: Ticket) -> u32;
}

/// To a branch that has not gone both ways.
#[derive(Debug, Default)]
pub struct ToUncovered {
    distances: Option<(u64, Distances)>,
}

impl Measure for ToUncovered {
    fn distance(&mut self, view: View<'_>, ticket: Ticket) -> u32 {
        if self.distances.as_ref().is_none_or(|(version, _)| *version != view.coverage_version) {
            self.distances = Some((view.coverage_version, view.program.distances(view.marks)));
        }
        let (_, distances) = self.distances.as_ref().expect("just made");
        distances.of(view.program.image, &view.program.flow, view.marks, &view.tree.features(ticket))
    }
}

/// To an open target.
#[derive(Debug, Default)]
pub struct ToTarget;

impl Measure for ToTarget {
    fn distance(&mut self, view: View<'_>, ticket: Ticket) -> u32 {
        view.aim.and_then(|aim| aim.distance(view.program, &view.tree.features(ticket))).unwrap_or(u32::MAX)
    }
}

#[derive(Debug, Default)]
pub struct Nearest<M> {
    measure: M,
    /// Distance, then the newest first. One that is out of date is too small, and is noticed when it comes up.
    heap: BinaryHeap<Reverse<(u32, Reverse<u64>, usize)>>,
    tickets: Vec<Ticket>,
    n_added: u64,
}

impl<M> Nearest<M> {
    fn push(&mut self, distance: u32, ticket: Ticket) {
        self.heap.push(Reverse((distance, Reverse(self.n_added), self.tickets.len())));
        self.tickets.push(ticket);
        self.n_added += 1;
    }
}

impl<M: Measure> Strategy for Nearest<M> {
    fn add(&mut self, view: View<'_>, opened: &[Ticket], _gain: Gain) {
        for &ticket in opened {
            let distance = self.measure.distance(view, ticket);
            self.push(distance, ticket);
        }
    }

    fn pick(&mut self, view: View<'_>) -> Option<Ticket> {
        while let Some(&Reverse((known, age, idx))) = self.heap.peek() {
            let ticket = self.tickets[idx];
            if !view.tree.is_open(ticket) {
                self.heap.pop();
                continue;
            }
            let now = self.measure.distance(view, ticket);
            if now == known {
                return Some(ticket);
            }
            self.heap.pop();
            self.heap.push(Reverse((now, age, idx)));
        }
        None
    }
    fn tidy(&mut self, tree: &Tree) {
        let entries = std::mem::take(&mut self.heap).into_vec();
        let tickets = std::mem::take(&mut self.tickets);
        for Reverse((distance, age, idx)) in
            entries.into_iter().filter(|Reverse((_, _, idx))| tree.is_open(tickets[*idx]))
        {
            self.heap.push(Reverse((distance, age, self.tickets.len())));
            self.tickets.push(tickets[idx]);
        }
    }
}
