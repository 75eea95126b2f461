//! What a wish for a value of an expression means for its operands.
//!
//! Where there are several ways, a number says which to take, or they are drawn by lot.
//!
//! Steps to add an operation: an arm in `step`, which says what its operands should be, one of them or each; `false` if
//! no value of the operands will do, or none is known.

use smallvec::SmallVec;
use spelunk_bv::int;
use spelunk_expr::eval::Evaluation;
use spelunk_expr::{ExprId, ExprPool, Model, Node, Op, Overlay, VarId};

/// The way down from one wish. To be kept and used again.
#[derive(Default)]
pub struct Undo {
    /// Expressions that should have these values.
    wishes: Vec<(ExprId, u64)>,
    found: SmallVec<[(VarId, u64); 8]>,
    choices: Choices,
    /// How many operations may still be undone.
    n_steps_left: u32,
}

/// Which way to take where there are several.
enum Choices {
    /// The digits of this number, each to the base of what there is to choose from.
    Digits(u32),
    /// The state of a generator of random numbers.
    Random(u64),
}

impl Default for Choices {
    fn default() -> Self {
        Choices::Digits(0)
    }
}

const MAX_STEPS: u32 = 200;

/// Where the index is looked for that has the wanted element.
const MAX_ELEMENTS: u64 = 4096;

type Values<'e, 'm> = Evaluation<'e, Overlay<'m>>;

impl Undo {
    /// Begins a guess that differs from those with other numbers as long as there are other ways.
    pub fn start(&mut self, guess: u32) {
        self.choices = Choices::Digits(guess);
        self.n_steps_left = MAX_STEPS;
    }

    /// Begins a way that is drawn by lot. The seed is not zero.
    pub fn start_random(&mut self, seed: u64) {
        self.choices = Choices::Random(seed);
        self.n_steps_left = MAX_STEPS;
    }

    /// Whether an earlier guess took all the same ways.
    pub fn was_tried_before(&self) -> bool {
        matches!(self.choices, Choices::Digits(1..))
    }

    /// The variables that should change, and to what.
    pub fn found(&self) -> &[(VarId, u64)] {
        &self.found
    }

    /// Finds values that make a condition true while those that are `fixed` stay as they are. Returns whether it could.
    pub fn wish(&mut self, pool: &ExprPool, values: &mut Values<'_, '_>, fixed: &Model, condition: ExprId) -> bool {
        self.found.clear();
        self.wishes.clear();
        self.wishes.push((condition, 1));
        while let Some((expr, value)) = self.wishes.pop() {
            if self.n_steps_left == 0 || pool.width(expr) > 64 {
                return false;
            }
            self.n_steps_left -= 1;
            // What is as wished already is left alone. If it does not stay so, that is noticed in the end.
            let is_fulfilled = values.eval_u64(expr) == value;
            if !is_fulfilled && !self.step(&mut Wished { pool, values, fixed, node: pool.node(expr) }, value) {
                return false;
            }
        }
        true
    }

    fn want(&mut self, expr: ExprId, value: u64) -> bool {
        self.wishes.push((expr, value));
        true
    }

    fn choose(&mut self, n_ways: u32) -> u32 {
        match &mut self.choices {
            Choices::Digits(digits) => {
                let choice = *digits % n_ways;
                *digits /= n_ways;
                choice
            }
            Choices::Random(state) => (next_random(state) % n_ways as u64) as u32,
        }
    }

    /// A number of any size by lot; none if there are no lots.
    fn random(&mut self) -> Option<u64> {
        match &mut self.choices {
            Choices::Digits(_) => None,
            Choices::Random(state) => Some(random_of_any_size(state)),
        }
    }

    /// Sometimes what there is to lose: bits that don't matter are other ones, remainders have other quotients.
    fn stray(&mut self) -> Option<u64> {
        const ONE_OF: u32 = 4;
        let number = self.random()?;
        (self.choose(ONE_OF) == 0).then_some(number)
    }

    fn step(&mut self, at: &mut Wished<'_, '_, '_>, value: u64) -> bool {
        let node = at.node;
        let (w, a, b) = (node.width(), node.arg(0), node.arg(1));
        match node.op() {
            Op::Const => node.const_value() == value,
            Op::Var => self.set(at, value),
            Op::Not => self.want(a, int::mask(w) ^ value),
            Op::Neg => self.want(a, int::neg(w, value)),
            Op::And | Op::Or if w == 1 => self.connective(at, value),
            Op::Add | Op::Sub | Op::Xor | Op::Mul | Op::And | Op::Or => self.arithmetic(at, value),
            Op::UDiv | Op::URem => self.division(at, value),
            Op::SDiv | Op::SRem => self.signed_division(at, value),
            Op::Shl | Op::LShr | Op::AShr => self.shift(at, value),
            Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => self.comparison(at, value),
            Op::SAddO | Op::SSubO | Op::UMulO | Op::SMulO => self.overflow(at, value),
            Op::Concat => {
                let low = at.pool.width(b);
                self.want(b, int::trunc(low, value)) && self.want(a, value >> low)
            }
            Op::Extract if at.pool.width(a) <= 64 => {
                let low = node.extract_low();
                let old = at.value(a);
                let free = self.stray().map_or(old, |stray| int::trunc(at.pool.width(a), stray));
                self.want(a, free & !(int::mask(w) << low) | value << low)
            }
            Op::ZExt => value <= int::mask(at.pool.width(a)) && self.want(a, value),
            Op::SExt => {
                let cut = int::trunc(at.pool.width(a), value);
                int::sext_to(at.pool.width(a), w, cut) == value && self.want(a, cut)
            }
            Op::Ite => self.ite(at, value),
            Op::Select => self.select(at, value),
            _ => false,
        }
    }

    fn set(&mut self, at: &Wished<'_, '_, '_>, value: u64) -> bool {
        let var = at.node.var();
        if let Some(old) = at.fixed.get_u64(var) {
            return old == value;
        }
        match self.found.iter().find(|(known, _)| *known == var) {
            Some(&(_, known)) => known == value,
            None => {
                self.found.push((var, value));
                true
            }
        }
    }

    /// One of two operands, of those that can change.
    fn either(&mut self, at: &Wished<'_, '_, '_>) -> (ExprId, ExprId) {
        let (a, b) = (at.node.arg(0), at.node.arg(1));
        match (at.pool.is_const(a), at.pool.is_const(b)) {
            (true, _) => (b, a),
            (_, true) => (a, b),
            _ if self.choose(2) == 0 => (a, b),
            _ => (b, a),
        }
    }

    /// Conditions that both have to be as wished, or one of them.
    fn connective(&mut self, at: &mut Wished<'_, '_, '_>, value: u64) -> bool {
        let (a, b) = (at.node.arg(0), at.node.arg(1));
        if (at.node.op() == Op::And) == (value == 1) {
            return self.want(a, value) && self.want(b, value);
        }
        let (one, _) = self.either(at);
        self.want(one, value)
    }

    /// One operand as the other one demands.
    fn arithmetic(&mut self, at: &mut Wished<'_, '_, '_>, value: u64) -> bool {
        let (one, other) = self.either(at);
        match self.operand(at, one, other, value) {
            Some(wanted) => self.want(one, wanted),
            // The other way round, or from somewhere else, where there is time for it.
            None => match self.random() {
                Some(_) if !at.pool.is_const(other) && self.choose(4) != 0 => {
                    let wanted = self.operand(at, other, one, value);
                    wanted.is_some_and(|wanted| self.want(other, wanted))
                }
                Some(number) => self.want(one, int::trunc(at.node.width(), number)),
                None => false,
            },
        }
    }

    /// What one operand has to be while the other stays as it is.
    fn operand(&mut self, at: &mut Wished<'_, '_, '_>, one: ExprId, other: ExprId, value: u64) -> Option<u64> {
        let w = at.node.width();
        let (old, by) = (at.value(one), at.value(other));
        let free = self.stray().map_or(old, |stray| int::trunc(w, stray));
        let wanted = match at.node.op() {
            Op::Add => value.wrapping_sub(by),
            Op::Sub if one == at.node.arg(0) => value.wrapping_add(by),
            Op::Sub => by.wrapping_sub(value),
            Op::Xor => value ^ by,
            Op::And if value & !by == 0 => free & !by | value,
            Op::Or if by & !value == 0 => free & by | value & !by,
            Op::Mul => {
                let least = quotient(w, value, by)?;
                // The highest bits are lost if the factor is even.
                let n_kept = w - by.trailing_zeros().min(w);
                least | if n_kept == w { 0 } else { free >> n_kept << n_kept }
            }
            _ => return None,
        };
        Some(int::trunc(w, wanted))
    }

    /// The dividend, of which what does not matter stays as it is; or the divisor.
    fn division(&mut self, at: &mut Wished<'_, '_, '_>, value: u64) -> bool {
        let (dividend, divisor) = (at.node.arg(0), at.node.arg(1));
        let (w, op) = (at.node.width(), at.node.op());
        let (a, b) = (at.value(dividend), at.value(divisor));
        let has_way = |of: ExprId| !at.pool.is_const(of);
        let is_first = !has_way(divisor) || has_way(dividend) && self.choose(2) == 0;
        let wanted = match (is_first, op) {
            (true, Op::UDiv) => self.dividend_of_quotient(w, a, b, value),
            (true, _) => self.dividend_of_remainder(w, a, b, value),
            (false, Op::UDiv) => divisor_of_quotient(w, a, value),
            (false, _) => self.divisor_of_remainder(w, a, value),
        };
        let one = if is_first { dividend } else { divisor };
        match wanted {
            Some(wanted) => self.want(one, wanted),
            None => self.random().is_some_and(|number| self.want(one, int::trunc(w, number))),
        }
    }

    fn dividend_of_quotient(&mut self, w: u32, old: u64, by: u64, value: u64) -> Option<u64> {
        let least = value.checked_mul(by).filter(|&least| by != 0 && least <= int::mask(w))?;
        let rest = self.stray().unwrap_or(old) % by;
        Some(least.saturating_add(rest).min(int::mask(w)))
    }

    fn dividend_of_remainder(&mut self, w: u32, old: u64, by: u64, value: u64) -> Option<u64> {
        if by == 0 || value >= by {
            return (by == 0).then_some(value);
        }
        let near = self.stray().map_or(old, |stray| int::trunc(w, stray));
        let wanted = (near - near % by).checked_add(value).filter(|&wanted| wanted <= int::mask(w));
        Some(wanted.unwrap_or(value))
    }

    /// A number that leaves this of the dividend: the difference, or a part of it.
    fn divisor_of_remainder(&mut self, w: u32, dividend: u64, value: u64) -> Option<u64> {
        const MAX_PARTS: u64 = 16;
        if value == dividend {
            let above = self.random().map_or(dividend, |number| int::trunc(w, number).max(dividend));
            return Some(if above < int::mask(w) { above + 1 } else { 0 });
        }
        let difference = dividend.checked_sub(value)?;
        let n_parts = 1 + self.random().unwrap_or(0) % MAX_PARTS;
        let fits = |n: &u64| difference.is_multiple_of(*n) && difference / n > value;
        (1..=n_parts).rev().find(fits).map(|n| difference / n)
    }

    /// As for magnitudes, with the sign that the result has.
    fn signed_division(&mut self, at: &mut Wished<'_, '_, '_>, value: u64) -> bool {
        let (w, dividend) = (at.node.width(), at.node.arg(0));
        let [a, b, wanted] = [at.value(dividend), at.value(at.node.arg(1)), value].map(|value| int::sext(w, value));
        if b == 0 || w == 1 || at.pool.is_const(dividend) {
            return false;
        }
        let [size, by, result] = [a, b, wanted].map(i64::unsigned_abs);
        let is_rest = at.node.op() == Op::SRem;
        let size = match is_rest {
            true => self.dividend_of_remainder(w - 1, size.min(int::mask(w - 1)), by, result),
            false => self.dividend_of_quotient(w - 1, size.min(int::mask(w - 1)), by, result),
        };
        let is_negative = match (wanted == 0, is_rest) {
            (true, _) => a < 0,
            (_, true) => wanted < 0,
            (_, false) => (wanted < 0) != (b < 0),
        };
        size.is_some_and(|size| self.want(dividend, if is_negative { int::neg(w, size) } else { size }))
    }

    /// The first operand; what is shifted out stays as it is.
    fn shift(&mut self, at: &mut Wished<'_, '_, '_>, value: u64) -> bool {
        let (w, a) = (at.node.width(), at.node.arg(0));
        let (old, by) = (at.value(a), at.value(at.node.arg(1)));
        if by >= w as u64 {
            return false;
        }
        let free = self.stray().map_or(old, |stray| int::trunc(w, stray));
        let wanted = match at.node.op() {
            Op::Shl => value >> by | free & !(int::mask(w) >> by),
            _ => value << by | free & ((1 << by) - 1),
        };
        self.want(a, int::trunc(w, wanted))
    }

    fn comparison(&mut self, at: &mut Wished<'_, '_, '_>, value: u64) -> bool {
        let (op, a, b) = (at.node.op(), at.node.arg(0), at.node.arg(1));
        let w = at.pool.width(a);
        if w > 64 {
            return false;
        }
        if op == Op::Eq {
            let (one, other) = self.either(at);
            let goal = at.value(other);
            let goal = match value {
                1 => goal,
                _ => self.stray().unwrap_or([goal.wrapping_add(1), !goal][self.choose(2) as usize]),
            };
            return self.want(one, int::trunc(w, goal));
        }
        // Signed numbers are in the order of unsigned ones, once the smallest is zero.
        let bias = if matches!(op, Op::Ult | Op::Ule) { 0 } else { int::sign_bit(w) };
        let (left, right) = (at.value(a) ^ bias, at.value(b) ^ bias);
        // `not a < b` is `b <= a`.
        let (low, high, low_value, high_value) = if value == 1 { (a, b, left, right) } else { (b, a, right, left) };
        let gap = (matches!(op, Op::Ult | Op::Slt) == (value == 1)) as u64;
        // Just far enough, on either side, and then as far as possible.
        let ways = [
            (low, high_value.checked_sub(gap)),
            (high, low_value.checked_add(gap).filter(|&value| value <= int::mask(w))),
            (low, Some(0)),
            (high, Some(int::mask(w))),
        ];
        let mut open = ways.into_iter().filter(|(side, _)| !at.pool.is_const(*side));
        let n_open = open.clone().count() as u32;
        if n_open == 0 {
            return false;
        }
        match open.nth(self.choose(n_open) as usize) {
            Some((side, Some(value))) => {
                // Anywhere between as far as necessary and as far as possible.
                let farthest = if side == low { 0 } else { int::mask(w) };
                let value = match self.stray() {
                    Some(stray) if value != farthest => {
                        let by = stray % value.abs_diff(farthest);
                        if side == low { value - by } else { value + by }
                    }
                    _ => value,
                };
                self.want(side, value ^ bias)
            }
            _ => false,
        }
    }

    /// Operands far out, or small ones.
    fn overflow(&mut self, at: &mut Wished<'_, '_, '_>, value: u64) -> bool {
        let (a, b) = (at.node.arg(0), at.node.arg(1));
        let w = at.pool.width(a);
        if w > 64 {
            return false;
        }
        let (all, least) = (int::mask(w), int::sign_bit(w));
        let greatest = all ^ least;
        let (first, second) = match (at.node.op(), value, self.choose(2)) {
            (_, 0, 0) => return self.want(a, 0),
            (_, 0, _) => return self.want(b, 0),
            (Op::UMulO, ..) => (all, int::trunc(w, 2)),
            (Op::SMulO, ..) => (greatest, int::trunc(w, 2)),
            (Op::SAddO, _, 0) => (greatest, 1),
            (Op::SAddO, ..) => (least, all),
            (_, _, 0) => (least, 1),
            _ => (greatest, all),
        };
        let keeps_sign = |old: u64, new: u64| old != 0 && (old ^ new) & least == 0;
        // An operand that has the sign already is large enough.
        let second_stays = at.pool.is_const(b) || keeps_sign(at.value(b), second) && at.node.op() != Op::UMulO;
        self.want(a, first) && (second_stays || self.want(b, second))
    }

    /// Another value of the arm that is taken, or the other arm.
    fn ite(&mut self, at: &mut Wished<'_, '_, '_>, value: u64) -> bool {
        let [cond, then, other] = [at.node.arg(0), at.node.arg(1), at.node.arg(2)];
        let is_then = at.value(cond) == 1;
        let (taken, left) = if is_then { (then, other) } else { (other, then) };
        let left_fits = at.value(left) == value;
        let can_stay = !at.pool.is_const(taken);
        let can_switch = left_fits || !at.pool.is_const(left);
        let stays = match (can_stay, can_switch) {
            // Switching is the simpler way if the other arm is as wished.
            (true, true) => (self.choose(2) == 0) != left_fits,
            (can_stay, _) => can_stay,
        };
        if stays { self.want(taken, value) } else { self.want(left, value) && self.want(cond, !is_then as u64) }
    }

    /// An index of a table that has the wanted element, or another value of the element that a store put there, or
    /// that it would have put there if it were the index that is read.
    fn select(&mut self, at: &mut Wished<'_, '_, '_>, value: u64) -> bool {
        const MAX_STORES: usize = 4;
        let index = at.node.arg(1);
        let old = at.value(index);
        let mut array = at.node.arg(0);
        let mut stores: SmallVec<[Node; MAX_STORES]> = SmallVec::new();
        while at.pool.op(array) == Op::Store {
            let store = at.pool.node(array);
            if at.value(store.arg(1)) == old {
                return self.want(store.arg(2), value);
            }
            if stores.len() < MAX_STORES {
                stores.push(store);
            }
            array = store.arg(0);
        }
        let way = self.choose(stores.len() as u32 + 1) as usize;
        if let Some(store) = stores.get(stores.len().wrapping_sub(way)) {
            return self.want(store.arg(2), value) && self.want(index, at.value(store.arg(1)));
        }
        match at.pool.op(array) {
            Op::ConstArray => self.want(at.pool.node(array).arg(0), value),
            Op::Table => {
                let n_elements = at.pool.table_len(array).min(MAX_ELEMENTS);
                let fitting = (0..n_elements).filter(|&index| at.pool.table_element(array, index) == value);
                fitting.min_by_key(|found| found.abs_diff(old)).is_some_and(|found| self.want(index, found))
            }
            _ => false,
        }
    }
}

/// An expression of which a value is wished, and what is known around it.
struct Wished<'e, 'v, 'm> {
    pool: &'e ExprPool,
    values: &'e mut Values<'v, 'm>,
    fixed: &'e Model,
    node: Node,
}

impl Wished<'_, '_, '_> {
    /// The value that an expression has now.
    fn value(&mut self, expr: ExprId) -> u64 {
        if self.pool.width(expr) > 64 { 0 } else { self.values.eval_u64(expr) }
    }
}

/// A number by which the dividend has this quotient.
fn divisor_of_quotient(w: u32, dividend: u64, value: u64) -> Option<u64> {
    match value {
        0 => (dividend < int::mask(w)).then(|| dividend + 1),
        _ if value == int::mask(w) => Some(0),
        _ => {
            let (least, greatest) = (dividend / (value + 1) + 1, dividend / value);
            (least <= greatest).then_some(greatest)
        }
    }
}

/// The same numbers for the same state, which is not zero (xorshift64*, its better half first).
fn next_random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    state.wrapping_mul(0x2545_f491_4f6c_dd1d).rotate_left(32)
}

/// Numbers with few digits are as likely as those with many.
pub fn random_of_any_size(state: &mut u64) -> u64 {
    next_random(state) >> (next_random(state) % 64)
}

/// A number that times `by` is `value`, modulo 2^width.
fn quotient(w: u32, value: u64, by: u64) -> Option<u64> {
    let n_zeros = by.trailing_zeros();
    if n_zeros >= w || value.trailing_zeros() < n_zeros {
        return None;
    }
    let odd = by >> n_zeros;
    // Newton's iteration doubles the number of right low bits; an odd number is its own inverse modulo 8.
    let inverse = (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))));
    Some(int::trunc(w, (value >> n_zeros).wrapping_mul(inverse)))
}
