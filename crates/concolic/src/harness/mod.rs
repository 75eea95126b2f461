//! The functions by which programs ask for input and say what they expect: KLEE's, those of SV-COMP and Test-Comp, and
//! our own.
//!
//! Steps to add one: write it in the file of its family, and add a row to that file's table.

mod inputs;
mod klee;
mod own;
mod results;
pub(crate) mod stubs;
pub(crate) mod undefined;
mod verifier;

use crate::decision::DecisionKind;
use crate::machine::ConcolicMachine;
use crate::switches::mk_in_range;
use spelunk_bv::int;
use spelunk_libc::Library;
use spelunk_vm::{BugKind, BuiltinRow, BuiltinTable, Flow, Machine, Slot, Stop, Tag, UndefId, Vm};

pub use stubs::Undefined;

type Answer = Result<Flow, Stop>;
type Program<'p> = Vm<'p, ConcolicMachine>;

/// The C library and all harness functions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Harness;

impl BuiltinTable<ConcolicMachine> for Harness {
    fn lookup(&self, name: &str) -> Option<BuiltinRow<ConcolicMachine>> {
        let own = klee::find(name).or_else(|| verifier::find(name)).or_else(|| own::find(name));
        own.map(BuiltinRow::from).or_else(|| Library.lookup(name))
    }
}

/// Whether a function that the program has no code for is one that nobody defines.
pub fn is_undefined(name: &str) -> bool {
    // What LLVM itself defines is no function.
    BuiltinTable::<ConcolicMachine>::lookup(&Harness, name).is_none() && !name.starts_with("llvm.")
}

/// The first `N` arguments, as they are.
fn slots<const N: usize>(vm: &Program<'_>, args: &[Slot]) -> Result<[Slot; N], Stop> {
    match args.first_chunk() {
        Some(&slots) => Ok(slots),
        None => vm.bug(BugKind::BadCall, format!("called with {} of {N} arguments", args.len())),
    }
}

/// The first `N` arguments as concrete numbers.
fn words<const N: usize>(vm: &mut Program<'_>, args: &[Slot]) -> Result<[u64; N], Stop> {
    let slots: [Slot; N] = slots(vm, args)?;
    let mut words = [0; N];
    for (word, slot) in words.iter_mut().zip(slots) {
        *word = vm.word(slot, "an argument")?;
    }
    Ok(words)
}

fn text(vm: &mut Program<'_>, addr: u64) -> Result<String, Stop> {
    Ok(String::from_utf8_lossy(&vm.read_c_string(addr)?).into_owned())
}

/// The name of an input that a program gives, which may be a null pointer.
fn name(vm: &mut Program<'_>, addr: u64) -> Result<String, Stop> {
    if addr == 0 { Ok("unnamed".to_owned()) } else { text(vm, addr) }
}

/// Whether a condition (of `width` bits) is not zero, as a decision of the path.
pub(crate) fn decide_truth(vm: &mut Program<'_>, condition: Slot, width: u32) -> Result<bool, Stop> {
    decide_as(vm, DecisionKind::Branch, condition, width)
}

/// The same, where the path is over unless it is.
pub(crate) fn decide_assumed(vm: &mut Program<'_>, condition: Slot, width: u32) -> Result<bool, Stop> {
    decide_as(vm, DecisionKind::Assumed, condition, width)
}

fn decide_as(vm: &mut Program<'_>, kind: DecisionKind, condition: Slot, width: u32) -> Result<bool, Stop> {
    let site = vm.pc();
    if condition.tag.undef() != UndefId::NONE {
        return vm.bug(BugKind::Uninitialised, "a condition depends on it");
    }
    let holds = int::trunc(width, condition.val) != 0;
    if condition.tag.expr().is_some() {
        let machine = &mut vm.machine;
        let (expr, zero) = (machine.operand(width, condition), machine.pool.mk_const(width, 0));
        let nonzero = machine.pool.mk_ne(expr, zero);
        machine.decide_condition(site, kind, nonzero, holds);
        if machine.path.is_halted {
            return Err(Stop::Infeasible);
        }
        ConcolicMachine::after_decision(vm)?;
    }
    Ok(holds)
}

/// The path goes on only if the condition holds. Inputs for which it does are found by deciding the other way.
fn assume(vm: &mut Program<'_>, condition: Slot, width: u32) -> Result<(), Stop> {
    if decide_assumed(vm, condition, width)? { Ok(()) } else { Err(Stop::Infeasible) }
}

/// As `assume`, for a number from `first` to `last`, which may go around the end of the numbers.
fn assume_in_range(vm: &mut Program<'_>, number: Slot, width: u32, first: u64, last: u64) -> Result<(), Stop> {
    let machine = &mut vm.machine;
    let expr = machine.operand(width, number);
    let in_range = mk_in_range(&mut machine.pool, expr, first, last);
    let holds = int::trunc(width, number.val.wrapping_sub(first)) <= int::trunc(width, last.wrapping_sub(first));
    let carried = machine.carry(in_range, u64::from(holds));
    assume(vm, Slot { val: u64::from(holds), tag: Tag::new(carried, UndefId::NONE) }, 1)
}

fn assert(vm: &mut Program<'_>, condition: Slot, width: u32, what: &str) -> Result<(), Stop> {
    if decide_truth(vm, condition, width)? { Ok(()) } else { vm.bug(BugKind::Assert, format!("{what} failed")) }
}

/// The headers that declare harness functions, by the names that programs include them by.
pub const HEADERS: &[(&str, &str)] = &[
    ("spelunk.h", include_str!("../../include/spelunk.h")),
    ("klee/klee.h", include_str!("../../include/klee/klee.h")),
];
