//! Campaigns through the library, with C sources that clang compiles.

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use spelunk_concolic::theories::{Condition, Events, Maker, Theory};
use spelunk_concolic::{ConcolicMachine, Run};
use spelunk_driver::{Colour, DriverError};
use spelunk_engine::campaign::Beginning;
use spelunk_engine::minimise::minimise;
use spelunk_engine::plan::{Compile, Tests};
use spelunk_engine::replay::{Request, replay_in_vm};
use spelunk_engine::{Campaign, Deadline, Ended, EngineError, Keep, Observer, Over, Plan, Program};
use spelunk_native::Confinement;
use spelunk_report::suite::{Store, StoreError, UnitSetup};
use tempfile::TempDir;

/// One way to divide by zero, and two to return.
const DIVIDE: &str = "int f(int x, int y) {\n  if (x < 10)\n    return 0;\n  return x / (y - 7);\n}\n";

struct Scene {
    dir: TempDir,
    plan: Plan,
}

impl Scene {
    /// A plan for a function of a source in a directory that is not the current one.
    fn new(source: &str, entry: &str) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        fs::write(dir.path().join("p.c"), source).expect("a writable directory");
        let compile = Compile { directory: dir.path().into(), sources: vec!["p.c".into()], ..Compile::default() };
        let tests = Tests { are_replayed: false, keep: Keep::Paths, ..Tests::default() };
        Self { plan: Plan { compile, entry: Some(entry.into()), tests, ..Plan::default() }, dir }
    }

    fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    fn run(&self, beginning: Beginning, observer: &dyn Observer) -> Result<Ended, EngineError> {
        let deadline = self.plan.deadline();
        let program = Program::load(&self.plan, &deadline, observer)?;
        let campaign = Campaign::new(&self.plan, &program, &deadline, observer).beginning(beginning);
        campaign.run(&program.subjects()[0], &self.out())
    }

    fn request<'a>(&self, dir: &'a PathBuf) -> Request<'a> {
        Request { dir, tests: &[], confinement: Confinement::default(), colour: Colour::Never }
    }
}

#[derive(Default)]
struct Told {
    phases: RefCell<Vec<String>>,
    n_paths: RefCell<u64>,
    entries: RefCell<Vec<(String, u64)>>,
}

impl Observer for Told {
    fn phase(&self, phase: &str) {
        self.phases.borrow_mut().push(phase.to_owned());
    }

    fn path(&self, _: &Run) {
        *self.n_paths.borrow_mut() += 1;
    }

    fn ended(&self, ended: Result<&Ended, &EngineError>) {
        let summary = &ended.expect("it can be explored").summary;
        self.entries.borrow_mut().push((summary.entry.clone(), summary.paths));
    }
}

#[test]
fn a_campaign_finds_what_there_is_and_tells_of_it() {
    let scene = Scene::new(DIVIDE, "f");
    let told = Told::default();
    let ended = scene.run(Beginning::New, &told).unwrap();
    let bugs: Vec<_> = ended.summary.bugs.iter().map(|bug| (bug.kind.as_str(), bug.place.line)).collect();
    assert_eq!((ended.summary.paths, bugs), (3, vec![("div-by-zero", 4)]));
    assert_eq!(ended.bugs[0].diagnostic.error.place.as_ref().map(|place| place.to_string()), Some("p.c:4:12".into()));
    assert_eq!((ended.summary.stopped.as_str(), ended.has_input, ended.has_failed), ("exhausted", true, false));
    assert_eq!(told.phases.into_inner(), ["compiling", "exploring", "shrinking"]);
    assert_eq!(told.n_paths.into_inner(), 3);
}

#[test]
fn tests_run_again_as_they_say_and_others_are_noticed() {
    let scene = Scene::new(DIVIDE, "f");
    scene.run(Beginning::New, &()).unwrap();
    let out = scene.out();
    let again = || replay_in_vm(&scene.request(&out), &Deadline::default(), &()).unwrap();
    assert_eq!(again().iter().filter(|test| test.difference.is_none()).count(), 3);
    fs::write(scene.dir.path().join("p.c"), DIVIDE.replace("x < 10", "x > 10")).unwrap();
    assert!(again().iter().any(|test| test.difference.is_some()));
}

#[test]
fn a_campaign_goes_on_where_it_was_and_a_directory_is_used_once() {
    let mut scene = Scene::new(DIVIDE, "f");
    scene.plan.budget.paths = Some(1);
    let first = scene.run(Beginning::New, &()).unwrap();
    assert_eq!((first.summary.stopped.as_str(), first.summary.paths), ("paths", 1));
    scene.plan.budget.paths = None;
    let refused = scene.run(Beginning::New, &()).unwrap_err();
    assert!(matches!(refused, EngineError::Store(StoreError::InUse { .. })), "{refused}");
    let all = scene.run(Beginning::Resumed, &()).unwrap();
    assert_eq!((all.summary.stopped.as_str(), all.summary.paths, all.summary.tests), ("exhausted", 3, 3));
}

/// Damages the first test when a phase begins, and ends everything.
struct Ends<'a> {
    scene: &'a Scene,
    phase: &'a str,
    deadline: Deadline,
}

impl Observer for Ends<'_> {
    fn phase(&self, phase: &str) {
        if phase == self.phase {
            fs::write(self.scene.out().join("tests/000001.json"), "no test").expect("a writable directory");
            self.deadline.raise();
        }
    }
}

/// Tests of long paths take seconds to read, each.
#[test]
fn no_test_is_read_when_there_is_no_time_left() {
    for (phase, missing) in [
        ("keeping", "choosing tests: all are kept, interrupted"),
        ("native runs", "native runs: 0 of 3 tests, interrupted"),
    ] {
        let mut scene = Scene::new(DIVIDE, "f");
        let keep = if phase == "keeping" { Keep::Branches } else { Keep::Paths };
        scene.plan.tests = Tests { are_replayed: true, keep, ..Tests::default() };
        let deadline = scene.plan.deadline();
        let observer = Ends { scene: &scene, phase, deadline: deadline.clone() };
        let program = Program::load(&scene.plan, &deadline, &observer).expect("a program");
        let campaign = Campaign::new(&scene.plan, &program, &deadline, &observer);
        let damaged = campaign.run(&program.subjects()[0], &scene.out());
        // The test of the bug is read once more, for its picture; the first shows none.
        let summary = damaged.expect("an account").summary;
        assert!(summary.not_done.iter().any(|line| line == missing), "{phase}: {:?}", summary.not_done);
    }
    let scene = Scene::new(DIVIDE, "f");
    scene.run(Beginning::New, &Told::default()).expect("a campaign");
    let over = Deadline::default();
    over.raise();
    let out = scene.out();
    fs::write(out.join("tests/000001.json"), "no test").expect("a writable directory");
    let read = spelunk_engine::read_tests(&Store::existing(&out).expect("a campaign"), &[], &over);
    assert_eq!(read.expect_err("no time").over(), Some(Over::Stopped));
}

/// One that is told to end as soon as it goes on.
#[test]
fn bugs_of_tests_that_are_not_run_again_stay_known() {
    let mut scene = Scene::new(DIVIDE, "f");
    let before = scene.run(Beginning::New, &Told::default()).expect("a campaign").summary;
    scene.plan.tests.keep = Keep::Branches;
    let deadline = scene.plan.deadline();
    let program = Program::load(&scene.plan, &deadline, &Told::default()).expect("a program");
    deadline.raise();
    let told = Told::default();
    let campaign = Campaign::new(&scene.plan, &program, &deadline, &told).beginning(Beginning::Resumed);
    let after = campaign.run(&program.subjects()[0], &scene.out()).expect("a campaign").summary;
    assert_eq!((after.stopped.as_str(), after.tests), ("interrupted", before.tests));
    assert_eq!(after.bugs[0].test, before.bugs[0].test);
    assert!(after.not_done.iter().any(|line| line.starts_with("running earlier tests again")), "{:?}", after.not_done);
    // Once they are, nothing is missing.
    scene.plan.tests.keep = Keep::Paths;
    let whole = scene.run(Beginning::Resumed, &Told::default()).expect("a campaign").summary;
    assert_eq!((whole.bugs.len(), whole.tests, whole.not_done.len()), (before.bugs.len(), before.tests, 0));
}

#[test]
fn few_tests_are_enough_for_all_lines() {
    let scene = Scene::new("int f(int x) { int r = x > 3; return r + (x > 5) + (x == 9 ? 2 : 1); }", "f");
    let all = scene.run(Beginning::New, &()).unwrap();
    assert!(all.summary.tests > 1);
    let out = scene.out();
    let kept = minimise(&scene.request(&out), Keep::Lines, None, &Deadline::default(), &()).unwrap();
    assert_eq!(kept.kept.map(|kept| kept.of), Some(all.summary.tests));
    assert_eq!(kept.tests, 1);
}

#[test]
fn every_function_has_a_campaign_of_its_own() {
    let source =
        "int f(int x) { return x > 1; }\nint g(int x) { if (x < 2) return 1; if (x < 3) return 2; return 3; }\n";
    let scene = Scene::new(source, "all");
    let told = Told::default();
    let program = Program::load(&scene.plan, &Deadline::default(), &told).unwrap();
    let campaign = Campaign::new(&scene.plan, &program, &Deadline::default(), &told);
    let several = campaign.run_all(&scene.out()).unwrap();
    assert!(several.refused.is_empty() && !several.has_failed);
    assert_eq!(several.index.campaigns.len(), 2);
    let entries = told.entries.into_inner();
    assert_eq!(entries.iter().map(|(entry, _)| entry.as_str()).collect::<Vec<_>>(), ["f", "g"]);
    assert_eq!(entries[1].1, 3);
}

#[test]
fn what_is_wrong_with_a_plan_is_a_typed_error() {
    let load = |scene: &Scene| Program::load(&scene.plan, &Deadline::default(), &()).unwrap_err();
    let broken = load(&Scene::new("int f(int x) { return", "f"));
    assert!(matches!(broken, EngineError::Driver(DriverError::Compile { .. })), "{broken}");
    let missing = load(&Scene::new(DIVIDE, "g"));
    assert!(matches!(missing, EngineError::Unit(_)), "{missing}");
    let mut about = Scene::new(DIVIDE, "all");
    about.plan.unit = UnitSetup { params: vec!["z=3".into()], ..UnitSetup::default() };
    assert!(matches!(load(&about), EngineError::AboutNothing { setting } if setting == "z=3"));
    let over = Deadline::default();
    over.raise();
    let late = Program::load(&Scene::new(DIVIDE, "f").plan, &over, &()).unwrap_err();
    assert!(late.over().is_some(), "{late}");
}

#[test]
fn the_example_prints_the_bugs() {
    let scene = Scene::new(DIVIDE, "f");
    // With what the whole workspace asks of libraries: another choice would build them all again.
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--workspace", "--example", "campaign"]);
    assert!(cargo.status().expect("cargo runs").success());
    let tests = std::env::current_exe().expect("a test has a path");
    let profile = tests.ancestors().nth(2).expect("tests are in `deps` of the profile");
    let mut example = Command::new(profile.join("examples/campaign"));
    example.arg(scene.dir.path().join("p.c")).arg("f").env("TMPDIR", scene.dir.path());
    let output = example.output().expect("the example runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("f: 3 paths, exhausted"), "{text}");
    assert!(text.contains("p.c:4: ") && text.contains("zero") && text.contains("(Confirmed)"), "{text}");
}

/// A theory that counts conditions in all runs of a campaign, and of those that went before.
#[derive(Clone, Debug, Default)]
struct Counting(Arc<AtomicU64>);

impl Theory for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn events(&self) -> Events {
        Events::CONDITION
    }

    fn decided(&mut self, _: &mut ConcolicMachine, _: &Condition) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Maker for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn make(&self) -> Box<dyn Theory> {
        Box::new(self.clone())
    }

    fn save(&self) -> Option<String> {
        Some(self.0.load(Ordering::Relaxed).to_string())
    }

    fn resume(&self, saved: &str) {
        self.0.store(saved.parse().expect("a number"), Ordering::Relaxed);
    }
}

#[test]
fn what_theories_learned_is_there_when_a_campaign_goes_on() {
    let scene = Scene::new(DIVIDE, "f");
    let learn = |beginning| {
        let deadline = scene.plan.deadline();
        let program = Program::load_with(&scene.plan, vec![Arc::<Counting>::default()], &deadline, &()).unwrap();
        let campaign = Campaign::new(&scene.plan, &program, &deadline, &()).beginning(beginning);
        let ended = campaign.run(&program.subjects()[0], &scene.out()).unwrap();
        ended.store.read_learned().unwrap()["counting"].parse::<u64>().unwrap()
    };
    let first = learn(Beginning::New);
    assert!(first >= 3, "{first}");
    let both = learn(Beginning::Resumed);
    assert!(both > first, "{both} after {first}");
}
