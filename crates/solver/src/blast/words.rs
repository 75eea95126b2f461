//! Words of bits: addition, comparison, shifts and choice. The low bit comes first.

use super::gates::{Bit, Gates};

pub(crate) type Word = Vec<Bit>;

/// What a right shift moves in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Left,
    /// With the bit that comes in from above.
    Right(Bit),
}

impl Gates {
    /// `a + b + carry`.
    pub fn add(&mut self, a: &[Bit], b: &[Bit], carry: Bit) -> Word {
        self.add_with_carry(a, b, carry).0
    }

    /// `a + b + carry`, and what is carried out of it.
    pub fn add_with_carry(&mut self, a: &[Bit], b: &[Bit], mut carry: Bit) -> (Word, Bit) {
        debug_assert_eq!(a.len(), b.len());
        let mut sum = Word::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            sum.push(self.xor3(a, b, carry));
            carry = self.maj(a, b, carry);
        }
        (sum, carry)
    }

    pub fn sub(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let not_b = not(b);
        self.add(a, &not_b, Bit::TRUE)
    }

    pub fn neg(&mut self, a: &[Bit]) -> Word {
        let zeros = vec![Bit::FALSE; a.len()];
        self.sub(&zeros, a)
    }

    /// `-a` if the condition holds, `a` otherwise.
    pub fn neg_if(&mut self, cond: Bit, a: &[Bit]) -> Word {
        let flipped: Word = a.iter().map(|&bit| self.xor(cond, bit)).collect();
        let zeros = vec![Bit::FALSE; a.len()];
        self.add(&flipped, &zeros, cond)
    }

    pub fn eq(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        debug_assert_eq!(a.len(), b.len());
        let mut all = Bit::TRUE;
        for (&a, &b) in a.iter().zip(b) {
            let same = self.xnor(a, b);
            all = self.and(all, same);
        }
        all
    }

    pub fn eq_constant(&mut self, a: &[Bit], value: u64) -> Bit {
        self.and_all(a.iter().enumerate().map(|(at, &bit)| bit.flipped_if(value >> at & 1 == 0)))
    }

    /// Whether `a < b`, or `a <= b` if `or_equal` is true: the carry of `~a + b + or_equal`.
    pub fn less(&mut self, a: &[Bit], b: &[Bit], or_equal: Bit) -> Bit {
        debug_assert_eq!(a.len(), b.len());
        a.iter().zip(b).fold(or_equal, |less, (&a, &b)| self.maj(!a, b, less))
    }

    /// As [`Self::less`], of signed numbers.
    pub fn signed_less(&mut self, a: &[Bit], b: &[Bit], or_equal: Bit) -> Bit {
        let (Some((&a_sign, a_rest)), Some((&b_sign, b_rest))) = (a.split_last(), b.split_last()) else {
            return or_equal;
        };
        let less = self.less(a_rest, b_rest, or_equal);
        self.maj(a_sign, !b_sign, less)
    }

    pub fn zip(&mut self, a: &[Bit], b: &[Bit], mut op: impl FnMut(&mut Self, Bit, Bit) -> Bit) -> Word {
        a.iter().zip(b).map(|(&a, &b)| op(self, a, b)).collect()
    }

    pub fn mux_words(&mut self, cond: Bit, then: &[Bit], other: &[Bit]) -> Word {
        self.zip(then, other, |gates, then, other| gates.mux(cond, then, other))
    }

    /// Shifts by each power of two that the amount may contain; an amount of at least the width leaves nothing.
    pub fn shift(&mut self, direction: Direction, a: &[Bit], amount: &[Bit]) -> Word {
        let width = a.len();
        let incoming = match direction {
            Direction::Left => Bit::FALSE,
            Direction::Right(incoming) => incoming,
        };
        let n_stages = width.next_power_of_two().trailing_zeros() as usize;
        let mut shifted = a.to_vec();
        for (stage, &bit) in amount.iter().enumerate().take(n_stages) {
            let distance = 1 << stage;
            let source = |at: usize| match direction {
                Direction::Left => at.checked_sub(distance),
                Direction::Right(_) => Some(at + distance).filter(|&from| from < width),
            };
            shifted = (0..width)
                .map(|at| {
                    let moved = source(at).map_or(incoming, |from| shifted[from]);
                    self.mux(bit, moved, shifted[at])
                })
                .collect();
        }
        let is_beyond = self.or_all(amount[n_stages.min(amount.len())..].iter().copied());
        shifted.iter().map(|&bit| self.mux(is_beyond, incoming, bit)).collect()
    }

    /// The element at a position. The elements, each as long as the last one, come one after the other; beyond them is
    /// `beyond`.
    pub fn choose(&mut self, position: &[Bit], mut elements: Word, beyond: &[Bit]) -> Word {
        let width = beyond.len();
        let mut rest = position.iter();
        // Each bit of the position halves what is left, low bits first.
        while elements.len() > width {
            let Some(&bit) = rest.next() else { break };
            let n_left = elements.len().div_ceil(2 * width);
            for at in 0..n_left * width {
                let even = at / width * 2 * width + at % width;
                let odd = elements.get(even + width).copied().unwrap_or(beyond[at % width]);
                elements[at] = self.mux(bit, odd, elements[even]);
            }
            elements.truncate(n_left * width);
        }
        if elements.is_empty() {
            return beyond.to_vec();
        }
        elements.truncate(width);
        let is_beyond = self.or_all(rest.copied());
        self.mux_words(is_beyond, beyond, &elements)
    }

    /// Whether `a + b` overflows, as signed numbers; with `b` negated and a carry, whether `a - b` does.
    pub fn signed_add_overflows(&mut self, a: &[Bit], b: &[Bit], carry: Bit) -> Bit {
        let (Some((&a_sign, a_rest)), Some((&b_sign, b_rest))) = (a.split_last(), b.split_last()) else {
            return Bit::FALSE;
        };
        // The carries into and out of the sign differ.
        let (_, carry_in) = self.add_with_carry(a_rest, b_rest, carry);
        let carry_out = self.maj(a_sign, b_sign, carry_in);
        self.xor(carry_in, carry_out)
    }
}

pub(crate) fn not(a: &[Bit]) -> Word {
    a.iter().map(|&bit| !bit).collect()
}

/// The low bits, or zeros above.
pub(crate) fn zext(a: &[Bit], width: usize) -> Word {
    a.iter().copied().chain(std::iter::repeat(Bit::FALSE)).take(width).collect()
}

pub(crate) fn sext(a: &[Bit], width: usize) -> Word {
    let sign = a.last().copied().unwrap_or(Bit::FALSE);
    a.iter().copied().chain(std::iter::repeat(sign)).take(width).collect()
}

pub(crate) fn constant(width: usize, value: u64) -> Word {
    (0..width).map(|at| Bit::constant(at < 64 && value >> at & 1 != 0)).collect()
}

/// How many low bits are left when zeros above are dropped.
pub(crate) fn significant(a: &[Bit]) -> usize {
    a.iter().rposition(|&bit| bit != Bit::FALSE).map_or(0, |last| last + 1)
}
