//! Operations beyond words on data that carries expressions: wide integers, every kind of float, vectors, intrinsics,
//! atomics, aggregates.

use super::library::{cases, compile, run_all, runner};
use super::support::{check_conditions, ending};
use spelunk_concolic::Input;
use spelunk_concolic::decision::DecisionKind;
use spelunk_driver::Purpose;
use spelunk_vm::Stop;
use std::collections::BTreeSet;

/// A path decides on each bit of a result, so an expression that gets lost on the way shows: inputs with different results
/// would be on one path. One that is wrong is found by the machine's check of itself.
fn check(optimisation: &str) {
    let source = include_str!("programs/operations.c");
    let program = compile(source, Purpose::Explore, &["-std=gnu2x", optimisation]);
    let values = (0..=u8::MAX).filter(|value| value % 3 == 0 || [1, 2, 127, 128, 254].contains(value));
    let inputs: Vec<Input> = values.map(|value| Input::new().with("x", vec![value])).collect();
    assert!(cases(source).count() > 60);
    for case in cases(source) {
        let mut runner = runner(&program, case);
        let runs = run_all(&mut runner, &inputs);
        for (run, input) in runs.iter().zip(&inputs) {
            assert!(matches!(run.stop, Stop::Exited(_)), "{case} with {input:?}: {:?}", run.stop);
            assert!(run.path.iter().all(|decision| decision.kind != DecisionKind::Value), "{case} with {input:?}");
            assert!(run.ledger.is_empty(), "{case} with {input:?}: {:?}", run.ledger);
        }
        let results: BTreeSet<String> = runs.iter().map(|run| ending(&run.stop)).collect();
        assert!(results.len() > 1, "{case} has one result for all inputs");
        let paths = check_conditions(&mut runner, &inputs, &runs);
        assert!(paths.len() >= results.len(), "{case}: {} paths for {} results", paths.len(), results.len());
    }
}

#[test]
fn as_written() {
    check("-O0");
}

#[test]
fn optimised() {
    check("-O2");
}
