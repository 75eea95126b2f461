//! Orders: comparisons of terms with each other and with constants, as sorting and searching make them.
//!
//! Such a query is a graph of bounds (see [`graph`]), and the values of the hint satisfy all but the target's. So a
//! branch flip moves a few values past each other, or finds the circle of bounds that forbids it. Terms that must only
//! differ are kept apart by choosing which is the smaller one; where choices that exclude each other are left, the query
//! is handed on. All orders have to be signed, or all unsigned.

mod graph;

use spelunk_bv::int;
use spelunk_expr::{ExprId, Model};

use super::relation::{Link, RelOp, Sign, TermIdx, Terms};
use crate::chain::Layer;
use crate::query::{Answer, Query};
use crate::stage::{Context, Freed, Rest, Stage};
use graph::{Conflict, Edge, Graph};

#[derive(Default)]
pub struct Order {
    terms: Terms,
    graph: Graph,
    /// What is added to a value so that the order is that of unsigned numbers: the sign bit, or nothing.
    bias: u64,
}

/// How often terms that must differ are moved apart.
const MAX_MOVES: usize = 64;

/// What imposing all constraints came to.
enum Outcome {
    Satisfied,
    Impossible(Vec<ExprId>),
    Undecided,
}

impl Stage for Order {
    fn name(&self) -> &'static str {
        Layer::Order.name()
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        if !self.terms.read(cx, query, |_| true) || !self.choose_bias() {
            return rest.check(cx, query);
        }
        match self.solve() {
            Outcome::Satisfied => Answer::Sat(self.changes(cx, query)),
            Outcome::Impossible(core) => Answer::Unsat(core),
            Outcome::Undecided => rest.check(cx, query),
        }
    }

    fn forget(&mut self, _freed: &Freed) {}
}

impl Order {
    /// Returns whether all orders are of one sign.
    fn choose_bias(&mut self) -> bool {
        let mut signs = self.terms.links.iter().filter_map(|link| match link.op {
            RelOp::Lt(sign) | RelOp::Le(sign) => Some(sign),
            RelOp::Eq | RelOp::Ne => None,
        });
        let first = signs.next().unwrap_or(Sign::Unsigned);
        self.bias = if first == Sign::Signed { int::sign_bit(self.terms.width) } else { 0 };
        signs.all(|sign| sign == first)
    }

    fn solve(&mut self) -> Outcome {
        self.graph.clear(int::mask(self.terms.width));
        for term in &self.terms.terms {
            self.graph.add_node(term.value ^ self.bias, term.is_const);
        }
        for link in &self.terms.links {
            let edge = |low, gap, high| Edge { low, high, gap, reason: link.constraint, is_assumed: false };
            let result = match link.op {
                RelOp::Lt(_) => self.graph.impose(edge(link.a, 1, link.b)),
                RelOp::Le(_) => self.graph.impose(edge(link.a, 0, link.b)),
                RelOp::Eq => {
                    self.graph.impose(edge(link.a, 0, link.b)).and_then(|()| self.graph.impose(edge(link.b, 0, link.a)))
                }
                RelOp::Ne => Ok(()),
            };
            if let Err(conflict) = result {
                return Outcome::Impossible(conflict.reasons);
            }
        }
        for _ in 0..MAX_MOVES {
            let is_violated =
                |link: &&Link| link.op == RelOp::Ne && self.graph.value(link.a) == self.graph.value(link.b);
            let Some(&Link { a, b, constraint, .. }) = self.terms.links.iter().find(is_violated) else {
                return Outcome::Satisfied;
            };
            if let Err([one, other]) = self.move_apart(a, b, constraint) {
                return match one.has_assumed || other.has_assumed {
                    true => Outcome::Undecided,
                    false => Outcome::Impossible(union(one.reasons, &other.reasons)),
                };
            }
        }
        Outcome::Undecided
    }

    /// Makes one of two equal terms the smaller one.
    fn move_apart(&mut self, a: TermIdx, b: TermIdx, reason: ExprId) -> Result<(), [Conflict; 2]> {
        let edge = |low, high| Edge { low, high, gap: 1, reason, is_assumed: true };
        let Err(one) = self.graph.impose(edge(a, b)) else { return Ok(()) };
        self.graph.impose(edge(b, a)).map_err(|other| [one, other])
    }

    fn changes(&self, cx: &Context<'_>, query: &Query<'_>) -> Model {
        let mut changes = Model::new();
        for (at, term) in (0..).zip(&self.terms.terms) {
            let value = self.graph.value(at) ^ self.bias;
            if value != term.value {
                self.terms.assign(cx.pool, at, value, query.hint, &mut changes);
            }
        }
        changes
    }
}

fn union(mut one: Vec<ExprId>, other: &[ExprId]) -> Vec<ExprId> {
    for id in other {
        if !one.contains(id) {
            one.push(*id);
        }
    }
    one
}
