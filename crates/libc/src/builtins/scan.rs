//! Lengths and searches of <string.h>.

use super::area::{self, UNBOUNDED};
use super::{Answer, words};
use memchr::{memchr, memchr2, memmem, memrchr};
use spelunk_vm::{Flow, Machine, Slot, Stop, Vm};

pub fn strlen<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [text] = words(vm, args)?;
    Ok(Flow::value(area::string_len(vm, text)?))
}

pub fn strnlen<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [text, max] = words(vm, args)?;
    Ok(Flow::value(area::string_len_within(vm, text, max)?))
}

/// Where the first `byte` or the end of the string is, and which of them.
fn find_or_end<M: Machine>(vm: &mut Vm<'_, M>, text: u64, byte: u8) -> Result<(u64, bool), Stop> {
    let mut is_match = false;
    let at = area::scan(vm, text, UNBOUNDED, |bytes| {
        let at = memchr2(byte, 0, bytes)?;
        is_match = bytes[at] == byte;
        Some(at)
    })?;
    Ok((text.wrapping_add(at.unwrap_or(0)), is_match))
}

pub fn strchr<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [text, byte] = words(vm, args)?;
    let (at, is_match) = find_or_end(vm, text, byte as u8)?;
    Ok(Flow::value(if is_match { at } else { 0 }))
}

pub fn strchrnul<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [text, byte] = words(vm, args)?;
    Ok(Flow::value(find_or_end(vm, text, byte as u8)?.0))
}

pub fn strrchr<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [text, byte] = words(vm, args)?;
    let mut found = None;
    area::scan(vm, text, UNBOUNDED, |bytes| {
        let end = memchr(0, bytes)?;
        found = memrchr(byte as u8, &bytes[..=end]);
        Some(end)
    })?;
    Ok(Flow::value(found.map_or(0, |at| text.wrapping_add(at as u64))))
}

pub fn strstr<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    find_text(vm, args, memmem::find)
}

pub fn strcasestr<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    find_text(vm, args, |text, needle| {
        text.windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle))
    })
}

fn find_text<M: Machine>(
    vm: &mut Vm<'_, M>,
    args: &[Slot],
    find: impl FnOnce(&[u8], &[u8]) -> Option<usize>,
) -> Answer {
    let [text, needle] = words(vm, args)?;
    let needle = area::string(vm, needle)?;
    if needle.is_empty() {
        area::string_len(vm, text)?;
        return Ok(Flow::value(text));
    }
    let mut found = None;
    area::scan(vm, text, UNBOUNDED, |bytes| {
        let end = memchr(0, bytes);
        found = find(&bytes[..end.unwrap_or(bytes.len())], &needle);
        found.map(|at| at + needle.len() - 1).or(end)
    })?;
    Ok(Flow::value(found.map_or(0, |at| text.wrapping_add(at as u64))))
}

/// A set of bytes. The end of a string is in none.
struct ByteSet([bool; 256]);

impl ByteSet {
    fn of_string<M: Machine>(vm: &mut Vm<'_, M>, addr: u64) -> Result<Self, Stop> {
        let mut set = [false; 256];
        for byte in area::string(vm, addr)? {
            set[usize::from(byte)] = true;
        }
        Ok(Self(set))
    }

    /// How many bytes of the string, from its start, are in the set.
    fn span<M: Machine>(&self, vm: &mut Vm<'_, M>, text: u64) -> Result<u64, Stop> {
        let end = |bytes: &[u8]| bytes.iter().position(|&byte| !self.0[usize::from(byte)]);
        Ok(area::scan(vm, text, UNBOUNDED, end)?.unwrap_or(0))
    }

    /// How many bytes come before the first one in the set or the end, and whether it is in the set.
    fn span_until<M: Machine>(&self, vm: &mut Vm<'_, M>, text: u64) -> Result<(u64, bool), Stop> {
        let mut is_member = false;
        let len = area::scan(vm, text, UNBOUNDED, |bytes| {
            let at = bytes.iter().position(|&byte| byte == 0 || self.0[usize::from(byte)])?;
            is_member = bytes[at] != 0;
            Some(at)
        })?;
        Ok((len.unwrap_or(0), is_member))
    }
}

pub fn strspn<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [text, accepted] = words(vm, args)?;
    let len = ByteSet::of_string(vm, accepted)?.span(vm, text)?;
    Ok(Flow::value(len))
}

pub fn strcspn<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [text, rejected] = words(vm, args)?;
    let (len, _) = ByteSet::of_string(vm, rejected)?.span_until(vm, text)?;
    Ok(Flow::value(len))
}

pub fn strpbrk<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [text, wanted] = words(vm, args)?;
    let (len, is_member) = ByteSet::of_string(vm, wanted)?.span_until(vm, text)?;
    Ok(Flow::value(if is_member { text.wrapping_add(len) } else { 0 }))
}
