//! The control-flow graph of a function.

use super::blocks::BlockId;
use super::graph::Graph;

/// Edges between blocks without repetitions, and the order in which analyses visit them.
#[derive(Clone, Debug)]
pub struct Cfg {
    pub(super) graph: Graph,
    /// Reachable blocks only; starts with the entry.
    pub(super) order: Vec<u32>,
    /// Position in `order`.
    positions: Vec<Option<u32>>,
}

impl Cfg {
    /// Block 0 is the entry. `visit_successors` calls what it is given with each block that may follow one.
    pub fn new(n_blocks: usize, visit_successors: impl Fn(u32, &mut dyn FnMut(BlockId))) -> Self {
        let mut edges = Vec::new();
        for block in 0..n_blocks as u32 {
            let first = edges.len();
            visit_successors(block, &mut |succ| edges.push((block, succ.0)));
            remove_repetitions(&mut edges, first);
        }
        let graph = Graph::new(n_blocks, &edges);
        let order = if n_blocks == 0 { Vec::new() } else { graph.reverse_postorder(0) };
        let mut positions = vec![None; n_blocks];
        for (position, &block) in order.iter().enumerate() {
            positions[block as usize] = Some(position as u32);
        }
        Self { graph, order, positions }
    }

    pub fn n_blocks(&self) -> usize {
        self.graph.n_nodes()
    }

    pub fn successors(&self, block: BlockId) -> impl ExactSizeIterator<Item = BlockId> + '_ {
        self.graph.succs(block.0).iter().copied().map(BlockId)
    }

    /// Includes unreachable ones.
    pub fn predecessors(&self, block: BlockId) -> impl ExactSizeIterator<Item = BlockId> + '_ {
        self.graph.preds(block.0).iter().copied().map(BlockId)
    }

    /// The reachable blocks, each before its successors except along edges that close a loop.
    pub fn reverse_postorder(&self) -> impl DoubleEndedIterator<Item = BlockId> + ExactSizeIterator + '_ {
        self.order.iter().copied().map(BlockId)
    }

    /// Where a block stands in the reverse post-order; `None` if it is unreachable.
    pub fn position(&self, block: BlockId) -> Option<u32> {
        self.positions[block.index()]
    }

    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position(block).is_some()
    }
}

/// Keeps the first of equal edges from `first` on, in order. Long lists (switches) are sorted to find them.
fn remove_repetitions(edges: &mut Vec<(u32, u32)>, first: usize) {
    match &edges[first..] {
        [] | [_] => {}
        [a, b] => {
            if a == b {
                edges.pop();
            }
        }
        many => {
            let mut by_target: Vec<(u32, usize)> = many.iter().enumerate().map(|(i, &(_, to))| (to, i)).collect();
            by_target.sort_unstable();
            by_target.dedup_by_key(|&mut (to, _)| to);
            by_target.sort_unstable_by_key(|&(_, i)| i);
            let from = many[0].0;
            edges.truncate(first);
            edges.extend(by_target.into_iter().map(|(to, _)| (from, to)));
        }
    }
}
