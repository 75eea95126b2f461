//! Control flow inside of the functions of an image: who follows, dominates and controls whom, what loops, which
//! registers are live.
//!
//! Enter at [`FunctionFlow`]. It is made of a function's dense code, and each of its parts is computed when it is first
//! asked for and never updated; `CheckedImage::flow` keeps one for each function. All parts run on one dense `graph`, none
//! recurses, and blocks that the entry does not reach take no part. What goes on between functions is left to others.

mod blocks;
mod cfg;
mod dominators;
mod domtree;
mod function;
mod graph;
mod liveness;
mod loops;
mod postdominators;
mod registers;
mod slots;

pub(crate) use blocks::end_at;
pub use blocks::{BlockId, Blocks, Callee, End};
pub use cfg::Cfg;
pub use dominators::Dominators;
pub use function::FunctionFlow;
pub use liveness::{Effect, Liveness};
pub use loops::{Loop, LoopId, Loops};
pub use postdominators::PostDominators;
pub use registers::Registers;
pub use slots::SlotSet;
