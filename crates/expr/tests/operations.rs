//! Every `mk_` function against the concrete operation that it stands for, folded and evaluated.

use spelunk_bv::float::{self, FloatKind};
use spelunk_bv::{
    BinOp, CmpOp, FBinOp, FCmpOp, FMinMaxOp, FunnelOp, OverflowOp, RoundOp, SatOp, Signedness, UnOp, int, int128,
};
use spelunk_expr::{Evaluator, ExprId, ExprPool, Model, Sort, Value, VarId};

struct Bench {
    pool: ExprPool,
    vars: Vec<VarId>,
    evaluator: Evaluator,
}

impl Bench {
    fn new(widths: &[u32]) -> Self {
        let mut pool = ExprPool::new();
        let vars = widths.iter().map(|&width| pool.new_var("x", Sort::Bv(width))).collect();
        Bench { pool, vars, evaluator: Evaluator::new() }
    }

    /// The values of an operation: built on variables and evaluated, and built on constants.
    fn both(&mut self, args: &[Value], mk: impl Fn(&mut ExprPool, &[ExprId]) -> ExprId) -> [Value; 2] {
        let vars: Vec<ExprId> = self.vars.iter().map(|&var| self.pool.mk_var(var)).collect();
        let consts: Vec<ExprId> = args.iter().map(|arg| self.pool.mk_value(arg)).collect();
        let mut model = Model::new();
        for (&var, arg) in self.vars.iter().zip(args) {
            model.set(var, arg);
        }
        let on_vars = mk(&mut self.pool, &vars);
        let on_consts = mk(&mut self.pool, &consts);
        let evaluated = self.evaluator.under(&self.pool, &model).eval(on_vars);
        [evaluated, self.pool.as_value(on_consts).expect("folded")]
    }

    fn check(&mut self, args: &[u64], expected: u64, what: &str, mk: impl Fn(&mut ExprPool, &[ExprId]) -> ExprId) {
        let args: Vec<Value> =
            args.iter().zip(&self.vars).map(|(&arg, &var)| Value::new(width_of(&self.pool, var), arg)).collect();
        for value in self.both(&args, mk) {
            assert_eq!(value.as_u64(), Some(expected), "{what} {args:?}");
        }
    }
}

fn width_of(pool: &ExprPool, var: VarId) -> u32 {
    match pool.var_sort(var) {
        Sort::Bv(width) => width,
        Sort::Array { elem_width, .. } => elem_width,
    }
}

#[test]
fn integer_operations_agree_on_all_small_values() {
    for w in 1..=4 {
        let mut bench = Bench::new(&[w, w]);
        let values = 0..1u64 << w;
        for (a, b) in values.clone().flat_map(|a| values.clone().map(move |b| (a, b))) {
            for &op in BinOp::ALL {
                bench.check(&[a, b], int::binop(op, w, a, b), op.name(), |pool, args| {
                    pool.mk_binop(op, args[0], args[1])
                });
            }
            for &op in CmpOp::ALL {
                let expected = int::icmp(op, w, a, b) as u64;
                bench.check(&[a, b], expected, op.name(), |pool, args| pool.mk_cmp(op, args[0], args[1]));
            }
            for &op in OverflowOp::ALL {
                let expected = int::overflows(op, w, a, b) as u64;
                bench.check(&[a, b], expected, op.name(), |pool, args| pool.mk_overflow(op, args[0], args[1]));
            }
            for &op in SatOp::ALL {
                let expected = int::sat(op, w, a, b);
                bench.check(&[a, b], expected, op.name(), |pool, args| pool.mk_sat(op, args[0], args[1]));
            }
        }
    }
}

#[test]
fn funnel_shifts_agree_on_all_small_values() {
    for w in 1..=3 {
        let mut bench = Bench::new(&[w, w, w]);
        for packed in 0..1u64 << (3 * w) {
            let [a, b, c] = [0, w, 2 * w].map(|at| int::trunc(w, packed >> at));
            for &op in FunnelOp::ALL {
                let expected = int::funnel(op, w, a, b, c);
                bench
                    .check(&[a, b, c], expected, op.name(), |pool, args| pool.mk_funnel(op, args[0], args[1], args[2]));
            }
        }
    }
}

#[test]
fn bit_counts_agree() {
    for w in [1, 2, 3, 5, 8, 13, 16, 32, 64] {
        let mut bench = Bench::new(&[w]);
        let samples = (0..64).flat_map(|at| [1u64 << at, u64::MAX >> at, 0x9e37_79b9_7f4a_7c15u64.rotate_left(at)]);
        for a in samples.chain([0]).map(|a| int::trunc(w, a)) {
            for &op in UnOp::ALL.iter().filter(|&&op| op != UnOp::Bswap || w % 16 == 0) {
                bench.check(&[a], int::unop(op, w, a), op.name(), |pool, args| pool.mk_unop(op, args[0]));
            }
        }
    }
}

#[test]
fn wide_operations_agree() {
    let samples: Vec<u128> = (0..8)
        .flat_map(|at| [1u128 << (at * 16), u128::MAX >> (at * 15), 0x1234_5678_9abc_def0_0fed_cba9_8765_4321 >> at])
        .chain([0])
        .collect();
    for w in [65, 80, 100, 128] {
        let mut bench = Bench::new(&[w, w]);
        let value = |a: u128| Value::from_limbs(w, &[a as u64, (a >> 64) as u64]);
        for (&a, &b) in samples.iter().flat_map(|a| samples.iter().map(move |b| (a, b))) {
            let (a, b) = (int128::trunc(w, a), int128::trunc(w, b));
            for &op in BinOp::ALL {
                let got = bench.both(&[value(a), value(b)], |pool, args| pool.mk_binop(op, args[0], args[1]));
                assert_eq!(got, [value(int128::binop(op, w, a, b)), value(int128::binop(op, w, a, b))], "{op}");
            }
            for &op in CmpOp::ALL {
                let got = bench.both(&[value(a), value(b)], |pool, args| pool.mk_cmp(op, args[0], args[1]));
                let expected = Value::new(1, int128::icmp(op, w, a, b) as u64);
                assert_eq!(got, [expected.clone(), expected], "{op}");
            }
            for &op in OverflowOp::ALL {
                let got = bench.both(&[value(a), value(b)], |pool, args| pool.mk_overflow(op, args[0], args[1]));
                let expected = Value::new(1, int128::overflows(op, w, a, b) as u64);
                assert_eq!(got, [expected.clone(), expected], "{op}");
            }
        }
    }
}

#[test]
fn parts_and_extensions_agree_across_limbs() {
    let limbs = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0xaaaa_5555_cccc_3333, 7];
    let w = 195;
    let mut bench = Bench::new(&[w]);
    let a = Value::from_limbs(w, &limbs);
    let bit = |value: &Value, at: u32| value.limbs()[at as usize / 64] >> (at % 64) & 1;
    for (low, width) in [(0, 1), (0, 64), (3, 64), (64, 64), (60, 70), (1, 194), (130, 65), (194, 1), (0, 195)] {
        for got in bench.both(std::slice::from_ref(&a), |pool, args| pool.mk_extract(args[0], low, width)) {
            assert_eq!(got.width(), width);
            assert!((0..width).all(|at| bit(&got, at) == bit(&a, low + at)), "{low} {width} {got:?}");
        }
    }
    for to in [196, 256, 300] {
        for got in bench.both(std::slice::from_ref(&a), |pool, args| pool.mk_zext(args[0], to)) {
            assert!((0..to).all(|at| bit(&got, at) == if at < w { bit(&a, at) } else { 0 }), "zext {to}");
        }
        for got in bench.both(std::slice::from_ref(&a), |pool, args| pool.mk_sext(args[0], to)) {
            assert!((0..to).all(|at| bit(&got, at) == bit(&a, at.min(w - 1))), "sext {to}");
        }
    }
    for got in bench.both(std::slice::from_ref(&a), |pool, args| {
        let (high, low) = (pool.mk_extract(args[0], 70, 125), pool.mk_trunc(args[0], 70));
        pool.mk_concat(high, low)
    }) {
        assert_eq!(got, a);
    }
}

/// Numbers of every class and of both signs, and patterns near the borders between classes.
fn float_samples(kind: FloatKind) -> Vec<u128> {
    let w = kind.bits();
    let mut samples: Vec<u128> = [0.0, 1.0, 1.5, 2.5, 100.25, 1e-30, 127.0, 128.0, 255.75, 65504.0, 3e9, 1.8e19, 1e300]
        .into_iter()
        .map(|x: f64| float::convert(FloatKind::Double, kind, x.to_bits() as u128))
        .collect();
    let infinity = float::infinity(kind);
    samples.extend([infinity, infinity - 1, infinity + 1, float::default_nan(kind), 1, 2, 1 << (kind.precision() - 1)]);
    samples.push(int128::mask(w) >> 1);
    let negated: Vec<u128> = samples.iter().map(|&a| float::neg(kind, int128::trunc(w, a))).collect();
    samples.extend(negated);
    samples
}

#[test]
fn float_operations_agree() {
    for kind in FloatKind::ALL {
        let w = kind.bits();
        let mut bench = Bench::new(&[w, w]);
        let value = |w: u32, a: u128| Value::from_limbs(w, &[a as u64, (a >> 64) as u64]);
        let samples = float_samples(kind);
        for (&a, &b) in samples.iter().flat_map(|a| samples.iter().map(move |b| (a, b))) {
            let args = [value(w, a), value(w, b)];
            for &op in FBinOp::ALL {
                let expected = value(w, float::binop(kind, op, a, b));
                let got = bench.both(&args, |pool, args| pool.mk_fbinop(kind, op, args[0], args[1]));
                assert_eq!(got, [expected.clone(), expected], "{kind} {op} {args:?}");
            }
            for &op in FCmpOp::ALL {
                let expected = Value::new(1, float::fcmp(kind, op, a, b) as u64);
                let got = bench.both(&args, |pool, args| pool.mk_fcmp(kind, op, args[0], args[1]));
                assert_eq!(got, [expected.clone(), expected], "{kind} {op} {args:?}");
            }
            for &op in FMinMaxOp::ALL {
                let expected = value(w, float::min_max(kind, op, a, b));
                let got = bench.both(&args, |pool, args| pool.mk_fmin_max(kind, op, args[0], args[1]));
                assert_eq!(got, [expected.clone(), expected], "{kind} {op} {args:?}");
            }
            let expected = value(w, float::copysign(kind, a, b));
            let got = bench.both(&args, |pool, args| pool.mk_copysign(kind, args[0], args[1]));
            assert_eq!(got, [expected.clone(), expected], "{kind} copysign {args:?}");
        }
    }
}

#[test]
fn float_operations_of_one_operand_agree() {
    type Case = (u128, u32, Box<dyn Fn(&mut ExprPool, ExprId) -> ExprId>);
    for kind in FloatKind::ALL {
        let w = kind.bits();
        let mut bench = Bench::new(&[w]);
        for a in float_samples(kind) {
            let mut cases: Vec<Case> = vec![
                (float::neg(kind, a), w, Box::new(move |pool, a| pool.mk_fneg(kind, a))),
                (float::abs(kind, a), w, Box::new(move |pool, a| pool.mk_fabs(kind, a))),
                (float::sqrt(kind, a), w, Box::new(move |pool, a| pool.mk_fsqrt(kind, a))),
                (float::is_nan(kind, a) as u128, 1, Box::new(move |pool, a| pool.mk_is_nan(kind, a))),
                (float::fma(kind, a, a, a), w, Box::new(move |pool, a| pool.mk_fma(kind, a, a, a))),
            ];
            for &op in RoundOp::ALL {
                cases.push((float::round(kind, op, a), w, Box::new(move |pool, a| pool.mk_fround(kind, op, a))));
            }
            for bit in 0..10 {
                let expected = float::is_fpclass(kind, a, 1 << bit) as u128;
                cases.push((expected, 1, Box::new(move |pool, a| pool.mk_is_fpclass(kind, a, 1 << bit))));
            }
            for to in FloatKind::ALL.into_iter().filter(|&to| to != kind) {
                let mk = move |pool: &mut ExprPool, a| pool.mk_fconvert(kind, to, a);
                cases.push((float::convert(kind, to, a), to.bits(), Box::new(mk)));
            }
            for (sign, to) in [8, 16, 31, 32, 64, 80, 128]
                .into_iter()
                .flat_map(|to| [(Signedness::Unsigned, to), (Signedness::Signed, to)])
            {
                let fits = float::fits_int(kind, a, to, sign) as u128;
                cases.push((fits, 1, Box::new(move |pool, a| pool.mk_fits_int(kind, sign, to, a))));
                let mut out = [0; 2];
                let n_limbs = spelunk_bv::wide::n_limbs(to);
                float::to_int(kind, a, to, sign, &mut out[..n_limbs]);
                let expected = out[0] as u128 | (out[1] as u128) << 64;
                cases.push((expected, to, Box::new(move |pool, a| pool.mk_float_to_int(kind, sign, to, a))));
                out = [0; 2];
                float::to_int_sat(kind, a, to, sign, &mut out[..n_limbs]);
                let expected = out[0] as u128 | (out[1] as u128) << 64;
                cases.push((expected, to, Box::new(move |pool, a| pool.mk_float_to_int_sat(kind, sign, to, a))));
                let as_int = int128::trunc(to.min(w), a);
                let limbs = [as_int as u64, (as_int >> 64) as u64];
                let from = float::from_int(kind, &limbs[..spelunk_bv::wide::n_limbs(to.min(w))], to.min(w), sign);
                let mk = move |pool: &mut ExprPool, a| {
                    let int = pool.mk_trunc(a, to.min(w));
                    pool.mk_int_to_float(kind, sign, int)
                };
                cases.push((from, w, Box::new(mk)));
            }
            for (i, (expected, width, mk)) in cases.into_iter().enumerate() {
                let arg = Value::from_limbs(w, &[a as u64, (a >> 64) as u64]);
                let expected = Value::from_limbs(width, &[expected as u64, (expected >> 64) as u64]);
                let got = bench.both(std::slice::from_ref(&arg), |pool, args| mk(pool, args[0]));
                assert_eq!(got, [expected.clone(), expected], "{kind} case {i} of {arg:?}");
            }
        }
    }
}
