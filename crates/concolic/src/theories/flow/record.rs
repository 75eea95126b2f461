//! What a run tells of the flow of information in it.

use crate::key::ObjectKey;
use smallvec::SmallVec;
use spelunk_ir::code::OpIdx;
use std::sync::Arc;

/// No entry of a list.
pub const NONE: u32 = u32::MAX;

/// What a run has met: a decision, or a branch or check that depends on the way of earlier ones and could not go otherwise for
/// the inputs of the path.
#[derive(Clone, Debug)]
pub struct Met {
    pub site: OpIdx,
    /// The call stack, as a number that means the same in all runs.
    pub stack: u64,
    /// Which way it went, as a number that means the same in all runs.
    pub way: u64,
    /// The inputs that its condition speaks of, by number in the campaign ([`Knowledge`](super::Knowledge)).
    pub atoms: SmallVec<[u32; 2]>,
    /// What else of the run it depends on, by number.
    pub extra: Arc<[u32]>,
    /// The innermost branch that decided whether it is met, or [`NONE`].
    pub region: u32,
    /// Which decision of the path it is, or [`NONE`].
    pub decision: u32,
}

/// Why inputs belong together whatever runs decide about them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shared {
    /// They have bytes in common, or pointers may lead to both.
    Memory,
    /// Rules for heaps speak of both.
    Rules,
}

/// An input: the bytes of one variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    pub key: Option<Arc<ObjectKey>>,
    pub offset: u32,
    pub n_bytes: u32,
    /// What the variable is called, if nothing better is known.
    pub name: String,
}

/// What was met in a run, and what follows from that for others.
#[derive(Clone, Debug, Default)]
pub struct FlowRecord {
    pub met: Vec<Met>,
    /// Of a run that did not come to its usual end: what it had met that may have ended it.
    pub blamed: Vec<u32>,
    /// What branches and writes of the run may have had as effects, by number of their kind, and up to when they were known.
    pub effects_used: Vec<(u32, u64)>,
    /// Why what happened in the run is not known, if it isn't.
    pub lost: Option<(OpIdx, String)>,
}
