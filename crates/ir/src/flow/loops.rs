//! Loops and how they nest.
//!
//! A loop is a strongly connected set of blocks; taking its header away leaves the loops inside it. With one entry it
//! is a natural loop, and the edges to its header are its back edges. With several (a `goto` into the middle) it is irreducible: kept, and flagged.

use super::blocks::BlockId;
use super::cfg::Cfg;
use crate::model::define_id;

define_id!(
    /// A loop of one function; outer loops come before inner ones.
    LoopId
);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Of a natural loop: the block that dominates the others. Else the first entry in reverse post-order.
    pub header: BlockId,
    /// Blocks that control enters the loop by, in reverse post-order.
    pub entries: Vec<BlockId>,
    /// Inner loops included, in reverse post-order.
    pub blocks: Vec<BlockId>,
    /// Blocks of the loop that lead back to the header, in reverse post-order.
    pub latches: Vec<BlockId>,
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
}

impl Loop {
    pub fn is_irreducible(&self) -> bool {
        self.entries.len() > 1
    }
}

#[derive(Clone, Debug, Default)]
pub struct Loops {
    loops: Vec<Loop>,
    innermost: Vec<Option<LoopId>>,
}

impl Loops {
    pub fn new(cfg: &Cfg) -> Self {
        let mut loops = Self { loops: Vec::new(), innermost: vec![None; cfg.n_blocks()] };
        let position = |block: &u32| cfg.position(BlockId(*block));
        // One round a nesting depth: loops side by side share no cycle, so they can be taken apart together.
        let mut remaining = cfg.order.clone();
        while !remaining.is_empty() {
            let mut found = cfg.graph.components(&remaining);
            found.retain(|blocks| blocks.len() > 1 || cfg.graph.has_self_edge(blocks[0]));
            found.iter_mut().for_each(|blocks| blocks.sort_unstable_by_key(position));
            found.sort_unstable_by_key(|blocks| position(&blocks[0]));
            remaining.clear();
            for blocks in found {
                loops.add(cfg, &blocks);
                remaining.extend(&blocks[1..]);
            }
        }
        loops
    }

    pub fn len(&self) -> usize {
        self.loops.len()
    }

    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = (LoopId, &Loop)> {
        self.loops.iter().enumerate().map(|(index, found)| (LoopId::new(index), found))
    }

    /// The innermost loop that a block is in.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block.index()]
    }

    /// The loops that a block is in, innermost first.
    pub fn around(&self, block: BlockId) -> impl Iterator<Item = LoopId> + '_ {
        std::iter::successors(self.innermost(block), |&id| self[id].parent)
    }

    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        self.around(block).any(|around| around == id)
    }

    /// The loop whose header a block is.
    pub fn headed_by(&self, block: BlockId) -> Option<LoopId> {
        self.innermost(block).filter(|&id| self[id].header == block)
    }

    pub fn has_irreducible(&self) -> bool {
        self.loops.iter().any(Loop::is_irreducible)
    }

    /// `blocks` are in reverse post-order, so the first one is where control first enters.
    fn add(&mut self, cfg: &Cfg, blocks: &[u32]) {
        let id = LoopId::new(self.loops.len());
        let parent = self.innermost[blocks[0] as usize];
        blocks.iter().for_each(|&block| self.innermost[block as usize] = Some(id));
        let is_outside = |pred: &u32| self.innermost[*pred as usize] != Some(id) && cfg.is_reachable(BlockId(*pred));
        let is_entry = |block: &u32| *block == cfg.order[0] || cfg.graph.preds(*block).iter().any(is_outside);
        let is_latch = |block: &u32| cfg.graph.succs(*block).contains(&blocks[0]);
        self.loops.push(Loop {
            header: BlockId(blocks[0]),
            entries: blocks.iter().copied().filter(is_entry).map(BlockId).collect(),
            blocks: blocks.iter().copied().map(BlockId).collect(),
            latches: blocks.iter().copied().filter(is_latch).map(BlockId).collect(),
            parent,
            depth: parent.map_or(1, |parent| self[parent].depth + 1),
        });
    }
}

impl std::ops::Index<LoopId> for Loops {
    type Output = Loop;

    fn index(&self, id: LoopId) -> &Loop {
        &self.loops[id.index()]
    }
}
