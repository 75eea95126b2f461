//! Each operation on bit-vectors, at each width: what it yields, what it does not yield, and which operands yield it.
//!
//! What is right is said by evaluation. All is asked with rewriting on, as engines ask, and with rewriting off, so that
//! every kind of node reaches the solver.

use std::collections::BTreeSet;

use spelunk_bv::float::FloatKind;
use spelunk_expr::{Evaluator, ExprId, ExprPool, Model, Op, Sort, Value, VarId};

use crate::asking::{expect_brute_force, expect_sat, expect_unsat, mk_is};
use crate::common::operations::{Cost, Operation, arrays, floats, integers};
use crate::common::session::Session;
use crate::contestants::Contestant;
use crate::values::{Random, flipped};

/// Up to this width of all operands together, all values are tried.
const MAX_EXHAUSTIVE: u32 = 6;
/// Beyond this width, operands of products and quotients are given: finding them is a research topic.
const MAX_HARD_INVERSE: u32 = 13;
/// Beyond this width, circuits of products and quotients are too large for a test.
const MAX_HARD: u32 = 65;

#[derive(Clone, Copy)]
enum Rewriting {
    On,
    Off,
}

pub fn check(contestant: &Contestant) {
    for operation in integers().iter().chain(&arrays()) {
        for &width in contestant.widths {
            if operation.cost == Cost::Linear || width <= MAX_HARD || width == 128 {
                Subject::check(contestant, operation, width, Rewriting::On);
                if contestant.is_thorough {
                    Subject::check(contestant, operation, width, Rewriting::Off);
                }
            }
        }
    }
}

/// An operation on variables.
struct Subject<'a> {
    session: Session,
    operation: &'a Operation,
    vars: Vec<VarId>,
    args: Vec<ExprId>,
    result: ExprId,
    evaluator: Evaluator,
}

impl Subject<'_> {
    fn check(contestant: &Contestant, operation: &Operation, width: u32, rewriting: Rewriting) {
        let Some(widths) = operation.widths(width) else { return };
        let mut session = contestant.session();
        session.name += &format!(", {} at {width} bits", operation.name);
        if let Rewriting::Off = rewriting {
            session.pool.set_rule_fuel(Some(0));
        }
        let vars: Vec<VarId> = widths.iter().map(|&width| session.pool.new_var("x", Sort::Bv(width))).collect();
        let args: Vec<ExprId> = vars.iter().map(|&var| session.pool.mk_var(var)).collect();
        let result = operation.mk(&mut session.pool, &args);
        let mut subject = Subject { session, operation, vars, args, result, evaluator: Evaluator::new() };
        let total: u32 = widths.iter().sum();
        if total <= MAX_EXHAUSTIVE {
            (0..1 << total).for_each(|bits| subject.check_values(&split(&widths, bits), bits));
            subject.check_every_result();
        } else {
            let mut random = Random(width as u64);
            for _ in 0..if contestant.is_thorough { 6 } else { 3 } {
                let values: Vec<Value> = widths.iter().map(|&width| random.sample(width)).collect();
                subject.check_values(&values, random.next());
            }
        }
    }

    /// The operation on these values, and the way back to values like these.
    fn check_values(&mut self, values: &[Value], seed: u64) {
        let mut model = Model::new();
        for (&var, value) in self.vars.iter().zip(values) {
            model.set(var, value);
        }
        let expected = self.evaluator.under(&self.session.pool, &model).eval(self.result);
        let pool = &mut self.session.pool;
        let mut given: Vec<ExprId> =
            self.args.iter().zip(values).map(|(&arg, value)| mk_is(pool, arg, value)).collect();
        let right = mk_is(pool, self.result, &expected);
        let wrong = mk_is(pool, self.result, &flipped(&expected, seed));
        given.push(right);
        expect_sat(&mut self.session, &given);
        *given.last_mut().expect("not empty") = wrong;
        expect_unsat(&mut self.session, &given);
        if self.operation.cost == Cost::Linear || values[0].width() <= MAX_HARD_INVERSE {
            expect_sat(&mut self.session, &[right]);
            let kept = given[seed as usize % self.args.len()];
            expect_sat(&mut self.session, &[kept, right]);
        }
    }

    /// Which results there are at all.
    fn check_every_result(&mut self) {
        let width = self.session.pool.width(self.result);
        for value in 0..1 << width.min(MAX_EXHAUSTIVE) {
            let is_value = mk_is(&mut self.session.pool, self.result, &Value::new(width, value));
            expect_brute_force(&mut self.session, &[is_value]);
        }
    }
}

/// Bits as values of these widths.
fn split(widths: &[u32], mut bits: u64) -> Vec<Value> {
    let part = |&width: &u32| {
        let value = Value::new(width, bits);
        bits >>= width;
        value
    };
    widths.iter().map(part).collect()
}

#[test]
fn every_kind_of_node_is_in_the_tables() {
    let mut pool = ExprPool::new();
    pool.set_rule_fuel(Some(0));
    let all: Vec<Operation> =
        integers().into_iter().chain(arrays()).chain(FloatKind::ALL.into_iter().flat_map(floats)).collect();
    let mut roots = vec![pool.mk_const(100, 0)];
    let array = pool.new_var("A", Sort::Array { index_width: 8, elem_width: 8 });
    roots.push(pool.mk_var(array));
    for operation in &all {
        let widths = operation.widths(16).expect("16 bits will do for all");
        let args: Vec<ExprId> = widths
            .iter()
            .map(|&width| {
                let var = pool.new_var("x", Sort::Bv(width));
                pool.mk_var(var)
            })
            .collect();
        roots.push(operation.mk(&mut pool, &args));
    }
    let seen: BTreeSet<Op> = pool.postorder(&roots).into_iter().map(|id| pool.op(id)).collect();
    let missing: Vec<&Op> = Op::ALL.iter().filter(|op| !seen.contains(op)).collect();
    assert!(missing.is_empty(), "no line of the tables makes {missing:?}");
}
