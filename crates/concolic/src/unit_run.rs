//! Runs of a unit: its parameters, the objects that they lead to, and the calls.

use crate::captured::capture;
use crate::decision::DecisionKind;
use crate::graph::heap::{Heap, Kind, NodeId};
use crate::graph::layout::Layout;
use crate::graph::places::MAX_OBJECTS;
use crate::graph::unit::{Arg, Call, Content, Ends, Failure, Home, ResultWay, Returns, Role, Step, Unit};
use crate::input_bytes::{CountBytes, Made, MadeRole};
use crate::machine::{CallsMade, ConcolicMachine};
use crate::observed::{Observed, Observer, Seen, SeenType};
use crate::options::Options;
use crate::program_inputs::ProgramInputs;
use crate::start::{make_files, make_texts};
use spelunk_bv::{BinOp, int};
use spelunk_hex::Example;
use spelunk_ir::code::{Image, OpIdx, TypeTag};
use spelunk_vm::memory::{Fault, ObjectKind, object_of};
use spelunk_vm::{Bug, BugKind, Machine, Slot, Stop, Tag, UndefId, Vm};
use std::sync::Arc;

type Program<'p> = Vm<'p, ConcolicMachine>;

/// A unit with its parameters in place.
#[derive(Clone, Debug)]
pub(crate) struct UnitStart {
    unit: Arc<Unit>,
    inputs: ProgramInputs,
    /// The addresses of the parameters, and of room for results.
    params: Vec<u64>,
    room: u64,
    /// As much room, in which nothing is defined.
    untouched: u64,
    /// Where the result of the tested function is kept.
    result: u64,
    /// By step, where the value that a tested function returned is noted, if runs are observed.
    records: Vec<Option<u64>>,
}

impl UnitStart {
    pub fn prepare(vm: &mut Program<'_>, unit: &Arc<Unit>, options: &Options) -> Result<Self, Fault> {
        // Objects stay where they were in earlier runs, if there were any.
        let is_new = !vm.machine.inputs.heap.has_places();
        let mut heap = Heap::new(Arc::clone(unit));
        let mut params = Vec::new();
        for param in &unit.params {
            let size = unit.layouts.get(param.layout).size;
            let variable = match &param.home {
                Home::Global(name) => vm.static_address(name),
                Home::Room(Content::Undefined) => Some(vm.alloc_startup_room(u64::from(size))?),
                _ => None,
            };
            let addr = match variable {
                Some(addr) => addr,
                None => vm.alloc_startup(&vec![0; size as usize])?,
            };
            heap.add_param(&param.name, param.layout, addr);
            params.push(addr);
        }
        let sizes = unit.calls().flat_map(|call| &call.args).map(|arg| match arg {
            Arg::Room { size } => *size,
            _ => 0,
        });
        let room_size = u64::from(sizes.max().unwrap_or(0));
        let (room, untouched) = (vm.alloc_startup_room(room_size)?, vm.alloc_startup_room(room_size)?);
        let n_results = unit.calls().map(|call| vm.image().functions[call.function.index()].ret_slots);
        let result = vm.alloc_startup(&vec![0; 8 * n_results.max().unwrap_or(0) as usize])?;
        let mut records = vec![None; unit.steps.len()];
        for (record, step) in records.iter_mut().zip(&unit.steps) {
            let returns = step.calls.iter().filter_map(|call| call.returns.as_ref());
            if let Some(size) = returns.map(|it| unit.observables.layouts.get(it.layout).size).max() {
                // There in any case, so that all else is at the same places.
                let place = vm.alloc_record(u64::from(size))?;
                *record = options.observes.then_some(place);
            }
        }
        reserve_places(vm, &mut heap, options);
        if is_new {
            vm.machine.inputs.heap = heap;
        }
        for (number, _) in unit.params.iter().enumerate().filter(|(_, param)| !matches!(param.home, Home::Room(_))) {
            make(vm, NodeId(number as u32), None)?;
        }
        make_files(&mut vm.machine, &options.inputs);
        Ok(Self { inputs: options.inputs.clone(), unit: Arc::clone(unit), params, room, untouched, result, records })
    }

    /// Makes parameters carry nothing.
    pub fn make_plain(&self, vm: &mut Program<'_>) -> Result<(), Fault> {
        for (number, &addr) in self.params.iter().enumerate() {
            if let Some(made) = vm.machine.inputs.of_node(NodeId(number as u32)) {
                vm.memory.write(addr, vm.machine.inputs.bytes(made))?;
            }
        }
        vm.machine.world.make_files_plain();
        Ok(())
    }

    /// The first operation of the function under test.
    pub fn tested_entry(&self, image: &Image) -> Option<OpIdx> {
        let tested = self.unit.calls().find(|call| call.role == Role::Test)?;
        Some(image.functions[tested.function.index()].entry)
    }

    /// The call that a step makes in this run.
    fn chosen(&self, vm: &Program<'_>, step: &Step) -> usize {
        let Some(param) = step.choice else { return 0 };
        let value = vm.memory.load_word(self.params[param], 1).map_or(0, |word| word.val as usize);
        value.min(step.calls.len() - 1)
    }

    /// Decides which call a step makes.
    fn choose<'u>(&self, vm: &mut Program<'_>, step: &'u Step) -> Result<&'u Call, Stop> {
        let number = self.chosen(vm, step);
        if let Some(param) = step.choice {
            let loaded = vm.memory.load_word(self.params[param], 1);
            let word = vm.checked(loaded, "read")?;
            let carried = vm.machine.join(&word, 1);
            let slot = Slot { val: word.val, tag: Tag::new(carried, UndefId::NONE) };
            // Where the function starts that comes first, so that a choice has one place.
            let site = vm.image().functions[step.calls[0].function.index()].entry;
            let expr = vm.machine.operand(8, slot);
            vm.machine.decide_value(site, expr, word.val);
            vm.machine.settle(vm.steps());
        }
        Ok(&step.calls[number])
    }

    /// Makes the calls that are not made yet. `under_way` is what came of one that was.
    pub fn call(&self, vm: &mut Program<'_>, under_way: Option<Result<Vec<Slot>, Stop>>) -> Stop {
        self.try_call(vm, under_way).err().unwrap_or(Stop::Exited(0))
    }

    fn try_call(&self, vm: &mut Program<'_>, under_way: Option<Result<Vec<Slot>, Stop>>) -> Result<(), Stop> {
        if under_way.is_none() && vm.machine.n_called() == 0 {
            make_texts(vm, &self.inputs);
        }
        if let Some(results) = under_way {
            self.finish(vm, vm.machine.n_called(), &results?)?;
        }
        while !self.is_over(vm) {
            let step = &self.unit.steps[vm.machine.n_called()];
            let call = self.choose(vm, step)?;
            let args = self.args(vm, call)?;
            let results = vm.call(call.function, &args)?;
            self.finish(vm, vm.machine.n_called(), &results)?;
        }
        Ok(())
    }

    /// After how many steps the calls were over, the last one perhaps under way, if there are more.
    pub fn n_steps(&self, machine: &ConcolicMachine) -> Option<usize> {
        let n_begun = machine.ended_after().unwrap_or(machine.n_called() + 1);
        Some(n_begun).filter(|&n| n < self.unit.steps.len() && self.unit.sequence_length().is_some())
    }

    /// Whether there are no more calls to make.
    fn is_over(&self, vm: &Program<'_>) -> bool {
        vm.machine.ended_after().is_some() || vm.machine.n_called() >= self.unit.steps.len()
    }

    /// Whether the unit's audit accepts the input as it was given, after the path has ended. Nothing if it does not return.
    pub fn audit(&self, vm: &mut Program<'_>) -> Option<bool> {
        let call = self.unit.audit.as_ref()?;
        make_again(vm).ok()?;
        vm.machine.path.is_pristine = true;
        let args = self.args(vm, call).ok()?;
        let site = vm.image().functions[call.function.index()].entry;
        match vm
            .call_after_stop(call.function, &args)
            .and_then(|results| holds(vm, DecisionKind::Branch, site, call, &results))
        {
            Ok(holds) => Some(holds),
            // It asked for what is not there: so it does not accept it.
            Err(Stop::Bug(_) | Stop::Infeasible) => Some(false),
            Err(_) => None,
        }
    }

    fn args(&self, vm: &mut Program<'_>, call: &Call) -> Result<Vec<Slot>, Stop> {
        let mut slots = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            slots.push(match *arg {
                Arg::Word { param, offset, n_bytes } => word(vm, self.params[param] + u64::from(offset), n_bytes)?,
                Arg::End { param, base, unit } => {
                    let (start, count) = (word(vm, self.params[base], 8)?, word(vm, self.params[param], 8)?);
                    end(vm, start, count, u64::from(unit))
                }
                Arg::Address { param } => Slot::plain(self.params[param]),
                Arg::Room { size } => {
                    // What the call before has left there is no result of this one.
                    let copied = vm.memory.copy(self.room, self.untouched, u64::from(size));
                    vm.checked(copied, "write")?;
                    Slot::plain(self.room)
                }
            });
        }
        Ok(slots)
    }

    /// A call has returned.
    fn finish(&self, vm: &mut Program<'_>, number: usize, results: &[Slot]) -> Result<(), Stop> {
        let step = &self.unit.steps[number];
        let call = &step.calls[self.chosen(vm, step)];
        let entry = vm.image().functions[call.function.index()].entry;
        match call.role {
            Role::Prepare => {}
            Role::Test => {
                // Whoever called it has the result.
                let bytes: Vec<u8> = results.iter().flat_map(|result| result.val.to_le_bytes()).collect();
                vm.memory.write(self.result, &bytes).expect("there is room for every result");
                if let (Some(room), Some(&result)) = (call.result, results.first()) {
                    vm.store_slot(self.params[room], 8, result)?;
                }
                if let (Some(record), Some(returns)) = (self.records[number], &call.returns) {
                    self.note(vm, record, returns, results)?;
                }
            }
            Role::Assume => {
                if !holds(vm, DecisionKind::Assumed, entry, call, results)? {
                    return Err(Stop::Infeasible);
                }
            }
            Role::Ensure => {
                if !holds(vm, DecisionKind::Branch, entry, call, results)? {
                    let before = self.unit.steps[..number].iter().rev();
                    let tested = before.map(|step| &step.calls[self.chosen(vm, step)]).find(|it| it.role == Role::Test);
                    let place = tested.map_or(entry, |it| vm.image().functions[it.function.index()].entry);
                    return Err(Stop::Bug(Box::new(Bug {
                        kind: BugKind::Ensure,
                        message: format!("`{}` does not hold afterwards", call.name),
                        trace: vec![place],
                        notes: Vec::new(),
                        stays_in: None,
                        beyond: None,
                    })));
                }
            }
        }
        let result = results.first().copied();
        let ends = match call.ends {
            Ends::Never => false,
            Ends::Always => true,
            Ends::IfNull => match result {
                Some(result) => says_failure(vm, entry, result, Failure::Zero(64))?,
                None => false,
            },
            Ends::IfFreed(room) => {
                let leads_to = vm.memory.load_word(self.params[room], 8);
                leads_to.is_ok_and(|word| matches!(vm.memory.resolve(word.val, 1), Err(Fault::Dead { .. })))
            }
            Ends::IfFailed { room, failure } => match result.zip(failure) {
                _ if is_unset(vm, self.params[room]) => true,
                Some((result, failure)) => says_failure(vm, entry, result, failure)?,
                None => false,
            },
        };
        let n_called = number + 1;
        vm.machine.set_called(CallsMade { n_called, is_end: ends && n_called < self.unit.steps.len() });
        let steps = vm.steps();
        vm.machine.settle(steps);
        Ok(())
    }
}

impl UnitStart {
    /// Notes what a call has returned.
    fn note(&self, vm: &mut Program<'_>, record: u64, returns: &Returns, results: &[Slot]) -> Result<(), Stop> {
        match &returns.way {
            ResultWay::Registers(places) => {
                for (&(offset, n_bits), &slot) in places.iter().zip(results).filter(|((_, n_bits), _)| *n_bits > 0) {
                    let part = Slot { val: int::trunc(n_bits, slot.val), ..slot };
                    vm.store_slot(record + u64::from(offset), n_bits.div_ceil(8), part)?;
                }
                Ok(())
            }
            ResultWay::Room => {
                let size = self.unit.observables.layouts.get(returns.layout).size;
                let copied = vm.memory.copy(record, self.room, u64::from(size));
                vm.checked(copied, "write")
            }
        }
    }

    /// The heap that the calls of a run have built, if that is to be learned from and all of them have returned.
    pub fn example(&self, vm: &Program<'_>) -> Option<Example> {
        let learning = self.unit.learning.as_ref()?;
        if !self.is_over(vm) {
            return None;
        }
        capture(vm, learning, self.params[learning.room])
    }

    /// What the calls of a run did; nothing unless all of them have returned.
    pub fn observe(&self, vm: &Program<'_>) -> Option<Observed> {
        if !self.is_over(vm) {
            return None;
        }
        let observer = Observer::new(vm, &self.unit, &vm.machine.inputs.heap);
        let mut observed = observer.observe();
        for (step, record) in self.unit.steps.iter().zip(&self.records).take(vm.machine.n_called()) {
            let call = &step.calls[self.chosen(vm, step)];
            if let (Some(record), Some(returns)) = (record, &call.returns) {
                let layout = self.unit.observables.layouts.get(returns.layout);
                let object = vm.memory.object(object_of(*record));
                let value = observer.content(object, layout.size as usize, layout);
                let (name, ty) = (call.name.as_str().into(), SeenType::Observable(returns.layout));
                observed.returned.push(Seen { name, ty, value });
            }
        }
        Some(observed)
    }
}

/// A word of a parameter.
fn word(vm: &mut Program<'_>, addr: u64, n_bytes: u32) -> Result<Slot, Stop> {
    let loaded = vm.memory.load_word(addr, n_bytes);
    let word = vm.checked(loaded, "read")?;
    let carried = vm.machine.join(&word, n_bytes);
    Ok(Slot { val: int::trunc(8 * n_bytes, word.val), tag: Tag::new(carried, UndefId::NONE) })
}

/// The end of so many elements.
fn end(vm: &mut Program<'_>, start: Slot, count: Slot, unit: u64) -> Slot {
    let is_symbolic = |slot: Slot| slot.tag.expr().is_some();
    let mut by = Slot::plain(count.val.wrapping_mul(unit));
    if is_symbolic(count) {
        by.tag = Tag::new(vm.machine.binary(BinOp::Mul, 64, count, Slot::plain(unit)), UndefId::NONE);
    }
    let mut end = Slot::plain(start.val.wrapping_add(by.val));
    if is_symbolic(start) || is_symbolic(by) {
        end.tag = Tag::new(vm.machine.offset(start, by), UndefId::NONE);
    }
    end
}

/// Whether a condition's result is not zero, as a decision of the path.
fn holds(vm: &mut Program<'_>, kind: DecisionKind, site: OpIdx, call: &Call, results: &[Slot]) -> Result<bool, Stop> {
    let Some(&result) = results.first() else { return Ok(true) };
    if result.tag.undef() != UndefId::NONE {
        return vm.bug(BugKind::Uninitialised, format!("the result of `{}` depends on it", call.name));
    }
    is_not_zero(vm, kind, site, result, call.result_bits)
}

fn is_not_zero(vm: &mut Program<'_>, kind: DecisionKind, site: OpIdx, slot: Slot, width: u32) -> Result<bool, Stop> {
    let holds = int::trunc(width, slot.val) != 0;
    if slot.tag.expr().is_some() {
        let machine = &mut vm.machine;
        let (expr, zero) = (machine.operand(width, slot), machine.pool.mk_const(width, 0));
        let nonzero = machine.pool.mk_ne(expr, zero);
        machine.decide_condition(site, kind, nonzero, holds);
    }
    Ok(holds)
}

/// Whether a result says so that its function has failed, as a decision of the path.
fn says_failure(vm: &mut Program<'_>, site: OpIdx, result: Slot, failure: Failure) -> Result<bool, Stop> {
    let width = match failure {
        Failure::Zero(width) => return Ok(!is_not_zero(vm, DecisionKind::Branch, site, result, width)?),
        Failure::Negative(width) => width,
    };
    let is_negative = result.val >> (width - 1) & 1 == 1;
    if result.tag.expr().is_some() {
        let machine = &mut vm.machine;
        let (expr, zero) = (machine.operand(width, result), machine.pool.mk_const(width, 0));
        let below = machine.pool.mk_slt(expr, zero);
        machine.decide_condition(site, DecisionKind::Branch, below, is_negative);
    }
    Ok(is_negative)
}

/// Whether nothing was written to a room that was not initialised.
fn is_unset(vm: &Program<'_>, room: u64) -> bool {
    let object = vm.memory.object(object_of(room));
    object.size() > 0 && object.undefined().filter(|&(_, undefined)| undefined == 0xff).count() as u64 == object.size()
}

/// From here on, pointers may lead to objects of the input, and to functions.
pub(crate) fn reserve_places(vm: &mut Program<'_>, heap: &mut Heap, options: &Options) {
    for function in heap.layouts().functions() {
        heap.add_function(function, vm.function_address(function), &vm.image().functions[function.index()].name);
    }
    let first = vm.memory.reserve_numbers(MAX_OBJECTS);
    if !heap.has_places() {
        heap.start_at(first, &options.places);
    }
}

/// Makes all objects that pointers of the input lead to and that the run does not have yet.
pub(crate) fn make_reachable(vm: &mut Program<'_>) -> Result<(), Fault> {
    let mut number = 0;
    while let Some(&made) = vm.machine.inputs.made().get(number) {
        number += 1;
        if made.role != MadeRole::Object {
            continue;
        }
        let offsets: Vec<u32> = vm.machine.inputs.heap.pointers(made.node).iter().map(|&(offset, _)| offset).collect();
        for offset in offsets {
            let inputs = &vm.machine.inputs;
            let target = inputs.word(made.first + offset);
            if let Some((target, _)) = inputs.heap.node_at(target)
                && inputs.of_node(target).is_none()
            {
                let counted_by = inputs.counter(made, offset);
                make(vm, target, counted_by)?;
            }
        }
    }
    Ok(())
}

/// Makes an object of the graph, with its bytes in memory. How many elements it has is left open if a number says it.
pub(crate) fn make(vm: &mut Program<'_>, node: NodeId, counted_by: Option<CountBytes>) -> Result<Made, Fault> {
    let machine = &mut vm.machine;
    let made = machine.inputs.make_node(&machine.input, node, counted_by);
    put(vm, made)?;
    Ok(made)
}

/// Makes all objects that pointers lead from or to as they were given.
pub(crate) fn make_again(vm: &mut Program<'_>) -> Result<(), Fault> {
    for number in 0..vm.machine.inputs.made().len() {
        let made = vm.machine.inputs.made()[number];
        let is_asked = vm.machine.inputs.heap.node(made.node).kind == Kind::Asked;
        if made.role == MadeRole::Object && !is_asked {
            put(vm, made)?;
        }
    }
    Ok(())
}

fn put(vm: &mut Program<'_>, made: Made) -> Result<(), Fault> {
    let (node, heap) = (made.node, &vm.machine.inputs.heap);
    let (object, info) = (heap.object_id(node), heap.node(node));
    let (addr, max) = (info.addr, info.count);
    let is_in_memory = info.kind != Kind::Result;
    if info.kind == Kind::Pointed {
        let align = u64::from(heap.layouts().get(info.layout).align.max(16));
        let size = u64::from(made.len + info.n_after);
        vm.memory.alloc_reserved(object, ObjectKind::Heap, size, align)?;
        vm.memory.fill(addr + u64::from(made.len), 0, u64::from(info.n_after))?;
    }
    if vm.machine.is_probing && is_in_memory {
        vm.memory.write(addr, vm.machine.inputs.bytes(made))?;
    } else if is_in_memory {
        vm.memory.write_carrying(addr, vm.machine.inputs.bytes(made), |i| (made.carried(i as u32), 0))?;
    }
    let info = vm.machine.inputs.heap.node(node);
    let layout = vm.machine.inputs.heap.layouts().get(info.layout);
    if info.kind == Kind::Pointed && !layout.types.is_empty() {
        let tags = type_tags(layout, made.len);
        vm.memory.set_types(object_of(addr), &tags);
    }
    // Only an input that someone else has written can say more than there may be.
    if made.counted_by.is_some_and(|count| vm.machine.inputs.count(count) <= u64::from(max)) {
        vm.memory.unsettle(object);
    }
    Ok(())
}

/// What the bytes of objects of a type were stored as by whoever made them.
fn type_tags(layout: &Layout, n_bytes: u32) -> Vec<TypeTag> {
    let mut tags = vec![TypeTag::NONE; n_bytes as usize];
    for element in tags.chunks_mut(layout.size.max(1) as usize) {
        for typed in &layout.types {
            let bytes = element.iter_mut().skip(typed.offset as usize).take(typed.n_bytes as usize);
            bytes.enumerate().for_each(|(at, tag)| *tag = TypeTag::of(typed.number, at));
        }
    }
    tags
}
