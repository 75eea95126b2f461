//! Calls, returns and leaps, as a machine is told of them.

use super::Program;
use super::machine::Witness;
use spelunk_vm::{Event, Slot, Stop, Vm};

const CALLS: &str = r#"
#include <setjmp.h>
#include <stdlib.h>
int call_back(int (*f)(int), int x);
int swallow(int (*f)(int), int x);

int leaf(int n) { return n + 1; }
int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }
int twice(int n) { return leaf(leaf(n)); }
int through(int n) { int (*f)(int) = leaf; return f(n); }

static jmp_buf place;
int deeper(int n) { if (n == 0) longjmp(place, 5); return deeper(n - 1); }
int leaps(int n) { int came = setjmp(place); if (came) return came; return deeper(n); }

int back(int n) { return call_back(leaf, n); }
int out_of_rust(int n) { longjmp(place, n); }
int leaps_out(int n) { if (setjmp(place)) return 1; return call_back(out_of_rust, n); }
int stops(int n) { abort(); }
int swallows(int n) { return swallow(stops, n); }

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int sorts(int n) {
    int values[5] = {n, 3, 9, 1, 7};
    qsort(values, 5, sizeof(int), compare);
    return values[0] * 10000 + values[1] * 1000 + values[2] * 100 + values[3] * 10 + values[4];
}
int main(void) { return 0; }
"#;

fn call<'p>(program: &'p Program, name: &str, n: u64) -> (Vm<'p, Witness>, Result<u64, Stop>) {
    let mut vm = program.vm();
    let result = vm.call(program.id(name), &[Slot::plain(n)]).map(|slots| slots[0].val);
    (vm, result)
}

/// The events as text: `+f` is entered, `-f` returned from, `!f` left by a leap.
fn told(program: &Program, events: &[Event]) -> Vec<String> {
    let show = |event: &Event| match *event {
        Event::Entered(id) => format!("+{}", program.name(id)),
        Event::Returned(id) => format!("-{}", program.name(id)),
        Event::Unwound(id) => format!("!{}", program.name(id)),
    };
    events.iter().map(show).collect()
}

#[test]
fn calls_and_returns() {
    let program = Program::new(CALLS);
    let (vm, result) = call(&program, "twice", 4);
    assert_eq!(result.unwrap(), 6);
    assert_eq!(told(&program, &vm.machine.events), ["+twice", "+leaf", "-leaf", "+leaf", "-leaf", "-twice"]);
    let (vm, _) = call(&program, "through", 4);
    assert_eq!(told(&program, &vm.machine.events), ["+through", "+leaf", "-leaf", "-through"]);
}

#[test]
fn recursion_is_a_function_that_was_entered_and_not_left() {
    let program = Program::new(CALLS);
    let (vm, result) = call(&program, "down", 6);
    assert_eq!(result.unwrap(), 6);
    let (mut depth, mut deepest) = (0, 0);
    for event in &vm.machine.events {
        match event {
            Event::Entered(_) => depth += 1,
            Event::Returned(_) | Event::Unwound(_) => depth -= 1,
        }
        deepest = deepest.max(depth);
    }
    assert_eq!((depth, deepest), (0, 7));
}

#[test]
fn a_leap_leaves_functions() {
    let program = Program::new(CALLS);
    let (vm, result) = call(&program, "leaps", 2);
    assert_eq!(result.unwrap(), 5);
    let expected = ["+leaps", "+deeper", "+deeper", "+deeper", "!deeper", "!deeper", "!deeper", "-leaps"];
    assert_eq!(told(&program, &vm.machine.events), expected);
}

#[test]
fn functions_that_rust_calls() {
    let program = Program::new(CALLS);
    let (vm, result) = call(&program, "back", 10);
    assert_eq!(result.unwrap(), 33);
    let expected = ["+back", "+leaf", "-leaf", "+leaf", "-leaf", "+leaf", "-leaf", "-back"];
    assert_eq!(told(&program, &vm.machine.events), expected);
    let mut alone = program.vm();
    alone.call(program.id("leaf"), &[Slot::plain(10)]).unwrap();
    assert!(vm.steps() > 3 * alone.steps(), "what Rust code calls counts");
}

#[test]
fn functions_that_the_library_calls() {
    let program = Program::new(CALLS);
    let (vm, result) = call(&program, "sorts", 5);
    assert_eq!(result.unwrap(), 13579);
    let told = told(&program, &vm.machine.events);
    let n_calls = told.iter().filter(|event| *event == "+compare").count();
    assert!(n_calls >= 4, "{told:?}");
    assert_eq!(told.iter().filter(|event| *event == "-compare").count(), n_calls);
}

#[test]
fn no_leap_past_rust_code_that_waits() {
    let program = Program::new(CALLS);
    let (_, result) = call(&program, "leaps_out", 1);
    match result {
        Err(Stop::Unsupported(what)) => assert!(what.what.contains("longjmp past library code"), "{}", what.what),
        other => panic!("{other:?}"),
    }
}

#[test]
#[should_panic(expected = "went on after a call of it had stopped the path")]
fn the_end_of_a_path_is_not_swallowed() {
    let program = Program::new(CALLS);
    let _ = call(&program, "swallows", 1);
}
