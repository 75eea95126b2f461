//! Links, modes and pipes of POSIX. Unlike the primitives in `os`, programs call these directly, so errors go to `errno`.

use super::area;
use super::outside::in_world;
use super::{Answer, Host, alloc, set_errno, words};
use rustix::fs::Mode;
use rustix::io::Errno;
use rustix::pipe::PipeFlags;
use spelunk_vm::{Flow, Slot, Vm};

/// A result in libc's convention: -1 and `errno` on failure.
pub(super) fn finish<M: Host>(vm: &mut Vm<'_, M>, done: Result<u64, Errno>) -> Answer {
    match done {
        Ok(value) => Ok(Flow::value(value)),
        Err(error) => {
            set_errno(vm, error.raw_os_error())?;
            Ok(Flow::value(u64::MAX))
        }
    }
}

pub fn pipe<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [ends_at] = words(vm, args)?;
    make_pipe(vm, ends_at, 0)
}

pub fn pipe2<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [ends_at, flags] = words(vm, args)?;
    make_pipe(vm, ends_at, flags as u32)
}

fn make_pipe<M: Host>(vm: &mut Vm<'_, M>, ends_at: u64, flags: u32) -> Answer {
    area::check_write(vm, ends_at, 8)?;
    match vm.machine.env().pipe(PipeFlags::from_bits_retain(flags)) {
        Ok((reader, writer)) => {
            area::write(vm, ends_at, &reader.to_le_bytes())?;
            area::write(vm, ends_at.wrapping_add(4), &writer.to_le_bytes())?;
            Ok(Flow::value(0))
        }
        Err(error) => finish(vm, Err(error)),
    }
}

pub fn link<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [old, new] = words(vm, args)?;
    let (old, new) = (area::string(vm, old)?, area::string(vm, new)?);
    let done = vm.machine.env().link(&old, &new);
    finish(vm, done.map(|()| 0))
}

pub fn symlink<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [target, name] = words(vm, args)?;
    let (target, name) = (area::string(vm, target)?, area::string(vm, name)?);
    let done = vm.machine.env().symlink(&target, &name);
    finish(vm, done.map(|()| 0))
}

pub fn readlink<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name, buffer, size] = words(vm, args)?;
    area::check_write(vm, buffer, size)?;
    let name = area::string(vm, name)?;
    match in_world(vm, |world| world.read_link(&name)) {
        Ok(_) if size == 0 => finish(vm, Err(Errno::INVAL)),
        Ok(target) => {
            let len = target.len().min(size as usize);
            area::write(vm, buffer, &target[..len])?;
            Ok(Flow::value(len as u64))
        }
        Err(error) => finish(vm, Err(error)),
    }
}

pub fn chmod<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name, mode] = words(vm, args)?;
    let name = area::string(vm, name)?;
    let done = in_world(vm, |world| world.chmod(&name, Mode::from_bits_truncate(mode as u32)));
    finish(vm, done.map(|()| 0))
}

pub fn fchmod<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [fd, mode] = words(vm, args)?;
    let done = vm.machine.env().change_mode(fd as i32, Mode::from_bits_truncate(mode as u32));
    finish(vm, done.map(|()| 0))
}

/// What C calls PATH_MAX: the size that a caller's buffer must have.
const MAX_PATH: usize = 4096;

pub fn realpath<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name, buffer] = words(vm, args)?;
    if name == 0 {
        return no_pointer(vm, Errno::INVAL);
    }
    let name = area::string(vm, name)?;
    let mut resolved = match in_world(vm, |world| world.real_path(&name)) {
        Ok(path) if path.len() < MAX_PATH => path,
        Ok(_) => return no_pointer(vm, Errno::NAMETOOLONG),
        Err(error) => return no_pointer(vm, error),
    };
    resolved.push(0);
    let target = if buffer == 0 { alloc::allocate(vm, resolved.len() as u64)? } else { buffer };
    area::write(vm, target, &resolved)?;
    Ok(Flow::value(target))
}

fn no_pointer<M: Host>(vm: &mut Vm<'_, M>, error: Errno) -> Answer {
    set_errno(vm, error.raw_os_error())?;
    Ok(Flow::value(0))
}
