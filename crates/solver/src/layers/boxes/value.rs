//! What is known about an expression while its variables are in a box: facts, and a remainder modulo an odd number.
//!
//! Remainders modulo powers of two are the low bits of the facts, so that the two together are remainders of any kind.
//! They survive arithmetic as long as it is known how often it wraps around.

use spelunk_bv::int;
use spelunk_expr::{Facts, Node, Op, eval_narrow};

/// Of at most 64 bits. Says of each value that the expression can have that it is possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    pub facts: Facts,
    /// The value is `rest` modulo this odd number: 1 if nothing is known.
    pub modulus: u64,
    pub rest: u64,
}

impl Value {
    pub fn constant(width: u32, value: u64) -> Self {
        Value { facts: Facts::constant(width, value), modulus: 1, rest: 0 }
    }

    pub fn unknown(width: u32) -> Self {
        Value::from(Facts::unknown(width))
    }

    /// Values from the first to the last one, always `step` apart.
    pub fn progression(width: u32, first: u64, last: u64, step: u64) -> Self {
        let n_low = step.trailing_zeros();
        let low = if n_low == 0 { 0 } else { int::mask(n_low.min(width)) };
        let facts = Facts { zeros: !first & low, ones: first & low, ..Facts::unknown(width) };
        let facts = Facts { umin: first, umax: last, ..facts }.refined();
        let modulus = step >> n_low;
        Value { facts, modulus, rest: first % modulus }
    }

    pub fn as_constant(&self) -> Option<u64> {
        self.facts.as_constant()
    }

    /// How far apart the least and the greatest value may be.
    pub fn spread(&self) -> u64 {
        self.facts.umax - self.facts.umin
    }

    fn width(&self) -> u32 {
        self.facts.width
    }

    /// The remainder modulo an odd number that is a divisor of the known one, or anything for constants.
    fn modulo(&self, modulus: u64) -> u64 {
        self.as_constant().unwrap_or(self.rest) % modulus
    }

    /// The known odd modulus; zero for constants, which are known modulo everything.
    fn odd(&self) -> u64 {
        if self.as_constant().is_some() { 0 } else { self.modulus }
    }

    /// The low bits, if so many are known.
    fn low_bits(&self, n: u32) -> Option<u64> {
        let known = (self.facts.zeros | self.facts.ones).trailing_ones();
        (n <= known).then(|| if n == 0 { 0 } else { self.facts.ones & int::mask(n) })
    }

    fn modulo_of(self, (modulus, rest): (u64, u64)) -> Self {
        Value { modulus, rest, ..self }
    }
}

impl From<Facts> for Value {
    fn from(facts: Facts) -> Self {
        Value { facts, modulus: 1, rest: 0 }
    }
}

/// The value of an operation. Those that read arrays are not among them.
pub fn apply(node: Node, arg_width: u32, args: [&Value; 3]) -> Value {
    let (op, width) = (node.op(), node.width());
    let [a, b, c] = args;
    let constants = args.map(Value::as_constant);
    if constants[..op.arity()].iter().all(Option::is_some) && op != Op::Ite {
        return Value::constant(width, eval_narrow(node, arg_width, constants.map(Option::unwrap_or_default)));
    }
    match op {
        Op::Ite => match constants[0] {
            Some(cond) => *if cond != 0 { b } else { c },
            None => Value::from(Facts::of_operation(op, node, &[a.facts, b.facts, c.facts])).modulo_of(common(b, c)),
        },
        Op::SRem | Op::SDiv => signed_division(node, a, b),
        Op::URem => remainder(node, a, b),
        _ if width == 1 && (op.cmp().is_some() || op.overflow().is_some()) => {
            truth(op, a, b).map_or(Value::unknown(1), |truth| Value::constant(1, truth as u64))
        }
        _ => {
            let facts = Facts::of_operation(op, node, &[a.facts, b.facts, c.facts]);
            Value::from(facts).modulo_of(congruence(node, a, b).unwrap_or((1, 0)))
        }
    }
}

/// Whether a comparison holds or an operation overflows, where that is certain.
fn truth(op: Op, a: &Value, b: &Value) -> Option<bool> {
    let (x, y) = (&a.facts, &b.facts);
    let certain = |yes: bool, no: bool| if yes { Some(true) } else { no.then_some(false) };
    match op {
        Op::Eq => {
            let modulus = gcd(a.odd(), b.odd());
            let differ = modulus > 1 && a.modulo(modulus) != b.modulo(modulus);
            certain(false, differ || x.is_disjoint(y))
        }
        Op::Ult => certain(x.umax < y.umin, x.umin >= y.umax),
        Op::Ule => certain(x.umax <= y.umin, x.umin > y.umax),
        Op::Slt => certain(x.smax < y.smin, x.smin >= y.smax),
        Op::Sle => certain(x.smax <= y.smin, x.smin > y.smax),
        _ => overflows(op, x, y),
    }
}

fn overflows(op: Op, x: &Facts, y: &Facts) -> Option<bool> {
    let all = Facts::unknown(x.width);
    let (least, greatest) = (all.smin as i128, all.smax as i128);
    let [(xl, xh), (yl, yh)] = [x, y].map(|facts| (facts.smin as i128, facts.smax as i128));
    let (low, high) = match op {
        Op::SAddO => (xl + yl, xh + yh),
        Op::SSubO => (xl - yh, xh - yl),
        Op::SMulO => {
            let products = [xl * yl, xl * yh, xh * yl, xh * yh];
            (products.into_iter().fold(i128::MAX, i128::min), products.into_iter().fold(i128::MIN, i128::max))
        }
        Op::UMulO => {
            let mask = all.umax as u128;
            let (low, high) = (x.umin as u128 * y.umin as u128, x.umax as u128 * y.umax as u128);
            return if low > mask { Some(true) } else { (high <= mask).then_some(false) };
        }
        _ => return None,
    };
    if high < least || low > greatest {
        return Some(true);
    }
    (least <= low && high <= greatest).then_some(false)
}

/// What is known modulo an odd number.
fn congruence(node: Node, a: &Value, b: &Value) -> Option<(u64, u64)> {
    let w = node.width();
    match node.op() {
        Op::Add => {
            let n_wraps = wraps(w, bounds(a) + bounds(b))?;
            linear([(a, 1), (b, 1)], n_wraps, w)
        }
        Op::Sub => {
            let n_wraps = wraps(w, bounds(a) - bounds(b))?;
            linear([(a, 1), (b, -1)], n_wraps, w)
        }
        Op::Neg => negative(a, w),
        Op::Not => linear([(&Value::constant(w, int::mask(w)), 1), (a, -1)], 0, w),
        Op::Mul => match (a.as_constant(), b.as_constant()) {
            (None, Some(by)) => product(a, by, w),
            (Some(by), None) => product(b, by, w),
            _ => None,
        },
        Op::Shl => product(a, 1 << b.as_constant().filter(|&by| by < w as u64)?, w),
        Op::UDiv => quotient(a, b.as_constant()?),
        Op::LShr => quotient(a, 1 << b.as_constant().filter(|&by| by < w as u64)?),
        Op::AShr if a.facts.is_non_negative() => quotient(a, 1 << b.as_constant().filter(|&by| by < w as u64)?),
        Op::ZExt => Some((a.modulus, a.rest)),
        Op::SExt if a.facts.is_non_negative() => Some((a.modulus, a.rest)),
        Op::SExt if a.facts.is_negative() => {
            let added = power(w, a.modulus) + a.modulus - power(a.width(), a.modulus);
            Some((a.modulus, ((a.rest as u128 + added as u128) % a.modulus as u128) as u64))
        }
        Op::Concat => {
            let modulus = gcd(a.odd(), b.odd());
            let high = mul_mod(a.modulo(modulus), power(b.width(), modulus), modulus);
            Some((modulus, add_mod(high, b.modulo(modulus), modulus)))
        }
        Op::Extract => {
            let (modulus, rest) = quotient(a, 1 << node.extract_low())?;
            let [low, high] = [a.facts.umin, a.facts.umax].map(|bound| bound >> node.extract_low());
            let cut = |bound: u64| if w == 64 { 0 } else { bound >> w };
            let dropped = mul_mod(cut(low) % modulus, power(w, modulus), modulus);
            (cut(low) == cut(high)).then(|| (modulus, sub_mod(rest, dropped, modulus)))
        }
        _ => None,
    }
}

/// The least and the greatest exact result, not wrapped.
#[derive(Clone, Copy)]
struct Bounds(i128, i128);

fn bounds(of: &Value) -> Bounds {
    Bounds(of.facts.umin as i128, of.facts.umax as i128)
}

impl std::ops::Add for Bounds {
    type Output = Bounds;
    fn add(self, other: Bounds) -> Bounds {
        Bounds(self.0 + other.0, self.1 + other.1)
    }
}

impl std::ops::Sub for Bounds {
    type Output = Bounds;
    fn sub(self, other: Bounds) -> Bounds {
        Bounds(self.0 - other.1, self.1 - other.0)
    }
}

impl std::ops::Neg for Bounds {
    type Output = Bounds;
    fn neg(self) -> Bounds {
        Bounds(-self.1, -self.0)
    }
}

/// How often all results between these bounds wrap around, if that is the same number.
fn wraps(w: u32, bounds: Bounds) -> Option<i128> {
    let (first, last) = (bounds.0 >> w, bounds.1 >> w);
    (first == last).then_some(first)
}

/// The sum of values with signs, less so many times 2^w.
fn linear(terms: [(&Value, i8); 2], n_wraps: i128, w: u32) -> Option<(u64, u64)> {
    let modulus = gcd(terms[0].0.odd(), terms[1].0.odd());
    if modulus <= 1 {
        return None;
    }
    let mut rest = 0;
    for (term, sign) in terms {
        let part = term.modulo(modulus);
        rest = if sign > 0 { add_mod(rest, part, modulus) } else { sub_mod(rest, part, modulus) };
    }
    let n_wraps = n_wraps.rem_euclid(modulus as i128) as u64;
    Some((modulus, sub_mod(rest, mul_mod(n_wraps, power(w, modulus), modulus), modulus)))
}

fn product(a: &Value, by: u64, w: u32) -> Option<(u64, u64)> {
    if by == 0 {
        return None;
    }
    let bound = |value: u64| (value as u128 * by as u128) >> w;
    let n_wraps = bound(a.facts.umin);
    if n_wraps != bound(a.facts.umax) {
        return None;
    }
    // A multiple is known modulo the factor as well.
    let odd = by >> by.trailing_zeros();
    let modulus = a.modulus.checked_mul(odd).unwrap_or(a.modulus);
    let wrapped = mul_mod((n_wraps % modulus as u128) as u64, power(w, modulus), modulus);
    Some((modulus, sub_mod(mul_mod(a.rest, by % modulus, modulus), wrapped, modulus)))
}

fn quotient(a: &Value, by: u64) -> Option<(u64, u64)> {
    let shift = by.checked_ilog2().map(|_| by.trailing_zeros())?;
    let low = a.low_bits(shift).filter(|_| a.modulus > 1)?;
    let modulus = a.modulus;
    let halved = mul_mod(sub_mod(a.rest, low % modulus, modulus), inverse_of_power(shift, modulus), modulus);
    let odd = by >> shift;
    modulus.is_multiple_of(odd).then(|| (modulus / odd, halved / odd))
}

fn remainder(node: Node, a: &Value, b: &Value) -> Value {
    let facts = Facts::of_operation(Op::URem, node, &[a.facts, b.facts, Facts::unknown(1)]);
    let Some(by @ 1..) = b.as_constant() else { return facts.into() };
    if a.facts.umin / by == a.facts.umax / by {
        let dropped = (a.facts.umin - a.facts.umin % by) % a.modulus;
        return Value::from(facts).modulo_of((a.modulus, sub_mod(a.rest, dropped, a.modulus)));
    }
    let shift = by.trailing_zeros();
    let odd = by >> shift;
    let modulus = gcd(a.modulus, odd);
    match a.low_bits(shift) {
        Some(low) if modulus == odd => {
            // The one number below the divisor with these low bits and this remainder.
            let missing = sub_mod(a.rest % odd, low % odd, odd);
            let n_steps = mul_mod(missing, inverse_of_power(shift, odd), odd);
            Value::constant(node.width(), low + (n_steps << shift))
        }
        _ => Value::from(facts).modulo_of((modulus, a.rest % modulus)),
    }
}

/// As the division of magnitudes, where the sign of the dividend is known.
fn signed_division(node: Node, a: &Value, b: &Value) -> Value {
    let w = node.width();
    let facts_of = |op, a: &Value| Facts::of_operation(op, node, &[a.facts, b.facts, Facts::unknown(1)]);
    let facts = facts_of(node.op(), a);
    let Some(by) = b.as_constant().filter(|&by| by != 0 && int::sext(w, by) > 0) else { return facts.into() };
    let divide = |a: &Value| match node.op() {
        Op::SRem => remainder(node, a, b),
        _ => Value::from(facts_of(Op::UDiv, a)).modulo_of(quotient(a, by).unwrap_or((1, 0))),
    };
    if a.facts.is_non_negative() {
        divide(a)
    } else if a.facts.is_negative() {
        let result = negated(&divide(&negated(a)));
        // What is known either way.
        let facts = if result.spread() < facts.umax - facts.umin { result.facts } else { facts };
        Value { facts, ..result }
    } else {
        facts.into()
    }
}

fn negated(a: &Value) -> Value {
    let w = a.width();
    if let Some(value) = a.as_constant() {
        return Value::constant(w, int::neg(w, value));
    }
    Value::from(a.facts.negated()).modulo_of(negative(a, w).unwrap_or((1, 0)))
}

fn negative(a: &Value, w: u32) -> Option<(u64, u64)> {
    linear([(&Value::constant(w, 0), 1), (a, -1)], wraps(w, -bounds(a))?, w)
}

/// What two values have in common.
fn common(a: &Value, b: &Value) -> (u64, u64) {
    let [x, y] = [a, b].map(|value| value.as_constant().unwrap_or(value.rest));
    let modulus = gcd(gcd(a.odd(), b.odd()), x.abs_diff(y));
    let modulus = modulus.checked_shr(modulus.trailing_zeros()).unwrap_or(1);
    (modulus, x % modulus)
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn add_mod(a: u64, b: u64, modulus: u64) -> u64 {
    ((a as u128 + b as u128) % modulus as u128) as u64
}

fn sub_mod(a: u64, b: u64, modulus: u64) -> u64 {
    ((a as u128 + modulus as u128 - (b % modulus) as u128) % modulus as u128) as u64
}

fn mul_mod(a: u64, b: u64, modulus: u64) -> u64 {
    (a as u128 * b as u128 % modulus as u128) as u64
}

/// 2^n.
fn power(n: u32, modulus: u64) -> u64 {
    ((1u128 << n) % modulus as u128) as u64
}

/// The inverse of 2^n modulo an odd number.
fn inverse_of_power(n: u32, modulus: u64) -> u64 {
    let half = (modulus / 2 + 1) % modulus;
    (0..n).fold(1 % modulus, |inverse, _| mul_mod(inverse, half, modulus))
}

#[cfg(test)]
mod tests {
    use spelunk_bv::{BinOp, CmpOp, OverflowOp};
    use spelunk_expr::{ExprId, ExprPool, Sort};

    use super::*;

    const WIDTH: u32 = 5;

    /// All operations on two variables, and some on one.
    fn operations(pool: &mut ExprPool) -> Vec<ExprId> {
        pool.set_rule_fuel(Some(0));
        let [x, y] = ["x", "y"].map(|name| pool.new_var(name, Sort::Bv(WIDTH))).map(|var| pool.mk_var(var));
        let mut all: Vec<ExprId> = BinOp::ALL.iter().map(|&op| pool.mk_binop(op, x, y)).collect();
        all.extend(CmpOp::ALL.iter().map(|&op| pool.mk_cmp(op, x, y)));
        all.extend(OverflowOp::ALL.iter().map(|&op| pool.mk_overflow(op, x, y)));
        all.extend([pool.mk_concat(x, y), pool.mk_not(x), pool.mk_neg(x), pool.mk_zext(x, 8), pool.mk_sext(x, 8)]);
        all.extend(
            (0..WIDTH)
                .flat_map(|low| (1..=WIDTH - low).map(move |n| (low, n)))
                .map(|(low, n)| pool.mk_extract(x, low, n)),
        );
        all
    }

    fn progressions() -> Vec<(u64, u64, u64)> {
        let max = int::mask(WIDTH);
        let starts = [0, 1, 5, 7, 14, 16, 17, 26, max];
        let all = starts.into_iter().flat_map(|first| [1, 2, 3, 6, 7, 8].map(|step| (first, step)));
        all.flat_map(|(first, step)| {
            [1, 2, 3, 5, 40].map(|n| (first, first + ((max - first) / step).min(n - 1) * step, step))
        })
        .collect()
    }

    fn check(node: Node, (x, y): ((u64, u64, u64), (u64, u64, u64))) {
        let values = |(first, last, step): (u64, u64, u64)| (first..=last).step_by(step as usize);
        let abstracted = |(first, last, step)| Value::progression(WIDTH, first, last, step);
        let (a, b) = (abstracted(x), abstracted(y));
        let result = apply(node, WIDTH, [&a, &b, &b]);
        for (i, j) in values(x).flat_map(|i| values(y).map(move |j| (i, j))) {
            let exact = eval_narrow(node, WIDTH, [i, j, 0]);
            let admits = result.facts.admits(exact) && exact % result.modulus == result.rest;
            assert!(admits, "{} of {i} in {x:?} and {j} in {y:?} is {exact}, not in {result:?}", node.op().name());
        }
    }

    #[test]
    fn every_result_is_possible() {
        let mut pool = ExprPool::new();
        let operations = operations(&mut pool);
        let progressions = progressions();
        // Some comparisons are the negation of another one.
        let is_plain = |node: &Node| node.args().all(|arg| pool.op(arg) == Op::Var);
        for node in operations.iter().map(|&id| pool.node(id)).filter(is_plain) {
            for &x in &progressions {
                let other = if node.op().arity() == 1 { &progressions[..1] } else { &progressions[..] };
                other.iter().for_each(|&y| check(node, (x, y)));
            }
        }
    }

    #[test]
    fn remainders_survive_arithmetic() {
        let mut pool = ExprPool::new();
        pool.set_rule_fuel(Some(0));
        let [x, y] = ["x", "y"].map(|name| pool.new_var(name, Sort::Bv(32))).map(|var| pool.mk_var(var));
        let [sub, mul, srem] = [BinOp::Sub, BinOp::Mul, BinOp::SRem].map(|op| pool.mk_binop(op, x, y));
        let apply = |id: ExprId, a: &Value, b: u64| apply(pool.node(id), 32, [a, &Value::constant(32, b), a]);
        // From 1000 on, which is 13 modulo 21.
        let range = Value::progression(32, 1000, 1000 + 21 * 100_000, 21);
        let known = |value: &Value| (value.modulus, value.rest);
        assert_eq!(known(&apply(sub, &range, 5)), (21, 8));
        assert_eq!(known(&apply(mul, &range, 3)), (63, 39));
        assert_eq!(apply(srem, &range, 7).as_constant(), Some(1000 % 7));
        let minus_1000 = int::neg(32, 1000);
        let negative = Value::progression(32, minus_1000 - 21 * 100_000, minus_1000, 21);
        assert_eq!(apply(srem, &negative, 7).as_constant(), Some(int::neg(32, 1000 % 7)));
    }
}
