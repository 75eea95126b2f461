//! Dense code: what `lower` produces and the VM runs.

mod address;
mod check;
mod checked;
mod effective;
mod image;
mod op;
mod op_idx;
mod operands;
mod shape;
mod slow;

pub use address::{MAX_OBJECT_SIZE, OBJECT_SHIFT, STACK_TOP, object_base};
pub use checked::CheckedImage;
pub use effective::{EffectiveTypes, TypeTag};
pub use image::{
    ArgClass, ArgShape, CallSite, FuncCode, Image, NO_LOC, Origin, Prototype, Semantics, StaticKind, StaticObject,
    SwitchKind, SwitchTable, Target, Tested,
};
pub use op::{Addressing, Form, Meaning, Op, OpCode, Reg, SLOT_BYTES};
pub use op_idx::OpIdx;
pub use operands::RegUse;
pub use shape::{Lanes, Leaf, Scalar, Shape};
pub use slow::{Intrinsic, Overlap, Reduction, SlowOp};
