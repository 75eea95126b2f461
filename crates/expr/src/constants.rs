//! Constants of any width, constant tables, and folding.
//!
//! Up to 64 bits a constant is in its node; beyond that, and for tables, the node says where the contents are. What
//! operations on constants yield is in `semantics`.

use spelunk_bv::{int, wide};

use crate::facts::FactsId;
use crate::id_table::Key;
use crate::node::{ExprId, Node, hash_words};
use crate::op::Op;
use crate::pool::{ExprPool, assert_array_widths, assert_width};
use crate::semantics;
use crate::value::Value;

/// The elements of a constant table, each in as many little-endian bytes as it needs.
pub(crate) struct TableData {
    pub bytes: Box<[u8]>,
}

impl TableData {
    pub fn element(&self, elem_width: u32, index: u64) -> u64 {
        let size = elem_width.div_ceil(8) as usize;
        let Some(at) = usize::try_from(index).ok().and_then(|index| index.checked_mul(size)) else { return 0 };
        let Some(bytes) = self.bytes.get(at..).and_then(|rest| rest.get(..size)) else { return 0 };
        int::trunc(elem_width, bytes.iter().rev().fold(0, |high, &byte| high << 8 | byte as u64))
    }
}

impl ExprPool {
    /// The low bits of a number as a constant.
    pub fn mk_const(&mut self, width: u32, value: u64) -> ExprId {
        if width > 64 {
            return self.mk_const_limbs(width, &[value]);
        }
        assert_width(width);
        let value = int::trunc(width, value);
        self.intern(Node::new(Op::Const, width, [value as u32, (value >> 32) as u32, 0]))
    }

    pub const fn mk_bool(&self, value: bool) -> ExprId {
        if value { ExprId::TRUE } else { ExprId::FALSE }
    }

    pub fn mk_value(&mut self, value: &Value) -> ExprId {
        self.mk_const_limbs(value.width(), value.limbs())
    }

    /// The low bits of a number whose missing limbs are zero.
    pub fn mk_const_limbs(&mut self, width: u32, limbs: &[u64]) -> ExprId {
        if width <= 64 {
            return self.mk_const(width, limbs[0]);
        }
        assert_width(width);
        let value = Value::from_limbs(width, limbs);
        let limbs = value.limbs();
        let key = wide_const_key(width, limbs);
        let is_same = |id: u32| {
            let node = self.nodes[id as usize];
            node.op() == Op::WideConst && node.width() == width && self.wide_limbs(node) == limbs
        };
        if let Some(id) = self.unique.find(key, is_same) {
            return ExprId::from_raw(id);
        }
        let start = u32::try_from(self.limbs.len()).expect("wide constants fit in 32 GiB");
        self.limbs.extend_from_slice(limbs);
        self.add(Node::new(Op::WideConst, width, [start, 0, 0]), key, FactsId::NOTHING)
    }

    /// A constant array: the elements in order, each in as many little-endian bytes as it needs, zeros beyond them.
    /// Elements that no index reaches are left out.
    pub fn mk_table(&mut self, index_width: u32, elem_width: u32, bytes: &[u8]) -> ExprId {
        assert_array_widths(index_width, elem_width);
        let n_bytes = 1usize.checked_shl(index_width).and_then(|n| n.checked_mul(elem_width.div_ceil(8) as usize));
        let bytes = n_bytes.and_then(|n| bytes.get(..n)).unwrap_or(bytes);
        let node = Node::new(Op::Table, elem_width, [0, index_width, 0]);
        let key = table_key(node, bytes);
        let is_same = |id: u32| {
            let other = self.nodes[id as usize];
            other.with_word_0(0) == node && *self.tables[other.word(0) as usize].bytes == *bytes
        };
        if let Some(id) = self.unique.find(key, is_same) {
            return ExprId::from_raw(id);
        }
        self.tables.push(TableData { bytes: bytes.into() });
        self.add(node.with_word_0(self.tables.len() as u32 - 1), key, FactsId::NOTHING)
    }

    pub(crate) fn wide_limbs(&self, node: Node) -> &[u64] {
        let start = node.word(0) as usize;
        &self.limbs[start..start + wide::n_limbs(node.width())]
    }

    /// The element of a constant table.
    pub fn table_element(&self, table: ExprId, index: u64) -> u64 {
        let node = self.node(table);
        debug_assert_eq!(node.op(), Op::Table);
        self.tables[node.word(0) as usize].element(node.width(), index)
    }

    /// How many elements of a constant table are given; those beyond are zero.
    pub fn table_len(&self, table: ExprId) -> u64 {
        let node = self.node(table);
        debug_assert_eq!(node.op(), Op::Table);
        self.tables[node.word(0) as usize].bytes.len() as u64 / node.width().div_ceil(8) as u64
    }

    /// The value of a constant of at most 64 bits.
    #[inline(always)]
    pub fn as_const(&self, id: ExprId) -> Option<u64> {
        let node = self.node(id);
        (node.op() == Op::Const).then(|| node.const_value())
    }

    /// The value of a constant of any width.
    pub fn as_value(&self, id: ExprId) -> Option<Value> {
        let node = self.node(id);
        match node.op() {
            Op::Const => Some(Value::new(node.width(), node.const_value())),
            Op::WideConst => Some(Value::from_limbs(node.width(), self.wide_limbs(node))),
            _ => None,
        }
    }

    #[inline(always)]
    pub fn is_const(&self, id: ExprId) -> bool {
        self.op(id).is_const()
    }

    /// The constant that a node with constant operands is.
    pub(crate) fn fold(&mut self, node: Node) -> Option<ExprId> {
        let mut values = [0; 3];
        let mut is_narrow = node.width() <= 64;
        for (value, arg) in values.iter_mut().zip(node.args()) {
            let arg = self.node(arg);
            match arg.op() {
                Op::Const => *value = arg.const_value(),
                Op::WideConst => is_narrow = false,
                _ => return None,
            }
        }
        if !is_narrow {
            return Some(self.fold_wide(node));
        }
        let value = semantics::eval_narrow(node, self.width(node.arg(0)), values);
        Some(self.mk_const(node.width(), value))
    }

    #[cold]
    fn fold_wide(&mut self, node: Node) -> ExprId {
        let mut values = [const { None }; 3];
        for (value, arg) in values.iter_mut().zip(node.args()) {
            *value = self.as_value(arg);
        }
        let limbs = values.each_ref().map(|value| value.as_ref().map_or(&[][..], Value::limbs));
        let mut out = vec![0; wide::n_limbs(node.width())];
        semantics::eval_wide(node, self.width(node.arg(0)), limbs, &mut out);
        self.mk_const_limbs(node.width(), &out)
    }
}

pub(crate) fn wide_const_key(width: u32, limbs: &[u64]) -> Key {
    Key::of_hash(hash_words(width, limbs))
}

pub(crate) fn table_key(node: Node, bytes: &[u8]) -> Key {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |high, &byte| high << 8 | byte as u64);
    let seed = node.with_word_0(0).key().hash;
    Key::of_hash(bytes.chunks(8).fold(seed, |hash, chunk| hash_words(hash, &[word(chunk)])))
}
