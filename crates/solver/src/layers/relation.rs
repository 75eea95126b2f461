//! Conditions that relate two terms, and the terms that they relate.
//!
//! A term is a variable, a constant, or a variable in parts: a concatenation of variables, as an integer is that is
//! read from input bytes. A part that is also used alone, or in another term, is not free to change with its term, so
//! then there are no [`Terms`].

use rustc_hash::FxHashMap;
use spelunk_bv::int;
use spelunk_expr::{ExprId, ExprPool, Model, Op, VarId};

use crate::query::Query;
use crate::stage::Context;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RelOp {
    Eq,
    Ne,
    Lt(Sign),
    Le(Sign),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    Signed,
    Unsigned,
}

/// `a op b`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relation {
    pub op: RelOp,
    pub a: ExprId,
    pub b: ExprId,
}

impl Relation {
    /// What a condition relates, if that is what it does.
    pub fn read(pool: &mut ExprPool, condition: ExprId) -> Option<Relation> {
        let node = pool.node(condition);
        let (a, b) = (node.arg(0), node.arg(1));
        let op = match node.op() {
            Op::Eq => RelOp::Eq,
            Op::Ult => RelOp::Lt(Sign::Unsigned),
            Op::Ule => RelOp::Le(Sign::Unsigned),
            Op::Slt => RelOp::Lt(Sign::Signed),
            Op::Sle => RelOp::Le(Sign::Signed),
            Op::Not => return Relation::read(pool, a).map(Relation::negated),
            // The form that comparing with zero takes.
            Op::Extract if node.width() == 1 && node.extract_low() == pool.width(a) - 1 => {
                let zero = pool.mk_const(pool.width(a), 0);
                return Some(Relation { op: RelOp::Lt(Sign::Signed), a, b: zero });
            }
            _ => return None,
        };
        (pool.width(a) <= 64).then_some(Relation { op, a, b })
    }

    fn negated(self) -> Self {
        let Relation { op, a, b } = self;
        match op {
            RelOp::Eq => Relation { op: RelOp::Ne, a, b },
            RelOp::Ne => Relation { op: RelOp::Eq, a, b },
            RelOp::Lt(sign) => Relation { op: RelOp::Le(sign), a: b, b: a },
            RelOp::Le(sign) => Relation { op: RelOp::Lt(sign), a: b, b: a },
        }
    }

    fn is_sign_test(&self, pool: &ExprPool) -> bool {
        let is_zero = |id| pool.as_const(id) == Some(0);
        matches!(self.op, RelOp::Lt(Sign::Signed) | RelOp::Le(Sign::Signed)) && (is_zero(self.a) || is_zero(self.b))
    }
}

/// Number of a term.
pub type TermIdx = u32;

#[derive(Clone, Copy, Debug)]
pub struct Term {
    expr: ExprId,
    /// The value under the hint.
    pub value: u64,
    pub is_const: bool,
}

/// A relation between terms, and the constraint that states it.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub op: RelOp,
    pub a: TermIdx,
    pub b: TermIdx,
    pub constraint: ExprId,
}

/// The terms of a query that consists of relations between terms of one width. To be kept and used again.
#[derive(Default)]
pub struct Terms {
    pub width: u32,
    pub terms: Vec<Term>,
    /// In the order of the query.
    pub links: Vec<Link>,
    term_of: FxHashMap<ExprId, TermIdx>,
    /// The term that a variable is, or is a part of.
    owner: FxHashMap<VarId, TermIdx>,
    relations: Vec<Relation>,
}

impl Terms {
    /// Reads a query. Returns whether it is of this kind, and all its relations are wanted.
    pub fn read(&mut self, cx: &mut Context<'_>, query: &Query<'_>, wants: impl Fn(RelOp) -> bool) -> bool {
        self.relations.clear();
        // Targets first: they decide most often that it is not.
        for &constraint in query.targets().iter().chain(query.satisfied()) {
            match Relation::read(cx.pool, constraint) {
                Some(relation) if wants(relation.op) => self.relations.push(relation),
                _ => return false,
            }
        }
        let Some(width) = self.relations.iter().map(|relation| cx.pool.width(relation.a)).max() else { return false };
        self.width = width;
        self.terms.clear();
        self.term_of.clear();
        self.owner.clear();
        self.links.clear();
        self.relations.rotate_left(query.targets().len());
        self.add_concats(cx, query) && self.add_links(cx, query)
    }

    /// Terms in parts come first, so that their parts are known when they are met alone.
    fn add_concats(&mut self, cx: &mut Context<'_>, query: &Query<'_>) -> bool {
        (0..self.relations.len()).all(|at| {
            let Relation { a, b, .. } = self.relations[at];
            [a, b].into_iter().all(|side| cx.pool.op(side) != Op::Concat || self.add(cx, query, side).is_some())
        })
    }

    fn add_links(&mut self, cx: &mut Context<'_>, query: &Query<'_>) -> bool {
        (0..self.relations.len()).all(|at| {
            let relation = self.of_whole_term(cx.pool, self.relations[at]);
            let ends = (self.add(cx, query, relation.a), self.add(cx, query, relation.b));
            let (Some(a), Some(b)) = ends else { return false };
            self.links.push(Link { op: relation.op, a, b, constraint: query.constraints[at] });
            true
        })
    }

    /// The sign of a term is the sign of its highest part.
    fn of_whole_term(&self, pool: &mut ExprPool, relation: Relation) -> Relation {
        if !relation.is_sign_test(pool) {
            return relation;
        }
        let zero = pool.mk_const(self.width, 0);
        let whole = |side: ExprId, pool: &ExprPool| match pool.op(side) {
            Op::Var => {
                let owner = self.owner.get(&pool.node(side).var()).map(|&term| self.terms[term as usize].expr);
                owner.filter(|&expr| pool.op(expr) == Op::Concat && pool.node(expr).arg(0) == side)
            }
            _ => None,
        };
        match (whole(relation.a, pool), whole(relation.b, pool)) {
            (Some(a), _) => Relation { a, b: zero, ..relation },
            (_, Some(b)) => Relation { a: zero, b, ..relation },
            _ => relation,
        }
    }

    fn add(&mut self, cx: &mut Context<'_>, query: &Query<'_>, expr: ExprId) -> Option<TermIdx> {
        if let Some(&known) = self.term_of.get(&expr) {
            return Some(known);
        }
        if cx.pool.width(expr) != self.width {
            return None;
        }
        let at = self.terms.len() as TermIdx;
        let is_const = cx.pool.is_const(expr);
        let mut value = 0u64;
        for (part, width) in parts(cx.pool, expr) {
            let node = cx.pool.node(part);
            let part_value = match node.op() {
                Op::Const if is_const => node.const_value(),
                Op::Var if self.owner.insert(node.var(), at).is_none() => query.hint.get_u64(node.var()).unwrap_or(0),
                _ => return None,
            };
            // Parts of 64 bits are the only ones.
            value = value.checked_shl(width).unwrap_or(0) | part_value;
        }
        self.terms.push(Term { expr, value, is_const });
        self.term_of.insert(expr, at);
        Some(at)
    }

    /// Sets the variables of a term so that it has a value, as far as they have to change.
    pub fn assign(&self, pool: &ExprPool, term: TermIdx, value: u64, hint: &Model, changes: &mut Model) {
        let mut low = self.width;
        for (part, width) in parts(pool, self.terms[term as usize].expr) {
            low -= width;
            let var = pool.node(part).var();
            let part_value = int::trunc(width, value >> low);
            if hint.get_u64(var).unwrap_or(0) != part_value {
                changes.set_u64(var, part_value);
            }
        }
    }
}

/// The parts of a term with their widths, the highest first.
fn parts(pool: &ExprPool, expr: ExprId) -> impl Iterator<Item = (ExprId, u32)> + '_ {
    // Concatenations are nested to the right.
    let mut rest = Some(expr);
    std::iter::from_fn(move || {
        let node = pool.node(rest?);
        let part = match node.op() {
            Op::Concat => {
                rest = Some(node.arg(1));
                node.arg(0)
            }
            _ => rest.take()?,
        };
        Some((part, pool.width(part)))
    })
}
