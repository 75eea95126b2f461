//! Notes at loops: how often they are entered and gone round, and snapshots that are taken there.

use super::Program;
use super::machine::Witness;
use spelunk_ir::code::OpIdx;
use spelunk_vm::{Attention, LoopEvent, Notes, Passes, Slot, loop_sites};
use std::sync::Arc;

const LOOPS: &str = r#"
int single(int n) { int i = 0; while (i < n) i++; return i; }
int nested(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            sum += i * j;
    return sum;
}
int backwards(int n) { do { n--; } while (n > 0); return n; }
int recursive(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += 1 + recursive(n - 1 - i);
    return sum;
}
int leaves(int n) { for (int i = 0; ; i++) { if (i == n) return i; if (i > 100) break; } return -1; }
int counter;
int counting(int n) {
    int local[4] = {0};
    for (int i = 0; i < n; i++) { local[i % 4] += i; counter += local[i % 4]; }
    return counter;
}
int main(void) { return 0; }
"#;

/// How often loops of a function were entered and gone round, in a call with this argument.
fn rounds(program: &Program, function: &str, n: u64) -> (usize, usize) {
    let image = &program.loaded.image;
    let mut vm = program.vm();
    vm.set_notes(Some(Arc::new(Notes::new(image, loop_sites(image, program.id(function))))));
    vm.call(program.id(function), &[Slot::plain(n)]).expect("it returns");
    let count = |wanted| vm.machine.rounds.iter().filter(|(_, event)| *event == wanted).count();
    (count(LoopEvent::Entered), count(LoopEvent::Again))
}

#[test]
fn rounds_are_counted() {
    let program = Program::new(LOOPS);
    assert_eq!(rounds(&program, "single", 0), (1, 0));
    assert_eq!(rounds(&program, "single", 5), (1, 5));
    // The outer loop once, the inner one in each of four rounds; four rounds of the outer, 0 + 1 + 2 + 3 of the inner one.
    assert_eq!(rounds(&program, "nested", 4), (5, 10));
    assert_eq!(rounds(&program, "backwards", 5), (1, 4));
    assert_eq!(rounds(&program, "leaves", 7), (1, 7));
}

#[test]
fn a_call_between_does_not_hide_a_round() {
    let program = Program::new(LOOPS);
    // recursive(n) is called 2^n times, each call enters the loop, and each but the first was made by a round of it.
    for n in 0..6 {
        let n_calls = 1 << n;
        assert_eq!(rounds(&program, "recursive", n), (n_calls, n_calls - 1), "{n}");
    }
}

#[test]
fn notes_change_nothing() {
    let program = Program::new(LOOPS);
    let image = &program.loaded.image;
    let run = |at: std::ops::Range<u32>| {
        let mut vm = program.vm();
        vm.set_notes(Some(Arc::new(Notes::new(image, at.map(OpIdx)))));
        let result = vm.call(program.id("nested"), &[Slot::plain(20)]).expect("it returns")[0];
        (result, vm.steps(), vm.machine.notes.len())
    };
    let (result, steps, n_notes) = run(0..0);
    assert_eq!(n_notes, 0);
    // A note at each operation of the program.
    let (noted_result, noted_steps, n_notes) = run(0..image.ops.len() as u32);
    assert_eq!((noted_result, noted_steps), (result, steps));
    assert_eq!(n_notes as u64, steps, "each was asked about");
}

#[test]
fn attention_may_change_at_each_note() {
    let program = Program::new(LOOPS);
    let image = &program.loaded.image;
    let function = program.id("nested");
    let heads: Vec<OpIdx> = loop_sites(image, function).collect();
    let run = |attention: fn(usize) -> Attention| {
        let mut vm = program.vm();
        let at = |attention| match attention {
            Attention::Full => (0..image.ops.len() as u32).map(OpIdx).collect(),
            Attention::Some => heads.clone(),
            Attention::Little => Vec::new(),
        };
        vm.set_notes(Some(Arc::new(Notes::graded(image, at))));
        vm.machine.attention = attention(0);
        vm.machine.at_note = Some(Box::new(move |vm, _| {
            vm.machine.attention = attention(vm.machine.notes.len() + 1);
            Ok(())
        }));
        let result = vm.call(function, &[Slot::plain(20)]).expect("it returns")[0];
        (result, vm.steps(), vm.machine.notes.clone())
    };
    let (result, steps, all) = run(|_| Attention::Full);
    let (some_result, some_steps, some) = run(|_| Attention::Some);
    assert_eq!((some_result, some_steps), (result, steps));
    let is_head = |note: &&(OpIdx, u64)| heads.contains(&note.0);
    assert_eq!(
        some,
        all.iter().filter(is_head).copied().collect::<Vec<_>>(),
        "asked at these, and when it was the same time"
    );
    let (little_result, little_steps, little) = run(|n| if n < 7 { Attention::Full } else { Attention::Little });
    assert_eq!((little_result, little_steps), (result, steps));
    assert_eq!(little, all[..7], "nobody is asked from then on");
    let (mixed_result, mixed_steps, mixed) = run(|n| Attention::ALL[n % 2]);
    assert_eq!((mixed_result, mixed_steps), (result, steps));
    assert!(some.len() < mixed.len() && mixed.len() < all.len());
}

#[test]
fn notes_are_silent_until_attention_is_full() {
    let program = Program::new(LOOPS);
    let image = &program.loaded.image;
    let function = program.id("nested");
    let heads: Vec<OpIdx> = loop_sites(image, function).collect();
    let run = |passes: fn(&mut Witness) -> Passes| {
        let mut vm = program.vm();
        let at = |attention| match attention {
            Attention::Full => (0..image.ops.len() as u32).map(OpIdx).collect(),
            Attention::Some => heads.clone(),
            Attention::Little => Vec::new(),
        };
        vm.set_notes(Some(Arc::new(Notes::graded(image, at))));
        vm.machine.attention = Attention::Some;
        vm.machine.passes = Some(passes);
        let result = vm.call(function, &[Slot::plain(20)]).expect("it returns")[0];
        assert!(vm.machine.notes.is_empty(), "all were passed");
        (result, vm.steps(), vm.machine.n_asked)
    };
    let (result, steps, n_all) = run(|_| Passes::Yes);
    let (silent_result, silent_steps, n_silent) = run(|_| Passes::Henceforth);
    assert_eq!((silent_result, silent_steps), (result, steps));
    assert!(n_silent <= heads.len() && heads.len() < n_all, "once each: {n_silent}, {n_all}");
    // Full attention for one operation in between.
    let (woken_result, woken_steps, n_woken) = run(|machine| {
        machine.attention = if machine.n_asked == 2 { Attention::Full } else { Attention::Some };
        Passes::Henceforth
    });
    assert_eq!((woken_result, woken_steps), (result, steps));
    assert!(n_silent < n_woken && n_woken <= 2 * heads.len() + 1, "asked again: {n_woken}");
}

#[test]
fn a_snapshot_at_a_note_goes_on_with_that_note() {
    let program = Program::new(LOOPS);
    let image = &program.loaded.image;
    let function = program.id("counting");
    let mut vm = program.vm();
    vm.set_notes(Some(Arc::new(Notes::new(image, loop_sites(image, function)))));
    vm.machine.at_note = Some(Box::new(|vm, _| {
        let snapshot = vm.snapshot().expect("nothing is in the way");
        vm.machine.snapshots.push(snapshot);
        Ok(())
    }));
    let expected = vm.call(function, &[Slot::plain(9)]).expect("it returns")[0];
    let (steps, rounds, notes) = (vm.steps(), vm.machine.rounds.clone(), vm.machine.notes.clone());
    let events = vm.machine.events.clone();
    let snapshots = std::mem::take(&mut vm.machine.snapshots);
    assert!(snapshots.len() > 10);
    vm.machine.at_note = None;
    for snapshot in snapshots.iter().rev() {
        vm.restore(snapshot);
        assert_eq!(vm.steps(), snapshot.steps());
        assert_eq!(vm.resume().expect("it returns")[0], expected);
        assert_eq!((vm.steps(), &vm.machine.rounds, &vm.machine.notes), (steps, &rounds, &notes));
        assert_eq!(vm.machine.events, events);
    }
}

#[test]
#[should_panic(expected = "notes of this image")]
fn notes_belong_to_an_image() {
    let (one, other) = (Program::new(LOOPS), Program::new("int main(void) { return 0; }"));
    let notes = Arc::new(Notes::new(&other.loaded.image, [OpIdx(0)]));
    one.vm().set_notes(Some(notes));
}
