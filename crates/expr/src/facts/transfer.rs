//! From the facts of operands to the facts of a node.

use spelunk_bv::int;

use super::{Facts, FactsId};
use crate::node::{ExprId, Node};
use crate::op::Op;
use crate::pool::ExprPool;

impl ExprPool {
    /// The facts of a node that is about to be added.
    pub(crate) fn facts_of_new(&mut self, node: Node) -> FactsId {
        if node.width() > 64 || node.op().is_array() || !self.can_have_facts(node) {
            return FactsId::NOTHING;
        }
        match self.derive(node) {
            Some(facts) => self.facts.intern(facts.refined()),
            None => FactsId::NOTHING,
        }
    }

    /// A quick test that spares most nodes the work: operations that know nothing unless an operand does.
    #[inline]
    fn can_have_facts(&self, node: Node) -> bool {
        let knows = |id: ExprId| self.facts_of[id.index()] != FactsId::NOTHING || self.op(id) == Op::Const;
        match node.op() {
            Op::ZExt | Op::SExt | Op::Select => true,
            op if op.arity() == 0 => false,
            _ => node.args().any(knows),
        }
    }

    fn derive(&self, node: Node) -> Option<Facts> {
        if node.op() == Op::Select {
            return self.facts_of_select(node, &self.facts(node.arg(1))?);
        }
        if !has_transfer(node.op()) {
            return None;
        }
        let mut args = [Facts::unknown(1); 3];
        for (slot, arg) in args.iter_mut().zip(node.args()) {
            *slot = self.facts(arg)?;
        }
        if node.op() == Op::Ite {
            for (at, holds) in [(1, true), (2, false)] {
                args[at] = self.guarded_difference(node.arg(0), holds, node.arg(at)).unwrap_or(args[at]);
            }
        }
        transfer(node.op(), node, &args)
    }

    /// Facts of `b - a` where a condition says that `a` is not above `b`: it does not wrap.
    fn guarded_difference(&self, cond: ExprId, holds: bool, arm: ExprId) -> Option<Facts> {
        let difference = self.node(arm);
        if difference.op() != Op::Sub {
            return None;
        }
        let (low, high, is_strict) = self.order(cond, holds)?;
        let (by, from) = (self.without_constant(low), self.without_constant(high));
        let (less, all) = (self.without_constant(difference.arg(1)), self.without_constant(difference.arg(0)));
        let (low, high, known) = (self.facts(low)?, self.facts(high)?, self.facts(arm)?);
        let wraps = |(expr, constant): (Option<ExprId>, u64)| expr.is_some() && constant != 0;
        let is_narrow = low.width < difference.width();
        if (by.0, from.0) != (less.0, all.0) || is_narrow && (wraps(by) || wraps(from)) {
            return None;
        }
        // Constants may have been taken from both sides of one of them.
        let more = all.1.wrapping_sub(less.1).wrapping_sub(from.1.wrapping_sub(by.1));
        let more = int::sext(known.width, int::trunc(known.width, more));
        let least = high.umin.saturating_sub(low.umax).max(u64::from(is_strict));
        let (least, most) =
            (least.checked_add_signed(more)?, (high.umax.checked_sub(low.umin)?).checked_add_signed(more)?);
        let (umin, umax) = (known.umin.max(least), known.umax.min(most));
        (most <= int::mask(known.width) && umin <= umax).then(|| Facts { umin, umax, ..known }.refined())
    }

    /// Which of two expressions is not above the other if a condition holds or does not, and whether it is below.
    fn order(&self, cond: ExprId, holds: bool) -> Option<(ExprId, ExprId, bool)> {
        let node = self.node(cond);
        match (node.op(), holds) {
            (Op::Ult, true) | (Op::Ule, true) => Some((node.arg(0), node.arg(1), node.op() == Op::Ult)),
            (Op::Ult, false) | (Op::Ule, false) => Some((node.arg(1), node.arg(0), node.op() == Op::Ule)),
            (Op::Not, _) => self.order(node.arg(0), !holds),
            // All that is possible is below what is most.
            (Op::Eq, false) => {
                let is_most = |&(expr, most): &(ExprId, ExprId)| {
                    self.as_const(most).is_some() && self.facts(expr).map(|facts| facts.umax) == self.as_const(most)
                };
                let sides = [(node.arg(0), node.arg(1)), (node.arg(1), node.arg(0))];
                sides.into_iter().find(is_most).map(|(expr, most)| (expr, most, true))
            }
            _ => None,
        }
    }

    /// An expression as another, which may have been extended by zeros, if it is no constant, and a constant that is added.
    fn without_constant(&self, expr: ExprId) -> (Option<ExprId>, u64) {
        if let Some(value) = self.as_const(expr) {
            return (None, value);
        }
        let narrow = |expr: ExprId| if self.op(expr) == Op::ZExt { self.node(expr).arg(0) } else { expr };
        let node = self.node(expr);
        match (node.op() == Op::Add).then(|| self.as_const(node.arg(1))).flatten() {
            Some(value) => (Some(narrow(node.arg(0))), value),
            None => (Some(narrow(expr)), 0),
        }
    }

    /// What the elements of a table that can be read have in common, if there are not too many to look at.
    pub fn facts_of_select(&self, select: Node, index: &Facts) -> Option<Facts> {
        const MAX_ELEMENTS: u64 = 256;
        let table = select.arg(0);
        if self.op(table) != Op::Table || index.umax - index.umin >= MAX_ELEMENTS {
            return None;
        }
        (index.umin..=index.umax)
            .map(|at| Facts::constant(select.width(), self.table_element(table, at)))
            .reduce(|all, one| all.join(&one))
    }
}

impl Facts {
    /// What is known about the value of a bit-vector operation, given what is known about its operands. All have at most
    /// 64 bits. The operation is the node's, or another one between values of the same widths.
    pub fn of_operation(op: Op, node: Node, args: &[Facts; 3]) -> Facts {
        match transfer(op, node, args) {
            Some(facts) => facts.refined(),
            None => Facts::unknown(node.width()),
        }
    }

    pub fn negated(&self) -> Facts {
        sub(&Facts::constant(self.width, 0), self).refined()
    }
}

fn has_transfer(op: Op) -> bool {
    matches!(op, Op::Not | Op::Neg | Op::Extract | Op::ZExt | Op::SExt | Op::Ite | Op::Concat) || op.binop().is_some()
}

fn transfer(op: Op, node: Node, [a, b, c]: &[Facts; 3]) -> Option<Facts> {
    let w = node.width();
    Some(match op {
        Op::Not => not(a),
        Op::Neg => a.negated(),
        Op::Extract => extract(w, node.extract_low(), a),
        Op::ZExt => zext(w, a),
        Op::SExt => sext(w, a),
        Op::Ite => b.join(c),
        Op::Concat => concat(a, b),
        Op::Add => add(a, b),
        Op::Sub => sub(a, b),
        Op::Mul => mul(a, b),
        Op::UDiv => udiv(a, b),
        Op::SDiv => return sdiv(a, b),
        Op::URem => urem(a, b),
        Op::SRem => srem(a, b),
        Op::Shl => shl(a, b),
        Op::LShr => lshr(a, b),
        Op::AShr => ashr(a, b),
        Op::And => {
            let bits = Facts::from_bits(w, a.zeros | b.zeros, a.ones & b.ones);
            Facts { umax: bits.umax.min(a.umax).min(b.umax), ..bits }
        }
        Op::Or => {
            let bits = Facts::from_bits(w, a.zeros & b.zeros, a.ones | b.ones);
            Facts { umin: bits.umin.max(a.umin).max(b.umin), ..bits }
        }
        Op::Xor => Facts::from_bits(w, a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros),
        _ => return None,
    })
}

fn zext(w: u32, a: &Facts) -> Facts {
    let high = int::mask(w) ^ int::mask(a.width);
    Facts { zeros: a.zeros | high, ones: a.ones, umin: a.umin, umax: a.umax, ..Facts::unknown(w) }
}

fn sext(w: u32, a: &Facts) -> Facts {
    let extend = |bits| int::sext_to(a.width, w, bits);
    Facts { zeros: extend(a.zeros), ones: extend(a.ones), smin: a.smin, smax: a.smax, ..Facts::unknown(w) }
}

fn not(a: &Facts) -> Facts {
    let flip = |value| int::mask(a.width) ^ value;
    Facts {
        width: a.width,
        zeros: a.ones,
        ones: a.zeros,
        umin: flip(a.umax),
        umax: flip(a.umin),
        smin: !a.smax,
        smax: !a.smin,
    }
}

/// The bits of a sum with a known carry in: a bit is known where both operands and the carry are, and the carries are
/// those that the least and the greatest operands have in common.
fn sum_bits(w: u32, a: (u64, u64), b: (u64, u64), carry: u64) -> Facts {
    let mask = int::mask(w);
    let ((a_zeros, a_ones), (b_zeros, b_ones)) = (a, b);
    let least = a_ones.wrapping_add(b_ones).wrapping_add(carry);
    let greatest = (mask & !a_zeros).wrapping_add(mask & !b_zeros).wrapping_add(carry);
    let carries_zero = !(greatest ^ a_zeros ^ b_zeros);
    let carries_one = least ^ a_ones ^ b_ones;
    let known = (a_zeros | a_ones) & (b_zeros | b_ones) & (carries_zero | carries_one) & mask;
    Facts::from_bits(w, known & !greatest, known & least)
}

/// Narrows a range by exact bounds, if all that lies between them wraps around equally often.
fn within(bits: Facts, unsigned: (i128, i128), signed: (i128, i128)) -> Facts {
    let w = bits.width;
    let mut facts = bits;
    if unsigned.0 >> w == unsigned.1 >> w {
        facts.umin = facts.umin.max(int::trunc(w, unsigned.0 as u64));
        facts.umax = facts.umax.min(int::trunc(w, unsigned.1 as u64));
    }
    let n_wraps = |bound: i128| bound.saturating_add(1 << (w - 1)) >> w;
    if n_wraps(signed.0) == n_wraps(signed.1) {
        facts.smin = facts.smin.max(int::sext(w, int::trunc(w, signed.0 as u64)));
        facts.smax = facts.smax.min(int::sext(w, int::trunc(w, signed.1 as u64)));
    }
    facts
}

fn add(a: &Facts, b: &Facts) -> Facts {
    within(
        sum_bits(a.width, (a.zeros, a.ones), (b.zeros, b.ones), 0),
        (a.umin as i128 + b.umin as i128, a.umax as i128 + b.umax as i128),
        (a.smin as i128 + b.smin as i128, a.smax as i128 + b.smax as i128),
    )
}

fn sub(a: &Facts, b: &Facts) -> Facts {
    within(
        sum_bits(a.width, (a.zeros, a.ones), (b.ones, b.zeros), 1),
        (a.umin as i128 - b.umax as i128, a.umax as i128 - b.umin as i128),
        (a.smin as i128 - b.smax as i128, a.smax as i128 - b.smin as i128),
    )
}

/// How many low bits are certainly zero.
fn trailing_zeros(a: &Facts) -> u32 {
    a.zeros.trailing_ones().min(a.width)
}

fn low_zeros(w: u32, count: u32) -> Facts {
    let zeros = if count >= w { int::mask(w) } else { (1 << count) - 1 };
    Facts::from_bits(w, zeros, 0)
}

fn mul(a: &Facts, b: &Facts) -> Facts {
    let corners = [(a.smin, b.smin), (a.smin, b.smax), (a.smax, b.smin), (a.smax, b.smax)];
    let products = corners.map(|(x, y)| x as i128 * y as i128);
    let least = products.into_iter().fold(i128::MAX, i128::min);
    let greatest = products.into_iter().fold(i128::MIN, i128::max);
    // A product of two 64-bit numbers may exceed even `i128`; then the bounds say nothing.
    let [umin, umax] = [(a.umin, b.umin), (a.umax, b.umax)].map(|(x, y)| i128::try_from(x as u128 * y as u128));
    let unsigned = umin.and_then(|umin| Ok((umin, umax?))).unwrap_or((0, i128::MAX));
    within(product_bits(a, b), unsigned, (least, greatest))
}

/// The low bits of a product, as far as those of both operands are known: zeros at the end of one shift what is known of the other.
fn product_bits(a: &Facts, b: &Facts) -> Facts {
    let w = a.width;
    let known = |of: &Facts| (of.zeros | of.ones).trailing_ones().min(w);
    let n_known = (known(a) + trailing_zeros(b)).min(known(b) + trailing_zeros(a)).min(w);
    if n_known == 0 {
        return Facts::unknown(w);
    }
    let low = int::mask(n_known) & a.ones.wrapping_mul(b.ones);
    Facts::from_bits(w, int::mask(n_known) & !low, low)
}

fn udiv(a: &Facts, b: &Facts) -> Facts {
    let unknown = Facts::unknown(a.width);
    if b.umin == 0 {
        return unknown;
    }
    Facts { umin: a.umin / b.umax, umax: a.umax / b.umin, ..unknown }
}

/// Truncation towards zero, where both signs are known.
fn sdiv(a: &Facts, b: &Facts) -> Option<Facts> {
    if a.is_non_negative() && b.is_non_negative() {
        return Some(udiv(a, b));
    }
    if !a.is_negative() || b.smin <= 0 {
        return None;
    }
    Some(udiv(&a.negated(), b).refined().negated())
}

/// A constant divisor leaves what lies between two multiples of it in order, and the bits below its own lowest.
fn urem(a: &Facts, b: &Facts) -> Facts {
    let Some(divisor @ 1..) = b.as_constant() else {
        let umax = if b.umin == 0 { a.umax } else { a.umax.min(b.umax - 1) };
        return Facts { umax, ..Facts::unknown(a.width) };
    };
    let kept = (1 << divisor.trailing_zeros()) - 1;
    let bits = Facts::from_bits(a.width, a.zeros & kept, a.ones & kept);
    let (umin, umax) = match a.umin / divisor == a.umax / divisor {
        true => (a.umin % divisor, a.umax % divisor),
        false => (0, divisor - 1),
    };
    Facts { umin: bits.umin.max(umin), umax: bits.umax.min(umax), ..bits }
}

/// The sign is the dividend's, the magnitude below the divisor's unless that is zero.
fn srem(a: &Facts, b: &Facts) -> Facts {
    let mut facts = Facts { smin: a.smin.min(0), smax: a.smax.max(0), ..Facts::unknown(a.width) };
    if b.smin > 0 || b.smax < 0 {
        let greatest = b.smin.unsigned_abs().max(b.smax.unsigned_abs()) - 1;
        facts.smin = facts.smin.max(0i64.saturating_sub_unsigned(greatest));
        facts.smax = facts.smax.min(0i64.saturating_add_unsigned(greatest));
    }
    facts
}

fn shl(a: &Facts, b: &Facts) -> Facts {
    let least = b.umin.min(a.width as u64) as u32;
    match b.as_constant() {
        Some(_) if least < a.width => {
            let low = (1 << least) - 1;
            within(
                Facts::from_bits(a.width, a.zeros << least | low, a.ones << least),
                ((a.umin as i128) << least, (a.umax as i128) << least),
                ((a.smin as i128) << least, (a.smax as i128) << least),
            )
        }
        _ => low_zeros(a.width, trailing_zeros(a).saturating_add(least)),
    }
}

/// A shift amount that native shifts accept, for amounts that shift everything out as well.
fn clamp_amount(w: u32, amount: u64) -> u32 {
    amount.min(w as u64 - 1) as u32
}

fn lshr(a: &Facts, b: &Facts) -> Facts {
    let w = a.width;
    let shift = |value: u64, amount: u64| int::lshr(w, value, amount);
    let mut facts = Facts::unknown(w);
    if let Some(amount) = b.as_constant() {
        let emptied = int::mask(w) ^ shift(int::mask(w), amount);
        facts = Facts::from_bits(w, shift(a.zeros, amount) | emptied, shift(a.ones, amount));
    }
    facts.umin = facts.umin.max(shift(a.umin, b.umax));
    facts.umax = facts.umax.min(shift(a.umax, b.umin));
    facts
}

fn ashr(a: &Facts, b: &Facts) -> Facts {
    let w = a.width;
    let (least, greatest) = (clamp_amount(w, b.umin), clamp_amount(w, b.umax));
    let mut facts = Facts::unknown(w);
    if least == greatest {
        let shift = |bits| int::ashr(w, bits, least as u64);
        facts = Facts::from_bits(w, shift(a.zeros), shift(a.ones));
    }
    let smin = if a.smin < 0 { a.smin >> least } else { a.smin >> greatest };
    let smax = if a.smax < 0 { a.smax >> greatest } else { a.smax >> least };
    Facts { smin: facts.smin.max(smin), smax: facts.smax.min(smax), ..facts }
}

fn concat(a: &Facts, b: &Facts) -> Facts {
    let join = |high: u64, low: u64| high << b.width | low;
    Facts {
        zeros: join(a.zeros, b.zeros),
        ones: join(a.ones, b.ones),
        umin: join(a.umin, b.umin),
        umax: join(a.umax, b.umax),
        ..Facts::unknown(a.width + b.width)
    }
}

fn extract(w: u32, low: u32, a: &Facts) -> Facts {
    let bits = Facts::from_bits(w, a.zeros >> low, a.ones >> low);
    // What is above the extracted bits must not vary, or ranges say nothing.
    within(bits, ((a.umin >> low) as i128, (a.umax >> low) as i128), (a.smin as i128 >> low, a.smax as i128 >> low))
}
