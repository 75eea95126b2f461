//! One round of a loop, followed on all of its ways without executing it: what it reads and writes, for which bytes it comes back to the
//! head, and how registers have moved then.

use super::candidates::Candidate;
use super::value::{Moving, Table, Test, Value};
use crate::byte_set::ByteSet;
use crate::machine::ConcolicMachine;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spelunk_bv::{BinOp, int};
use spelunk_ir::code::{Addressing, Form, Meaning, Op, OpCode, OpIdx, Reg, SwitchKind, Target};
use spelunk_vm::memory::{ObjectId, object_of};
use spelunk_vm::{Mark, Slot, UndefId, Vm};
use std::ops::ControlFlow;
use std::rc::Rc;

type Program<'p> = Vm<'p, ConcolicMachine>;

/// So many operations are followed, on all ways together, and so many ways.
const MAX_OPS: u32 = 1024;
const MAX_WAYS: usize = 64;

/// Functions that a round calls are followed so deep.
const MAX_CALLS: usize = 3;

/// What all rounds do that come back to the head.
#[derive(Debug)]
pub(super) struct Round {
    /// Where each reads a byte.
    pub stream: Option<Moving>,
    /// The bytes for which one comes back.
    pub bytes: ByteSet,
    /// What holds then.
    pub tests: Vec<Test>,
    pub store: Option<(Moving, Stored)>,
    /// Registers that matter, by their places in the frame: by how much each moves.
    pub steps: Vec<(usize, i64)>,
    /// Registers that have these values after any round.
    pub assigned: Vec<(usize, Slot)>,
    /// What must not leave the numbers from 0 to half of what so many bits can say.
    pub narrow: Vec<(Moving, u32)>,
    /// Objects that are taken to stay as they are.
    pub read: Vec<ObjectId>,
    pub ways: Vec<Way>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stored {
    /// The byte that was read.
    Byte,
    Fixed(Slot),
}

/// One way back to the head.
#[derive(Debug)]
pub(super) struct Way {
    pub bytes: ByteSet,
    pub marks: Vec<(OpIdx, Mark)>,
    /// Conditions that are observed.
    pub observed: Vec<(OpIdx, Rc<Table>)>,
}

#[derive(Clone)]
struct State {
    pc: OpIdx,
    /// The first slot of the function that is followed, counted from that of the loop.
    base: usize,
    callers: SmallVec<[(OpIdx, usize, usize); MAX_CALLS]>,
    values: FxHashMap<usize, Value>,
    bytes: ByteSet,
    tests: Vec<Test>,
    stream: Option<Moving>,
    store: Option<(Moving, Value)>,
    marks: Vec<(OpIdx, Mark)>,
    observed: Vec<(OpIdx, Rc<Table>)>,
}

pub(super) struct Follower<'v, 'p> {
    vm: &'v Program<'p>,
    candidate: &'v Candidate,
    /// Where the frame of the loop is.
    first_slot: usize,
    n_ops_left: u32,
    waiting: Vec<State>,
    ends: Vec<State>,
    narrow: Vec<(Moving, u32)>,
    read: Vec<ObjectId>,
    /// Registers whose values before the round matter to it.
    used: Vec<usize>,
}

/// Where a way goes on, unless it ends.
type Next = ControlFlow<(), State>;

/// What is added to registers, and what others are set to.
type Moves = (Vec<(usize, i64)>, Vec<(usize, Slot)>);

impl<'v, 'p> Follower<'v, 'p> {
    /// Nothing if rounds can't be told apart by what they read.
    pub fn follow(vm: &'v Program<'p>, candidate: &'v Candidate) -> Option<Round> {
        let start = State {
            pc: candidate.head,
            base: 0,
            callers: SmallVec::new(),
            values: FxHashMap::default(),
            bytes: ByteSet::ALL,
            tests: Vec::new(),
            stream: None,
            store: None,
            marks: Vec::new(),
            observed: Vec::new(),
        };
        let mut follower = Self {
            vm,
            candidate,
            first_slot: vm.first_slot(),
            n_ops_left: MAX_OPS,
            waiting: vec![start],
            ends: Vec::new(),
            narrow: Vec::new(),
            read: Vec::new(),
            used: Vec::new(),
        };
        let mut n_ways = 0;
        while let Some(mut state) = follower.waiting.pop() {
            n_ways += 1;
            if n_ways > MAX_WAYS {
                return None;
            }
            while let Next::Continue(next) = follower.step(state)? {
                state = next;
            }
        }
        follower.round()
    }

    fn round(mut self) -> Option<Round> {
        let ends = std::mem::take(&mut self.ends);
        let first = ends.first()?;
        let stored = |state: &State| match &state.store {
            None => Some(None),
            Some((at, value)) => Some(Some((*at, stored(value, &state.bytes)?))),
        };
        let (stream, tests, store) = (first.stream, first.tests.clone(), stored(first)?);
        let (steps, assigned) = self.moves(first)?;
        for other in &ends[1..] {
            let is_same = other.stream == stream && other.tests == tests && stored(other)? == store;
            if !is_same || self.moves(other)? != (steps.clone(), assigned.clone()) {
                return None;
            }
        }
        let bytes = ends.iter().fold(ByteSet::default(), |all, state| all.or(&state.bytes));
        let ways = ends.into_iter();
        let ways = ways.map(|state| Way { bytes: state.bytes, marks: state.marks, observed: state.observed }).collect();
        Some(Round { stream, bytes, tests, store, steps, assigned, narrow: self.narrow, read: self.read, ways })
    }

    /// How registers have changed that matter at the head.
    fn moves(&self, end: &State) -> Option<Moves> {
        let (mut steps, mut assigned) = (Vec::new(), Vec::new());
        for &slot in &self.candidate.varying {
            match end.values.get(&slot) {
                None => steps.push((slot, 0)),
                Some(&Value::Moving(Moving { slot: from, add, base: None })) if from == slot => steps.push((slot, add)),
                Some(&Value::Fixed(value)) if !self.used.contains(&slot) => assigned.push((slot, value)),
                _ => return None,
            }
        }
        Some((steps, assigned))
    }

    fn step(&mut self, mut state: State) -> Option<Next> {
        if state.callers.is_empty() && (state.pc == self.candidate.head && self.n_ops_left < MAX_OPS) {
            self.ends.push(state);
            return Some(Next::Break(()));
        }
        if state.callers.is_empty() && !self.candidate.ops.iter().any(|ops| ops.contains(&state.pc)) {
            return Some(Next::Break(()));
        }
        self.n_ops_left = self.n_ops_left.checked_sub(1)?;
        let image = self.vm.image();
        let (pc, op) = (state.pc, image.op(state.pc));
        state.pc = pc.next();
        match op.meaning() {
            Meaning::Binary { op: what, width, form } => {
                let result = self.binary(&mut state, op, what, width, form, false);
                self.set(&mut state, op.dst, result);
            }
            Meaning::Checked { op: what, width, form } => {
                let result = self.binary(&mut state, op, what, width, form, image.overflow_is_error);
                self.set(&mut state, op.dst, result);
            }
            Meaning::Compare { op: what, width, form } => {
                let (a, b) = self.operands(&mut state, op, width, form);
                self.set(&mut state, op.dst, a.compare(what, width, &b));
            }
            Meaning::Branch { op: what, width, form } => {
                let (a, b) = self.operands(&mut state, op, width, form);
                return self.branch(state, pc, OpIdx(op.dst), &a.compare(what, width, &b));
            }
            Meaning::Load { bytes, addressing } => {
                let addr = self.address(&mut state, op, addressing);
                let value = self.load(&mut state, bytes, &addr)?;
                self.set(&mut state, op.dst, value);
            }
            Meaning::Store { bytes, addressing } => {
                let Value::Moving(addr) = self.address(&mut state, op, addressing) else { return None };
                let value = self.get(&mut state, op.dst);
                if bytes != 1 || state.store.is_some() {
                    return None;
                }
                state.store = Some((addr, value));
            }
            Meaning::Float { .. } => return None,
            Meaning::Other => return self.other(state, pc, op),
        }
        Some(Next::Continue(state))
    }

    fn other(&mut self, mut state: State, pc: OpIdx, op: &Op) -> Option<Next> {
        match op.code {
            OpCode::Mov => {
                let value = self.get(&mut state, op.a);
                self.set(&mut state, op.dst, value);
            }
            OpCode::Const => self.set(&mut state, op.dst, Value::plain(op.wide_immediate())),
            OpCode::SExt => {
                let (from, to) = (u32::from(op.aux), op.b);
                let value = match self.get(&mut state, op.a) {
                    Value::Moving(moving) => self.narrowed(moving, from),
                    other => other.map(|value| Some(int::sext_to(from, to, value))),
                };
                self.set(&mut state, op.dst, value);
            }
            OpCode::Trunc => {
                let value = match self.get(&mut state, op.a) {
                    Value::Moving(moving) => self.narrowed(moving, op.b),
                    other => other.map(|value| Some(int::trunc(op.b, value))),
                };
                self.set(&mut state, op.dst, value);
            }
            OpCode::Gep | OpCode::GepI32 => {
                let how = if op.code == OpCode::Gep { Addressing::Index64 } else { Addressing::Index32 };
                let value = self.address(&mut state, op, how);
                self.set(&mut state, op.dst, value);
            }
            OpCode::Observe => self.observe(&mut state, pc, op),
            OpCode::Jump => state.pc = OpIdx(op.dst),
            OpCode::BrIf | OpCode::BrIfNot => {
                let cond = self.get(&mut state, op.a);
                let cond = match cond {
                    Value::Test(test) if op.code == OpCode::BrIfNot => Value::Test(test.negated()),
                    Value::Test(_) => cond,
                    other => {
                        let flip = u64::from(op.code == OpCode::BrIfNot);
                        other.map(|value| Some(value & 1 ^ flip))
                    }
                };
                return self.branch(state, pc, OpIdx(op.dst), &cond);
            }
            OpCode::Switch => return self.switch(state, op),
            OpCode::Call => {
                let callee = &self.vm.image().functions[op.a as usize];
                if callee.target != Target::Code || callee.is_volatile || state.callers.len() == MAX_CALLS {
                    return None;
                }
                let caller = self.vm.image().function_at(pc)?;
                state.callers.push((state.pc, state.base + Reg(op.dst).slot(), state.base));
                state.base += caller.n_slots as usize;
                let (base, n_params) = (state.base, callee.param_slots as usize);
                state.values.retain(|&slot, _| slot < base + n_params);
                state.pc = callee.entry;
                state.marks.push((state.pc, Mark::Reached));
            }
            OpCode::Ret => {
                let Some((back, dst, base)) = state.callers.pop() else { return Some(Next::Break(())) };
                if op.aux > 1 {
                    return None;
                }
                let result = self.get(&mut state, op.a);
                if op.aux == 1 {
                    state.values.insert(dst, result);
                }
                (state.base, state.pc) = (base, back);
                state.marks.push((back, Mark::Reached));
            }
            _ => return None,
        }
        Some(Next::Continue(state))
    }

    fn get(&mut self, state: &mut State, reg: u32) -> Value {
        let slot = state.base + Reg(reg).slot();
        if let Some(value) = state.values.get(&slot) {
            return value.clone();
        }
        if state.base > 0 || slot >= self.candidate.n_slots {
            return Value::Unknown;
        }
        let value = self.vm.slot_at(self.first_slot + slot);
        if value.tag.undef() != UndefId::NONE {
            return Value::Unknown;
        }
        if !self.candidate.assigned.contains(&slot) {
            return Value::Fixed(value);
        }
        if !self.used.contains(&slot) {
            self.used.push(slot);
        }
        // What no round reads before it is written is of no round before.
        match self.candidate.varying.contains(&slot) {
            true => Value::Moving(Moving { slot, add: 0, base: None }),
            false => Value::Unknown,
        }
    }

    fn set(&self, state: &mut State, reg: u32, value: Value) {
        state.values.insert(state.base + Reg(reg).slot(), value);
    }

    fn operands(&mut self, state: &mut State, op: &Op, width: u32, form: Form) -> (Value, Value) {
        let a = self.get(state, op.a);
        let b = match form {
            Form::Register => self.get(state, op.b),
            Form::Immediate => Value::plain(op.immediate(width)),
        };
        (a, b)
    }

    fn binary(&mut self, state: &mut State, op: &Op, what: BinOp, width: u32, form: Form, checked: bool) -> Value {
        let (a, b) = self.operands(state, op, width, form);
        let is_error = |a: u64, b: u64| match what {
            BinOp::UDiv | BinOp::URem => b == 0,
            BinOp::SDiv | BinOp::SRem => b == 0 || b == int::mask(width) && a == int::sign_bit(width),
            BinOp::Shl | BinOp::LShr | BinOp::AShr => b >= u64::from(width),
            BinOp::Add => checked && int::sadd_overflow(width, a, b),
            BinOp::Sub => checked && int::ssub_overflow(width, a, b),
            BinOp::Mul => checked && int::smul_overflow(width, a, b),
            BinOp::And | BinOp::Or | BinOp::Xor => false,
        };
        match a.binary(what, width, &b, is_error) {
            Value::Moving(moving) if width < 64 || checked => self.narrowed(moving, width),
            value => value,
        }
    }

    /// A value that is right as long as it stays among small numbers.
    fn narrowed(&mut self, moving: Moving, width: u32) -> Value {
        if !self.narrow.contains(&(moving, width)) {
            self.narrow.push((moving, width));
        }
        Value::Moving(moving)
    }

    fn address(&mut self, state: &mut State, op: &Op, addressing: Addressing) -> Value {
        let base = self.get(state, op.a);
        match addressing {
            Addressing::Offset => base.offset(&Value::plain(op.b as i32 as i64 as u64), 1),
            Addressing::Index64 => {
                let index = self.get(state, op.b);
                base.offset(&index, u64::from(op.aux))
            }
            Addressing::Index32 => {
                let index = match self.get(state, op.b) {
                    Value::Moving(moving) => self.narrowed(moving, 32),
                    other => other.map(|value| Some(value as i32 as i64 as u64)),
                };
                base.offset(&index, u64::from(op.aux))
            }
        }
    }

    fn load(&mut self, state: &mut State, bytes: u32, addr: &Value) -> Option<Value> {
        match addr {
            Value::Moving(at) => {
                if bytes != 1 {
                    return None;
                }
                match &state.store {
                    Some((stored_at, value)) if stored_at == at => {
                        return Some(value.map(|value| Some(value & 0xff)));
                    }
                    // What was written may be what is read.
                    Some(_) => return None,
                    None => {}
                }
                if state.stream.is_some_and(|stream| stream != *at) {
                    return None;
                }
                state.stream = Some(*at);
                Some(Value::of_byte(|byte| Some(u64::from(byte))))
            }
            Value::Fixed(slot) if slot.tag.is_plain() => {
                self.note_read(slot.val);
                Some(self.load_plain(bytes, slot.val).map_or(Value::Unknown, Value::plain))
            }
            Value::OfByte(table) => {
                table.iter().flatten().for_each(|&addr| self.note_read(addr));
                Some(Value::of_byte(|byte| self.load_plain(bytes, table[usize::from(byte)]?)))
            }
            _ => None,
        }
    }

    fn note_read(&mut self, addr: u64) {
        let object = object_of(addr);
        if !self.read.contains(&object) {
            self.read.push(object);
        }
    }

    fn load_plain(&self, bytes: u32, addr: u64) -> Option<u64> {
        let memory = &self.vm.memory;
        match bytes {
            1 => memory.load::<1>(addr),
            2 => memory.load::<2>(addr),
            4 => memory.load::<4>(addr),
            _ => memory.load::<8>(addr),
        }
    }

    fn observe(&mut self, state: &mut State, pc: OpIdx, op: &Op) {
        let cond = self.get(state, op.a).table();
        let guard = match op.aux {
            0 => Some(Rc::new([Some(1); 256])),
            _ => {
                let wanted = u64::from(op.aux == 1);
                self.get(state, op.b).map(|guard| Some(u64::from(guard & 1 == wanted))).table()
            }
        };
        if let (Some(cond), Some(guard)) = (cond, guard) {
            let is_told = |byte: usize| guard[byte] == Some(1);
            let told: Table = std::array::from_fn(|byte| cond[byte].filter(|_| is_told(byte)).map(|cond| cond & 1));
            state.observed.push((pc, Rc::new(told)));
        }
    }

    fn branch(&mut self, state: State, pc: OpIdx, target: OpIdx, cond: &Value) -> Option<Next> {
        let ways = [(true, Mark::Jumped, target), (false, Mark::FellThrough, pc.next())];
        let mut next = None;
        for (holds, mark, to) in ways {
            let mut way = state.clone();
            match cond {
                Value::Test(test) => way.tests.push(if holds { *test } else { test.negated() }),
                _ => way.bytes = way.bytes.and(&where_it_is(cond, u64::from(holds))?),
            }
            if way.bytes.is_empty() {
                continue;
            }
            way.marks.push((pc, mark));
            way.pc = to;
            self.waiting.extend(next.replace(way));
        }
        Some(next.map_or(Next::Break(()), Next::Continue))
    }

    fn switch(&mut self, mut state: State, op: &Op) -> Option<Next> {
        let value = self.get(&mut state, op.a).table()?;
        let table = &self.vm.image().switches[op.b as usize];
        let target = |value: u64| match &table.kind {
            SwitchKind::Dense { low, targets } => {
                Some(targets.get(value.wrapping_sub(*low) as usize).copied().unwrap_or(table.default))
            }
            SwitchKind::Sparse(cases) => {
                Some(cases.binary_search_by_key(&value, |case| case.0).map_or(table.default, |at| cases[at].1))
            }
            SwitchKind::Wide(_) => None,
        };
        let mut ways: Vec<(OpIdx, ByteSet)> = Vec::new();
        for byte in (0..=u8::MAX).filter(|&byte| state.bytes.contains(byte)) {
            let Some(to) = value[usize::from(byte)].and_then(target) else { continue };
            match ways.iter_mut().find(|way| way.0 == to) {
                Some((_, bytes)) => *bytes = bytes.with(byte),
                None => ways.push((to, ByteSet::default().with(byte))),
            }
        }
        for (to, bytes) in ways {
            let mut way = State { pc: to, bytes, ..state.clone() };
            way.marks.push((to, Mark::Reached));
            self.waiting.push(way);
        }
        Some(Next::Break(()))
    }
}

/// The bytes for which a bit is what it is asked for.
fn where_it_is(cond: &Value, wanted: u64) -> Option<ByteSet> {
    let table = cond.table()?;
    let is_it = |byte: &u8| table[usize::from(*byte)].is_some_and(|cond| cond & 1 == wanted);
    Some((0..=u8::MAX).filter(is_it).fold(ByteSet::default(), ByteSet::with))
}

/// What is stored for all of these bytes.
fn stored(value: &Value, bytes: &ByteSet) -> Option<Stored> {
    if let Value::Fixed(slot) = value {
        return Some(Stored::Fixed(*slot));
    }
    let table = value.table()?;
    let mut members = (0..=u8::MAX).filter(|&byte| bytes.contains(byte));
    let of = |byte: u8| Some(table[usize::from(byte)]? as u8);
    if members.clone().all(|byte| of(byte) == Some(byte)) {
        return Some(Stored::Byte);
    }
    let first = of(members.next()?)?;
    members.all(|byte| of(byte) == Some(first)).then(|| Stored::Fixed(Slot::plain(u64::from(first))))
}
