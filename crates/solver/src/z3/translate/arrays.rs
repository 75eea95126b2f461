//! Arrays. What reads a constant table becomes a choice by the bits of the index, which bit-blasts to a few
//! multiplexers; only what is written to, or unknown, is an array to Z3.

use spelunk_expr::{ExprId, ExprPool, Node, Op, Sort as ExprSort};
use z3::Sort;
use z3::ast::{Array, BV, Bool};

use super::Translator;

impl Translator {
    pub(super) fn array_term(&self, pool: &ExprPool, id: ExprId, node: Node) -> Array {
        let ExprSort::Array { index_width, elem_width } = pool.sort(id) else {
            unreachable!("{} makes an array", node.op().name())
        };
        let index_sort = Sort::bitvector(index_width);
        match node.op() {
            Op::ArrayVar => Array::new_const(node.var().0, &index_sort, &Sort::bitvector(elem_width)),
            Op::ConstArray => Array::const_array(&index_sort, &self.bits(node.arg(0))),
            Op::Store => self.array(node.arg(0)).store(&self.bits(node.arg(1)), &self.bits(node.arg(2))),
            _ => {
                let zeros = Array::const_array(&index_sort, &BV::from_u64(0, elem_width));
                elements(pool, id).fold(zeros, |array, (index, elem)| {
                    array.store(&BV::from_u64(index, index_width), &BV::from_u64(elem, elem_width))
                })
            }
        }
    }

    pub(super) fn select_term(&self, pool: &ExprPool, node: Node) -> BV {
        let index = self.bits(node.arg(1));
        if pool.op(node.arg(0)) == Op::Table {
            return table_read(pool, node, &index);
        }
        let elem = self.array(node.arg(0)).select(&index);
        elem.as_bv().expect("elements are bit-vectors")
    }
}

/// The elements of a table that are not zero, with their indices.
fn elements(pool: &ExprPool, table: ExprId) -> impl Iterator<Item = (u64, u64)> + '_ {
    let elements = (0..pool.table_len(table)).map(move |index| (index, pool.table_element(table, index)));
    elements.filter(|&(_, elem)| elem != 0)
}

fn table_read(pool: &ExprPool, read: Node, index: &BV) -> BV {
    let (table, index_width) = (read.arg(0), pool.width(read.arg(1)));
    let len = pool.table_len(table);
    let n_bits = (u64::BITS - len.saturating_sub(1).leading_zeros()).min(index_width);
    let tree = TableTree {
        bits: (0..n_bits).map(|at| index.extract(at, at).eq(BV::from_u64(1, 1))).collect(),
        elements: (0..len).map(|index| pool.table_element(table, index)).collect(),
        elem_width: read.width(),
    };
    let inside = tree.read(0, n_bits as usize);
    if n_bits == index_width {
        return inside;
    }
    let beyond = index.extract(index_width - 1, n_bits).ne(BV::from_u64(0, index_width - n_bits));
    beyond.ite(&BV::from_u64(0, read.width()), &inside)
}

struct TableTree {
    /// The low bits of the index, as many as the elements need.
    bits: Vec<Bool>,
    elements: Vec<u64>,
    elem_width: u32,
}

impl TableTree {
    /// The element among the `2^n_bits` from `first` on that the low bits of the index choose.
    fn read(&self, first: usize, n_bits: usize) -> BV {
        let elements = (first..first + (1 << n_bits)).map(|at| self.elements.get(at).copied().unwrap_or(0));
        let mut distinct = elements.clone().skip(1);
        let elem = self.elements.get(first).copied().unwrap_or(0);
        if distinct.all(|other| other == elem) {
            return BV::from_u64(elem, self.elem_width);
        }
        let low = self.read(first, n_bits - 1);
        let high = self.read(first + (1 << (n_bits - 1)), n_bits - 1);
        self.bits[n_bits - 1].ite(&high, &low)
    }
}
