//! Which block lies on every path from which to the function's end, and which branch decides whether a block runs.
//!
//! All exits lead to one virtual exit. Where every end counts, a loop without a way out gets an assumed exit at its first
//! block, so that each reachable block has an end to go to.

use super::blocks::BlockId;
use super::cfg::Cfg;
use super::domtree::DomTree;
use super::graph::Graph;

#[derive(Clone, Debug)]
pub struct PostDominators {
    /// Edges reversed, with the virtual exit as last node.
    graph: Graph,
    tree: DomTree,
    exits: Vec<BlockId>,
}

impl PostDominators {
    /// Whatever nothing follows is an exit.
    pub fn new(cfg: &Cfg) -> Self {
        Self::before(cfg, exits(cfg).into_iter().map(BlockId).collect())
    }

    /// With these exits only. Blocks that lead to none of them are as if unreachable.
    pub fn before(cfg: &Cfg, exits: Vec<BlockId>) -> Self {
        let virtual_exit = cfg.n_blocks() as u32;
        let mut edges: Vec<(u32, u32)> = Vec::new();
        for &block in &cfg.order {
            edges.extend(cfg.graph.succs(block).iter().map(|&succ| (block, succ)));
        }
        edges.extend(exits.iter().map(|block| (block.0, virtual_exit)));
        let graph = Graph::new(cfg.n_blocks() + 1, &edges).reversed();
        let tree = DomTree::new(&graph, &graph.reverse_postorder(virtual_exit));
        Self { graph, tree, exits }
    }

    /// The next block that every path from here to the end goes through; `None` if that is the end itself, or the
    /// block is unreachable or leads to no end.
    pub fn ipdom(&self, block: BlockId) -> Option<BlockId> {
        self.tree.idom(block.0).filter(|&idom| idom != self.virtual_exit()).map(BlockId)
    }

    /// Does every path from `before` to the end go through `after`? A block post-dominates itself. False if one of
    /// them is unreachable. Takes constant time.
    pub fn postdominates(&self, after: BlockId, before: BlockId) -> bool {
        self.tree.dominates(after.0, before.0)
    }

    /// The blocks that end the function, real exits first, then the assumed exits of endless loops.
    pub fn exits(&self) -> &[BlockId] {
        &self.exits
    }

    /// For each block, the blocks whose branch decides whether it runs: they have one way that must lead to it and
    /// one that may not. (The post-dominance frontier; Ferrante, Ottenstein and Warren.)
    pub fn control_dependences(&self) -> Vec<Vec<BlockId>> {
        let mut frontiers = self.tree.frontiers(&self.graph);
        frontiers.pop();
        frontiers.into_iter().map(|frontier| frontier.into_iter().map(BlockId).collect()).collect()
    }

    fn virtual_exit(&self) -> u32 {
        self.graph.n_nodes() as u32 - 1
    }
}

fn exits(cfg: &Cfg) -> Vec<u32> {
    let is_exit = |block: &u32| cfg.graph.succs(*block).is_empty();
    let mut exits: Vec<u32> = cfg.order.iter().copied().filter(is_exit).collect();
    exits.extend(endless_loops(cfg, &exits));
    exits
}

/// The first block, in reverse post-order, of each loop that control cannot leave.
fn endless_loops(cfg: &Cfg, exits: &[u32]) -> Vec<u32> {
    let mut ends = vec![false; cfg.n_blocks()];
    let mut stack = exits.to_vec();
    exits.iter().for_each(|&exit| ends[exit as usize] = true);
    while let Some(block) = stack.pop() {
        for &pred in cfg.graph.preds(block) {
            if !std::mem::replace(&mut ends[pred as usize], true) {
                stack.push(pred);
            }
        }
    }
    let endless: Vec<u32> = cfg.order.iter().copied().filter(|&block| !ends[block as usize]).collect();
    let components = cfg.graph.components(&endless);
    let mut component_of = vec![None; cfg.n_blocks()];
    for (index, component) in components.iter().enumerate() {
        component.iter().for_each(|&block| component_of[block as usize] = Some(index));
    }
    let is_closed = |component: &Vec<u32>| {
        let succs = component.iter().flat_map(|&block| cfg.graph.succs(block));
        succs.clone().all(|&succ| component_of[succ as usize] == component_of[component[0] as usize])
    };
    let first = |component: &Vec<u32>| component.iter().copied().min_by_key(|&block| cfg.position(BlockId(block)));
    components.iter().filter(|component| is_closed(component)).filter_map(first).collect()
}
