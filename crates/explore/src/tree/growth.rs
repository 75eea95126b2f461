//! How the tree changes: paths are entered, alternatives closed, and what has nothing left is dropped.

use std::rc::Rc;

use smallvec::SmallVec;
use spelunk_concolic::decision::{Choice, Decision, Others};
use spelunk_expr::ExprId;

use super::node::{Closed, Node, NodeId, State, Ticket};
use super::{Root, Tree};
use crate::origin::Origin;

/// What a path added to the tree.
#[derive(Clone, Debug, Default)]
pub struct Entered {
    /// New open alternatives, from the first decision on.
    pub open: Vec<Ticket>,
    /// Whether the path was not in the tree before.
    pub is_new: bool,
    /// Where a path that has not come to its end goes on, if nobody was there yet.
    pub goes_on: Option<Ticket>,
    /// Decisions too deep for their alternatives to be explored.
    pub n_cut_off: u64,
}

/// A path to be entered.
pub struct Path<'a> {
    pub decisions: &'a [Decision],
    pub origin: &'a Rc<Origin>,
    /// An open alternative that the path was meant to take, if it does come to that decision: whatever is before is known.
    pub by_way_of: Option<Ticket>,
    /// Alternatives of this depth and deeper are not to be explored.
    pub max_depth: u32,
    /// Whether it has come to its end. If not, what comes after its last decision is an open alternative.
    pub has_ended: bool,
}

/// Who knows what could have been decided instead on the way of a path. Asked only about what is new.
pub trait Source {
    /// At the decision of this number.
    fn others(&mut self, index: usize) -> Others;

    /// Whether one of these is to be explored; if not, why.
    fn refuses(&mut self, _index: usize, _choice: Choice, _cond: ExprId) -> Option<Closed> {
        None
    }
}

impl<F: FnMut(usize) -> Others> Source for F {
    fn others(&mut self, index: usize) -> Others {
        self(index)
    }
}

/// An alternative of a node, or the top of the tree.
type Edge = Option<(NodeId, u32)>;

impl Tree {
    /// Adds a path.
    pub fn enter(&mut self, path: &Path<'_>, mut source: impl Source) -> Entered {
        let mut entered = Entered::default();
        let (mut into, n_known) = match path.by_way_of.filter(|&ticket| self.is_open(ticket)) {
            Some(ticket) => (self.node(ticket.node).parent, self.node(ticket.node).depth as usize),
            None => (None, 0),
        };
        // What "anything else" turns out to be belongs to whoever looked for it.
        let sought =
            path.by_way_of.filter(|&ticket| self.is_open(ticket) && self.features(ticket).choice == Choice::Rest);
        for (idx, decision) in path.decisions.iter().enumerate().skip(n_known) {
            let node = match self.state_of(into) {
                State::Leads(node) => node,
                // All paths from here on were explored before and dropped, or somebody else explores them.
                State::Closed(Closed::Explored | Closed::GivenAway) => return entered,
                _ => self.add_node(into, decision, path.origin),
            };
            let alternative = match self.node(node).find(Choice::Key(decision.taken)) {
                Some(known) => known,
                None if self.node(node).is_grafted && sought.is_none_or(|ticket| ticket.node != node) => {
                    return entered;
                }
                None => self.add_alternatives(node, decision, path.max_depth, (idx, &mut source), &mut entered),
            };
            into = Some((node, alternative));
        }
        if !path.has_ended {
            entered.goes_on =
                into.filter(|_| self.state_of(into) == State::Open).map(|(id, taken)| self.ticket(id, taken));
            return entered;
        }
        entered.is_new = match self.state_of(into) {
            State::Closed(Closed::Explored | Closed::GivenAway) => return entered,
            // The run has left out decisions that others made here: what is below stays to be explored.
            State::Leads(_) => {
                entered.is_new = true;
                return entered;
            }
            _ => true,
        };
        self.set_state(into, State::Closed(Closed::Explored));
        self.prune(into);
        entered
    }

    /// Opens one alternative at the last of some decisions, and nothing else on the way there: somebody else explores that.
    pub fn graft(&mut self, path: &[Decision], origin: &Rc<Origin>, choice: Choice, cond: ExprId) -> Option<Ticket> {
        let mut into = None;
        for decision in path {
            let node = match self.state_of(into) {
                State::Leads(node) => node,
                // What was explored here before was another part.
                _ => {
                    let node = self.add_node(into, decision, origin);
                    self.node_mut(node).is_grafted = true;
                    node
                }
            };
            let taken = Choice::Key(decision.taken);
            let known = self.node(node).find(taken);
            let taken = known.unwrap_or_else(|| self.node_mut(node).add(taken, decision.cond, Closed::GivenAway));
            into = Some((node, taken));
        }
        let (node, _) = into?;
        let known = self.node(node).find(choice);
        let alternative = known.unwrap_or_else(|| self.node_mut(node).add(choice, cond, Closed::GivenAway));
        let at = Some((node, alternative));
        let is_ours = matches!(self.state_of(at), State::Closed(Closed::GivenAway | Closed::Implied));
        if is_ours {
            self.set_state(at, State::Open);
        }
        self.prune(at);
        is_ours.then(|| self.ticket(node, alternative))
    }

    /// Nothing more is to be done about an alternative.
    pub fn close(&mut self, ticket: Ticket, why: Closed) {
        debug_assert!(self.is_open(ticket));
        let at = Some((ticket.node, ticket.alternative));
        self.set_state(at, State::Closed(why));
        self.prune(at);
    }

    pub(super) fn state_of(&self, place: Edge) -> State {
        match (place, self.root) {
            (Some((node, alternative)), _) => self.node(node).alternatives[alternative as usize].state,
            (None, Root::Unknown) => State::Open,
            (None, Root::Node(root)) => State::Leads(root),
            (None, Root::Explored) => State::Closed(Closed::Explored),
        }
    }

    fn set_state(&mut self, place: Edge, state: State) {
        let Some((id, idx)) = place else {
            self.root = match state {
                State::Leads(root) => Root::Node(root),
                _ => Root::Explored,
            };
            return;
        };
        let node = self.node_mut(id);
        let before = std::mem::replace(&mut node.alternatives[idx as usize].state, state);
        node.n_live = node.n_live + u32::from(state.is_live()) - u32::from(before.is_live());
        self.n_open = self.n_open + usize::from(state == State::Open) - usize::from(before == State::Open);
    }

    fn add_node(&mut self, parent: Edge, decision: &Decision, origin: &Rc<Origin>) -> NodeId {
        self.n_stamps = self.n_stamps.wrapping_add(1).max(1);
        let node = Node {
            parent,
            depth: parent.map_or(0, |(above, _)| self.node(above).depth + 1),
            stamp: self.n_stamps,
            site: decision.site,
            stack: decision.stack,
            kind: decision.kind,
            is_grafted: false,
            n_live: 0,
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

    /// Adds the alternative that a path takes at a node for the first time, open for now, and those that it does not take.
    fn add_alternatives(
        &mut self,
        id: NodeId,
        decision: &Decision,
        max_depth: u32,
        (index, source): (usize, &mut impl Source),
        entered: &mut Entered,
    ) -> u32 {
        let taken = self.node_mut(id).add(Choice::Key(decision.taken), decision.cond, Closed::CutOff);
        self.set_state(Some((id, taken)), State::Open);
        for (choice, cond) in source.others(index) {
            match self.node(id).find(choice) {
                Some(known) if choice == Choice::Rest => {
                    self.node_mut(id).alternatives[known as usize].conds.push(cond);
                }
                Some(_) => {}
                None => {
                    let is_cut_off = self.node(id).depth >= max_depth;
                    entered.n_cut_off += u64::from(is_cut_off);
                    let refused = if is_cut_off { Some(Closed::CutOff) } else { source.refuses(index, choice, cond) };
                    let new = self.node_mut(id).add(choice, cond, refused.unwrap_or(Closed::CutOff));
                    if refused.is_none() {
                        self.set_state(Some((id, new)), State::Open);
                        entered.open.push(self.ticket(id, new));
                    }
                }
            }
        }
        taken
    }

    /// Drops nodes that have nothing left, from this one upwards.
    fn prune(&mut self, mut place: Edge) {
        while let Some((id, _)) = place
            && self.node(id).n_live == 0
        {
            let nowhere = Rc::clone(&self.nowhere);
            let node = self.node_mut(id);
            node.stamp = 0;
            // What these hold may be large.
            node.alternatives.clear();
            node.origin = nowhere;
            place = node.parent;
            self.free.push(id);
            self.set_state(place, State::Closed(Closed::Explored));
        }
    }
}
