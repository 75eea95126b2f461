//! Collected expressions: ids come to mean something else, and answers are of the new meaning.

use spelunk_expr::ExprId;

use crate::asking::{Outcome, expect, expect_brute_force, expect_unsat, mk_is_number, var};
use crate::common::operations::{Operands, Operation, integers};
use crate::common::session::Session;
use crate::contestants::Contestant;
use crate::values::Random;

pub fn check(contestant: &Contestant) {
    let mut session = contestant.session();
    session.name += ", ids that change their meaning";
    reused_ids(&mut session);
    let n_rounds = if contestant.is_thorough { 60 } else { 20 };
    for seed in 0..4 {
        let mut session = contestant.session();
        session.name += &format!(", random expressions and collections from seed {seed}");
        random_rounds(&mut session, seed, n_rounds);
    }
}

/// The same ids are conditions on different variables in turn, satisfiable and not.
fn reused_ids(session: &mut Session) {
    let (x, y) = (var(session, "x", 16), var(session, "y", 16));
    let mut seen = Vec::new();
    for round in 0..20u64 {
        let pool = &mut session.pool;
        let [a, b] = if round % 2 == 0 { [x, y] } else { [y, x] };
        let constant = pool.mk_const(16, 3 * round + 1);
        let (product, sum) = (pool.mk_mul(a, constant), pool.mk_xor(a, b));
        let constraints = [mk_is_number(pool, product, 1000), mk_is_number(pool, sum, round), pool.mk_ult(a, b)];
        seen.extend(constraints);
        // An odd factor can be divided by; an even one can't yield a value that is divisible by fewer twos. The
        // factors here are odd in even rounds, and 4, 10, 16, 22… in odd ones, where 1000 is eight times an odd number.
        let twos = (3 * round + 1).trailing_zeros();
        expect(session, Outcome::sat_if(twos <= 3), &constraints[..1]);
        let contradiction = session.pool.mk_ule(b, a);
        expect_unsat(session, &[constraints[2], constraints[1], contradiction]);
        session.collect(&[x, y]);
    }
    seen.sort_unstable();
    let n_seen = seen.len();
    seen.dedup();
    assert!(seen.len() < n_seen, "ids were to be used again");
}

/// Random conditions over few bits; most of them are dropped again and again.
fn random_rounds(session: &mut Session, seed: u64, n_rounds: usize) {
    let mut random = Random(seed);
    let operations: Vec<Operation> =
        integers().into_iter().filter(|operation| matches!(operation.operands, Operands::Equal(1 | 2))).collect();
    let vars = ["x", "y", "z"].map(|name| var(session, name, 4));
    let mut kept: Vec<ExprId> = Vec::new();
    for _ in 0..n_rounds {
        let mut terms = vars.to_vec();
        for _ in 0..8 {
            let operation = &operations[random.below(operations.len())];
            let args = [terms[random.below(terms.len())], terms[random.below(terms.len())]];
            let term = operation.mk(&mut session.pool, &args);
            let pool = &mut session.pool;
            terms.push(if pool.width(term) < 4 { pool.mk_zext(term, 4) } else { pool.mk_trunc(term, 4) });
        }
        let condition = |term: &ExprId| {
            let value = random.next();
            mk_is_number(&mut session.pool, *term, value)
        };
        let mut constraints: Vec<ExprId> = terms[vars.len() + 5..].iter().map(condition).collect();
        constraints.extend(&kept);
        expect_brute_force(session, &constraints);
        expect_brute_force(session, &constraints[1..]);
        if random.below(2) == 0 {
            kept = vec![constraints[random.below(constraints.len())]];
            session.collect(&[&vars[..], &kept].concat());
        }
    }
}
