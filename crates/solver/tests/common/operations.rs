//! Every operation that the builder makes, in one table for sweeping and for picking at random.
//!
//! Steps to add one: a line in [`integers`], [`arrays`] or [`floats`]. A test of the conformance suite insists that
//! every node kind comes out of some line.

use spelunk_bv::float::FloatKind;
use spelunk_bv::{BinOp, CmpOp, FBinOp, FCmpOp, FMinMaxOp, FunnelOp, OverflowOp, RoundOp, SatOp, Signedness, UnOp};
use spelunk_expr::{ExprId, ExprPool};

type Make = Box<dyn Fn(&mut ExprPool, &[ExprId]) -> ExprId>;

pub struct Operation {
    pub name: String,
    pub operands: Operands,
    pub cost: Cost,
    make: Make,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operands {
    /// So many, of one width.
    Equal(usize),
    /// One, of a multiple of 16 bits.
    Bytes,
    /// So many, of one width that indices and elements of arrays can have.
    Indices(usize),
    /// A condition, and two of one width.
    Choice,
    /// So many, of the width of a format.
    Floats(usize, FloatKind),
}

/// How a circuit for the operation grows with the width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cost {
    Linear,
    Quadratic,
}

impl Operation {
    fn new(
        name: impl Into<String>,
        operands: Operands,
        make: impl Fn(&mut ExprPool, &[ExprId]) -> ExprId + 'static,
    ) -> Self {
        Operation { name: name.into(), operands, cost: Cost::Linear, make: Box::new(make) }
    }

    fn quadratic(self) -> Self {
        Operation { cost: Cost::Quadratic, ..self }
    }

    fn with_cost(self, is_quadratic: bool) -> Self {
        if is_quadratic { self.quadratic() } else { self }
    }

    /// The widths of the operands at a width, if the operation makes sense there.
    pub fn widths(&self, width: u32) -> Option<Vec<u32>> {
        match self.operands {
            Operands::Equal(n) => Some(vec![width; n]),
            Operands::Indices(n) => (width <= 64).then(|| vec![width; n]),
            Operands::Bytes => width.is_multiple_of(16).then(|| vec![width]),
            Operands::Choice => Some(vec![1, width, width]),
            Operands::Floats(n, kind) => Some(vec![kind.bits(); n]),
        }
    }

    /// The operation on operands of the widths that [`Operation::widths`] gave.
    pub fn mk(&self, pool: &mut ExprPool, args: &[ExprId]) -> ExprId {
        (self.make)(pool, args)
    }
}

/// Operations on bit-vectors.
pub fn integers() -> Vec<Operation> {
    use Operands::{Bytes, Choice, Equal};
    let mut all = Vec::new();
    for &op in BinOp::ALL {
        let is_quadratic = matches!(op, BinOp::Mul | BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem);
        let operation = Operation::new(op.name(), Equal(2), move |pool, args| pool.mk_binop(op, args[0], args[1]));
        all.push(operation.with_cost(is_quadratic));
    }
    for &op in CmpOp::ALL {
        all.push(Operation::new(op.name(), Equal(2), move |pool, args| pool.mk_cmp(op, args[0], args[1])));
    }
    for &op in OverflowOp::ALL {
        let name = format!("{op}.overflow");
        let operation = Operation::new(name, Equal(2), move |pool, args| pool.mk_overflow(op, args[0], args[1]));
        all.push(operation.with_cost(matches!(op, OverflowOp::UMul | OverflowOp::SMul)));
    }
    for &op in SatOp::ALL {
        all.push(Operation::new(op.name(), Equal(2), move |pool, args| pool.mk_sat(op, args[0], args[1])));
    }
    for &op in UnOp::ALL {
        let operands = if op == UnOp::Bswap { Bytes } else { Equal(1) };
        all.push(Operation::new(op.name(), operands, move |pool, args| pool.mk_unop(op, args[0])));
    }
    for &op in FunnelOp::ALL {
        // The shift amount is taken modulo the width.
        let operation =
            Operation::new(op.name(), Equal(3), move |pool, args| pool.mk_funnel(op, args[0], args[1], args[2]));
        all.push(operation.quadratic());
    }
    all.extend([
        Operation::new("not", Equal(1), |pool, args| pool.mk_not(args[0])),
        Operation::new("neg", Equal(1), |pool, args| pool.mk_neg(args[0])),
        Operation::new("concat", Equal(2), |pool, args| pool.mk_concat(args[0], args[1])),
        Operation::new("trunc", Equal(1), |pool, args| {
            let half = pool.width(args[0]).div_ceil(2);
            pool.mk_trunc(args[0], half)
        }),
        Operation::new("extract", Equal(1), |pool, args| {
            let (low, width) = (pool.width(args[0]) / 3, pool.width(args[0]).div_ceil(2));
            pool.mk_extract(args[0], low, width)
        }),
        Operation::new("sign", Equal(1), |pool, args| pool.mk_extract(args[0], pool.width(args[0]) - 1, 1)),
        Operation::new("zext", Equal(1), |pool, args| pool.mk_zext(args[0], pool.width(args[0]) + 7)),
        Operation::new("sext", Equal(1), |pool, args| pool.mk_sext(args[0], pool.width(args[0]) + 7)),
        Operation::new("ite", Choice, |pool, args| pool.mk_ite(args[0], args[1], args[2])),
    ]);
    all
}

/// Operations on bit-vectors by way of arrays.
pub fn arrays() -> Vec<Operation> {
    use Operands::Indices;
    vec![
        Operation::new("store-select", Indices(3), |pool, args| {
            let blank = pool.mk_const_array(pool.width(args[0]), args[0]);
            let array = pool.mk_store(blank, args[1], args[2]);
            pool.mk_select(array, args[0])
        }),
        Operation::new("table-select", Indices(1), |pool, args| {
            let width = pool.width(args[0]);
            let elem = |index: u64| index.wrapping_mul(0x9e37_79b9).wrapping_add(0x55) >> 3;
            let n_bytes = width.div_ceil(8) as usize;
            let bytes: Vec<u8> = (0..19).flat_map(|index| elem(index).to_le_bytes()[..n_bytes].to_vec()).collect();
            let table = pool.mk_table(width, width, &bytes);
            pool.mk_select(table, args[0])
        }),
        Operation::new("swap-select", Indices(3), |pool, args| {
            let blank = pool.mk_const_array(pool.width(args[0]), args[0]);
            let array = pool.mk_store(blank, args[1], args[2]);
            let (first, second) = (pool.mk_select(array, args[1]), pool.mk_select(array, args[2]));
            let array = pool.mk_store(array, args[2], first);
            let array = pool.mk_store(array, args[1], second);
            pool.mk_select(array, args[0])
        }),
    ]
}

/// Operations on one float format, with conversions from it and to it.
pub fn floats(kind: FloatKind) -> Vec<Operation> {
    use Operands::{Equal, Floats};
    let name = |op: &str| format!("{op}.{kind}");
    let (one, two) = (Floats(1, kind), Floats(2, kind));
    let mut all = Vec::new();
    for &op in FBinOp::ALL {
        all.push(Operation::new(name(op.name()), two, move |pool, args| pool.mk_fbinop(kind, op, args[0], args[1])));
    }
    for &op in FCmpOp::ALL {
        let name = name(&format!("fcmp.{op}"));
        all.push(Operation::new(name, two, move |pool, args| pool.mk_fcmp(kind, op, args[0], args[1])));
    }
    for &op in FMinMaxOp::ALL {
        all.push(Operation::new(name(op.name()), two, move |pool, args| pool.mk_fmin_max(kind, op, args[0], args[1])));
    }
    for &op in RoundOp::ALL {
        all.push(Operation::new(name(op.name()), one, move |pool, args| pool.mk_fround(kind, op, args[0])));
    }
    for to in FloatKind::ALL.into_iter().filter(|&to| to != kind) {
        let name = name(&format!("fpconv.{to}"));
        all.push(Operation::new(name, one, move |pool, args| pool.mk_fconvert(kind, to, args[0])));
    }
    for &sign in Signedness::ALL {
        let (to_int, from_int) = (name(&format!("to-int.{sign}")), name(&format!("from-int.{sign}")));
        all.push(Operation::new(to_int, one, move |pool, args| pool.mk_float_to_int(kind, sign, 32, args[0])));
        all.push(Operation::new(from_int, Equal(1), move |pool, args| pool.mk_int_to_float(kind, sign, args[0])));
    }
    all.extend([
        Operation::new(name("fma"), Floats(3, kind), move |pool, args| pool.mk_fma(kind, args[0], args[1], args[2])),
        Operation::new(name("sqrt"), one, move |pool, args| pool.mk_fsqrt(kind, args[0])),
        Operation::new(name("fneg"), one, move |pool, args| pool.mk_fneg(kind, args[0])),
        Operation::new(name("fabs"), one, move |pool, args| pool.mk_fabs(kind, args[0])),
        Operation::new(name("copysign"), two, move |pool, args| pool.mk_copysign(kind, args[0], args[1])),
        Operation::new(name("isnan"), one, move |pool, args| pool.mk_is_nan(kind, args[0])),
    ]);
    all
}
