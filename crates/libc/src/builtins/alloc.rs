//! The heap of <stdlib.h> and <malloc.h>.
//!
//! `realloc` always moves, so that pointers to the old place are noticed. A request that no implementation could serve
//! fails as in C; one that only our limit forbids ends the path.

use super::area;
use super::{Answer, Host, set_errno, slots, words};
use crate::errno::{EINVAL, ENOMEM};
use spelunk_vm::memory::{ObjectKind, object_of};
use spelunk_vm::{BugKind, Ceiling, Flow, Size, Slot, Stop, Vm};

const ALIGN: u64 = 16;
const PAGE: u64 = 4096;

/// No process has more address space, so no implementation grants more.
const MAX_REQUEST: u64 = 1 << 46;

/// Beyond this, an object's addresses would leave its range.
const MAX_ALIGN: u64 = 1 << 24;

/// A new heap object, or null with `errno` set.
pub(super) fn allocate<M: Host>(vm: &mut Vm<'_, M>, size: u64) -> Result<u64, Stop> {
    allocate_aligned(vm, size, ALIGN)
}

fn allocate_aligned<M: Host>(vm: &mut Vm<'_, M>, size: u64, align: u64) -> Result<u64, Stop> {
    if size > MAX_REQUEST || align > MAX_ALIGN {
        set_errno(vm, ENOMEM)?;
        return Ok(0);
    }
    let at = vm.trace_id();
    let allocated = vm.memory.alloc(ObjectKind::Heap, size, align.max(ALIGN), at);
    vm.checked(allocated, "allocation")
}

/// A new heap object of `count` times `unit` bytes, whose size may stay open.
fn allocate_counted<M: Host>(vm: &mut Vm<'_, M>, count: Slot, unit: u64, align: u64) -> Result<u64, Stop> {
    allocate_keeping(vm, (count, unit), align, None)
}

/// The same, which starts with the bytes of an old object.
fn allocate_keeping<M: Host>(
    vm: &mut Vm<'_, M>,
    (count, unit): (Slot, u64),
    align: u64,
    old: Option<u64>,
) -> Result<u64, Stop> {
    let ceilings = [
        Ceiling { most: MAX_REQUEST, error: None },
        Ceiling { most: vm.memory.room(), error: Some(BugKind::MemoryLimit) },
    ];
    let n_old = old.map_or(0, |old| vm.memory.object(object_of(old)).size());
    let size = match vm.size_of_allocation(count, unit, &ceilings, "the size of an allocation")? {
        Size::Settled(size) => size,
        Size::Excessive => count.val.saturating_mul(unit),
        Size::Open { capacity } => {
            let at = vm.trace_id();
            let addr = vm.alloc_open(ObjectKind::Heap, capacity, align.max(ALIGN), at, (count, unit))?;
            if let Some(old) = old {
                vm.copy_to_open(addr, old, n_old.min(capacity))?;
            }
            return Ok(addr);
        }
    };
    let addr = allocate_aligned(vm, size, align)?;
    if let Some(old) = old.filter(|_| addr != 0) {
        area::copy(vm, addr, old, n_old.min(size))?;
    }
    Ok(addr)
}

pub fn malloc<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [size] = slots(vm, args)?;
    Ok(Flow::value(allocate_counted(vm, size, 1, ALIGN)?))
}

pub fn calloc<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [count, size] = slots(vm, args)?;
    // If both are open, one is decided on.
    let addr = match size.tag.is_plain() {
        true => allocate_counted(vm, count, size.val, ALIGN)?,
        false => {
            let count = vm.word(count, "the number of elements")?;
            allocate_counted(vm, size, count, ALIGN)?
        }
    };
    if addr != 0 {
        vm.memory.init_object(object_of(addr), &[]);
    }
    Ok(Flow::value(addr))
}

pub fn free<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [addr] = words(vm, args)?;
    if addr != 0 {
        release(vm, addr)?;
    }
    Ok(Flow::VOID)
}

pub(super) fn release<M: Host>(vm: &mut Vm<'_, M>, addr: u64) -> Result<(), Stop> {
    let at = vm.trace_id();
    let freed = vm.memory.free_heap(addr, at);
    vm.checked(freed, "free")
}

pub fn realloc<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [addr, size] = slots(vm, args)?;
    let addr = vm.word(addr, "the address")?;
    Ok(Flow::value(reallocate(vm, addr, size, 1)?))
}

pub fn reallocarray<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [addr, count, size] = slots(vm, args)?;
    let addr = vm.word(addr, "the address")?;
    // If both are open, one is decided on.
    let moved = match size.tag.is_plain() {
        true => reallocate(vm, addr, count, size.val)?,
        false => {
            let count = vm.word(count, "the number of elements")?;
            reallocate(vm, addr, size, count)?
        }
    };
    Ok(Flow::value(moved))
}

fn reallocate<M: Host>(vm: &mut Vm<'_, M>, addr: u64, count: Slot, unit: u64) -> Result<u64, Stop> {
    if addr == 0 {
        return allocate_counted(vm, count, unit, ALIGN);
    }
    let old = vm.checked(vm.memory.heap_start(addr), "realloc")?;
    vm.settle_object(old)?;
    if unit == 0 || vm.is_zero(count)? {
        release(vm, addr)?;
        return Ok(0);
    }
    let moved = allocate_keeping(vm, (count, unit), ALIGN, Some(addr))?;
    if moved != 0 {
        release(vm, addr)?;
    }
    Ok(moved)
}

/// `aligned_alloc` and `memalign`.
pub fn memalign<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [align, size] = slots(vm, args)?;
    let align = vm.word(align, "the alignment")?;
    if !align.is_power_of_two() {
        set_errno(vm, EINVAL)?;
        return Ok(Flow::value(0));
    }
    if align > MAX_ALIGN {
        set_errno(vm, ENOMEM)?;
        return Ok(Flow::value(0));
    }
    Ok(Flow::value(allocate_counted(vm, size, 1, align)?))
}

/// Reports by its result and leaves `errno` alone.
pub fn posix_memalign<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [result_at, align, size] = words(vm, args)?;
    if !align.is_power_of_two() || align < size_of::<u64>() as u64 {
        return Ok(Flow::value(EINVAL as u64));
    }
    if size > MAX_REQUEST || align > MAX_ALIGN {
        return Ok(Flow::value(ENOMEM as u64));
    }
    area::check_write(vm, result_at, 8)?;
    let addr = allocate_aligned(vm, size, align)?;
    area::write(vm, result_at, &addr.to_le_bytes())?;
    Ok(Flow::value(0))
}

pub fn valloc<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [size] = words(vm, args)?;
    Ok(Flow::value(allocate_aligned(vm, size, PAGE)?))
}

pub fn pvalloc<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [size] = words(vm, args)?;
    let whole_pages = size.checked_next_multiple_of(PAGE).unwrap_or(u64::MAX);
    Ok(Flow::value(allocate_aligned(vm, whole_pages, PAGE)?))
}

/// Exactly what was asked for: nothing behind it is usable here.
pub fn malloc_usable_size<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [addr] = words(vm, args)?;
    if addr == 0 {
        return Ok(Flow::value(0));
    }
    let object = vm.checked(vm.memory.heap_start(addr), "size query")?;
    Ok(Flow::value(vm.memory.object(object).size()))
}

/// There is never anything to give back.
pub fn malloc_trim<M: Host>(_vm: &mut Vm<'_, M>, _args: &[Slot]) -> Answer {
    Ok(Flow::value(0))
}
