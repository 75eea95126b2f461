//! Multiplication: rows of adders, and whether a product overflows.

use super::budget::{Budget, Stop};
use super::gates::{Bit, Gates};
use super::words::{Word, not, sext, significant, zext};

/// Cells of an array of adders beyond which a multiplication is refused: about a hundred bytes each.
const MAX_CELLS: usize = 1 << 22;

impl Gates {
    /// The low `width` bits of a product; both factors have zeros above.
    pub fn mul(&mut self, a: &[Bit], b: &[Bit], width: usize, budget: &Budget) -> Result<Word, Stop> {
        let (a, b) = (&a[..significant(a).min(width)], &b[..significant(b).min(width)]);
        let (a, b) = by_rows(a, b);
        if b.iter().all(|bit| bit.as_constant().is_some()) {
            return self.mul_constant(a, b, width, budget);
        }
        if a.len().saturating_mul(b.len()) > MAX_CELLS {
            return Err(Stop::Unsupported("a multiplication this wide"));
        }
        let mut product = vec![Bit::FALSE; width];
        for (at, &factor) in b.iter().enumerate() {
            budget.check()?;
            let row: Word = a.iter().map(|&bit| self.and(bit, factor)).collect();
            self.add_row(&mut product, &row, at);
        }
        Ok(product)
    }

    /// Adds a row, shifted, to a sum of rows that are shifted less.
    fn add_row(&mut self, sum: &mut [Bit], row: &[Bit], at: usize) {
        let (mut carry, mut column) = (Bit::FALSE, at);
        while column < sum.len() {
            let bit = row.get(column - at).copied();
            if bit.is_none() && carry == Bit::FALSE {
                break;
            }
            let (a, b) = (sum[column], bit.unwrap_or(Bit::FALSE));
            sum[column] = self.xor3(a, b, carry);
            carry = self.maj(a, b, carry);
            column += 1;
        }
    }

    /// By a constant: a row to add or to subtract for each digit of its non-adjacent form, which has the fewest.
    fn mul_constant(&mut self, a: &[Bit], b: &[Bit], width: usize, budget: &Budget) -> Result<Word, Stop> {
        let mut product = vec![Bit::FALSE; width];
        for (at, digit) in non_adjacent_digits(b, width) {
            budget.check()?;
            let row = zext(a, width - at);
            let summed = match digit {
                Digit::Plus => self.add(&product[at..], &row, Bit::FALSE),
                Digit::Minus => self.add(&product[at..], &not(&row), Bit::TRUE),
            };
            product[at..].copy_from_slice(&summed);
        }
        Ok(product)
    }

    /// Whether an unsigned product needs more than the factors' width.
    ///
    /// Both overflow tests are those of "Combined Unsigned and Two's Complement Saturating Multipliers" (Schulte et
    /// al.): positions of the factors' highest bits decide but for one bit, which a product of one more bit shows.
    pub fn umul_overflows(&mut self, a: &[Bit], b: &[Bit], budget: &Budget) -> Result<Bit, Stop> {
        let width = a.len();
        let product = self.mul(a, b, width + 1, budget)?;
        let far = self.any_beyond(&a[1..], &b[1..]);
        Ok(self.or(far, product[width]))
    }

    pub fn smul_overflows(&mut self, a: &[Bit], b: &[Bit], budget: &Budget) -> Result<Bit, Stop> {
        let width = a.len();
        if width == 1 {
            return Ok(self.and(a[0], b[0]));
        }
        let product = self.mul(&sext(a, width + 1), &sext(b, width + 1), width + 1, budget)?;
        let differs = self.xor(product[width], product[width - 1]);
        // Bits that differ from the sign are what makes a number large.
        let [a, b] = [a, b].map(|word| -> Word {
            let sign = word[width - 1];
            word[1..width - 1].iter().map(|&bit| self.xor(bit, sign)).collect()
        });
        let far = self.any_beyond(&a, &b);
        Ok(self.or(far, differs))
    }

    /// Whether bits of two words of one width are set whose positions add up to at least the highest position.
    fn any_beyond(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let (mut any, mut high_of_b) = (Bit::FALSE, Bit::FALSE);
        for (&a, &b) in a.iter().zip(b.iter().rev()) {
            high_of_b = self.or(high_of_b, b);
            let pair = self.and(a, high_of_b);
            any = self.or(any, pair);
        }
        any
    }
}

/// The factors in the order that makes fewer rows of adders: a row for each bit of the second one. Otherwise in an
/// order of their own, so that a product is the same whichever factor comes first.
fn by_rows<'a>(a: &'a [Bit], b: &'a [Bit]) -> (&'a [Bit], &'a [Bit]) {
    let n_rows = |word: &[Bit]| word.iter().filter(|bit| bit.as_constant().is_none()).count();
    let key = |word: &'a [Bit]| (n_rows(word), word.len(), word);
    if key(b) <= key(a) { (a, b) } else { (b, a) }
}

enum Digit {
    Plus,
    Minus,
}

/// Digits -1, 0 and 1, no two neighbours of which differ from 0, that a constant is made of; low ones first, modulo the
/// width.
fn non_adjacent_digits(constant: &[Bit], width: usize) -> Vec<(usize, Digit)> {
    let bit = |at: usize| constant.get(at) == Some(&Bit::TRUE);
    let mut digits = Vec::new();
    let mut carry = false;
    for at in 0..width {
        match (bit(at), carry) {
            (false, false) => {}
            (true, true) => {}
            _ if bit(at + 1) => {
                digits.push((at, Digit::Minus));
                carry = true;
            }
            _ => {
                digits.push((at, Digit::Plus));
                carry = false;
            }
        }
    }
    digits
}
