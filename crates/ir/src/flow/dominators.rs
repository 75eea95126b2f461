//! Which block lies on every path to which.

use super::blocks::BlockId;
use super::cfg::Cfg;
use super::domtree::DomTree;

#[derive(Clone, Debug)]
pub struct Dominators {
    tree: DomTree,
}

impl Dominators {
    pub fn new(cfg: &Cfg) -> Self {
        Self { tree: DomTree::new(&cfg.graph, &cfg.order) }
    }

    /// `None` for the entry and for unreachable blocks.
    pub fn idom(&self, block: BlockId) -> Option<BlockId> {
        self.tree.idom(block.0).map(BlockId)
    }

    /// Does every path from the entry to `below` go through `above`? A block dominates itself. False if one of them
    /// is unreachable. Takes constant time.
    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        self.tree.dominates(above.0, below.0)
    }

    /// The dominance frontier of each block: the first blocks that it does not strictly dominate any more.
    pub fn frontiers(&self, cfg: &Cfg) -> Vec<Vec<BlockId>> {
        let frontiers = self.tree.frontiers(&cfg.graph).into_iter();
        frontiers.map(|frontier| frontier.into_iter().map(BlockId).collect()).collect()
    }
}
