//! What the VM tells and asks: results of operations, branches and switches.

use super::checks::{has_checks, is_bad_wide, is_bad_word};
use super::saved::SavedMachine;
use super::{ConcolicMachine, aside, copies, snapshots, summaries};
use crate::decision::DecisionKind;
use crate::harness::{stubs, undefined};
use crate::ledger::LedgerKind;
use crate::operations;
use crate::switches::Table;
use crate::theories::{self, Size, SizeQuestion};
use spelunk_bv::float::FloatKind;
use spelunk_bv::{BinOp, CastOp, CmpOp, FBinOp, FCmpOp, int};
use spelunk_ir::code::{CallSite, Op, OpIdx, Overlap};
use spelunk_ir::lower::Uninitialised;
use spelunk_libc::World;
use spelunk_vm::memory::{Fault, Memory, ObjectId, Word};
use spelunk_vm::{
    Access, Answer, Attention, BugKind, Bulk, Call, Callee, Carried, Defined, Judged, Located, Machine, Mark, ModelId,
    Muted, Operand, Operation, Outside, Overflow, Passes, Slot, Stop, Vm,
};

impl Machine for ConcolicMachine {
    type Env = World;

    const MARKS: bool = true;

    /// Only where a theory asks for them.
    const NOTES: bool = true;

    fn env(&mut self) -> &mut World {
        &mut self.world
    }

    #[inline(always)]
    fn mark(&mut self, op_idx: OpIdx, mark: Mark) {
        self.marks.mark(op_idx, mark);
    }

    #[inline]
    fn passes_note(&mut self, memory: &Memory, at: (OpIdx, &Op), base: usize, regs: &[Slot]) -> Passes {
        match &mut self.watch {
            Some(_) if self.round.is_none() && !self.muted.is_empty() => Passes::Yes,
            Some(watch) if self.round.is_none() => watch.passes(memory, at, (base, regs), self.path.decisions.len()),
            _ => Passes::No,
        }
    }

    #[inline]
    fn attention(&self) -> Attention {
        match &self.watch {
            Some(watch) if self.round.is_none() => watch.attention(self.path.decisions.len()),
            _ => Attention::Full,
        }
    }

    fn note(vm: &mut Vm<'_, Self>, op_idx: OpIdx) -> Result<(), Stop> {
        if vm.machine.is_muted() {
            return Ok(());
        }
        aside::at_note(vm, op_idx)?;
        theories::tell_note(vm, op_idx)
    }

    fn step_aside(&mut self) -> Option<SavedMachine> {
        self.leave_path()
    }

    fn step_back(&mut self, saved: &SavedMachine) {
        self.come_back(saved);
    }

    fn binary(&mut self, op: BinOp, width: u32, a: Slot, b: Slot) -> Carried {
        if self.follows(&[a, b]) { self.carry_binary(op, width, a, b) } else { Carried::NONE }
    }

    fn offset(&mut self, pointer: Slot, by: Slot) -> Carried {
        if self.follows(&[pointer, by]) { self.carry_offset(pointer, by) } else { Carried::NONE }
    }

    fn compare(&mut self, op: CmpOp, width: u32, a: Slot, b: Slot) -> Carried {
        if self.follows(&[a, b]) { self.carry_compare(op, width, a, b) } else { Carried::NONE }
    }

    fn cast(&mut self, op: CastOp, from: u32, to: u32, a: Slot) -> Carried {
        if self.follows(&[a]) { self.carry_cast(op, from, to, a) } else { Carried::NONE }
    }

    fn float_binary(&mut self, op: FBinOp, kind: FloatKind, a: Slot, b: Slot) -> Carried {
        if self.follows(&[a, b]) { self.carry_float_binary(op, kind, a, b) } else { Carried::NONE }
    }

    fn float_compare(&mut self, op: FCmpOp, kind: FloatKind, a: Slot, b: Slot) -> Carried {
        if self.follows(&[a, b]) { self.carry_float_compare(op, kind, a, b) } else { Carried::NONE }
    }

    fn select(&mut self, cond: Slot, then: Slot, other: Slot) -> Carried {
        if self.follows(&[cond, then, other]) { self.carry_select(cond, then, other) } else { Carried::NONE }
    }

    fn apply(&mut self, op: Operation, operands: &[Operand<'_>]) -> Carried {
        if self.is_muted() {
            self.pin_operands(operands);
            return Carried::NONE;
        }
        let result = operations::mk_operation(&mut self.pool, &self.provenance, op, operands);
        self.carry_limbs(result, || op.eval(operands))
    }

    fn join(&mut self, word: &Word, n: u32) -> Carried {
        if self.is_silent() {
            return Carried::NONE;
        }
        if let Some(pointer) = self.stored_pointer(word, n).filter(|_| !self.is_muted()) {
            return pointer;
        }
        let result = self.joined(word, n);
        if self.is_muted() {
            self.pin_text(result, int::trunc(8 * n, word.val));
            return Carried::NONE;
        }
        self.carry(result, int::trunc(8 * n, word.val))
    }

    fn branch(&mut self, site: OpIdx, cond: Slot) -> Result<bool, Stop> {
        let holds = cond.val & 1 != 0;
        if !self.follows(&[cond]) {
            return Ok(holds);
        }
        let expr = self.operand(1, cond);
        let holds = self.way(expr, holds);
        self.decide_condition(site, DecisionKind::Branch, expr, holds);
        self.keep_going()?;
        Ok(holds)
    }

    fn observe(&mut self, site: OpIdx, cond: Slot, guard: Option<Slot>) {
        if !self.is_muted() {
            let expr = self.operand(1, cond);
            self.tell_observed(site, expr);
            self.aim_at_other(site, cond, guard);
        }
    }

    fn switch(&mut self, site: OpIdx, table: u32, value: Slot, target: OpIdx) -> Result<OpIdx, Stop> {
        if !self.follows(&[value]) {
            return Ok(target);
        }
        let target = self.decide_switch(site, Table::Switch(table), value, target);
        self.keep_going()?;
        Ok(target)
    }

    fn goto(&mut self, site: OpIdx, table: u32, addr: Slot, target: Option<OpIdx>) {
        if self.follows(&[addr]) {
            self.decide_switch(site, Table::Labels(table), addr, target.unwrap_or(OpIdx::NOWHERE));
        }
    }

    fn call_target(&mut self, memory: &Memory, access: Access) {
        if self.follows(&[access.addr]) {
            self.decide_function(memory, access);
        }
    }

    fn check_binary(&mut self, site: OpIdx, op: BinOp, width: u32, a: Slot, b: Slot, overflow: Overflow) -> Judged {
        if overflow == Overflow::IsNoticed && self.notes_overflow() {
            let exprs = [self.operand(width, a), self.operand(width, b)];
            self.note_overflow(site, op, exprs);
        }
        if has_checks(op, overflow) && self.follows(&[a, b]) {
            let exprs = [self.operand(width, a), self.operand(width, b)];
            if self.is_forcing() {
                return self.pass(|machine| machine.check_operation(site, op, exprs, overflow, |_| false));
            }
            self.check_operation(site, op, exprs, overflow, |kind| is_bad_word(kind, op, width, a.val, b.val));
        }
        Judged::ByOperands
    }

    fn check_wide(&mut self, site: OpIdx, op: BinOp, operands: [Operand<'_>; 2], overflow: Overflow) {
        if overflow == Overflow::IsNoticed && self.notes_overflow() {
            let exprs = operands.map(|operand| operations::mk_operand(&mut self.pool, &self.provenance, &operand));
            self.note_overflow(site, op, exprs);
        }
        if has_checks(op, overflow) && !self.is_muted() {
            let exprs = operands.map(|operand| operations::mk_operand(&mut self.pool, &self.provenance, &operand));
            self.check_operation(site, op, exprs, overflow, |kind| is_bad_wide(kind, op, &operands[0], &operands[1]));
        }
    }

    fn overflowed(&mut self, site: OpIdx) {
        self.has_overflowed(site);
    }

    fn is_past_overflow(&mut self) -> bool {
        !self.overflows_before().sites.is_empty()
    }

    fn defines(&self) -> bool {
        self.uninitialised == Uninitialised::IsAny
    }

    fn define(vm: &mut Vm<'_, Self>, addr: u64, n: u32, undef: u64) -> Result<bool, Stop> {
        undefined::define(vm, addr, n, undef)
    }

    fn define_object(vm: &mut Vm<'_, Self>, addr: u64) -> Result<(), Stop> {
        undefined::define_object(vm, addr)
    }

    fn models(&self, callee: &Callee<'_>) -> Vec<ModelId> {
        let mut models = theories::models(&self.theories, callee);
        models.extend(self.summaries.serve(callee).then_some(summaries::MODEL));
        models
    }

    fn call_model(vm: &mut Vm<'_, Self>, model: ModelId, call: &Call<'_>) -> Result<Answer, Stop> {
        // Where nothing is followed, functions do what they do.
        match model {
            _ if vm.machine.is_muted() => Ok(Answer::Decline),
            summaries::MODEL => summaries::call(vm, call),
            // A path that is forced goes through code, at whose branches it can be.
            _ if vm.machine.is_forcing() && matches!(call.callee.defined, Defined::InRust(_)) => Ok(Answer::Decline),
            _ => theories::call_model(vm, model, call),
        }
    }

    fn call_undefined(vm: &mut Vm<'_, Self>, external: u32, site: &CallSite, args: &[Slot]) -> Result<Vec<Slot>, Stop> {
        stubs::call(vm, external, site, args)
    }

    fn concretise(&mut self, memory: &mut Memory, site: OpIdx, value: Slot) -> Result<u64, Stop> {
        if !self.follows(&[value]) {
            return Ok(value.val);
        }
        if !self.is_handed_over(memory, site, value) {
            let expr = self.operand(self.width_of(value), value);
            self.pin(site, expr, value.val, LedgerKind::ConcreteValue);
        }
        if self.path.is_halted { Err(Stop::Infeasible) } else { Ok(value.val) }
    }

    fn access(&mut self, memory: &Memory, access: Access) -> Located {
        if self.follows(&[access.addr]) { self.locate(memory, access) } else { Located::AsIs }
    }

    fn read(&mut self, memory: &Memory, access: Access) -> Result<Carried, Stop> {
        if self.is_muted() {
            return Ok(Carried::NONE);
        }
        let known = self.tell_read(memory, access);
        Ok(known.or_else(|| self.read_symbolic(memory, access)).expect("someone reads"))
    }

    fn before_write(&mut self, memory: &Memory, access: Access, word: &Word) {
        if !self.is_muted() {
            self.tell_write(access, Some(word));
            self.plan_write(memory, access, word);
        }
    }

    fn write(&mut self, memory: &mut Memory, access: Access, word: &Word) -> Result<(), Fault> {
        if self.is_muted() {
            return memory.store_word(access.addr.val, access.len as u32, word);
        }
        self.write_symbolic(memory, access, word)
    }

    fn copy(vm: &mut Vm<'_, Self>, dst: Slot, src: Slot, len: Slot, overlap: Overlap) -> Result<Bulk, Stop> {
        copies::copy(vm, dst, src, len, overlap)
    }

    fn fill(vm: &mut Vm<'_, Self>, dst: Slot, value: Slot, len: Slot) -> Result<Bulk, Stop> {
        copies::fill(vm, dst, value, len)
    }

    fn settle_undef(&mut self, site: Option<OpIdx>, word: &mut Word, n: u32) {
        copies::settle_undef(self, site, word, n);
    }

    fn check_length(&mut self, site: OpIdx, len: Slot, most: u64, kind: BugKind) {
        if self.follows(&[len]) {
            let (len_expr, most_expr) = (self.operand(64, len), self.pool.mk_const(64, most));
            let above = self.pool.mk_ult(most_expr, len_expr);
            self.check(site, kind, above, len.val > most);
        }
    }

    fn reserve(&mut self, site: OpIdx, count: Slot, unit: u64) -> Option<u64> {
        if !self.follows(&[count]) {
            return None;
        }
        match self.ask_size(SizeQuestion::Reserve { site, count, unit }) {
            Some(Size::Bytes(n_bytes)) => Some(n_bytes),
            _ => None,
        }
    }

    fn bind_size(&mut self, object: ObjectId, count: Slot, unit: u64) {
        self.ask_size(SizeQuestion::Bind { object, count, unit });
    }

    fn check_size(&mut self, site: OpIdx, object: ObjectId, end: u64) -> bool {
        self.ask_size(SizeQuestion::Check { site, object, end }) == Some(Size::Is(true))
    }

    fn size_of(&mut self, object: ObjectId) -> u64 {
        match self.ask_size(SizeQuestion::Present { object }) {
            Some(Size::Bytes(n_bytes)) => n_bytes,
            _ => 0,
        }
    }

    fn needs_size(&mut self, object: ObjectId) -> bool {
        self.ask_size(SizeQuestion::IsNeeded { object }) == Some(Size::Is(true))
    }

    fn pin_size(&mut self, site: OpIdx, object: ObjectId) {
        self.ask_size(SizeQuestion::Pin { site, object });
    }

    fn committed(&mut self, steps: u64) {
        self.commit_operation(steps);
    }

    fn after_decision(vm: &mut Vm<'_, Self>) -> Result<(), Stop> {
        if vm.machine.is_forcing() || !vm.machine.path.has_unplaced() {
            return Ok(());
        }
        let stack = vm.trace_id();
        vm.machine.path.place(stack.0);
        snapshots::after_decision(vm);
        theories::tell_settled(vm)
    }

    fn slot_value(&mut self, expr: Carried) -> u64 {
        self.value(self.provenance.expr(expr))
    }

    fn byte_value(&mut self, expr: Carried, index: u8) -> u8 {
        self.value_of_byte(expr, index)
    }

    fn byte_values(&mut self, first: Carried, index: u8, values: &mut [u8]) {
        self.values_of_run(first, index, values);
    }

    fn depends(&mut self, site: OpIdx, on: Outside, what: &str) {
        let kind = match on {
            Outside::Command => LedgerKind::Command,
            answer => LedgerKind::Environment(answer),
        };
        if !self.is_silent() {
            self.note_once(kind, site, what);
        }
    }

    fn mute(&mut self, site: OpIdx, why: Muted) {
        self.muted.push((site, why));
    }

    fn unmute(&mut self) {
        self.muted.pop();
    }

    fn is_muted(&self) -> bool {
        self.is_muted()
    }

    fn unmute_all(&mut self) {
        self.muted.clear();
    }
}
