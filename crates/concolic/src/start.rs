//! The first call into a program, and what it finds there.

use crate::decision::DecisionKind;
use crate::graph::heap::Heap;
use crate::graph::layout::LayoutId;
use crate::input_bytes::Made;
use crate::key::{ObjectKey, Root};
use crate::machine::ConcolicMachine;
use crate::observed::Observed;
use crate::options::Options;
use crate::program_inputs::ProgramInputs;
use crate::theories;
use crate::unit_run::{UnitStart, make_reachable, reserve_places};
use spelunk_hex::Example;
use spelunk_ir::code::{Image, OpIdx};
use spelunk_ir::model::FuncId;
use spelunk_libc::MemoryFile;
use spelunk_vm::memory::Fault;
use spelunk_vm::{Slot, Stop, Vm};
use std::sync::Arc;

/// What the library defines to run `main` and what comes before and after it.
const START_FUNCTION: &str = "__rt_start";

/// What runs, with everything in place.
#[derive(Clone, Debug)]
pub(crate) enum Start {
    Program(ProgramStart),
    Unit(UnitStart),
}

impl Start {
    pub fn prepare(vm: &mut Vm<'_, ConcolicMachine>, options: &Options) -> Result<Self, Fault> {
        Ok(match &options.unit {
            Some(unit) if !unit.is_whole_program() => Self::Unit(UnitStart::prepare(vm, unit, options)?),
            _ => Self::Program(ProgramStart::prepare(vm, options)?),
        })
    }

    /// Makes what the input of the run has beyond what is there.
    pub fn make_inputs(&self, vm: &mut Vm<'_, ConcolicMachine>) -> Result<(), Fault> {
        if vm.machine.inputs.heap.has_places() {
            make_reachable(vm)?;
        }
        match self {
            _ if !vm.machine.is_probing => Ok(()),
            Self::Program(start) => start.make_plain(vm),
            Self::Unit(start) => start.make_plain(vm),
        }
    }

    /// The first operation of the function under test.
    pub fn tested_entry(&self, image: &Image) -> Option<OpIdx> {
        match self {
            Self::Program(_) => None,
            Self::Unit(start) => start.tested_entry(image),
        }
    }

    /// After how many steps a sequence of calls was over, if there are more.
    pub fn n_steps(&self, machine: &ConcolicMachine) -> Option<usize> {
        match self {
            Self::Program(_) => None,
            Self::Unit(start) => start.n_steps(machine),
        }
    }

    /// What the calls of a unit did, if all have returned.
    pub fn observe(&self, vm: &Vm<'_, ConcolicMachine>) -> Option<Observed> {
        match self {
            Self::Program(_) => None,
            Self::Unit(start) => start.observe(vm),
        }
    }

    /// The heap that the calls of a unit have built, if that is to be learned from.
    pub fn example(&self, vm: &Vm<'_, ConcolicMachine>) -> Option<Example> {
        match self {
            Self::Program(_) => None,
            Self::Unit(start) => start.example(vm),
        }
    }

    /// Whether the function that knows valid inputs accepts that of a path which has ended, if it returns.
    pub fn audit(&self, vm: &mut Vm<'_, ConcolicMachine>) -> Option<bool> {
        match self {
            Self::Program(_) => None,
            Self::Unit(start) => start.audit(vm),
        }
    }

    /// Runs until the path ends.
    pub fn call(&self, vm: &mut Vm<'_, ConcolicMachine>) -> Stop {
        if let Err(stop) = theories::tell_begin(vm) {
            return stop;
        }
        match self {
            Self::Program(start) => start.call(vm),
            Self::Unit(start) => start.call(vm, None),
        }
    }

    /// As `call`, after a call that was under way has ended.
    pub fn go_on(&self, vm: &mut Vm<'_, ConcolicMachine>, under_way: Result<Vec<Slot>, Stop>) -> Stop {
        match self {
            Self::Program(_) => end_of(under_way),
            Self::Unit(start) => start.call(vm, Some(under_way)),
        }
    }
}

/// The call of a whole program, with its arguments in place.
#[derive(Clone, Debug)]
pub(crate) struct ProgramStart {
    function: FuncId,
    /// Arguments that are always there.
    n_fixed: u64,
    /// Arguments that may be missing at the end.
    n_optional: u64,
    argv: u64,
    envp: u64,
    inputs: ProgramInputs,
    /// Arguments that are input, and where they are.
    symbolic_args: Vec<(u64, Made)>,
}

impl ProgramStart {
    /// Lays out what the program finds when it starts.
    pub fn prepare(vm: &mut Vm<'_, ConcolicMachine>, options: &Options) -> Result<Self, Fault> {
        let function = vm.find_function(START_FUNCTION).expect("every image has the file that defines it");
        // Objects stay where they were in earlier runs, if there were any.
        let is_new = !vm.machine.inputs.heap.has_places();
        if let Some(unit) = options.unit.as_ref().filter(|_| is_new) {
            vm.machine.inputs.heap = Heap::new(Arc::clone(unit));
        }
        let (mut args, mut symbolic_args) = (Vec::new(), Vec::new());
        for arg in &options.args {
            args.push(alloc_string(vm, arg)?);
        }
        for (number, len) in (0..).zip(options.inputs.arg_lens()) {
            let addr = alloc_string(vm, &vec![0; len as usize])?;
            let made = make(&mut vm.machine, &options.inputs, Root::Arg(number), len);
            vm.memory.write_carrying(addr, vm.machine.inputs.bytes(made), |i| (made.carried(i as u32), 0))?;
            args.push(addr);
            symbolic_args.push((addr, made));
        }
        let mut env = Vec::new();
        for entry in &options.env {
            env.push(alloc_string(vm, entry)?);
        }
        make_files(&mut vm.machine, &options.inputs);
        let (min, max) = options.inputs.n_args();
        let start = Self {
            function,
            n_fixed: options.args.len() as u64 + u64::from(min),
            n_optional: u64::from(max - min),
            argv: alloc_pointers(vm, &args)?,
            envp: alloc_pointers(vm, &env)?,
            inputs: options.inputs.clone(),
            symbolic_args,
        };
        if options.unit.is_some() {
            let mut heap = std::mem::take(&mut vm.machine.inputs.heap);
            reserve_places(vm, &mut heap, options);
            vm.machine.inputs.heap = heap;
        }
        Ok(start)
    }

    /// Makes arguments and files carry nothing.
    fn make_plain(&self, vm: &mut Vm<'_, ConcolicMachine>) -> Result<(), Fault> {
        for &(addr, made) in &self.symbolic_args {
            vm.memory.write(addr, vm.machine.inputs.bytes(made))?;
        }
        vm.machine.world.make_files_plain();
        Ok(())
    }

    /// Runs the program until the path ends.
    pub fn call(&self, vm: &mut Vm<'_, ConcolicMachine>) -> Stop {
        make_texts(vm, &self.inputs);
        let argc = match self.n_args(vm) {
            Ok(argc) => argc,
            Err(stop) => return stop,
        };
        let args = [Slot::plain(argc), Slot::plain(self.argv), Slot::plain(self.envp)];
        end_of(vm.call(self.function, &args))
    }

    /// Decides how many arguments there are, and ends them there.
    fn n_args(&self, vm: &mut Vm<'_, ConcolicMachine>) -> Result<u64, Stop> {
        if self.n_optional == 0 {
            return Ok(self.n_fixed);
        }
        let site = vm.image().functions[self.function.index()].entry;
        let machine = &mut vm.machine;
        let made = make(machine, &ProgramInputs::default(), Root::ArgCount, 1);
        let n_choices = self.n_optional + 1;
        let extra = u64::from(machine.inputs.bytes(made)[0]) % n_choices;
        let byte = machine.group_object(made);
        let (modulus, chosen) = (machine.pool.mk_const(8, n_choices), machine.pool.mk_const(8, extra));
        let rest = machine.pool.mk_urem(byte, modulus);
        let cond = machine.pool.mk_eq(rest, chosen);
        machine.decide(site, DecisionKind::Value, extra, cond);
        let argc = self.n_fixed + extra;
        let ended = vm.memory.write(self.argv + 8 * argc, &[0; 8]);
        vm.checked(ended, "write")?;
        let steps = vm.steps();
        vm.machine.settle(steps);
        Ok(argc)
    }
}

/// How a path ended. Only a program with an `exit` of its own that returns gets to the end of the first call.
fn end_of(result: Result<Vec<Slot>, Stop>) -> Stop {
    result.err().unwrap_or(Stop::Exited(0))
}

/// Standard input and files of the input that are as long as they are said to be.
pub(crate) fn make_files(machine: &mut ConcolicMachine, inputs: &ProgramInputs) {
    if let Some(len) = inputs.stdin.filter(|_| !inputs.texts.contains(&Root::Stdin)) {
        let file = make_file(machine, inputs, Root::Stdin, len);
        machine.world.set_stdin(file);
    }
    let files = (0..).zip(&inputs.files).filter(|(number, _)| !inputs.texts.contains(&Root::File(*number)));
    for (number, file) in files {
        let made = make_file(machine, inputs, Root::File(number), file.size);
        machine.world.add_file(file.name.as_bytes(), made);
    }
}

/// Makes files that are as long as the input of the run says.
pub(crate) fn make_texts(vm: &mut Vm<'_, ConcolicMachine>, inputs: &ProgramInputs) {
    let (steps, machine) = (vm.steps(), &mut vm.machine);
    for root in &inputs.texts {
        let len = machine.input.of_root(root).map_or(0, |object| object.bytes.len() as u32);
        let file = make_file(machine, inputs, root.clone(), len);
        match root {
            Root::Stdin => machine.world.set_stdin(file),
            root => machine.world.add_file(inputs.name_of(root).expect("it is a file").as_bytes(), file),
        }
    }
    machine.settle(steps);
}

fn make_file(machine: &mut ConcolicMachine, inputs: &ProgramInputs, root: Root, len: u32) -> MemoryFile {
    let made = make(machine, inputs, root, len);
    MemoryFile::carrying(machine.inputs.bytes(made).to_vec(), |i| (made.carried(i as u32), 0))
}

/// Makes an input of the program.
fn make(machine: &mut ConcolicMachine, inputs: &ProgramInputs, root: Root, len: u32) -> Made {
    machine.begin_operation(u64::MAX);
    let name = inputs.name_of(&root).expect("an input of a program");
    let node = machine.inputs.heap.asked(ObjectKey::of_root(root), &name, LayoutId::BYTES);
    machine.inputs.make_bytes(&machine.input, node, len)
}

/// A string with a zero behind it.
fn alloc_string(vm: &mut Vm<'_, ConcolicMachine>, bytes: &[u8]) -> Result<u64, Fault> {
    let with_nul: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    vm.alloc_startup(&with_nul)
}

/// An array of pointers, with a null pointer at its end.
fn alloc_pointers(vm: &mut Vm<'_, ConcolicMachine>, pointers: &[u64]) -> Result<u64, Fault> {
    let bytes: Vec<u8> = pointers.iter().chain(&[0]).flat_map(|pointer| pointer.to_le_bytes()).collect();
    vm.alloc_startup(&bytes)
}
