//! The alternative with the highest score, which it gets when it is opened.

use std::collections::BinaryHeap;

use super::{Gain, Strategy, View};
use crate::tree::{Ticket, Tree};

/// Of the alternative with this number among those that are opened.
type Score = fn(&View<'_>, usize, Ticket, Gain) -> i64;

/// Which of those with the same score comes first.
#[derive(Clone, Copy)]
pub enum Equals {
    OldestFirst,
    /// Runs that follow each other differ late.
    NewestFirst,
}

pub struct Queued {
    score: Score,
    equals: Equals,
    /// By score and turn, the highest first.
    heap: BinaryHeap<(i64, i64)>,
    /// By turn.
    tickets: rustc_hash::FxHashMap<i64, Ticket>,
    n_added: i64,
}

impl Queued {
    pub fn new(equals: Equals, score: Score) -> Self {
        Self { score, equals, heap: BinaryHeap::new(), tickets: Default::default(), n_added: 0 }
    }
}

impl Strategy for Queued {
    fn add(&mut self, view: View<'_>, opened: &[Ticket], gain: Gain) {
        for (number, &ticket) in opened.iter().enumerate() {
            let turn = match self.equals {
                Equals::OldestFirst => -self.n_added,
                Equals::NewestFirst => self.n_added,
            };
            self.heap.push(((self.score)(&view, number, ticket, gain), turn));
            self.tickets.insert(turn, ticket);
            self.n_added += 1;
        }
    }

    fn pick(&mut self, view: View<'_>) -> Option<Ticket> {
        while let Some(&(_, turn)) = self.heap.peek() {
            let ticket = self.tickets[&turn];
            if view.tree.is_open(ticket) {
                return Some(ticket);
            }
            self.heap.pop();
            self.tickets.remove(&turn);
        }
        None
    }

    fn tidy(&mut self, tree: &Tree) {
        self.tickets.retain(|_, ticket| tree.is_open(*ticket));
        self.heap.retain(|(_, turn)| self.tickets.contains_key(turn));
    }
}
