//! The execution tree: what was decided where on the paths so far, and what is still open.
//!
//! A node is a decision after a given sequence of decisions; its alternatives lead to further nodes, to the end of a path,
//! or are open. Everything that is left to explore is an open alternative somewhere in here. Subtrees in which nothing is
//! open are dropped, so the tree is as large as its frontier, however many paths were explored.

use std::rc::Rc;

use smallvec::SmallVec;
use spelunk_concolic::decision::{Choice, Decision, DecisionKind, Others};
use spelunk_expr::ExprId;

use crate::origin::Origin;

/// A node's place in the arena. Places are used again: see [`Ticket`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(u32);

/// An alternative that was open when the ticket was made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ticket {
    node: NodeId,
    /// Which of the node's alternatives.
    alternative: u32,
    /// Tells the node from others that had its place before.
    stamp: u32,
}

/// What is known of an alternative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Open,
    /// The next decision on the way.
    Leads(NodeId),
    Closed(Closed),
}

/// Why there is nothing left to do behind an alternative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closed {
    /// Everything behind it is explored.
    Explored,
    /// No input goes there.
    Infeasible,
    /// The solver does not know.
    Unknown,
    /// Beyond the depth that is to be explored.
    CutOff,
    /// Somebody else explores it.
    GivenAway,
}

#[derive(Clone, Debug)]
struct Alternative {
    choice: Choice,
    /// What must hold; several conditions only for `Choice::Rest`, one for each alternative that it excludes.
    conds: SmallVec<[ExprId; 1]>,
    state: State,
}

#[derive(Debug)]
struct Node {
    /// The node above, and which of its alternatives leads here. None for the first decision of all paths.
    parent: Option<(NodeId, u32)>,
    depth: u32,
    stamp: u32,
    site: u32,
    stack: u32,
    kind: DecisionKind,
    /// Open alternatives here and below.
    n_open: u32,
    /// The input that first came here: it satisfies all conditions on the way.
    origin: Rc<Origin>,
    alternatives: SmallVec<[Alternative; 2]>,
}

impl Node {
    fn find(&self, choice: Choice) -> Option<u32> {
        self.alternatives.iter().position(|alternative| alternative.choice == choice).map(|idx| idx as u32)
    }

    fn add(&mut self, choice: Choice, cond: ExprId, state: State) -> u32 {
        self.alternatives.push(Alternative { choice, conds: SmallVec::from_elem(cond, 1), state });
        self.alternatives.len() as u32 - 1
    }
}

/// What strategies may want to know of an open alternative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features {
    pub site: u32,
    pub kind: DecisionKind,
    pub choice: Choice,
    /// How many decisions come before.
    pub depth: u32,
    /// The call stack of the decision, as a number.
    pub stack: u32,
}

/// What a path added to the tree.
#[derive(Clone, Debug, Default)]
pub struct Entered {
    /// New open alternatives, from the first decision on.
    pub open: Vec<Ticket>,
    /// Whether the path was not in the tree before.
    pub is_new: bool,
    /// Decisions too deep for their alternatives to be explored.
    pub n_cut_off: u64,
}

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
    n_stamps: u32,
    /// Of nodes that are free.
    nowhere: Rc<Origin>,
    /// The nodes of the path being entered, and by how much the number of open alternatives changed at each.
    walk: Vec<(NodeId, i32)>,
}

impl Tree {
    pub fn new() -> Self {
        Self::default()
    }

    /// How many alternatives are open.
    pub fn n_open(&self) -> usize {
        match self.root {
            Root::Node(root) => self.node(root).n_open as usize,
            _ => 0,
        }
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

    /// The conditions on the way to the alternative, followed by its own; returns how many are on the way.
    pub fn path_condition(&self, ticket: Ticket, out: &mut Vec<ExprId>) -> usize {
        out.clear();
        self.walk_up(ticket, |_, alternative| out.extend(alternative.conds.iter().rev()));
        out.reverse();
        out.len() - self.alternative(ticket).conds.len()
    }

    /// The decisions on the way to the alternative, followed by its own: what a run that goes there will decide.
    pub fn prediction(&self, ticket: Ticket, out: &mut Vec<(u32, Choice)>) {
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
            let leads_on = |alternative: &Alternative| match alternative.state {
                State::Open => true,
                State::Leads(below) => self.node(below).n_open > 0,
                State::Closed(_) => false,
            };
            let n_ways = node.alternatives.iter().filter(|alternative| leads_on(alternative)).count();
            if n_ways == 0 {
                return None;
            }
            let way = if n_ways == 1 { 0 } else { choose(n_ways) };
            let (idx, chosen) =
                (0..).zip(&node.alternatives).filter(|(_, alternative)| leads_on(alternative)).nth(way)?;
            match chosen.state {
                State::Leads(below) => at = below,
                _ => return Some(self.ticket(at, idx)),
            }
        }
    }

    /// Adds a path. `origin` is its input; `others` says what could have been decided instead at a decision of the path,
    /// and is asked only about decisions that are new. Alternatives at `max_depth` and deeper are not to be explored.
    pub fn enter(
        &mut self,
        path: &[Decision],
        origin: &Rc<Origin>,
        max_depth: u32,
        mut others: impl FnMut(usize) -> Others,
    ) -> Entered {
        let mut entered = Entered::default();
        self.walk.clear();
        let mut into = None;
        for (idx, decision) in path.iter().enumerate() {
            let node = match self.state_of(into) {
                State::Leads(node) => node,
                // All paths from here on were explored before and dropped.
                State::Closed(Closed::Explored) => return self.finish(entered),
                _ => self.add_node(into, decision, origin),
            };
            let alternative = self.take(node, decision, idx, max_depth, &mut others, &mut entered);
            into = Some((node, alternative));
        }
        entered.is_new = self.state_of(into) != State::Closed(Closed::Explored);
        self.set_state(into, State::Closed(Closed::Explored));
        self.finish(entered)
    }

    /// Opens one alternative at the last of some decisions, and nothing else on the way there: somebody else explores that.
    pub fn graft(&mut self, path: &[Decision], origin: &Rc<Origin>, choice: Choice, cond: ExprId) -> Option<Ticket> {
        self.walk.clear();
        let mut into = None;
        for decision in path {
            let node = match self.state_of(into) {
                State::Leads(node) => node,
                // What was explored here before was another part.
                _ => self.add_node(into, decision, origin),
            };
            let taken = Choice::Key(decision.taken);
            let known = self.node(node).find(taken);
            let elsewhere = State::Closed(Closed::GivenAway);
            let taken = known.unwrap_or_else(|| self.node_mut(node).add(taken, decision.cond, elsewhere));
            self.walk.push((node, 0));
            into = Some((node, taken));
        }
        let (node, _) = into?;
        let alternative = self.node(node).find(choice).unwrap_or_else(|| {
            let elsewhere = State::Closed(Closed::GivenAway);
            self.node_mut(node).add(choice, cond, elsewhere)
        });
        let state = &mut self.node_mut(node).alternatives[alternative as usize].state;
        let is_ours = *state == State::Closed(Closed::GivenAway);
        if is_ours {
            *state = State::Open;
            self.walk.last_mut().expect("the node is on the walk").1 += 1;
        }
        self.finish(Entered::default());
        is_ours.then(|| self.ticket(node, alternative))
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
                        State::Leads(below) if self.node(below).n_open > 0 => next.push(below),
                        _ => {}
                    }
                }
            }
            level = next;
        }
        None
    }

    /// Nothing more is to be done about an alternative.
    pub fn close(&mut self, ticket: Ticket, why: Closed) {
        debug_assert!(self.is_open(ticket));
        self.walk.clear();
        let mut at = Some((ticket.node, ticket.alternative));
        while let Some((node, _)) = at {
            self.walk.push((node, 0));
            at = self.node(node).parent;
        }
        self.walk.reverse();
        self.set_state(Some((ticket.node, ticket.alternative)), State::Closed(why));
        self.finish(Entered::default());
    }

    /// The conditions that open alternatives need: what must survive when expressions are collected.
    pub fn conditions(&self) -> impl Iterator<Item = ExprId> + '_ {
        let live = self.nodes.iter().filter(|node| node.n_open > 0);
        live.flat_map(|node| node.alternatives.iter().flat_map(|alternative| alternative.conds.iter().copied()))
    }

    fn state_of(&self, into: Option<(NodeId, u32)>) -> State {
        match (into, self.root) {
            (Some((node, alternative)), _) => self.node(node).alternatives[alternative as usize].state,
            (None, Root::Unknown) => State::Open,
            (None, Root::Node(root)) => State::Leads(root),
            (None, Root::Explored) => State::Closed(Closed::Explored),
        }
    }

    /// For an alternative of the last node of the walk, or the top.
    fn set_state(&mut self, into: Option<(NodeId, u32)>, state: State) {
        let Some((node, idx)) = into else {
            self.root = match state {
                State::Leads(root) => Root::Node(root),
                _ => Root::Explored,
            };
            return;
        };
        let alternative = &mut self.node_mut(node).alternatives[idx as usize];
        let was_open = alternative.state == State::Open;
        alternative.state = state;
        if was_open {
            self.walk.last_mut().expect("the node is on the walk").1 -= 1;
        }
    }

    fn add_node(&mut self, parent: Option<(NodeId, u32)>, decision: &Decision, origin: &Rc<Origin>) -> NodeId {
        self.n_stamps = self.n_stamps.wrapping_add(1);
        let node = Node {
            parent,
            depth: self.walk.len() as u32,
            stamp: self.n_stamps,
            site: decision.site,
            stack: decision.stack,
            kind: decision.kind,
            n_open: 0,
            origin: Rc::clone(origin),
            alternatives: SmallVec::new(),
        };
        let id = match self.free.pop() {
            Some(id) => {
                *self.node_mut(id) = node;
                id
            }
            None => {
                self.nodes.push(node);
                NodeId(u32::try_from(self.nodes.len() - 1).expect("memory ends before 2^32 nodes"))
            }
        };
        self.set_state(parent, State::Leads(id));
        id
    }

    /// Goes through a node the way that the path goes; new alternatives become open.
    fn take(
        &mut self,
        id: NodeId,
        decision: &Decision,
        idx: usize,
        max_depth: u32,
        others: &mut impl FnMut(usize) -> Others,
        entered: &mut Entered,
    ) -> u32 {
        let mut n_opened = 0;
        let taken = Choice::Key(decision.taken);
        let alternative = match self.node(id).find(taken) {
            Some(alternative) => alternative,
            None => {
                n_opened += 1;
                let alternative = self.node_mut(id).add(taken, decision.cond, State::Open);
                let depth = self.node(id).depth;
                let state = if depth < max_depth { State::Open } else { State::Closed(Closed::CutOff) };
                for (choice, cond) in others(idx) {
                    match self.node(id).find(choice) {
                        Some(known) if choice == Choice::Rest => {
                            self.node_mut(id).alternatives[known as usize].conds.push(cond);
                        }
                        Some(_) => {}
                        None => {
                            let new = self.node_mut(id).add(choice, cond, state);
                            if state == State::Open {
                                n_opened += 1;
                                entered.open.push(self.ticket(id, new));
                            } else {
                                entered.n_cut_off += 1;
                            }
                        }
                    }
                }
                alternative
            }
        };
        self.walk.push((id, n_opened));
        alternative
    }

    /// Brings the numbers of open alternatives up to date along the walk, and drops what has none left.
    fn finish(&mut self, entered: Entered) -> Entered {
        let mut change = 0;
        for idx in (0..self.walk.len()).rev() {
            let (id, own) = self.walk[idx];
            change += own;
            let node = self.node_mut(id);
            node.n_open = node.n_open.checked_add_signed(change).expect("no more are closed than were open");
            if node.n_open == 0 {
                let parent = node.parent;
                node.stamp = 0;
                node.alternatives.clear();
                // What it holds may be large.
                self.nodes[id.0 as usize].origin = Rc::clone(&self.nowhere);
                self.free.push(id);
                self.set_closed(parent);
            }
        }
        entered
    }

    /// Everything behind an alternative is explored. It was not open, so no count changes.
    fn set_closed(&mut self, parent: Option<(NodeId, u32)>) {
        match parent {
            None => self.root = Root::Explored,
            Some((node, idx)) => {
                self.node_mut(node).alternatives[idx as usize].state = State::Closed(Closed::Explored);
            }
        }
    }
}

#[cfg(test)]
mod tests;
