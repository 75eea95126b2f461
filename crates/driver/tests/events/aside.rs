//! Code that runs aside leaves no trace.

use super::Program;
use super::machine::{AtNote, Witness};
use spelunk_ir::code::OpIdx;
use spelunk_vm::{Limit, Notes, Slot, Stop, Vm, loop_sites};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

const PROGRAM: &str = r#"
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
int call_back_aside(int (*f)(int), int x);

int counter = 100;
char *text;
int touch(int n) {
    char local[16];
    counter += n;
    memset(local, n, sizeof local);
    text = malloc(16);
    memcpy(text, local, 16);
    return counter;
}
int fails(int n) { touch(n); int *p = 0; return *p; }
int forever(int n) { touch(n); volatile int go = 1; while (go) counter++; return n; }
int descends(int n) { int local[4] = {n}; return n == 0 ? touch(1) : descends(n - 1) + local[0]; }
static jmp_buf place;
int places(int n) { if (setjmp(place)) return 1; touch(n); return 0; }

int works(int n) {
    int here[3] = {1, 2, 3}, sum = 0;
    for (int i = 0; i < n; i++) { here[i % 3] += i; sum += here[i % 3]; counter++; }
    return sum + counter;
}
int asks(int n) { int before = counter, r = call_back_aside(touch, n); return counter == before ? r : -1; }
int main(void) { return 0; }
"#;

/// All of a state that can be seen.
fn state(vm: &Vm<'_, Witness>) -> (u64, u64, u64, OpIdx, Vec<OpIdx>, Vec<u8>) {
    let counter = vm.static_address("counter").expect("a variable");
    let bytes = vm.memory.bytes(counter, 4).expect("it is there").to_vec();
    (vm.memory.used(), u64::from(vm.memory.n_objects()), vm.steps(), vm.pc(), vm.trace(), bytes)
}

/// Runs `works` and lets `at_note` act at each round of its loop; the result, and the operations that it took.
fn works(program: &Program, at_note: Option<AtNote>) -> (u64, u64, u64) {
    let image = &program.loaded.image;
    let mut vm = program.vm();
    vm.set_notes(Some(Arc::new(Notes::new(image, loop_sites(image, program.id("works"))))));
    vm.machine.at_note = at_note;
    let result = vm.call(program.id("works"), &[Slot::plain(12)]).expect("it returns")[0].val;
    (result, vm.steps(), vm.side_steps())
}

#[test]
fn between_calls_nothing_stays() {
    let program = Program::new(PROGRAM);
    let mut vm = program.vm();
    let before = state(&vm);
    let result = vm.aside(10_000, |vm| vm.call(program.id("touch"), &[Slot::plain(7)])).unwrap();
    assert_eq!(result[0].val, 107);
    assert_eq!(state(&vm), before);
    assert!(vm.side_steps() > 0);
    assert_eq!(vm.call(program.id("touch"), &[Slot::plain(1)]).unwrap()[0].val, 101);
}

#[test]
fn in_the_middle_of_an_operation_nothing_stays() {
    let program = Program::new(PROGRAM);
    let (expected, steps, _) = works(&program, None);
    // So deep that registers have to move.
    for (name, n) in [("touch", 50), ("descends", 20_000), ("places", 50)] {
        let function = program.id(name);
        let (result, steps_with, side_steps) = works(
            &program,
            Some(Box::new(move |vm, _| {
                let trace = vm.trace();
                vm.aside(10_000_000, |vm| {
                    assert!(vm.snapshot().is_none(), "not aside");
                    vm.call(function, &[Slot::plain(n)])
                })?;
                assert_eq!(vm.trace(), trace);
                Ok(())
            })),
        );
        assert_eq!((result, steps_with), (expected, steps), "{name}");
        assert!(side_steps > 100, "{name}");
    }
}

#[test]
fn ends_of_paths_and_limits_stay_aside() {
    let program = Program::new(PROGRAM);
    let (expected, steps, _) = works(&program, None);
    let (fails, forever) = (program.id("fails"), program.id("forever"));
    let (result, steps_with, _) = works(
        &program,
        Some(Box::new(move |vm, _| {
            let failed = vm.aside(100_000, |vm| vm.call(fails, &[Slot::plain(3)]));
            assert!(matches!(failed, Err(Stop::Bug(_))), "{failed:?}");
            let side_steps = vm.side_steps();
            let endless = vm.aside(5_000, |vm| vm.call(forever, &[Slot::plain(3)]));
            assert!(matches!(endless, Err(Stop::Limit(Limit::Instructions))), "{endless:?}");
            assert!((5_000..6_000).contains(&(vm.side_steps() - side_steps)));
            Ok(())
        })),
    );
    assert_eq!((result, steps_with), (expected, steps));
}

#[test]
fn a_panic_aside_is_undone_too() {
    let program = Program::new(PROGRAM);
    let (expected, steps, _) = works(&program, None);
    let touch = program.id("touch");
    let (result, steps_with, _) = works(
        &program,
        Some(Box::new(move |vm, _| {
            let caught = catch_unwind(AssertUnwindSafe(|| {
                vm.aside(100_000, |vm| {
                    vm.call(touch, &[Slot::plain(9)])?;
                    if vm.steps() > 0 {
                        panic!("on purpose");
                    }
                    Ok(())
                })
            }));
            assert!(caught.is_err());
            Ok(())
        })),
    );
    assert_eq!((result, steps_with), (expected, steps));
}

#[test]
fn aside_of_what_runs_aside() {
    let program = Program::new(PROGRAM);
    let mut vm = program.vm();
    let before = state(&vm);
    let touch = program.id("touch");
    vm.aside(100_000, |vm| {
        assert_eq!(vm.call(touch, &[Slot::plain(1)])?[0].val, 101);
        let inside = state(vm);
        let deeper = vm.aside(50_000, |vm| vm.call(touch, &[Slot::plain(10)]))?;
        assert_eq!(deeper[0].val, 111);
        assert_eq!(state(vm), inside);
        assert_eq!(vm.call(touch, &[Slot::plain(1)])?[0].val, 102);
        Ok(())
    })
    .unwrap();
    assert_eq!(state(&vm), before);
}

#[test]
fn in_a_function_that_rust_called() {
    let program = Program::new(PROGRAM);
    let mut vm = program.vm();
    let result = vm.call(program.id("asks"), &[Slot::plain(5)]).unwrap()[0].val;
    assert_eq!(result, 3 * 105);
}

#[test]
fn the_rest_of_a_function_can_be_run_aside() {
    let program = Program::new(PROGRAM);
    let (expected, steps, _) = works(&program, None);
    let (result, steps_with, side_steps) = works(
        &program,
        Some(Box::new(move |vm, op_idx| {
            // Notes on the way are asked about aside as well: only the first level goes on.
            if !vm.is_aside() {
                let rest = vm.aside(100_000, |vm| vm.run_from(op_idx))?;
                assert_eq!(rest[0].val, expected);
            }
            Ok(())
        })),
    );
    assert_eq!((result, steps_with), (expected, steps));
    assert!(side_steps > steps);
}

#[test]
#[should_panic(expected = "what comes next in a path is not run twice")]
fn only_aside() {
    let program = Program::new(PROGRAM);
    works(&program, Some(Box::new(|vm, op_idx| vm.run_from(op_idx).map(drop))));
}
