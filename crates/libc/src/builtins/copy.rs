//! Copies and concatenations of <string.h>.

use super::area;
use super::{Answer, Host, alloc, words};
use spelunk_vm::{Flow, Machine, Slot, Stop, Vm};

/// Copies a string with its end; the address of the copy's end.
fn copy_string<M: Machine>(vm: &mut Vm<'_, M>, dst: u64, src: u64) -> Result<u64, Stop> {
    let len = area::string_len(vm, src)?;
    area::copy(vm, dst, src, len + 1)?;
    Ok(dst.wrapping_add(len))
}

pub fn strcpy<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, src] = words(vm, args)?;
    copy_string(vm, dst, src)?;
    Ok(Flow::value(dst))
}

pub fn stpcpy<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, src] = words(vm, args)?;
    Ok(Flow::value(copy_string(vm, dst, src)?))
}

/// Copies at most `n` bytes of a string and fills up with zeros; the address of the first zero, or of the end.
fn copy_padded<M: Machine>(vm: &mut Vm<'_, M>, dst: u64, src: u64, n: u64) -> Result<u64, Stop> {
    let len = area::string_len_within(vm, src, n)?;
    area::check_write(vm, dst, n)?;
    area::copy(vm, dst, src, len)?;
    let end = dst.wrapping_add(len);
    area::fill(vm, end, 0, n - len)?;
    Ok(end)
}

pub fn strncpy<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, src, n] = words(vm, args)?;
    copy_padded(vm, dst, src, n)?;
    Ok(Flow::value(dst))
}

pub fn stpncpy<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, src, n] = words(vm, args)?;
    Ok(Flow::value(copy_padded(vm, dst, src, n)?))
}

pub fn strcat<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, src] = words(vm, args)?;
    let end = dst.wrapping_add(area::string_len(vm, dst)?);
    copy_string(vm, end, src)?;
    Ok(Flow::value(dst))
}

pub fn strncat<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, src, n] = words(vm, args)?;
    let end = dst.wrapping_add(area::string_len(vm, dst)?);
    append(vm, end, src, n)?;
    Ok(Flow::value(dst))
}

/// Copies at most `n` bytes of a string and always ends the copy.
fn append<M: Machine>(vm: &mut Vm<'_, M>, dst: u64, src: u64, n: u64) -> Result<(), Stop> {
    let len = area::string_len_within(vm, src, n)?;
    area::check_write(vm, dst, len + 1)?;
    area::copy(vm, dst, src, len)?;
    area::fill(vm, dst.wrapping_add(len), 0, 1)
}

pub fn strlcpy<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, src, size] = words(vm, args)?;
    let len = area::string_len(vm, src)?;
    if let Some(room) = size.checked_sub(1) {
        append(vm, dst, src, room.min(len))?;
    }
    Ok(Flow::value(len))
}

pub fn strlcat<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, src, size] = words(vm, args)?;
    let dst_len = area::string_len_within(vm, dst, size)?;
    let src_len = area::string_len(vm, src)?;
    if let Some(room) = (size - dst_len).checked_sub(1) {
        append(vm, dst.wrapping_add(dst_len), src, room.min(src_len))?;
    }
    Ok(Flow::value(dst_len.wrapping_add(src_len)))
}

pub fn strdup<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [src] = words(vm, args)?;
    let len = area::string_len(vm, src)?;
    duplicate(vm, src, len)
}

pub fn strndup<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [src, max] = words(vm, args)?;
    let len = area::string_len_within(vm, src, max)?;
    duplicate(vm, src, len)
}

fn duplicate<M: Host>(vm: &mut Vm<'_, M>, src: u64, len: u64) -> Answer {
    let copy = alloc::allocate(vm, len + 1)?;
    if copy != 0 {
        append(vm, copy, src, len)?;
    }
    Ok(Flow::value(copy))
}
