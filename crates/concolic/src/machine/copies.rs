//! Copies and fills whose place or length depends on the input: one check that they stay inside of their objects, and a layer
//! that says what is where afterwards.

use super::ConcolicMachine;
use super::lazy::{Content, Layer, LazyBytes, Source, lazy_byte};
use crate::graph::layout::LeafKind;
use crate::input_bytes::input_byte;
use crate::theories::{Address, Events, Size, SizeQuestion};
use spelunk_expr::{ExprId, ExprPool};
use spelunk_ir::code::{OpIdx, Overlap};
use spelunk_vm::memory::{Fault, Life, Memory, ObjectId, ObjectKind, Word};
use spelunk_vm::{Access, BugKind, Bulk, Carried, Machine, Slot, Stop, UndefId, Vm};

/// What is longer is done with the length of this run.
const MAX_WINDOW: u64 = 2 << 20;

type Program<'p> = Vm<'p, ConcolicMachine>;

/// A place in an object from which bytes are read or written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    pub object: ObjectId,
    pub offset: ExprId,
    /// In this run.
    pub at: u64,
    pub size: ExprId,
    pub size_now: u64,
    /// The places that it may be.
    pub first: u64,
    last: u64,
}

pub(super) fn copy(vm: &mut Program<'_>, dst: Slot, src: Slot, len: Slot, overlap: Overlap) -> Result<Bulk, Stop> {
    if vm.machine.is_muted() || [dst, src, len].iter().any(|slot| slot.tag.undef() != UndefId::NONE) {
        return Ok(Bulk::Left);
    }
    let site = vm.pc();
    let (Some(to), Some(from)) = (area(vm, dst)?, area(vm, src)?) else { return Ok(Bulk::Left) };
    let length = vm.machine.operand(64, len);
    let (Some(target), Some(source)) = (window(vm, &to, length), window(vm, &from, length)) else {
        return Ok(Bulk::Left);
    };
    let n_bytes = target.end - target.start;
    if !is_writable(vm, to.object) || !vm.machine.lazy.has_room(n_bytes) {
        return Ok(Bulk::Left);
    }
    for (area, verb) in [(&from, "read"), (&to, "write")] {
        check_fit(vm, site, area, length, len.val, verb)?;
    }
    if overlap == Overlap::Forbidden && from.object == to.object && overlaps(vm, site, &from, &to, length, len.val)? {
        return Ok(Bulk::Overlaps);
    }
    if has_pointers(vm, to.object, target.clone()) || has_pointers(vm, from.object, source.clone()) {
        return Ok(Bulk::Left);
    }
    let Vm { machine, memory, .. } = vm;
    let Some(content) = Content::of_memory(machine, memory, from.object, source.clone()) else { return Ok(Bulk::Left) };
    let start = machine.pool.mk_const(64, source.start);
    let offset = machine.pool.mk_sub(from.offset, start);
    let bytes = match len.val {
        0 => Vec::new(),
        n => memory.object(from.object).data()[from.at as usize..(from.at + n) as usize].to_vec(),
    };
    Ok(put(vm, &to, target, dst, length, Source::Bytes { content, offset }, &bytes))
}

pub(super) fn fill(vm: &mut Program<'_>, dst: Slot, value: Slot, len: Slot) -> Result<Bulk, Stop> {
    if vm.machine.is_muted() || [dst, value, len].iter().any(|slot| slot.tag.undef() != UndefId::NONE) {
        return Ok(Bulk::Left);
    }
    let site = vm.pc();
    let Some(to) = area(vm, dst)? else { return Ok(Bulk::Left) };
    let length = vm.machine.operand(64, len);
    let Some(target) = window(vm, &to, length) else { return Ok(Bulk::Left) };
    if !is_writable(vm, to.object) || !vm.machine.lazy.has_room(target.end - target.start) {
        return Ok(Bulk::Left);
    }
    check_fit(vm, site, &to, length, len.val, "write")?;
    if has_pointers(vm, to.object, target.clone()) {
        return Ok(Bulk::Left);
    }
    let byte = vm.machine.operand(8, value);
    let bytes = vec![value.val as u8; len.val as usize];
    Ok(put(vm, &to, target, dst, length, Source::Fill(byte), &bytes))
}

/// The area that an address is in; nothing if that is not known to be a good one.
pub(crate) fn area(vm: &mut Program<'_>, addr: Slot) -> Result<Option<Area>, Stop> {
    let mut addr = addr;
    let mut expr = vm.machine.operand(64, addr);
    let mut origin = None;
    if addr.tag.expr().is_some() {
        let access = Access { site: vm.pc(), addr, len: 1 };
        let mut address = Address { access, expr, base: vm.machine.base_of(addr), through: None };
        if vm.machine.resolve(&vm.memory, &mut address).is_some() {
            return Ok(None);
        }
        expr = address.expr;
        origin = vm.machine.origin(&vm.memory, &address);
        vm.machine.located = Some((addr.val, expr));
        ConcolicMachine::after_decision(vm)?;
        if vm.machine.pool.is_const(expr) {
            addr = Slot::plain(vm.word(addr, "an address")?);
            expr = vm.machine.operand(64, addr);
        }
    }
    let object = match addr.tag.expr().is_some() {
        true => origin,
        false => match vm.memory.resolve(addr.val, 0) {
            Ok((object, _)) | Err(Fault::Unsettled { object, .. }) => Some(object),
            Err(_) => None,
        },
    };
    let Some(id) = object else { return Ok(None) };
    if vm.memory.object(id).life() != Life::Live {
        return Ok(None);
    }
    let Some((size, size_now)) = size_of(vm, id) else { return Ok(None) };
    let base = vm.memory.object(id).base();
    let machine = &mut vm.machine;
    let base_expr = machine.pool.mk_const(64, base);
    let offset = machine.mk_difference(expr, base_expr);
    let (first, last) = machine.pool.facts(offset).map_or((0, u64::MAX), |facts| (facts.umin, facts.umax));
    Ok(Some(Area { object: id, offset, at: addr.val.wrapping_sub(base), size, size_now, first, last }))
}

/// How large an object is, and is in this run; nothing if it has to be settled first.
fn size_of(vm: &mut Program<'_>, id: ObjectId) -> Option<(ExprId, u64)> {
    let full = vm.memory.object(id).size();
    if !vm.memory.is_unsettled(id) {
        return Some((vm.machine.pool.mk_const(64, full), full));
    }
    match vm.machine.ask_size(SizeQuestion::Open { object: id }) {
        Some(Size::Expr(size, now)) => Some((size, now)),
        _ => None,
    }
}

/// Where in its object an area of some length may be.
fn window(vm: &mut Program<'_>, area: &Area, length: ExprId) -> Option<std::ops::Range<u64>> {
    let most = vm.machine.pool.facts(length).map_or(u64::MAX, |facts| facts.umax);
    let capacity = vm.memory.object(area.object).size();
    let end = capacity.min(area.last.saturating_add(most));
    (area.first <= end && end - area.first <= MAX_WINDOW).then_some(area.first..end)
}

/// Whether a word of a range is one of which it must be known which it is. Long runs of bytes that are none cost one look.
fn has_pointers(vm: &Program<'_>, id: ObjectId, range: std::ops::Range<u64>) -> bool {
    const WORD: u64 = 8;
    if !vm.machine.theories.hear(Events::CONTENT) || !vm.memory.may_carry_exprs(id) {
        return false;
    }
    let size = vm.memory.object(id).size();
    let mut runs = vm.memory.number_runs(id, range.clone()).into_iter().peekable();
    let mut offset = range.start / WORD * WORD;
    while offset < range.end
        && let Some(not_plain) = vm.memory.not_plain_from(id, offset..range.end)
    {
        offset = not_plain / WORD * WORD;
        while runs.next_if(|run| u64::from(run.end) <= offset).is_some() {}
        let run =
            runs.peek().filter(|run| u64::from(run.start) <= offset && !may_hold_pointers(&vm.machine, run.first));
        if let Some(run) = run {
            offset = u64::from(run.end).next_multiple_of(WORD);
            continue;
        }
        if offset + WORD <= size && is_pointer(vm, id, offset) {
            return true;
        }
        offset += WORD;
    }
    false
}

/// Whether the object that a byte in memory stands for has pointers in it. What was copied or filled has none.
fn may_hold_pointers(machine: &ConcolicMachine, first: Carried) -> bool {
    let Some(number) = input_byte(first) else { return lazy_byte(first).is_none() };
    let heap = &machine.inputs.heap;
    let layout = heap.layouts().get(heap.node(machine.inputs.holder(number).node).layout);
    layout.leaves.iter().any(|leaf| matches!(leaf.kind, LeafKind::Pointer(_)))
}

fn is_pointer(vm: &Program<'_>, id: ObjectId, offset: u64) -> bool {
    let mut word = Word::plain(0);
    for (i, carried) in word.exprs.iter_mut().enumerate() {
        if let (_, Some(shadow)) = vm.memory.byte_of(id, offset + i as u64) {
            *carried = (shadow.expr, shadow.index);
        }
    }
    word.has_expr() && vm.machine.is_indivisible(&word)
}

fn is_writable(vm: &Program<'_>, id: ObjectId) -> bool {
    !matches!(vm.memory.object(id).kind(), ObjectKind::Constant | ObjectKind::Function)
}

/// Decides whether an area of some length ends in its object, and ends the path if it does not.
pub(crate) fn check_fit(
    vm: &mut Program<'_>,
    site: OpIdx,
    area: &Area,
    length: ExprId,
    len: u64,
    verb: &str,
) -> Result<(), Stop> {
    let end = vm.machine.pool.mk_add(area.offset, length);
    let machine = &mut vm.machine;
    let is_short = machine.is_moderate(length);
    let starts_inside = machine.is_at_most(area.offset, area.size);
    // A sum that wraps around says nothing: `at + (size - at)` is `size`, also if `at` is larger.
    let is_exact = is_short && (starts_inside || machine.is_moderate(area.offset));
    if is_exact && machine.is_at_most(end, area.size) {
        return Ok(());
    }
    let good = match is_short && starts_inside {
        true => vm.machine.pool.mk_ule(end, area.size),
        false => mk_fits(&mut vm.machine.pool, area, length),
    };
    let bad = vm.machine.pool.mk_not(good);
    let is_good = len == 0 || area.at <= area.size_now && len <= area.size_now - area.at;
    vm.machine.note_end(site, area.object);
    vm.machine.check(site, BugKind::OutOfBounds, bad, !is_good);
    ConcolicMachine::after_decision(vm)?;
    if is_good {
        return Ok(());
    }
    if vm.memory.is_unsettled(area.object) {
        vm.memory.settle(area.object, area.size_now);
    }
    vm.fault(Fault::OutOfBounds { object: area.object, offset: area.at as i64, len }, verb)
}

/// That an area of some length ends in its object, wherever it begins. Where nothing is accessed may be anywhere.
fn mk_fits(pool: &mut ExprPool, area: &Area, length: ExprId) -> ExprId {
    let starts_inside = pool.mk_ule(area.offset, area.size);
    let room = pool.mk_sub(area.size, area.offset);
    let ends_inside = pool.mk_ule(length, room);
    let zero = pool.mk_const(64, 0);
    let is_empty = pool.mk_eq(length, zero);
    let inside = pool.mk_and(starts_inside, ends_inside);
    pool.mk_or(is_empty, inside)
}

/// Decides whether different areas of an object have a byte in common.
fn overlaps(vm: &mut Program<'_>, site: OpIdx, from: &Area, to: &Area, length: ExprId, len: u64) -> Result<bool, Stop> {
    let pool = &mut vm.machine.pool;
    let (ahead, behind) = (pool.mk_sub(to.offset, from.offset), pool.mk_sub(from.offset, to.offset));
    let (is_ahead, is_behind) = (pool.mk_ult(ahead, length), pool.mk_ult(behind, length));
    let (near, differ) = (pool.mk_or(is_ahead, is_behind), pool.mk_ne(from.offset, to.offset));
    let bad = pool.mk_and(near, differ);
    let distance = from.at.abs_diff(to.at);
    let is_bad = distance != 0 && distance < len;
    vm.machine.check(site, BugKind::Overlap, bad, is_bad);
    ConcolicMachine::after_decision(vm)?;
    Ok(is_bad)
}

/// A window with the layers that it goes on from: places in one can be compared with those in the other.
pub(crate) fn widened(memory: &Memory, id: ObjectId, window: std::ops::Range<u64>) -> std::ops::Range<u64> {
    let is_lazy = |offset: &u64| memory.byte_of(id, *offset).1.is_some_and(|shadow| lazy_byte(shadow.expr).is_some());
    let start = (0..window.start).rev().take_while(is_lazy).last().unwrap_or(window.start);
    start..window.end
}

/// Writes a layer over a window of an object.
fn put(
    vm: &mut Program<'_>,
    to: &Area,
    window: std::ops::Range<u64>,
    dst: Slot,
    len: ExprId,
    from: Source,
    bytes: &[u8],
) -> Bulk {
    if window.is_empty() {
        return Bulk::Done;
    }
    let window = widened(&vm.memory, to.object, window);
    let site = vm.pc();
    let steps = vm.steps();
    let Vm { machine, memory, .. } = vm;
    let Some(below) = Content::of_memory(machine, memory, to.object, window.clone()) else { return Bulk::Left };
    let start = machine.pool.mk_const(64, window.start);
    let at = machine.pool.mk_sub(to.offset, start);
    let Some(layer) = Layer::new(below, at, len, from) else { return Bulk::Left };
    if dst.tag.expr().is_some() {
        machine.tell_write(Access { site, addr: dst, len: window.end - window.start }, None);
    }
    machine.begin_operation(steps);
    let undef = if layer.may_be_undefined() { 0xff } else { 0 };
    let first = machine.lazy.add_layer(layer);
    memory.carry_numbers(to.object, window, LazyBytes::carried(first), undef, (to.at, bytes));
    Bulk::Done
}

/// Says of bytes that are initialised in some runs only whether they are in this one, which is a decision of the operation at
/// `site`.
pub(super) fn settle_undef(machine: &mut ConcolicMachine, site: Option<OpIdx>, word: &mut Word, n: u32) {
    for i in 0..n {
        let (carried, _) = word.exprs[i as usize];
        if word.undef >> (8 * i) & 0xff == 0 || !carried.is_some() {
            continue;
        }
        let defined = machine.is_defined(carried);
        let is_defined = defined == ExprId::TRUE || machine.value(defined) != 0;
        if let Some(site) = site.filter(|_| !machine.is_muted()) {
            let bad = machine.pool.mk_not(defined);
            machine.check(site, BugKind::Uninitialised, bad, !is_defined);
        }
        if is_defined {
            word.undef &= !(0xff << (8 * i));
        }
    }
}
