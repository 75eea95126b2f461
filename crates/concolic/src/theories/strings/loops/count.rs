//! How many rounds of a loop are done at once, and what has changed after them.

use super::super::models::{Text, text};
use super::super::seek::{Seeker, Sought, mk_member};
use super::round::{Round, Stored};
use super::value::{Moving, Test};
use crate::byte_set::ByteSet;
use crate::decision::DecisionKind;
use crate::machine::ConcolicMachine;
use crate::machine::copies::{Area, area};
use spelunk_bv::{CmpOp, int};
use spelunk_expr::ExprId;
use spelunk_ir::code::Overlap;
use spelunk_vm::{BugKind, Bulk, Machine, Mark, Slot, Stop, Tag, UndefId, Vm};

type Program<'p> = Vm<'p, ConcolicMachine>;

/// A number of rounds, of 64 bits, and what it is in this run.
#[derive(Clone, Copy, Debug)]
struct Count {
    expr: ExprId,
    value: u64,
}

/// Does all rounds that come back, if it can be said how many these are.
pub(super) fn go_on(vm: &mut Program<'_>, round: &Round) -> Result<(), Stop> {
    let n_decisions = vm.machine.decisions().len();
    let Some((count, from)) = count(vm, round)? else { return Ok(()) };
    let is_known = vm.machine.pool.is_const(count.expr) && vm.machine.decisions().len() == n_decisions;
    if is_known || !decide_any(vm, count)? {
        return Ok(());
    }
    let len = slot(vm, count);
    let bytes: Vec<u8> = match &from {
        Some(from) => vm.memory.object(from.object).data()[from.at as usize..(from.at + count.value) as usize].to_vec(),
        None => Vec::new(),
    };
    let first_byte = first_byte(vm, round);
    match round.store {
        None => {}
        Some((to, stored)) => {
            let dst = start(vm, to);
            let done = match stored {
                Stored::Fixed(value) => ConcolicMachine::fill(vm, dst, value, len)?,
                Stored::Byte => match round.stream.map(|stream| start(vm, stream)) {
                    Some(src) => ConcolicMachine::copy(vm, dst, src, len, Overlap::Allowed)?,
                    None => Bulk::Left,
                },
            };
            if done != Bulk::Done {
                return Ok(());
            }
        }
    }
    mark(vm, round, &bytes, first_byte);
    let moved: Vec<(usize, Slot)> =
        round.steps.iter().map(|&(at, step)| (at, moved(vm, round, at, step, count))).collect();
    vm.move_on(moved.into_iter().chain(round.assigned.iter().copied()));
    Ok(())
}

/// How many rounds come back, and where they read.
fn count(vm: &mut Program<'_>, round: &Round) -> Result<Option<(Count, Option<Area>)>, Stop> {
    let mut count = None;
    for test in &round.tests {
        match bound(vm, round, test)? {
            Bound::Never => {}
            Bound::After(limit) => count = Some(lesser(vm, count, limit, DecisionKind::Branch)?),
            Bound::Now => return Ok(None),
        }
    }
    let mut from = None;
    if let Some(stream) = round.stream {
        if step_of(round, stream.slot) != 1 {
            return Ok(None);
        }
        let src = start(vm, stream);
        if round.bytes == ByteSet::ALL {
            let Some(area) = area(vm, src)? else { return Ok(None) };
            let Some(room) = room(vm, &area) else { return Ok(None) };
            count = Some(lesser(vm, count, room, DecisionKind::Check(BugKind::OutOfBounds))?);
            from = Some(area);
        } else {
            let Some(text) = text(vm, &[src], 0)? else { return Ok(None) };
            let Some(limits) = found(vm, &text, ByteSet::ALL.without(&round.bytes))? else { return Ok(None) };
            for limit in limits {
                count = Some(lesser(vm, count, limit, DecisionKind::Branch)?);
            }
            from = Some(text.area);
        }
    }
    if let Some((to, _)) = round.store {
        if step_of(round, to.slot) != 1 {
            return Ok(None);
        }
        let dst = start(vm, to);
        let Some(to) = area(vm, dst)? else { return Ok(None) };
        // What is read later must not have been written before.
        if round.read.contains(&to.object) {
            return Ok(None);
        }
        if let Some(from) = &from
            && from.object == to.object
            && !vm.machine.is_at_most(to.offset, from.offset)
        {
            return Ok(None);
        }
        let Some(room) = room(vm, &to) else { return Ok(None) };
        count = Some(lesser(vm, count, room, DecisionKind::Check(BugKind::OutOfBounds))?);
    }
    let Some(mut count) = count else { return Ok(None) };
    let tested = round.tests.iter().map(|test| (test.moving, test.width));
    for (moving, width) in round.narrow.iter().copied().chain(tested) {
        match within(vm, round, moving, width, count)? {
            Some(less) => count = less,
            None => return Ok(None),
        }
    }
    Ok(Some((count, from)))
}

/// Places before which no round ends, and none reads what is not initialised; nothing if that can't be said.
fn found(vm: &mut Program<'_>, text: &Text, exits: ByteSet) -> Result<Option<Vec<Count>>, Stop> {
    let site = vm.pc();
    let mut limits = Vec::new();
    let undefined = text.content.may_be_undefined.then_some(Sought::Undefined);
    for sought in [Sought::One(exits)].into_iter().chain(undefined) {
        let place = Seeker::new(&mut vm.machine, site, sought).seek(&text.content, text.start);
        ConcolicMachine::after_decision(vm)?;
        let Some(mut place) = place else { return Ok(None) };
        // An object of open size may end before its memory does.
        let first = vm.machine.pool.mk_const(64, text.area.first);
        let end = vm.machine.pool.mk_sub(text.area.size, first);
        if !vm.machine.is_at_most(place, end) {
            let is_inside = vm.machine.pool.mk_ult(place, end);
            place = vm.machine.pool.mk_ite(is_inside, place, end);
        }
        let expr = vm.machine.mk_difference(place, text.start);
        let value = vm.machine.value(expr);
        limits.push(Count { expr, value });
    }
    Ok(Some(limits))
}

enum Bound {
    /// The test does not hold before the first round.
    Now,
    After(Count),
    Never,
}

/// After how many rounds a test no longer holds, as long as the numbers in it do not wrap around.
fn bound(vm: &mut Program<'_>, round: &Round, test: &Test) -> Result<Bound, Stop> {
    let site = vm.pc();
    let first = start(vm, test.moving);
    let machine = &mut vm.machine;
    let [now, limit] = match test.width {
        64 => [first, test.with].map(|slot| machine.rebased(slot)),
        width => [first, test.with].map(|slot| machine.operand(width, slot)),
    };
    let cond = machine.pool.mk_cmp(test.op, now, limit);
    let holds =
        int::icmp(test.op, test.width, int::trunc(test.width, first.val), int::trunc(test.width, test.with.val));
    machine.decide_condition(site, DecisionKind::Branch, cond, holds);
    ConcolicMachine::after_decision(vm)?;
    if !holds {
        return Ok(Bound::Now);
    }
    let step = step_of(round, test.moving.slot);
    let (is_up, reaches) = match (test.op, step) {
        (_, 0) => return Ok(Bound::Never),
        (CmpOp::Eq, _) => {
            let one = vm.machine.pool.mk_const(64, 1);
            return Ok(Bound::After(Count { expr: one, value: 1 }));
        }
        (CmpOp::Ult | CmpOp::Slt, 1) => (true, 0),
        (CmpOp::Ule | CmpOp::Sle, 1) => (true, 1),
        (CmpOp::Ne, 1) => (true, 0),
        (CmpOp::Ugt | CmpOp::Sgt | CmpOp::Ne, -1) => (false, 0),
        (CmpOp::Uge | CmpOp::Sge, -1) => (false, 1),
        (CmpOp::Ugt | CmpOp::Uge | CmpOp::Sgt | CmpOp::Sge, 1..) => return Ok(Bound::Never),
        (CmpOp::Ult | CmpOp::Ule | CmpOp::Slt | CmpOp::Sle, ..0) => return Ok(Bound::Never),
        _ => return Ok(Bound::Now),
    };
    let (low, high) = if is_up { (now, limit) } else { (limit, now) };
    let machine = &mut vm.machine;
    let distance = match test.width {
        64 => machine.mk_difference(high, low),
        _ => {
            let distance = machine.pool.mk_sub(high, low);
            machine.pool.mk_zext(distance, 64)
        }
    };
    let more = machine.pool.mk_const(64, reaches);
    let expr = machine.pool.mk_add(distance, more);
    let value = machine.value(expr);
    Ok(Bound::After(Count { expr, value }))
}

/// The lesser one of two numbers, which is decided if it is not known.
fn lesser(vm: &mut Program<'_>, count: Option<Count>, limit: Count, kind: DecisionKind) -> Result<Count, Stop> {
    let Some(count) = count else { return Ok(limit) };
    if vm.machine.is_at_most(count.expr, limit.expr) {
        return Ok(count);
    }
    if vm.machine.is_at_most(limit.expr, count.expr) {
        return Ok(limit);
    }
    let site = vm.pc();
    let is_less = vm.machine.pool.mk_ult(limit.expr, count.expr);
    let holds = limit.value < count.value;
    vm.machine.decide_condition(site, kind, is_less, holds);
    ConcolicMachine::after_decision(vm)?;
    Ok(if holds { limit } else { count })
}

/// Decides whether there is a round at all.
fn decide_any(vm: &mut Program<'_>, count: Count) -> Result<bool, Stop> {
    let site = vm.pc();
    let zero = vm.machine.pool.mk_const(64, 0);
    let is_any = vm.machine.pool.mk_ult(zero, count.expr);
    let holds = count.value != 0;
    vm.machine.decide_condition(site, DecisionKind::Branch, is_any, holds);
    ConcolicMachine::after_decision(vm)?;
    Ok(holds)
}

/// How many bytes an area has from where it begins.
fn room(vm: &mut Program<'_>, area: &Area) -> Option<Count> {
    if !vm.machine.is_at_most(area.offset, area.size) {
        return None;
    }
    let expr = vm.machine.mk_difference(area.size, area.offset);
    Some(Count { expr, value: area.size_now.checked_sub(area.at)? })
}

/// So many rounds at most that a number is from 0 to half of what so many bits can say in each; nothing if it is not at first.
fn within(
    vm: &mut Program<'_>,
    round: &Round,
    moving: Moving,
    width: u32,
    count: Count,
) -> Result<Option<Count>, Stop> {
    let top = 1u64 << (width - 1);
    let step = step_of(round, moving.slot);
    let first = start(vm, Moving { add: 0, ..moving });
    let before = match width {
        64 => vm.machine.rebased(first),
        _ => vm.machine.operand(64, first),
    };
    let machine = &mut vm.machine;
    let (_, most) = machine.bounds(before);
    let less = machine.pool.mk_const(64, moving.add.unsigned_abs());
    let is_low = most < top && moving.add < top as i64;
    let is_positive = moving.add >= 0 || machine.is_at_most(less, before);
    if !is_low || !is_positive {
        return Ok(None);
    }
    let most = most.saturating_add_signed(moving.add);
    let (_, rounds) = machine.bounds(count.expr);
    match step {
        0 => Ok((most < top).then_some(count)),
        1.. => {
            let total = rounds.saturating_sub(1).saturating_mul(step.unsigned_abs());
            if most.saturating_add(total) < top {
                return Ok(Some(count));
            }
            let Some(now) = machine.pool.as_const(before).map(|now| now.wrapping_add_signed(moving.add)) else {
                return Ok(None);
            };
            if now >= top {
                return Ok(None);
            }
            let value = (top - 1 - now) / step.unsigned_abs() + 1;
            let limit = Count { expr: machine.pool.mk_const(64, value), value };
            Ok(Some(lesser(vm, Some(count), limit, DecisionKind::Branch)?))
        }
        -1 => {
            let more = machine.pool.mk_const(64, moving.add.wrapping_add(1) as u64);
            let expr = machine.pool.mk_add(before, more);
            let value = first.val.wrapping_add(moving.add as u64).wrapping_add(1);
            Ok(Some(lesser(vm, Some(count), Count { expr, value }, DecisionKind::Branch)?))
        }
        _ => Ok(None),
    }
}

fn step_of(round: &Round, slot: usize) -> i64 {
    round.steps.iter().find(|(at, _)| *at == slot).map_or(0, |(_, step)| *step)
}

/// What a value is before the first round.
fn start(vm: &mut Program<'_>, moving: Moving) -> Slot {
    let register = vm.slot_at(vm.first_slot() + moving.slot);
    let machine = &mut vm.machine;
    let mut expr = machine.operand(64, register);
    let mut val = register.val.wrapping_add(moving.add as u64);
    if let Some(base) = moving.base {
        let base_expr = machine.operand(64, base);
        expr = machine.pool.mk_add(base_expr, expr);
        val = val.wrapping_add(base.val);
    }
    let more = machine.pool.mk_const(64, moving.add as u64);
    let expr = machine.pool.mk_add(expr, more);
    let from = moving.base.unwrap_or(register);
    Slot { val, tag: Tag::new(machine.carry_moved(expr, val, from), UndefId::NONE) }
}

fn slot(vm: &mut Program<'_>, count: Count) -> Slot {
    let expr = vm.machine.carry(count.expr, count.value);
    Slot { val: count.value, tag: Tag::new(expr, UndefId::NONE) }
}

/// A register after all rounds.
fn moved(vm: &mut Program<'_>, round: &Round, at: usize, step: i64, count: Count) -> Slot {
    let before = vm.slot_at(vm.first_slot() + at);
    if step == 0 {
        return before;
    }
    let is_it = |(moving, _): &&(Moving, u32)| moving.slot == at && moving.base.is_none();
    let width = round.narrow.iter().filter(is_it).map(|(_, width)| *width).min().unwrap_or(64);
    let machine = &mut vm.machine;
    let by = match step {
        1 => count.expr,
        _ => {
            let step = machine.pool.mk_const(64, step as u64);
            machine.pool.mk_mul(count.expr, step)
        }
    };
    let val = int::trunc(width, before.val.wrapping_add(count.value.wrapping_mul(step as u64)));
    let first = machine.operand(64, before);
    let sum = machine.pool.mk_add(first, by);
    let tag = match width {
        64 => {
            let zero = machine.pool.mk_const(64, 0);
            let sum = machine.mk_difference(sum, zero);
            machine.carry_moved(sum, val, before)
        }
        _ => {
            let sum = machine.resized(sum, width);
            machine.carry(sum, val)
        }
    };
    Slot { val, tag: Tag::new(tag, UndefId::NONE) }
}

/// The byte that the first round reads, if it reads at the same place for all inputs.
fn first_byte(vm: &mut Program<'_>, round: &Round) -> Option<ExprId> {
    if round.ways.len() < 2 {
        return None;
    }
    let src = start(vm, round.stream?);
    let addr = vm.machine.rebased(src);
    vm.machine.pool.as_const(addr)?;
    let mut word = vm.memory.load_word(src.val, 1).ok()?;
    vm.machine.view(src.val, &mut word, 1);
    (word.has_expr() && word.undef == 0).then(|| vm.machine.word(&word, 1))
}

/// Says where control went, and that it should go the other ways too.
fn mark(vm: &mut Program<'_>, round: &Round, bytes: &[u8], first: Option<ExprId>) {
    let seen = bytes.iter().fold(ByteSet::default(), |all, &byte| all.with(byte));
    for way in &round.ways {
        let is_gone = round.stream.is_none() || !seen.and(&way.bytes).is_empty();
        if is_gone {
            way.marks.iter().for_each(|&(op, mark)| vm.machine.mark(op, mark));
            for (op, table) in &way.observed {
                let members = (0..=u8::MAX).filter(|&byte| bytes.is_empty() || seen.and(&way.bytes).contains(byte));
                for cond in members.filter_map(|byte| table[usize::from(byte)]) {
                    vm.machine.mark(*op, if cond == 0 { Mark::FellThrough } else { Mark::Jumped });
                }
            }
            continue;
        }
        let is_new = |&&(op, mark): &&(spelunk_ir::code::OpIdx, Mark)| !vm.machine.marks.has(op, mark);
        if let (Some(first), Some(&(op, mark))) = (first, way.marks.iter().find(is_new)) {
            let cond = mk_member(&mut vm.machine.pool, first, &way.bytes);
            vm.machine.aim_at_way(op, mark, cond);
        }
    }
}
