//! Memory areas of <string.h> and <strings.h>.

use super::area;
use super::{Answer, slots, words};
use memchr::{memchr, memmem as subslice, memrchr as last_byte};
use spelunk_vm::{Flow, Machine, Overlap, Slot, Vm};

pub fn memcpy<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, src, n] = slots(vm, args)?;
    vm.mem_copy(dst, src, n, Overlap::Forbidden)?;
    Ok(Flow::slot(dst))
}

pub fn mempcpy<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, src, n] = words(vm, args)?;
    area::copy(vm, dst, src, n)?;
    Ok(Flow::value(dst.wrapping_add(n)))
}

pub fn memmove<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, src, n] = slots(vm, args)?;
    vm.mem_copy(dst, src, n, Overlap::Allowed)?;
    Ok(Flow::slot(dst))
}

pub fn bcopy<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [src, dst, n] = slots(vm, args)?;
    vm.mem_copy(dst, src, n, Overlap::Allowed)?;
    Ok(Flow::VOID)
}

pub fn memccpy<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, src, byte, n] = words(vm, args)?;
    let found = area::scan(vm, src, n, |bytes| memchr(byte as u8, bytes))?;
    let len = found.map_or(n, |at| at + 1);
    area::copy(vm, dst, src, len)?;
    Ok(Flow::value(if found.is_some() { dst.wrapping_add(len) } else { 0 }))
}

pub fn memset<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, byte, n] = slots(vm, args)?;
    vm.check_defined(byte, "the byte of a fill")?;
    vm.mem_set(dst, byte, n)?;
    Ok(Flow::slot(dst))
}

pub fn bzero<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, n] = slots(vm, args)?;
    vm.mem_set(dst, Slot::plain(0), n)?;
    Ok(Flow::VOID)
}

pub fn memchr_<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [area, byte, n] = words(vm, args)?;
    let found = area::scan(vm, area, n, |bytes| memchr(byte as u8, bytes))?;
    Ok(Flow::value(found.map_or(0, |at| area.wrapping_add(at))))
}

pub fn rawmemchr<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [area, byte] = words(vm, args)?;
    let found = area::scan(vm, area, area::UNBOUNDED, |bytes| memchr(byte as u8, bytes))?;
    Ok(Flow::value(area.wrapping_add(found.unwrap_or(0))))
}

pub fn memrchr<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [area, byte, n] = words(vm, args)?;
    if n == 0 {
        return Ok(Flow::value(0));
    }
    let found = last_byte(byte as u8, vm.checked(vm.memory.bytes(area, n), "read")?);
    let first_read = found.unwrap_or(0) as u64;
    vm.use_bytes(area.wrapping_add(first_read), n - first_read, "the data read")?;
    Ok(Flow::value(found.map_or(0, |at| area.wrapping_add(at as u64))))
}

pub fn memmem<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [haystack, haystack_len, needle, needle_len] = words(vm, args)?;
    let needle = area::read(vm, needle, needle_len, "the data searched for")?;
    area::check_read(vm, haystack, haystack_len)?;
    if needle.is_empty() {
        return Ok(Flow::value(haystack));
    }
    let mut found = None;
    area::scan(vm, haystack, haystack_len, |bytes| {
        found = subslice::find(bytes, &needle);
        found.map(|at| at + needle.len() - 1)
    })?;
    Ok(Flow::value(found.map_or(0, |at| haystack.wrapping_add(at as u64))))
}

/// Exchanges the bytes of each pair; an odd byte at the end stays behind.
pub fn swab<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [src, dst, n] = words(vm, args)?;
    let n = (n as i64).max(0) as u64 & !1;
    let mut bytes = area::read(vm, src, n, "the data read")?;
    bytes.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
    area::write(vm, dst, &bytes)?;
    Ok(Flow::VOID)
}
