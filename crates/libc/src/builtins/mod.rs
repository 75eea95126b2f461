//! The library functions that Rust code serves, and what all of them share.
//!
//! `area` is the bridge to memory: it reads, scans and copies ranges and reports what is wrong with them. `mem`, `scan`,
//! `compare` and `copy` are <string.h>; `fortify` its checked variants; `alloc` the heap; `control` how programs
//! end and jump; `os` files and time; `outside` what is noted of the world's answers; `posix` and `dir` what else of the
//! host programs ask for; `number` digits; `math` and `fenv` floating point.

pub mod alloc;
mod area;
pub mod compare;
pub mod control;
pub mod copy;
pub mod dir;
pub mod fenv;
pub mod fortify;
pub mod math;
pub mod mem;
pub mod number;
pub mod os;
pub mod outside;
pub mod posix;
pub mod scan;

use crate::world::World;
use spelunk_vm::{BugKind, Flow, Machine, Slot, Stop, Vm};

/// A machine whose programs live in our world.
pub trait Host: Machine<Env = World> {}

impl<M: Machine<Env = World>> Host for M {}

pub(crate) type Answer = Result<Flow, Stop>;

const ARGUMENTS: [&str; 6] = [
    "the first argument",
    "the second argument",
    "the third argument",
    "the fourth argument",
    "the fifth argument",
    "the sixth argument",
];

/// The first `N` slots of the arguments, whatever they carry.
fn slots<M: Machine, const N: usize>(vm: &Vm<'_, M>, args: &[Slot]) -> Result<[Slot; N], Stop> {
    match args.first_chunk() {
        Some(&slots) => Ok(slots),
        None => vm.bug(BugKind::BadCall, format!("called with {} of {N} arguments", args.len())),
    }
}

/// The same as plain words.
fn words<M: Machine, const N: usize>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Result<[u64; N], Stop> {
    let args: [Slot; N] = slots(vm, args)?;
    let mut words = [0; N];
    for (i, (word, arg)) in words.iter_mut().zip(args).enumerate() {
        *word = vm.word(arg, ARGUMENTS.get(i).unwrap_or(&"an argument"))?;
    }
    Ok(words)
}

/// The only argument as a plain word, where the program does not depend on what becomes of it.
fn printed<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot], what: &str) -> Result<u64, Stop> {
    let [arg] = slots(vm, args)?;
    vm.check_defined(arg, what)?;
    Ok(arg.val)
}

/// Sets `errno`, if the program has it.
fn set_errno<M: Host>(vm: &mut Vm<'_, M>, error: i32) -> Result<(), Stop> {
    let addr = match vm.machine.env().errno_address {
        Some(addr) => addr,
        None => {
            let addr = find_errno(vm);
            vm.machine.env().errno_address = Some(addr);
            addr
        }
    };
    match addr {
        Some(addr) => area::write(vm, addr, &error.to_le_bytes()),
        None => Ok(()),
    }
}

/// The variable behind `errno`. Library objects come after the program's, so it is the last one of its name.
fn find_errno<M: Machine>(vm: &Vm<'_, M>) -> Option<u64> {
    vm.find_function("__errno_location")?;
    let idx = vm.image().statics.iter().rposition(|object| &*object.name == "error_number")?;
    let id = u32::try_from(idx + 1).ok()?;
    Some(vm.memory.object(spelunk_vm::memory::ObjectId(id)).base())
}
