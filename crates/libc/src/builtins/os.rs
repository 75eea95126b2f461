//! The primitives that rt/*.c builds files, directories and time on. Those that fail return a negative errno value.

use super::area;
use super::outside::{self, in_world};
use super::{Answer, Host, printed, words};
use crate::stat;
use rustix::fs::{AtFlags, SeekFrom};
use rustix::io::Errno;
use rustix::time::ClockId;
use spelunk_vm::{Flow, Outside, Slot, Stop, Vm};

/// A result in the kernel's convention.
fn result(done: Result<i64, Errno>) -> Answer {
    let value = done.unwrap_or_else(|error| -i64::from(error.raw_os_error()));
    Ok(Flow::value(value as u64))
}

fn done(done: Result<(), Errno>) -> Answer {
    result(done.map(|()| 0))
}

fn path<M: Host>(vm: &mut Vm<'_, M>, addr: u64) -> Result<Vec<u8>, Stop> {
    area::string(vm, addr)
}

/// What `rt.h` calls RT_FRESH: the library has chosen a name that nobody uses.
const FRESH: u32 = 1 << 30;

pub fn open<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name, flags, mode] = words(vm, args)?;
    let name = path(vm, name)?;
    let opened = in_world(vm, |world| {
        let opened = world.open(&name, flags as u32 & !FRESH, mode as u32);
        if flags as u32 & FRESH != 0 {
            world.take_host_path();
        }
        opened
    });
    result(opened.map(i64::from))
}

pub fn read<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [fd, buffer, n] = words(vm, args)?;
    area::check_write(vm, buffer, n)?;
    let mut bytes = vec![0; n as usize];
    match vm.machine.env().read(fd as i32, &mut bytes) {
        Ok(n_read) => {
            let carried = vm.machine.env().carried_before(fd as i32, n_read).map(<[_]>::to_vec);
            area::write_carrying(vm, buffer, &bytes[..n_read], &carried.unwrap_or_default())?;
            result(Ok(n_read as i64))
        }
        Err(error) => result(Err(error)),
    }
}

/// Whether a descriptor leads to a device of random bytes, which are input: nobody reads from it here.
pub fn random<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [fd] = words(vm, args)?;
    Ok(Flow::value(u64::from(vm.machine.env().is_random(fd as i32))))
}

/// Whether what is written to a descriptor can be read again, with what it carries.
pub fn keeps<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [fd] = words(vm, args)?;
    Ok(Flow::value(u64::from(vm.machine.env().keeps_carried(fd as i32))))
}

const DATA_WRITTEN: &str = "the data written";

pub fn write<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [fd, data, n] = words(vm, args)?;
    let bytes = if n == 0 {
        &[]
    } else {
        vm.check_initialised(data, n, DATA_WRITTEN)?;
        match vm.memory.bytes(data, n) {
            Ok(bytes) => bytes,
            Err(fault) => return vm.fault(fault, "read"),
        }
    };
    let written = vm.machine.env().write(fd as i32, bytes);
    if let Ok(n_written) = written
        && vm.machine.env().keeps_carried(fd as i32)
    {
        let carried = area::carried(vm, data, n_written as u64)?;
        vm.machine.env().set_carried_before(fd as i32, &carried);
    }
    result(written.map(|n_written| n_written as i64))
}

pub fn check_output<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [data, n] = words(vm, args)?;
    if n > 0 {
        vm.check_initialised(data, n, DATA_WRITTEN)?;
    }
    Ok(Flow::VOID)
}

pub fn check_character<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    printed(vm, args, "the character written")?;
    Ok(Flow::VOID)
}

pub fn close<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [fd] = words(vm, args)?;
    done(vm.machine.env().close(fd as i32))
}

pub fn lseek<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [fd, offset, whence] = words(vm, args)?;
    let offset = offset as i64;
    let to = match whence as i32 {
        0 => u64::try_from(offset).map(SeekFrom::Start).map_err(|_| Errno::INVAL),
        1 => Ok(SeekFrom::Current(offset)),
        2 => Ok(SeekFrom::End(offset)),
        _ => Err(Errno::INVAL),
    };
    let world = vm.machine.env();
    result(to.and_then(|to| world.seek(fd as i32, to)).map(|position| position as i64))
}

pub fn stat<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name, out, no_follow] = words(vm, args)?;
    let name = path(vm, name)?;
    let flags = if no_follow as u32 == 0 { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
    let status = in_world(vm, |world| world.status_at(&name, flags));
    put_status(vm, out, status)
}

pub fn fstat<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [fd, out] = words(vm, args)?;
    let status = vm.machine.env().status(fd as i32);
    put_status(vm, out, status)
}

fn put_status<M: Host>(vm: &mut Vm<'_, M>, out: u64, status: Result<stat::Status, Errno>) -> Answer {
    area::check_write(vm, out, stat::SIZE)?;
    if let Ok(status) = &status {
        area::write(vm, out, status.as_bytes())?;
    }
    done(status.map(drop))
}

pub fn isatty<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [fd] = words(vm, args)?;
    let is_terminal = vm.machine.env().is_terminal(fd as i32);
    result(is_terminal.and_then(|is_terminal| if is_terminal { Ok(1) } else { Err(Errno::NOTTY) }))
}

pub fn unlink<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name] = words(vm, args)?;
    let name = path(vm, name)?;
    done(in_world(vm, |world| world.unlink(&name)))
}

pub fn rmdir<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name] = words(vm, args)?;
    let name = path(vm, name)?;
    done(in_world(vm, |world| world.rmdir(&name)))
}

pub fn mkdir<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name, mode] = words(vm, args)?;
    let name = path(vm, name)?;
    done(in_world(vm, |world| world.mkdir(&name, mode as u32)))
}

pub fn rename<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [from, to] = words(vm, args)?;
    let (from, to) = (path(vm, from)?, path(vm, to)?);
    done(in_world(vm, |world| world.rename(&from, &to)))
}

pub fn access<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name, mode] = words(vm, args)?;
    let name = path(vm, name)?;
    done(in_world(vm, |world| world.access(&name, mode as u32)))
}

pub fn dup<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [fd] = words(vm, args)?;
    result(vm.machine.env().dup(fd as i32).map(i64::from))
}

pub fn dup2<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [from, to] = words(vm, args)?;
    result(vm.machine.env().dup2(from as i32, to as i32).map(i64::from))
}

/// The length of the path with its end, as the kernel counts it.
pub fn getcwd<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [buffer, size] = words(vm, args)?;
    let name = vm.machine.env().current_directory();
    outside::one_answer(vm, Outside::Here, "the current directory is that of this campaign");
    put_path(vm, buffer, size, name)
}

/// The same for the directory that a descriptor leads to.
pub fn directory<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [fd, buffer, size] = words(vm, args)?;
    let name = vm.machine.env().directory_path(fd as i32);
    put_path(vm, buffer, size, name)
}

fn put_path<M: Host>(vm: &mut Vm<'_, M>, buffer: u64, size: u64, name: Result<Vec<u8>, Errno>) -> Answer {
    let mut name = match name {
        Ok(name) => name,
        Err(error) => return result(Err(error)),
    };
    name.push(0);
    if name.len() as u64 > size {
        return result(Err(Errno::RANGE));
    }
    area::write(vm, buffer, &name)?;
    result(Ok(name.len() as i64))
}

pub fn chdir<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name] = words(vm, args)?;
    let name = path(vm, name)?;
    done(in_world(vm, |world| world.chdir(&name)))
}

pub fn ftruncate<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [fd, len] = words(vm, args)?;
    let world = vm.machine.env();
    done(if (len as i64) < 0 { Err(Errno::INVAL) } else { world.truncate(fd as i32, len) })
}

pub fn getpid<M: Host>(vm: &mut Vm<'_, M>, _args: &[Slot]) -> Answer {
    result(Ok(i64::from(vm.machine.env().process_id())))
}

/// `(clock, where the seconds go, where the nanoseconds go)`
pub fn clock<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [clock, seconds, nanoseconds] = words(vm, args)?;
    let Ok(clock) = ClockId::try_from(clock as i32) else { return result(Err(Errno::INVAL)) };
    let now = vm.machine.env().clock.now(clock);
    outside::one_answer(vm, Outside::OneAnswer, "time begins in September 2001 in every run");
    area::write(vm, seconds, &now.0.to_le_bytes())?;
    area::write(vm, nanoseconds, &now.1.to_le_bytes())?;
    result(Ok(0))
}

pub fn sleep<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [seconds, nanoseconds] = words(vm, args)?;
    done(vm.machine.env().clock.sleep(seconds as i64, nanoseconds as i64))
}
