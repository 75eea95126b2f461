//! Campaigns and explorers through the public API, on programs that clang compiles.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use spelunk_concolic::marks::Marks;
use spelunk_concolic::{Input, Run, Runner, SnapshotPolicy};
use spelunk_driver::{Loaded, Purpose};
use spelunk_explore::campaign::{self, Budget, Deadline, Observer, Options, Progress, Stopped};
use spelunk_explore::explorer::{self, Explorer, Step, Work};
use spelunk_explore::program::ProgramFlow;
use spelunk_explore::spent::Cost;
use spelunk_explore::strategy::Kind;
use spelunk_ir::code::OpIdx;

/// Three decisions that don't depend on each other.
const LETTERS: &str = r#"
#include <klee/klee.h>
int main(void) {
  char s[3];
  klee_make_symbolic(s, sizeof s, "s");
  int n = 0;
  for (int i = 0; i < 3; i++)
    if (s[i] == 'a')
      n++;
  return n;
}
"#;

/// Three easy questions, and whether a product of two primes of 32 bits has factors.
const HARD: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned a, b;
  char s[3];
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(s, sizeof s, "s");
  int n = 0;
  for (int i = 0; i < 3; i++)
    if (s[i] == 'a')
      n++;
  if ((a | 1ul << 31) * (b | 1ul << 31) == 2860486313ul * 3000000019ul)
    return -1;
  return n;
}
"#;

/// A lookup for each byte, which can't be out of bounds.
const LOOKUPS: &str = r#"
#include <klee/klee.h>
static const unsigned char kinds[128] = { ['a'] = 1, ['b'] = 2 };
int main(void) {
  signed char s[LENGTH];
  klee_make_symbolic(s, sizeof s, "s");
  int n = 0;
  for (int i = 0; i < LENGTH; i++) {
    if (s[i] < 0)
      return -1;
    if (kinds[s[i]] == 1)
      n++;
  }
  return n;
}
"#;

/// Workers may outlive a campaign, and so does the program.
fn program() -> Arc<ProgramFlow<'static>> {
    compiled(LETTERS)
}

fn compiled(source: &str) -> Arc<ProgramFlow<'static>> {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("p.c");
    std::fs::write(&path, source).expect("a writable directory");
    let options = spelunk_driver::Options {
        sources: vec![path],
        headers: spelunk_concolic::harness::HEADERS,
        purpose: Purpose::Explore,
        ..Default::default()
    };
    let loaded: &'static Loaded = Box::leak(Box::new(spelunk_driver::load(&options).expect("it compiles")));
    Arc::new(ProgramFlow::new(&loaded.image))
}

/// The decisions of all paths, and how often progress was told.
#[derive(Default)]
struct Paths {
    decided: BTreeSet<Vec<(OpIdx, u64)>>,
    n_progress: usize,
}

fn decisions(run: &Run) -> Vec<(OpIdx, u64)> {
    run.path.iter().map(|decision| (decision.site, decision.taken)).collect()
}

impl Observer for Paths {
    fn path(&mut self, run: &Run, _: Option<usize>, _: Cost) {
        self.decided.insert(decisions(run));
    }

    fn progress(&mut self, _: &Progress, _: &Marks) {
        self.n_progress += 1;
    }
}

fn explore(program: &Arc<ProgramFlow<'static>>, change: impl FnOnce(&mut Options)) -> (campaign::Outcome, Paths) {
    let mut options = Options { n_workers: 1, ..Options::default() };
    change(&mut options);
    let mut paths = Paths::default();
    let outcome = campaign::explore(program, options, &Deadline::default(), &mut paths).expect("it fits in memory");
    (outcome, paths)
}

#[test]
fn the_paths_depend_on_nothing_but_the_program() {
    let program = program();
    let (outcome, all) = explore(&program, |_| {});
    assert_eq!((outcome.stopped, outcome.n_paths, all.decided.len()), (Stopped::Exhausted, 8, 8));
    assert!(all.n_progress > 0);
    for &strategy in Kind::ALL {
        let (outcome, same) = explore(&program, |options| options.explorer.strategy = strategy);
        assert_eq!((outcome.stopped, &same.decided), (Stopped::Exhausted, &all.decided), "{}", strategy.name());
    }
    let (_, same) = explore(&program, |options| options.n_workers = 2);
    assert_eq!(same.decided, all.decided);
    let (_, same) = explore(&program, |options| options.run.snapshots = Some(SnapshotPolicy { min_steps: 1 }));
    assert_eq!(same.decided, all.decided);
}

#[test]
fn checks_that_never_fail_do_not_take_the_queries() {
    let lookups = |length: u32| compiled(&LOOKUPS.replace("LENGTH", &length.to_string()));
    let (outcome, _) = explore(&lookups(24), |options| {
        options.budget = Budget { paths: Some(400), ..Budget::default() };
    });
    assert_eq!(outcome.stopped, Stopped::Paths);
    let n_queries = outcome.counters.n_queries;
    assert!(n_queries < 3 * outcome.n_paths, "{n_queries} queries for {} paths", outcome.n_paths);
    // None of them is forgotten: 1 + 2 + 4 + 8 paths that end at a negative number, and 16 that don't.
    let (outcome, _) = explore(&lookups(4), |_| {});
    assert_eq!((outcome.stopped, outcome.n_paths), (Stopped::Exhausted, 31));
}

#[test]
fn a_budget_and_a_raised_flag_end_a_campaign() {
    let program = program();
    let (outcome, paths) = explore(&program, |options| {
        options.budget = Budget { paths: Some(2), ..Budget::default() };
    });
    assert_eq!((outcome.stopped, paths.decided.len()), (Stopped::Paths, 2));
    let stopped = Deadline::default();
    stopped.raise();
    let mut paths = Paths::default();
    let outcome = campaign::explore(&program, Options::default(), &stopped, &mut paths).unwrap();
    assert_eq!((outcome.stopped, paths.decided.len()), (Stopped::Interrupted, 0));
}

/// Whatever is open goes through a text to an explorer that knows nothing of the first.
#[test]
fn work_can_be_written_down_and_done_elsewhere() {
    let program = program();
    let (_, all) = explore(&program, |_| {});
    let new = |seeds: Vec<Input>| {
        let runner = Runner::new(program.image, Default::default());
        Explorer::new(&program, runner, Default::default(), Default::default(), seeds)
    };
    let mut found = BTreeSet::new();
    let mut finish = |explorer: &mut Explorer<'_>, written: &mut Vec<String>, mut n_steps: usize| loop {
        if n_steps == 0 {
            let given = std::iter::from_fn(|| explorer.give_away());
            written.extend(given.map(|work| serde_json::to_string(&work).expect("it can be written")));
        }
        n_steps = n_steps.saturating_sub(1);
        match explorer.step().expect("it fits in memory") {
            Step::Ran { run, .. } => drop(found.insert(decisions(&run))),
            Step::Exhausted => break,
            _ => {}
        }
    };
    let mut written = Vec::new();
    finish(&mut new(vec![Input::new()]), &mut written, 1);
    assert!(!written.is_empty(), "the first run leaves several alternatives");
    let mut n_written = 0;
    while let Some(text) = written.pop() {
        n_written += 1;
        let mut explorer = new(Vec::new());
        let work: Work = serde_json::from_str(&text).expect("it can be read");
        explorer.adopt(&work).expect("it fits in memory");
        finish(&mut explorer, &mut written, usize::MAX);
    }
    assert!(n_written > 1);
    assert_eq!(found, all.decided);
}

#[test]
fn hard_queries_are_put_aside_and_stay_open() {
    let program = compiled(HARD);
    let mut options = explorer::Options { strategy: Kind::DepthFirst, ..Default::default() };
    options.query_limits.time = Some(Duration::from_secs(10));
    let runner = Runner::new(program.image, Default::default());
    let mut explorer = Explorer::new(&program, runner, Default::default(), options, vec![Input::new()]);
    let mut found = BTreeSet::new();
    while found.len() < 8 {
        match explorer.step().expect("it fits in memory") {
            Step::Ran { run, .. } => drop(found.insert(decisions(&run))),
            Step::Exhausted => panic!("{} paths", found.len()),
            _ => {}
        }
    }
    assert!(explorer.n_open() > 0, "the hard ones are still to be explored");
    assert!(explorer.ledger.entries().is_empty(), "nothing is given up: {:?}", explorer.ledger.entries());
}

#[test]
fn what_takes_the_whole_limit_is_given_up_once() {
    let program = compiled(HARD);
    let (outcome, paths) = explore(&program, |options| {
        options.explorer.query_limits.time = Some(Duration::from_millis(150));
    });
    assert_eq!((outcome.stopped, paths.decided.len()), (Stopped::Incomplete, 8));
    let n_given_up: u64 = outcome.ledger.entries().iter().map(|entry| entry.count).sum();
    assert_eq!(n_given_up, 8, "{:?}", outcome.ledger.entries());
}
