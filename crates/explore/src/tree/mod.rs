//! The execution tree: what was decided where on the paths so far, and what is still open.
//!
//! A node is a decision after a given sequence of decisions; its alternatives lead to further nodes, to the end of a path,
//! or are open. Everything that is left to explore is an open alternative somewhere in here. Subtrees in which nothing is
//! open are dropped, so the tree is as large as its frontier, however many paths were explored.

mod growth;
mod node;

use std::rc::Rc;

use spelunk_concolic::decision::Choice;
use spelunk_expr::ExprId;

use crate::origin::Origin;

pub use growth::{Entered, Path, Source};
use node::{Alternative, Node, NodeId, State};
pub use node::{Closed, Features, Ticket};
use spelunk_ir::code::OpIdx;

/// What stands at the top.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Root {
    #[default]
    Unknown,
    Node(NodeId),
    /// All paths are explored.
    Explored,
}

#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    free: Vec<NodeId>,
    root: Root,
    /// How many alternatives are open.
    n_open: usize,
    n_stamps: u32,
    /// Of nodes that are free.
    nowhere: Rc<Origin>,
}

impl Tree {
    pub fn new() -> Self {
        Self::default()
    }

    /// How many alternatives are open.
    pub fn n_open(&self) -> usize {
        self.n_open
    }

    pub fn n_nodes(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    fn alternative(&self, ticket: Ticket) -> &Alternative {
        &self.node(ticket.node).alternatives[ticket.alternative as usize]
    }

    fn ticket(&self, node: NodeId, alternative: u32) -> Ticket {
        Ticket { node, alternative, stamp: self.node(node).stamp }
    }

    pub fn is_open(&self, ticket: Ticket) -> bool {
        self.node(ticket.node).stamp == ticket.stamp && self.alternative(ticket).state == State::Open
    }

    pub fn features(&self, ticket: Ticket) -> Features {
        let node = self.node(ticket.node);
        Features {
            site: node.site,
            kind: node.kind,
            choice: self.alternative(ticket).choice,
            depth: node.depth,
            stack: node.stack,
        }
    }

    /// An input that goes to the decision at which the alternative is open.
    pub fn origin(&self, ticket: Ticket) -> &Rc<Origin> {
        &self.node(ticket.node).origin
    }

    /// The condition of the alternative by itself: the last of them, if it has several.
    pub fn condition(&self, ticket: Ticket) -> Option<ExprId> {
        self.alternative(ticket).conds.last().copied()
    }

    /// The conditions on the way to the alternative, followed by its own; returns how many are on the way.
    pub fn path_condition(&self, ticket: Ticket, out: &mut Vec<ExprId>) -> usize {
        out.clear();
        self.walk_up(ticket, |_, alternative| out.extend(alternative.conds.iter().rev()));
        out.reverse();
        out.len() - self.alternative(ticket).conds.len()
    }

    /// The decisions on the way to the alternative, followed by its own: what a run that goes there will decide.
    pub fn prediction(&self, ticket: Ticket, out: &mut Vec<(OpIdx, Choice)>) {
        out.clear();
        self.walk_up(ticket, |node, alternative| out.push((node.site, alternative.choice)));
        out.reverse();
    }

    fn walk_up(&self, ticket: Ticket, mut visit: impl FnMut(&Node, &Alternative)) {
        let mut at = Some((ticket.node, ticket.alternative));
        while let Some((id, alternative)) = at {
            let node = self.node(id);
            visit(node, &node.alternatives[alternative as usize]);
            at = node.parent;
        }
    }

    /// Goes down from the top to an open alternative; `choose` picks one of `n` ways at each fork.
    pub fn descend(&self, mut choose: impl FnMut(usize) -> usize) -> Option<Ticket> {
        let Root::Node(mut at) = self.root else { return None };
        loop {
            let node = self.node(at);
            let way = if node.n_live == 1 { 0 } else { choose(node.n_live as usize) };
            let mut ways = (0..).zip(&node.alternatives).filter(|(_, alternative)| alternative.state.is_live());
            let (idx, chosen) = ways.nth(way)?;
            match chosen.state {
                State::Leads(below) => at = below,
                _ => return Some(self.ticket(at, idx)),
            }
        }
    }

    /// The open alternative with the fewest decisions before it, of those that can be named.
    pub fn shallowest(&self) -> Option<Ticket> {
        let Root::Node(root) = self.root else { return None };
        let mut level = vec![root];
        while !level.is_empty() {
            let mut next = Vec::new();
            for &id in &level {
                for (idx, alternative) in (0..).zip(&self.node(id).alternatives) {
                    match alternative.state {
                        State::Open if alternative.choice != Choice::Rest => return Some(self.ticket(id, idx)),
                        State::Leads(below) => next.push(below),
                        _ => {}
                    }
                }
            }
            level = next;
        }
        None
    }

    /// What is open: an input that goes there, and the condition.
    pub fn open(&self) -> impl Iterator<Item = (&Rc<Origin>, ExprId)> + '_ {
        let all = self.nodes.iter().flat_map(|node| node.alternatives.iter().map(move |it| (&node.origin, it)));
        let open = all.filter(|(_, alternative)| alternative.state == State::Open);
        open.filter_map(|(origin, alternative)| Some((origin, *alternative.conds.last()?)))
    }

    /// The conditions that open alternatives need: what must survive when expressions are collected.
    pub fn conditions(&self) -> impl Iterator<Item = ExprId> + '_ {
        // Nodes whose place is free have no alternatives.
        let alternatives = self.nodes.iter().flat_map(|node| &node.alternatives);
        alternatives.flat_map(|alternative| alternative.conds.iter().copied())
    }
}

#[cfg(test)]
mod tests;
