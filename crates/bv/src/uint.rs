//! The definition of integer operations of any width up to that of a native integer type.
//!
//! It is a macro so that [`crate::int`] (`u64`) and [`crate::int128`] (`u128`) share one text; a trait would hide the
//! native operators behind methods. Widths beyond are in [`crate::wide`].

macro_rules! define_integer {
    ($word:ty, $signed_word:ty) => {
        use crate::ops::{BinOp, CmpOp, FunnelOp, OverflowOp, SatOp, UnOp};

        const BITS: u32 = <$word>::BITS;

        /// The ones of a width.
        #[inline(always)]
        pub const fn mask(w: u32) -> $word {
            debug_assert!(1 <= w && w <= BITS);
            <$word>::MAX >> (BITS - w)
        }

        /// The sign bit of a width, which is also its least signed value.
        #[inline(always)]
        pub const fn sign_bit(w: u32) -> $word {
            debug_assert!(1 <= w && w <= BITS);
            1 << (w - 1)
        }

        #[inline(always)]
        pub const fn is_negative(w: u32, a: $word) -> bool {
            a & sign_bit(w) != 0
        }

        #[inline(always)]
        pub const fn trunc(to: u32, a: $word) -> $word {
            a & mask(to)
        }

        /// The identity, as values have zero high bits; here so that every cast can be written down.
        #[inline(always)]
        pub const fn zext(a: $word) -> $word {
            a
        }

        /// The signed value.
        #[inline(always)]
        pub const fn sext(w: u32, a: $word) -> $signed_word {
            ((a << (BITS - w)) as $signed_word) >> (BITS - w)
        }

        #[inline(always)]
        pub const fn sext_to(from: u32, to: u32, a: $word) -> $word {
            trunc(to, sext(from, a) as $word)
        }

        #[inline(always)]
        pub const fn add(w: u32, a: $word, b: $word) -> $word {
            trunc(w, a.wrapping_add(b))
        }

        #[inline(always)]
        pub const fn sub(w: u32, a: $word, b: $word) -> $word {
            trunc(w, a.wrapping_sub(b))
        }

        #[inline(always)]
        pub const fn mul(w: u32, a: $word, b: $word) -> $word {
            trunc(w, a.wrapping_mul(b))
        }

        /// All ones for a zero divisor.
        #[inline(always)]
        pub const fn udiv(w: u32, a: $word, b: $word) -> $word {
            if b == 0 { mask(w) } else { a / b }
        }

        /// The dividend for a zero divisor.
        #[inline(always)]
        pub const fn urem(_w: u32, a: $word, b: $word) -> $word {
            if b == 0 { a } else { a % b }
        }

        /// For a zero divisor, 1 if the dividend is negative and all ones otherwise; the least value by -1 wraps.
        #[inline(always)]
        pub const fn sdiv(w: u32, a: $word, b: $word) -> $word {
            match sext(w, b) {
                0 if is_negative(w, a) => 1,
                0 => mask(w),
                divisor => trunc(w, sext(w, a).wrapping_div(divisor) as $word),
            }
        }

        /// The dividend for a zero divisor; otherwise the sign is the dividend's.
        #[inline(always)]
        pub const fn srem(w: u32, a: $word, b: $word) -> $word {
            match sext(w, b) {
                0 => a,
                divisor => trunc(w, sext(w, a).wrapping_rem(divisor) as $word),
            }
        }

        /// Zero for an amount of at least the width.
        #[inline(always)]
        pub const fn shl(w: u32, a: $word, b: $word) -> $word {
            if b >= w as $word { 0 } else { trunc(w, a << b) }
        }

        /// Zero for an amount of at least the width.
        #[inline(always)]
        pub const fn lshr(w: u32, a: $word, b: $word) -> $word {
            if b >= w as $word { 0 } else { a >> b }
        }

        /// Copies of the sign bit for an amount of at least the width.
        #[inline(always)]
        pub const fn ashr(w: u32, a: $word, b: $word) -> $word {
            let amount = if b >= w as $word { w - 1 } else { b as u32 };
            trunc(w, (sext(w, a) >> amount) as $word)
        }

        #[inline(always)]
        pub const fn and(_w: u32, a: $word, b: $word) -> $word {
            a & b
        }

        #[inline(always)]
        pub const fn or(_w: u32, a: $word, b: $word) -> $word {
            a | b
        }

        #[inline(always)]
        pub const fn xor(_w: u32, a: $word, b: $word) -> $word {
            a ^ b
        }

        #[inline(always)]
        pub const fn neg(w: u32, a: $word) -> $word {
            sub(w, 0, a)
        }

        #[inline(always)]
        pub const fn eq(_w: u32, a: $word, b: $word) -> bool {
            a == b
        }

        #[inline(always)]
        pub const fn ne(_w: u32, a: $word, b: $word) -> bool {
            a != b
        }

        #[inline(always)]
        pub const fn ugt(_w: u32, a: $word, b: $word) -> bool {
            a > b
        }

        #[inline(always)]
        pub const fn uge(_w: u32, a: $word, b: $word) -> bool {
            a >= b
        }

        #[inline(always)]
        pub const fn ult(_w: u32, a: $word, b: $word) -> bool {
            a < b
        }

        #[inline(always)]
        pub const fn ule(_w: u32, a: $word, b: $word) -> bool {
            a <= b
        }

        #[inline(always)]
        pub const fn sgt(w: u32, a: $word, b: $word) -> bool {
            slt(w, b, a)
        }

        #[inline(always)]
        pub const fn sge(w: u32, a: $word, b: $word) -> bool {
            !slt(w, a, b)
        }

        #[inline(always)]
        pub const fn slt(w: u32, a: $word, b: $word) -> bool {
            // The compiler doesn't see through sign extension, and most comparisons are of `int`.
            if w == 32 { (a as i32) < (b as i32) } else { sext(w, a) < sext(w, b) }
        }

        #[inline(always)]
        pub const fn sle(w: u32, a: $word, b: $word) -> bool {
            !slt(w, b, a)
        }

        #[inline(always)]
        pub const fn binop(op: BinOp, w: u32, a: $word, b: $word) -> $word {
            match op {
                BinOp::Add => add(w, a, b),
                BinOp::Sub => sub(w, a, b),
                BinOp::Mul => mul(w, a, b),
                BinOp::UDiv => udiv(w, a, b),
                BinOp::SDiv => sdiv(w, a, b),
                BinOp::URem => urem(w, a, b),
                BinOp::SRem => srem(w, a, b),
                BinOp::Shl => shl(w, a, b),
                BinOp::LShr => lshr(w, a, b),
                BinOp::AShr => ashr(w, a, b),
                BinOp::And => and(w, a, b),
                BinOp::Or => or(w, a, b),
                BinOp::Xor => xor(w, a, b),
            }
        }

        #[inline(always)]
        pub const fn icmp(op: CmpOp, w: u32, a: $word, b: $word) -> bool {
            match op {
                CmpOp::Eq => eq(w, a, b),
                CmpOp::Ne => ne(w, a, b),
                CmpOp::Ugt => ugt(w, a, b),
                CmpOp::Uge => uge(w, a, b),
                CmpOp::Ult => ult(w, a, b),
                CmpOp::Ule => ule(w, a, b),
                CmpOp::Sgt => sgt(w, a, b),
                CmpOp::Sge => sge(w, a, b),
                CmpOp::Slt => slt(w, a, b),
                CmpOp::Sle => sle(w, a, b),
            }
        }

        #[inline(always)]
        pub const fn uadd_overflow(w: u32, a: $word, b: $word) -> bool {
            add(w, a, b) < a
        }

        #[inline(always)]
        pub const fn usub_overflow(_w: u32, a: $word, b: $word) -> bool {
            a < b
        }

        #[inline(always)]
        pub const fn umul_overflow(w: u32, a: $word, b: $word) -> bool {
            let (product, lost) = a.overflowing_mul(b);
            lost || product > mask(w)
        }

        /// Whether a signed result, perhaps already wrapped at the native width, is outside of width `w`.
        #[inline(always)]
        const fn signed_overflow(w: u32, (result, lost): ($signed_word, bool)) -> bool {
            lost || sext(w, result as $word) != result
        }

        #[inline(always)]
        pub const fn sadd_overflow(w: u32, a: $word, b: $word) -> bool {
            signed_overflow(w, sext(w, a).overflowing_add(sext(w, b)))
        }

        #[inline(always)]
        pub const fn ssub_overflow(w: u32, a: $word, b: $word) -> bool {
            signed_overflow(w, sext(w, a).overflowing_sub(sext(w, b)))
        }

        #[inline(always)]
        pub const fn smul_overflow(w: u32, a: $word, b: $word) -> bool {
            signed_overflow(w, sext(w, a).overflowing_mul(sext(w, b)))
        }

        #[inline(always)]
        pub const fn overflows(op: OverflowOp, w: u32, a: $word, b: $word) -> bool {
            match op {
                OverflowOp::UAdd => uadd_overflow(w, a, b),
                OverflowOp::SAdd => sadd_overflow(w, a, b),
                OverflowOp::USub => usub_overflow(w, a, b),
                OverflowOp::SSub => ssub_overflow(w, a, b),
                OverflowOp::UMul => umul_overflow(w, a, b),
                OverflowOp::SMul => smul_overflow(w, a, b),
            }
        }

        /// The extreme value on the side of zero on which `a` stands.
        #[inline(always)]
        const fn signed_extreme(w: u32, a: $word) -> $word {
            if is_negative(w, a) { sign_bit(w) } else { mask(w) >> 1 }
        }

        #[inline(always)]
        pub const fn uadd_sat(w: u32, a: $word, b: $word) -> $word {
            if uadd_overflow(w, a, b) { mask(w) } else { add(w, a, b) }
        }

        #[inline(always)]
        pub const fn sadd_sat(w: u32, a: $word, b: $word) -> $word {
            if sadd_overflow(w, a, b) { signed_extreme(w, a) } else { add(w, a, b) }
        }

        #[inline(always)]
        pub const fn usub_sat(_w: u32, a: $word, b: $word) -> $word {
            a.saturating_sub(b)
        }

        #[inline(always)]
        pub const fn ssub_sat(w: u32, a: $word, b: $word) -> $word {
            if ssub_overflow(w, a, b) { signed_extreme(w, a) } else { sub(w, a, b) }
        }

        /// Amounts of at least the width saturate too, as any non-zero bit is lost.
        #[inline(always)]
        pub const fn ushl_sat(w: u32, a: $word, b: $word) -> $word {
            let shifted = shl(w, a, b);
            if lshr(w, shifted, b) == a { shifted } else { mask(w) }
        }

        /// Amounts of at least the width saturate too, except for zero.
        #[inline(always)]
        pub const fn sshl_sat(w: u32, a: $word, b: $word) -> $word {
            let shifted = shl(w, a, b);
            if ashr(w, shifted, b) == a { shifted } else { signed_extreme(w, a) }
        }

        #[inline(always)]
        pub const fn umin(_w: u32, a: $word, b: $word) -> $word {
            if a < b { a } else { b }
        }

        #[inline(always)]
        pub const fn umax(_w: u32, a: $word, b: $word) -> $word {
            if a > b { a } else { b }
        }

        #[inline(always)]
        pub const fn smin(w: u32, a: $word, b: $word) -> $word {
            if slt(w, a, b) { a } else { b }
        }

        #[inline(always)]
        pub const fn smax(w: u32, a: $word, b: $word) -> $word {
            if sgt(w, a, b) { a } else { b }
        }

        #[inline(always)]
        pub const fn sat(op: SatOp, w: u32, a: $word, b: $word) -> $word {
            match op {
                SatOp::UAddSat => uadd_sat(w, a, b),
                SatOp::SAddSat => sadd_sat(w, a, b),
                SatOp::USubSat => usub_sat(w, a, b),
                SatOp::SSubSat => ssub_sat(w, a, b),
                SatOp::UShlSat => ushl_sat(w, a, b),
                SatOp::SShlSat => sshl_sat(w, a, b),
                SatOp::UMin => umin(w, a, b),
                SatOp::UMax => umax(w, a, b),
                SatOp::SMin => smin(w, a, b),
                SatOp::SMax => smax(w, a, b),
            }
        }

        #[inline(always)]
        pub const fn ctpop(_w: u32, a: $word) -> $word {
            a.count_ones() as $word
        }

        /// The width for zero.
        #[inline(always)]
        pub const fn ctlz(w: u32, a: $word) -> $word {
            (a.leading_zeros() - (BITS - w)) as $word
        }

        /// The width for zero.
        #[inline(always)]
        pub const fn cttz(w: u32, a: $word) -> $word {
            (if a == 0 { w } else { a.trailing_zeros() }) as $word
        }

        /// Reverses the bytes of a width that is a multiple of 8.
        #[inline(always)]
        pub const fn bswap(w: u32, a: $word) -> $word {
            a.swap_bytes() >> (BITS - w)
        }

        #[inline(always)]
        pub const fn bitreverse(w: u32, a: $word) -> $word {
            a.reverse_bits() >> (BITS - w)
        }

        /// The least value is its own absolute value.
        #[inline(always)]
        pub const fn abs(w: u32, a: $word) -> $word {
            if is_negative(w, a) { neg(w, a) } else { a }
        }

        #[inline(always)]
        pub const fn unop(op: UnOp, w: u32, a: $word) -> $word {
            match op {
                UnOp::Ctpop => ctpop(w, a),
                UnOp::Ctlz => ctlz(w, a),
                UnOp::Cttz => cttz(w, a),
                UnOp::Bswap => bswap(w, a),
                UnOp::Bitreverse => bitreverse(w, a),
                UnOp::Abs => abs(w, a),
            }
        }

        /// The high half of `a:b` shifted left by `c` modulo the width.
        #[inline(always)]
        pub const fn fshl(w: u32, a: $word, b: $word, c: $word) -> $word {
            let amount = c % w as $word;
            if amount == 0 { a } else { trunc(w, a << amount) | b >> (w as $word - amount) }
        }

        /// The low half of `a:b` shifted right by `c` modulo the width.
        #[inline(always)]
        pub const fn fshr(w: u32, a: $word, b: $word, c: $word) -> $word {
            let amount = c % w as $word;
            if amount == 0 { b } else { trunc(w, a << (w as $word - amount)) | b >> amount }
        }

        #[inline(always)]
        pub const fn funnel(op: FunnelOp, w: u32, a: $word, b: $word, c: $word) -> $word {
            match op {
                FunnelOp::Fshl => fshl(w, a, b, c),
                FunnelOp::Fshr => fshr(w, a, b, c),
            }
        }
    };
}

pub(crate) use define_integer;
