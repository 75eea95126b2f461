//! Ranges of the program's memory as the library functions see them: every helper ends the path with the right report if
//! the range is not what the function may touch.

use crate::world::CarriedByte;
use memchr::memchr;
use spelunk_vm::{Machine, Overlap, Slot, Stop, Vm};

/// No bound but the end of the object.
pub const UNBOUNDED: u64 = u64::MAX;

/// Looks at no more than `max` bytes. `stop_at` gets those that exist and tells the index of the last one that it needs;
/// if that is `None`, all `max` bytes are needed. Needed bytes must exist and be initialised.
pub fn scan<M: Machine>(
    vm: &mut Vm<'_, M>,
    addr: u64,
    max: u64,
    stop_at: impl FnOnce(&[u8]) -> Option<usize>,
) -> Result<Option<u64>, Stop> {
    if max == 0 {
        return Ok(None);
    }
    let rest = match vm.memory.bytes_to_end(addr) {
        Ok(rest) => rest,
        Err(fault) => return vm.fault(vm.memory.resolve(addr, 1).err().unwrap_or(fault), "read"),
    };
    let window = &rest[..rest.len().min(usize::try_from(max).unwrap_or(usize::MAX))];
    let n_there = window.len() as u64;
    let last = stop_at(window);
    vm.use_bytes(addr, last.map_or(n_there, |last| last as u64 + 1), "the data read")?;
    if last.is_none() && n_there < max {
        check_read(vm, addr.wrapping_add(n_there), 1)?;
    }
    Ok(last.map(|last| last as u64))
}

/// The length of a string.
pub fn string_len<M: Machine>(vm: &mut Vm<'_, M>, addr: u64) -> Result<u64, Stop> {
    string_len_within(vm, addr, UNBOUNDED)
}

/// The length of a string, or `max` if its end is not among the first `max` bytes.
pub fn string_len_within<M: Machine>(vm: &mut Vm<'_, M>, addr: u64, max: u64) -> Result<u64, Stop> {
    Ok(scan(vm, addr, max, |bytes| memchr(0, bytes))?.unwrap_or(max))
}

/// A copy of a string's bytes.
pub fn string<M: Machine>(vm: &mut Vm<'_, M>, addr: u64) -> Result<Vec<u8>, Stop> {
    let len = string_len(vm, addr)?;
    Ok(vm.checked(vm.memory.bytes(addr, len), "read")?.to_vec())
}

/// A copy of bytes that must be initialised, for the library to decide on.
pub fn read<M: Machine>(vm: &mut Vm<'_, M>, addr: u64, len: u64, what: &str) -> Result<Vec<u8>, Stop> {
    if len == 0 {
        return Ok(Vec::new());
    }
    vm.use_bytes(addr, len, what)?;
    Ok(vm.checked(vm.memory.bytes(addr, len), "read")?.to_vec())
}

pub fn check_read<M: Machine>(vm: &mut Vm<'_, M>, addr: u64, len: u64) -> Result<(), Stop> {
    if len == 0 {
        return Ok(());
    }
    vm.settle_range(addr, len)?;
    vm.checked(vm.memory.resolve(addr, len), "read").map(drop)
}

pub fn check_write<M: Machine>(vm: &mut Vm<'_, M>, addr: u64, len: u64) -> Result<(), Stop> {
    if len == 0 {
        return Ok(());
    }
    vm.settle_range(addr, len)?;
    let resolved = vm.memory.resolve_mut(addr, len);
    vm.checked(resolved, "write").map(drop)
}

pub fn write<M: Machine>(vm: &mut Vm<'_, M>, addr: u64, bytes: &[u8]) -> Result<(), Stop> {
    if bytes.is_empty() {
        return Ok(());
    }
    let written = vm.memory.write(addr, bytes);
    vm.checked(written, "write")
}

/// Writes bytes with what they carry; those that `carried` is too short for carry nothing.
pub fn write_carrying<M: Machine>(
    vm: &mut Vm<'_, M>,
    addr: u64,
    bytes: &[u8],
    carried: &[CarriedByte],
) -> Result<(), Stop> {
    if bytes.is_empty() {
        return Ok(());
    }
    let written = vm.memory.write_carrying(addr, bytes, |i| carried.get(i).copied().unwrap_or_default());
    vm.checked(written, "write")
}

/// What the bytes of a range carry.
pub fn carried<M: Machine>(vm: &Vm<'_, M>, addr: u64, len: u64) -> Result<Vec<CarriedByte>, Stop> {
    let byte = |i| vm.checked(vm.memory.load_word(addr + i, 1), "read").map(|word| word.exprs[0]);
    (0..len).map(byte).collect()
}

pub fn fill<M: Machine>(vm: &mut Vm<'_, M>, addr: u64, byte: u8, len: u64) -> Result<(), Stop> {
    if len == 0 {
        return Ok(());
    }
    vm.settle_range(addr, len)?;
    let filled = vm.memory.fill(addr, byte, len);
    vm.checked(filled, "write")
}

/// Copies with everything that the bytes carry.
pub fn copy<M: Machine>(vm: &mut Vm<'_, M>, dst: u64, src: u64, len: u64) -> Result<(), Stop> {
    vm.mem_copy(Slot::plain(dst), Slot::plain(src), Slot::plain(len), Overlap::Forbidden)
}
