//! Garbage collection: dropping what no root is made of.
//!
//! Ids that survive keep their meaning. The alternative, to move survivors together and hand out a map, would make
//! every holder of ids rename them at once: execution tree, snapshots, the bit-blaster's tables. The price is that ids
//! of dropped nodes are given to new ones. So whoever keeps tables by id forgets the ids that [`ExprPool::collect`]
//! returns, or everything when [`ExprPool::epoch`] has changed; and that an operand's id may be larger than that of
//! the expression it is part of. Memory of dropped nodes is used again, not returned, except at the end of the ids.

use crate::facts::FactsTable;
use crate::node::{ExprId, Node};
use crate::op::Op;
use crate::pool::ExprPool;
use crate::traverse::ExprSet;

impl ExprPool {
    /// How often garbage was collected: while this is the same, ids keep their meaning.
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Drops what the roots are not made of and returns the ids that became free, in order.
    pub fn collect(&mut self, roots: impl IntoIterator<Item = ExprId>) -> Vec<ExprId> {
        let live = self.mark(roots);
        let mut dropped = Vec::new();
        for index in 1..self.nodes.len() {
            let id = ExprId::from_raw(index as u32);
            if !live.contains(id) && self.nodes[index] != Node::VACANT {
                self.nodes[index] = Node::VACANT;
                dropped.push(id);
            }
        }
        self.cut_vacant_end();
        // The lowest ids are taken first, which keeps ids dense.
        self.free = (1..self.nodes.len() as u32)
            .rev()
            .map(ExprId::from_raw)
            .filter(|&id| self.node(id) == Node::VACANT)
            .collect();
        self.compact_contents();
        self.rebuild_facts();
        self.rebuild_unique();
        self.epoch += 1;
        dropped
    }

    fn mark(&self, roots: impl IntoIterator<Item = ExprId>) -> ExprSet {
        let mut live = ExprSet::new(self);
        let mut stack = vec![ExprId::FALSE, ExprId::TRUE];
        stack.extend(roots);
        while let Some(id) = stack.pop() {
            if !id.is_none() && live.insert(id) {
                stack.extend(self.node(id).args());
            }
        }
        live
    }

    fn cut_vacant_end(&mut self) {
        let end = self.nodes.iter().rposition(|&node| node != Node::VACANT).map_or(1, |last| last + 1);
        self.nodes.truncate(end);
        self.facts_of.truncate(end);
    }

    /// Moves the contents of wide constants and tables together.
    fn compact_contents(&mut self) {
        let old_limbs = std::mem::take(&mut self.limbs);
        let mut old_tables: Vec<_> = std::mem::take(&mut self.tables).into_iter().map(Some).collect();
        for node in &mut self.nodes {
            let at = node.word(0) as usize;
            match node.op() {
                Op::WideConst => {
                    let n_limbs = spelunk_bv::wide::n_limbs(node.width());
                    *node = node.with_word_0(self.limbs.len() as u32);
                    self.limbs.extend_from_slice(&old_limbs[at..at + n_limbs]);
                }
                Op::Table => {
                    *node = node.with_word_0(self.tables.len() as u32);
                    self.tables.push(old_tables[at].take().expect("a table belongs to one node"));
                }
                _ => {}
            }
        }
    }

    fn rebuild_facts(&mut self) {
        let old = std::mem::take(&mut self.facts);
        let mut kept = FactsTable::default();
        for (node, facts) in self.nodes.iter().zip(&mut self.facts_of).filter(|(node, _)| **node != Node::VACANT) {
            if !facts.is_nothing() {
                *facts = kept.intern(old.get(*facts, node.width()));
            }
        }
        self.facts = kept;
    }

    fn rebuild_unique(&mut self) {
        self.unique.clear();
        for index in 1..self.nodes.len() {
            let node = self.nodes[index];
            if node != Node::VACANT {
                let key = self.key_of(node);
                self.unique.insert(key, index as u32);
            }
        }
    }
}
