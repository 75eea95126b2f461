//! Conditions that held for the state at the head of a loop so far. They are guesses: the proof keeps those that go on holding.

use crate::relation::Relation;
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_bv::FCmpOp;
use spelunk_bv::float::FloatKind;
use spelunk_expr::{Evaluator, ExprId, ExprPool, Model, Op, Substitution, VarId};

/// Parts of which pairs are compared.
const MOST_COMPARED: usize = 6;
const MOST_IN_TEMPLATES: usize = 3;

/// Simple conditions on parts and pairs of parts that all of these states satisfy, each a value for every part.
pub fn conditions(pool: &mut ExprPool, relation: &Relation, states: &[Vec<u64>]) -> Vec<ExprId> {
    let symbols: Vec<ExprId> = relation.parts.iter().map(|part| part.symbol).collect();
    let mut candidates = Vec::new();
    let kinds = floats(pool, relation);
    for (idx, &symbol) in symbols.iter().enumerate() {
        let values = states.iter().map(|state| state[idx]);
        match kinds.get(&symbol) {
            Some(&kind) => of_float(pool, (kind, symbol), values, &mut candidates),
            None => of_one(pool, symbol, values, &mut candidates),
        }
    }
    let compared = &symbols[..symbols.len().min(MOST_COMPARED)];
    for (idx, &a) in compared.iter().enumerate() {
        for (other, &b) in compared.iter().enumerate().skip(idx + 1) {
            let is_number = |symbol| !kinds.contains_key(symbol);
            if pool.width(a) == pool.width(b) && is_number(&a) && is_number(&b) {
                of_two(pool, (a, b), states.first().map(|state| (state[idx], state[other])), &mut candidates);
            }
        }
    }
    candidates.sort_unstable();
    candidates.dedup();
    retain_true(pool, &symbols, states, candidates)
}

/// Conditions on parts that keep many loops going, whether or not they were ever met: residues, signs, orders.
pub fn templates(pool: &mut ExprPool, relation: &Relation) -> Vec<ExprId> {
    let symbols: Vec<ExprId> = relation.parts.iter().take(MOST_IN_TEMPLATES).map(|part| part.symbol).collect();
    let mut found = Vec::new();
    for (idx, &x) in symbols.iter().enumerate() {
        let width = pool.width(x);
        for n_bits in (1..=2).filter(|&n_bits| n_bits < width) {
            let low = pool.mk_trunc(x, n_bits);
            for residue in 0..1 << n_bits {
                let residue = pool.mk_const(n_bits, residue);
                found.push(pool.mk_eq(low, residue));
            }
        }
        let zero = pool.mk_const(width, 0);
        found.extend([pool.mk_slt(zero, x), pool.mk_slt(x, zero), pool.mk_sle(zero, x), pool.mk_sle(x, zero)]);
        for &y in &symbols[idx + 1..] {
            if pool.width(y) == width {
                of_two(pool, (x, y), None, &mut found);
            }
        }
    }
    found
}

fn of_one(pool: &mut ExprPool, x: ExprId, values: impl Iterator<Item = u64>, out: &mut Vec<ExprId>) {
    let values: Vec<u64> = values.collect();
    let width = pool.width(x);
    let zero = pool.mk_const(width, 0);
    let is_zero = pool.mk_eq(x, zero);
    let (positive, negative) = (pool.mk_slt(zero, x), pool.mk_slt(x, zero));
    out.extend([pool.mk_not(is_zero), positive, negative, pool.mk_not(positive), pool.mk_not(negative)]);
    let Some(&first) = values.first() else { return };
    let first = pool.mk_const(width, first);
    out.extend([pool.mk_eq(x, first), pool.mk_sle(x, first), pool.mk_sle(first, x)]);
    out.extend([pool.mk_ule(x, first), pool.mk_ule(first, x)]);
    // The low bits.
    for n_bits in (1..=4).filter(|&n_bits| n_bits < width) {
        let (low, expected) = (pool.mk_trunc(x, n_bits), pool.mk_trunc(first, n_bits));
        out.push(pool.mk_eq(low, expected));
    }
    // Bounds that were seen.
    let (least, most) = (values.iter().copied().min(), values.iter().copied().max());
    for (bound, is_least) in [(least, true), (most, false)] {
        let bound = pool.mk_const(width, bound.unwrap_or(0));
        out.push(if is_least { pool.mk_ule(bound, x) } else { pool.mk_ule(x, bound) });
    }
}

/// Parts that are computed with as floating-point numbers of usual size.
fn floats(pool: &ExprPool, relation: &Relation) -> FxHashMap<ExprId, FloatKind> {
    let mut found = FxHashMap::default();
    let mut seen = FxHashSet::default();
    let nexts = relation.parts.iter().map(|part| part.next);
    let mut waiting: Vec<ExprId> = relation.conds.iter().copied().chain(nexts).collect();
    while let Some(expr) = waiting.pop() {
        if !seen.insert(expr) {
            continue;
        }
        let node = pool.node(expr);
        if matches!(node.op(), Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FEq | Op::FLt | Op::FLe) {
            let symbols = node.args().filter(|&arg| pool.node(arg).op() == Op::Var);
            found.extend(symbols.map(|symbol| (symbol, node.kind())));
        }
        waiting.extend(node.args());
    }
    found.retain(|_, kind| matches!(kind, FloatKind::Float | FloatKind::Double));
    found
}

/// Signs, and bounds that were seen.
fn of_float(
    pool: &mut ExprPool,
    (kind, x): (FloatKind, ExprId),
    values: impl Iterator<Item = u64>,
    out: &mut Vec<ExprId>,
) {
    let number = |bits: u64| {
        if kind == FloatKind::Float { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
    };
    let mut values: Vec<u64> = values.collect();
    let first = values.first().copied().unwrap_or(0);
    values.sort_by(|&a, &b| number(a).total_cmp(&number(b)));
    let (least, most) = (values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(0));
    for bound in [0, first, least, most] {
        let bound = pool.mk_const(kind.bits(), bound);
        for op in [FCmpOp::Olt, FCmpOp::Ole] {
            out.extend([pool.mk_fcmp(kind, op, x, bound), pool.mk_fcmp(kind, op, bound, x)]);
        }
    }
}

fn of_two(pool: &mut ExprPool, (a, b): (ExprId, ExprId), first: Option<(u64, u64)>, out: &mut Vec<ExprId>) {
    let equal = pool.mk_eq(a, b);
    out.extend([equal, pool.mk_not(equal)]);
    out.extend([pool.mk_sle(a, b), pool.mk_sle(b, a), pool.mk_ule(a, b), pool.mk_ule(b, a)]);
    out.extend([pool.mk_slt(a, b), pool.mk_slt(b, a), pool.mk_ult(a, b), pool.mk_ult(b, a)]);
    let Some((x, y)) = first else { return };
    let width = pool.width(a);
    let (difference, sum) = (pool.mk_sub(a, b), pool.mk_add(a, b));
    let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    let apart = pool.mk_const(width, x.wrapping_sub(y) & mask);
    let together = pool.mk_const(width, x.wrapping_add(y) & mask);
    out.extend([pool.mk_eq(difference, apart), pool.mk_eq(sum, together)]);
    let zero = pool.mk_const(width, 0);
    out.extend([pool.mk_sle(zero, sum), pool.mk_sle(sum, zero)]);
}

/// Whether conditions hold for all states that were seen: they do if they are proved to, unless the relation is not what the program
/// does.
pub fn hold(pool: &mut ExprPool, relation: &Relation, conds: &[ExprId], states: &[Vec<u64>]) -> bool {
    let mut at_input = at_input(pool, relation);
    let conds: Vec<ExprId> = conds.iter().map(|&cond| at_input.apply(pool, cond)).collect();
    let symbols: Vec<ExprId> = relation.parts.iter().map(|part| part.symbol).collect();
    let n_expected = conds.iter().filter(|&&cond| cond != ExprId::TRUE).count();
    retain_true(pool, &symbols, states, conds).len() == n_expected
}

/// Replaces the input by its present values.
pub fn at_input(pool: &mut ExprPool, relation: &Relation) -> Substitution {
    let fixed = |&var: &VarId| {
        let expr = pool.mk_var(var);
        (expr, pool.mk_const(pool.width(expr), relation.model.get_u64(var).unwrap_or(0)))
    };
    Substitution::new(relation.inputs.iter().map(fixed).collect::<Vec<_>>())
}

fn retain_true(pool: &ExprPool, symbols: &[ExprId], states: &[Vec<u64>], mut conds: Vec<ExprId>) -> Vec<ExprId> {
    let mut evaluator = Evaluator::new();
    for state in states {
        let mut model = Model::new();
        for (&symbol, &value) in symbols.iter().zip(state) {
            let width = pool.width(symbol);
            // A state that has no such part is none of the relation's.
            if width < 64 && value >> width != 0 {
                return Vec::new();
            }
            model.set_u64(pool.node(symbol).var(), value);
        }
        let mut evaluation = evaluator.under(pool, &model);
        conds.retain(|&cond| evaluation.eval_bool(cond));
    }
    conds.retain(|&cond| cond != ExprId::TRUE);
    conds
}
