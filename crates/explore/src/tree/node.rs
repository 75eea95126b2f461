//! What the tree is made of: nodes, and the alternatives at them.

use std::rc::Rc;

use smallvec::SmallVec;
use spelunk_concolic::decision::{Choice, DecisionKind};
use spelunk_expr::ExprId;

use crate::origin::Origin;
use spelunk_ir::code::OpIdx;

/// A node's place in the arena. Places are used again: see [`Ticket`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(pub(super) u32);

/// An alternative that was open when the ticket was made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ticket {
    pub(super) node: NodeId,
    /// Which of the node's alternatives.
    pub(super) alternative: u32,
    /// Tells the node from others that had its place before.
    pub(super) stamp: u32,
}

/// What is known of an alternative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Open,
    /// The next decision on the way.
    Leads(NodeId),
    Closed(Closed),
}

impl State {
    /// Whether there is something left to do behind it.
    pub fn is_live(self) -> bool {
        !matches!(self, Self::Closed(_))
    }
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
    /// Not to be explored, for another reason.
    Refused,
    /// What it leads to was seen elsewhere, or will be: it may be opened again.
    Implied,
    /// It leads to nothing that is looked for.
    Beside,
    /// Somebody else explores it.
    GivenAway,
}

#[derive(Clone, Debug)]
pub(super) struct Alternative {
    pub choice: Choice,
    /// What must hold; several conditions only for `Choice::Rest`, one for each alternative that it excludes.
    pub conds: SmallVec<[ExprId; 1]>,
    pub state: State,
}

#[derive(Debug)]
pub(super) struct Node {
    /// The node above, and which of its alternatives leads here. None for the first decision of all paths.
    pub parent: Option<(NodeId, u32)>,
    pub depth: u32,
    /// Zero if the place is free.
    pub stamp: u32,
    pub site: OpIdx,
    pub stack: u32,
    pub kind: DecisionKind,
    /// It came with an alternative of somebody else's tree, who explores all others.
    pub is_grafted: bool,
    /// How many alternatives are open or lead on. A node without any is dropped.
    pub n_live: u32,
    /// The input that first came here: it satisfies all conditions on the way.
    pub origin: Rc<Origin>,
    pub alternatives: SmallVec<[Alternative; 2]>,
}

impl Node {
    pub fn find(&self, choice: Choice) -> Option<u32> {
        self.alternatives.iter().position(|alternative| alternative.choice == choice).map(|idx| idx as u32)
    }

    /// Adds an alternative that is not live yet.
    pub fn add(&mut self, choice: Choice, cond: ExprId, why: Closed) -> u32 {
        let conds = SmallVec::from_elem(cond, 1);
        self.alternatives.push(Alternative { choice, conds, state: State::Closed(why) });
        self.alternatives.len() as u32 - 1
    }
}

/// What strategies may want to know of an open alternative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features {
    pub site: OpIdx,
    pub kind: DecisionKind,
    pub choice: Choice,
    /// How many decisions come before.
    pub depth: u32,
    /// The call stack of the decision, as a number.
    pub stack: u32,
}
