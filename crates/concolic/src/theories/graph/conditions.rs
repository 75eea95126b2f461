//! What conditions speak of, where inputs are graphs.

use super::terms::Terms;
use crate::graph::relation::Relations;
use crate::machine::ConcolicMachine;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use spelunk_expr::{ExprId, Op, VarId};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Topic {
    /// Where pointers lead, compared with each other.
    Pointers,
    Numbers,
    /// Addresses as numbers.
    Mixed,
}

#[derive(Debug)]
pub(super) struct Condition {
    pub topic: Topic,
    /// If it is about pointers.
    pub relations: Relations,
    /// The variables in it.
    pub vars: SmallVec<[VarId; 4]>,
}

/// The conditions that were looked at: those of a path are part of many queries.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    known: FxHashMap<ExprId, Condition>,
    /// Of the pool.
    epoch: u32,
    n_tagged: usize,
}

impl Conditions {
    /// Forgets what may have another meaning by now.
    pub fn prepare(&mut self, terms: &Terms, machine: &ConcolicMachine) {
        let n_tagged = terms.n_tagged();
        if (self.epoch, self.n_tagged) != (machine.pool.epoch(), n_tagged) {
            self.known.clear();
            (self.epoch, self.n_tagged) = (machine.pool.epoch(), n_tagged);
        }
    }

    pub fn get(&mut self, terms: &Terms, machine: &ConcolicMachine, cond: ExprId) -> &Condition {
        self.known.entry(cond).or_insert_with(|| read(terms, machine, cond))
    }
}

fn read(terms: &Terms, machine: &ConcolicMachine, cond: ExprId) -> Condition {
    let relations = terms.relations(machine, cond);
    if !relations.is_empty() {
        let vars = relations.iter().flat_map(|relation| [Some(relation.pointer), relation.other]).flatten().collect();
        return Condition { topic: Topic::Pointers, relations, vars };
    }
    let mut vars = SmallVec::new();
    let mut waiting = vec![cond];
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    while let Some(expr) = waiting.pop() {
        let node = machine.pool.node(expr);
        if matches!(node.op(), Op::Var | Op::ArrayVar) {
            vars.push(node.var());
        }
        waiting.extend(node.args().filter(|&arg| seen.insert(arg)));
    }
    let is_mixed = vars.iter().any(|&var| terms.is_pointer(var));
    Condition { topic: if is_mixed { Topic::Mixed } else { Topic::Numbers }, relations, vars }
}
