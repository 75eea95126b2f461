//! The meaning of every LLVM-IR-level operation on concrete values, stated once as pure functions.
//!
//! The VM's loop, constant folding and expression evaluation all call into this crate, so they can't disagree.
//! Enter at [`ops`] for the operation names, [`int`] for integers of up to 64 bits, [`int128`] for up to 128,
//! [`wide`] for any width, and [`float`] for floating point.
//!
//! Every function is total and has its SMT-LIB meaning where LLVM says "poison" or "undefined": noticing that an
//! operation was not allowed is the business of the VM's checks, not of this crate. There are no vectors here, no
//! pointers and no memory.

#![forbid(unsafe_code)]

pub mod float;
pub mod int;
pub mod int128;
pub mod ops;
mod uint;
pub mod wide;

pub use ops::{
    BinOp, CastOp, CmpOp, FBinOp, FCmpOp, FMinMaxOp, FunnelOp, OverflowOp, RoundOp, SatOp, Signedness, UnOp,
};
