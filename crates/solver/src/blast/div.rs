//! Division: quotient and remainder are bits of their own, bound by `quotient * divisor + remainder = dividend`.
//!
//! Against a circuit that divides, there is half as much of it, a multiplication of the program by the same divisor is
//! the same gates, and identities between quotient, remainder and product are found by propagation. Both results of one
//! pair of operands come from one definition. Division by zero follows SMT-LIB: all ones, and the dividend.

use super::budget::{Budget, Stop};
use super::circuit::Circuit;
use super::gates::{Bit, Gate};
use super::words::{Word, significant, zext};

#[derive(Clone, Debug)]
pub(crate) struct Division {
    pub quotient: Word,
    pub remainder: Word,
}

impl Circuit {
    pub fn udivide(&mut self, dividend: &[Bit], divisor: &[Bit], budget: &Budget) -> Result<Division, Stop> {
        let key = (dividend.into(), divisor.into());
        if let Some(known) = self.divisions.get(&key) {
            return Ok(known.clone());
        }
        let division = self.define_division(dividend, divisor, budget)?;
        self.divisions.insert(key, division.clone());
        Ok(division)
    }

    fn define_division(&mut self, dividend: &[Bit], divisor: &[Bit], budget: &Budget) -> Result<Division, Stop> {
        let width = dividend.len();
        let def = self.defs.add();
        let mut fresh = |n_bits: usize| -> Word {
            let bits: Word = (0..n_bits).map(|_| self.gates.add_leaf(Gate::Defined { by: def })).collect();
            zext(&bits, width)
        };
        // A divisor whose highest bit is known to be set leaves the quotient that many bits fewer.
        let lowest_divisor = divisor.iter().rposition(|&bit| bit == Bit::TRUE);
        let n_dividend = significant(dividend);
        let quotient = fresh(lowest_divisor.map_or(width, |at| n_dividend.saturating_sub(at)));
        let remainder = fresh(match lowest_divisor {
            Some(_) => significant(divisor).min(n_dividend),
            None => n_dividend,
        });
        let gates = &mut self.gates;
        let product = gates.mul(&quotient, divisor, width, budget)?;
        let overflows = gates.umul_overflows(&quotient, divisor, budget)?;
        let (sum, carry) = gates.add_with_carry(&product, &remainder, Bit::FALSE);
        let is_zero = !gates.or_all(divisor.iter().copied());
        let is_below = gates.less(&remainder, divisor, Bit::FALSE);
        let is_ones = gates.and_all(quotient.iter().copied());
        let adds_up = gates.eq(&sum, dividend);
        // Implied, but hard to find out: no result is above the dividend.
        let is_quotient_small = gates.less(&quotient, dividend, Bit::TRUE);
        let is_remainder_small = gates.less(&remainder, dividend, Bit::TRUE);
        let conditions = [
            adds_up,
            !overflows,
            !carry,
            gates.or(is_zero, is_below),
            gates.or(!is_zero, is_ones),
            gates.or(is_zero, is_quotient_small),
            is_remainder_small,
        ];
        for condition in conditions {
            self.defs.require(def, condition, None);
        }
        Ok(Division { quotient, remainder })
    }

    /// By magnitudes; SMT-LIB's results for a zero divisor follow from those of unsigned division.
    pub fn sdivide(&mut self, dividend: &[Bit], divisor: &[Bit], budget: &Budget) -> Result<Division, Stop> {
        let sign = |word: &[Bit]| word.last().copied().unwrap_or(Bit::FALSE);
        let (dividend_sign, divisor_sign) = (sign(dividend), sign(divisor));
        let dividend = self.gates.neg_if(dividend_sign, dividend);
        let divisor = self.gates.neg_if(divisor_sign, divisor);
        let Division { quotient, remainder } = self.udivide(&dividend, &divisor, budget)?;
        let quotient_sign = self.gates.xor(dividend_sign, divisor_sign);
        Ok(Division {
            quotient: self.gates.neg_if(quotient_sign, &quotient),
            remainder: self.gates.neg_if(dividend_sign, &remainder),
        })
    }
}
