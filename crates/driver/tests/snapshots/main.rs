//! Snapshots of programs: whichever is restored, and however many are given up, the program goes on as if it had been run
//! from the start, with the input that it has now.

mod machine;

use machine::{Decision, Follower, Functions};
use spelunk_driver::{Invocation, Loaded, Options, load, start};
use spelunk_vm::{Limits, Snapshot, Stop, Vm};
use std::path::Path;

/// All that can be seen of a run.
#[derive(PartialEq, Eq, Debug)]
struct Outcome {
    stop: String,
    output: String,
    steps: u64,
    path: Vec<Decision>,
    memory_used: u64,
}

fn load_program(name: &str) -> Loaded {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/programs").join(name);
    load(&Options { sources: vec![source], ..Options::default() }).expect("the programs compile")
}

fn new_vm(loaded: &Loaded) -> Vm<'_, Follower> {
    Vm::new(&loaded.image, Follower::new(), &Functions, Limits::default()).expect("static objects fit")
}

fn run(vm: &mut Vm<'_, Follower>) -> Outcome {
    let stop = start(vm, &Invocation::default());
    outcome(vm, &stop)
}

fn resume(vm: &mut Vm<'_, Follower>) -> Outcome {
    let stop = vm.resume().expect_err("programs end by exiting");
    outcome(vm, &stop)
}

fn outcome(vm: &Vm<'_, Follower>, stop: &Stop) -> Outcome {
    Outcome {
        stop: format!("{stop:?}"),
        output: String::from_utf8_lossy(vm.machine.output()).into_owned(),
        steps: vm.steps(),
        path: vm.machine.path.clone(),
        memory_used: vm.memory.used(),
    }
}

/// A run of a machine that takes no snapshots and is not used again.
fn reference(loaded: &Loaded, input: &[u64]) -> Outcome {
    let mut vm = new_vm(loaded);
    vm.machine.set_input(input);
    run(&mut vm)
}

/// Numbers that are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn input(&mut self) -> Vec<u64> {
        let range = [4, 12, 100_000][self.below(3)];
        (0..8).map(|_| self.below(range) as u64).collect()
    }
}

/// Takes a snapshot at one of `one_in` operations that decide something.
fn take_snapshots(vm: &mut Vm<'_, Follower>, one_in: usize, seed: u64) {
    let mut dice = Dice(seed);
    vm.machine.wants_snapshot = Box::new(move || dice.below(one_in) == 0);
}

const PROGRAMS: [&str; 3] = ["containers.c", "control.c", "tables.c"];

#[test]
fn going_on_with_the_same_input_gives_the_same_end() {
    for program in PROGRAMS {
        let loaded = load_program(program);
        let mut dice = Dice(1);
        for seed in 0..4 {
            let input = dice.input();
            let expected = reference(&loaded, &input);
            let mut vm = new_vm(&loaded);
            vm.machine.set_input(&input);
            take_snapshots(&mut vm, 3, seed);
            assert_eq!(run(&mut vm), expected, "{program}: snapshots change nothing");
            // Runs that go on take more snapshots, so the states form a tree.
            let mut kept: Vec<Snapshot<Follower>> = Vec::new();
            for _ in 0..30 {
                kept.append(&mut vm.machine.snapshots);
                let chosen = dice.below(kept.len());
                vm.restore(&kept[chosen]);
                assert_eq!(resume(&mut vm), expected, "{program}");
                while kept.len() > 20 {
                    kept.swap_remove(dice.below(kept.len()));
                }
            }
        }
    }
}

#[test]
fn going_on_with_another_input_is_a_run_with_that_input() {
    for program in PROGRAMS {
        let loaded = load_program(program);
        let mut dice = Dice(2);
        let mut vm = new_vm(&loaded);
        let fresh = vm.snapshot().expect("nothing has happened yet");
        let mut n_reused = 0;
        let mut kept: Vec<Snapshot<Follower>> = Vec::new();
        for seed in 0..60 {
            let input = dice.input();
            let expected = reference(&loaded, &input);
            vm.machine.set_input(&input);
            take_snapshots(&mut vm, 4, seed);
            // Any state on the path that the input takes will do, and the initial one always does.
            let fitting = |snapshot: &&Snapshot<Follower>| expected.path.starts_with(&snapshot.machine().path);
            let candidates: Vec<&Snapshot<Follower>> = kept.iter().filter(fitting).collect();
            match candidates.len() {
                0 => {
                    vm.restore(&fresh);
                    assert_eq!(run(&mut vm), expected, "{program} from the start with {input:?}");
                }
                n => {
                    vm.restore(candidates[dice.below(n)]);
                    assert_eq!(resume(&mut vm), expected, "{program} with {input:?}");
                    n_reused += 1;
                }
            }
            kept.append(&mut vm.machine.snapshots);
            while kept.len() > 40 {
                kept.swap_remove(dice.below(kept.len()));
            }
        }
        assert!(n_reused >= 10, "{program}: too few inputs shared a path: {n_reused}");
    }
}

#[test]
fn snapshots_are_paid_back() {
    let loaded = load_program("containers.c");
    let mut vm = new_vm(&loaded);
    vm.machine.set_input(&[5, 2, 6, 1, 7, 3]);
    take_snapshots(&mut vm, 1, 0);
    let expected = run(&mut vm);
    let all = vm.snapshot_bytes();
    let mut kept = std::mem::take(&mut vm.machine.snapshots);
    // Half of them go, the others stay as they were.
    let mut keep_next = false;
    kept.retain(|_| {
        keep_next = !keep_next;
        keep_next
    });
    assert!(vm.snapshot_bytes() < all);
    for snapshot in kept.iter().rev() {
        vm.restore(snapshot);
        assert_eq!(resume(&mut vm), expected);
        vm.machine.snapshots.clear();
    }
    kept.clear();
    assert_eq!(vm.snapshot_bytes(), 0);
}
