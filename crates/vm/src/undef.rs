//! How uninitialised bits spread through operations.
//!
//! A mask has a bit set for each bit that depends on uninitialised data. Bitwise operations and moves are exact, so
//! that bit-fields set one by one are never reported; arithmetic spreads upwards as carries do.

use spelunk_bv::{BinOp, CmpOp, int};

/// A value and its uninitialised bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partial {
    pub val: u64,
    pub undef: u64,
}

/// All bits from the lowest uninitialised one up.
fn upwards(undef: u64) -> u64 {
    undef | undef.wrapping_neg()
}

pub fn binary(op: BinOp, width: u32, a: Partial, b: Partial) -> u64 {
    let either = a.undef | b.undef;
    let mask = int::mask(width);
    let all = if either & mask == 0 { 0 } else { mask };
    let undef = match op {
        BinOp::And => (a.undef & b.undef) | (a.undef & b.val) | (b.undef & a.val),
        BinOp::Or => (a.undef & b.undef) | (a.undef & !b.val) | (b.undef & !a.val),
        BinOp::Xor => either,
        BinOp::Add | BinOp::Sub | BinOp::Mul => upwards(either & mask),
        BinOp::Shl | BinOp::LShr | BinOp::AShr if b.undef & mask == 0 => {
            if op == BinOp::AShr {
                int::ashr(width, a.undef & mask, b.val)
            } else {
                int::binop(op, width, a.undef & mask, b.val)
            }
        }
        _ => all,
    };
    undef & mask
}

/// Whether the outcome of a comparison depends on uninitialised bits.
pub fn compare(op: CmpOp, width: u32, a: Partial, b: Partial) -> bool {
    let undef = (a.undef | b.undef) & int::mask(width);
    if undef == 0 {
        return false;
    }
    match op {
        // Decided already if initialised bits differ.
        CmpOp::Eq | CmpOp::Ne => (a.val ^ b.val) & int::mask(width) & !undef == 0,
        _ => {
            let outcome = |x, y| int::icmp(op, width, x, y);
            let low = |p: Partial| extreme(op, width, p, End::Low);
            let high = |p: Partial| extreme(op, width, p, End::High);
            outcome(low(a), high(b)) != outcome(high(a), low(b))
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Low,
    High,
}

/// The least or greatest value that `p` may have, in the order that `op` compares by.
fn extreme(op: CmpOp, width: u32, p: Partial, end: End) -> u64 {
    let signed = matches!(op, CmpOp::Sgt | CmpOp::Sge | CmpOp::Slt | CmpOp::Sle);
    let sign = if signed { 1u64 << (width - 1) } else { 0 };
    let undef = p.undef & int::mask(width);
    let raised = match end {
        End::Low => undef & sign,
        End::High => undef & !sign,
    };
    (p.val & !undef) | raised
}

/// A sign extension repeats the top bit, and whether it is initialised.
pub fn sext(from: u32, to: u32, undef: u64) -> u64 {
    int::trunc(to, int::sext(from, int::trunc(from, undef)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a mask against all completions of the uninitialised bits: a bit that can change must be marked.
    fn check_sound(op: BinOp) {
        const W: u32 = 4;
        for a in 0..16 {
            for ua in 0..16 {
                for b in 0..16 {
                    for ub in [0, 1, 4, 10, 15] {
                        if a & ua != 0 || b & ub != 0 {
                            continue;
                        }
                        let mask = binary(op, W, Partial { val: a, undef: ua }, Partial { val: b, undef: ub });
                        let reference = int::binop(op, W, a, b);
                        for xa in (0..16).filter(|x| x & !ua == 0) {
                            for xb in (0..16).filter(|x| x & !ub == 0) {
                                let value = int::binop(op, W, a | xa, b | xb);
                                assert_eq!((value ^ reference) & !mask, 0, "{op} {a}/{ua} {b}/{ub}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_bit_that_can_change_is_marked() {
        BinOp::ALL.iter().copied().for_each(check_sound);
    }

    #[test]
    fn masking_initialises() {
        let garbage = Partial { val: 0, undef: 0xff };
        let mask = Partial { val: 0x0f, undef: 0 };
        assert_eq!(binary(BinOp::And, 8, garbage, mask), 0x0f);
        assert_eq!(binary(BinOp::Or, 8, garbage, mask), 0xf0);
    }

    #[test]
    fn comparisons_that_initialised_bits_decide() {
        let a = Partial { val: 0x10, undef: 0x0f };
        let b = Partial { val: 0x20, undef: 0 };
        assert!(!compare(CmpOp::Eq, 8, a, b));
        assert!(!compare(CmpOp::Ult, 8, a, b));
        assert!(compare(CmpOp::Ult, 8, a, Partial { val: 0x18, undef: 0 }));
    }
}
