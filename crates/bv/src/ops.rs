//! The operations by name: each list is one table that yields the enum, its LLVM spelling and the way back.
//!
//! Steps to add one: a line in the table, an arm in the dispatch function that the enum's documentation names
//! (the compiler insists), a test case.

use std::cmp::Ordering;

macro_rules! op_table {
    ($(#[$meta:meta])* $enum:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $enum { $($variant),+ }

        impl $enum {
            pub const ALL: &[$enum] = &[$($enum::$variant),+];

            /// The LLVM spelling.
            pub const fn name(self) -> &'static str {
                match self { $($enum::$variant => $name),+ }
            }

            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some($enum::$variant),)+ _ => None }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

op_table! {
    /// Integer instructions with two operands of one width: [`crate::int::binop`], [`crate::wide::binop`].
    BinOp {
        Add = "add", Sub = "sub", Mul = "mul", UDiv = "udiv", SDiv = "sdiv", URem = "urem", SRem = "srem",
        Shl = "shl", LShr = "lshr", AShr = "ashr", And = "and", Or = "or", Xor = "xor",
    }
}

op_table! {
    /// Integer comparisons: [`crate::int::icmp`], [`crate::wide::icmp`].
    CmpOp {
        Eq = "eq", Ne = "ne", Ugt = "ugt", Uge = "uge", Ult = "ult", Ule = "ule",
        Sgt = "sgt", Sge = "sge", Slt = "slt", Sle = "sle",
    }
}

op_table! {
    /// The cast instructions. Integer ones are `trunc`, `zext` and `sext_to` in [`crate::int`] and [`crate::wide`];
    /// floating ones are `convert`, `to_int` and `from_int` in [`crate::float`]; the rest keep the bits.
    CastOp {
        Trunc = "trunc", ZExt = "zext", SExt = "sext", FpTrunc = "fptrunc", FpExt = "fpext",
        FpToUi = "fptoui", FpToSi = "fptosi", UiToFp = "uitofp", SiToFp = "sitofp",
        PtrToInt = "ptrtoint", IntToPtr = "inttoptr", BitCast = "bitcast",
    }
}

op_table! {
    /// Integer intrinsics of one operand: [`crate::int::unop`], [`crate::wide::unop`].
    UnOp {
        Ctpop = "ctpop", Ctlz = "ctlz", Cttz = "cttz", Bswap = "bswap", Bitreverse = "bitreverse", Abs = "abs",
    }
}

op_table! {
    /// What `llvm.*.with.overflow` asks: [`crate::int::overflows`], [`crate::wide::overflows`].
    OverflowOp {
        UAdd = "uadd", SAdd = "sadd", USub = "usub", SSub = "ssub", UMul = "umul", SMul = "smul",
    }
}

op_table! {
    /// Intrinsics that clamp: saturating arithmetic and extrema: [`crate::int::sat`], [`crate::wide::sat`].
    SatOp {
        UAddSat = "uadd.sat", SAddSat = "sadd.sat", USubSat = "usub.sat", SSubSat = "ssub.sat",
        UShlSat = "ushl.sat", SShlSat = "sshl.sat",
        UMin = "umin", UMax = "umax", SMin = "smin", SMax = "smax",
    }
}

op_table! {
    /// Funnel shifts: [`crate::int::funnel`], [`crate::wide::funnel`].
    FunnelOp { Fshl = "fshl", Fshr = "fshr" }
}

op_table! {
    /// Floating-point instructions with two operands: [`crate::float::binop`].
    FBinOp { FAdd = "fadd", FSub = "fsub", FMul = "fmul", FDiv = "fdiv", FRem = "frem" }
}

op_table! {
    /// Floating-point comparisons: [`crate::float::fcmp`]. The order is LLVM's encoding, a set of outcomes:
    /// bit 0 equal, bit 1 greater, bit 2 less, bit 3 unordered.
    FCmpOp {
        False = "false", Oeq = "oeq", Ogt = "ogt", Oge = "oge", Olt = "olt", Ole = "ole", One = "one", Ord = "ord",
        Uno = "uno", Ueq = "ueq", Ugt = "ugt", Uge = "uge", Ult = "ult", Ule = "ule", Une = "une", True = "true",
    }
}

op_table! {
    /// Floating-point extrema: [`crate::float::min_max`].
    FMinMaxOp {
        MinNum = "minnum", MaxNum = "maxnum", Minimum = "minimum", Maximum = "maximum",
        MinimumNum = "minimumnum", MaximumNum = "maximumnum",
    }
}

op_table! {
    /// Rounding to an integral value: [`crate::float::round`]. The rounding mode is always to nearest even, so
    /// `rint`, `nearbyint` and `roundeven` coincide.
    RoundOp {
        Floor = "floor", Ceil = "ceil", Trunc = "trunc", Rint = "rint", Nearbyint = "nearbyint",
        Round = "round", RoundEven = "roundeven",
    }
}

op_table! {
    /// How an integer's bits are read.
    Signedness { Unsigned = "unsigned", Signed = "signed" }
}

impl CmpOp {
    /// What holds where this does not.
    pub fn negated(self) -> Self {
        match self {
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::Ugt => Self::Ule,
            Self::Uge => Self::Ult,
            Self::Ult => Self::Uge,
            Self::Ule => Self::Ugt,
            Self::Sgt => Self::Sle,
            Self::Sge => Self::Slt,
            Self::Slt => Self::Sge,
            Self::Sle => Self::Sgt,
        }
    }

    /// The same of operands in the other order.
    pub fn swapped(self) -> Self {
        match self {
            Self::Eq | Self::Ne => self,
            Self::Ugt => Self::Ult,
            Self::Uge => Self::Ule,
            Self::Ult => Self::Ugt,
            Self::Ule => Self::Uge,
            Self::Sgt => Self::Slt,
            Self::Sge => Self::Sle,
            Self::Slt => Self::Sgt,
            Self::Sle => Self::Sge,
        }
    }
}

impl FCmpOp {
    /// Whether the predicate accepts this outcome; `None` is unordered.
    #[inline(always)]
    pub fn accepts(self, outcome: Option<Ordering>) -> bool {
        let bit = match outcome {
            Some(Ordering::Equal) => 0,
            Some(Ordering::Greater) => 1,
            Some(Ordering::Less) => 2,
            None => 3,
        };
        (self as u8) >> bit & 1 != 0
    }
}

impl OverflowOp {
    /// The operation whose exact result is asked about, and how its operands and result are read.
    pub const fn parts(self) -> (BinOp, Signedness) {
        match self {
            OverflowOp::UAdd => (BinOp::Add, Signedness::Unsigned),
            OverflowOp::SAdd => (BinOp::Add, Signedness::Signed),
            OverflowOp::USub => (BinOp::Sub, Signedness::Unsigned),
            OverflowOp::SSub => (BinOp::Sub, Signedness::Signed),
            OverflowOp::UMul => (BinOp::Mul, Signedness::Unsigned),
            OverflowOp::SMul => (BinOp::Mul, Signedness::Signed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        macro_rules! check {
            ($($enum:ident),+) => {
                $(for &op in $enum::ALL {
                    assert_eq!($enum::from_name(op.name()), Some(op));
                })+
            };
        }
        check!(BinOp, CmpOp, CastOp, UnOp, OverflowOp, SatOp, FunnelOp, FBinOp, FCmpOp, FMinMaxOp, RoundOp);
        assert_eq!(BinOp::from_name("fadd"), None);
    }

    #[test]
    fn fcmp_outcomes_follow_the_names() {
        for &op in FCmpOp::ALL {
            let name = op.name();
            let (ordered, relation) = name.split_at(1);
            if matches!(op, FCmpOp::False | FCmpOp::True | FCmpOp::Ord | FCmpOp::Uno) {
                continue;
            }
            assert_eq!(op.accepts(None), ordered == "u", "{name}");
            assert_eq!(op.accepts(Some(Ordering::Equal)), ["eq", "ge", "le"].contains(&relation), "{name}");
            assert_eq!(op.accepts(Some(Ordering::Less)), ["lt", "le", "ne"].contains(&relation), "{name}");
            assert_eq!(op.accepts(Some(Ordering::Greater)), ["gt", "ge", "ne"].contains(&relation), "{name}");
        }
        assert!(FCmpOp::Ord.accepts(Some(Ordering::Less)) && !FCmpOp::Ord.accepts(None));
        assert!(!FCmpOp::Uno.accepts(Some(Ordering::Equal)) && FCmpOp::Uno.accepts(None));
    }
}
