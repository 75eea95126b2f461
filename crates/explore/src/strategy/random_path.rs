//! A walk down the tree with a coin at every fork: what lies near the top is as likely as everything below its sibling.

use super::{Gain, Strategy, View};
use crate::tree::{Ticket, Tree};

#[derive(Debug)]
pub struct RandomPath {
    rng: fastrand::Rng,
}

impl RandomPath {
    pub fn new(seed: u64) -> Self {
        Self { rng: fastrand::Rng::with_seed(seed) }
    }
}

impl Strategy for RandomPath {
    /// The tree itself is the list.
    fn add(&mut self, _view: View<'_>, _opened: &[Ticket], _gain: Gain) {}

    fn pick(&mut self, view: View<'_>) -> Option<Ticket> {
        view.tree.descend(|n| self.rng.usize(..n))
    }
    fn tidy(&mut self, _tree: &Tree) {}
}
