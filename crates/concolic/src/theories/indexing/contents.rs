//! Several elements as one expression.

use super::{Elements, MAX_CHOICES, joined_or_constant, word_at};
use crate::machine::ConcolicMachine;
use crate::machine::lazy::LazyBytes;
use spelunk_expr::ExprId;
use spelunk_vm::Carried;
use spelunk_vm::memory::Memory;

/// The array that most of the elements belong to since an earlier write at a symbolic place.
pub(super) fn earlier_array(machine: &ConcolicMachine, memory: &Memory, elements: Elements) -> Option<(ExprId, u32)> {
    let carried =
        |number| memory.load_word_open(elements.addr(number), 1).map_or(Carried::NONE, |word| word.exprs[0].0);
    // Those that were written since are few, or the array would not be worth keeping.
    (0..elements.count.min(MAX_CHOICES))
        .find_map(|number| machine.lazy.array_at(carried(number), number, elements.n_bytes, elements.index_bits()))
}

/// An array with the elements that are no longer its own replaced.
pub(super) fn mk_changed(
    machine: &mut ConcolicMachine,
    memory: &Memory,
    elements: Elements,
    mut array: ExprId,
    first: u32,
) -> ExprId {
    let n = elements.n_bytes;
    for number in 0..elements.count {
        let word = word_at(machine, memory, elements.addr(number), n);
        let own = |i: u32| (LazyBytes::carried(first + number as u32 * n + i), 0);
        if (0..n).any(|i| word.exprs[i as usize] != own(i)) {
            let at = machine.pool.mk_const(elements.index_bits(), number);
            let value = joined_or_constant(machine, &word, n);
            array = machine.pool.mk_store(array, at, value);
        }
    }
    array
}

/// A table of the concrete elements, with the others written into it.
pub(super) fn mk_new_array(machine: &mut ConcolicMachine, memory: &Memory, elements: Elements) -> ExprId {
    let n = elements.n_bytes as usize;
    let mut bytes = Vec::with_capacity(elements.count as usize * n);
    let mut symbolic = Vec::new();
    for number in 0..elements.count {
        let word = word_at(machine, memory, elements.addr(number), elements.n_bytes);
        if word.has_expr() {
            symbolic.push((number, word));
            bytes.extend_from_slice(&[0; 8][..n]);
        } else {
            bytes.extend_from_slice(&word.val.to_le_bytes()[..n]);
        }
    }
    let index_bits = elements.index_bits();
    let mut array = machine.pool.mk_table(index_bits, 8 * elements.n_bytes, &bytes);
    for (number, word) in symbolic {
        let at = machine.pool.mk_const(index_bits, number);
        let value = machine.joined(&word, elements.n_bytes);
        array = machine.pool.mk_store(array, at, value);
    }
    array
}
