//! Z3 alone: that its terms mean what evaluation computes, and what it keeps between queries.
//!
//! The conformance suite asks every backend the same; here is what only Z3 can be asked or has to remember.

use std::thread;
use std::time::Duration;

use spelunk_bv::float::FloatKind;
use spelunk_bv::{BinOp, CmpOp, FBinOp, FCmpOp, OverflowOp, RoundOp, Signedness};
use spelunk_expr::{Evaluator, ExprId, ExprPool, Model, Sort, Value, VarId};
use spelunk_solver::z3::Z3;
use spelunk_solver::{Answer, Limits, Query, Solver, Unknown};

struct Bench {
    pool: ExprPool,
    solver: Z3,
    hint: Model,
    limits: Limits,
}

impl Bench {
    /// Without rules, so that Z3 sees every operation.
    fn new() -> Self {
        let mut pool = ExprPool::new();
        pool.set_rule_fuel(Some(0));
        Bench { pool, solver: Z3::new(), hint: Model::new(), limits: Limits::default() }
    }

    fn vars(&mut self, widths: &[u32]) -> (Vec<VarId>, Vec<ExprId>) {
        let vars: Vec<VarId> = widths.iter().map(|&width| self.pool.new_var("x", Sort::Bv(width))).collect();
        let exprs = vars.iter().map(|&var| self.pool.mk_var(var)).collect();
        (vars, exprs)
    }

    fn check(&mut self, constraints: &[ExprId]) -> Answer {
        let query = Query { constraints, n_satisfied: 0, hint: &self.hint, limits: &self.limits };
        let answer = self.solver.check(&mut self.pool, &query);
        if let Answer::Sat(changes) = &answer {
            let mut model = self.hint.clone();
            model.update(changes);
            let mut evaluator = Evaluator::new();
            let mut values = evaluator.under(&self.pool, &model);
            assert!(constraints.iter().all(|&id| values.eval_bool(id)), "{}", self.pool.to_smtlib(constraints));
        }
        answer
    }

    fn expect_unsat(&mut self, constraints: &[ExprId], what: &str) {
        let answer = self.check(constraints);
        assert!(answer.is_unsat(), "{what}: {answer:?}\n{}", self.pool.to_smtlib(constraints));
    }

    fn expect_sat(&mut self, constraints: &[ExprId]) -> Model {
        match self.check(constraints) {
            Answer::Sat(model) => model,
            answer => panic!("{answer:?}\n{}", self.pool.to_smtlib(constraints)),
        }
    }

    fn constant(&mut self, value: &Value) -> ExprId {
        self.pool.mk_value(value)
    }

    fn is(&mut self, expr: ExprId, value: u64) -> ExprId {
        let value = self.pool.mk_const(self.pool.width(expr), value);
        self.pool.mk_eq(expr, value)
    }
}

type Make = Box<dyn Fn(&mut ExprPool, &[ExprId]) -> ExprId>;

fn integer_operations() -> Vec<(String, Make)> {
    let mut all: Vec<(String, Make)> = Vec::new();
    for &op in BinOp::ALL {
        all.push((op.name().into(), Box::new(move |pool, args| pool.mk_binop(op, args[0], args[1]))));
    }
    for &op in CmpOp::ALL {
        all.push((op.name().into(), Box::new(move |pool, args| pool.mk_cmp(op, args[0], args[1]))));
    }
    for &op in OverflowOp::ALL {
        all.push((format!("{op}.o"), Box::new(move |pool, args| pool.mk_overflow(op, args[0], args[1]))));
    }
    let others: [(&str, Make); 8] = [
        ("not", Box::new(|pool, args| pool.mk_not(args[0]))),
        ("neg", Box::new(|pool, args| pool.mk_neg(args[0]))),
        ("zext", Box::new(|pool, args| pool.mk_zext(args[0], pool.width(args[0]) + 3))),
        ("sext", Box::new(|pool, args| pool.mk_sext(args[0], pool.width(args[0]) + 3))),
        ("concat", Box::new(|pool, args| pool.mk_concat(args[0], args[1]))),
        ("extract", Box::new(|pool, args| pool.mk_extract(args[0], pool.width(args[0]) / 2, 1))),
        (
            "ite",
            Box::new(|pool, args| {
                let condition = pool.mk_ult(args[0], args[1]);
                pool.mk_ite(condition, args[0], args[1])
            }),
        ),
        (
            "store",
            Box::new(|pool, args| {
                let blank = pool.mk_const_array(pool.width(args[0]), args[1]);
                let array = pool.mk_store(blank, args[1], args[0]);
                pool.mk_select(array, args[0])
            }),
        ),
    ];
    all.extend(others.map(|(name, make)| (name.into(), make)));
    all
}

/// The results of an operation for all operands, as a table that is indexed by both.
fn table_of_results(pool: &mut ExprPool, vars: &[VarId], exprs: &[ExprId], result: ExprId) -> ExprId {
    let (width, result_width) = (pool.width(exprs[0]), pool.width(result));
    let mut evaluator = Evaluator::new();
    let mut bytes = Vec::new();
    for operands in 0..1u64 << (2 * width) {
        let mut model = Model::new();
        model.set_u64(vars[0], operands >> width);
        model.set_u64(vars[1], operands & ((1 << width) - 1));
        let value = evaluator.under(pool, &model).eval_u64(result);
        bytes.extend_from_slice(&value.to_le_bytes()[..result_width.div_ceil(8) as usize]);
    }
    let table = pool.mk_table(2 * width, result_width, &bytes);
    let index = pool.mk_concat(exprs[0], exprs[1]);
    pool.mk_select(table, index)
}

#[test]
fn operations_have_the_values_of_evaluation() {
    for width in 1..=4 {
        for (name, make) in integer_operations() {
            let mut bench = Bench::new();
            let (vars, exprs) = bench.vars(&[width, width]);
            let result = make(&mut bench.pool, &exprs);
            let expected = table_of_results(&mut bench.pool, &vars, &exprs, result);
            let differ = bench.pool.mk_ne(result, expected);
            bench.expect_unsat(&[differ], &format!("{name} at {width} bits"));
        }
    }
}

fn float_operations(kind: FloatKind) -> Vec<(String, usize, Make)> {
    let mut all: Vec<(String, usize, Make)> = Vec::new();
    for &op in FBinOp::ALL {
        all.push((op.name().into(), 2, Box::new(move |pool, args| pool.mk_fbinop(kind, op, args[0], args[1]))));
    }
    for op in [FCmpOp::Oeq, FCmpOp::Olt, FCmpOp::Ole] {
        all.push((op.name().into(), 2, Box::new(move |pool, args| pool.mk_fcmp(kind, op, args[0], args[1]))));
    }
    for &op in RoundOp::ALL {
        all.push((op.name().into(), 1, Box::new(move |pool, args| pool.mk_fround(kind, op, args[0]))));
    }
    for &to in FloatKind::ALL.iter().filter(|&&to| to != kind) {
        all.push((format!("fpconv {to}"), 1, Box::new(move |pool, args| pool.mk_fconvert(kind, to, args[0]))));
    }
    for &sign in Signedness::ALL {
        for width in [1, 8, 16, 32, 64, 70] {
            let to_int: Make = Box::new(move |pool, args| pool.mk_float_to_int(kind, sign, width, args[0]));
            all.push((format!("to {sign} {width}"), 1, to_int));
        }
        all.push((format!("from {sign}"), 1, Box::new(move |pool, args| pool.mk_int_to_float(kind, sign, args[0]))));
    }
    all.push(("fma".into(), 3, Box::new(move |pool, args| pool.mk_fma(kind, args[0], args[1], args[2]))));
    all.push(("sqrt".into(), 1, Box::new(move |pool, args| pool.mk_fsqrt(kind, args[0]))));
    all
}

/// Numbers of all classes, NaNs with payloads, and for x86_fp80 patterns that no processor makes.
fn float_samples(kind: FloatKind) -> Vec<Value> {
    use spelunk_bv::float::{default_nan, from_int_narrow, infinity, neg};
    let number = |value: i64| from_int_narrow(kind, value as u64, 64, Signedness::Signed);
    let fraction = kind.precision() - 1;
    let positive = [
        0,
        1,
        number(1),
        number(1) + 1,
        number(3) + 5,
        number(200),
        number(i32::MAX as i64),
        infinity(kind) - 1,
        infinity(kind),
        infinity(kind) + 5,
        default_nan(kind) + 9,
        1 << (fraction - 1),
        1 << fraction,
        number(2) ^ 1 << fraction,
    ];
    let value = |bits: u128| Value::from_limbs(kind.bits(), &[bits as u64, (bits >> 64) as u64]);
    positive.iter().flat_map(|&bits| [value(bits), value(neg(kind, bits))]).collect()
}

/// For some operands at once, each operation has the result that evaluation gives it, pattern by pattern.
fn check_float_operations(kind: FloatKind, samples: &[Value], n_at_once: usize) {
    for (at, (name, n_operands, make)) in float_operations(kind).into_iter().enumerate() {
        let mut bench = Bench::new();
        let (vars, exprs) = bench.vars(&vec![kind.bits(); n_operands]);
        let result = make(&mut bench.pool, &exprs);
        let rows: Vec<Vec<&Value>> = (0..samples.len())
            .map(|row| {
                (0..n_operands).map(|operand| &samples[(row + (at + 3) * operand * row) % samples.len()]).collect()
            })
            .collect();
        for rows in rows.chunks(n_at_once) {
            let mut is_row = Vec::new();
            let mut expected = None;
            for row in rows {
                let mut model = Model::new();
                let mut is_here = ExprId::TRUE;
                for ((&var, &expr), value) in vars.iter().zip(&exprs).zip(row) {
                    model.set(var, value);
                    let constant = bench.constant(value);
                    let is_value = bench.pool.mk_eq(expr, constant);
                    is_here = bench.pool.mk_and(is_here, is_value);
                }
                let value = Evaluator::new().under(&bench.pool, &model).eval(result);
                let constant = bench.constant(&value);
                expected = Some(match expected {
                    Some(others) => bench.pool.mk_ite(is_here, constant, others),
                    None => constant,
                });
                is_row.push(is_here);
            }
            let is_any = is_row.into_iter().fold(ExprId::FALSE, |any, row| bench.pool.mk_or(any, row));
            let differ = bench.pool.mk_ne(result, expected.expect("rows"));
            bench.expect_unsat(&[is_any, differ], &format!("{name} of {kind} on {rows:?}"));
        }
    }
}

/// Several operands at once, so that Z3 has to compute with circuits.
#[test]
fn circuits_of_floats_have_the_values_of_evaluation() {
    check_float_operations(FloatKind::Half, &float_samples(FloatKind::Half), 7);
    let few: Vec<Value> = float_samples(FloatKind::BFloat).into_iter().step_by(3).collect();
    check_float_operations(FloatKind::BFloat, &few, 5);
}

/// One after the other, where Z3 computes with numbers.
#[test]
fn floats_have_the_values_of_evaluation() {
    for (kind, which) in [(FloatKind::BFloat, 0), (FloatKind::Double, 1), (FloatKind::X86Fp80, 2)] {
        let samples: Vec<Value> = float_samples(kind).into_iter().skip(which).step_by(4).collect();
        check_float_operations(kind, &samples, 1);
    }
}

/// Remainders that Z3 does not compute: bounds decide, or the exact result for a small quotient is found.
#[test]
fn remainders_of_long_formats() {
    for kind in [FloatKind::Float, FloatKind::Double] {
        let mut bench = Bench::new();
        let (_, exprs) = bench.vars(&[kind.bits()]);
        let [three, four, one] = [3, 4, 1].map(|value: u64| {
            let bits = spelunk_bv::float::from_int_narrow(kind, value, 8, Signedness::Unsigned);
            bench.pool.mk_const(kind.bits(), bits as u64)
        });
        let pool = &mut bench.pool;
        let remainder = pool.mk_fbinop(kind, FBinOp::FRem, exprs[0], three);
        let is_one = pool.mk_fcmp(kind, FCmpOp::Oeq, remainder, one);
        let is_four = pool.mk_fcmp(kind, FCmpOp::Oeq, exprs[0], four);
        let is_beyond_four = pool.mk_fcmp(kind, FCmpOp::Ogt, exprs[0], four);
        let is_too_large = pool.mk_fcmp(kind, FCmpOp::Oge, remainder, three);
        let is_not_one = pool.mk_not(is_one);
        bench.expect_unsat(&[is_too_large], "a remainder beyond the divisor");
        bench.expect_sat(&[is_four, is_one]);
        bench.expect_unsat(&[is_four, is_not_one], "another remainder");
        if kind == FloatKind::Float {
            bench.expect_sat(&[is_beyond_four, is_one]);
        }
    }
}

#[test]
fn tables_of_all_lengths() {
    for len in [0, 1, 2, 3, 5, 8, 13, 200, 256] {
        let mut bench = Bench::new();
        let (_, exprs) = bench.vars(&[8]);
        let bytes: Vec<u8> = (0..len).map(|at: u32| (at * 7 / 3) as u8).collect();
        let table = bench.pool.mk_table(8, 8, &bytes);
        let read = bench.pool.mk_select(table, exprs[0]);
        // The same as an array: a table with a write that changes nothing.
        let (zero, first) =
            (bench.pool.mk_const(8, 0), bench.pool.mk_const(8, bytes.first().copied().unwrap_or(0).into()));
        let array = bench.pool.mk_store(table, zero, first);
        let read_array = bench.pool.mk_select(array, exprs[0]);
        let differ = bench.pool.mk_ne(read, read_array);
        bench.expect_unsat(&[differ], &format!("{len} elements"));
        let limit = bench.pool.mk_const(8, len.min(255) as u64);
        let is_beyond = bench.pool.mk_ult(limit, exprs[0]);
        let is_something = bench.is(read, 1);
        bench.expect_unsat(&[is_beyond, is_something], &format!("beyond {len} elements"));
    }
}

#[test]
fn hints_are_kept() {
    let mut bench = Bench::new();
    let (vars, exprs) = bench.vars(&[8; 20]);
    let array = bench.pool.new_var("A", Sort::Array { index_width: 8, elem_width: 8 });
    for &var in &vars {
        bench.hint.set_u64(var, 7);
    }
    bench.hint.array_mut(array).elements.extend([(1, 11), (2, 22)]);
    // All but the tenth may stay.
    let mut constraints: Vec<ExprId> = exprs.windows(2).map(|pair| bench.pool.mk_ule(pair[0], pair[1])).collect();
    constraints.truncate(9);
    constraints.push(bench.is(exprs[9], 9));
    let model = bench.expect_sat(&constraints);
    assert_eq!(model.iter_narrow().collect::<Vec<_>>(), [(vars[9], 9)]);
    // The element that is read changes, others don't.
    let array_expr = bench.pool.mk_var(array);
    let index = bench.pool.mk_const(8, 2);
    let read = bench.pool.mk_select(array_expr, index);
    let is_new = bench.is(read, 33);
    let model = bench.expect_sat(&[is_new]);
    let value = model.array(array).expect("a value");
    assert_eq!((value.element(1), value.element(2), value.element(3)), (11, 33, 0));
    // What holds already needs no change at all.
    let holds = bench.is(exprs[0], 7);
    assert_eq!(bench.expect_sat(&[holds]), Model::new());
}

/// The factors of a number, each more than one and below a limit.
fn factors(bench: &mut Bench, width: u32, limit: u64, number: u64) -> Vec<ExprId> {
    let (_, exprs) = bench.vars(&[width, width]);
    let pool = &mut bench.pool;
    let product = pool.mk_mul(exprs[0], exprs[1]);
    let (limit, one) = (pool.mk_const(width, limit), pool.mk_const(width, 1));
    let mut constraints = Vec::new();
    for &factor in &exprs {
        constraints.push(pool.mk_ult(factor, limit));
        constraints.push(pool.mk_ult(one, factor));
    }
    constraints.push(bench.is(product, number));
    constraints
}

/// A query that takes long: the number is the product of two large primes.
fn hard_query(bench: &mut Bench) -> Vec<ExprId> {
    factors(bench, 64, 1 << 32, 4_294_967_291 * 4_294_967_279)
}

fn still_answers(bench: &mut Bench) {
    let (vars, exprs) = bench.vars(&[8]);
    let is_five = bench.is(exprs[0], 5);
    let is_six = bench.is(exprs[0], 6);
    assert_eq!(bench.expect_sat(&[is_five]).get_u64(vars[0]), Some(5));
    bench.expect_unsat(&[is_five, is_six], "two values");
}

#[test]
fn time_limits_make_no_unsat() {
    let mut bench = Bench::new();
    let constraints = hard_query(&mut bench);
    bench.limits.time = Some(Duration::from_millis(30));
    for _ in 0..2 {
        assert_eq!(bench.check(&constraints), Answer::Unknown(Unknown::Time));
    }
    bench.limits.time = Some(Duration::MAX);
    still_answers(&mut bench);
}

#[test]
fn conflict_limits_make_no_unsat() {
    let mut bench = Bench::new();
    let constraints = hard_query(&mut bench);
    bench.limits.conflicts = Some(20);
    assert_eq!(bench.check(&constraints), Answer::Unknown(Unknown::Conflicts));
    still_answers(&mut bench);
    bench.limits.conflicts = None;
    still_answers(&mut bench);
}

#[test]
fn an_interrupt_reaches_a_check_at_work() {
    let mut bench = Bench::new();
    let constraints = hard_query(&mut bench);
    let interrupt = bench.limits.deadline.clone();
    let raise = thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        interrupt.raise();
    });
    assert_eq!(bench.check(&constraints), Answer::Unknown(Unknown::Interrupted));
    raise.join().expect("raising does not fail");
    assert_eq!(bench.check(&constraints), Answer::Unknown(Unknown::Interrupted), "as long as it is raised");
    bench.limits.deadline.lower();
    still_answers(&mut bench);
}

/// Where search is needed, the core leaves out what has no part in it.
#[test]
fn cores_of_searches_are_small() {
    let mut bench = Bench::new();
    let mut constraints = factors(&mut bench, 24, 1 << 12, 8_999_993);
    let (_, exprs) = bench.vars(&[8]);
    for value in 0..20 {
        let is_value = bench.is(exprs[0], value);
        let constraint = bench.pool.mk_not(is_value);
        constraints.insert(0, constraint);
    }
    match bench.check(&constraints) {
        Answer::Unsat(core) => {
            assert!(core.iter().all(|constraint| constraints[20..].contains(constraint)), "{core:?}");
            bench.expect_unsat(&core, "a core");
        }
        answer => panic!("{answer:?}"),
    }
}

/// A generator of numbers (splitmix), the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound as u64) as usize
    }
}

/// A path that grows, is cut, and has its last condition negated, with garbage collected now and then: every answer is
/// what trying all values gives.
#[test]
fn answers_along_a_walk_are_those_of_all_values() {
    const WIDTH: u32 = 3;
    let mut bench = Bench::new();
    let (vars, exprs) = bench.vars(&[WIDTH; 3]);
    let mut random = Random(7);
    let mut path: Vec<ExprId> = Vec::new();
    let (mut n_sat, mut n_unsat) = (0, 0);
    for step in 0..400 {
        path.truncate(path.len().saturating_sub(random.below(4)));
        for _ in 0..random.below(4) {
            let condition = random_condition(&mut bench.pool, &exprs, &mut random);
            path.push(condition);
        }
        if let Some(last) = path.last_mut().filter(|_| step % 3 == 0) {
            *last = bench.pool.mk_not(*last);
        }
        if step % 20 == 0 {
            let freed = bench.pool.collect(path.iter().chain(&exprs).copied());
            bench.solver.forget(&bench.pool, &freed);
        }
        let answer = bench.check(&path);
        match has_values(&bench.pool, &vars, &path, 1 << WIDTH) {
            true => assert!(answer.is_sat(), "step {step}: {answer:?}\n{}", bench.pool.to_smtlib(&path)),
            false => {
                assert!(answer.is_unsat(), "step {step}: {answer:?}\n{}", bench.pool.to_smtlib(&path));
                path.clear();
            }
        }
        *if answer.is_sat() { &mut n_sat } else { &mut n_unsat } += 1;
    }
    assert!(n_sat > 50 && n_unsat > 20, "both are tried: {n_sat} and {n_unsat}");
}

fn random_condition(pool: &mut ExprPool, exprs: &[ExprId], random: &mut Random) -> ExprId {
    let constant = pool.mk_const(pool.width(exprs[0]), random.below(8) as u64);
    let pick = |random: &mut Random| *[exprs, &[constant]].concat().get(random.below(exprs.len() + 1)).expect("some");
    let (a, b, c) = (pick(random), pick(random), pick(random));
    let left = pool.mk_binop(BinOp::ALL[random.below(BinOp::ALL.len())], a, b);
    pool.mk_cmp(CmpOp::ALL[random.below(CmpOp::ALL.len())], left, c)
}

fn has_values(pool: &ExprPool, vars: &[VarId], constraints: &[ExprId], n_values: u64) -> bool {
    let mut evaluator = Evaluator::new();
    (0..n_values.pow(vars.len() as u32)).any(|mut number| {
        let mut model = Model::new();
        for &var in vars {
            model.set_u64(var, number % n_values);
            number /= n_values;
        }
        let mut values = evaluator.under(pool, &model);
        constraints.iter().all(|&constraint| values.eval_bool(constraint))
    })
}

#[test]
fn deep_expressions_need_no_deep_stack() {
    let mut bench = Bench::new();
    let (_, exprs) = bench.vars(&[32]);
    let mut sum = exprs[0];
    let one = bench.pool.mk_const(32, 1);
    for _ in 0..20_000 {
        sum = bench.pool.mk_add(sum, one);
    }
    let constraint = bench.is(sum, 20_005);
    let model = bench.expect_sat(&[constraint]);
    assert_eq!(model.iter_narrow().map(|(_, value)| value).collect::<Vec<_>>(), [5]);
}

/// Z3 takes no notice of limits while it makes a circuit of such a product.
#[test]
fn products_of_thousands_of_bits_are_refused() {
    let mut bench = Bench::new();
    let (_, exprs) = bench.vars(&[32_768, 32_768]);
    let (product, quotient) = (bench.pool.mk_mul(exprs[0], exprs[1]), bench.pool.mk_udiv(exprs[0], exprs[1]));
    // What zeros, which are tried first, do not give.
    for (wide, wanted) in [(product, 1), (quotient, 0)] {
        let bit = bench.pool.mk_extract(wide, 32_000, 1);
        let constraint = bench.is(bit, wanted);
        let answer = bench.check(&[constraint]);
        assert!(matches!(answer, Answer::Unknown(Unknown::Unsupported(_))), "{answer:?}");
    }
}

/// After many queries, collecting expressions lets go of what Z3 keeps of them. Answers stay the same.
#[test]
fn a_long_run_goes_on_with_a_new_solver() {
    let mut bench = Bench::new();
    let (_, exprs) = bench.vars(&[16, 16]);
    for generation in 0..3 {
        for at in 0..1100 {
            let sum = bench.pool.mk_add(exprs[0], exprs[1]);
            let constraints = [bench.is(sum, 7 * at + 3), bench.is(exprs[0], at + generation)];
            bench.expect_sat(&constraints);
            let low = bench.pool.mk_trunc(sum, 1);
            let contradiction = [constraints[0], bench.is(low, at % 2)];
            bench.expect_unsat(&contradiction, "the lowest bit");
        }
        let freed = bench.pool.collect(exprs.iter().copied());
        assert!(freed.len() > 1000);
        bench.solver.forget(&bench.pool, &freed);
    }
}
