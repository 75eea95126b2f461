//! Where expressions live: node storage, interning, variables, and the contents of wide constants and tables.
//!
//! A node is found by hash in one [`IdTable`]; wide constants and tables take part with a hash of their contents, so
//! that they are shared like all others. Nothing here rewrites: see [`crate::builder`]. A node costs 16 bytes, 4 for
//! what is known about its value, and 11 to 21 in the table.

use spelunk_bv::wide;

use crate::facts::{Facts, FactsId, FactsTable};
use crate::id_table::{IdTable, Key};
use crate::node::{ExprId, MAX_WIDTH, Node, Op, Sort, VarId, hash_words};
use crate::rules::{Rule, Rules};
use crate::semantics;
use crate::value::Value;

pub struct ExprPool {
    pub(crate) nodes: Vec<Node>,
    /// As long as `nodes`.
    pub(crate) facts_of: Vec<FactsId>,
    pub(crate) unique: IdTable,
    /// Slots of `nodes` that hold nothing.
    pub(crate) free: Vec<ExprId>,
    pub(crate) facts: FactsTable,
    /// The limbs of all wide constants, end to end.
    pub(crate) limbs: Vec<u64>,
    pub(crate) tables: Vec<TableData>,
    pub(crate) rules: Rules,
    var_sorts: Vec<Sort>,
    var_names: Vec<Box<str>>,
    /// How often garbage was collected.
    pub(crate) epoch: u32,
}

/// The elements of a constant table, each in as many little-endian bytes as it needs.
#[derive(PartialEq, Eq)]
pub(crate) struct TableData {
    pub bytes: Box<[u8]>,
}

impl TableData {
    pub fn element(&self, elem_width: u32, index: u64) -> u64 {
        let size = elem_width.div_ceil(8) as usize;
        let Some(at) = usize::try_from(index).ok().and_then(|index| index.checked_mul(size)) else { return 0 };
        let Some(bytes) = self.bytes.get(at..).and_then(|rest| rest.get(..size)) else { return 0 };
        bytes.iter().rev().fold(0, |high, &byte| high << 8 | byte as u64)
    }
}

impl Default for ExprPool {
    fn default() -> Self {
        Self::new()
    }
}

impl ExprPool {
    pub fn new() -> Self {
        let mut pool = ExprPool {
            nodes: vec![Node::VACANT],
            facts_of: vec![FactsId::NOTHING],
            unique: IdTable::default(),
            free: Vec::new(),
            facts: FactsTable::default(),
            limbs: Vec::new(),
            tables: Vec::new(),
            rules: Rules::default(),
            var_sorts: Vec::new(),
            var_names: Vec::new(),
            epoch: 0,
        };
        assert_eq!(pool.mk_const(1, 0), ExprId::FALSE);
        assert_eq!(pool.mk_const(1, 1), ExprId::TRUE);
        pool
    }

    #[inline(always)]
    pub fn node(&self, id: ExprId) -> Node {
        self.nodes[id.index()]
    }

    #[inline(always)]
    pub fn op(&self, id: ExprId) -> Op {
        self.node(id).op()
    }

    /// Bits of the value; of an element, if this is an array.
    #[inline(always)]
    pub fn width(&self, id: ExprId) -> u32 {
        self.node(id).width()
    }

    pub fn sort(&self, id: ExprId) -> Sort {
        let node = self.node(id);
        match node.op() {
            Op::ArrayVar => self.var_sort(node.var()),
            Op::Table | Op::ConstArray => Sort::Array { index_width: node.word(1), elem_width: node.width() },
            Op::Store => Sort::Array { index_width: self.width(node.arg(1)), elem_width: node.width() },
            _ => Sort::Bv(node.width()),
        }
    }

    /// One more than the largest id in use: how long a dense table over expressions has to be.
    pub fn id_bound(&self) -> usize {
        self.nodes.len()
    }

    pub fn n_nodes(&self) -> usize {
        self.unique.len()
    }

    /// Heap memory in use, in bytes.
    pub fn n_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.facts_of.capacity() * size_of::<FactsId>()
            + self.unique.n_bytes()
            + self.free.capacity() * size_of::<ExprId>()
            + self.facts.n_bytes()
            + self.limbs.capacity() * size_of::<u64>()
            + self.tables.iter().map(|table| table.bytes.len()).sum::<usize>()
    }

    /// Declares a variable. Names are for people and may repeat.
    pub fn new_var(&mut self, name: &str, sort: Sort) -> VarId {
        match sort {
            Sort::Bv(width) => assert_width(width),
            Sort::Array { index_width, elem_width } => assert_array_widths(index_width, elem_width),
        }
        self.var_sorts.push(sort);
        self.var_names.push(name.into());
        VarId(self.var_sorts.len() as u32 - 1)
    }

    pub fn n_vars(&self) -> usize {
        self.var_sorts.len()
    }

    pub fn var_sort(&self, var: VarId) -> Sort {
        self.var_sorts[var.index()]
    }

    pub fn var_name(&self, var: VarId) -> &str {
        &self.var_names[var.index()]
    }

    /// The expression that a variable is.
    pub fn mk_var(&mut self, var: VarId) -> ExprId {
        let (op, width) = match self.var_sort(var) {
            Sort::Bv(width) => (Op::Var, width),
            Sort::Array { elem_width, .. } => (Op::ArrayVar, elem_width),
        };
        self.intern(Node::new(op, width, [var.0, 0, 0]))
    }

    /// The low bits of a number as a constant.
    pub fn mk_const(&mut self, width: u32, value: u64) -> ExprId {
        if width > 64 {
            return self.mk_const_limbs(width, &[value]);
        }
        assert_width(width);
        let value = spelunk_bv::int::trunc(width, value);
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
        let key = Key::of_hash(hash_words(width, limbs));
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
    pub fn mk_table(&mut self, index_width: u32, elem_width: u32, bytes: &[u8]) -> ExprId {
        assert_array_widths(index_width, elem_width);
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

    /// Where a node belongs in the unique table.
    pub(crate) fn key_of(&self, node: Node) -> Key {
        match node.op() {
            Op::WideConst => Key::of_hash(hash_words(node.width(), self.wide_limbs(node))),
            Op::Table => table_key(node, &self.tables[node.word(0) as usize].bytes),
            _ => node.key(),
        }
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

    /// What is known about the value of a bit-vector of at most 64 bits; nothing is known about wider ones.
    pub fn facts(&self, id: ExprId) -> Option<Facts> {
        let node = self.node(id);
        match node.op() {
            Op::Const => Some(Facts::constant(node.width(), node.const_value())),
            _ if node.width() > 64 || node.op().is_array() => None,
            _ => Some(self.facts.get(self.facts_of[id.index()], node.width())),
        }
    }

    /// Finds a node or adds it.
    #[inline]
    pub(crate) fn intern(&mut self, node: Node) -> ExprId {
        let key = node.key();
        match self.unique.find(key, |id| self.nodes[id as usize] == node) {
            Some(id) => ExprId::from_raw(id),
            None => self.add_unless_known(node, key),
        }
    }

    #[inline(never)]
    fn add_unless_known(&mut self, node: Node, key: Key) -> ExprId {
        let facts = self.facts_of_new(node);
        if !facts.is_nothing()
            && let Some(value) = self.facts.get(facts, node.width()).as_constant()
            && self.fires(Rule::KnownConstant)
        {
            return self.mk_const(node.width(), value);
        }
        self.add(node, key, facts)
    }

    fn add(&mut self, node: Node, key: Key, facts: FactsId) -> ExprId {
        let id = match self.free.pop() {
            Some(id) => {
                self.nodes[id.index()] = node;
                self.facts_of[id.index()] = facts;
                id
            }
            None => {
                if self.nodes.len() == self.nodes.capacity() {
                    // Half as many again rather than twice as many: at ten million nodes, slack is what counts.
                    let more = self.nodes.len() / 2 + 1024;
                    self.nodes.reserve_exact(more);
                    self.facts_of.reserve_exact(more);
                }
                let id = u32::try_from(self.nodes.len()).expect("a pool holds fewer than 2^32 nodes");
                self.nodes.push(node);
                self.facts_of.push(facts);
                ExprId::from_raw(id)
            }
        };
        if self.unique.is_full() {
            self.grow_unique();
        }
        self.unique.insert(key, id.raw());
        id
    }

    #[cold]
    pub(crate) fn grow_unique(&mut self) {
        let mut unique = std::mem::take(&mut self.unique);
        unique.grow(|id| self.key_of(self.nodes[id as usize]));
        self.unique = unique;
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

fn table_key(node: Node, bytes: &[u8]) -> Key {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |high, &byte| high << 8 | byte as u64);
    let seed = node.with_word_0(0).key().hash;
    Key::of_hash(bytes.chunks(8).fold(seed, |hash, chunk| hash_words(hash, &[word(chunk)])))
}

pub(crate) fn assert_width(width: u32) {
    assert!((1..=MAX_WIDTH).contains(&width), "no bit-vector has {width} bits");
}

pub(crate) fn assert_array_widths(index_width: u32, elem_width: u32) {
    assert!((1..=64).contains(&index_width), "array index of {index_width} bits");
    assert!((1..=64).contains(&elem_width), "array element of {elem_width} bits");
}
