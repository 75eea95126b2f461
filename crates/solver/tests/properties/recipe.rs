//! Random conditions over a few variables, as straight-line recipes, which are easy to generate and to shrink.
//!
//! A recipe is built the same way in every pool. Numbers in it are taken modulo what there is to choose from, so every
//! recipe is good. Its shape bounds what it costs to solve: products and quotients stay narrow.

use proptest::prelude::*;
use spelunk_bv::float::FloatKind;
use spelunk_bv::{CmpOp, int};
use spelunk_expr::{ExprId, ExprPool, Model, Sort, Value, VarId};

use crate::common::operations::{Cost, Operands, Operation, arrays, floats, integers};

/// Products and quotients are made of the low bits of wider operands.
const MAX_HARD_WIDTH: u32 = 8;
const MAX_WIDTH: u32 = 140;
const INDEX_WIDTH: u32 = 4;

#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub widths: &'static [u32],
    pub max_steps: usize,
    pub floats: &'static [FloatKind],
}

/// What engines ask most: bytes and flags.
pub const NARROW: Shape = Shape { widths: &[1, 2, 3, 4, 8, 8], max_steps: 24, floats: &[] };
pub const WIDE: Shape = Shape { widths: &[1, 8, 16, 32, 64, 65, 128], max_steps: 24, floats: &[] };
pub const FLOATS: Shape =
    Shape { widths: &[1, 8, 16, 16], max_steps: 6, floats: &[FloatKind::Half, FloatKind::BFloat] };

/// An operation on earlier results.
#[derive(Clone, Debug)]
struct Step {
    operation: u16,
    args: [u8; 3],
    value: u64,
}

/// A comparison of a result with another one or with a constant.
#[derive(Clone, Debug)]
struct Condition {
    cmp: u8,
    args: [u8; 2],
    value: u64,
}

#[derive(Clone, Debug)]
pub struct Recipe {
    var_widths: Vec<u32>,
    steps: Vec<Step>,
    conditions: Vec<Condition>,
}

/// Few distinct numbers make equal operands and special constants likely.
fn numbers() -> impl Strategy<Value = u64> {
    prop_oneof![0..4u64, Just(u64::MAX), any::<u64>(), (0..64u32).prop_map(|at| 1 << at), 30..128u64]
}

pub fn recipes(shape: Shape, max_conditions: usize) -> impl Strategy<Value = Recipe> {
    let steps = (any::<u16>(), any::<[u8; 3]>(), numbers()).prop_map(|(operation, args, value)| Step {
        operation,
        args,
        value,
    });
    let conditions =
        (any::<u8>(), any::<[u8; 2]>(), numbers()).prop_map(|(cmp, args, value)| Condition { cmp, args, value });
    (
        prop::collection::vec(prop::sample::select(shape.widths), 1..5),
        prop::collection::vec(steps, 0..shape.max_steps),
        prop::collection::vec(conditions, 1..max_conditions),
    )
        .prop_map(move |(var_widths, steps, conditions)| Recipe { var_widths, steps, conditions })
}

/// The operations that recipes of a shape are made of.
pub struct Kitchen {
    operations: Vec<Operation>,
}

impl Kitchen {
    pub fn new(shape: Shape) -> Self {
        let floats = shape.floats.iter().flat_map(|&kind| floats(kind));
        // The remainder of floats takes a solver minutes.
        let floats = floats.filter(|operation| !operation.name.starts_with("frem"));
        Kitchen { operations: integers().into_iter().chain(arrays()).chain(floats).collect() }
    }
}

impl Recipe {
    /// Declares the variables; the last is an array.
    pub fn declare(&self, pool: &mut ExprPool) -> Vec<VarId> {
        let mut vars: Vec<VarId> = self.var_widths.iter().map(|&width| pool.new_var("x", Sort::Bv(width))).collect();
        vars.push(pool.new_var("A", Sort::Array { index_width: INDEX_WIDTH, elem_width: 8 }));
        vars
    }

    /// Values for all variables but the array, which is zero.
    pub fn model(&self, vars: &[VarId], seed: u64) -> Model {
        let mut model = Model::new();
        for (at, (&var, &width)) in vars.iter().zip(&self.var_widths).enumerate() {
            model.set(var, &Value::new(width, int::trunc(width.min(64), seed.rotate_left(13 * at as u32))));
        }
        model
    }

    pub fn build(&self, kitchen: &Kitchen, pool: &mut ExprPool, vars: &[VarId]) -> Vec<ExprId> {
        let (&array, vars) = vars.split_last().expect("the array");
        let array = pool.mk_var(array);
        let mut terms: Vec<ExprId> = vars.iter().map(|&var| pool.mk_var(var)).collect();
        let mut reads = Vec::new();
        for step in &self.steps {
            let term = match step.operation % 16 {
                // Reads of the array, which operations on values alone don't have.
                0 => {
                    let index = fit(pool, pick(&terms, step.args[0]), INDEX_WIDTH, step.value);
                    reads.push(index);
                    pool.mk_select(array, index)
                }
                1 if !reads.is_empty() => {
                    let elem = fit(pool, pick(&terms, step.args[0]), 8, step.value);
                    let written = pool.mk_store(array, pick(&reads, step.args[1]), elem);
                    let index = fit(pool, pick(&terms, step.args[2]), INDEX_WIDTH, step.value);
                    pool.mk_select(written, index)
                }
                _ => self.apply(kitchen, pool, &terms, step),
            };
            terms.push(if pool.width(term) > MAX_WIDTH { pool.mk_trunc(term, MAX_WIDTH) } else { term });
        }
        self.conditions.iter().map(|condition| mk_condition(pool, &terms, condition)).collect()
    }

    fn apply(&self, kitchen: &Kitchen, pool: &mut ExprPool, terms: &[ExprId], step: &Step) -> ExprId {
        let operation = &kitchen.operations[step.operation as usize / 16 % kitchen.operations.len()];
        let first = pick(terms, step.args[0]);
        let width = match (operation.cost, operation.operands) {
            (Cost::Quadratic, _) => pool.width(first).min(MAX_HARD_WIDTH),
            (_, Operands::Bytes) => 16 * pool.width(first).div_ceil(16),
            (_, Operands::Indices(_)) => pool.width(first).min(16),
            // Conversions from integers to floats are as hard as the integer is wide.
            _ if operation.name.starts_with("from-int") => pool.width(first).min(16),
            _ => pool.width(first),
        };
        let widths = operation.widths(width).expect("a width that the operation has");
        let operands = widths.iter().enumerate().map(|(at, &width)| match step.args[at] {
            // The first operand is a result, others may be constants.
            which if at == 0 || which >= 80 => fit(pool, pick(terms, which), width, step.value),
            _ => pool.mk_const(width, step.value),
        });
        let operands: Vec<ExprId> = operands.collect();
        operation.mk(pool, &operands)
    }
}

fn mk_condition(pool: &mut ExprPool, terms: &[ExprId], condition: &Condition) -> ExprId {
    let a = pick(terms, condition.args[0]);
    let b = match condition.args[1] {
        which if which >= 150 => fit(pool, pick(terms, which), pool.width(a), condition.value),
        _ => pool.mk_const(pool.width(a), condition.value),
    };
    pool.mk_cmp(CmpOp::ALL[condition.cmp as usize % CmpOp::ALL.len()], a, b)
}

/// Recent terms are preferred, so that expressions grow deep.
fn pick(terms: &[ExprId], which: u8) -> ExprId {
    terms[terms.len() - 1 - which as usize % terms.len().min(6)]
}

/// Brings a term to a width, in a way that the number chooses.
fn fit(pool: &mut ExprPool, id: ExprId, width: u32, how: u64) -> ExprId {
    match pool.width(id) {
        from if from > width => pool.mk_extract(id, how as u32 % (from - width + 1), width),
        _ if how & 1 == 0 => pool.mk_zext(id, width),
        _ => pool.mk_sext(id, width),
    }
}
