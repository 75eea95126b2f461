//! Metadata: references while the module is printed, and the nodes that were referred to at its end.

use super::Printer;
use crate::model::{MdField, MdId, MdNode, MdValue};
use std::fmt::Write;

impl Printer<'_> {
    /// `!7`.
    pub(super) fn node(&mut self, id: MdId) {
        let next = self.nodes.len();
        let number = *self.node_numbers.entry(id).or_insert(next);
        if number == next {
            self.nodes.push(id);
        }
        let _ = write!(self.out, "!{number}");
    }

    /// `, !dbg !7`, if there is one.
    pub(super) fn location(&mut self, location: Option<MdId>) {
        if let Some(location) = location {
            self.text(", !dbg ");
            self.node(location);
        }
    }

    /// What stands after `metadata` in an argument list. Strings and constants have no number.
    pub(super) fn metadata_argument(&mut self, id: MdId) {
        match &self.program.metadata[id] {
            MdNode::Value(MdValue::Const(constant)) => self.typed_constant(*constant),
            MdNode::Value(value) => self.element(value),
            _ => self.node(id),
        }
    }

    pub(super) fn named_metadata(&mut self) {
        for (name, nodes) in &self.program.modules[self.module.index()].named_metadata {
            self.metadata_name(name);
            self.text(" = !{");
            self.list(nodes, |p, &node| p.node(node));
            self.text("}\n");
        }
    }

    /// The nodes mentioned so far, and those that they mention in turn.
    pub(super) fn numbered_nodes(&mut self) {
        let mut number = 0;
        while let Some(&id) = self.nodes.get(number) {
            let _ = write!(self.out, "!{number} = ");
            self.node_body(&self.program.metadata[id]);
            self.text("\n");
            number += 1;
        }
    }

    fn node_body(&mut self, node: &MdNode) {
        match node {
            MdNode::Missing => self.text("!{}"),
            MdNode::Tuple { distinct, elems } => {
                self.text(if *distinct { "distinct !{" } else { "!{" });
                self.list(elems, Self::element);
                self.text("}");
            }
            MdNode::Named { distinct, name, fields } => {
                self.text(if *distinct { "distinct !" } else { "!" });
                self.text(name);
                self.text("(");
                self.list(fields, Self::field);
                self.text(")");
            }
            MdNode::Location { line, column, scope, inlined_at } => {
                let _ = write!(self.out, "!DILocation(line: {line}, column: {column}, scope: ");
                self.node(*scope);
                if let Some(inlined_at) = inlined_at {
                    self.text(", inlinedAt: ");
                    self.node(*inlined_at);
                }
                self.text(")");
            }
            MdNode::Value(value) => {
                self.text("!{");
                self.element(value);
                self.text("}");
            }
        }
    }

    /// An element of a tuple, where strings have a `!`.
    fn element(&mut self, value: &MdValue) {
        if let MdValue::String(_) = value {
            self.text("!");
        }
        self.value(value);
    }

    fn field(&mut self, field: &MdField) {
        if !field.name.is_empty() {
            let _ = write!(self.out, "{}: ", field.name);
        }
        self.value(&field.value);
    }

    fn value(&mut self, value: &MdValue) {
        match value {
            MdValue::Null => self.text("null"),
            MdValue::Node(node) => self.node(*node),
            MdValue::String(text) => self.quoted(text.as_bytes()),
            MdValue::Int(value) => drop(write!(self.out, "{value}")),
            MdValue::Bool(value) => drop(write!(self.out, "{value}")),
            MdValue::Symbol(text) => self.text(text),
            MdValue::Const(constant) => self.typed_constant(*constant),
        }
    }
}
