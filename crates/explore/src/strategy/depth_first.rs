//! The deepest alternative of the newest run first, so that consecutive runs differ as late as possible.

use super::{Gain, Strategy, View};
use crate::tree::{Ticket, Tree};

#[derive(Debug)]
pub struct DepthFirst {
    stack: Vec<Ticket>,
    /// What lies deeper comes when nothing else is left.
    limit: u32,
    deeper: Vec<Ticket>,
}

/// A first limit that small programs never reach.
const FIRST_LIMIT: u32 = 64;

impl DepthFirst {
    pub fn new() -> Self {
        Self { stack: Vec::new(), limit: u32::MAX, deeper: Vec::new() }
    }

    /// With a limit on the depth that is doubled whenever all above it is explored, so that a loop without end does not
    /// take it down for good.
    pub fn deepening() -> Self {
        Self { limit: FIRST_LIMIT, ..Self::new() }
    }
}

impl Strategy for DepthFirst {
    fn add(&mut self, view: View<'_>, opened: &[Ticket], _gain: Gain) {
        for &ticket in opened {
            let is_deeper = self.limit < u32::MAX && view.tree.features(ticket).depth > self.limit;
            if is_deeper { &mut self.deeper } else { &mut self.stack }.push(ticket);
        }
    }

    fn pick(&mut self, view: View<'_>) -> Option<Ticket> {
        loop {
            while let Some(&ticket) = self.stack.last() {
                // It stays until it is closed: an alternative such as "another value" may be tried more than once.
                if view.tree.is_open(ticket) {
                    return Some(ticket);
                }
                self.stack.pop();
            }
            let mut deeper = std::mem::take(&mut self.deeper);
            deeper.retain(|&ticket| view.tree.is_open(ticket));
            if deeper.is_empty() {
                return None;
            }
            self.limit = self.limit.saturating_mul(2);
            self.add(view, &deeper, Gain::default());
        }
    }

    fn tidy(&mut self, tree: &Tree) {
        self.stack.retain(|&ticket| tree.is_open(ticket));
        self.deeper.retain(|&ticket| tree.is_open(ticket));
    }
}
