//! Functions of the library that look for a byte, answered without looking at each.

use super::seek::{Seeker, Sought};
use super::{digits, printed};
use crate::byte_set::ByteSet;
use crate::decision::DecisionKind;
use crate::machine::ConcolicMachine;
use crate::machine::copies::{Area, area, check_fit};
use crate::machine::lazy::Content;
use smallvec::smallvec;
use spelunk_expr::ExprId;
use spelunk_vm::memory::object_of;
use spelunk_vm::{Answer, BugKind, Callee, Defined, Machine, Slot, Stop, Tag, UndefId, Vm};

pub(super) type Program<'p> = Vm<'p, ConcolicMachine>;
type Model = fn(&mut Program<'_>, &[Slot]) -> Result<Answer, Stop>;

/// The model of a function of the library.
pub(super) fn find(callee: &Callee<'_>) -> Option<Model> {
    if !matches!(callee.defined, Defined::InRust(_)) {
        return None;
    }
    Some(match callee.name {
        "strlen" => strlen,
        "strnlen" => strnlen,
        "strchr" | "index" => strchr,
        "strchrnul" => strchrnul,
        "memchr" => memchr,
        "rawmemchr" => rawmemchr,
        "strcspn" => strcspn,
        "strspn" => strspn,
        "strpbrk" => strpbrk,
        "__sp_count_digits" => digits::count_digits,
        "__sp_digit" => digits::digit,
        "__sp_printed" => printed::printed,
        _ => return None,
    })
}

/// So many searches begin where others end, one after the other; what comes then begins where it does in this run.
const MAX_IN_A_ROW: usize = 16;

/// A place that was looked for, counted from the start of the search.
struct Found {
    place: ExprId,
    value: u64,
}

/// Where a string is searched.
pub(super) struct Text {
    /// The address that was given, or the same as a number.
    from: Slot,
    pub area: Area,
    pub content: Content,
    /// Where in the content it begins.
    pub start: ExprId,
}

fn strlen(vm: &mut Program<'_>, args: &[Slot]) -> Result<Answer, Stop> {
    let Some(text) = text(vm, args, 1)? else { return Ok(Answer::Decline) };
    let found = seek(vm, &text, ByteSet::default().with(0))?;
    Ok(found.map_or(Answer::Decline, |found| number(vm, found)))
}

fn strnlen(vm: &mut Program<'_>, args: &[Slot]) -> Result<Answer, Stop> {
    let (Some(text), Some(&max)) = (text(vm, args, 0)?, args.get(1)) else { return Ok(Answer::Decline) };
    let found = seek_up_to(vm, &text, ByteSet::default().with(0), max)?;
    Ok(found.map_or(Answer::Decline, |found| number(vm, found)))
}

fn strchr(vm: &mut Program<'_>, args: &[Slot]) -> Result<Answer, Stop> {
    let Some(byte) = constant(args, 1) else { return Ok(Answer::Decline) };
    first_of(vm, args, ByteSet::default().with(byte as u8))
}

fn strpbrk(vm: &mut Program<'_>, args: &[Slot]) -> Result<Answer, Stop> {
    match characters(vm, args) {
        Some(set) => first_of(vm, args, set),
        None => Ok(Answer::Decline),
    }
}

fn strchrnul(vm: &mut Program<'_>, args: &[Slot]) -> Result<Answer, Stop> {
    let (Some(text), Some(byte)) = (text(vm, args, 1)?, constant(args, 1)) else { return Ok(Answer::Decline) };
    let found = seek(vm, &text, ByteSet::default().with(0).with(byte as u8))?;
    Ok(found.map_or(Answer::Decline, |found| pointer(vm, text.from, found)))
}

fn rawmemchr(vm: &mut Program<'_>, args: &[Slot]) -> Result<Answer, Stop> {
    let (Some(text), Some(byte)) = (text(vm, args, 1)?, constant(args, 1)) else { return Ok(Answer::Decline) };
    let found = seek(vm, &text, ByteSet::default().with(byte as u8))?;
    Ok(found.map_or(Answer::Decline, |found| pointer(vm, text.from, found)))
}

fn strcspn(vm: &mut Program<'_>, args: &[Slot]) -> Result<Answer, Stop> {
    let (Some(text), Some(set)) = (text(vm, args, 1)?, characters(vm, args)) else { return Ok(Answer::Decline) };
    let found = seek(vm, &text, set.with(0))?;
    Ok(found.map_or(Answer::Decline, |found| number(vm, found)))
}

fn strspn(vm: &mut Program<'_>, args: &[Slot]) -> Result<Answer, Stop> {
    let (Some(text), Some(set)) = (text(vm, args, 1)?, characters(vm, args)) else { return Ok(Answer::Decline) };
    let found = seek(vm, &text, ByteSet::ALL.without(&set))?;
    Ok(found.map_or(Answer::Decline, |found| number(vm, found)))
}

/// Where the first byte of a set is in a string, null if none is.
fn first_of(vm: &mut Program<'_>, args: &[Slot], set: ByteSet) -> Result<Answer, Stop> {
    let Some(text) = text(vm, args, 1)? else { return Ok(Answer::Decline) };
    let Some(found) = seek(vm, &text, set.with(0))? else { return Ok(Answer::Decline) };
    if !set.contains(0) {
        // It is there if it comes before the end.
        let Some(end) = seek(vm, &text, ByteSet::default().with(0))? else { return Ok(Answer::Decline) };
        let is_there = vm.machine.pool.mk_ult(found.place, end.place);
        let site = vm.pc();
        vm.machine.decide_condition(site, DecisionKind::Branch, is_there, found.value < end.value);
        ConcolicMachine::after_decision(vm)?;
        if found.value == end.value {
            return Ok(Answer::Return(smallvec![Slot::plain(0)]));
        }
    }
    Ok(pointer(vm, text.from, found))
}

fn memchr(vm: &mut Program<'_>, args: &[Slot]) -> Result<Answer, Stop> {
    let (Some(text), Some(byte), Some(&max)) = (text(vm, args, 0)?, constant(args, 1), args.get(2)) else {
        return Ok(Answer::Decline);
    };
    let set = ByteSet::default().with(byte as u8);
    let Some(found) = seek_up_to(vm, &text, set, max)? else { return Ok(Answer::Decline) };
    let max_expr = vm.machine.operand(64, max);
    let is_there = vm.machine.pool.mk_ult(found.place, max_expr);
    let site = vm.pc();
    vm.machine.decide_condition(site, DecisionKind::Branch, is_there, found.value < max.val);
    ConcolicMachine::after_decision(vm)?;
    if found.value == max.val {
        return Ok(Answer::Return(smallvec![Slot::plain(0)]));
    }
    Ok(pointer(vm, text.from, found))
}

fn constant(args: &[Slot], number: usize) -> Option<u64> {
    args.get(number).filter(|slot| slot.tag.is_plain()).map(|slot| slot.val)
}

/// The characters of a string that does not depend on the input, as the second argument.
fn characters(vm: &Program<'_>, args: &[Slot]) -> Option<ByteSet> {
    let addr = constant(args, 1)?;
    let bytes = vm.memory.bytes_to_end(addr).ok()?;
    let len = bytes.iter().position(|&byte| byte == 0)?;
    if vm.memory.first_not_plain(addr, len as u64 + 1).ok()?.is_some() {
        return None;
    }
    Some(bytes[..len].iter().fold(ByteSet::default(), |set, &byte| set.with(byte)))
}

/// The string behind the first argument, if it depends on the input. So many bytes are read at least.
pub(super) fn text(vm: &mut Program<'_>, args: &[Slot], least: u64) -> Result<Option<Text>, Stop> {
    let Some(&addr) = args.first().filter(|addr| addr.tag.undef() == UndefId::NONE) else { return Ok(None) };
    if !addr.tag.expr().is_some() && !vm.memory.may_carry_exprs(object_of(addr.val)) {
        return Ok(None);
    }
    let (mut from, Some(mut area)) = (addr, area(vm, addr)?) else { return Ok(None) };
    if vm.machine.n_searches_before(area.offset) >= MAX_IN_A_ROW {
        let site = vm.pc();
        vm.machine.decide_value(site, area.offset, area.at);
        ConcolicMachine::after_decision(vm)?;
        from = Slot::plain(addr.val);
        area.offset = vm.machine.pool.mk_const(64, area.at);
        area.first = area.at;
    }
    let size = vm.memory.object(area.object).size();
    if !vm.machine.is_below(area.offset, area.size) {
        if least == 0 || !addr.tag.expr().is_some() {
            return Ok(None);
        }
        let site = vm.pc();
        let length = vm.machine.pool.mk_const(64, least);
        check_fit(vm, site, &area, length, least, "read")?;
    }
    if area.first >= size {
        return Ok(None);
    }
    let Vm { machine, memory, .. } = vm;
    let Some(content) = Content::of_memory(machine, memory, area.object, area.first..size) else { return Ok(None) };
    let first = machine.pool.mk_const(64, area.first);
    let start = machine.pool.mk_sub(area.offset, first);
    Ok(Some(Text { from, area, content, start }))
}

/// The first byte of a set in a string, which must have one.
fn seek(vm: &mut Program<'_>, text: &Text, set: ByteSet) -> Result<Option<Found>, Stop> {
    seek_up_to(vm, text, set, Slot::plain(u64::MAX))
}

/// The same among so many bytes, of which there may be none: then it is their number that is found.
fn seek_up_to(vm: &mut Program<'_>, text: &Text, set: ByteSet, max: Slot) -> Result<Option<Found>, Stop> {
    if max.tag.undef() != UndefId::NONE {
        return Ok(None);
    }
    let site = vm.pc();
    let area = &text.area;
    let bytes = &vm.memory.object(area.object).data()[area.at as usize..area.size_now as usize];
    let n_left = bytes.len() as u64;
    let value = bytes.iter().position(|&byte| set.contains(byte)).unwrap_or(bytes.len()) as u64;
    let Some(found) = Seeker::new(&mut vm.machine, site, Sought::One(set)).seek(&text.content, text.start) else {
        ConcolicMachine::after_decision(vm)?;
        return Ok(None);
    };
    let undefined = match text.content.may_be_undefined {
        false => None,
        true => match Seeker::new(&mut vm.machine, site, Sought::Undefined).seek(&text.content, text.start) {
            None => return Ok(None),
            undefined => undefined,
        },
    };
    ConcolicMachine::after_decision(vm)?;
    let pool = &mut vm.machine.pool;
    let place = pool.mk_sub(found, text.start);
    let first = pool.mk_const(64, area.first);
    let end = pool.mk_sub(area.size, first);
    // Behind the end of the object there is nothing to be looked at.
    let limit = vm.machine.operand(64, max);
    let pool = &mut vm.machine.pool;
    let room = pool.mk_sub(end, text.start);
    let (is_missing, goes_on) = (pool.mk_ule(end, found), pool.mk_ult(room, limit));
    let bad = pool.mk_and(is_missing, goes_on);
    let is_bad = value == n_left && max.val > n_left;
    if !vm.machine.is_below(found, end) {
        vm.machine.note_end(site, area.object);
        vm.machine.check(site, BugKind::OutOfBounds, bad, is_bad);
        ConcolicMachine::after_decision(vm)?;
    }
    if is_bad {
        return Ok(None);
    }
    let pool = &mut vm.machine.pool;
    let is_short = pool.mk_ult(place, limit);
    let place = pool.mk_ite(is_short, place, limit);
    if let Some(undefined) = undefined {
        let undefined = vm.machine.pool.mk_sub(undefined, text.start);
        if !vm.machine.is_at_most(place, undefined) {
            let bad = vm.machine.pool.mk_ult(undefined, place);
            let is_bad = vm.machine.value(bad) != 0;
            vm.machine.check(site, BugKind::Uninitialised, bad, is_bad);
            ConcolicMachine::after_decision(vm)?;
            if is_bad {
                return Ok(None);
            }
        }
    }
    Ok(Some(Found { place, value: value.min(max.val) }))
}

fn number(vm: &mut Program<'_>, found: Found) -> Answer {
    let expr = vm.machine.carry(found.place, found.value);
    Answer::Return(smallvec![Slot { val: found.value, tag: Tag::new(expr, UndefId::NONE) }])
}

fn pointer(vm: &mut Program<'_>, from: Slot, found: Found) -> Answer {
    let start = vm.machine.operand(64, from);
    let value = from.val.wrapping_add(found.value);
    let addr = vm.machine.pool.mk_add(start, found.place);
    // Where a search begins is part of both, and cancels out: or each would be twice as large as the one before.
    let zero = vm.machine.pool.mk_const(64, 0);
    let addr = vm.machine.mk_difference(addr, zero);
    let expr = vm.machine.carry_moved(addr, value, from);
    Answer::Return(smallvec![Slot { val: value, tag: Tag::new(expr, UndefId::NONE) }])
}
