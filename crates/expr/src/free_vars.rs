//! Which variables an expression depends on.
//!
//! Sets of variables are hash-consed radix trees over blocks of 64 variables: equal sets are one id, and a set that
//! grows by one variable shares all but a path with the one before. So the sets of a million sums, each of one more
//! input byte, take little more than the sums. They are computed on demand and kept by expression, outside of the
//! pool: making nodes costs nothing for it, and a solver can ask with a pool it may not change.

use smallvec::{SmallVec, smallvec};

use crate::id_table::{IdTable, Key};
use crate::node::{ExprId, VarId, hash_words};
use crate::op::Op;
use crate::pool::ExprPool;

/// A set of variables in a [`FreeVars`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct VarSetId(u32);

impl VarSetId {
    /// What the memo holds before an answer.
    const UNKNOWN: VarSetId = VarSetId(0);
    pub const EMPTY: VarSetId = VarSetId(1);

    pub fn is_empty(self) -> bool {
        self == VarSetId::EMPTY
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

const BLOCK: u32 = u64::BITS;

/// A tree; its block numbers are those that agree with `prefix` above `bit`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tree {
    Leaf {
        block: u32,
        members: u64,
    },
    /// Blocks without and with `bit`, both of which there are. `prefix` has zeros from `bit` down.
    Branch {
        prefix: u32,
        bit: u32,
        zero: VarSetId,
        one: VarSetId,
    },
}

#[derive(Default)]
pub struct FreeVars {
    /// The trees of the sets from 2 on.
    trees: Vec<Tree>,
    unique: IdTable,
    memo: Vec<VarSetId>,
    /// The pool's epoch that `memo` is of.
    epoch: u32,
    stack: Vec<ExprId>,
}

impl FreeVars {
    pub fn new() -> Self {
        Self::default()
    }

    /// The variables that an expression depends on. Always of the same pool.
    pub fn of(&mut self, pool: &ExprPool, root: ExprId) -> VarSetId {
        if self.epoch != pool.epoch() {
            self.memo.clear();
            self.epoch = pool.epoch();
        }
        if self.memo.len() < pool.id_bound() {
            self.memo.resize(pool.id_bound(), VarSetId::UNKNOWN);
        }
        self.stack.push(root);
        while let Some(&id) = self.stack.last() {
            if self.memo[id.index()] == VarSetId::UNKNOWN {
                let n_waiting = self.stack.len();
                let node = pool.node(id);
                self.stack.extend(node.args().filter(|arg| self.memo[arg.index()] == VarSetId::UNKNOWN));
                if self.stack.len() != n_waiting {
                    continue;
                }
                self.memo[id.index()] = match node.op() {
                    Op::Var | Op::ArrayVar => self.single(node.var()),
                    _ => node.args().fold(VarSetId::EMPTY, |set, arg| self.union(set, self.memo[arg.index()])),
                };
            }
            self.stack.pop();
        }
        self.memo[root.index()]
    }

    pub fn single(&mut self, var: VarId) -> VarSetId {
        self.leaf(var.0 / BLOCK, 1 << (var.0 % BLOCK))
    }

    fn tree(&self, set: VarSetId) -> Tree {
        self.trees[set.0 as usize - 2]
    }

    fn leaf(&mut self, block: u32, members: u64) -> VarSetId {
        self.intern(Tree::Leaf { block, members })
    }

    fn intern(&mut self, tree: Tree) -> VarSetId {
        let key = tree.key();
        if let Some(id) = self.unique.find(key, |id| self.trees[id as usize - 2] == tree) {
            return VarSetId(id);
        }
        self.trees.push(tree);
        let id = self.trees.len() as u32 + 1;
        if self.unique.is_full() {
            self.unique.grow(|id| self.trees[id as usize - 2].key());
        }
        self.unique.insert(key, id);
        VarSetId(id)
    }

    pub fn union(&mut self, a: VarSetId, b: VarSetId) -> VarSetId {
        if a == b || b.is_empty() {
            return a;
        }
        if a.is_empty() {
            return b;
        }
        match (self.tree(a), self.tree(b)) {
            (Tree::Leaf { block, members }, Tree::Leaf { block: other, members: more }) if block == other => {
                self.leaf(block, members | more)
            }
            (
                Tree::Branch { prefix, bit, zero, one },
                Tree::Branch { prefix: b_prefix, bit: b_bit, zero: b_zero, one: b_one },
            ) if prefix == b_prefix && bit == b_bit => {
                let (zero, one) = (self.union(zero, b_zero), self.union(one, b_one));
                self.intern(Tree::Branch { prefix, bit, zero, one })
            }
            (Tree::Branch { prefix, bit, zero, one }, other) if other.is_within(prefix, bit) => {
                let (zero, one) =
                    if other.is_at_one(bit) { (zero, self.union(one, b)) } else { (self.union(zero, b), one) };
                self.intern(Tree::Branch { prefix, bit, zero, one })
            }
            (other, Tree::Branch { prefix, bit, .. }) if other.is_within(prefix, bit) => self.union(b, a),
            (left, right) => {
                let bit = (left.prefix() ^ right.prefix()).ilog2();
                let prefix = left.prefix() & !((2u32 << bit).wrapping_sub(1));
                let (zero, one) = if left.is_at_one(bit) { (b, a) } else { (a, b) };
                self.intern(Tree::Branch { prefix, bit, zero, one })
            }
        }
    }

    /// Whether the sets have a variable in common.
    pub fn intersects(&self, a: VarSetId, b: VarSetId) -> bool {
        if a.is_empty() || b.is_empty() {
            return false;
        }
        if a == b {
            return true;
        }
        match (self.tree(a), self.tree(b)) {
            (Tree::Leaf { block, members }, Tree::Leaf { block: other, members: others }) => {
                block == other && members & others != 0
            }
            (
                Tree::Branch { prefix, bit, zero, one },
                Tree::Branch { prefix: b_prefix, bit: b_bit, zero: b_zero, one: b_one },
            ) if prefix == b_prefix && bit == b_bit => self.intersects(zero, b_zero) || self.intersects(one, b_one),
            (Tree::Branch { prefix, bit, zero, one }, other) if other.is_within(prefix, bit) => {
                self.intersects(if other.is_at_one(bit) { one } else { zero }, b)
            }
            (other, Tree::Branch { prefix, bit, .. }) if other.is_within(prefix, bit) => self.intersects(b, a),
            _ => false,
        }
    }

    pub fn contains(&self, set: VarSetId, var: VarId) -> bool {
        let mut set = set;
        while !set.is_empty() {
            match self.tree(set) {
                Tree::Leaf { block, members } => {
                    return block == var.0 / BLOCK && members >> (var.0 % BLOCK) & 1 != 0;
                }
                Tree::Branch { bit, zero, one, .. } => set = if (var.0 / BLOCK) >> bit & 1 != 0 { one } else { zero },
            }
        }
        false
    }

    /// The variable, of a set of one.
    pub fn as_single(&self, set: VarSetId) -> Option<VarId> {
        if set.is_empty() {
            return None;
        }
        match self.tree(set) {
            Tree::Leaf { block, members } if members.is_power_of_two() => {
                Some(VarId(block * BLOCK + members.trailing_zeros()))
            }
            _ => None,
        }
    }

    /// The variables of a set, in order.
    pub fn iter(&self, set: VarSetId) -> impl Iterator<Item = VarId> + '_ {
        let mut stack: SmallVec<[VarSetId; 8]> = smallvec![set];
        let next_leaf = move || {
            while let Some(set) = stack.pop().filter(|set| !set.is_empty()) {
                match self.tree(set) {
                    Tree::Leaf { block, members } => return Some((block, members)),
                    Tree::Branch { zero, one, .. } => stack.extend([one, zero]),
                }
            }
            None
        };
        std::iter::from_fn(next_leaf).flat_map(|(block, mut members)| {
            std::iter::from_fn(move || {
                let lowest = (members != 0).then(|| members.trailing_zeros())?;
                members &= members - 1;
                Some(VarId(block * BLOCK + lowest))
            })
        })
    }
}

impl Tree {
    fn key(&self) -> Key {
        Key::of_hash(match *self {
            Tree::Leaf { block, members } => hash_words(block, &[members]),
            Tree::Branch { prefix, bit, zero, one } => {
                hash_words(prefix | 1 << bit, &[(zero.0 as u64) << 32 | one.0 as u64])
            }
        })
    }

    fn prefix(&self) -> u32 {
        match *self {
            Tree::Leaf { block, .. } => block,
            Tree::Branch { prefix, .. } => prefix,
        }
    }

    /// Whether a tree belongs below a branch that is not below it.
    fn is_within(&self, prefix: u32, bit: u32) -> bool {
        let is_lower = match *self {
            Tree::Leaf { .. } => true,
            Tree::Branch { bit: own, .. } => own < bit,
        };
        is_lower && (self.prefix() ^ prefix) >> bit >> 1 == 0
    }

    fn is_at_one(&self, bit: u32) -> bool {
        self.prefix() >> bit & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Sets with members near and far, small and large.
    fn samples() -> Vec<BTreeSet<u32>> {
        let mut samples: Vec<BTreeSet<u32>> = vec![
            BTreeSet::new(),
            [0].into(),
            [63, 64].into(),
            (0..200).collect(),
            (0..5000).step_by(7).collect(),
            (4000..4100).collect(),
            [u32::MAX, 1 << 31, 17].into(),
        ];
        let mut state = 1u32;
        for size in 1..20 {
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state >> (state % 20)
            };
            samples.push((0..size).map(|_| next()).collect());
        }
        samples
    }

    fn build(sets: &mut FreeVars, members: &BTreeSet<u32>) -> VarSetId {
        members.iter().fold(VarSetId::EMPTY, |set, &var| {
            let one = sets.single(VarId(var));
            sets.union(set, one)
        })
    }

    #[test]
    fn sets_behave_like_sets() {
        let mut sets = FreeVars::new();
        let samples = samples();
        let ids: Vec<VarSetId> = samples.iter().map(|members| build(&mut sets, members)).collect();
        for (a, &a_id) in samples.iter().zip(&ids) {
            assert!(sets.iter(a_id).map(|var| var.0).eq(a.iter().copied()));
            let single = a.first().filter(|_| a.len() == 1).copied().map(VarId);
            assert_eq!(sets.as_single(a_id), single);
            let backwards = a.iter().rev().fold(VarSetId::EMPTY, |set, &var| {
                let one = sets.single(VarId(var));
                sets.union(one, set)
            });
            assert_eq!(backwards, a_id, "one set, one id");
            for (b, &b_id) in samples.iter().zip(&ids) {
                let union = sets.union(a_id, b_id);
                let expected: BTreeSet<u32> = a.union(b).copied().collect();
                assert_eq!(union, build(&mut sets, &expected));
                assert_eq!(sets.intersects(a_id, b_id), !a.is_disjoint(b), "{a:?} {b:?}");
                assert!(b.iter().all(|var| sets.contains(a_id, VarId(*var)) == a.contains(var)));
            }
        }
    }

    #[test]
    fn growing_sets_share_their_trees() {
        let mut sets = FreeVars::new();
        let mut set = VarSetId::EMPTY;
        for var in 0..100_000 {
            let one = sets.single(VarId(var));
            set = sets.union(set, one);
        }
        assert!(sets.trees.len() < 100_000 * 16, "{} trees", sets.trees.len());
    }
}
