//! Random expressions: rules keep values, facts hold, collection keeps meanings, variables are all there.
//!
//! `PROPTEST_CASES` sets how many: a few hundred thousand find what a change broke.

#[path = "support/program.rs"]
mod program;

use program::{inputs, programs};
use proptest::prelude::*;
use spelunk_expr::{Evaluator, ExprPool, FreeVars, Model, Value};

fn config() -> ProptestConfig {
    let is_set = std::env::var_os("PROPTEST_CASES").is_some();
    let cases = if is_set { ProptestConfig::default().cases } else { 2000 };
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 20_000, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn rules_keep_values(program in programs(40), inputs in inputs()) {
        let [mut plain, mut rewritten] = [ExprPool::new(), ExprPool::new()];
        plain.set_rule_fuel(Some(0));
        let vars = program.declare(&mut plain);
        program.declare(&mut rewritten);
        let expected = program.build(&mut plain, &vars);
        let got = program.build(&mut rewritten, &vars);
        let [mut plain_state, mut state] = [Evaluator::new(), Evaluator::new()];
        for input in &inputs {
            let model = program.model(&vars, input);
            let mut plain_values = plain_state.under(&plain, &model);
            let mut values = state.under(&rewritten, &model);
            for (at, (&plain_term, &term)) in expected.iter().zip(&got).enumerate() {
                let value = values.eval(term);
                prop_assert_eq!(&plain_values.eval(plain_term), &value, "step {}", at);
                for facts in [plain.facts(plain_term), rewritten.facts(term)].into_iter().flatten() {
                    prop_assert!(facts.admits(value.as_u64().expect("narrow")), "step {}: {:?}", at, facts);
                }
            }
        }
    }

    #[test]
    fn collection_keeps_meanings(first in programs(30), second in programs(30), inputs in inputs(), kept in any::<u64>()) {
        let mut pool = ExprPool::new();
        let vars = first.declare(&mut pool);
        let terms = first.build(&mut pool, &vars);
        let roots: Vec<_> = terms.iter().enumerate().filter(|(at, _)| kept >> (at % 64) & 1 != 0).map(|(_, &id)| id).collect();
        let model = first.model(&vars, &inputs[0]);
        let values = |pool: &ExprPool| -> Vec<Value> {
            let mut evaluator = Evaluator::new();
            let mut values = evaluator.under(pool, &model);
            roots.iter().map(|&root| values.eval(root)).collect()
        };
        let before = values(&pool);
        let n_before = pool.n_nodes();
        let dropped = pool.collect(roots.iter().copied());
        prop_assert_eq!(pool.n_nodes() + dropped.len(), n_before);
        prop_assert_eq!(&values(&pool), &before);
        // Ids of dropped nodes are used again, which must not disturb the kept ones.
        let more_vars = second.declare(&mut pool);
        second.build(&mut pool, &more_vars);
        prop_assert_eq!(&values(&pool), &before);
        // What was kept is found again: building the same terms adds only what was dropped, under whatever ids.
        let again = first.build(&mut pool, &vars);
        let mut evaluator = Evaluator::new();
        let mut all = evaluator.under(&pool, &model);
        for (at, root) in terms.iter().enumerate().filter(|(at, _)| kept >> (at % 64) & 1 != 0) {
            prop_assert_eq!(all.eval(again[at]), all.eval(*root));
        }
    }

    #[test]
    fn values_depend_on_free_variables_only(program in programs(30), inputs in inputs()) {
        let mut pool = ExprPool::new();
        let vars = program.declare(&mut pool);
        let terms = program.build(&mut pool, &vars);
        let mut free = FreeVars::new();
        let [mut one_state, mut other_state] = [Evaluator::new(), Evaluator::new()];
        let [one, other] = [&inputs[0], &inputs[1]].map(|input| program.model(&vars, input));
        for &term in &terms {
            let set = free.of(&pool, term);
            // `other`, but with the values of `one` for what the term depends on.
            let mut mixed = other.clone();
            for var in free.iter(set) {
                copy_value(&one, &mut mixed, var);
            }
            let expected = one_state.under(&pool, &one).eval(term);
            prop_assert_eq!(other_state.under(&pool, &mixed).eval(term), expected);
        }
    }
}

fn copy_value(from: &Model, to: &mut Model, var: spelunk_expr::VarId) {
    if let Some(value) = from.get_u64(var) {
        to.set_u64(var, value);
    }
    if let Some(value) = from.get_wide(var) {
        to.set(var, value);
    }
    if let Some(array) = from.array(var) {
        *to.array_mut(var) = array.clone();
    }
}
