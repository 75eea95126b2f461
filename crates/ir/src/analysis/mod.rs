//! Questions about control flow: who follows, dominates and controls whom, what loops, who calls whom.
//!
//! Each analysis is a value computed once from a function (or the linked program) and never updated. All of them run
//! on the same dense `graph`, none recurses, and blocks that the entry does not reach take no part.

mod call_graph;
mod calls;
mod cfg;
mod dominators;
mod domtree;
mod graph;
mod loops;
mod postdominators;

pub use call_graph::{CallGraph, address_taken};
pub use calls::{CallSite, CallTarget, call_sites};
pub use cfg::Cfg;
pub use dominators::Dominators;
pub use loops::{Loop, LoopId, Loops};
pub use postdominators::PostDominators;
