//! Metadata as it is written: nodes with named fields. `crate::debug` gives the debug info in it a typed shape.

use super::{ConstId, define_id};

define_id!(
    /// A metadata node, unique in the whole program.
    MdId
);

#[derive(Clone, PartialEq, Debug)]
pub enum MdNode {
    /// A number that was referred to but never defined.
    Missing,
    /// `!{…}`.
    Tuple { distinct: bool, elems: Box<[MdValue]> },
    /// `!DIName(field: value, …)`; unnamed arguments have an empty name.
    Named { distinct: bool, name: Box<str>, fields: Box<[MdField]> },
    /// `!DILocation`, by far the most frequent node, kept apart to stay small.
    Location { line: u32, column: u32, scope: MdId, inlined_at: Option<MdId> },
    /// Anything else (`!"string"` on its own, value as metadata).
    Value(MdValue),
}

#[derive(Clone, PartialEq, Debug)]
pub struct MdField {
    pub name: Box<str>,
    pub value: MdValue,
}

#[derive(Clone, PartialEq, Debug)]
pub enum MdValue {
    Null,
    Node(MdId),
    String(Box<str>),
    /// Fits every integer that debug info holds (`i64` and `u64`).
    Int(i128),
    Bool(bool),
    /// `DIFlagPrototyped | DIFlagAllCallsDescribed`, `DW_TAG_member`, `DW_ATE_signed`, `FullDebug`…, as written.
    Symbol(Box<str>),
    /// `i32 7`, `ptr @f`: a constant as metadata.
    Const(ConstId),
}

#[derive(Debug, Default)]
pub struct Metadata {
    pub nodes: Vec<MdNode>,
}

impl std::ops::Index<MdId> for Metadata {
    type Output = MdNode;

    fn index(&self, id: MdId) -> &MdNode {
        &self.nodes[id.index()]
    }
}
