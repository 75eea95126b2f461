//! Sums, to tell which of two places comes first whatever the input is.

use super::ConcolicMachine;
use spelunk_expr::{ExprId, Op};

/// Sums of less than this do not wrap, and neither do their differences.
const LIMIT: u64 = 1 << 62;

/// So many terms are looked at.
const MAX_TERMS: usize = 64;

impl ConcolicMachine {
    /// Whether `a` is at most `b` in every run, as far as the terms of both sums tell.
    pub(crate) fn is_at_most(&self, a: ExprId, b: ExprId) -> bool {
        let ((_, most), (least, limit)) = (self.bounds(a), self.bounds(b));
        if a == b || most <= least {
            return true;
        }
        if most >= LIMIT || limit >= LIMIT {
            return false;
        }
        let mut difference = Difference::default();
        difference.add(self, b, 1) && difference.add(self, a, -1) && difference.least(self) >= 0
    }

    /// Whether `a` is below `b` in every run.
    pub(crate) fn is_below(&mut self, a: ExprId, b: ExprId) -> bool {
        let one = self.pool.mk_const(64, 1);
        let next = self.pool.mk_add(a, one);
        self.is_at_most(next, b)
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
}

/// A sum of terms, each with a factor.
#[derive(Default)]
struct Difference {
    terms: Vec<(ExprId, i64)>,
    constant: i128,
}

impl Difference {
    /// Whether it could.
    fn add(&mut self, machine: &ConcolicMachine, expr: ExprId, factor: i64) -> bool {
        let pool = &machine.pool;
        if let Some(constant) = pool.as_const(expr) {
            // Subtractions of constants are additions that wrap.
            self.constant += i128::from(constant as i64) * i128::from(factor);
            return true;
        }
        let node = pool.node(expr);
        if node.op() == Op::Add {
            return self.add(machine, node.arg(0), factor) && self.add(machine, node.arg(1), factor);
        }
        match self.terms.iter_mut().find(|(term, _)| *term == expr) {
            Some((_, known)) => *known += factor,
            None => self.terms.push((expr, factor)),
        }
        self.terms.len() <= MAX_TERMS
    }

    fn least(&self, machine: &ConcolicMachine) -> i128 {
        let least = |&(term, factor): &(ExprId, i64)| {
            let (low, high) = machine.bounds(term);
            i128::from(factor) * i128::from(if factor > 0 { low } else { high })
        };
        self.constant + self.terms.iter().filter(|(_, factor)| *factor != 0).map(least).sum::<i128>()
    }
}
