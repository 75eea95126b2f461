//! Arrays: reads over writes at indices that may or may not be equal, arrays of equal elements, tables.

use spelunk_expr::{ExprId, Sort};

use crate::asking::{Case, Outcome, expect, expect_sat, expect_unsat, mk_is_number, var};
use crate::common::session::Session;
use crate::contestants::Contestant;
use crate::values::Random;

const CASES: &[Case] = &[
    ("reads of one array", reads),
    ("reads over a write", read_over_write),
    ("a chain of writes", write_chain),
    ("writes in either order", commuting_writes),
    ("few indices", few_indices),
    ("equal elements", equal_elements),
    ("small tables", small_tables),
    ("a table of 256 bytes", byte_table),
    ("tables of tables", nested_tables),
    ("writes over a table", write_over_table),
    ("wide indices and elements", wide_arrays),
    ("elements of one bit", bit_arrays),
    ("arrays that have nothing in common", two_arrays),
];

pub fn check(contestant: &Contestant) {
    for (name, case) in CASES {
        let mut session = contestant.session();
        session.name += &format!(", {name}");
        case(&mut session);
    }
    if contestant.is_thorough {
        large_table(&mut contestant.session());
    }
}

fn array(session: &mut Session, index_width: u32, elem_width: u32) -> ExprId {
    let var = session.pool.new_var("A", Sort::Array { index_width, elem_width });
    session.pool.mk_var(var)
}

fn reads(session: &mut Session) {
    let array = array(session, 8, 8);
    let (i, j) = (var(session, "i", 8), var(session, "j", 8));
    let pool = &mut session.pool;
    let (at_i, at_j) = (pool.mk_select(array, i), pool.mk_select(array, j));
    let (same_index, same_elem) = (pool.mk_eq(i, j), pool.mk_eq(at_i, at_j));
    let [other_index, other_elem] = [same_index, same_elem].map(|same| pool.mk_not(same));
    expect_unsat(session, &[same_index, other_elem]);
    expect_sat(session, &[same_index, same_elem]);
    expect_sat(session, &[other_index, other_elem]);
    expect_sat(session, &[other_index, same_elem]);
    expect_sat(session, &[other_elem]);
    // The same through arithmetic that only the solver sees through.
    let pool = &mut session.pool;
    let three = pool.mk_const(8, 3);
    let (i3, j3) = (pool.mk_mul(i, three), pool.mk_mul(j, three));
    let (at_i3, at_j3) = (pool.mk_select(array, i3), pool.mk_select(array, j3));
    let differ = pool.mk_ne(at_i3, at_j3);
    expect_unsat(session, &[same_index, differ]);
    expect_sat(session, &[other_index, differ]);
    // An element as an index.
    let pool = &mut session.pool;
    let deep = pool.mk_select(array, at_i);
    let constraints = [mk_is_number(pool, deep, 7), mk_is_number(pool, at_i, 5), mk_is_number(pool, i, 5)];
    expect_unsat(session, &constraints);
    expect_sat(session, &constraints[..2]);
}

fn read_over_write(session: &mut Session) {
    let array = array(session, 8, 8);
    let [i, j, v] = ["i", "j", "v"].map(|name| var(session, name, 8));
    let pool = &mut session.pool;
    let written = pool.mk_store(array, i, v);
    let (read, before) = (pool.mk_select(written, j), pool.mk_select(array, j));
    let (same_index, is_written, is_kept) = (pool.mk_eq(i, j), pool.mk_eq(read, v), pool.mk_eq(read, before));
    let [other_index, is_not_written, is_not_kept] =
        [same_index, is_written, is_kept].map(|condition| pool.mk_not(condition));
    expect_unsat(session, &[same_index, is_not_written]);
    expect_unsat(session, &[other_index, is_not_kept]);
    expect_unsat(session, &[is_not_written, is_not_kept]);
    expect_sat(session, &[same_index, is_not_kept]);
    expect_sat(session, &[other_index, is_not_written]);
    expect_sat(session, &[is_written, is_kept]);
}

/// The last write to an index counts; what is nowhere written is what was there.
fn write_chain(session: &mut Session) {
    const N_WRITES: u64 = 20;
    let original = array(session, 8, 16);
    let mut random = Random(1);
    let mut array = original;
    let mut indices = Vec::new();
    for n in 0..N_WRITES {
        let index = var(session, "i", 8);
        let pool = &mut session.pool;
        let elem = pool.mk_const(16, 0x1000 + n);
        array = pool.mk_store(array, index, elem);
        indices.push(index);
    }
    let j = var(session, "j", 8);
    let pool = &mut session.pool;
    let read = pool.mk_select(array, j);
    let is_last = mk_is_number(pool, read, 0x1000 + N_WRITES - 1);
    let is_first = mk_is_number(pool, read, 0x1000);
    let at_first = pool.mk_eq(j, indices[0]);
    let is_above = pool.mk_const(16, 0x1000 + N_WRITES);
    let is_above = pool.mk_ule(is_above, read);
    expect_sat(session, &[is_last]);
    expect_sat(session, &[is_first]);
    expect_sat(session, &[is_above]);
    expect_unsat(session, &[is_above, at_first]);
    for _ in 0..5 {
        let earlier = random.below(N_WRITES as usize - 1);
        let later = earlier + 1 + random.below(N_WRITES as usize - 1 - earlier);
        let pool = &mut session.pool;
        let is_earlier = mk_is_number(pool, read, 0x1000 + earlier as u64);
        let overwritten = pool.mk_eq(indices[earlier], indices[later]);
        let at_earlier = pool.mk_eq(j, indices[earlier]);
        let elsewhere = pool.mk_not(at_earlier);
        expect_unsat(session, &[is_earlier, overwritten, at_earlier]);
        expect_sat(session, &[is_earlier, at_earlier]);
        // The array itself may hold what was written elsewhere.
        expect_sat(session, &[is_earlier, elsewhere]);
    }
}

fn commuting_writes(session: &mut Session) {
    let array = array(session, 8, 8);
    let [i, j, k, v, w] = ["i", "j", "k", "v", "w"].map(|name| var(session, name, 8));
    let pool = &mut session.pool;
    let mut write_both = |[first, second]: [(ExprId, ExprId); 2]| {
        let written = pool.mk_store(array, first.0, first.1);
        let written = pool.mk_store(written, second.0, second.1);
        pool.mk_select(written, k)
    };
    let (one, other) = (write_both([(i, v), (j, w)]), write_both([(j, w), (i, v)]));
    let (differ, apart) = (pool.mk_ne(one, other), pool.mk_ne(i, j));
    expect_unsat(session, &[differ, apart]);
    let model = expect_sat(session, &[differ]);
    let pool = &session.pool;
    assert_eq!(model.get_u64(pool.node(i).var()).unwrap_or(0), model.get_u64(pool.node(j).var()).unwrap_or(0));
}

/// Pigeons: an array of two elements can't have three distinct ones.
fn few_indices(session: &mut Session) {
    let array = array(session, 1, 8);
    let [i, j, k] = ["i", "j", "k"].map(|name| var(session, name, 1));
    let pool = &mut session.pool;
    let [at_i, at_j, at_k] = [i, j, k].map(|index| pool.mk_select(array, index));
    let constraints = [pool.mk_ult(at_i, at_j), pool.mk_ult(at_j, at_k)];
    expect_unsat(session, &constraints);
    expect_sat(session, &constraints[..1]);
}

fn equal_elements(session: &mut Session) {
    let [i, j, v, w] = ["i", "j", "v", "w"].map(|name| var(session, name, 16));
    let pool = &mut session.pool;
    let blank = pool.mk_const_array(16, v);
    let written = pool.mk_store(blank, i, w);
    let read = pool.mk_select(written, j);
    let (is_blank, is_written) = (pool.mk_eq(read, v), pool.mk_eq(read, w));
    let [is_not_blank, is_not_written] = [is_blank, is_written].map(|condition| pool.mk_not(condition));
    expect_unsat(session, &[is_not_blank, is_not_written]);
    expect_sat(session, &[is_blank, is_not_written]);
    let model = expect_sat(session, &[is_not_blank]);
    let pool = &session.pool;
    assert_eq!(model.get_u64(pool.node(i).var()).unwrap_or(0), model.get_u64(pool.node(j).var()).unwrap_or(0));
}

/// Elements that are not given are zero.
fn small_tables(session: &mut Session) {
    let i = var(session, "i", 64);
    let pool = &mut session.pool;
    let table = pool.mk_table(64, 8, &[3, 1, 4, 1, 5, 9, 2, 6]);
    let read = pool.mk_select(table, i);
    let wanted = [(9, true), (8, false), (0, true), (1, true)].map(|(elem, is_there)| {
        let is_elem = mk_is_number(&mut session.pool, read, elem);
        expect(session, Outcome::sat_if(is_there), &[is_elem]);
        is_elem
    });
    let pool = &mut session.pool;
    let (one, three, eight) = (pool.mk_const(64, 1), pool.mk_const(64, 3), pool.mk_const(64, 8));
    let not_first = pool.mk_ne(i, one);
    let not_second = pool.mk_ne(i, three);
    let inside = pool.mk_ult(i, eight);
    expect_sat(session, &[wanted[3], not_first]);
    expect_unsat(session, &[wanted[3], not_first, not_second]);
    expect_unsat(session, &[wanted[2], inside]);
}

/// The squares modulo 256 of the odd numbers are 1 modulo 8; an affine map is a permutation.
fn byte_table(session: &mut Session) {
    let squares: Vec<u8> = (0..=255u8).map(|at| at.wrapping_mul(at)).collect();
    let permutation: Vec<u8> = (0..=255u8).map(|at| at.wrapping_mul(77).wrapping_add(13)).collect();
    let (i, j) = (var(session, "i", 8), var(session, "j", 8));
    let pool = &mut session.pool;
    let (squares, permutation) = (pool.mk_table(8, 8, &squares), pool.mk_table(8, 8, &permutation));
    let is_odd = pool.mk_trunc(i, 1);
    let square = pool.mk_select(squares, i);
    for elem in [1, 9, 17, 57, 64, 100, 249, 33, 5, 2] {
        let is_elem = mk_is_number(&mut session.pool, square, elem);
        expect(session, Outcome::sat_if(elem % 8 == 1), &[is_odd, is_elem]);
    }
    let pool = &mut session.pool;
    let (at_i, at_j) = (pool.mk_select(permutation, i), pool.mk_select(permutation, j));
    let (collide, differ) = (pool.mk_eq(at_i, at_j), pool.mk_ne(i, j));
    expect_unsat(session, &[collide, differ]);
    for elem in [0, 128, 255] {
        let is_elem = mk_is_number(&mut session.pool, at_i, elem);
        expect_sat(session, &[is_elem]);
    }
}

fn large_table(session: &mut Session) {
    // A permutation of 16-bit words, but for one word that is there twice and one that is missing.
    let mut words: Vec<u16> = (0..=u16::MAX).map(|at| at.wrapping_mul(40_503).wrapping_add(7)).collect();
    let missing = words[1000];
    words[1000] = words[2000];
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let (i, j) = (var(session, "i", 16), var(session, "j", 16));
    let pool = &mut session.pool;
    let table = pool.mk_table(16, 16, &bytes);
    let (at_i, at_j) = (pool.mk_select(table, i), pool.mk_select(table, j));
    for at in [0, 1, 999, 2000, 40_000, 65_535] {
        let pool = &mut session.pool;
        let is_elem = mk_is_number(pool, at_i, words[at] as u64);
        let is_elsewhere = mk_is_number(pool, i, at as u64);
        let is_elsewhere = pool.mk_not(is_elsewhere);
        expect_sat(session, &[is_elem]);
        expect(session, Outcome::sat_if(at == 2000), &[is_elem, is_elsewhere]);
    }
    let pool = &mut session.pool;
    let is_missing = mk_is_number(pool, at_i, missing as u64);
    expect_unsat(session, &[is_missing]);
    let pool = &mut session.pool;
    let (collide, order) = (pool.mk_eq(at_i, at_j), pool.mk_ult(i, j));
    let limit = pool.mk_const(16, 2000);
    let is_below = pool.mk_ult(j, limit);
    let model = expect_sat(session, &[collide, order]);
    let pool = &session.pool;
    let value = |id: ExprId| model.get_u64(pool.node(id).var()).unwrap_or(0);
    assert_eq!((value(i), value(j)), (1000, 2000));
    expect_unsat(session, &[collide, order, is_below]);
}

fn nested_tables(session: &mut Session) {
    let next: Vec<u8> = (0..=255u8).map(|at| at.wrapping_mul(5).wrapping_add(1)).collect();
    let i = var(session, "i", 8);
    let pool = &mut session.pool;
    let table = pool.mk_table(8, 8, &next);
    let mut at = i;
    for _ in 0..4 {
        at = pool.mk_select(table, at);
    }
    // A full cycle: four steps from each number lead to one number and never back.
    let is_goal = mk_is_number(pool, at, 200);
    let is_back = pool.mk_eq(at, i);
    expect_sat(session, &[is_goal]);
    expect_unsat(session, &[is_back]);
}

fn write_over_table(session: &mut Session) {
    let [i, j, v] = ["i", "j", "v"].map(|name| var(session, name, 8));
    let pool = &mut session.pool;
    let table = pool.mk_table(8, 8, &[10, 20, 30, 40]);
    let written = pool.mk_store(table, i, v);
    let read = pool.mk_select(written, j);
    let is_new = mk_is_number(pool, read, 77);
    let is_old = mk_is_number(pool, read, 30);
    let apart = pool.mk_ne(i, j);
    let not_old = mk_is_number(pool, j, 2);
    let not_old = pool.mk_not(not_old);
    expect_sat(session, &[is_new]);
    expect_unsat(session, &[is_new, apart]);
    expect_sat(session, &[is_old, apart]);
    expect_sat(session, &[is_old, not_old]);
    expect_unsat(session, &[is_old, not_old, apart]);
}

fn wide_arrays(session: &mut Session) {
    let array = array(session, 64, 64);
    let [i, j, v] = ["i", "j", "v"].map(|name| var(session, name, 64));
    let pool = &mut session.pool;
    let eight = pool.mk_const(64, 8);
    let next = pool.mk_add(i, eight);
    let written = pool.mk_store(array, next, v);
    let (at_i, at_next) = (pool.mk_select(written, i), pool.mk_select(written, j));
    let is_high = mk_is_number(pool, i, u64::MAX - 3);
    let wraps = mk_is_number(pool, j, 4);
    let elem = mk_is_number(pool, v, 0xdead_beef_0bad_cafe);
    let is_read = mk_is_number(pool, at_next, 0xdead_beef_0bad_cafe);
    let is_not_read = pool.mk_not(is_read);
    let is_other = pool.mk_ult(at_next, at_i);
    expect_sat(session, &[is_high, wraps, elem, is_read, is_other]);
    expect_unsat(session, &[is_high, wraps, elem, is_not_read]);
}

fn bit_arrays(session: &mut Session) {
    let array = array(session, 3, 1);
    let pool = &mut session.pool;
    // All eight bits are read: how many are set is free, but they can't be all set and one not.
    let bits: Vec<ExprId> = (0..8)
        .map(|at| {
            let index = pool.mk_const(3, at);
            pool.mk_select(array, index)
        })
        .collect();
    expect_sat(session, &bits);
    let i = var(session, "i", 3);
    let pool = &mut session.pool;
    let at_i = pool.mk_select(array, i);
    let is_clear = pool.mk_not(at_i);
    let constraints: Vec<ExprId> = bits.iter().copied().chain([is_clear]).collect();
    expect_unsat(session, &constraints);
    expect_sat(session, &constraints[1..]);
}

fn two_arrays(session: &mut Session) {
    let (one, other) = (array(session, 8, 8), array(session, 8, 8));
    let i = var(session, "i", 8);
    let pool = &mut session.pool;
    let (at_one, at_other) = (pool.mk_select(one, i), pool.mk_select(other, i));
    let (differ, agree) = (pool.mk_ne(at_one, at_other), pool.mk_eq(at_one, at_other));
    expect_sat(session, &[differ]);
    expect_sat(session, &[agree]);
    expect_unsat(session, &[differ, agree]);
}
