//! Several strategies in turn: what one is blind to, another sees.

use super::{Gain, Strategy, View};
use crate::tree::{Ticket, Tree};

pub struct Interleaved {
    strategies: Vec<Box<dyn Strategy>>,
    turn: usize,
}

impl Interleaved {
    pub fn new(strategies: Vec<Box<dyn Strategy>>) -> Self {
        Self { strategies, turn: 0 }
    }
}

impl Strategy for Interleaved {
    fn add(&mut self, view: View<'_>, opened: &[Ticket], gain: Gain) {
        self.strategies.iter_mut().for_each(|strategy| strategy.add(view, opened, gain));
    }

    fn pick(&mut self, view: View<'_>) -> Option<Ticket> {
        self.turn = (self.turn + 1) % self.strategies.len();
        self.strategies[self.turn].pick(view)
    }
    fn tidy(&mut self, tree: &Tree) {
        self.strategies.iter_mut().for_each(|strategy| strategy.tidy(tree));
    }
}
