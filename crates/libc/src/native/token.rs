//! Functions that cut a string into tokens.

use super::area;
use super::scan::ByteSet;
use super::{Answer, Host, words};
use spelunk_vm::{Flow, Machine, Slot, Stop, Vm};

/// A token, null if there is none, and where to look for the next one.
struct Cut {
    token: u64,
    rest: u64,
}

/// Skips delimiters, then ends the token at the next one.
fn cut_token<M: Machine>(vm: &mut Vm<'_, M>, text: u64, delimiters: u64) -> Result<Cut, Stop> {
    let set = ByteSet::of_string(vm, delimiters)?;
    let token = text.wrapping_add(set.span(vm, text)?);
    let (len, is_delimited) = set.span_until(vm, token)?;
    let end = token.wrapping_add(len);
    if len == 0 {
        return Ok(Cut { token: 0, rest: end });
    }
    if !is_delimited {
        return Ok(Cut { token, rest: end });
    }
    area::fill(vm, end, 0, 1)?;
    Ok(Cut { token, rest: end.wrapping_add(1) })
}

pub fn strtok<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [text, delimiters] = words(vm, args)?;
    let text = if text == 0 { vm.machine.env().strtok_rest } else { text };
    let cut = cut_token(vm, text, delimiters)?;
    vm.machine.env().strtok_rest = cut.rest;
    Ok(Flow::value(cut.token))
}

pub fn strtok_r<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [text, delimiters, rest_at] = words(vm, args)?;
    let text = if text == 0 { area::read_pointer(vm, rest_at)? } else { text };
    let cut = cut_token(vm, text, delimiters)?;
    area::write(vm, rest_at, &cut.rest.to_le_bytes())?;
    Ok(Flow::value(cut.token))
}

pub fn strsep<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [text_at, delimiters] = words(vm, args)?;
    let token = area::read_pointer(vm, text_at)?;
    if token == 0 {
        return Ok(Flow::value(0));
    }
    let (len, is_delimited) = ByteSet::of_string(vm, delimiters)?.span_until(vm, token)?;
    let end = token.wrapping_add(len);
    let mut rest = 0;
    if is_delimited {
        area::fill(vm, end, 0, 1)?;
        rest = end.wrapping_add(1);
    }
    area::write(vm, text_at, &rest.to_le_bytes())?;
    Ok(Flow::value(token))
}
