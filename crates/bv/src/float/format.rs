//! The formats: their fields, special values and what can be told from a bit pattern alone.

/// A floating-point value of any kind as its bit pattern.
pub type FBits = u128;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatKind {
    Half,
    BFloat,
    Float,
    Double,
    X86Fp80,
    Fp128,
}

impl FloatKind {
    pub const ALL: [FloatKind; 6] =
        [FloatKind::Half, FloatKind::BFloat, FloatKind::Float, FloatKind::Double, FloatKind::X86Fp80, FloatKind::Fp128];

    /// The LLVM spelling.
    pub const fn name(self) -> &'static str {
        match self {
            FloatKind::Half => "half",
            FloatKind::BFloat => "bfloat",
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::X86Fp80 => "x86_fp80",
            FloatKind::Fp128 => "fp128",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        FloatKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    pub const fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Float => 32,
            FloatKind::Double => 64,
            FloatKind::X86Fp80 => 80,
            FloatKind::Fp128 => 128,
        }
    }

    /// How many bytes a store writes; alignment padding doesn't count.
    pub const fn store_size(self) -> u32 {
        self.bits() / 8
    }

    pub const fn n_limbs(self) -> usize {
        crate::wide::n_limbs(self.bits())
    }

    /// Significant bits, with the leading one that most formats leave out.
    pub const fn precision(self) -> u32 {
        match self {
            FloatKind::Half => 11,
            FloatKind::BFloat => 8,
            FloatKind::Float => 24,
            FloatKind::Double => 53,
            FloatKind::X86Fp80 => 64,
            FloatKind::Fp128 => 113,
        }
    }

    /// Where the exponent field begins: the width of the stored significand.
    pub(super) const fn exponent_shift(self) -> u32 {
        match self {
            FloatKind::X86Fp80 => self.precision(),
            _ => self.precision() - 1,
        }
    }

    pub(super) const fn max_exponent_field(self) -> u32 {
        (1 << (self.bits() - 1 - self.exponent_shift())) - 1
    }

    /// The exponent of the largest values, which is also the exponent field's bias.
    pub const fn max_exponent(self) -> i32 {
        (self.max_exponent_field() / 2) as i32
    }

    /// The exponent of the smallest normal value.
    pub const fn min_exponent(self) -> i32 {
        1 - self.max_exponent()
    }

    pub(super) const fn sign_bit(self) -> FBits {
        1 << (self.bits() - 1)
    }

    /// The leading significand bit, which the formats but x86_fp80 leave out.
    pub(super) const fn integer_bit(self) -> FBits {
        1 << (self.precision() - 1)
    }

    /// The bit that tells quiet from signaling NaNs.
    pub(super) const fn quiet_bit(self) -> FBits {
        self.integer_bit() >> 1
    }

    pub(super) const fn exponent_field(self, a: FBits) -> u32 {
        (a >> self.exponent_shift()) as u32 & self.max_exponent_field()
    }

    /// The stored significand without an explicit integer bit.
    pub(super) const fn fraction(self, a: FBits) -> FBits {
        a & (self.integer_bit() - 1)
    }
}

impl std::fmt::Display for FloatKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What a bit pattern says, sign aside. A finite value is `significand * 2^exponent`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Magnitude {
    Nan,
    Infinite,
    Zero,
    Finite { significand: u128, exponent: i32 },
}

/// The x86_fp80 patterns that no processor since the 80287 accepts (an integer bit that contradicts the exponent) are
/// NaNs; an integer bit with a zero exponent field is the number it says.
#[inline]
pub(super) fn unpack(kind: FloatKind, a: FBits) -> Magnitude {
    let field = kind.exponent_field(a);
    let fraction = kind.fraction(a);
    let stored_integer_bit = match kind {
        FloatKind::X86Fp80 => a & kind.integer_bit(),
        _ if field == 0 => 0,
        _ => kind.integer_bit(),
    };
    let significand = stored_integer_bit | fraction;
    if field != 0 && stored_integer_bit == 0 {
        return Magnitude::Nan;
    }
    if field == kind.max_exponent_field() {
        return if fraction == 0 { Magnitude::Infinite } else { Magnitude::Nan };
    }
    if significand == 0 {
        return Magnitude::Zero;
    }
    let exponent = field.max(1) as i32 - kind.max_exponent() - (kind.precision() as i32 - 1);
    Magnitude::Finite { significand, exponent }
}

/// Puts fields together; the significand has its integer bit, which says whether the number is normal.
pub(super) fn assemble(kind: FloatKind, sign: FBits, field: u32, significand: u128) -> FBits {
    let stored = match kind {
        FloatKind::X86Fp80 => significand,
        _ => kind.fraction(significand),
    };
    sign | (field as FBits) << kind.exponent_shift() | stored
}

pub fn zero(kind: FloatKind) -> FBits {
    assemble(kind, 0, 0, 0)
}

pub fn infinity(kind: FloatKind) -> FBits {
    assemble(kind, 0, kind.max_exponent_field(), kind.integer_bit())
}

/// The NaN that an invalid operation yields on x86: quiet, negative, no payload.
pub fn default_nan(kind: FloatKind) -> FBits {
    kind.sign_bit() | quiet_nan(kind, 0)
}

/// The positive quiet NaN with this payload.
pub(super) fn quiet_nan(kind: FloatKind, payload: u128) -> FBits {
    let payload = payload & (kind.quiet_bit() - 1);
    infinity(kind) | kind.quiet_bit() | payload
}

/// Makes a NaN quiet.
pub(super) fn quieted(kind: FloatKind, nan: FBits) -> FBits {
    nan | infinity(kind) | kind.quiet_bit()
}

#[inline]
pub fn is_sign_negative(kind: FloatKind, a: FBits) -> bool {
    a & kind.sign_bit() != 0
}

#[inline]
pub fn is_nan(kind: FloatKind, a: FBits) -> bool {
    unpack(kind, a) == Magnitude::Nan
}

pub fn is_signaling_nan(kind: FloatKind, a: FBits) -> bool {
    is_nan(kind, a) && a & kind.quiet_bit() == 0
}

#[inline]
pub fn is_inf(kind: FloatKind, a: FBits) -> bool {
    unpack(kind, a) == Magnitude::Infinite
}

#[inline]
pub fn is_zero(kind: FloatKind, a: FBits) -> bool {
    unpack(kind, a) == Magnitude::Zero
}

pub fn is_subnormal(kind: FloatKind, a: FBits) -> bool {
    kind.exponent_field(a) == 0 && unpack(kind, a) != Magnitude::Zero
}
