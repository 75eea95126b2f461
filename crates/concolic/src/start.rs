//! The first call into a program.

use crate::machine::ConcolicMachine;
use crate::runner::Options;
use spelunk_vm::{Slot, Stop, Vm};

/// What the library defines to run `main` and what comes before and after it.
const START_FUNCTION: &str = "__rt_start";

/// Runs the program from its start until the path ends.
pub(crate) fn start(vm: &mut Vm<'_, ConcolicMachine>, options: &Options) -> Stop {
    match try_start(vm, options) {
        // Only a program with an `exit` of its own that returns gets here.
        Ok(()) => Stop::Exited(0),
        Err(stop) => stop,
    }
}

fn try_start(vm: &mut Vm<'_, ConcolicMachine>, options: &Options) -> Result<(), Stop> {
    let function = vm.find_function(START_FUNCTION).expect("every image has the file that defines it");
    let argv = alloc_strings(vm, &options.args)?;
    let envp = alloc_strings(vm, &options.env)?;
    let args = [Slot::plain(options.args.len() as u64), Slot::plain(argv), Slot::plain(envp)];
    vm.call(function, &args)?;
    Ok(())
}

/// An array of pointers to these strings, with a null pointer at its end.
fn alloc_strings(vm: &mut Vm<'_, ConcolicMachine>, strings: &[Vec<u8>]) -> Result<u64, Stop> {
    let mut array = Vec::with_capacity((strings.len() + 1) * 8);
    for string in strings {
        let with_nul: Vec<u8> = string.iter().copied().chain([0]).collect();
        array.extend(alloc(vm, &with_nul)?.to_le_bytes());
    }
    array.extend(0u64.to_le_bytes());
    alloc(vm, &array)
}

fn alloc(vm: &mut Vm<'_, ConcolicMachine>, bytes: &[u8]) -> Result<u64, Stop> {
    let result = vm.alloc_startup(bytes);
    vm.checked(result, "allocation")
}
