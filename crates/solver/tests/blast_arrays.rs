//! Arrays in the bit-blaster: lazily added axioms against the same arrays spelled out as choices.

mod blast_support;

use std::time::Duration;

use blast_support::{Bench, Lcg};
use spelunk_expr::{ExprId, ExprPool, Model, Sort};
use spelunk_solver::{Answer, Limits};

const INDEX_WIDTH: u32 = 3;
const ELEM_WIDTH: u32 = 4;
const SIZE: u64 = 1 << INDEX_WIDTH;

/// An array and the elements that it has, as expressions without arrays.
#[derive(Clone)]
struct Twin {
    array: ExprId,
    elements: Vec<ExprId>,
}

impl Twin {
    /// Positions and values come with the same without arrays.
    fn read(&self, pool: &mut ExprPool, index: (ExprId, ExprId)) -> (ExprId, ExprId) {
        let lazy = pool.mk_select(self.array, index.0);
        let mut spelled_out = self.elements[0];
        for (at, &element) in self.elements.iter().enumerate().skip(1) {
            let is_here = is_at(pool, index.1, at as u64);
            spelled_out = pool.mk_ite(is_here, element, spelled_out);
        }
        (lazy, spelled_out)
    }

    fn write(&self, pool: &mut ExprPool, index: (ExprId, ExprId), elem: (ExprId, ExprId)) -> Twin {
        let array = pool.mk_store(self.array, index.0, elem.0);
        let elements = (0..SIZE)
            .map(|at| {
                let is_here = is_at(pool, index.1, at);
                pool.mk_ite(is_here, elem.1, self.elements[at as usize])
            })
            .collect();
        Twin { array, elements }
    }
}

fn is_at(pool: &mut ExprPool, index: ExprId, at: u64) -> ExprId {
    let at = pool.mk_const(INDEX_WIDTH, at);
    pool.mk_eq(index, at)
}

fn variable(bench: &mut Bench) -> Twin {
    let array = bench.var("A", Sort::Array { index_width: INDEX_WIDTH, elem_width: ELEM_WIDTH });
    Twin { array, elements: (0..SIZE).map(|at| bench.var(&format!("a{at}"), Sort::Bv(ELEM_WIDTH))).collect() }
}

fn table(bench: &mut Bench, random: &mut Lcg) -> Twin {
    let bytes: Vec<u8> = (0..SIZE - 2).map(|_| random.below(1 << ELEM_WIDTH) as u8).collect();
    let array = bench.pool.mk_table(INDEX_WIDTH, ELEM_WIDTH, &bytes);
    let element = |at: u64| bytes.get(at as usize).copied().unwrap_or(0) as u64;
    Twin { array, elements: (0..SIZE).map(|at| bench.pool.mk_const(ELEM_WIDTH, element(at))).collect() }
}

fn everywhere(bench: &mut Bench, elem: (ExprId, ExprId)) -> Twin {
    let array = bench.pool.mk_const_array(INDEX_WIDTH, elem.0);
    Twin { array, elements: vec![elem.1; SIZE as usize] }
}

/// What positions are made of, but for constant ones.
#[derive(Clone, Copy, Debug)]
enum Positions {
    OfVariables,
    /// Of anything, even of what was read.
    OfReads,
}

/// Random writes and reads of random arrays; then the same question about both forms.
fn check_random(positions: Positions, seed: u64) -> (usize, usize) {
    let mut random = Lcg::new(seed);
    let mut bench = Bench::new(None);
    let variables: Vec<ExprId> = (0..3).map(|at| bench.var(&format!("x{at}"), Sort::Bv(ELEM_WIDTH))).collect();
    // Values, each as it is with arrays and without.
    let mut values: Vec<(ExprId, ExprId)> = variables.iter().map(|&x| (x, x)).collect();
    let mut twins = vec![variable(&mut bench), table(&mut bench, &mut random), everywhere(&mut bench, values[0])];
    let mut conditions = Vec::new();
    let (mut n_sat, mut n_unsat) = (0, 0);
    for _ in 0..30 {
        let (a, b) =
            (values[random.below(values.len() as u64) as usize], values[random.below(values.len() as u64) as usize]);
        let pool = &mut bench.pool;
        let at = twins[random.below(twins.len() as u64) as usize].clone();
        let index = match positions {
            _ if random.below(3) == 0 => {
                let place = pool.mk_const(INDEX_WIDTH, random.next());
                (place, place)
            }
            Positions::OfVariables => {
                let sum = pool.mk_add(variables[0], variables[random.below(3) as usize]);
                let place = pool.mk_extract(sum, random.below(2) as u32, INDEX_WIDTH);
                (place, place)
            }
            Positions::OfReads => (pool.mk_trunc(b.0, INDEX_WIDTH), pool.mk_trunc(b.1, INDEX_WIDTH)),
        };
        match random.below(4) {
            0 => values.push(at.read(pool, index)),
            1 => twins.push(at.write(pool, index, a)),
            2 => values.push((pool.mk_add(a.0, b.0), pool.mk_add(a.1, b.1))),
            _ => {
                let read = at.read(pool, index);
                let condition = match random.below(3) {
                    0 => (pool.mk_ult(a.0, read.0), pool.mk_ult(a.1, read.1)),
                    1 => (pool.mk_ne(a.0, read.0), pool.mk_ne(a.1, read.1)),
                    _ => (pool.mk_eq(a.0, read.0), pool.mk_eq(a.1, read.1)),
                };
                conditions.push(condition);
                let (lazy, spelled_out): (Vec<ExprId>, Vec<ExprId>) = conditions.iter().copied().unzip();
                let (answer, expected) = (bench.check(&lazy), bench.check(&spelled_out));
                assert_eq!(
                    answer.is_sat(),
                    expected.is_sat(),
                    "{positions:?}, seed {seed}: {answer:?} instead of {expected:?}"
                );
                assert_eq!(answer.is_unsat(), expected.is_unsat(), "{positions:?}, seed {seed}");
                if answer.is_unsat() {
                    conditions.pop();
                    n_unsat += 1;
                } else {
                    n_sat += 1;
                }
            }
        }
    }
    (n_sat, n_unsat)
}

#[test]
fn random_arrays_behave_as_if_spelled_out() {
    let (mut n_sat, mut n_unsat) = (0, 0);
    for positions in [Positions::OfVariables, Positions::OfReads] {
        for seed in 0..300 {
            let (sat, unsat) = check_random(positions, seed);
            n_sat += sat;
            n_unsat += unsat;
        }
    }
    assert!(n_sat > 600 && n_unsat > 200, "both happen: {n_sat} satisfiable, {n_unsat} not");
}

/// A table of 64 KiB: values where they are, and none where they are not.
#[test]
fn large_table() {
    let mut bench = Bench::new(None);
    let bytes: Vec<u8> = (0..1u32 << 16).map(|at| (at.wrapping_mul(2_654_435_761) >> 25) as u8).collect();
    let table = bench.pool.mk_table(64, 8, &bytes);
    let index = bench.var("i", Sort::Bv(32));
    let wide = bench.pool.mk_zext(index, 64);
    let read = bench.pool.mk_select(table, wide);
    let limit = bench.pool.mk_const(32, 1 << 16);
    let is_within = bench.pool.mk_ult(index, limit);
    for wanted in [0, 1, 77, 127] {
        let is_wanted = bench.is(read, wanted);
        assert!(bench.check(&[is_within, is_wanted]).is_sat(), "{wanted} is somewhere");
    }
    let n_gates = bench.blaster.sizes().n_gates;
    assert!(n_gates < 100_000, "{n_gates} gates for a few elements");
    let too_large = bench.is(read, 128);
    assert!(bench.check(&[is_within, too_large]).is_unsat());
    let beyond = bench.pool.mk_not(is_within);
    let is_one = bench.is(read, 1);
    assert!(bench.check(&[beyond, is_one]).is_unsat(), "there are zeros beyond a table");
}

/// Two reads of a table at different places have the same value although all values differ.
#[test]
fn all_of_a_table_is_needed() {
    let mut bench = Bench::new(None);
    let words: Vec<u8> = (0..1u32 << 11).flat_map(|at| (at.wrapping_mul(40_503) as u16).to_le_bytes()).collect();
    let table = bench.pool.mk_table(11, 16, &words);
    let [i, j] = ["i", "j"].map(|name| bench.var(name, Sort::Bv(11)));
    let (a, b) = (bench.pool.mk_select(table, i), bench.pool.mk_select(table, j));
    let (differ, same) = (bench.pool.mk_ne(i, j), bench.pool.mk_eq(a, b));
    assert!(bench.check(&[differ, same]).is_unsat());
    assert!(bench.check(&[same]).is_sat());
}

/// A buffer whose bytes were all written, one after the other, at constant places.
#[test]
fn long_row_of_writes() {
    for base_is_variable in [false, true] {
        let mut bench = Bench::new(None);
        let mut array = if base_is_variable {
            bench.var("A", Sort::Array { index_width: 64, elem_width: 8 })
        } else {
            let zero = bench.pool.mk_const(8, 0);
            bench.pool.mk_const_array(64, zero)
        };
        let bytes: Vec<ExprId> = (0..3000).map(|at| bench.var(&format!("b{at}"), Sort::Bv(8))).collect();
        for (at, &byte) in bytes.iter().enumerate() {
            let position = bench.pool.mk_const(64, at as u64);
            array = bench.pool.mk_store(array, position, byte);
        }
        let index = bench.var("i", Sort::Bv(64));
        let read = bench.pool.mk_select(array, index);
        let is_wanted = bench.is(read, 200);
        let limit = bench.pool.mk_const(64, 3000);
        let is_within = bench.pool.mk_ult(index, limit);
        let answer = bench.check(&[is_within, is_wanted]);
        assert!(answer.is_sat());
        let is_outside = bench.pool.mk_not(is_within);
        assert_eq!(bench.check(&[is_outside, is_wanted]).is_sat(), base_is_variable, "zeros beyond the buffer");
        let mut no_byte: Vec<ExprId> = Vec::new();
        for &byte in &bytes[..40] {
            let is_wanted = bench.is(byte, 200);
            no_byte.push(bench.pool.mk_not(is_wanted));
        }
        let limit = bench.pool.mk_const(64, 40);
        no_byte.extend([bench.pool.mk_ult(index, limit), is_wanted]);
        assert!(bench.check(&no_byte).is_unsat());
    }
}

/// Elements that the query does not read keep the values of the hint.
#[test]
fn arrays_keep_the_hint() {
    let mut bench = Bench::new(None);
    let array = bench.pool.new_var("A", Sort::Array { index_width: 32, elem_width: 8 });
    bench.hint.array_mut(array).default = 9;
    for at in 0..10 {
        bench.hint.array_mut(array).elements.insert(at, 100 + at);
    }
    let array_expr = bench.pool.mk_var(array);
    let index = bench.var("i", Sort::Bv(32));
    bench.hint.set_u64(bench.pool.node(index).var(), 4);
    let read = bench.pool.mk_select(array_expr, index);
    let is_wanted = bench.is(read, 7);
    let is_at = bench.is(index, 4);
    let Answer::Sat(model) = bench.check(&[is_at, is_wanted]) else { panic!("there are values") };
    let mut full: Model = bench.hint.clone();
    full.update(&model);
    let value = full.array(array).expect("a value");
    assert_eq!(value.element(4), 7);
    assert!((0..10).filter(|&at| at != 4).all(|at| value.element(at) == 100 + at));
    assert_eq!(value.element(77), 9);
}

/// What fills the outermost read changes where it reads.
#[test]
fn reads_at_what_was_read_come_to_an_end() {
    let limits = Limits { time: Some(Duration::from_secs(30)), ..Limits::default() };
    for depth in 1..6 {
        for start in 0..4 {
            let mut bench = Bench::new(None);
            let array = bench.var("A", Sort::Array { index_width: INDEX_WIDTH, elem_width: 8 });
            let index = bench.var("x", Sort::Bv(8));
            bench.hint.set_u64(bench.pool.node(index).var(), start);
            let mut read = index;
            for _ in 0..depth {
                let at = bench.pool.mk_trunc(read, INDEX_WIDTH);
                read = bench.pool.mk_select(array, at);
            }
            for wanted in [5, 0x74, 0xff] {
                let is_wanted = bench.is(read, wanted);
                let answer = bench.check_within(&[is_wanted], &limits);
                assert!(answer.is_sat(), "{answer:?}: {wanted:#x} at the end of {depth} reads from {start} on");
            }
            let chain_stays = bench.is(index, start);
            let (low, first) = (bench.pool.mk_trunc(index, INDEX_WIDTH), bench.pool.mk_trunc(read, INDEX_WIDTH));
            let returns = bench.pool.mk_eq(low, first);
            let answer = bench.check_within(&[chain_stays, returns], &limits);
            assert!(answer.is_sat(), "{answer:?}: back to {start} after {depth} reads");
        }
    }
}
