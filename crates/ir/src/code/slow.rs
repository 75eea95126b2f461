//! The operations that are too rare or too wide for an opcode of their own, with operands in full.

use super::{Lanes, Reg, Shape};
use crate::model::RmwOp;
use spelunk_bv::{
    BinOp, CastOp, CmpOp, FBinOp, FCmpOp, FMinMaxOp, FunnelOp, OverflowOp, RoundOp, SatOp, Signedness, UnOp,
};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub enum SlowOp {
    /// Control must not come here.
    Unreachable,
    /// `llvm.trap`: the program asks to die.
    Trap,
    /// Where clang checks an index against the type of its array: it is not inside.
    IndexTrap,
    /// Ends the path, naming the construct.
    Unsupported(Box<str>),
    Binary {
        op: BinOp,
        lanes: Lanes,
        /// Signed overflow is an error.
        checked: bool,
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    FBinary {
        op: FBinOp,
        lanes: Lanes,
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    FNeg {
        lanes: Lanes,
        dst: Reg,
        arg: Reg,
    },
    ICmp {
        op: CmpOp,
        lanes: Lanes,
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    FCmp {
        op: FCmpOp,
        lanes: Lanes,
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
    },
    Cast {
        op: CastOp,
        from: Lanes,
        to: Lanes,
        dst: Reg,
        arg: Reg,
    },
    /// One condition for all slots if `per_lane` is 0, else one for each group of `per_lane` slots.
    Select {
        cond: Reg,
        per_lane: u32,
        n_slots: u32,
        dst: Reg,
        then: Reg,
        other: Reg,
    },
    Freeze {
        n_slots: u32,
        dst: Reg,
        arg: Reg,
    },
    Load {
        shape: Arc<Shape>,
        dst: Reg,
        addr: Reg,
        offset: i32,
    },
    Store {
        shape: Arc<Shape>,
        src: Reg,
        addr: Reg,
        offset: i32,
    },
    /// Before a load: what lies there must be of this type.
    TypeRead {
        addr: Reg,
        offset: i32,
        n_bytes: u32,
        tag: u16,
    },
    /// After a store: what lies there is of this type from here on; of none that is known if it is 0.
    TypeWrite {
        addr: Reg,
        offset: i32,
        n_bytes: u32,
        tag: u16,
    },
    ExtractElement {
        lanes: Lanes,
        index: Reg,
        dst: Reg,
        vector: Reg,
    },
    InsertElement {
        lanes: Lanes,
        index: Reg,
        dst: Reg,
        vector: Reg,
        value: Reg,
    },
    Shuffle {
        lanes: Lanes,
        dst: Reg,
        lhs: Reg,
        rhs: Reg,
        mask: Box<[Option<u32>]>,
    },
    /// The old value, then whether the exchange took place.
    CmpXchg {
        lanes: Lanes,
        dst: Reg,
        ptr: Reg,
        expected: Reg,
        new: Reg,
    },
    AtomicRmw {
        op: RmwOp,
        lanes: Lanes,
        dst: Reg,
        ptr: Reg,
        value: Reg,
    },
    Intrinsic {
        what: Intrinsic,
        lanes: Lanes,
        dst: Reg,
        args: Box<[Reg]>,
    },
    MemCopy {
        dst: Reg,
        src: Reg,
        len: Reg,
        overlap: Overlap,
    },
    MemSet {
        dst: Reg,
        value: Reg,
        len: Reg,
    },
    VaStart {
        list: Reg,
    },
    VaCopy {
        dst: Reg,
        src: Reg,
    },
    StackSave {
        dst: Reg,
    },
    StackRestore {
        token: Reg,
    },
    /// Where a frame would lie on a native stack: that of the function itself, or of a caller so many levels up.
    FrameAddress {
        dst: Reg,
        level: u32,
    },
}

impl SlowOp {
    /// The register that the result goes to.
    pub fn dst_mut(&mut self) -> Option<&mut Reg> {
        match self {
            Self::Binary { dst, .. }
            | Self::FBinary { dst, .. }
            | Self::FNeg { dst, .. }
            | Self::ICmp { dst, .. }
            | Self::FCmp { dst, .. }
            | Self::Cast { dst, .. }
            | Self::Select { dst, .. }
            | Self::Freeze { dst, .. }
            | Self::Load { dst, .. }
            | Self::ExtractElement { dst, .. }
            | Self::InsertElement { dst, .. }
            | Self::Shuffle { dst, .. }
            | Self::CmpXchg { dst, .. }
            | Self::AtomicRmw { dst, .. }
            | Self::Intrinsic { dst, .. }
            | Self::StackSave { dst }
            | Self::FrameAddress { dst, .. } => Some(dst),
            Self::Unreachable
            | Self::Trap
            | Self::IndexTrap
            | Self::Unsupported(_)
            | Self::Store { .. }
            | Self::TypeRead { .. }
            | Self::TypeWrite { .. }
            | Self::MemCopy { .. }
            | Self::MemSet { .. }
            | Self::VaStart { .. }
            | Self::VaCopy { .. }
            | Self::StackRestore { .. } => None,
        }
    }
}

/// Whether the two areas of a copy may overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlap {
    Allowed,
    Forbidden,
}

/// Intrinsics that work on values alone. The lanes are those of the first argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intrinsic {
    /// The wrapped result, then whether it overflowed.
    Overflow(OverflowOp),
    Sat(SatOp),
    Unary(UnOp),
    Funnel(FunnelOp),
    /// -1, 0 or 1 in the given width.
    ThreeWay {
        sign: Signedness,
        width: u32,
    },
    FAbs,
    CopySign,
    Sqrt,
    Round(RoundOp),
    FMinMax(FMinMaxOp),
    Fma,
    /// Multiply, round, add, round: what clang's `-O0` code does for `llvm.fmuladd`.
    FMulAdd,
    IsFpClass,
    ToIntSat {
        sign: Signedness,
        width: u32,
    },
    /// A vector folded to one lane from the left.
    Reduce(Reduction),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    Binary(BinOp),
    Sat(SatOp),
    /// With a start value as first argument.
    Float(FBinOp),
    FMinMax(FMinMaxOp),
}
