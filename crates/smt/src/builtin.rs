//! The functions of the theories: one table of names, counts of indices and of arguments.
//!
//! Steps to add one: a line in the table, an arm where its theory is elaborated (`elab`; the compiler insists), a line
//! in the tests of `tests/operators.rs`.

use spelunk_bv::{BinOp, CmpOp, FBinOp, FCmpOp, OverflowOp, RoundOp, Signedness};

/// A function of a theory. Functions that differ in one parameter only are one entry with that parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    Core(Core),
    Bits(Bits),
    Array(Array),
    Float(Float),
    /// Known to other theories, or to solvers with more of them.
    Foreign(&'static str),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Core {
    Constant(bool),
    Not,
    And,
    Or,
    Xor,
    Implies,
    Equal,
    Distinct,
    Ite,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bits {
    Not,
    Neg,
    /// Of two operands or more, from the left.
    Binary(BinOp),
    /// The complement of an operation.
    Negated(BinOp),
    Smod,
    Compare(CmpOp),
    /// Equality as a bit.
    Comp,
    Overflow(OverflowOp),
    /// No overflow: names that predate the standard's.
    NoOverflow(OverflowOp),
    NegOverflow,
    SdivOverflow,
    Concat,
    Extract,
    Repeat,
    Extend(Signedness),
    RotateLeft,
    RotateRight,
    /// With the amount as an operand.
    ExtRotateLeft,
    ExtRotateRight,
    /// Whether any bit, all bits, or an odd number of them are set: a bit.
    ReduceOr,
    ReduceAnd,
    ReduceXor,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Array {
    Select,
    Store,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Float {
    /// From sign, exponent and significand.
    Parts,
    Special(Special),
    Mode(Mode),
    Abs,
    Neg,
    Binary(FBinOp),
    Fma,
    Sqrt,
    Rem,
    RoundToIntegral,
    Min,
    Max,
    Compare(FCmpOp),
    /// Membership in the classes of LLVM's mask.
    Class(u32),
    ToFp,
    ToFpUnsigned,
    ToBits(Signedness),
    ToIeeeBits,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Special {
    PlusInfinity,
    MinusInfinity,
    PlusZero,
    MinusZero,
    Nan,
}

/// The rounding modes, in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    NearestEven,
    NearestAway,
    TowardPositive,
    TowardNegative,
    TowardZero,
}

impl Mode {
    pub const ALL: [Mode; 5] =
        [Mode::NearestEven, Mode::NearestAway, Mode::TowardPositive, Mode::TowardNegative, Mode::TowardZero];

    pub fn name(self) -> &'static str {
        ["RNE", "RNA", "RTP", "RTN", "RTZ"][self as usize]
    }

    /// The rounding to integral values in this mode.
    pub fn round_op(self) -> RoundOp {
        match self {
            Mode::NearestEven => RoundOp::RoundEven,
            Mode::NearestAway => RoundOp::Round,
            Mode::TowardPositive => RoundOp::Ceil,
            Mode::TowardNegative => RoundOp::Floor,
            Mode::TowardZero => RoundOp::Trunc,
        }
    }
}

impl Float {
    /// The mask of [`Float::Class`] that asks for NaNs.
    pub const NAN_CLASS: u32 = class::NAN;
}

/// How a function may be applied.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub name: &'static str,
    pub builtin: Builtin,
    pub n_indices: usize,
    pub min_args: usize,
    pub max_args: usize,
}

const MANY: usize = usize::MAX;

/// Bits of LLVM's class mask, from -inf through the zeros to +inf.
mod class {
    pub const NAN: u32 = 0b11;
    pub const INFINITE: u32 = 1 << 2 | 1 << 9;
    pub const NORMAL: u32 = 1 << 3 | 1 << 8;
    pub const SUBNORMAL: u32 = 1 << 4 | 1 << 7;
    pub const ZERO: u32 = 1 << 5 | 1 << 6;
    pub const NEGATIVE: u32 = 0b1111 << 2;
    pub const POSITIVE: u32 = 0b1111 << 6;
}

macro_rules! table {
    ($($theory:ident { $($($name:literal)|+ ($n_indices:literal; $min:expr, $max:expr) = $builtin:expr;)+ })+) => {
        /// All of them.
        pub static TABLE: &[Entry] = &[$($($(
            Entry {
                name: $name,
                builtin: Builtin::$theory($builtin),
                n_indices: $n_indices,
                min_args: $min,
                max_args: $max,
            },
        )+)+)+];
    };
}

// Names, number of indices, least and greatest number of arguments.
table! {
    Core {
        "true" (0; 0, 0) = Core::Constant(true);
        "false" (0; 0, 0) = Core::Constant(false);
        "not" (0; 1, 1) = Core::Not;
        "and" (0; 1, MANY) = Core::And;
        "or" (0; 1, MANY) = Core::Or;
        "xor" (0; 2, MANY) = Core::Xor;
        "=>" | "implies" (0; 2, MANY) = Core::Implies;
        "=" | "iff" (0; 2, MANY) = Core::Equal;
        "distinct" (0; 2, MANY) = Core::Distinct;
        "ite" | "if" (0; 3, 3) = Core::Ite;
    }
    Bits {
        "bvnot" (0; 1, 1) = Bits::Not;
        "bvneg" (0; 1, 1) = Bits::Neg;
        "bvand" (0; 2, MANY) = Bits::Binary(BinOp::And);
        "bvor" (0; 2, MANY) = Bits::Binary(BinOp::Or);
        "bvxor" (0; 2, MANY) = Bits::Binary(BinOp::Xor);
        "bvadd" (0; 2, MANY) = Bits::Binary(BinOp::Add);
        "bvmul" (0; 2, MANY) = Bits::Binary(BinOp::Mul);
        "bvsub" (0; 2, MANY) = Bits::Binary(BinOp::Sub);
        "bvudiv" (0; 2, 2) = Bits::Binary(BinOp::UDiv);
        "bvurem" (0; 2, 2) = Bits::Binary(BinOp::URem);
        "bvsdiv" (0; 2, 2) = Bits::Binary(BinOp::SDiv);
        "bvsrem" (0; 2, 2) = Bits::Binary(BinOp::SRem);
        "bvsmod" (0; 2, 2) = Bits::Smod;
        "bvshl" (0; 2, 2) = Bits::Binary(BinOp::Shl);
        "bvlshr" (0; 2, 2) = Bits::Binary(BinOp::LShr);
        "bvashr" (0; 2, 2) = Bits::Binary(BinOp::AShr);
        "bvnand" (0; 2, 2) = Bits::Negated(BinOp::And);
        "bvnor" (0; 2, 2) = Bits::Negated(BinOp::Or);
        "bvxnor" (0; 2, MANY) = Bits::Negated(BinOp::Xor);
        "bvcomp" (0; 2, 2) = Bits::Comp;
        "bvult" (0; 2, 2) = Bits::Compare(CmpOp::Ult);
        "bvule" (0; 2, 2) = Bits::Compare(CmpOp::Ule);
        "bvugt" (0; 2, 2) = Bits::Compare(CmpOp::Ugt);
        "bvuge" (0; 2, 2) = Bits::Compare(CmpOp::Uge);
        "bvslt" (0; 2, 2) = Bits::Compare(CmpOp::Slt);
        "bvsle" (0; 2, 2) = Bits::Compare(CmpOp::Sle);
        "bvsgt" (0; 2, 2) = Bits::Compare(CmpOp::Sgt);
        "bvsge" (0; 2, 2) = Bits::Compare(CmpOp::Sge);
        "bvuaddo" (0; 2, 2) = Bits::Overflow(OverflowOp::UAdd);
        "bvsaddo" (0; 2, 2) = Bits::Overflow(OverflowOp::SAdd);
        "bvusubo" (0; 2, 2) = Bits::Overflow(OverflowOp::USub);
        "bvssubo" (0; 2, 2) = Bits::Overflow(OverflowOp::SSub);
        "bvumulo" (0; 2, 2) = Bits::Overflow(OverflowOp::UMul);
        "bvsmulo" (0; 2, 2) = Bits::Overflow(OverflowOp::SMul);
        "bvumul_noovfl" (0; 2, 2) = Bits::NoOverflow(OverflowOp::UMul);
        "bvnego" (0; 1, 1) = Bits::NegOverflow;
        "bvsdivo" (0; 2, 2) = Bits::SdivOverflow;
        "concat" (0; 1, MANY) = Bits::Concat;
        "extract" (2; 1, 1) = Bits::Extract;
        "repeat" (1; 1, 1) = Bits::Repeat;
        "zero_extend" (1; 1, 1) = Bits::Extend(Signedness::Unsigned);
        "sign_extend" (1; 1, 1) = Bits::Extend(Signedness::Signed);
        "rotate_left" (1; 1, 1) = Bits::RotateLeft;
        "rotate_right" (1; 1, 1) = Bits::RotateRight;
        "ext_rotate_left" | "bvrol" (0; 2, 2) = Bits::ExtRotateLeft;
        "ext_rotate_right" | "bvror" (0; 2, 2) = Bits::ExtRotateRight;
        "bvredor" (0; 1, 1) = Bits::ReduceOr;
        "bvredand" (0; 1, 1) = Bits::ReduceAnd;
        "bvredxor" (0; 1, 1) = Bits::ReduceXor;
    }
    Array {
        "select" (0; 2, 2) = Array::Select;
        "store" (0; 3, 3) = Array::Store;
    }
    Float {
        "fp" (0; 3, 3) = Float::Parts;
        "+oo" (2; 0, 0) = Float::Special(Special::PlusInfinity);
        "-oo" (2; 0, 0) = Float::Special(Special::MinusInfinity);
        "+zero" (2; 0, 0) = Float::Special(Special::PlusZero);
        "-zero" (2; 0, 0) = Float::Special(Special::MinusZero);
        "NaN" (2; 0, 0) = Float::Special(Special::Nan);
        "RNE" | "roundNearestTiesToEven" (0; 0, 0) = Float::Mode(Mode::NearestEven);
        "RNA" | "roundNearestTiesToAway" (0; 0, 0) = Float::Mode(Mode::NearestAway);
        "RTP" | "roundTowardPositive" (0; 0, 0) = Float::Mode(Mode::TowardPositive);
        "RTN" | "roundTowardNegative" (0; 0, 0) = Float::Mode(Mode::TowardNegative);
        "RTZ" | "roundTowardZero" (0; 0, 0) = Float::Mode(Mode::TowardZero);
        "fp.abs" (0; 1, 1) = Float::Abs;
        "fp.neg" (0; 1, 1) = Float::Neg;
        "fp.add" (0; 3, 3) = Float::Binary(FBinOp::FAdd);
        "fp.sub" (0; 3, 3) = Float::Binary(FBinOp::FSub);
        "fp.mul" (0; 3, 3) = Float::Binary(FBinOp::FMul);
        "fp.div" (0; 3, 3) = Float::Binary(FBinOp::FDiv);
        "fp.fma" (0; 4, 4) = Float::Fma;
        "fp.sqrt" (0; 2, 2) = Float::Sqrt;
        "fp.rem" (0; 2, 2) = Float::Rem;
        "fp.roundToIntegral" (0; 2, 2) = Float::RoundToIntegral;
        "fp.min" (0; 2, 2) = Float::Min;
        "fp.max" (0; 2, 2) = Float::Max;
        "fp.leq" (0; 2, MANY) = Float::Compare(FCmpOp::Ole);
        "fp.lt" (0; 2, MANY) = Float::Compare(FCmpOp::Olt);
        "fp.geq" (0; 2, MANY) = Float::Compare(FCmpOp::Oge);
        "fp.gt" (0; 2, MANY) = Float::Compare(FCmpOp::Ogt);
        "fp.eq" (0; 2, MANY) = Float::Compare(FCmpOp::Oeq);
        "fp.isNormal" (0; 1, 1) = Float::Class(class::NORMAL);
        "fp.isSubnormal" (0; 1, 1) = Float::Class(class::SUBNORMAL);
        "fp.isZero" (0; 1, 1) = Float::Class(class::ZERO);
        "fp.isInfinite" (0; 1, 1) = Float::Class(class::INFINITE);
        "fp.isNaN" (0; 1, 1) = Float::Class(class::NAN);
        "fp.isNegative" (0; 1, 1) = Float::Class(class::NEGATIVE);
        "fp.isPositive" (0; 1, 1) = Float::Class(class::POSITIVE);
        "to_fp" (2; 1, 2) = Float::ToFp;
        "to_fp_unsigned" (2; 2, 2) = Float::ToFpUnsigned;
        "fp.to_ubv" (1; 2, 2) = Float::ToBits(Signedness::Unsigned);
        "fp.to_sbv" (1; 2, 2) = Float::ToBits(Signedness::Signed);
        "fp.to_ieee_bv" | "to_ieee_bv" (0; 1, 1) = Float::ToIeeeBits;
    }
    Foreign {
        "+" | "-" | "*" | "/" | "<" | "<=" | ">" | ">=" | "div" | "mod" | "abs" | "to_real" | "to_int" | "is_int"
            | "fp.to_real" (0; 0, MANY) = "integers and reals";
        "bv2nat" | "nat2bv" | "ubv_to_int" | "sbv_to_int" | "int2bv" | "int_to_bv" (0; 0, MANY) =
            "conversions between bit-vectors and integers";
    }
}

/// The names that begin functions of theories that are not here.
pub const FOREIGN_PREFIXES: &[(&str, &str)] = &[
    ("str.", "strings"),
    ("re.", "regular expressions"),
    ("seq.", "sequences"),
    ("set.", "sets"),
    ("bag.", "bags"),
    ("rel.", "relations"),
    ("ff.", "finite fields"),
    ("real.", "reals"),
    ("sep", "separation logic"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = TABLE.iter().map(|entry| entry.name).collect();
        names.sort_unstable();
        let n_names = names.len();
        names.dedup();
        assert_eq!(names.len(), n_names);
    }
}
