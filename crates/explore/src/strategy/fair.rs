//! The alternative whose class was chosen least often. There are several ways to class: by place, by call stack, by depth;
//! they take turns, so that no loop, no function and no part of the tree is all that is explored.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::{Gain, Strategy, View};
use crate::tree::{Features, Ticket, Tree};

type Classing = fn(&Features) -> u64;

/// Depths are classed by their magnitude: a loop without end would make the deepest a new class each time.
const CLASSINGS: [Classing; 3] =
    [|open| u64::from(open.site.0), |open| u64::from(open.stack), |open| u64::from((open.depth + 1).ilog2())];

#[derive(Debug, Default)]
struct Class {
    n_chosen: u64,
    tickets: Vec<Ticket>,
}

/// The classes of one way to class.
#[derive(Debug, Default)]
struct Classes {
    by_key: FxHashMap<u64, Class>,
    /// Those that have tickets, by how often they were chosen.
    order: BTreeSet<(u64, u64)>,
}

impl Classes {
    fn add(&mut self, key: u64, ticket: Ticket) {
        let class = self.by_key.entry(key).or_default();
        class.tickets.push(ticket);
        self.order.insert((class.n_chosen, key));
    }

    fn pick(&mut self, view: View<'_>) -> Option<Ticket> {
        while let Some(&(n_chosen, key)) = self.order.first() {
            let class = self.by_key.get_mut(&key).expect("an ordered class exists");
            self.order.pop_first();
            while let Some(&ticket) = class.tickets.last() {
                if view.tree.is_open(ticket) {
                    class.n_chosen += 1;
                    self.order.insert((n_chosen + 1, key));
                    return Some(ticket);
                }
                class.tickets.pop();
            }
        }
        None
    }

    /// Classes stay, also without tickets: how often they were chosen still counts.
    fn tidy(&mut self, tree: &Tree) {
        self.by_key.values_mut().for_each(|class| class.tickets.retain(|&ticket| tree.is_open(ticket)));
    }
}

#[derive(Debug, Default)]
pub struct Fair {
    classes: [Classes; CLASSINGS.len()],
    turn: usize,
}

impl Strategy for Fair {
    fn add(&mut self, view: View<'_>, opened: &[Ticket], _gain: Gain) {
        for &ticket in opened {
            let features = view.tree.features(ticket);
            for (classes, classing) in self.classes.iter_mut().zip(CLASSINGS) {
                classes.add(classing(&features), ticket);
            }
        }
    }

    fn pick(&mut self, view: View<'_>) -> Option<Ticket> {
        self.turn = (self.turn + 1) % CLASSINGS.len();
        self.classes[self.turn].pick(view)
    }
    fn tidy(&mut self, tree: &Tree) {
        self.classes.iter_mut().for_each(|classes| classes.tidy(tree));
    }
}
