use std::fs;

use spelunk_solver::Solver;
use spelunk_solver::layers::log::Log;

use crate::support::{Bench, Script};

#[test]
fn queries_become_scripts_with_their_answers() {
    let dir = std::env::temp_dir().join(format!("spelunk-log-{}", std::process::id()));
    let mut bench = Bench::new(vec![Box::new(Log::new(&dir))], Script::Exact);
    let x = bench.var("odd\nname", 8);
    bench.set(x, 7);
    let (low, target) = (bench.below(x, 9), bench.is(x, 3));
    let impossible = bench.is(x, 200);
    bench.check(&[low, target]);
    bench.check(&[low, impossible]);
    let scripts: Vec<String> =
        (0..2).map(|at| fs::read_to_string(dir.join(format!("{at:06}.smt2"))).expect("written")).collect();
    fs::remove_dir_all(&dir).expect("removed");
    assert!(bench.chain.log_error().is_none());
    for (script, status) in scripts.iter().zip(["sat", "unsat"]) {
        assert!(script.contains(&format!("(set-info :status {status})")), "{script}");
        assert!(script.contains("; the hint satisfies the first 1 constraints\n"), "{script}");
        assert!(script.lines().any(|line| line.starts_with("; ") && line.ends_with("= 0x7")), "{script}");
        assert_eq!(script.matches("(assert ").count(), 2, "{script}");
        assert!(script.ends_with("(check-sat)\n"), "{script}");
        assert!(script.lines().all(|line| line.starts_with(['(', ';'])), "{script}");
    }
    assert!(scripts[1].contains("; a core has 2 of 2 constraints"), "{}", scripts[1]);
}

#[test]
fn what_can_not_be_written_is_told() {
    let dir = std::env::temp_dir().join(format!("spelunk-no-log-{}", std::process::id()));
    fs::write(&dir, "not a directory").expect("written");
    let mut bench = Bench::new(vec![Box::new(Log::new(&dir))], Script::Exact);
    let x = bench.var("x", 8);
    let target = bench.is(x, 3);
    assert!(bench.check(&[target]).is_sat());
    fs::remove_file(&dir).expect("removed");
    let error = bench.chain.log_error().expect("an error").to_string();
    assert!(error.contains(&dir.display().to_string()), "{error}");
}
