//! Lenient access to the fields of a metadata node: what is absent or of another shape is `None`.

use super::DebugInfo;
use crate::model::{MdField, MdId, MdNode, MdValue};

/// A node of the form `!DIName(field: value, …)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'p> {
    pub kind: &'p str,
    fields: &'p [MdField],
}

impl<'p> Fields<'p> {
    fn get(&self, name: &str) -> Option<&'p MdValue> {
        self.fields.iter().find(|field| *field.name == *name).map(|field| &field.value)
    }

    pub fn node(&self, name: &str) -> Option<MdId> {
        match self.get(name)? {
            MdValue::Node(id) => Some(*id),
            _ => None,
        }
    }

    /// The numbers that follow a symbol among unnamed arguments, as in `!DIExpression(DW_OP_constu, 7)`.
    pub fn ints_after<const N: usize>(&self, symbol: &str) -> Option<[i128; N]> {
        let is_symbol = |field: &MdField| matches!(&field.value, MdValue::Symbol(name) if **name == *symbol);
        let start = self.fields.iter().position(is_symbol)? + 1;
        let ints = self.fields.get(start..start + N)?.iter().map(|field| match field.value {
            MdValue::Int(value) => Some(value),
            _ => None,
        });
        ints.collect::<Option<Vec<i128>>>()?.try_into().ok()
    }

    /// A string that is not empty: clang leaves out empty ones, other writers may not.
    pub fn string(&self, name: &str) -> Option<&'p str> {
        match self.get(name)? {
            MdValue::String(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    pub fn int(&self, name: &str) -> Option<i128> {
        match self.get(name)? {
            MdValue::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// An unsigned number, absent or zero if the field is not written.
    pub fn unsigned<T: TryFrom<i128> + Default>(&self, name: &str) -> T {
        self.int(name).and_then(|value| T::try_from(value).ok()).unwrap_or_default()
    }

    pub fn is_true(&self, name: &str) -> bool {
        matches!(self.get(name), Some(MdValue::Bool(true)))
    }

    /// `DW_TAG_…`, `DW_ATE_…` and the like.
    pub fn symbol(&self, name: &str) -> Option<&'p str> {
        match self.get(name)? {
            MdValue::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// Is `flag` among the flags `A | B | …` of a field?
    pub fn has_flag(&self, name: &str, flag: &str) -> bool {
        self.symbol(name).is_some_and(|flags| flags.split('|').any(|one| one.trim() == flag))
    }
}

impl<'p> DebugInfo<'p> {
    pub(super) fn fields(&self, id: MdId) -> Option<Fields<'p>> {
        match self.program.metadata.nodes.get(id.index())? {
            MdNode::Named { name, fields, .. } => Some(Fields { kind: name, fields }),
            _ => None,
        }
    }

    pub(super) fn fields_of_kind(&self, id: MdId, kind: &str) -> Option<Fields<'p>> {
        self.fields(id).filter(|fields| fields.kind == kind)
    }

    /// The elements of a tuple; `None` where one is `null` or no node.
    pub(super) fn tuple(&self, id: Option<MdId>) -> impl Iterator<Item = Option<MdId>> + use<'p> {
        let elems: &'p [MdValue] = match id.and_then(|id| self.program.metadata.nodes.get(id.index())) {
            Some(MdNode::Tuple { elems, .. }) => elems,
            _ => &[],
        };
        elems.iter().map(|elem| match elem {
            MdValue::Node(id) => Some(*id),
            _ => None,
        })
    }
}
