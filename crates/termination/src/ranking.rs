//! Values that fall in every round. In unsigned order nothing falls for ever, so no lower bound has to be known.
//!
//! That each way round has a value of its own that falls proves nothing of them in turns. So values are told apart by what they are made of, and ways end together if
//! they do in lexicographic order: some value rises on none of them and falls on some, which leaves the others.

use crate::proof::{Next, Prover};
use crate::relation::{Relation, StateCell};
use rustc_hash::{FxHashMap, FxHasher};
use spelunk_expr::{Evaluator, ExprId, ExprPool, Op, VarId};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

const MOST_CANDIDATES: usize = 24;

/// A value of the state at a head, known by its expression over parts, input and constants.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rank {
    expr: u64,
    of: Vec<StateCell>,
}

/// What becomes of values on one way round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranks {
    pub falls: BTreeSet<Rank>,
    /// These do not rise.
    keeps: BTreeSet<Rank>,
    changed: BTreeSet<StateCell>,
}

impl Ranks {
    fn raises(&self, rank: &Rank) -> bool {
        let is_changed = |&at: &StateCell| self.changed.iter().any(|other| other.overlaps(at));
        !self.keeps.contains(rank) && rank.of.iter().any(is_changed)
    }
}

/// Whether no infinite sequence of rounds goes these ways only.
pub fn fall_together(ways: &[Ranks]) -> bool {
    let mut left: Vec<&Ranks> = ways.iter().collect();
    while !left.is_empty() {
        let no_rise = |rank: &&Rank| left.iter().all(|way| way.falls.contains(*rank) || !way.raises(rank));
        let Some(rank) = left.iter().flat_map(|way| &way.falls).find(no_rise).cloned() else { return false };
        left.retain(|way| !way.falls.contains(&rank));
    }
    true
}

/// What is proved to fall, or not to rise, with the rounds, for all states that go that way.
pub fn ranks(pool: &mut ExprPool, relation: &Relation) -> Ranks {
    let mut next = Next::new(pool, relation);
    let mut prover = Prover::default();
    let mut query = relation.conds.clone();
    let mut holds = |pool: &mut ExprPool, cond: ExprId| {
        let fails = pool.mk_not(cond);
        query.push(fails);
        let is_proved = prover.ask(pool, &query).is_unsat();
        query.pop();
        is_proved
    };
    let changed = relation.changed.iter().copied().collect();
    let mut ranks = Ranks { falls: BTreeSet::new(), keeps: BTreeSet::new(), changed };
    for value in candidates(pool, relation).into_iter().take(MOST_CANDIDATES) {
        let then = next.of(pool, value);
        let (falls, keeps) = (pool.mk_ult(then, value), pool.mk_ule(then, value));
        let mut evaluator = Evaluator::new();
        let mut now = evaluator.under(pool, &relation.model);
        let (falls_now, keeps_now) = (now.eval_bool(falls), now.eval_bool(keeps));
        if falls_now && holds(pool, falls) {
            ranks.falls.insert(rank(pool, relation, value));
        } else if keeps_now && holds(pool, keeps) {
            ranks.keeps.insert(rank(pool, relation, value));
        }
    }
    ranks
}

/// How far apart the two sides of a condition are, and the parts themselves, in either order and direction.
fn candidates(pool: &mut ExprPool, relation: &Relation) -> Vec<ExprId> {
    let (mut parts, mut found) = (Vec::new(), Vec::new());
    for part in &relation.parts {
        let width = pool.width(part.symbol);
        let sign = pool.mk_const(width, 1 << (width - 1));
        let signed = pool.mk_xor(part.symbol, sign);
        let others = [pool.mk_not(part.symbol), pool.mk_not(signed), pool.mk_neg(part.symbol)];
        parts.extend([part.symbol, signed].into_iter().chain(others));
    }
    for &cond in &relation.conds {
        let node = pool.node(cond);
        let node = if node.op() == Op::Not { pool.node(node.arg(0)) } else { node };
        if matches!(node.op(), Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle) {
            let (a, b) = (node.arg(0), node.arg(1));
            found.extend([pool.mk_sub(b, a), pool.mk_sub(a, b)]);
        }
    }
    // Some of both, where there are many.
    found.truncate(MOST_CANDIDATES / 2);
    found.extend(parts);
    let mut seen = BTreeSet::new();
    found.retain(|&expr| !pool.is_const(expr) && seen.insert(expr));
    found
}

fn rank(pool: &ExprPool, relation: &Relation, value: ExprId) -> Rank {
    let place =
        |var: VarId| relation.parts.iter().find(|part| pool.node(part.symbol).var() == var).map(|part| part.place);
    let (mut hashes, mut of) = (FxHashMap::<ExprId, u64>::default(), BTreeSet::new());
    for id in pool.postorder(&[value]) {
        let node = pool.node(id);
        let mut hasher = FxHasher::default();
        (node.op(), node.width()).hash(&mut hasher);
        match node.op() {
            Op::Var => {
                let var = node.var();
                match place(var) {
                    Some(place) => {
                        of.insert(place);
                        place.hash(&mut hasher);
                    }
                    None => pool.var_name(var).hash(&mut hasher),
                }
            }
            Op::Const => node.const_value().hash(&mut hasher),
            Op::Extract => node.extract_low().hash(&mut hasher),
            // Of a kind, or of a table: known to one worker.
            op if op == Op::WideConst || op.is_array() || op.is_float() => id.hash(&mut hasher),
            _ => {}
        }
        let mut args: Vec<u64> = node.args().map(|arg| hashes[&arg]).collect();
        if node.op().is_commutative() {
            args.sort_unstable();
        }
        args.hash(&mut hasher);
        hashes.insert(id, hasher.finish());
    }
    Rank { expr: hashes[&value], of: of.into_iter().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(slot: usize) -> Rank {
        Rank { expr: slot as u64, of: vec![StateCell::Slot(slot)] }
    }

    fn way(falls: &[usize], keeps: &[usize], changed: &[usize]) -> Ranks {
        let ranks = |slots: &[usize]| slots.iter().map(|&slot| rank(slot)).collect();
        Ranks {
            falls: ranks(falls),
            keeps: ranks(keeps),
            changed: changed.iter().map(|&slot| StateCell::Slot(slot)).collect(),
        }
    }

    #[test]
    fn what_falls_on_each_way_may_rise_on_the_other() {
        assert!(!fall_together(&[way(&[0], &[], &[0, 1]), way(&[1], &[], &[0, 1])]));
        assert!(!fall_together(&[way(&[0], &[], &[0]), way(&[], &[], &[])]));
    }

    #[test]
    fn one_value_for_all_ways() {
        assert!(fall_together(&[way(&[0, 1], &[], &[0, 1]), way(&[1], &[], &[0, 1])]));
    }

    #[test]
    fn one_value_after_the_other() {
        // What a way does not change, it keeps.
        assert!(fall_together(&[way(&[0], &[], &[0, 1]), way(&[1], &[], &[1])]));
        assert!(fall_together(&[way(&[0], &[], &[0, 1]), way(&[1], &[0], &[0, 1])]));
    }
}
