//! A number with 113 significant bits and the exponents of x86's `long double`: room to compute in for `long`.

use spelunk_bv::float::{self, FBits, FloatKind};
use spelunk_bv::{FBinOp, FCmpOp, RoundOp, Signedness};
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

const KIND: FloatKind = FloatKind::Fp128;

#[derive(Clone, Copy, Debug)]
pub struct Quad(FBits);

impl Quad {
    pub const ZERO: Self = Self(0);
    pub const ONE: Self = Self(0x3fff << 112);
    pub const HALF: Self = Self(0x3ffe << 112);
    pub const LN_2: Self = Self(0x3ffe62e4_2fefa39e_f35793c7_673007e6);
    pub const LN_10: Self = Self(0x400026bb_1bbb5551_582dd4ad_ac5705a6);
    pub const HALF_PI: Self = Self(0x3fff921f_b54442d1_8469898c_c51701b8);
    /// The same in three parts, so that their multiples by an integer of 63 bits can be subtracted without rounding.
    pub const HALF_PI_PARTS: [Self; 3] = [
        Self(0x3fff921f_b54442d1_80000000_00000000),
        Self(0x3fc91a62_633145c0_00000000_00000000),
        Self(0x3f97b839_a252049c_1114cf98_e804177d),
    ];

    pub fn nan() -> Self {
        Self(float::default_nan(KIND))
    }

    pub fn infinity() -> Self {
        Self(float::infinity(KIND))
    }

    pub fn from_long(bits: FBits) -> Self {
        Self(float::convert(FloatKind::X86Fp80, KIND, bits))
    }

    pub fn to_long(self) -> FBits {
        float::convert(KIND, FloatKind::X86Fp80, self.0)
    }

    pub fn from_f64(value: f64) -> Self {
        Self(float::convert(FloatKind::Double, KIND, FBits::from(value.to_bits())))
    }

    pub fn to_f64(self) -> f64 {
        f64::from_bits(float::convert(KIND, FloatKind::Double, self.0) as u64)
    }

    /// Computes with less precision.
    pub fn via_f64(self, function: fn(f64) -> f64) -> Self {
        Self::from_f64(function(self.to_f64()))
    }

    pub fn round(self) -> Self {
        Self(float::round(KIND, RoundOp::RoundEven, self.0))
    }

    /// The value of an integer below 2^63.
    pub fn to_integer(self) -> i64 {
        float::to_int_narrow(KIND, self.0, 64, Signedness::Signed) as i64
    }

    /// Times a power of two.
    pub fn scale(self, by: i64) -> Self {
        Self(float::ldexp(KIND, self.0, by.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32))
    }

    /// A fraction in [0.5, 1) and an exponent.
    pub fn parts(self) -> (Self, i64) {
        let (fraction, exponent) = float::frexp(KIND, self.0);
        (Self(fraction), i64::from(exponent))
    }

    pub fn sqrt(self) -> Self {
        Self(float::sqrt(KIND, self.0))
    }

    pub fn abs(self) -> Self {
        Self(float::abs(KIND, self.0))
    }

    /// This magnitude with another sign.
    pub fn with_sign_of(self, other: Self) -> Self {
        Self(float::copysign(KIND, self.0, other.0))
    }

    pub fn is_negative(self) -> bool {
        float::is_sign_negative(KIND, self.0)
    }

    pub fn is_zero(self) -> bool {
        float::is_zero(KIND, self.0)
    }

    pub fn is_finite(self) -> bool {
        !float::is_nan(KIND, self.0) && !float::is_inf(KIND, self.0)
    }

    pub fn is_integer(self) -> bool {
        self.is_finite() && self.round() == self
    }
}

impl From<i64> for Quad {
    fn from(value: i64) -> Self {
        Self(float::from_int_narrow(KIND, value as u64, 64, Signedness::Signed))
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident;)*) => {
        $(impl $trait for Quad {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                Self(float::binop(KIND, FBinOp::$op, self.0, other.0))
            }
        })*
    };
}

operators! {
    Add add FAdd;
    Sub sub FSub;
    Mul mul FMul;
    Div div FDiv;
}

impl Neg for Quad {
    type Output = Self;

    fn neg(self) -> Self {
        Self(float::neg(KIND, self.0))
    }
}

impl PartialEq for Quad {
    fn eq(&self, other: &Self) -> bool {
        float::fcmp(KIND, FCmpOp::Oeq, self.0, other.0)
    }
}

impl PartialOrd for Quad {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let orders = [(FCmpOp::Olt, Ordering::Less), (FCmpOp::Oeq, Ordering::Equal), (FCmpOp::Ogt, Ordering::Greater)];
        orders.into_iter().find(|&(op, _)| float::fcmp(KIND, op, self.0, other.0)).map(|(_, order)| order)
    }
}
