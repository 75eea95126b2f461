//! The loop on small programs, without a compiler: what runs here also runs under Miri.

use spelunk_ir::code::CheckedImage;
use spelunk_ir::link::{Role, link};
use spelunk_ir::lower::{Checks, lower};
use spelunk_ir::model::{FuncId, Program};
use spelunk_ir::parse::parse_module;
use spelunk_vm::{
    Builtin, BuiltinRow, BuiltinTable, Event, Limits, Machine, Notes, Reversible, Slot, Snapshot, Stop, Vm, loop_sites,
};
use std::sync::Arc;

const CODE: &str = "
    @total = global i64 0
    @table = global [4 x i32] [i32 7, i32 1, i32 5, i32 3]

    ; The sum of i * i for i below n, kept in @total as well.
    define i64 @squares(i64 %n) {
    entry:
      br label %head
    head:
      %i = phi i64 [ 0, %entry ], [ %next, %body ]
      %sum = phi i64 [ 0, %entry ], [ %more, %body ]
      %go = icmp slt i64 %i, %n
      br i1 %go, label %body, label %end
    body:
      %square = mul i64 %i, %i
      %more = add i64 %sum, %square
      store i64 %more, ptr @total
      %next = add i64 %i, 1
      br label %head
    end:
      ret i64 %sum
    }

    define i64 @depth(i64 %n) {
      %local = alloca [3 x i64]
      %slot = getelementptr [3 x i64], ptr %local, i64 0, i64 1
      store i64 %n, ptr %slot
      %is_last = icmp eq i64 %n, 0
      br i1 %is_last, label %last, label %more
    last:
      ret i64 0
    more:
      %less = sub i64 %n, 1
      %below = call i64 @depth(i64 %less)
      %mine = load i64, ptr %slot
      %same = icmp eq i64 %mine, %n
      %one = select i1 %same, i64 1, i64 0
      %sum = add i64 %below, %one
      ret i64 %sum
    }

    define i32 @pick(i32 %i) {
      switch i32 %i, label %other [ i32 0, label %a  i32 1, label %b  i32 1000000, label %c ]
    a:
      %p = getelementptr [4 x i32], ptr @table, i64 0, i64 2
      %x = load i32, ptr %p
      ret i32 %x
    b:
      %v = insertelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 9, i32 %i
      %w = add <4 x i32> %v, %v
      %e = extractelement <4 x i32> %w, i32 1
      ret i32 %e
    c:
      ret i32 -1
    other:
      ret i32 %i
    }

    declare i64 @deeper(i64)
    define i64 @calls_back(i64 %n) {
      %r = call i64 @deeper(i64 %n)
      %s = add i64 %r, %n
      ret i64 %s
    }";

/// Tests are smaller where each operation takes long.
const DEEP: u64 = if cfg!(miri) { 700 } else { 20_000 };

fn image() -> CheckedImage {
    let mut program = Program::new();
    parse_module(&mut program, "test.ll", CODE).unwrap_or_else(|error| panic!("{error}"));
    let linkage = link(&program, |_| Role::Program).unwrap();
    CheckedImage::new(lower(&program, &linkage, |_| Role::Program, Checks::default()).unwrap())
}

/// Calls `depth` aside at each note, so that registers move in the middle of operations.
#[derive(Default)]
struct Busy {
    env: (),
    n_notes: u64,
    n_events: u64,
    snapshots: Vec<Snapshot<Self>>,
    deep: Option<FuncId>,
    is_replaced: bool,
}

impl Reversible for Busy {
    type Saved = (u64, u64);

    fn save(&mut self) -> Option<(u64, u64)> {
        Some((self.n_notes, self.n_events))
    }

    fn restore(&mut self, saved: &(u64, u64)) {
        (self.n_notes, self.n_events) = *saved;
    }
}

impl Machine for Busy {
    type Env = ();
    const NOTES: bool = true;
    const EVENTS: bool = true;

    fn env(&mut self) -> &mut () {
        &mut self.env
    }

    fn note(vm: &mut Vm<'_, Self>, _op_idx: spelunk_ir::code::OpIdx) -> Result<(), Stop> {
        if let Some(snapshot) = vm.snapshot() {
            vm.machine.snapshots.push(snapshot);
        }
        vm.machine.n_notes += 1;
        if vm.machine.is_replaced {
            *vm = Vm::new(vm.image(), Self::default(), &Functions, Limits::default()).expect("static objects fit");
            return Ok(());
        }
        if let Some(deep) = vm.machine.deep {
            let found = vm.aside(u64::MAX, |vm| vm.call(deep, &[Slot::plain(DEEP)]))?;
            assert_eq!(found, [Slot::plain(DEEP)]);
        }
        Ok(())
    }

    fn event(vm: &mut Vm<'_, Self>, _event: Event) -> Result<(), Stop> {
        vm.machine.n_events += 1;
        Ok(())
    }
}

struct Functions;

impl BuiltinTable<Busy> for Functions {
    fn lookup(&self, name: &str) -> Option<BuiltinRow<Busy>> {
        let deeper: Builtin<Busy> = |vm, args| {
            let depth = vm.find_function("depth").expect("it is defined");
            Ok(spelunk_vm::Flow::slot(vm.call(depth, args)?[0]))
        };
        (name == "deeper").then(|| BuiltinRow::from(deeper))
    }
}

fn vm(image: &CheckedImage) -> Vm<'_, Busy> {
    Vm::new(image, Busy::default(), &Functions, Limits::default()).expect("static objects fit")
}

fn call(vm: &mut Vm<'_, Busy>, name: &str, arg: u64) -> u64 {
    let function = vm.find_function(name).expect("it is defined");
    vm.call(function, &[Slot::plain(arg)]).expect("it returns")[0].val
}

#[test]
fn loops_switches_and_vectors() {
    let image = image();
    let mut vm = vm(&image);
    assert_eq!(call(&mut vm, "squares", 5), 30);
    let found: Vec<u64> = [0, 1, 1_000_000, 77].map(|i| call(&mut vm, "pick", i)).to_vec();
    assert_eq!(found, [5, 18, u64::from(u32::MAX), 77]);
}

#[test]
fn registers_move_under_deep_calls() {
    let image = image();
    let mut vm = vm(&image);
    assert_eq!(call(&mut vm, "depth", DEEP), DEEP);
    assert_eq!(call(&mut vm, "calls_back", DEEP), 2 * DEEP);
    assert_eq!(vm.machine.n_events, 2 * (2 * (DEEP + 1) + 1));
}

#[test]
fn registers_move_in_the_middle_of_an_operation() {
    let image = image();
    let mut vm = vm(&image);
    let squares = vm.find_function("squares").expect("it is defined");
    vm.set_notes(Some(Arc::new(Notes::new(&image, loop_sites(&image, squares)))));
    vm.machine.deep = vm.find_function("depth");
    assert_eq!(call(&mut vm, "squares", 4), 14);
    assert!(vm.machine.n_notes >= 5 + 4);
    let snapshots = std::mem::take(&mut vm.machine.snapshots);
    for snapshot in &snapshots {
        vm.restore(snapshot);
        assert_eq!(vm.resume().expect("it returns")[0].val, 14);
    }
}

#[test]
#[should_panic(expected = "a function that has code is called")]
fn what_has_no_code_is_not_called() {
    let image = image();
    let mut vm = vm(&image);
    let deeper = FuncId::new(image.functions.iter().position(|code| &*code.name == "deeper").expect("it is declared"));
    let _ = vm.call(deeper, &[Slot::plain(1)]);
}

#[test]
#[should_panic(expected = "a version of this memory")]
fn a_snapshot_belongs_to_a_machine() {
    let image = image();
    let (mut one, mut other) = (vm(&image), vm(&image));
    let snapshot = one.snapshot().expect("nothing has happened yet");
    other.restore(&snapshot);
}

#[test]
#[should_panic(expected = "a call was under way")]
fn nothing_goes_on_that_was_not_started() {
    let image = image();
    let mut vm = vm(&image);
    let _ = vm.resume();
}

#[test]
#[should_panic(expected = "went on after")]
fn a_run_notices_that_its_machine_was_replaced() {
    let image = image();
    let mut vm = vm(&image);
    let squares = vm.find_function("squares").expect("it is defined");
    vm.set_notes(Some(Arc::new(Notes::new(&image, loop_sites(&image, squares)))));
    vm.machine.is_replaced = true;
    call(&mut vm, "squares", 4);
}
