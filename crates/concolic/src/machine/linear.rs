//! Sums, to tell which of two places comes first in every run of the path.
//!
//! What is known is how large terms can be, and what the path's conditions say: those that compare sums are sums that are not
//! negative. A difference is not negative if what is left of it without one or two of these is not.

use super::ConcolicMachine;
use crate::graph::heap::NodeId;
use crate::searches::After;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spelunk_expr::{ExprId, ExprPool, Op, VarId};

/// Sums of less than this do not wrap, and neither do their differences.
const LIMIT: u64 = 1 << 62;

/// So many terms are looked at.
const MAX_TERMS: usize = 64;

/// So many sums of the path's conditions are tried together with others.
const MAX_PAIRED: usize = 64;

/// What the conditions of the path say of sums: follows from its decisions, and is looked up when somebody asks.
#[derive(Debug, Default)]
pub(crate) struct KnownSums {
    /// None of them is negative.
    sums: Vec<Sum>,
    /// Which of them have a term.
    by_term: FxHashMap<ExprId, Vec<u32>>,
    /// How many decisions were looked at.
    n_read: usize,
}

impl KnownSums {
    pub fn clear(&mut self) {
        self.sums.clear();
        self.by_term.clear();
        self.n_read = 0;
    }

    fn add(&mut self, sum: Sum) {
        for term in &sum.terms {
            self.by_term.entry(term.expr).or_default().push(self.sums.len() as u32);
        }
        self.sums.push(sum);
    }

    /// Those that have a term in common with one, each once, the last first: others can't make it less.
    fn related(&self, sum: &Sum) -> impl Iterator<Item = &Sum> {
        let with_term = |term: &Term| self.by_term.get(&term.expr).into_iter().flatten().copied();
        let mut numbers: SmallVec<[u32; 32]> = sum.terms.iter().flat_map(with_term).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().rev().map(|number| &self.sums[number as usize])
    }
}

impl ConcolicMachine {
    /// Whether `a` is at most `b` in every run of the path, as far as sums tell.
    pub(crate) fn is_at_most(&mut self, a: ExprId, b: ExprId) -> bool {
        let ((_, most), (least, limit)) = (self.bounds(a), self.bounds(b));
        if a == b || most <= least {
            return true;
        }
        if most >= LIMIT || limit >= LIMIT {
            return false;
        }
        let Some(difference) = Sum::difference(self, b, a) else { return false };
        if difference.least() >= 0 {
            return true;
        }
        // This run is one of them, unless it is forced: then nothing is to be said that depends on a path around.
        if self.is_forcing() || self.value(a) > self.value(b) {
            return false;
        }
        self.read_conditions();
        let known = &self.known_sums;
        let least = difference.least();
        if known.related(&difference).any(|sum| difference.least_without(least, sum) >= 0) {
            return true;
        }
        known.related(&difference).take(MAX_PAIRED).any(|sum| {
            let rest = difference.without(sum);
            let least = rest.least();
            known.related(&rest).take(MAX_PAIRED).any(|sum| rest.least_without(least, sum) >= 0)
        })
    }

    /// Whether `a` is below `b` in every run of the path.
    pub(crate) fn is_below(&mut self, a: ExprId, b: ExprId) -> bool {
        let one = self.pool.mk_const(64, 1);
        let next = self.pool.mk_add(a, one);
        self.is_at_most(next, b)
    }

    /// The difference of two sums of 64 bits, without what both have: modulo 2^64, like the operation itself.
    pub(crate) fn mk_difference(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let simple = self.pool.mk_sub(a, b);
        let mut sum = Terms::default();
        if !sum.add(&self.pool, simple, 1) || sum.n_met == sum.terms.len() {
            return simple;
        }
        let mut result = self.pool.mk_const(64, sum.constant);
        for (term, factor) in sum.terms {
            result = match factor {
                1 => self.pool.mk_add(result, term),
                u64::MAX => self.pool.mk_sub(result, term),
                factor => {
                    let factor = self.pool.mk_const(64, factor);
                    let product = self.pool.mk_mul(term, factor);
                    self.pool.mk_add(result, product)
                }
            };
        }
        result
    }

    /// Whether an expression of 64 bits is such that sums of it do not wrap.
    pub(crate) fn is_moderate(&self, expr: ExprId) -> bool {
        self.bounds(expr).1 < LIMIT
    }

    /// A place in an object of input, of 64 bits, as one that a search in it found and some more bytes.
    pub(crate) fn as_found(&self, object: NodeId, place: ExprId) -> Option<After> {
        let (var, more) = self.found_term(place)?;
        let search = self.variables.search(var).filter(|search| search.object == object)?;
        let by = u32::try_from(more - i128::from(search.offset)).ok()?;
        Some(After { search: var, by })
    }

    /// How many searches come before a place, each from where the last one has ended.
    pub(crate) fn n_searches_before(&self, place: ExprId) -> usize {
        let Some((last, _)) = self.found_term(place) else { return 0 };
        let before = |&var: &VarId| Some(self.variables.search(var)?.after?.search);
        std::iter::successors(Some(last), before).count()
    }

    /// A sum of 64 bits as what a search finds, and a constant.
    pub(crate) fn found_term(&self, sum: ExprId) -> Option<(VarId, i128)> {
        let sum = Sum::of(self, sum)?;
        let [Term { expr, factor: 1, .. }] = sum.terms[..] else { return None };
        let node = self.pool.node(expr);
        let var = (node.op() == Op::Var).then(|| node.var())?;
        self.variables.search(var).map(|_| (var, sum.constant))
    }

    /// The least and the greatest value, as far as facts tell and what searches may find.
    pub(crate) fn bounds(&self, expr: ExprId) -> (u64, u64) {
        let (least, most) = self.pool.facts(expr).map_or((0, u64::MAX), |facts| (facts.umin, facts.umax));
        let node = self.pool.node(expr);
        let var = match node.op() {
            Op::ZExt => self.pool.node(node.arg(0)),
            _ => node,
        };
        let search = (var.op() == Op::Var).then(|| self.variables.search(var.var())).flatten();
        (least, search.map_or(most, |search| most.min(u64::from(search.n_bytes))))
    }

    /// Takes over what conditions say that were decided since.
    fn read_conditions(&mut self) {
        let n_decisions = self.path.decisions.len();
        if self.known_sums.n_read > n_decisions {
            self.known_sums.clear();
        }
        for number in self.known_sums.n_read..n_decisions {
            self.read_condition(self.path.decisions[number].cond, true);
        }
        self.known_sums.n_read = n_decisions;
    }

    fn read_condition(&mut self, cond: ExprId, holds: bool) {
        let node = self.pool.node(cond);
        let (op, args) = (node.op(), [0, 1].map(|i| if i < node.op().arity() { node.arg(i) } else { ExprId::NONE }));
        match (op, holds) {
            (Op::Not, _) => self.read_condition(args[0], !holds),
            (Op::And, true) | (Op::Or, false) if self.pool.width(cond) == 1 => {
                args.into_iter().for_each(|arg| self.read_condition(arg, holds));
            }
            (Op::Ult | Op::Slt, true) => self.note_order(op, args[0], args[1], 1),
            (Op::Ult | Op::Slt, false) => self.note_order(op, args[1], args[0], 0),
            (Op::Ule | Op::Sle, true) => self.note_order(op, args[0], args[1], 0),
            (Op::Ule | Op::Sle, false) => self.note_order(op, args[1], args[0], 1),
            (Op::Eq, true) => {
                self.note_order(op, args[0], args[1], 0);
                self.note_order(op, args[1], args[0], 0);
            }
            _ => {}
        }
    }

    /// `a` is at least by so much below `b`.
    fn note_order(&mut self, op: Op, a: ExprId, b: ExprId, by: i128) {
        let width = self.pool.width(a);
        let is_signed = matches!(op, Op::Slt | Op::Sle);
        let is_positive = |expr| self.bounds(expr).1 < 1 << (width - 1);
        if width > 64 || is_signed && !(is_positive(a) && is_positive(b)) {
            return;
        }
        if let Some(mut sum) = Sum::difference(self, b, a).filter(|sum| !sum.terms.is_empty()) {
            sum.constant -= by;
            self.known_sums.add(sum);
        }
    }
}

/// A product with a constant.
fn as_multiple(pool: &ExprPool, expr: ExprId) -> Option<(ExprId, u64)> {
    let node = pool.node(expr);
    match node.op() {
        Op::Mul => match (pool.as_const(node.arg(0)), pool.as_const(node.arg(1))) {
            (Some(by), None) => Some((node.arg(1), by)),
            (None, Some(by)) => Some((node.arg(0), by)),
            _ => None,
        },
        Op::Shl => {
            let by = pool.as_const(node.arg(1)).filter(|&by| by < u64::from(pool.width(expr).min(64)))?;
            Some((node.arg(0), 1 << by))
        }
        _ => None,
    }
}

/// A sum of terms modulo 2^64.
#[derive(Default)]
struct Terms {
    terms: SmallVec<[(ExprId, u64); 6]>,
    constant: u64,
    /// How many terms were met, those included that are gone.
    n_met: usize,
}

impl Terms {
    /// Whether there are not too many.
    fn add(&mut self, pool: &ExprPool, expr: ExprId, factor: u64) -> bool {
        if let Some(constant) = pool.as_const(expr) {
            self.constant = self.constant.wrapping_add(constant.wrapping_mul(factor));
            return true;
        }
        let node = pool.node(expr);
        match node.op() {
            Op::Add => return self.add(pool, node.arg(0), factor) && self.add(pool, node.arg(1), factor),
            Op::Sub => {
                return self.add(pool, node.arg(0), factor) && self.add(pool, node.arg(1), factor.wrapping_neg());
            }
            Op::Neg => return self.add(pool, node.arg(0), factor.wrapping_neg()),
            _ => {}
        }
        if let Some((multiplied, by)) = as_multiple(pool, expr) {
            return self.add(pool, multiplied, factor.wrapping_mul(by));
        }
        self.n_met += 1;
        match self.terms.iter().position(|(known, _)| *known == expr) {
            Some(at) if self.terms[at].1 == factor.wrapping_neg() => {
                self.terms.swap_remove(at);
            }
            Some(at) => self.terms[at].1 = self.terms[at].1.wrapping_add(factor),
            None => self.terms.push((expr, factor)),
        }
        self.n_met <= MAX_TERMS
    }
}

/// An expression that is added so many times, and its bounds.
#[derive(Clone, Copy, Debug)]
struct Term {
    expr: ExprId,
    factor: i64,
    bounds: (u64, u64),
}

impl Term {
    /// The least that so many times the expression come to.
    fn least(&self, factor: i64) -> i128 {
        i128::from(factor) * i128::from(if factor > 0 { self.bounds.0 } else { self.bounds.1 })
    }
}

/// A sum of terms. They are without extensions by zeros.
#[derive(Clone, Debug, Default)]
struct Sum {
    terms: SmallVec<[Term; 6]>,
    constant: i128,
}

impl Sum {
    /// An expression as a sum, if it is one that does not wrap.
    fn of(machine: &ConcolicMachine, expr: ExprId) -> Option<Self> {
        if let Some(constant) = machine.pool.as_const(expr) {
            return Some(Self { constant: i128::from(constant), ..Self::default() });
        }
        let mut sum = Self::default();
        if !sum.add(machine, expr, 1) {
            return None;
        }
        if sum.constant == 0 && matches!(sum.terms[..], [Term { factor: 1, .. }]) {
            return Some(sum);
        }
        // Both are the same but for what wraps around, and too small for that.
        let most = |term: &Term| i128::from(term.factor.abs()) * i128::from(term.bounds.1);
        let most = sum.constant.abs() + sum.terms.iter().map(most).sum::<i128>();
        let half = 1 << (machine.pool.width(expr).min(64) - 1);
        (most < half && i128::from(machine.bounds(expr).1) < half).then_some(sum)
    }

    fn difference(machine: &ConcolicMachine, a: ExprId, b: ExprId) -> Option<Self> {
        Some(Self::of(machine, a)?.without(&Self::of(machine, b)?))
    }

    /// Whether it could.
    fn add(&mut self, machine: &ConcolicMachine, expr: ExprId, factor: i64) -> bool {
        let pool = &machine.pool;
        if let Some(constant) = pool.as_const(expr) {
            // Subtractions of constants are additions that wrap.
            let width = pool.width(expr).min(64);
            let constant = (constant << (64 - width)) as i64 >> (64 - width);
            self.constant += i128::from(constant) * i128::from(factor);
            return true;
        }
        let node = pool.node(expr);
        match node.op() {
            Op::Add => return self.add(machine, node.arg(0), factor) && self.add(machine, node.arg(1), factor),
            Op::Sub => return self.add(machine, node.arg(0), factor) && self.add(machine, node.arg(1), -factor),
            Op::Neg => return self.add(machine, node.arg(0), -factor),
            Op::Mul | Op::Shl => {
                const MAX_FACTOR: u64 = 1 << 16;
                let multiple = as_multiple(pool, expr).filter(|(_, by)| *by <= MAX_FACTOR);
                if let Some((multiplied, by)) = multiple
                    && factor.unsigned_abs() <= MAX_FACTOR
                {
                    return self.add(machine, multiplied, factor * by as i64);
                }
            }
            // Products with powers of two are written like this. What is multiplied does not wrap if the whole does not.
            Op::Concat if pool.is_const(node.arg(1)) && pool.width(node.arg(1)) <= 16 => {
                let low = pool.as_const(node.arg(1)).unwrap_or(0);
                let by = 1i64 << pool.width(node.arg(1));
                if factor.unsigned_abs() <= 1 << 16 {
                    self.constant += i128::from(low) * i128::from(factor);
                    return self.add(machine, node.arg(0), factor * by);
                }
            }
            // One of two numbers is the second, and perhaps what the first is more.
            Op::Ite if pool.width(expr) == 64 => {
                const MAX_MORE: u64 = 1 << 16;
                if let (Some(first), Some(second)) = (pool.as_const(node.arg(1)), pool.as_const(node.arg(2)))
                    && first.abs_diff(second) <= MAX_MORE
                    && factor.unsigned_abs() <= MAX_MORE
                {
                    self.constant += i128::from(second as i64) * i128::from(factor);
                    let more = first.wrapping_sub(second) as i64;
                    return self.add_term(machine, node.arg(0), factor * more);
                }
            }
            Op::ZExt if pool.node(node.arg(0)).op() != Op::Add => {
                return self.add_term(machine, node.arg(0), factor);
            }
            _ => {}
        }
        self.add_term(machine, expr, factor)
    }

    fn add_term(&mut self, machine: &ConcolicMachine, term: ExprId, factor: i64) -> bool {
        let bounds = machine.bounds(term);
        self.put(Term { expr: term, factor, bounds });
        // What is no address comes to less than a sum could wrap around at.
        self.terms.len() <= MAX_TERMS && bounds.1 < LIMIT / MAX_TERMS as u64
    }

    fn position(&self, expr: ExprId) -> Option<usize> {
        self.terms.iter().position(|term| term.expr == expr)
    }

    fn put(&mut self, added: Term) {
        match self.position(added.expr) {
            Some(at) if self.terms[at].factor == -added.factor => {
                self.terms.swap_remove(at);
            }
            Some(at) => self.terms[at].factor += added.factor,
            None => self.terms.push(added),
        }
    }

    fn without(&self, other: &Self) -> Self {
        let mut rest = self.clone();
        other.terms.iter().for_each(|&term| rest.put(Term { factor: -term.factor, ..term }));
        rest.constant -= other.constant;
        rest
    }

    fn least(&self) -> i128 {
        self.constant + self.terms.iter().map(|term| term.least(term.factor)).sum::<i128>()
    }

    /// What [`Self::without`] comes to at least, if this is the least for the sum itself.
    fn least_without(&self, least: i128, other: &Self) -> i128 {
        let change = |term: &Term| {
            let factor = self.position(term.expr).map_or(0, |at| self.terms[at].factor);
            term.least(factor - term.factor) - term.least(factor)
        };
        least - other.constant + other.terms.iter().map(change).sum::<i128>()
    }
}
