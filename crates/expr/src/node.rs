//! What an expression is: its id, its sort, and the 16 bytes that a node takes.
//!
//! A Boolean is a bit-vector of one bit, not a sort of its own. C compiled by clang mixes the two at every turn
//! (`zext i1`, `and i1`, `select i1`), one set of rules then serves `&` and `&&`, and a bit-blaster sees one literal
//! per bit either way; only the SMT-LIB printer has to tell them apart. A float is its bit pattern: operations on
//! floats name the format they read and write, and a cast between a pattern and a float is nothing.
//!
//! The operations are in [`crate::op`]; how nodes are stored and found is in [`crate::pool`]; what they mean is in
//! `semantics`.

use spelunk_bv::RoundOp;
use spelunk_bv::float::FloatKind;

use crate::id_table::Key;
use crate::op::Op;

/// An expression in a pool. Within one pool, two expressions are the same expression iff their ids are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(transparent)]
pub struct ExprId(u32);

impl ExprId {
    /// No expression: the value is concrete.
    pub const NONE: ExprId = ExprId(0);
    pub const FALSE: ExprId = ExprId(1);
    pub const TRUE: ExprId = ExprId(2);

    pub const fn from_raw(raw: u32) -> Self {
        ExprId(raw)
    }

    pub const fn raw(self) -> u32 {
        self.0
    }

    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// A variable: what a model gives a value to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct VarId(pub u32);

impl VarId {
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// A bit-vector of 1 to [`MAX_WIDTH`] bits.
    Bv(u32),
    /// A total function between bit-vectors of 1 to 64 bits.
    Array { index_width: u32, elem_width: u32 },
}

/// The widest bit-vector that a node can describe.
pub const MAX_WIDTH: u32 = (1 << WIDTH_BITS) - 1;

const OP_BITS: u32 = 8;
const KIND_BITS: u32 = 3;
const WIDTH_BITS: u32 = 32 - OP_BITS - KIND_BITS;

/// A node. Equal nodes are equal bit by bit, except that wide constants and tables are compared by content.
///
/// Two words of 64 bits rather than four of 32: so a node travels in two registers, and is hashed and compared there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// Operation, float kind and width, from the low bits on, and word 0 above them.
    low: u64,
    /// Words 1 and 2.
    high: u64,
}

impl Node {
    /// What a freed slot of the pool holds.
    pub(crate) const VACANT: Node = Node::new(Op::Const, 0, [0; 3]);

    #[inline(always)]
    pub(crate) const fn new(op: Op, width: u32, [a, b, c]: [u32; 3]) -> Self {
        let head = op as u32 | width << (OP_BITS + KIND_BITS);
        Node { low: head as u64 | (a as u64) << 32, high: b as u64 | (c as u64) << 32 }
    }

    #[inline(always)]
    pub(crate) const fn unary(op: Op, width: u32, a: ExprId) -> Self {
        debug_assert!(op.arity() == 1);
        Node::new(op, width, [a.0, 0, 0])
    }

    #[inline(always)]
    pub(crate) const fn binary(op: Op, width: u32, a: ExprId, b: ExprId) -> Self {
        debug_assert!(op.arity() == 2);
        Node::new(op, width, [a.0, b.0, 0])
    }

    #[inline(always)]
    pub(crate) const fn ternary(op: Op, width: u32, [a, b, c]: [ExprId; 3]) -> Self {
        debug_assert!(op.arity() == 3);
        Node::new(op, width, [a.0, b.0, c.0])
    }

    pub(crate) const fn with_kind(self, kind: FloatKind) -> Self {
        Node { low: self.low | (kind as u64) << OP_BITS, ..self }
    }

    pub(crate) const fn with_word_0(self, word: u32) -> Self {
        Node { low: self.low as u32 as u64 | (word as u64) << 32, ..self }
    }

    #[inline(always)]
    pub fn op(&self) -> Op {
        Op::ALL[self.low as usize & ((1 << OP_BITS) - 1)]
    }

    /// Bits of the value; of an element, if this is an array.
    #[inline(always)]
    pub const fn width(&self) -> u32 {
        self.low as u32 >> (OP_BITS + KIND_BITS)
    }

    /// The float format, of operations on floats.
    pub const fn kind(&self) -> FloatKind {
        FloatKind::ALL[(self.low >> OP_BITS) as usize & ((1 << KIND_BITS) - 1)]
    }

    #[inline(always)]
    pub const fn arg(&self, at: usize) -> ExprId {
        ExprId(self.word(at))
    }

    #[inline(always)]
    pub(crate) const fn word(&self, at: usize) -> u32 {
        match at {
            0 => (self.low >> 32) as u32,
            1 => self.high as u32,
            _ => (self.high >> 32) as u32,
        }
    }

    /// The operands.
    #[inline]
    pub fn args(&self) -> impl DoubleEndedIterator<Item = ExprId> + use<> {
        [self.arg(0), self.arg(1), self.arg(2)].into_iter().take(self.op().arity())
    }

    /// The variable, of `Var` and `ArrayVar`.
    pub const fn var(&self) -> VarId {
        VarId(self.word(0))
    }

    /// The value, of `Const`.
    #[inline(always)]
    pub const fn const_value(&self) -> u64 {
        self.low >> 32 | self.high << 32
    }

    /// The lowest bit taken, of `Extract`.
    #[inline(always)]
    pub const fn extract_low(&self) -> u32 {
        self.word(1)
    }

    /// How `FRound` rounds.
    pub const fn round_op(&self) -> RoundOp {
        RoundOp::ALL[self.word(1) as usize]
    }

    /// The float format of the result, which `FToF` changes.
    pub fn result_kind(&self) -> FloatKind {
        match self.op() {
            Op::FToF => FloatKind::ALL[self.word(1) as usize],
            _ => self.kind(),
        }
    }

    /// A multiplicative hash of all 16 bytes, near to the newest operand, as most nodes are made soon after it.
    #[inline(always)]
    pub(crate) fn key(&self) -> Key {
        Key { hash: hash_pair(self.low, self.high), near: self.word(0).max(self.word(1)).max(self.word(2)) }
    }
}

/// Mixes two words by the two halves of one product.
#[inline(always)]
pub(crate) fn hash_pair(a: u64, b: u64) -> u32 {
    let product = (a ^ 0x9e37_79b9_7f4a_7c15) as u128 * (b ^ 0xd1b5_4a32_d192_ed03) as u128;
    let folded = product as u64 ^ (product >> 64) as u64;
    (folded ^ folded >> 32) as u32
}

pub(crate) fn hash_words(seed: u32, words: &[u64]) -> u32 {
    words.iter().fold(seed, |hash, &word| hash_pair(hash as u64, word))
}
