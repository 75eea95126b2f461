//! All terms of two operations on small bit-vectors, under all values of their variables: with rules and without, and
//! against what is known of them.

use std::collections::HashMap;

use spelunk_bv::{BinOp, CmpOp, OverflowOp, SatOp};
use spelunk_expr::{Evaluator, ExprId, ExprPool, Model, Rule, Sort, VarId};

/// An operation of up to two operands of one width; its result has that width or is one bit.
#[derive(Clone, Copy, Debug)]
enum Step {
    Bin(BinOp),
    Cmp(CmpOp),
    Overflow(OverflowOp),
    Sat(SatOp),
    Not,
    Neg,
    /// Shifted parts of both operands, joined: exercises extract and concat.
    Parts,
    Zext,
    Sext,
    /// A choice by the lowest bit of the first operand.
    Ite,
    /// A choice between equal values.
    IteEq,
    /// Arithmetic as C does it on small types: extended, added, cut.
    Promoted,
}

fn all_steps() -> Vec<Step> {
    let mut steps =
        vec![Step::Not, Step::Neg, Step::Parts, Step::Zext, Step::Sext, Step::Ite, Step::IteEq, Step::Promoted];
    steps.extend(BinOp::ALL.iter().map(|&op| Step::Bin(op)));
    steps.extend(CmpOp::ALL.iter().map(|&op| Step::Cmp(op)));
    steps.extend([SatOp::USubSat, SatOp::UMin].map(Step::Sat));
    steps.extend(OverflowOp::ALL.iter().map(|&op| Step::Overflow(op)));
    steps
}

impl Step {
    fn apply(self, pool: &mut ExprPool, a: ExprId, b: ExprId) -> ExprId {
        let w = pool.width(a);
        match self {
            Step::Bin(op) => pool.mk_binop(op, a, b),
            Step::Cmp(op) => pool.mk_cmp(op, a, b),
            Step::Overflow(op) => pool.mk_overflow(op, a, b),
            Step::Sat(op) => pool.mk_sat(op, a, b),
            Step::Not => pool.mk_not(a),
            Step::Neg => pool.mk_neg(a),
            Step::Parts => {
                let joined = pool.mk_concat(a, b);
                pool.mk_extract(joined, w / 2, w)
            }
            Step::Zext => pool.mk_zext(a, w + 1),
            Step::Sext => pool.mk_sext(a, w + 2),
            Step::Ite => {
                let cond = pool.mk_trunc(a, 1);
                pool.mk_ite(cond, a, b)
            }
            Step::IteEq => {
                let cond = pool.mk_eq(a, b);
                pool.mk_ite(cond, a, b)
            }
            Step::Promoted => {
                let (wide_a, wide_b) = (pool.mk_sext(a, w + 2), pool.mk_zext(b, w + 2));
                let sum = pool.mk_add(wide_a, wide_b);
                pool.mk_trunc(sum, w)
            }
        }
    }
}

/// The same leaves in a pool: two variables and constants.
fn leaves(pool: &mut ExprPool, width: u32, vars: &[VarId]) -> Vec<ExprId> {
    let mut leaves: Vec<ExprId> = vars.iter().map(|&var| pool.mk_var(var)).collect();
    let mask = (1u64 << width) - 1;
    let mut values = vec![0, 1, mask, mask >> 1, (mask >> 1) + 1, 5 & mask];
    values.sort();
    values.dedup();
    leaves.extend(values.into_iter().map(|value| pool.mk_const(width, value)));
    leaves
}

/// Brings the result of a step to a width, so that it can be an operand of the next.
fn fit(pool: &mut ExprPool, a: ExprId, width: u32) -> ExprId {
    match pool.width(a) {
        w if w < width => pool.mk_sext(a, width),
        w if w > width => pool.mk_extract(a, w - width, width),
        _ => a,
    }
}

struct Side {
    pool: ExprPool,
    vars: Vec<VarId>,
    evaluator: Evaluator,
    /// Under each model.
    values: HashMap<ExprId, Vec<u64>>,
}

impl Side {
    fn new(width: u32, fuel: Option<u64>) -> Self {
        let mut pool = ExprPool::new();
        pool.set_rule_fuel(fuel);
        let vars = ["x", "y"].map(|name| pool.new_var(name, Sort::Bv(width))).to_vec();
        Side { pool, vars, evaluator: Evaluator::new(), values: HashMap::new() }
    }

    /// The terms of two steps, each with the leaves it is made of.
    fn terms(&mut self, width: u32, first: Step, second: Step) -> Vec<(Vec<ExprId>, ExprId)> {
        let pool = &mut self.pool;
        let leaves = leaves(pool, width, &self.vars);
        let mut terms = Vec::new();
        for (&a, &b) in leaves.iter().flat_map(|a| leaves.iter().map(move |b| (a, b))) {
            let inner = first.apply(pool, a, b);
            let inner = fit(pool, inner, width);
            for &c in &leaves {
                terms.push((vec![a, b, c], second.apply(pool, inner, c)));
                terms.push((vec![c, a, b], second.apply(pool, c, inner)));
            }
        }
        // Two inner terms, of few leaves: both variables and a constant.
        let few = &leaves[..3];
        let pairs: Vec<(ExprId, ExprId)> = few.iter().flat_map(|&a| few.iter().map(move |&b| (a, b))).collect();
        for (&(a, b), &(c, d)) in pairs.iter().flat_map(|left| pairs.iter().map(move |right| (left, right))) {
            let (left, right) = (first.apply(pool, a, b), first.apply(pool, c, d));
            terms.push((vec![a, b, c, d], second.apply(pool, left, right)));
        }
        terms
    }

    fn values_of(&mut self, term: ExprId, models: &[Model]) -> &[u64] {
        let Side { pool, evaluator, values, .. } = self;
        let compute = || models.iter().map(|model| evaluator.under(pool, model).eval_u64(term)).collect();
        values.entry(term).or_insert_with(compute)
    }
}

fn check(width: u32, hits: &mut [u64]) {
    let mut plain = Side::new(width, Some(0));
    let mut rewritten = Side::new(width, None);
    let models: Vec<Model> = (0..1u64 << (2 * width))
        .map(|bits| {
            let mut model = Model::new();
            model.set_u64(plain.vars[0], bits & ((1 << width) - 1));
            model.set_u64(plain.vars[1], bits >> width);
            model
        })
        .collect();
    for first in all_steps() {
        for second in all_steps() {
            let expected = plain.terms(width, first, second);
            for ((leaves, term), (same_leaves, plain_term)) in
                rewritten.terms(width, first, second).iter().zip(&expected)
            {
                assert_eq!(leaves, same_leaves);
                compare(&mut plain, &mut rewritten, (*plain_term, *term), &models, (first, second));
            }
        }
    }
    for (hits, &rule) in hits.iter_mut().zip(Rule::ALL) {
        *hits += rewritten.pool.rule_hits(rule);
    }
}

fn compare(plain: &mut Side, rewritten: &mut Side, terms: (ExprId, ExprId), models: &[Model], what: (Step, Step)) {
    let (plain_term, term) = terms;
    assert_eq!(plain.pool.width(plain_term), rewritten.pool.width(term), "{what:?}");
    let facts = [plain.pool.facts(plain_term), rewritten.pool.facts(term)].map(|facts| facts.expect("narrow"));
    let (expected, got) = (plain.values_of(plain_term, models), rewritten.values_of(term, models));
    assert_eq!(expected, got, "{what:?}");
    for facts in facts {
        for &value in expected {
            assert!(facts.admits(value), "{what:?}: {facts:?} excludes {value}");
        }
    }
}

#[test]
fn rules_and_facts_hold_for_all_small_terms() {
    let mut hits = vec![0; Rule::ALL.len()];
    for width in 1..=3 {
        check(width, &mut hits);
    }
    // Arrays, floats and wide constants have their own tests.
    let unused: Vec<&str> = Rule::ALL
        .iter()
        .zip(&hits)
        .filter(|(rule, hits)| **hits == 0 && **rule < Rule::SelectStoreSame)
        .map(|(rule, _)| rule.name())
        .collect();
    assert_eq!(unused, [""; 0], "rules that no small term needs");
}

/// What is missing to a length is at most all of it, wherever constants were moved to.
#[test]
fn differences_that_a_comparison_guards_do_not_wrap() {
    let mut pool = ExprPool::new();
    let var = pool.new_var("x", Sort::Bv(3));
    let x = pool.mk_var(var);
    let wide = pool.mk_zext(x, 64);
    let one = pool.mk_const(64, 1);
    let length = pool.mk_add(wide, one);
    for all in 2..12 {
        let width = pool.mk_const(64, all);
        let missing = pool.mk_sat(SatOp::USubSat, width, length);
        let facts = pool.facts(missing).expect("narrow");
        assert_eq!((facts.umin, facts.umax), (all.saturating_sub(8), all - 1), "{all}");
    }
}
