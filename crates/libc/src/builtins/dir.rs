//! Directories of <dirent.h>. A `DIR` is a heap object that holds the entry read last; the rest is in the world.

use super::area;
use super::outside::in_world;
use super::posix::finish;
use super::{Answer, Host, alloc, set_errno, words};
use crate::directory::ENTRY_SIZE;
use rustix::io::Errno;
use spelunk_vm::{Flow, Slot, Stop, Vm};

pub fn opendir<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [name] = words(vm, args)?;
    let name = area::string(vm, name)?;
    let opened = in_world(vm, |world| world.open_directory(&name));
    stream_over(vm, opened)
}

pub fn fdopendir<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [fd] = words(vm, args)?;
    stream_over(vm, Ok(fd as i32))
}

fn stream_over<M: Host>(vm: &mut Vm<'_, M>, fd: Result<i32, Errno>) -> Answer {
    let directory = fd.and_then(|fd| vm.machine.env().directory(fd));
    let directory = match directory {
        Ok(directory) => directory,
        Err(error) => {
            set_errno(vm, error.raw_os_error())?;
            return Ok(Flow::value(0));
        }
    };
    let addr = alloc::allocate(vm, ENTRY_SIZE as u64)?;
    vm.machine.env().directories.insert(addr, directory);
    Ok(Flow::value(addr))
}

/// Ends the path if the stream's memory is not there; `false` if it is not a stream.
fn check_stream<M: Host>(vm: &mut Vm<'_, M>, addr: u64) -> Result<bool, Stop> {
    area::check_write(vm, addr, ENTRY_SIZE as u64)?;
    Ok(vm.machine.env().directories.contains_key(&addr))
}

pub fn readdir<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [stream] = words(vm, args)?;
    if !check_stream(vm, stream)? {
        set_errno(vm, Errno::BADF.raw_os_error())?;
        return Ok(Flow::value(0));
    }
    let next = vm.machine.env().directories.get_mut(&stream).and_then(|directory| {
        let entry = directory.entries.get(directory.position).copied();
        directory.position += usize::from(entry.is_some());
        entry
    });
    let Some(entry) = next else { return Ok(Flow::value(0)) };
    area::write(vm, stream, &entry)?;
    Ok(Flow::value(stream))
}

pub fn closedir<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [stream] = words(vm, args)?;
    check_stream(vm, stream)?;
    let Some(directory) = vm.machine.env().directories.remove(&stream) else { return finish(vm, Err(Errno::BADF)) };
    alloc::release(vm, stream)?;
    let closed = vm.machine.env().close(directory.fd);
    finish(vm, closed.map(|()| 0))
}

pub fn rewinddir<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [stream] = words(vm, args)?;
    check_stream(vm, stream)?;
    let world = vm.machine.env();
    if let Some(fd) = world.directories.get(&stream).map(|directory| directory.fd)
        && let Ok(directory) = world.directory(fd)
    {
        world.directories.insert(stream, directory);
    }
    Ok(Flow::VOID)
}

pub fn telldir<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [stream] = words(vm, args)?;
    check_stream(vm, stream)?;
    let position = vm.machine.env().directories.get(&stream).map(|directory| directory.position as u64);
    finish(vm, position.ok_or(Errno::BADF))
}

pub fn seekdir<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [stream, position] = words(vm, args)?;
    check_stream(vm, stream)?;
    if let Some(directory) = vm.machine.env().directories.get_mut(&stream) {
        directory.position = (position as usize).min(directory.entries.len());
    }
    Ok(Flow::VOID)
}

pub fn dirfd<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [stream] = words(vm, args)?;
    check_stream(vm, stream)?;
    let fd = vm.machine.env().directories.get(&stream).map(|directory| directory.fd as u64);
    finish(vm, fd.ok_or(Errno::INVAL))
}
