//! A machine that writes down what it is told.

use spelunk_ir::code::{Op, OpIdx, StaticKind};
use spelunk_ir::model::FuncId;
use spelunk_libc::{Library, World};
use spelunk_vm::memory::Memory;
use spelunk_vm::{
    Attention, Builtin, BuiltinRow, BuiltinTable, Event, Flow, LoopEvent, LoopNotes, Machine, Passes, Reversible, Slot,
    Snapshot, Stop, Vm,
};

pub type AtNote = Box<dyn FnMut(&mut Vm<'_, Witness>, OpIdx) -> Result<(), Stop>>;

#[derive(Default)]
pub struct Witness {
    world: World,
    pub loops: LoopNotes,
    /// At which operation a loop was entered or gone round again.
    pub rounds: Vec<(OpIdx, LoopEvent)>,
    pub events: Vec<Event>,
    /// At each note, the operation and how many were executed before.
    pub notes: Vec<(OpIdx, u64)>,
    pub at_note: Option<AtNote>,
    pub attention: Attention,
    /// Answers notes before they are told, and may change the attention.
    pub passes: Option<fn(&mut Witness) -> Passes>,
    /// How often that was asked.
    pub n_asked: usize,
    pub snapshots: Vec<Snapshot<Self>>,
}

pub struct Saved {
    world: <World as Reversible>::Saved,
    loops: LoopNotes,
    n_rounds: usize,
    n_events: usize,
    n_notes: usize,
}

impl Reversible for Witness {
    type Saved = Saved;

    fn save(&mut self) -> Option<Saved> {
        Some(Saved {
            world: self.world.save()?,
            loops: self.loops,
            n_rounds: self.rounds.len(),
            n_events: self.events.len(),
            n_notes: self.notes.len(),
        })
    }

    fn restore(&mut self, saved: &Saved) {
        self.world.restore(&saved.world);
        self.loops = saved.loops;
        self.rounds.truncate(saved.n_rounds);
        self.events.truncate(saved.n_events);
        self.notes.truncate(saved.n_notes);
    }
}

impl Machine for Witness {
    type Env = World;
    const NOTES: bool = true;
    const EVENTS: bool = true;

    fn env(&mut self) -> &mut World {
        &mut self.world
    }

    fn passes_note(&mut self, _memory: &Memory, _at: (OpIdx, &Op), _base: usize, _regs: &[Slot]) -> Passes {
        let Some(passes) = self.passes else { return Passes::No };
        self.n_asked += 1;
        passes(self)
    }

    fn attention(&self) -> Attention {
        self.attention
    }

    fn note(vm: &mut Vm<'_, Self>, op_idx: OpIdx) -> Result<(), Stop> {
        // First, since a snapshot is the state before the note.
        if let Some(mut at_note) = vm.machine.at_note.take() {
            let told = at_note(vm, op_idx);
            vm.machine.at_note = Some(at_note);
            told?;
        }
        let (image, steps) = (vm.image(), vm.steps());
        vm.machine.notes.push((op_idx, steps));
        if let Some(event) = vm.machine.loops.at(image, op_idx, steps) {
            vm.machine.rounds.push((op_idx, event));
        }
        Ok(())
    }

    fn event(vm: &mut Vm<'_, Self>, event: Event) -> Result<(), Stop> {
        assert!(vm.snapshot().is_none(), "the operation has acted");
        vm.machine.events.push(event);
        Ok(())
    }
}

/// The library, and functions in Rust that call back.
pub struct Functions;

impl BuiltinTable<Witness> for Functions {
    fn lookup(&self, name: &str) -> Option<BuiltinRow<Witness>> {
        let function: Builtin<Witness> = match name {
            "call_back" => call_back,
            "call_back_aside" => call_back_aside,
            "swallow" => swallow,
            _ => return Library.lookup(name),
        };
        Some(BuiltinRow::from(function))
    }
}

/// The function that an argument points to.
fn pointee(vm: &Vm<'_, Witness>, arg: Slot) -> FuncId {
    let functions = vm.image().statics.iter().filter_map(|object| match object.kind {
        StaticKind::Function(id) => Some(id),
        StaticKind::Variable { .. } => None,
    });
    functions.into_iter().find(|&id| vm.function_address(id) == arg.val).expect("a pointer to a function")
}

/// `int call_back(int (*f)(int), int x)` calls it three times and adds up.
fn call_back(vm: &mut Vm<'_, Witness>, args: &[Slot]) -> Result<Flow, Stop> {
    let function = pointee(vm, args[0]);
    let mut sum = 0u32;
    for _ in 0..3 {
        let result = vm.call(function, &[args[1]])?;
        sum = sum.wrapping_add(result[0].val as u32);
    }
    Ok(Flow::value(u64::from(sum)))
}

/// The same, but nothing of it stays.
fn call_back_aside(vm: &mut Vm<'_, Witness>, args: &[Slot]) -> Result<Flow, Stop> {
    let function = pointee(vm, args[0]);
    let mut sum = 0u32;
    for _ in 0..3 {
        let result = vm.aside(u64::MAX, |vm| vm.call(function, &[args[1]]))?;
        sum = sum.wrapping_add(result[0].val as u32);
    }
    Ok(Flow::value(u64::from(sum)))
}

/// Calls a function and does not hand on that it stopped the path.
fn swallow(vm: &mut Vm<'_, Witness>, args: &[Slot]) -> Result<Flow, Stop> {
    let function = pointee(vm, args[0]);
    let _ = vm.call(function, &[args[1]]);
    Ok(Flow::VOID)
}
