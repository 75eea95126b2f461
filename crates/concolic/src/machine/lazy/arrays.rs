//! Arrays whose elements are read on demand.

use super::{Kind, LazyBytes, lazy_byte};
use spelunk_expr::{ExprId, ExprPool};
use spelunk_vm::Carried;

/// The elements of an array as they lie in memory. Bytes between elements have no number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements {
    pub array: ExprId,
    pub elem_bytes: u32,
    pub index_bits: u32,
}

impl LazyBytes {
    /// Adds an array of `count` elements; the number of its first byte.
    pub fn add_array(&mut self, count: u32, elements: Elements) -> u32 {
        self.add(count * elements.elem_bytes, Kind::Array(elements))
    }

    /// The element that a byte of an array belongs to, and which of its bytes it is.
    pub fn element(&self, pool: &mut ExprPool, number: u32) -> Option<(ExprId, u8)> {
        let version = self.version(number);
        let Kind::Array(elements) = version.kind else { return None };
        let at = number - version.first;
        let index = pool.mk_const(elements.index_bits, u64::from(at / elements.elem_bytes));
        Some((pool.mk_select(elements.array, index), (at % elements.elem_bytes) as u8))
    }

    /// The array of which memory carries the first byte of element `index` here, if it has elements like that.
    pub fn array_at(&self, carried: Carried, index: u64, elem_bytes: u32, index_bits: u32) -> Option<(ExprId, u32)> {
        let number = lazy_byte(carried)?;
        let version = self.version(number);
        let Kind::Array(elements) = version.kind else { return None };
        let is_same = elements.elem_bytes == elem_bytes
            && elements.index_bits == index_bits
            && u64::from(number - version.first) == index * u64::from(elem_bytes);
        is_same.then_some((elements.array, version.first))
    }
}
