//! Programs as text, run with all inputs of a small domain: for every path, exactly the inputs that take it satisfy its
//! conditions.

use spelunk_concolic::decision::DecisionKind;
use spelunk_concolic::{Checking, Effects, Input, Options, Run, Runner, Summarised};
use spelunk_driver::{DriverError, Loaded, load};
use spelunk_expr::{Evaluator, Model};
use spelunk_ir::code::{CheckedImage, OpIdx};
use spelunk_ir::model::FuncId;
use spelunk_vm::Stop;
use std::collections::BTreeMap;
use std::sync::Arc;

pub struct Program {
    loaded: Loaded,
}

impl Program {
    /// Compiles a program at `-O0`, with what harness functions it may call declared.
    pub fn new(source: &str) -> Self {
        Self::with_flags(source, &[])
    }

    pub fn with_flags(source: &str, cflags: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("program.c");
        std::fs::write(&path, format!("{DECLARATIONS}{source}")).unwrap();
        let options = spelunk_driver::Options {
            sources: vec![path],
            checks: spelunk_ir::lower::Checks {
                signed_overflow: spelunk_ir::lower::SignedOverflow::IsError,
                ..Default::default()
            },
            headers: spelunk_concolic::harness::HEADERS,
            cflags: cflags.iter().map(|&flag| flag.to_owned()).collect(),
            ..Default::default()
        };
        match load(&options) {
            Ok(loaded) => Self { loaded },
            Err(DriverError::Compile { diagnostics, .. }) => panic!("{}", String::from_utf8_lossy(&diagnostics)),
            Err(error) => panic!("{error}"),
        }
    }

    pub fn image(&self) -> &CheckedImage {
        &self.loaded.image
    }

    pub fn runner(&self) -> Runner<'_> {
        self.summarising(&Summarised::default())
    }

    /// Calls of these functions are to be answered by what they do on all of their paths.
    pub fn call_through_sites(&mut self, effects: Effects, names: &[&str]) -> Summarised {
        self.loaded.image.call_through_sites(|_, code| names.contains(&&*code.name));
        let functions = (0..).map(FuncId).zip(&self.loaded.image.functions);
        functions.filter(|(_, code)| names.contains(&&*code.name)).map(|(id, _)| (id, effects)).collect()
    }

    pub fn summarising(&self, summarised: &Summarised) -> Runner<'_> {
        let summarised = Arc::new(summarised.clone());
        let args = vec![b"program".to_vec()];
        Runner::new(&self.loaded.image, Options { args, checking: Checking::On, summarised, ..Default::default() })
    }
}

const DECLARATIONS: &str = "
#include <klee/klee.h>
#include <spelunk.h>
";

/// What tells paths apart.
pub type Keys = Vec<(OpIdx, DecisionKind, u64)>;

pub fn keys(run: &Run) -> Keys {
    run.path.iter().map(|decision| (decision.site, decision.kind, decision.taken)).collect()
}

pub fn ending(stop: &Stop) -> String {
    match stop {
        Stop::Exited(status) => format!("exited {status}"),
        Stop::Bug(bug) => bug.kind.slug().to_owned(),
        Stop::Unsupported(what) => format!("unsupported: {}", what.what),
        other => format!("{other:?}"),
    }
}

/// One path of a program.
pub struct PathFound {
    pub ending: String,
    pub n_inputs: usize,
}

/// Runs a program that makes one input object `x` of one byte, with all values.
pub fn explore_bytes(program: &Program) -> Vec<PathFound> {
    explore(program, (0..=u8::MAX).map(|value| vec![value]))
}

/// The same for two bytes, with enough values: small and large ones, those around `near`, and every 97th.
pub fn explore_shorts(program: &Program, near: &[u16]) -> Vec<PathFound> {
    let around = |&value: &u16| (value.wrapping_sub(3)..=value.wrapping_add(3)).collect::<Vec<u16>>();
    let mut values: Vec<u16> = near.iter().flat_map(around).collect();
    values.extend((0..=u16::MAX).filter(|value| value % 97 == 0 || value.wrapping_add(100) < 200));
    values.sort_unstable();
    values.dedup();
    explore(program, values.into_iter().map(|value| value.to_le_bytes().to_vec()))
}

fn explore(program: &Program, values: impl Iterator<Item = Vec<u8>>) -> Vec<PathFound> {
    let inputs: Vec<Input> = values.map(|value| Input::new().with("x", value)).collect();
    let mut runner = program.runner();
    let runs: Vec<Run> = inputs.iter().map(|input| runner.run(input, &[]).unwrap()).collect();
    check_conditions(&mut runner, &inputs, &runs)
}

/// Groups runs by path, and holds the conditions of each path against all inputs.
pub fn check_conditions(runner: &mut Runner<'_>, inputs: &[Input], runs: &[Run]) -> Vec<PathFound> {
    let models: Vec<Model> = inputs.iter().map(|input| runner.machine().model_of(input)).collect();
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (idx, run) in runs.iter().enumerate() {
        groups.entry(format!("{:?}", keys(run))).or_default().push(idx);
    }
    let mut evaluator = Evaluator::new();
    let mut found = Vec::new();
    for members in groups.values() {
        let run = &runs[members[0]];
        for (idx, model) in models.iter().enumerate() {
            let mut evaluation = evaluator.under(runner.pool(), model);
            let holds = run.path.iter().all(|decision| evaluation.eval_bool(decision.cond));
            let expected = members.contains(&idx);
            assert_eq!(holds, expected, "input {:?} and the path {:?} ({})", inputs[idx], keys(run), ending(&run.stop));
        }
        // A status is a result like any other: it need not be the same.
        let kind = |run: &Run| ending(&run.stop).split(' ').next().map(str::to_owned);
        for &idx in members {
            assert_eq!(kind(&runs[idx]), kind(run), "the path {:?}", keys(run));
        }
        found.push(PathFound { ending: ending(&run.stop), n_inputs: members.len() });
    }
    check_others(runner, &models, runs);
    found.sort_by_key(|path| path.n_inputs);
    found
}

/// The alternatives of a decision cover all inputs that come there, and no two have an input in common.
fn check_others(runner: &mut Runner<'_>, models: &[Model], runs: &[Run]) {
    let mut evaluator = Evaluator::new();
    for run in runs.iter().take(64) {
        for index in 0..run.path.len() {
            let others = runner.others(run, index);
            for model in models {
                let mut evaluation = evaluator.under(runner.pool(), model);
                if !run.path[..index].iter().all(|decision| evaluation.eval_bool(decision.cond)) {
                    continue;
                }
                let n_true = others.iter().filter(|other| evaluation.eval_bool(other.1)).count();
                let taken = evaluation.eval_bool(run.path[index].cond);
                // What an assumption refuses is nobody's alternative.
                let is_accepted = run.path[index].kind == DecisionKind::Assumed && run.path[index].taken == 1;
                let is_refused = is_accepted && !taken;
                let expected = usize::from(!is_refused);
                assert_eq!(n_true + usize::from(taken), expected, "decision {index} of {:?}", keys(run));
            }
        }
    }
}

/// The number of inputs that lead to each end.
pub fn endings(paths: &[PathFound]) -> BTreeMap<String, usize> {
    let mut endings = BTreeMap::new();
    for path in paths {
        *endings.entry(path.ending.clone()).or_default() += path.n_inputs;
    }
    endings
}
