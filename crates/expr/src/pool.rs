//! Where expressions live: node storage, interning and variables.
//!
//! A node is found by hash in one `IdTable`; wide constants and tables take part with a hash of their contents, so
//! that they are shared like all others. A node costs 16 bytes, 4 for what is known about its value, and 13 to 26 in
//! the table. Nothing here rewrites, except that a node whose value is known is a constant: see [`crate::builder`]. The
//! values of constants are in [`crate::constants`].

use crate::constants::{TableData, table_key, wide_const_key};
use crate::facts::{Facts, FactsId, FactsTable};
use crate::id_table::{IdTable, Key};
use crate::node::{ExprId, MAX_WIDTH, Node, Sort, VarId};
use crate::op::Op;
use crate::rules::{Rule, Rules};

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

    /// Where a node belongs in the unique table.
    pub(crate) fn key_of(&self, node: Node) -> Key {
        match node.op() {
            Op::WideConst => wide_const_key(node.width(), self.wide_limbs(node)),
            Op::Table => table_key(node, &self.tables[node.word(0) as usize].bytes),
            _ => node.key(),
        }
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

    pub(crate) fn add(&mut self, node: Node, key: Key, facts: FactsId) -> ExprId {
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
    fn grow_unique(&mut self) {
        let mut unique = std::mem::take(&mut self.unique);
        unique.grow(|id| self.key_of(self.nodes[id as usize]));
        self.unique = unique;
    }
}

pub(crate) fn assert_width(width: u32) {
    assert!((1..=MAX_WIDTH).contains(&width), "no bit-vector has {width} bits");
}

pub(crate) fn assert_array_widths(index_width: u32, elem_width: u32) {
    assert!((1..=64).contains(&index_width), "array index of {index_width} bits");
    assert!((1..=64).contains(&elem_width), "array element of {elem_width} bits");
}
