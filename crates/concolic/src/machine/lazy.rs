//! Contents of large objects after a write at a symbolic place: an array expression, whose elements are read on demand.
//!
//! As with input, memory carries numbers, and only those bytes that are read become expressions.

use crate::journal::Entry;
use spelunk_expr::{ExprId, ExprPool};
use spelunk_vm::Carried;

/// What tells these numbers from expressions and from input bytes.
const MARKER: u32 = 0b11 << 30;

/// The elements of an array as they lie in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Version {
    array: ExprId,
    /// The number of the first byte of the first element. Bytes between elements have none.
    first: u32,
    /// Of all elements together.
    n_bytes: u32,
    elem_bytes: u32,
    index_bits: u32,
}

impl Entry for Version {
    fn visit_exprs(&self, visit: &mut dyn FnMut(ExprId)) {
        visit(self.array);
    }
}

/// All arrays of a run, oldest first.
#[derive(Debug, Default)]
pub(crate) struct LazyArrays {
    pub versions: Vec<Version>,
    n_numbers: u32,
}

/// The number of the byte of an array that memory carries, if it does.
pub(super) fn array_byte(carried: Carried) -> Option<u32> {
    (carried.0 & MARKER == MARKER).then_some(carried.0 & !MARKER)
}

impl LazyArrays {
    /// Goes back to when there were these.
    pub fn restore(&mut self, versions: &[Version]) {
        self.versions.clear();
        self.versions.extend_from_slice(versions);
        self.n_numbers = self.versions.last().map_or(0, |last| last.first + last.n_bytes);
    }

    /// Whether there are numbers left for so many bytes.
    pub fn has_room(&self, n_bytes: u64) -> bool {
        u64::from(self.n_numbers) + n_bytes < u64::from(!MARKER)
    }

    /// Adds an array of `count` elements; the number of its first byte.
    pub fn add(&mut self, array: ExprId, count: u32, elem_bytes: u32, index_bits: u32) -> u32 {
        let first = self.n_numbers;
        let n_bytes = count * elem_bytes;
        self.versions.push(Version { array, first, n_bytes, elem_bytes, index_bits });
        self.n_numbers += n_bytes;
        first
    }

    /// What memory carries for a byte.
    pub fn carried(number: u32) -> Carried {
        Carried(MARKER | number)
    }

    fn version(&self, number: u32) -> Version {
        self.versions[self.versions.partition_point(|version| version.first <= number) - 1]
    }

    /// The element that a byte belongs to, and which of its bytes it is.
    pub fn element(&self, pool: &mut ExprPool, number: u32) -> (ExprId, u8) {
        let version = self.version(number);
        let at = number - version.first;
        let index = pool.mk_const(version.index_bits, u64::from(at / version.elem_bytes));
        (pool.mk_select(version.array, index), (at % version.elem_bytes) as u8)
    }

    /// The array of which memory carries the first byte of element `index` here, if it has elements like that.
    pub fn array_at(&self, carried: Carried, index: u64, elem_bytes: u32, index_bits: u32) -> Option<(ExprId, u32)> {
        let number = array_byte(carried)?;
        let version = self.version(number);
        let is_same = version.elem_bytes == elem_bytes
            && version.index_bits == index_bits
            && u64::from(number - version.first) == index * u64::from(elem_bytes);
        is_same.then_some((version.array, version.first))
    }
}
