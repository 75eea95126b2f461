//! The first call into a program.

use crate::machine::ConcolicMachine;
use crate::runner::Options;
use spelunk_ir::model::FuncId;
use spelunk_vm::memory::Fault;
use spelunk_vm::{Slot, Stop, Vm};

/// What the library defines to run `main` and what comes before and after it.
const START_FUNCTION: &str = "__rt_start";

/// The call, with its arguments in place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    function: FuncId,
    args: [Slot; 3],
}

impl Start {
    /// Lays out what the program finds when it starts.
    pub fn prepare(vm: &mut Vm<'_, ConcolicMachine>, options: &Options) -> Result<Self, Fault> {
        let function = vm.find_function(START_FUNCTION).expect("every image has the file that defines it");
        let argv = alloc_strings(vm, &options.args)?;
        let envp = alloc_strings(vm, &options.env)?;
        let args = [Slot::plain(options.args.len() as u64), Slot::plain(argv), Slot::plain(envp)];
        Ok(Self { function, args })
    }

    /// Runs the program until the path ends.
    pub fn call(&self, vm: &mut Vm<'_, ConcolicMachine>) -> Stop {
        end_of(vm.call(self.function, &self.args))
    }
}

/// How a path ended. Only a program with an `exit` of its own that returns gets to the end of the first call.
pub(crate) fn end_of(result: Result<Vec<Slot>, Stop>) -> Stop {
    result.err().unwrap_or(Stop::Exited(0))
}

/// An array of pointers to these strings, with a null pointer at its end.
fn alloc_strings(vm: &mut Vm<'_, ConcolicMachine>, strings: &[Vec<u8>]) -> Result<u64, Fault> {
    let mut array = Vec::with_capacity((strings.len() + 1) * 8);
    for string in strings {
        let with_nul: Vec<u8> = string.iter().copied().chain([0]).collect();
        array.extend(vm.alloc_startup(&with_nul)?.to_le_bytes());
    }
    array.extend(0u64.to_le_bytes());
    vm.alloc_startup(&array)
}
