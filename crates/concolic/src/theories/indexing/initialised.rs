//! Which of several elements are initialised.

use super::{Elements, MAX_ELEMENTS};
use spelunk_vm::memory::Memory;

/// Which elements are initialised.
pub(super) struct Initialised {
    /// From the first to the last, in order.
    pub ranges: Vec<(u64, u64)>,
    pub others: Others,
}

/// The elements that are not initialised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Others {
    None,
    /// No bit of any is.
    Unwritten,
    /// Some bits of some are.
    Mixed,
}

/// `None` if that can't be said briefly.
pub(super) fn initialised(memory: &Memory, elements: Elements) -> Option<Initialised> {
    const MAX_RANGES: usize = 8;
    if elements.count > MAX_ELEMENTS {
        return None;
    }
    if is_plain(memory, elements) {
        return Some(Initialised { ranges: vec![(0, elements.count - 1)], others: Others::None });
    }
    let mut found = Initialised { ranges: Vec::new(), others: Others::None };
    let nothing = spelunk_bv::int::mask(8 * elements.n_bytes);
    for number in 0..elements.count {
        let word = memory.load_word_open(elements.addr(number), elements.n_bytes).ok()?;
        if word.undef != 0 {
            let is_mixed = word.undef != nothing || found.others == Others::Mixed;
            found.others = if is_mixed { Others::Mixed } else { Others::Unwritten };
            continue;
        }
        match found.ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => found.ranges.push((number, number)),
        }
    }
    (found.ranges.len() <= MAX_RANGES).then_some(found)
}

/// Whether all elements are initialised and concrete.
fn is_plain(memory: &Memory, elements: Elements) -> bool {
    let first = elements.start - memory.object(elements.object).base();
    memory.not_plain_from(elements.object, first..first + elements.n_bytes()).is_none()
}

pub(super) fn are_initialised(memory: &Memory, elements: Elements) -> bool {
    let is_initialised =
        |number| memory.load_word_open(elements.addr(number), elements.n_bytes).is_ok_and(|word| word.undef == 0);
    is_plain(memory, elements) || (0..elements.count).all(is_initialised)
}
