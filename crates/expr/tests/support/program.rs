//! Random expressions as straight-line programs, which are easy to generate and to shrink.

use proptest::prelude::*;
use spelunk_bv::float::FloatKind;
use spelunk_bv::{BinOp, CmpOp, FBinOp, FCmpOp, FunnelOp, OverflowOp, RoundOp, SatOp, Signedness, UnOp};
use spelunk_expr::{ExprId, ExprPool, Model, Sort, Value, VarId};

/// One step: an operation on earlier results, picked by numbers that are taken modulo what there is.
#[derive(Clone, Debug)]
pub struct Step {
    op: u8,
    which: u8,
    args: [u8; 3],
    value: u64,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub var_widths: Vec<u32>,
    pub steps: Vec<Step>,
}

/// Values for the variables of a program, and a seed for its array.
#[derive(Clone, Debug)]
pub struct Input {
    values: Vec<[u64; 3]>,
    array_seed: u64,
}

const WIDTHS: [u32; 14] = [1, 1, 2, 3, 7, 8, 8, 16, 31, 32, 64, 65, 80, 128];
const INDEX_WIDTH: u32 = 8;

pub fn programs(max_steps: usize) -> impl Strategy<Value = Program> {
    let widths = prop::collection::vec(prop::sample::select(&WIDTHS[..]), 1..5);
    // Few distinct values make equal operands and special constants likely.
    let values = prop_oneof![0..4u64, Just(u64::MAX), any::<u64>(), (0..64u32).prop_map(|at| 1 << at)];
    let step = (any::<u8>(), any::<u8>(), any::<[u8; 3]>(), values).prop_map(|(op, which, args, value)| Step {
        op,
        which,
        args,
        value,
    });
    (widths, prop::collection::vec(step, 1..max_steps)).prop_map(|(var_widths, steps)| Program { var_widths, steps })
}

pub fn inputs() -> impl Strategy<Value = Vec<Input>> {
    let value = prop_oneof![Just([0; 3]), Just([u64::MAX; 3]), Just([1, 0, 0]), any::<[u64; 3]>()];
    let input =
        (prop::collection::vec(value, 5), any::<u64>()).prop_map(|(values, array_seed)| Input { values, array_seed });
    prop::collection::vec(input, 8)
}

impl Program {
    /// Declares the variables; the array is the last.
    pub fn declare(&self, pool: &mut ExprPool) -> Vec<VarId> {
        let mut vars: Vec<VarId> = self.var_widths.iter().map(|&width| pool.new_var("x", Sort::Bv(width))).collect();
        vars.push(pool.new_var("A", Sort::Array { index_width: INDEX_WIDTH, elem_width: 8 }));
        vars
    }

    pub fn model(&self, vars: &[VarId], input: &Input) -> Model {
        let mut model = Model::new();
        for ((&var, &width), value) in vars.iter().zip(&self.var_widths).zip(&input.values) {
            model.set(var, &Value::from_limbs(width, value));
        }
        let array = model.array_mut(vars[vars.len() - 1]);
        array.default = input.array_seed & 0xff;
        for index in 0..16 {
            array.elements.insert(index * 7 % 256, input.array_seed >> index & 0xff);
        }
        model
    }

    /// The results of all steps, bit-vectors only.
    pub fn build(&self, pool: &mut ExprPool, vars: &[VarId]) -> Vec<ExprId> {
        let mut terms: Vec<ExprId> = vars[..vars.len() - 1].iter().map(|&var| pool.mk_var(var)).collect();
        let mut arrays = vec![pool.mk_var(vars[vars.len() - 1])];
        for step in &self.steps {
            let term = apply(pool, step, &terms, &mut arrays);
            terms.push(term);
        }
        terms
    }
}

/// Brings a term to a width, in a way that the step chooses.
fn fit(pool: &mut ExprPool, id: ExprId, width: u32, step: &Step) -> ExprId {
    match pool.width(id) {
        from if from > width => pool.mk_extract(id, step.value as u32 % (from - width + 1), width),
        _ if step.which & 1 == 0 => pool.mk_zext(id, width),
        _ => pool.mk_sext(id, width),
    }
}

fn pick<T: Copy>(all: &[T], which: u8) -> T {
    all[which as usize % all.len()]
}

fn apply(pool: &mut ExprPool, step: &Step, terms: &[ExprId], arrays: &mut Vec<ExprId>) -> ExprId {
    // Recent terms are preferred, so that expressions grow deep.
    let recent = |which: u8| terms[terms.len() - 1 - (which as usize % terms.len().min(6))];
    let a = recent(step.args[0]);
    let w = pool.width(a);
    let b = if step.args[1] < 80 { pool.mk_const(w, step.value) } else { fit(pool, recent(step.args[1]), w, step) };
    let (a, b) = if step.args[1] & 1 == 0 { (a, b) } else { (b, a) };
    let c = fit(pool, recent(step.args[2]), w, step);
    match step.op % 20 {
        0..4 => pool.mk_binop(pick(BinOp::ALL, step.which), a, b),
        4..6 => pool.mk_cmp(pick(CmpOp::ALL, step.which), a, b),
        6 => pool.mk_overflow(pick(OverflowOp::ALL, step.which), a, b),
        7 => pool.mk_not(a),
        8 => pool.mk_neg(a),
        9 if w <= 128 => pool.mk_concat(a, b),
        10 => pool.mk_extract(a, step.args[1] as u32 % w, step.which as u32 % (w - step.args[1] as u32 % w) + 1),
        11 => pool.mk_zext(a, w + step.which as u32 % 9),
        12 => pool.mk_sext(a, w + step.which as u32 % 9),
        13 | 14 => {
            let cond = recent(step.which);
            let cond = pool.mk_trunc(cond, 1);
            pool.mk_ite(cond, b, c)
        }
        15 => {
            let (index, elem) = (fit(pool, a, INDEX_WIDTH, step), fit(pool, b, 8, step));
            let array = pick(arrays, step.which);
            let array = match step.which % 5 {
                0 => pool.mk_table(INDEX_WIDTH, 8, &step.value.to_le_bytes()),
                1 => pool.mk_const_array(INDEX_WIDTH, elem),
                _ => pool.mk_store(array, index, elem),
            };
            arrays.push(array);
            pool.mk_select(array, index)
        }
        16 => {
            let index = fit(pool, a, INDEX_WIDTH, step);
            let array = pick(arrays, step.which);
            pool.mk_select(array, index)
        }
        17 => match step.which % 3 {
            0 if w.is_multiple_of(16) => pool.mk_unop(UnOp::Bswap, a),
            0 => pool.mk_unop(pick(&[UnOp::Ctpop, UnOp::Ctlz, UnOp::Cttz, UnOp::Abs], step.args[2]), a),
            1 => pool.mk_sat(pick(SatOp::ALL, step.args[2]), a, b),
            _ => pool.mk_funnel(pick(FunnelOp::ALL, step.args[2]), a, b, c),
        },
        _ => apply_float(pool, step, [a, b, c]),
    }
}

fn apply_float(pool: &mut ExprPool, step: &Step, args: [ExprId; 3]) -> ExprId {
    let (kind, to) = (pick(&FloatKind::ALL, step.which), pick(&FloatKind::ALL, step.args[2]));
    let sign = pick(Signedness::ALL, step.args[1]);
    let int = args[0];
    let [a, b, c] = args.map(|arg| fit(pool, arg, kind.bits(), step));
    let width = pick(&WIDTHS, step.args[2]);
    match step.args[0] % 9 {
        0 | 1 => pool.mk_fcmp(kind, pick(FCmpOp::ALL, step.args[2]), a, b),
        2 => pool.mk_fbinop(kind, pick(FBinOp::ALL, step.args[2]), a, b),
        3 => pool.mk_fma(kind, a, b, c),
        4 => pool.mk_fround(kind, pick(RoundOp::ALL, step.args[2]), a),
        5 => pool.mk_float_to_int(kind, sign, width, a),
        6 => pool.mk_int_to_float(kind, sign, int),
        7 => pool.mk_fconvert(kind, to, a),
        _ => pool.mk_fsqrt(kind, a),
    }
}
