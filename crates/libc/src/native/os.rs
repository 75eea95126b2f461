//! The primitives that rt/*.c builds files, directories and time on. Those that fail return a negative errno value.

use super::area;
use super::{Answer, Host, printed, words};
use crate::stat;
use rustix::fs::{Access, AtFlags, CWD, Mode, SeekFrom};
use rustix::io::Errno;
use rustix::thread::NanosleepRelativeResult;
use rustix::time::{ClockId, Timespec};
use spelunk_vm::{Flow, Slot, Stop, Vm};

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

pub fn open<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name, flags, mode] = words(vm, args)?;
    let name = path(vm, name)?;
    result(vm.machine.env().open(&name, flags as u32, mode as u32).map(i64::from))
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
    if let Some(file) = vm.machine.env().file(&name) {
        let status = file.status();
        return put_status(vm, out, Ok(status));
    }
    let flags = if no_follow as u32 == 0 { AtFlags::empty() } else { AtFlags::SYMLINK_NOFOLLOW };
    put_status(vm, out, rustix::fs::statat(CWD, &name, flags).map(stat::Status::from))
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
    if vm.machine.env().unlink_file(&name) {
        return done(Ok(()));
    }
    done(vm.machine.env().change_host(|| rustix::fs::unlink(name)))
}

pub fn rmdir<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name] = words(vm, args)?;
    let name = path(vm, name)?;
    done(vm.machine.env().change_host(|| rustix::fs::rmdir(name)))
}

pub fn mkdir<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name, mode] = words(vm, args)?;
    let name = path(vm, name)?;
    done(vm.machine.env().change_host(|| rustix::fs::mkdir(name, Mode::from_bits_truncate(mode as u32))))
}

pub fn rename<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [from, to] = words(vm, args)?;
    let (from, to) = (path(vm, from)?, path(vm, to)?);
    done(vm.machine.env().change_host(|| rustix::fs::rename(from, to)))
}

pub fn access<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name, mode] = words(vm, args)?;
    let name = path(vm, name)?;
    if vm.machine.env().file(&name).is_some() {
        return done(Ok(()));
    }
    done(Access::from_bits(mode as u32).ok_or(Errno::INVAL).and_then(|mode| rustix::fs::access(&name, mode)))
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
    let name = match rustix::process::getcwd(Vec::new()) {
        Ok(name) => name.into_bytes_with_nul(),
        Err(error) => return result(Err(error)),
    };
    if name.len() as u64 > size {
        return result(Err(Errno::RANGE));
    }
    area::write(vm, buffer, &name)?;
    result(Ok(name.len() as i64))
}

pub fn chdir<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name] = words(vm, args)?;
    let name = path(vm, name)?;
    done(vm.machine.env().change_host(|| rustix::process::chdir(name)))
}

pub fn ftruncate<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [fd, len] = words(vm, args)?;
    let world = vm.machine.env();
    done(if (len as i64) < 0 { Err(Errno::INVAL) } else { world.truncate(fd as i32, len) })
}

pub fn getpid<M: Host>(_vm: &mut Vm<'_, M>, _args: &[Slot]) -> Answer {
    result(Ok(i64::from(rustix::process::getpid().as_raw_pid())))
}

/// `(clock, where the seconds go, where the nanoseconds go)`
pub fn clock<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [clock, seconds, nanoseconds] = words(vm, args)?;
    let Ok(clock) = ClockId::try_from(clock as i32) else { return result(Err(Errno::INVAL)) };
    let now = rustix::time::clock_gettime(clock);
    area::write(vm, seconds, &now.tv_sec.to_le_bytes())?;
    area::write(vm, nanoseconds, &now.tv_nsec.to_le_bytes())?;
    result(Ok(0))
}

pub fn sleep<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [seconds, nanoseconds] = words(vm, args)?;
    let mut left = Timespec { tv_sec: seconds as i64, tv_nsec: nanoseconds as i64 };
    loop {
        match rustix::thread::nanosleep(&left) {
            NanosleepRelativeResult::Ok => return result(Ok(0)),
            // The signal was not for the program.
            NanosleepRelativeResult::Interrupted(rest) => left = rest,
            NanosleepRelativeResult::Err(error) => return result(Err(error)),
        }
    }
}
