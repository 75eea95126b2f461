//! The deepest alternative of the newest run first, so that consecutive runs differ as late as possible.

use super::{Gain, Strategy, View};
use crate::tree::{Ticket, Tree};

#[derive(Debug, Default)]
pub struct DepthFirst {
    stack: Vec<Ticket>,
}

impl Strategy for DepthFirst {
    fn add(&mut self, _view: View<'_>, opened: &[Ticket], _gain: Gain) {
        self.stack.extend(opened);
    }

    fn pick(&mut self, view: View<'_>) -> Option<Ticket> {
        while let Some(&ticket) = self.stack.last() {
            // It stays until it is closed: an alternative such as "another value" may be tried more than once.
            if view.tree.is_open(ticket) {
                return Some(ticket);
            }
            self.stack.pop();
        }
        None
    }
    fn tidy(&mut self, tree: &Tree) {
        self.stack.retain(|&ticket| tree.is_open(ticket));
    }
}
