//! Reads and writes in areas that hold the outcome of copies, or nothing yet.

use super::Elements;
use crate::machine::ConcolicMachine;
use crate::machine::copies::widened;
use crate::machine::lazy::{Content, Layer, LazyBytes, MAX_DEPTH, Source, lazy_byte};
use spelunk_expr::ExprId;
use spelunk_vm::memory::{Memory, Word};
use spelunk_vm::{Access, BugKind};
use std::ops::Range;

/// What was read.
pub(super) enum Read {
    Value(ExprId),
    /// Nothing that was written.
    Undefined,
}

/// Whether a byte of an element belongs to a layer.
pub(super) fn is_layered(machine: &ConcolicMachine, memory: &Memory, elements: Elements) -> bool {
    let is_in_layer = |offset| {
        let number = memory.byte_of(elements.object, offset).1.and_then(|shadow| lazy_byte(shadow.expr));
        number.is_some_and(|number| machine.lazy.layer(number).is_some())
    };
    machine.lazy.has_layers() && range_of(memory, elements).any(is_in_layer)
}

/// Whether a layer can be put over elements.
pub(super) fn can_be_layered(machine: &mut ConcolicMachine, memory: &Memory, elements: Elements) -> bool {
    let below = Content::of_memory(machine, memory, elements.object, wide_range_of(memory, elements));
    below.is_some_and(|below| below.depth < MAX_DEPTH)
}

/// Where in their object elements are.
fn range_of(memory: &Memory, elements: Elements) -> Range<u64> {
    let first = elements.start - memory.object(elements.object).base();
    first..first + elements.n_bytes()
}

/// The same with the layers that they go on from.
fn wide_range_of(memory: &Memory, elements: Elements) -> Range<u64> {
    widened(memory, elements.object, range_of(memory, elements))
}

/// The place of an access, counted from the first element.
fn place_of(machine: &mut ConcolicMachine, access: Access, elements: Elements) -> ExprId {
    let addr = machine.rebased(access.addr);
    let start = machine.pool.mk_const(64, elements.start);
    machine.mk_difference(addr, start)
}

/// What an access reads; decides whether it is initialised.
pub(super) fn read_layered(
    machine: &mut ConcolicMachine,
    memory: &Memory,
    access: Access,
    elements: Elements,
) -> Option<Read> {
    let content = Content::of_memory(machine, memory, elements.object, range_of(memory, elements))?;
    let place = place_of(machine, access, elements);
    let mut value: Option<ExprId> = None;
    let mut defined = ExprId::TRUE;
    for i in 0..access.len {
        let i = machine.pool.mk_const(64, i);
        let place = machine.pool.mk_add(place, i);
        let byte = machine.content_byte(&content, place);
        value = Some(value.map_or(byte, |low| machine.pool.mk_concat(byte, low)));
        let is_defined = machine.content_defined(&content, place);
        defined = machine.pool.mk_and(defined, is_defined);
    }
    let is_defined = defined == ExprId::TRUE || machine.value(defined) != 0;
    let bad = machine.pool.mk_not(defined);
    machine.check(access.site, BugKind::Uninitialised, bad, !is_defined);
    Some(if is_defined { Read::Value(value?) } else { Read::Undefined })
}

/// Writes a word somewhere over elements.
pub(super) fn write_layered(
    machine: &mut ConcolicMachine,
    memory: &mut Memory,
    access: Access,
    elements: Elements,
    word: &Word,
) {
    let range = wide_range_of(memory, elements);
    let below = Content::of_memory(machine, memory, elements.object, range.clone()).expect("it was planned");
    let addr = machine.rebased(access.addr);
    let start = machine.pool.mk_const(64, memory.object(elements.object).base() + range.start);
    let at = machine.mk_difference(addr, start);
    let n = access.len as u32;
    let (len, offset) = (machine.pool.mk_const(64, access.len), machine.pool.mk_const(64, 0));
    let from = Source::Bytes { content: Content::of_word(machine, word, n), offset };
    let layer = Layer::new(below, at, len, from).expect("it was planned");
    let undef = if layer.may_be_undefined() { 0xff } else { 0 };
    let first = machine.lazy.add_layer(layer);
    let place = access.addr.val - memory.object(elements.object).base();
    let bytes = &word.val.to_le_bytes()[..n as usize];
    memory.carry_numbers(elements.object, range, LazyBytes::carried(first), undef, (place, bytes));
}
