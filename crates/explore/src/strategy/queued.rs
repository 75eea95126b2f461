//! The alternative with the highest score, which it gets when it is opened; among equals, the oldest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Gain, Strategy, View};
use crate::tree::{Ticket, Tree};

type Score = fn(&Tree, Ticket, Gain) -> i64;

pub struct Queued {
    score: Score,
    /// By score and age.
    heap: BinaryHeap<(i64, Reverse<u64>)>,
    tickets: rustc_hash::FxHashMap<u64, Ticket>,
    n_added: u64,
}

impl Queued {
    pub fn new(score: Score) -> Self {
        Self { score, heap: BinaryHeap::new(), tickets: Default::default(), n_added: 0 }
    }
}

impl Strategy for Queued {
    fn add(&mut self, view: View<'_>, opened: &[Ticket], gain: Gain) {
        for &ticket in opened {
            self.heap.push(((self.score)(view.tree, ticket, gain), Reverse(self.n_added)));
            self.tickets.insert(self.n_added, ticket);
            self.n_added += 1;
        }
    }

    fn pick(&mut self, view: View<'_>) -> Option<Ticket> {
        while let Some(&(_, Reverse(age))) = self.heap.peek() {
            let ticket = self.tickets[&age];
            if view.tree.is_open(ticket) {
                return Some(ticket);
            }
            self.heap.pop();
            self.tickets.remove(&age);
        }
        None
    }
    fn tidy(&mut self, tree: &Tree) {
        self.tickets.retain(|_, ticket| tree.is_open(*ticket));
        self.heap.retain(|(_, Reverse(age))| self.tickets.contains_key(age));
    }
}
