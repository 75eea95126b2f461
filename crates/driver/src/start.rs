//! The first call into a loaded program.

use spelunk_vm::{Machine, Slot, Stop, Vm};

/// The library file that defines [`START_FUNCTION`].
pub(crate) const START_FILE: &str = "start.c";
const START_FUNCTION: &str = "__rt_start";

/// Writes out what waits in the program's streams.
const FLUSH_FUNCTION: &str = "__rt_flush_all";

/// What the program finds when it starts.
#[derive(Clone, Debug, Default)]
pub struct Invocation {
    /// Includes the program's name.
    pub args: Vec<Vec<u8>>,
    /// `NAME=VALUE` each.
    pub env: Vec<Vec<u8>>,
}

/// Runs the program from its start until the path ends.
pub fn start<M: Machine>(vm: &mut Vm<'_, M>, invocation: &Invocation) -> Stop {
    match try_start(vm, invocation) {
        // Only a program with an `exit` of its own that returns gets here.
        Ok(()) => Stop::Exited(0),
        Err(stop) => stop,
    }
}

/// Writes what the program has printed and still buffers, as far as that is possible. A program that was stopped has not
/// done it itself.
pub fn flush_streams<M: Machine>(vm: &mut Vm<'_, M>) {
    if let Some(function) = vm.find_function(FLUSH_FUNCTION) {
        let _ = vm.call_after_stop(function, &[]);
    }
}

fn try_start<M: Machine>(vm: &mut Vm<'_, M>, invocation: &Invocation) -> Result<(), Stop> {
    let function = vm.find_function(START_FUNCTION).expect("`load` always links the file that defines it");
    let argv = alloc_strings(vm, &invocation.args)?;
    let envp = alloc_strings(vm, &invocation.env)?;
    let args = [Slot::plain(invocation.args.len() as u64), Slot::plain(argv), Slot::plain(envp)];
    vm.call(function, &args)?;
    Ok(())
}

/// An array of pointers to these strings, with a null pointer at its end.
fn alloc_strings<M: Machine>(vm: &mut Vm<'_, M>, strings: &[Vec<u8>]) -> Result<u64, Stop> {
    let mut array = Vec::with_capacity((strings.len() + 1) * 8);
    for string in strings {
        let with_nul: Vec<u8> = string.iter().copied().chain([0]).collect();
        array.extend(alloc(vm, &with_nul)?.to_le_bytes());
    }
    array.extend(0u64.to_le_bytes());
    alloc(vm, &array)
}

fn alloc<M: Machine>(vm: &mut Vm<'_, M>, bytes: &[u8]) -> Result<u64, Stop> {
    let result = vm.alloc_startup(bytes);
    vm.checked(result, "allocation")
}
