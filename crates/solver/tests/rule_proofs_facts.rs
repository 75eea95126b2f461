//! What is known of values (bits and ranges), proved: no operation takes a value that its facts exclude, whatever is
//! known of its operands. Widths up to 3 are tried out exhaustively by the tests of the expressions; here are 4 to 8.

#[path = "../../expr/tests/support/mod.rs"]
#[allow(dead_code, reason = "what evaluation needs is not needed for proofs")]
mod support;

use spelunk_bv::BinOp;
use spelunk_expr::{ExprId, ExprPool, Facts, Model};
use spelunk_solver::z3::Z3;
use spelunk_solver::{Answer, Limits, Query, Solver};
use support::Bench;

/// Operands of which something is known: bits, a range, a sign, few values.
fn operands(var: &str, width: u32) -> Vec<String> {
    let narrow = width - 2;
    vec![
        var.into(),
        format!("(and {var} 5)"),
        format!("(or {var} 9)"),
        format!("(or (and {var} 6) min)"),
        format!("(zext (extract {var} 1 {narrow}) +2)"),
        format!("(sext (extract {var} 1 {narrow}) +2)"),
        format!("(urem {var} 5)"),
        "(ite b 3 6)".into(),
        "(ite b -3 2)".into(),
    ]
}

/// Every operation that has facts, on all pairs of operands: by name, and as a term.
fn operations(width: u32) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for a in operands("x", width) {
        let unary = [
            ("not", format!("(not {a})")),
            ("neg", format!("(neg {a})")),
            ("extract", format!("(extract {a} 1 {})", width - 2)),
            ("zext", format!("(zext {a} +3)")),
            ("sext", format!("(sext {a} +3)")),
            ("select", format!("(select (table 9 5 7 5 13 5 7) {a})")),
        ];
        all.extend(unary.map(|(name, term)| (name.to_string(), term)));
        for b in operands("y", width) {
            all.extend(BinOp::ALL.iter().map(|op| (op.name().into(), format!("({op} {a} {b})"))));
            all.push(("concat".into(), format!("(concat {a} {b})")));
            all.push(("ite".into(), format!("(ite c {a} {b})")));
        }
    }
    all
}

/// Whether the value is one that the facts exclude.
fn mk_excluded(pool: &mut ExprPool, value: ExprId, facts: &Facts) -> ExprId {
    let mut constant = |value: u64| pool.mk_const(facts.width, value);
    let (zero, zeros, ones) = (constant(0), constant(facts.zeros), constant(facts.ones));
    let (umin, umax) = (constant(facts.umin), constant(facts.umax));
    let (smin, smax) = (constant(facts.smin as u64), constant(facts.smax as u64));
    let (not_zeros, are_ones) = (pool.mk_and(value, zeros), pool.mk_and(value, ones));
    let ways = [
        pool.mk_ne(not_zeros, zero),
        pool.mk_ne(are_ones, ones),
        pool.mk_ult(value, umin),
        pool.mk_ult(umax, value),
        pool.mk_slt(value, smin),
        pool.mk_slt(smax, value),
    ];
    ways.into_iter().fold(ExprId::FALSE, |any, way| pool.mk_or(any, way))
}

fn can_hold(solver: &mut Z3, pool: &mut ExprPool, condition: ExprId) -> bool {
    let query = Query { constraints: &[condition], n_satisfied: 0, hint: &Model::new(), limits: &Limits::default() };
    match solver.check(pool, &query) {
        Answer::Sat(_) => true,
        Answer::Unsat(_) => false,
        Answer::Unknown(why) => panic!("{why}:\n{}", pool.to_smtlib(&[condition])),
    }
}

#[test]
fn facts_are_proved() {
    let mut without_facts: Vec<String> = operations(4).into_iter().map(|(name, _)| name).collect();
    without_facts.sort();
    without_facts.dedup();
    for width in 4..=8 {
        let mut bench = Bench::new(width, Some(0));
        let mut solver = Z3::new();
        for (name, term) in operations(width) {
            let value = bench.build(&term).expect("buildable");
            let Some(facts) = bench.pool.facts(value).filter(|facts| !facts.is_unknown()) else { continue };
            let excluded = mk_excluded(&mut bench.pool, value, &facts);
            assert!(!can_hold(&mut solver, &mut bench.pool, excluded), "{term} at width {width}: {facts:?}");
            without_facts.retain(|other| *other != name);
        }
    }
    assert!(without_facts.is_empty(), "no facts were proved of {without_facts:?}");
}

/// Facts that are too narrow by one value are refuted.
#[test]
fn wrong_facts_are_refuted() {
    let mut bench = Bench::new(6, Some(0));
    let value = bench.build("(add (and x 12) (and y 3))").expect("buildable");
    let facts = bench.pool.facts(value).expect("facts");
    let mut solver = Z3::new();
    for wrong in [
        Facts { umax: facts.umax - 1, ..facts },
        Facts { smax: facts.smax - 1, ..facts },
        Facts { umin: facts.umin + 1, ..facts },
        Facts { smin: facts.smin + 1, ..facts },
        Facts { zeros: facts.zeros | 1, ..facts },
        Facts { ones: facts.ones | 1, ..facts },
    ] {
        let excluded = mk_excluded(&mut bench.pool, value, &wrong);
        assert!(can_hold(&mut solver, &mut bench.pool, excluded), "{wrong:?}");
    }
}
