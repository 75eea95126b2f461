//! What the objects of an input are, for those who make them elsewhere than in a run.

use super::heap::{Heap, Node, NodeId};
use super::layout::LayoutId;
use super::unit::Unit;
use crate::input::Input;
use std::sync::Arc;

/// One object of an input's graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The type of its elements, and how many there are.
    pub layout: LayoutId,
    pub count: u32,
    /// Zero bytes behind the last element.
    pub n_after: u32,
    pub origin: Origin,
}

/// Where an object of an input comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It is a parameter of the unit, or a variable.
    Param,
    /// A function returned it that nobody defines.
    Result,
    /// A pointer leads to it.
    Pointer,
}

/// For each object of an input what it is, in order; nothing for those that the program asks for itself.
pub fn shapes(unit: &Arc<Unit>, input: &Input) -> Vec<Option<Shape>> {
    let heap = Heap::of_input(unit, input);
    let shape = |node: NodeId| {
        let origin = match heap.node(node) {
            _ if heap.is_result(node) => Origin::Result,
            Node { is_root: true, .. } => Origin::Param,
            _ => Origin::Pointer,
        };
        let node = heap.node(node);
        Shape { layout: node.layout, count: node.count, n_after: node.n_after, origin }
    };
    input.objects.iter().map(|object| heap.find(&object.name).map(shape)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::layout::{Layout, Leaf, LeafKind, Pointer, Target};
    use super::super::unit::{Param, Place};
    use super::*;
    use crate::input::{InputObject, Reference};

    /// A function with two parameters that are pointers to list elements.
    fn unit() -> Arc<Unit> {
        let mut unit = Unit::default();
        let plain = Layout {
            name: "cell".to_owned(),
            size: 8,
            align: 16,
            leaves: Vec::new(),
            fields: Vec::new(),
            parts: Vec::new(),
        };
        let cell = unit.layouts.add(plain.clone());
        let kind =
            unit.layouts.add_pointer(Pointer { target: Target::Objects { layout: cell, count: 1 }, nullable: true });
        let leaf = |path: &str| Leaf { offset: 0, n_bytes: 8, kind: LeafKind::Pointer(kind), path: path.to_owned() };
        unit.layouts.replace(cell, Layout { leaves: vec![leaf(".next")], ..plain.clone() });
        let param = unit.layouts.add(Layout { leaves: vec![leaf("")], ..plain });
        unit.params =
            ["a", "b"].map(|name| Param { name: name.to_owned(), layout: param, place: Place::Argument }).into();
        Arc::new(unit)
    }

    fn object(name: &str, target: &str) -> InputObject {
        let references = vec![Reference { offset: 0, target: target.into(), at: 0 }];
        InputObject { name: name.into(), bytes: vec![0; 8], references }
    }

    #[test]
    fn an_object_may_be_named_after_a_pointer_in_one_that_is_not_there() {
        let objects = vec![object("a", "*b"), object("b", "*b"), object("*b", "*a->next"), object("*a->next", "*b")];
        let shapes = shapes(&unit(), &Input { objects });
        assert_eq!(
            shapes.iter().map(|shape| shape.map(|it| it.origin)).collect::<Vec<_>>(),
            [Origin::Param, Origin::Param, Origin::Pointer, Origin::Pointer].map(Some)
        );
    }

    #[test]
    fn what_the_program_asks_for_has_no_shape() {
        let objects =
            vec![object("a", "*a"), object("*a", "*a"), InputObject { references: Vec::new(), ..object("n", "") }];
        assert_eq!(shapes(&unit(), &Input { objects })[2], None);
    }
}
