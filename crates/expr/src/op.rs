//! The operations that nodes have: one table that yields the enum, its spelling and the number of operands.
//!
//! Steps to add one: a line in `op_table!`, its meaning in `semantics`, a `mk_` function in [`crate::builder`] with its
//! rules, its SMT-LIB form in [`crate::print`]. An operation that can be said with others needs none of this, see
//! `builder::derived`.

use spelunk_bv::{BinOp, CmpOp, FBinOp, OverflowOp, Signedness};

macro_rules! op_table {
    ($($variant:ident = $name:literal / $arity:literal),+ $(,)?) => {
        /// The operation of a node. Operands come first among a node's words, numbers that belong to the operation
        /// (a constant's value, an extract's position) after them.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Op { $($variant),+ }

        impl Op {
            pub const ALL: &[Op] = &[$(Op::$variant),+];

            /// How our own output spells the operation: as LLVM does, as far as LLVM has it.
            pub const fn name(self) -> &'static str {
                match self { $(Op::$variant => $name),+ }
            }

            /// How many operands are expressions.
            #[inline(always)]
            pub const fn arity(self) -> usize {
                const ARITIES: [u8; Op::ALL.len()] = [$($arity),+];
                ARITIES[self as usize] as usize
            }
        }
    };
}

op_table! {
    // Words 0 and 1: the value. At most 64 bits.
    Const = "const" / 0,
    // Word 0: where the limbs begin.
    WideConst = "const" / 0,
    // Word 0: the variable, of a bit-vector sort.
    Var = "var" / 0,
    Not = "not" / 1, Neg = "neg" / 1,
    Add = "add" / 2, Sub = "sub" / 2, Mul = "mul" / 2, UDiv = "udiv" / 2, SDiv = "sdiv" / 2, URem = "urem" / 2,
    SRem = "srem" / 2, Shl = "shl" / 2, LShr = "lshr" / 2, AShr = "ashr" / 2, And = "and" / 2, Or = "or" / 2,
    Xor = "xor" / 2,
    Eq = "eq" / 2, Ult = "ult" / 2, Ule = "ule" / 2, Slt = "slt" / 2, Sle = "sle" / 2,
    SAddO = "sadd.overflow" / 2, SSubO = "ssub.overflow" / 2, UMulO = "umul.overflow" / 2, SMulO = "smul.overflow" / 2,
    // Operands: high part, low part.
    Concat = "concat" / 2,
    // Word 1: the lowest bit taken.
    Extract = "extract" / 1,
    ZExt = "zext" / 1, SExt = "sext" / 1,
    // Operands: condition, value if true, value if false.
    Ite = "ite" / 3,
    // Arrays. The node's width is that of an element. Word 0: the variable.
    ArrayVar = "array" / 0,
    // Word 0: the table. Word 1: the index width.
    Table = "table" / 0,
    // The same element everywhere. Word 1: the index width.
    ConstArray = "const-array" / 1,
    // Operands: array, index, element.
    Store = "store" / 3,
    // Operands: array, index.
    Select = "select" / 2,
    // Floats: the node's kind is the format of the operands, or of the result where operands are integers.
    FAdd = "fadd" / 2, FSub = "fsub" / 2, FMul = "fmul" / 2, FDiv = "fdiv" / 2, FRem = "frem" / 2,
    FFma = "fma" / 3, FSqrt = "sqrt" / 1,
    // Word 1: the `RoundOp`.
    FRound = "round" / 1,
    FEq = "fcmp.oeq" / 2, FLt = "fcmp.olt" / 2, FLe = "fcmp.ole" / 2,
    // Word 1: the kind converted to.
    FToF = "fpconv" / 1,
    FToUi = "fptoui" / 1, FToSi = "fptosi" / 1, UiToF = "uitofp" / 1, SiToF = "sitofp" / 1,
}

impl Op {
    pub const fn is_const(self) -> bool {
        matches!(self, Op::Const | Op::WideConst)
    }

    pub const fn is_array(self) -> bool {
        matches!(self, Op::ArrayVar | Op::Table | Op::ConstArray | Op::Store)
    }

    pub const fn is_float(self) -> bool {
        use Op::*;
        matches!(
            self,
            FAdd | FSub
                | FMul
                | FDiv
                | FRem
                | FFma
                | FSqrt
                | FRound
                | FEq
                | FLt
                | FLe
                | FToF
                | FToUi
                | FToSi
                | UiToF
                | SiToF
        )
    }

    pub const fn is_commutative(self) -> bool {
        use Op::*;
        matches!(self, Add | Mul | And | Or | Xor | Eq | SAddO | UMulO | SMulO)
    }

    /// The integer instruction that the operation is.
    pub const fn binop(self) -> Option<BinOp> {
        Some(match self {
            Op::Add => BinOp::Add,
            Op::Sub => BinOp::Sub,
            Op::Mul => BinOp::Mul,
            Op::UDiv => BinOp::UDiv,
            Op::SDiv => BinOp::SDiv,
            Op::URem => BinOp::URem,
            Op::SRem => BinOp::SRem,
            Op::Shl => BinOp::Shl,
            Op::LShr => BinOp::LShr,
            Op::AShr => BinOp::AShr,
            Op::And => BinOp::And,
            Op::Or => BinOp::Or,
            Op::Xor => BinOp::Xor,
            _ => return None,
        })
    }

    pub const fn cmp(self) -> Option<CmpOp> {
        Some(match self {
            Op::Eq => CmpOp::Eq,
            Op::Ult => CmpOp::Ult,
            Op::Ule => CmpOp::Ule,
            Op::Slt => CmpOp::Slt,
            Op::Sle => CmpOp::Sle,
            _ => return None,
        })
    }

    pub const fn overflow(self) -> Option<OverflowOp> {
        Some(match self {
            Op::SAddO => OverflowOp::SAdd,
            Op::SSubO => OverflowOp::SSub,
            Op::UMulO => OverflowOp::UMul,
            Op::SMulO => OverflowOp::SMul,
            _ => return None,
        })
    }

    pub const fn fbinop(self) -> Option<FBinOp> {
        Some(match self {
            Op::FAdd => FBinOp::FAdd,
            Op::FSub => FBinOp::FSub,
            Op::FMul => FBinOp::FMul,
            Op::FDiv => FBinOp::FDiv,
            Op::FRem => FBinOp::FRem,
            _ => return None,
        })
    }

    /// How a conversion between a float and an integer reads the integer.
    pub const fn int_sign(self) -> Signedness {
        match self {
            Op::FToSi | Op::SiToF => Signedness::Signed,
            _ => Signedness::Unsigned,
        }
    }
}
