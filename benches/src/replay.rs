//! How long native runs of tests take: a thousand tests with heap graphs, from the directory of a campaign to a verdict on
//! each, against one compilation of the source by clang; and what it costs that they are contained.
//!
//! Times are CPU times with all children, the smallest of all repetitions.

use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::Serialize;

use crate::Bench;
use crate::child;
use crate::error::BenchError;
use crate::report::relation;

const N_TESTS: u32 = 1000;

/// What the tests may take: so many compilations of the source, and so much each.
const MAX_COMPILATIONS: f64 = 3.0;
const MAX_MS_A_TEST: f64 = 10.0;
const MAX_MS_OF_CONTAINMENT: f64 = 1.0;

#[derive(Serialize)]
pub struct Replay {
    pub tests: u32,
    pub compile_ms: f64,
    pub replay_ms: f64,
    pub ms_a_test: f64,
    /// How much longer a test takes than one that may do anything.
    pub containment_ms: f64,
    /// Of what is allowed.
    pub ratio: f64,
}

impl Replay {
    pub fn meets_its_bar(&self) -> bool {
        self.ratio <= 1.0 && self.containment_ms <= MAX_MS_OF_CONTAINMENT
    }
}

pub fn measure(bench: &Bench) -> Result<Replay, BenchError> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("replay/tree.c");
    let dir = bench.dir.path().join("replayed");
    let mut campaign = bench.spelunk.command();
    campaign.arg("run").arg(&source).arg("--out").arg(&dir).args(["--max-paths", &N_TESTS.to_string(), "--no-replay"]);
    campaign.args(["--entry", "count"]);
    child::run(&mut campaign)?;
    let compile = || {
        let mut clang = Command::new("clang-19");
        clang.args(["-O0", "-g", "-w", "-c"]).arg(&source).arg("-o").arg(bench.dir.path().join("replayed.o"));
        child::run(&mut clang)
    };
    let replay = |how| child::run(bench.spelunk.command().arg("replay").arg(&dir).args(["--replay", how]));
    let [mut fastest_compile, mut fastest_replay, mut fastest_uncontained] = [Duration::MAX; 3];
    for _ in 0..bench.repetitions {
        fastest_compile = fastest_compile.min(compile()?.cpu);
        fastest_replay = fastest_replay.min(replay("contained")?.cpu);
        fastest_uncontained = fastest_uncontained.min(replay("uncontained")?.cpu);
    }
    let (compile_ms, replay_ms) = (1e3 * fastest_compile.as_secs_f64(), 1e3 * fastest_replay.as_secs_f64());
    let allowed_ms = MAX_COMPILATIONS * compile_ms + MAX_MS_A_TEST * f64::from(N_TESTS);
    Ok(Replay {
        tests: N_TESTS,
        compile_ms,
        replay_ms,
        ms_a_test: replay_ms / f64::from(N_TESTS),
        containment_ms: (replay_ms - 1e3 * fastest_uncontained.as_secs_f64()) / f64::from(N_TESTS),
        ratio: replay_ms / allowed_ms,
    })
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "native runs of {} tests with trees", self.tests)?;
        writeln!(f, "  {:<30}{:>12.1} ms", "one compilation by clang", self.compile_ms)?;
        writeln!(f, "  {:<30}{:>12.1} ms", "all tests, with compilation", self.replay_ms)?;
        writeln!(f, "  {:<30}{:>12.2} ms", "a test", self.ms_a_test)?;
        let is_met = relation(self.containment_ms, MAX_MS_OF_CONTAINMENT);
        writeln!(
            f,
            "  {:<30}{:>12.2} ms  ({is_met} {MAX_MS_OF_CONTAINMENT} ms)",
            "of that, containment", self.containment_ms
        )?;
        let what = format!("of {MAX_COMPILATIONS} compilations and {MAX_MS_A_TEST} ms a test");
        writeln!(f, "{what:<44}{:>9.2}x  ({} 1x)", self.ratio, relation(self.ratio, 1.0))
    }
}
