//! The graph as a whole: interning, depth, collection, dependencies.

use spelunk_bv::BinOp;
use spelunk_expr::{Evaluator, ExprId, ExprPool, FreeVars, MAX_WIDTH, Model, Op, Sort, VarId};

const DEPTH: u64 = 1_000_000;

fn pool_with(widths: &[u32]) -> (ExprPool, Vec<VarId>, Vec<ExprId>) {
    let mut pool = ExprPool::new();
    let vars: Vec<VarId> = widths.iter().map(|&width| pool.new_var("x", Sort::Bv(width))).collect();
    let exprs = vars.iter().map(|&var| pool.mk_var(var)).collect();
    (pool, vars, exprs)
}

#[test]
fn equal_expressions_are_one() {
    let (mut pool, _, x) = pool_with(&[32, 32]);
    let sum = pool.mk_add(x[0], x[1]);
    let n_nodes = pool.n_nodes();
    assert_eq!(pool.mk_add(x[0], x[1]), sum);
    assert_eq!(pool.mk_add(x[1], x[0]), sum);
    assert_eq!(pool.n_nodes(), n_nodes);
    let wide = pool.mk_const_limbs(200, &[1, 2, 3, 4]);
    assert_eq!(pool.mk_const_limbs(200, &[1, 2, 3, 4]), wide);
    assert_ne!(pool.mk_const_limbs(201, &[1, 2, 3, 4]), wide);
    let table = pool.mk_table(8, 16, &[1, 2, 3, 4]);
    assert_eq!(pool.mk_table(8, 16, &[1, 2, 3, 4]), table);
    assert_ne!(pool.mk_table(9, 16, &[1, 2, 3, 4]), table);
    assert_ne!(pool.mk_table(8, 16, &[1, 2, 3, 5]), table);
    assert_eq!(pool.table_element(table, 1), 0x0403);
    assert_eq!((pool.table_len(table), pool.table_element(table, 2)), (2, 0));
}

#[test]
fn chains_of_a_million_operations_are_built_and_evaluated() {
    let (mut pool, vars, x) = pool_with(&[32, 32]);
    let mut chain = x[0];
    let mut expected = 7u64;
    for step in 0..DEPTH {
        let constant = pool.mk_const(32, step * 2 + 3);
        let op = [BinOp::Mul, BinOp::Xor, BinOp::Add][step as usize % 3];
        chain = if op == BinOp::Add { pool.mk_binop(op, chain, x[1]) } else { pool.mk_binop(op, chain, constant) };
        let operand = if op == BinOp::Add { 11 } else { (step * 2 + 3) & 0xffff_ffff };
        expected = spelunk_bv::int::binop(op, 32, expected, operand);
    }
    let mut model = Model::new();
    model.set_u64(vars[0], 7);
    model.set_u64(vars[1], 11);
    assert_eq!(Evaluator::new().under(&pool, &model).eval_u64(chain), expected);

    // Rules that undo operations would go all the way down.
    let goal = pool.mk_const(32, 5);
    let equal = pool.mk_eq(chain, goal);
    assert_eq!(Evaluator::new().under(&pool, &model).eval_bool(equal), expected == 5);
    let part = pool.mk_extract(chain, 3, 9);
    assert_eq!(Evaluator::new().under(&pool, &model).eval_u64(part), expected >> 3 & 0x1ff);

    let mut free = FreeVars::new();
    let set = free.of(&pool, equal);
    assert!(free.iter(set).eq(vars.iter().copied()));
    assert!(pool.postorder(&[equal]).len() > DEPTH as usize);
    assert_eq!(pool.to_smtlib(&[equal]).lines().filter(|line| line.starts_with("(assert")).count(), 1);
    pool.collect([equal]);
    assert!(pool.n_nodes() > DEPTH as usize);
    assert_eq!(Evaluator::new().under(&pool, &model).eval_bool(equal), expected == 5);
}

#[test]
fn deep_choices_concats_and_stores_are_walked_without_recursion() {
    let (mut pool, vars, x) = pool_with(&[8, 8]);
    let array = pool.new_var("A", Sort::Array { index_width: 8, elem_width: 8 });
    let array = pool.mk_var(array);
    let (mut choice, mut stores, mut joined) = (x[0], array, x[0]);
    for step in 0..100_000 {
        let constant = pool.mk_const(8, step % 251);
        let index = pool.mk_add(choice, constant);
        let cond = pool.mk_ult(index, x[1]);
        choice = pool.mk_ite(cond, index, x[1]);
        stores = pool.mk_store(stores, choice, index);
        joined = pool.mk_concat(if step % 2 == 0 { x[0] } else { x[1] }, joined);
    }
    let element = pool.mk_select(stores, x[0]);
    let nine = pool.mk_const(8, 9);
    let is_nine = pool.mk_eq(choice, nine);
    let middle = pool.mk_extract(joined, 396_004, 16);
    let mut model = Model::new();
    model.set_u64(vars[0], 0x12);
    model.set_u64(vars[1], 0x34);
    let mut evaluator = Evaluator::new();
    let mut values = evaluator.under(&pool, &model);
    let choice = values.eval_u64(choice);
    assert_eq!(values.eval_bool(is_nine), choice == 9);
    assert_eq!(values.eval_u64(middle), 0x4123);
    values.eval_u64(element);
}

#[test]
fn the_widest_bit_vector_works() {
    let (mut pool, _, x) = pool_with(&[8]);
    let wide = pool.mk_zext(x[0], MAX_WIDTH);
    let ones = pool.mk_const(MAX_WIDTH, 0);
    let ones = pool.mk_not(ones);
    let sum = pool.mk_add(wide, ones);
    let high = pool.mk_extract(sum, MAX_WIDTH - 8, 8);
    let mut model = Model::new();
    for (value, expected) in [(0, 0xff), (1, 0)] {
        model.set_u64(VarId(0), value);
        assert_eq!(Evaluator::new().under(&pool, &model).eval_u64(high), expected);
    }
}

#[test]
#[should_panic(expected = "add of 8 and 16 bits")]
fn operands_of_different_widths_are_refused() {
    let (mut pool, _, x) = pool_with(&[8, 16]);
    pool.mk_add(x[0], x[1]);
}

#[test]
fn only_the_arm_that_is_taken_is_evaluated() {
    let (mut pool, vars, x) = pool_with(&[1, 128]);
    let mut deep = x[1];
    for _ in 0..1000 {
        deep = pool.mk_mul(deep, deep);
    }
    let one = pool.mk_const(128, 1);
    let choice = pool.mk_ite(x[0], one, deep);
    let mut model = Model::new();
    model.set_u64(vars[0], 1);
    let value = Evaluator::new().under(&pool, &model).eval(choice);
    assert_eq!(value.limbs(), [1, 0]);
}

#[test]
fn collection_drops_contents_and_gives_ids_again() {
    let (mut pool, _, x) = pool_with(&[128, 8]);
    let kept_const = pool.mk_const_limbs(128, &[3, 4]);
    let dropped_const = pool.mk_const_limbs(128, &[5, 6]);
    let kept_table = pool.mk_table(8, 8, &[1, 2, 3]);
    let dropped_table = pool.mk_table(32, 8, &vec![7; 100_000]);
    let sum = pool.mk_add(x[0], kept_const);
    let quotient = pool.mk_udiv(sum, dropped_const);
    let read = pool.mk_select(kept_table, x[1]);
    let bytes_before = pool.n_bytes();
    assert_eq!(pool.epoch(), 0);
    let dropped = pool.collect([sum, read, ExprId::NONE]);
    assert_eq!(dropped, [dropped_const, dropped_table, quotient]);
    assert_eq!(pool.epoch(), 1);
    assert!(pool.n_bytes() + 90_000 < bytes_before);
    assert_eq!(pool.mk_add(x[0], kept_const), sum, "still interned");
    assert_eq!(pool.as_value(kept_const).expect("a constant").limbs(), [3, 4]);
    assert_eq!(pool.table_element(kept_table, 2), 3);
    assert_eq!(pool.op(read), Op::Select);
    let new = pool.mk_const_limbs(128, &[9, 9]);
    assert_eq!(new, dropped_const, "a freed id");
    assert_eq!(pool.as_value(kept_const).expect("a constant").limbs(), [3, 4]);
    assert!(pool.collect([]).len() >= 6);
    assert_eq!(pool.n_nodes(), 2, "false and true");
}

#[test]
fn dependencies_follow_a_collection() {
    let (mut pool, vars, x) = pool_with(&[8, 8]);
    let mut free = FreeVars::new();
    let sum = pool.mk_add(x[0], x[1]);
    let both = free.of(&pool, sum);
    assert!(free.contains(both, vars[0]) && free.contains(both, vars[1]));
    pool.collect([x[1]]);
    let one = pool.mk_const(8, 1);
    let next = pool.mk_add(x[1], one);
    let only = free.of(&pool, next);
    assert!(free.iter(only).eq([vars[1]]));
    assert!(free.intersects(both, only));
    let first = free.single(vars[0]);
    assert!(!free.intersects(first, only));
}

#[test]
fn overwritten_memory_reads_as_written() {
    let mut pool = ExprPool::new();
    let array_var = pool.new_var("A", Sort::Array { index_width: 64, elem_width: 8 });
    let index_var = pool.new_var("i", Sort::Bv(64));
    let (array, i) = (pool.mk_var(array_var), pool.mk_var(index_var));
    let [one, two, seven] = [1, 2, 7].map(|value| pool.mk_const(64, value));
    let next = pool.mk_add(i, one);
    let [a, b] = [0xaa, 0xbb].map(|value| pool.mk_const(8, value));
    let written = pool.mk_store(array, i, a);
    let written = pool.mk_store(written, two, b);
    let written = pool.mk_store(written, next, a);
    let read = pool.mk_select(written, seven);
    let mut model = Model::new();
    model.array_mut(array_var).elements.insert(7, 0x55);
    for (index, expected) in [(0, 0x55), (7, 0xaa), (6, 0xaa), (5, 0x55)] {
        model.set_u64(index_var, index);
        assert_eq!(Evaluator::new().under(&pool, &model).eval_u64(read), expected, "i = {index}");
    }
}

#[test]
fn rewriting_shared_operands_stays_cheap() {
    let (mut pool, _, x) = pool_with(&[64]);
    let [one, two] = [1, 2].map(|value| pool.mk_const(64, value));
    let mut chain = x[0];
    for _ in 0..60 {
        let (left, right) = (pool.mk_shl(chain, one), pool.mk_shl(chain, two));
        chain = pool.mk_add(left, right);
    }
    let n_nodes = pool.n_nodes();
    pool.mk_trunc(chain, 62);
    assert!(pool.n_nodes() < n_nodes + 5000, "{} nodes more", pool.n_nodes() - n_nodes);
}

#[test]
fn facts_see_through_tables() {
    let (mut pool, _, x) = pool_with(&[8]);
    let is_digit: Vec<u8> = (0..=255u8).map(|byte| byte.is_ascii_digit() as u8 * 4).collect();
    let table = pool.mk_table(8, 8, &is_digit);
    let class = pool.mk_select(table, x[0]);
    let facts = pool.facts(class).expect("narrow");
    assert_eq!((facts.umin, facts.umax, facts.zeros), (0, 4, !4 & 0xff));
    let mask = pool.mk_const(8, 0x80);
    assert!(pool.mk_and(class, mask) == pool.mk_const(8, 0));
}

#[test]
fn table_elements_have_the_width_of_elements() {
    let (mut pool, _, x) = pool_with(&[4]);
    let table = pool.mk_table(4, 5, &[0xff, 0x20, 7]);
    assert_eq!([0, 1, 2, 3].map(|index| pool.table_element(table, index)), [0x1f, 0, 7, 0]);
    let read = pool.mk_select(table, x[0]);
    assert_eq!(Evaluator::new().under(&pool, &Model::new()).eval_u64(read), 0x1f);
}

#[test]
fn elements_that_no_index_reaches_are_left_out() {
    let mut pool = ExprPool::new();
    let (long, short) = (pool.mk_table(2, 9, &[7; 20]), pool.mk_table(2, 9, &[7; 8]));
    assert_eq!(long, short);
    assert_eq!(pool.table_len(long), 4);
    let wide = pool.mk_table(64, 16, &[7; 20]);
    assert_eq!(pool.table_len(wide), 10);
}
