//! Dominator trees of any graph with a root, after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".

use super::graph::Graph;
use std::collections::BinaryHeap;

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(super) struct DomTree {
    /// `NONE` for the root and for nodes that it does not reach.
    idom: Vec<u32>,
    /// When a walk over the tree enters and leaves each node; equal (0) for unreached nodes.
    spans: Vec<(u32, u32)>,
}

impl DomTree {
    /// `order` is a reverse post-order from the root, which it starts with.
    pub fn new(graph: &Graph, order: &[u32]) -> Self {
        let idom = immediate_dominators(graph, order);
        let spans = spans(&idom, order);
        Self { idom, spans }
    }

    pub fn idom(&self, node: u32) -> Option<u32> {
        Some(self.idom[node as usize]).filter(|&idom| idom != NONE)
    }

    pub fn is_reached(&self, node: u32) -> bool {
        let (enter, leave) = self.spans[node as usize];
        enter < leave
    }

    /// Reflexive. False if the root does not reach one of the nodes.
    pub fn dominates(&self, above: u32, below: u32) -> bool {
        let (above_enter, above_leave) = self.spans[above as usize];
        let (below_enter, below_leave) = self.spans[below as usize];
        above_enter <= below_enter && below_leave <= above_leave && below_enter < below_leave
    }

    /// For each node, where its dominance ends: the nodes that it does not strictly dominate although it dominates a
    /// predecessor of theirs.
    pub fn frontiers(&self, graph: &Graph) -> Vec<Vec<u32>> {
        let mut frontiers: Vec<Vec<u32>> = vec![Vec::new(); graph.n_nodes()];
        for join in (0..graph.n_nodes() as u32).filter(|&node| self.is_reached(node)) {
            let stop = self.idom(join);
            for &pred in graph.preds(join).iter().filter(|&&pred| self.is_reached(pred)) {
                let mut runner = Some(pred);
                while let Some(node) = runner.filter(|_| runner != stop) {
                    let frontier = &mut frontiers[node as usize];
                    // What another predecessor already walked goes on to the same stop.
                    if frontier.last() == Some(&join) {
                        break;
                    }
                    frontier.push(join);
                    runner = self.idom(node);
                }
            }
        }
        frontiers
    }
}

fn immediate_dominators(graph: &Graph, order: &[u32]) -> Vec<u32> {
    let mut position = vec![NONE; graph.n_nodes()];
    for (index, &node) in order.iter().enumerate() {
        position[node as usize] = index as u32;
    }
    // Positions in `order` instead of nodes, so that a dominator is always a smaller number.
    let mut idom: Vec<u32> = (0..order.len()).map(|index| if index == 0 { 0 } else { NONE }).collect();
    let mut climbing = BinaryHeap::new();
    let mut changed = true;
    while changed {
        changed = false;
        for (index, &node) in order.iter().enumerate().skip(1) {
            let preds = graph.preds(node).iter().map(|&pred| position[pred as usize]);
            climbing.extend(preds.filter(|&pred| pred != NONE && idom[pred as usize] != NONE));
            let meeting = meeting_point(&idom, &mut climbing);
            changed |= idom[index] != meeting;
            idom[index] = meeting;
        }
    }
    let mut by_node = vec![NONE; graph.n_nodes()];
    for (index, &node) in order.iter().enumerate().skip(1) {
        by_node[node as usize] = order[idom[index] as usize];
    }
    by_node
}

/// Where the ways up from all nodes meet, in positions. Lifting the lowest node first visits each tree node once, even
/// if a join has thousands of predecessors; meeting them pairwise would not.
fn meeting_point(idom: &[u32], climbing: &mut BinaryHeap<u32>) -> u32 {
    while let Some(lowest) = climbing.pop() {
        while climbing.peek() == Some(&lowest) {
            climbing.pop();
        }
        if climbing.is_empty() {
            return lowest;
        }
        climbing.push(idom[lowest as usize]);
    }
    NONE
}

/// Numbers the tree without building lists of children: sizes bottom-up, then places top-down.
fn spans(idom: &[u32], order: &[u32]) -> Vec<(u32, u32)> {
    let mut sizes = vec![0u32; idom.len()];
    for &node in order.iter().rev() {
        sizes[node as usize] += 1;
        if idom[node as usize] != NONE {
            sizes[idom[node as usize] as usize] += sizes[node as usize];
        }
    }
    let mut spans = vec![(0, 0); idom.len()];
    // Where the next child of each node goes.
    let mut next = vec![0u32; idom.len()];
    for &node in order {
        let parent = idom[node as usize];
        let mut enter = 0;
        if parent != NONE {
            enter = next[parent as usize];
            next[parent as usize] += sizes[node as usize];
        }
        next[node as usize] = enter + 1;
        spans[node as usize] = (enter, enter + sizes[node as usize]);
    }
    spans
}
