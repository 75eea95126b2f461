//! Values that satisfy bounds of the form `a + gap <= b`, kept while bounds are added one by one.
//!
//! A bound that does not hold is repaired from the values that there are: `a` goes down and takes along what must not
//! be above it, as far as constants and the range of values allow; then `b` goes up in the same way. Both only move
//! what has to move, so values stay near to those at the beginning. If the ways down and up lead back to the bound, or
//! to limits that are too far apart, the bounds on them are why it can't hold.

use std::collections::VecDeque;

use spelunk_expr::ExprId;

use crate::layers::relation::TermIdx;

/// Number of a bound.
type EdgeIdx = u32;

const NONE: u32 = u32::MAX;

/// `low + gap <= high`
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub low: TermIdx,
    pub high: TermIdx,
    pub gap: i128,
    /// The constraint that states the bound.
    pub reason: ExprId,
    /// Whether the constraint only states that this or something else holds.
    pub is_assumed: bool,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    value: i128,
    is_const: bool,
    /// The first edges above and below the node.
    up: EdgeIdx,
    down: EdgeIdx,
    /// The edge along which the node was moved last.
    moved_by: EdgeIdx,
}

/// Why a bound can't hold.
#[derive(Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The reasons of bounds that exclude it, and its own.
    pub reasons: Vec<ExprId>,
    /// Whether a bound that was only assumed is among them, apart from the one that was added.
    pub has_assumed: bool,
}

/// To be kept and used again.
#[derive(Default)]
pub struct Graph {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// By edge, the next one above the same node, and the next one below the same node.
    links: Vec<[EdgeIdx; 2]>,
    max: i128,
    queue: VecDeque<TermIdx>,
    /// Nodes that were moved, with the values that they had.
    undo: Vec<(TermIdx, i128)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Down,
    Up,
}

/// Where a way ends that can't be followed to its end.
#[derive(Clone, Copy)]
struct Obstacle {
    /// The last node that was moved, and the edge to the constant beyond it; none if the range of values ends.
    node: TermIdx,
    edge: EdgeIdx,
    /// How much too far it would have to go.
    excess: i128,
}

/// What came of moving a node and all that has to follow.
enum Moved {
    Freely,
    Blocked(Obstacle),
    /// It would move the other end of the edge for which it was moved.
    InACircle(TermIdx, EdgeIdx),
}

impl Graph {
    pub fn clear(&mut self, max: u64) {
        self.nodes.clear();
        self.edges.clear();
        self.links.clear();
        self.max = max.into();
    }

    /// Nodes are numbered from zero on.
    pub fn add_node(&mut self, value: u64, is_const: bool) {
        self.nodes.push(Node { value: value.into(), is_const, up: NONE, down: NONE, moved_by: NONE });
    }

    pub fn value(&self, node: TermIdx) -> u64 {
        self.nodes[node as usize].value as u64
    }

    /// Adds a bound that holds.
    fn add_edge(&mut self, edge: Edge) {
        let at = self.edges.len() as EdgeIdx;
        let up = std::mem::replace(&mut self.nodes[edge.low as usize].up, at);
        let down = std::mem::replace(&mut self.nodes[edge.high as usize].down, at);
        self.links.push([up, down]);
        self.edges.push(edge);
    }

    fn holds(&self, edge: &Edge) -> bool {
        self.nodes[edge.low as usize].value + edge.gap <= self.nodes[edge.high as usize].value
    }

    /// Adds a bound and changes values until it holds together with all before; if it can't, nothing changes.
    pub fn impose(&mut self, edge: Edge) -> Result<(), Conflict> {
        if !self.holds(&edge) {
            self.repair(&edge)?;
        }
        self.add_edge(edge);
        Ok(())
    }

    fn repair(&mut self, edge: &Edge) -> Result<(), Conflict> {
        let Edge { low, high, gap, .. } = *edge;
        self.undo.clear();
        let lowest = self.nodes[high as usize].value - gap;
        let obstacle = match self.shift(Direction::Down, low, lowest, high) {
            Moved::Freely => return Ok(()),
            Moved::InACircle(node, last) => {
                let mut conflict = self.conflict(edge);
                self.add_way(&mut conflict, Direction::Down, node, last);
                self.revert();
                return Err(conflict);
            }
            Moved::Blocked(obstacle) => obstacle,
        };
        // What is on the way to the obstacle is noted now, as the nodes are about to be moved differently.
        let mut conflict = self.conflict(edge);
        self.add_way(&mut conflict, Direction::Down, obstacle.node, obstacle.edge);
        self.revert();
        let lowest = lowest + obstacle.excess;
        if lowest < self.nodes[low as usize].value {
            self.shift(Direction::Down, low, lowest, high);
        }
        match self.shift(Direction::Up, high, lowest + gap, low) {
            Moved::Freely => Ok(()),
            Moved::Blocked(Obstacle { node, edge, .. }) | Moved::InACircle(node, edge) => {
                self.add_way(&mut conflict, Direction::Up, node, edge);
                self.revert();
                Err(conflict)
            }
        }
    }

    /// Moves a node to a value, and all others that then have to move, but not `other`.
    fn shift(&mut self, direction: Direction, start: TermIdx, value: i128, other: TermIdx) -> Moved {
        let mut obstacle: Option<Obstacle> = None;
        let mut hit = |node, edge, excess| {
            if excess > obstacle.map_or(0, |obstacle| obstacle.excess) {
                obstacle = Some(Obstacle { node, edge, excess });
            }
        };
        let excess_of = |value: i128, max: i128| match direction {
            Direction::Down => -value,
            Direction::Up => value - max,
        };
        if self.nodes[start as usize].is_const {
            hit(start, NONE, (self.nodes[start as usize].value - value).abs());
        } else {
            hit(start, NONE, excess_of(value, self.max));
            self.put(start, value, NONE);
        }
        while let Some(node) = self.queue.pop_front() {
            let Node { value, up, down, .. } = self.nodes[node as usize];
            let mut at = if direction == Direction::Down { down } else { up };
            while at != NONE {
                let edge = self.edges[at as usize];
                let (next, bound) = match direction {
                    Direction::Down => (edge.low, value - edge.gap),
                    Direction::Up => (edge.high, value + edge.gap),
                };
                let target = self.nodes[next as usize];
                let excess = if direction == Direction::Down { target.value - bound } else { bound - target.value };
                if excess > 0 {
                    if next == other {
                        self.queue.clear();
                        return Moved::InACircle(node, at);
                    }
                    if target.is_const {
                        hit(node, at, excess);
                    } else {
                        self.put(next, bound, at);
                        hit(next, NONE, excess_of(bound, self.max));
                    }
                }
                at = self.links[at as usize][(direction == Direction::Down) as usize];
            }
        }
        obstacle.map_or(Moved::Freely, Moved::Blocked)
    }

    fn put(&mut self, node: TermIdx, value: i128, along: EdgeIdx) {
        self.undo.push((node, self.nodes[node as usize].value));
        self.nodes[node as usize].value = value;
        self.nodes[node as usize].moved_by = along;
        self.queue.push_back(node);
    }

    fn revert(&mut self) {
        while let Some((node, value)) = self.undo.pop() {
            self.nodes[node as usize].value = value;
        }
    }

    fn conflict(&self, edge: &Edge) -> Conflict {
        Conflict { reasons: vec![edge.reason], has_assumed: false }
    }

    /// Adds the reasons of the edges on the way by which a node came to be moved, and of the one beyond it.
    fn add_way(&self, conflict: &mut Conflict, direction: Direction, node: TermIdx, beyond: EdgeIdx) {
        let mut add = |at: EdgeIdx| {
            let edge = &self.edges[at as usize];
            conflict.has_assumed |= edge.is_assumed;
            if !conflict.reasons.contains(&edge.reason) {
                conflict.reasons.push(edge.reason);
            }
            if direction == Direction::Down { edge.high } else { edge.low }
        };
        if beyond != NONE {
            add(beyond);
        }
        let mut at = self.nodes[node as usize].moved_by;
        while at != NONE {
            at = self.nodes[add(at) as usize].moved_by;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: u64 = 10;

    fn graph(values: &[(u64, bool)]) -> Graph {
        let mut graph = Graph::default();
        graph.clear(MAX);
        values.iter().for_each(|&(value, is_const)| graph.add_node(value, is_const));
        graph
    }

    fn edge(low: TermIdx, gap: i128, high: TermIdx) -> Edge {
        Edge { low, high, gap, reason: ExprId::from_raw(100 + 10 * low + high), is_assumed: false }
    }

    fn values(graph: &Graph) -> Vec<u64> {
        (0..graph.nodes.len() as TermIdx).map(|node| graph.value(node)).collect()
    }

    #[test]
    fn only_what_has_to_move_moves() {
        let mut graph = graph(&[(3, false), (5, false), (7, false), (9, false)]);
        for low in 0..3 {
            assert_eq!(graph.impose(edge(low, 1, low + 1)), Ok(()));
        }
        assert_eq!(values(&graph), [3, 5, 7, 9]);
        // The third below four: the first is low enough.
        graph.add_node(4, true);
        assert_eq!(graph.impose(edge(2, 0, 4)), Ok(()));
        assert_eq!(values(&graph), [2, 3, 4, 9, 4]);
    }

    #[test]
    fn both_ends_move_if_one_alone_can_not() {
        let mut graph = graph(&[(8, false), (1, false), (4, true), (5, true)]);
        graph.impose(edge(2, 0, 0)).expect("holds");
        graph.impose(edge(1, 0, 3)).expect("holds");
        graph.impose(edge(0, 0, 1)).expect("both are four");
        assert_eq!(values(&graph), [4, 4, 4, 5]);
        let conflict = graph.impose(edge(0, 2, 1)).expect_err("only two values are left");
        assert_eq!(conflict.reasons, [edge(0, 0, 1), edge(2, 0, 0), edge(1, 0, 3)].map(|edge| edge.reason));
        assert_eq!(values(&graph), [4, 4, 4, 5]);
    }

    #[test]
    fn a_circle_is_a_conflict() {
        let mut graph = graph(&[(1, false), (2, false), (3, false)]);
        graph.impose(edge(0, 0, 1)).expect("holds");
        graph.impose(Edge { is_assumed: true, ..edge(1, 1, 2) }).expect("holds");
        let conflict = graph.impose(edge(2, 0, 0)).expect_err("a circle");
        assert_eq!(conflict.reasons, [edge(2, 0, 0), edge(0, 0, 1), edge(1, 1, 2)].map(|edge| edge.reason));
        assert!(conflict.has_assumed);
        assert_eq!(values(&graph), [1, 2, 3]);
    }

    #[test]
    fn values_stay_in_their_range() {
        let mut graph = graph(&[(0, false), (0, false), (10, true)]);
        graph.impose(edge(0, 1, 1)).expect("there is room above");
        assert_eq!(values(&graph), [0, 1, 10]);
        graph.impose(edge(2, 0, 0)).expect_err("there is none above ten");
    }
}
