//! Rounds of a loop as linear arithmetic over integers without bounds: conditions as rows, next values as sums.
//!
//! Numbers are signed, and values are taken not to wrap around, nor to be cut off where C converts them. What is true here need not be
//! true in the machine.

use crate::relation::Relation;
use spelunk_expr::{ExprId, ExprPool, Op};

/// Ways to satisfy conditions that have several, such as `x != 0`.
const MOST_WAYS: usize = 8;

/// Coefficients of the variables, and a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum {
    pub coeffs: Vec<i64>,
    pub constant: i64,
}

/// A sum that is at most zero.
pub type Row = Sum;

/// One way round.
#[derive(Clone, Debug)]
pub struct Linear {
    /// Parts of the state, then input.
    pub vars: Vec<ExprId>,
    pub guards: Vec<Row>,
    pub next: Vec<Sum>,
}

/// The ways round that a relation has, if all of it is linear.
pub fn ways(pool: &mut ExprPool, relation: &Relation) -> Vec<Linear> {
    let mut vars: Vec<ExprId> = relation.parts.iter().map(|part| part.symbol).collect();
    vars.extend(relation.inputs.iter().map(|&var| pool.mk_var(var)));
    let reader = Reader { pool, vars: &vars };
    let Some(next) = reader.next(relation) else { return Vec::new() };
    let mut ways: Vec<Vec<Row>> = vec![Vec::new()];
    for &cond in &relation.conds {
        let Some(of_cond) = reader.rows(cond, true) else { return Vec::new() };
        ways = ways.iter().flat_map(|way| of_cond.iter().map(|rows| [&way[..], rows].concat())).collect();
        if ways.len() > MOST_WAYS {
            return Vec::new();
        }
    }
    ways.into_iter()
        .map(|rows| {
            let mut guards: Vec<Row> = Vec::new();
            for row in rows {
                if !guards.contains(&row) {
                    guards.push(row);
                }
            }
            Linear { vars: vars.clone(), guards, next: next.clone() }
        })
        .collect()
}

impl Linear {
    /// A row as a condition on bits that says the same: sums of few variables don't wrap around at 64 bits.
    pub fn condition(&self, pool: &mut ExprPool, row: &Row) -> ExprId {
        let mut sum = pool.mk_const(64, row.constant as u64);
        for (&var, &coeff) in self.vars.iter().zip(&row.coeffs).filter(|(_, coeff)| **coeff != 0) {
            let wide = if pool.width(var) < 64 { pool.mk_sext(var, 64) } else { var };
            let factor = pool.mk_const(64, coeff as u64);
            let product = pool.mk_mul(wide, factor);
            sum = pool.mk_add(sum, product);
        }
        let zero = pool.mk_const(64, 0);
        pool.mk_sle(sum, zero)
    }

    /// What a row is after the round.
    pub fn after(&self, row: &Row) -> Option<Row> {
        let mut after = Sum { coeffs: vec![0; self.vars.len()], constant: row.constant };
        for (next, &coeff) in self.next.iter().zip(&row.coeffs) {
            after = after.plus(&next.times(coeff)?)?;
        }
        Some(after)
    }
}

impl Sum {
    fn times(&self, factor: i64) -> Option<Self> {
        let coeffs = self.coeffs.iter().map(|coeff| coeff.checked_mul(factor)).collect::<Option<_>>()?;
        Some(Self { coeffs, constant: self.constant.checked_mul(factor)? })
    }

    fn plus(&self, other: &Self) -> Option<Self> {
        let coeffs = self.coeffs.iter().zip(&other.coeffs).map(|(a, b)| a.checked_add(*b)).collect::<Option<_>>()?;
        Some(Self { coeffs, constant: self.constant.checked_add(other.constant)? })
    }

    fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.times(-1)?)
    }

    fn and(mut self, constant: i64) -> Option<Self> {
        self.constant = self.constant.checked_add(constant)?;
        Some(self)
    }

    /// As C would have it, with what variables are called.
    pub fn text(&self, names: &[String]) -> String {
        let is_turned = self.coeffs.iter().all(|&coeff| coeff <= 0);
        let sign = if is_turned { -1 } else { 1 };
        let mut text = String::new();
        for (coeff, name) in self.coeffs.iter().zip(names).filter(|(coeff, _)| **coeff != 0) {
            let coeff = sign * coeff;
            text += match (text.is_empty(), coeff < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            if coeff.abs() != 1 {
                text += &format!("{} * ", coeff.abs());
            }
            text += name;
        }
        format!("{text} {} {}", if is_turned { ">=" } else { "<=" }, sign * -self.constant)
    }
}

struct Reader<'a> {
    pool: &'a ExprPool,
    vars: &'a [ExprId],
}

impl Reader<'_> {
    /// Input stays what it is.
    fn next(&self, relation: &Relation) -> Option<Vec<Sum>> {
        let changing = relation.parts.iter().map(|part| part.next);
        changing.chain(self.vars[relation.parts.len()..].iter().copied()).map(|expr| self.sum(expr)).collect()
    }

    /// Ways to satisfy a condition, or its opposite.
    fn rows(&self, cond: ExprId, holds: bool) -> Option<Vec<Vec<Row>>> {
        let node = self.pool.node(cond);
        let less = |a: ExprId, b: ExprId, by: i64| self.sum(a)?.minus(&self.sum(b)?)?.and(by);
        let one = |row: Option<Row>| Some(vec![vec![row?]]);
        match node.op() {
            _ if cond == ExprId::TRUE && holds => Some(vec![Vec::new()]),
            Op::Not => self.rows(node.arg(0), !holds),
            Op::And | Op::Or if (node.op() == Op::And) == holds => {
                let (a, b) = (self.rows(node.arg(0), holds)?, self.rows(node.arg(1), holds)?);
                Some(a.iter().flat_map(|a| b.iter().map(|b| [&a[..], b].concat())).collect())
            }
            Op::And | Op::Or => Some([self.rows(node.arg(0), holds)?, self.rows(node.arg(1), holds)?].concat()),
            Op::Slt if holds => one(less(node.arg(0), node.arg(1), 1)),
            Op::Slt => one(less(node.arg(1), node.arg(0), 0)),
            Op::Sle if holds => one(less(node.arg(0), node.arg(1), 0)),
            Op::Sle => one(less(node.arg(1), node.arg(0), 1)),
            Op::Eq if self.pool.width(node.arg(0)) > 1 => {
                let (a, b) = (node.arg(0), node.arg(1));
                match holds {
                    true => Some(vec![vec![less(a, b, 0)?, less(b, a, 0)?]]),
                    false => Some(vec![vec![less(a, b, 1)?], vec![less(b, a, 1)?]]),
                }
            }
            // The sign.
            Op::Extract if node.width() == 1 && node.extract_low() + 1 == self.pool.width(node.arg(0)) => {
                let sum = self.sum(node.arg(0))?;
                one(if holds { sum.and(1) } else { sum.times(-1) })
            }
            _ => None,
        }
    }

    fn sum(&self, expr: ExprId) -> Option<Sum> {
        let mut unit = Sum { coeffs: vec![0; self.vars.len()], constant: 0 };
        if let Some(idx) = self.vars.iter().position(|&var| var == expr) {
            unit.coeffs[idx] = 1;
            return Some(unit);
        }
        let node = self.pool.node(expr);
        let width = node.width();
        let arg = |at: usize| self.sum(node.arg(at));
        match node.op() {
            Op::Const if (1..=64).contains(&width) => {
                unit.and(((node.const_value() << (64 - width)) as i64) >> (64 - width))
            }
            Op::Add => arg(0)?.plus(&arg(1)?),
            Op::Sub => arg(0)?.minus(&arg(1)?),
            Op::Neg => arg(0)?.times(-1),
            Op::Not => arg(0)?.times(-1)?.and(-1),
            Op::Mul => {
                let (a, b) = (arg(0)?, arg(1)?);
                let is_constant = |sum: &Sum| sum.coeffs.iter().all(|&coeff| coeff == 0);
                match () {
                    () if is_constant(&a) => b.times(a.constant),
                    () if is_constant(&b) => a.times(b.constant),
                    () => None,
                }
            }
            Op::SExt => arg(0),
            Op::Extract if node.extract_low() == 0 && width >= 8 => arg(0),
            _ => None,
        }
    }
}
