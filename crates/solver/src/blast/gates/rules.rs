//! Making gates: constants fold, operands are put in one order, and what two levels of gates show is used.
//!
//! The rules for AND look one level below its operands, after "Local Two-Level And-Inverter Graph Minimization without
//! Blowup" (Brummayer and Biere, 2006), without those that only move gates about.

use super::{Bit, Gate, Gates};

impl Gates {
    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Bit::FALSE || a == !b {
            return Bit::FALSE;
        }
        if a == Bit::TRUE || a == b {
            return b;
        }
        match self.and_by_operands(a, b).or_else(|| self.and_by_operands(b, a)) {
            Some(simpler) => simpler,
            None => self.intern(Gate::And(a, b)),
        }
    }

    fn and_operands(&self, bit: Bit) -> Option<(Bit, Bit)> {
        match self.gate(bit.gate()) {
            Gate::And(p, q) => Some((p, q)),
            _ => None,
        }
    }

    /// What the operands of `a`, if it is an AND, tell about its conjunction with `b`.
    fn and_by_operands(&mut self, a: Bit, b: Bit) -> Option<Bit> {
        let (p, q) = self.and_operands(a)?;
        if !a.is_negated() {
            if b == p || b == q {
                return Some(a);
            }
            if b == !p || b == !q {
                return Some(Bit::FALSE);
            }
            let (r, s) = self.and_operands(b)?;
            let is_opposed = |x: Bit| p == !x || q == !x;
            if !b.is_negated() {
                return (is_opposed(r) || is_opposed(s)).then_some(Bit::FALSE);
            }
            if is_opposed(r) || is_opposed(s) {
                return Some(a);
            }
            return match () {
                () if r == p || r == q => Some(self.and(a, !s)),
                () if s == p || s == q => Some(self.and(a, !r)),
                () => None,
            };
        }
        if b == !p || b == !q {
            return Some(b);
        }
        if b == p {
            return Some(self.and(b, !q));
        }
        if b == q {
            return Some(self.and(b, !p));
        }
        // ~(p & q) & ~(p & ~q) is ~p.
        let (r, s) = self.and_operands(b).filter(|_| b.is_negated())?;
        match () {
            () if p == r && q == !s || p == s && q == !r => Some(!p),
            () if q == r && p == !s || q == s && p == !r => Some(!q),
            () => None,
        }
    }

    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let flip = a.is_negated() != b.is_negated();
        let (a, b) = sorted(a.positive(), b.positive());
        if a == b {
            return Bit::constant(flip);
        }
        if a == Bit::FALSE {
            return b.flipped_if(flip);
        }
        // a ^ (a ^ c) is c: what subtracting and adding the same leaves behind.
        for (x, y) in [(a, b), (b, a)] {
            if let Gate::Xor(p, q) = self.gate(y.gate()) {
                if p == x {
                    return q.flipped_if(flip);
                }
                if q == x {
                    return p.flipped_if(flip);
                }
            }
        }
        self.intern(Gate::Xor(a, b)).flipped_if(flip)
    }

    pub fn xnor(&mut self, a: Bit, b: Bit) -> Bit {
        !self.xor(a, b)
    }

    pub fn mux(&mut self, cond: Bit, then: Bit, other: Bit) -> Bit {
        if cond.is_negated() {
            return self.mux(!cond, other, then);
        }
        if cond == Bit::FALSE {
            return other;
        }
        if then == other {
            return then;
        }
        if then == !other {
            return self.xor(cond, other);
        }
        if then == Bit::TRUE || then == cond {
            return self.or(cond, other);
        }
        if then == Bit::FALSE || then == !cond {
            return self.and(!cond, other);
        }
        if other == Bit::FALSE || other == cond {
            return self.and(cond, then);
        }
        if other == Bit::TRUE || other == !cond {
            return self.or(!cond, then);
        }
        let flip = then.is_negated();
        self.intern(Gate::Mux(cond, then.flipped_if(flip), other.flipped_if(flip))).flipped_if(flip)
    }

    /// The sum bit of a full adder.
    pub fn xor3(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let flip = a.is_negated() ^ b.is_negated() ^ c.is_negated();
        let [a, b, c] = sorted3([a, b, c].map(Bit::positive));
        if a == Bit::FALSE {
            return self.xor(b, c).flipped_if(flip);
        }
        if a == b {
            return c.flipped_if(flip);
        }
        if b == c {
            return a.flipped_if(flip);
        }
        self.intern(Gate::Xor3(a, b, c)).flipped_if(flip)
    }

    /// The carry of a full adder.
    pub fn maj(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let [a, b, c] = sorted3([a, b, c]);
        if a == Bit::FALSE {
            return self.and(b, c);
        }
        if a == Bit::TRUE {
            return self.or(b, c);
        }
        // Sorting puts a gate and its negation side by side.
        for (x, y, z) in [(a, b, c), (b, c, a)] {
            if x == y {
                return x;
            }
            if x == !y {
                return z;
            }
        }
        // Negating all operands negates the majority.
        let flip = a.is_negated();
        let [a, b, c] = [a, b, c].map(|bit| bit.flipped_if(flip));
        self.intern(Gate::Maj(a, b, c)).flipped_if(flip)
    }

    /// Whether all are set.
    pub fn and_all(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        bits.into_iter().fold(Bit::TRUE, |all, bit| self.and(all, bit))
    }

    /// Whether any is set.
    pub fn or_all(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        !self.and_all(bits.into_iter().map(|bit| !bit))
    }
}

fn sorted(a: Bit, b: Bit) -> (Bit, Bit) {
    if a <= b { (a, b) } else { (b, a) }
}

fn sorted3([a, b, c]: [Bit; 3]) -> [Bit; 3] {
    let (a, b) = sorted(a, b);
    let (b, c) = sorted(b, c);
    let (a, b) = sorted(a, b);
    [a, b, c]
}
