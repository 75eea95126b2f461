//! What the objects of an input are, for those who make them elsewhere than in a run.

use super::heap::{Heap, Kind, NodeId};
use super::layout::LayoutId;
use super::unit::Unit;
use crate::input::{Input, Pointee};
use crate::key::{ObjectKey, Root};
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
        let node = heap.node(node);
        let origin = match node.kind {
            Kind::Param => Origin::Param,
            Kind::Result => Origin::Result,
            Kind::Pointed => Origin::Pointer,
            Kind::Asked => return None,
        };
        Some(Shape { layout: node.layout, count: node.count, n_after: node.n_after, origin })
    };
    input.objects.iter().map(|object| heap.find(&object.key).and_then(shape)).collect()
}

/// The input with keys where it has names alone, as far as these are known.
pub fn keyed(unit: &Arc<Unit>, mut input: Input) -> Input {
    if !input.objects.iter().any(|object| matches!(object.key.root, Root::Named(_))) {
        return input;
    }
    let heap = Heap::of_input(unit, &input);
    let complete = |key: &mut Arc<ObjectKey>| {
        if let Some(node) = heap.find(key) {
            *key = Arc::clone(&heap.node(node).key);
        }
    };
    for object in &mut input.objects {
        complete(&mut object.key);
        let targets = object.references.iter_mut().map(|reference| &mut reference.target);
        targets.for_each(|target| {
            if let Pointee::Object(key) = target {
                complete(key)
            }
        });
    }
    input
}

#[cfg(test)]
mod tests {
    use super::super::layout::{Layout, Leaf, LeafKind, Pointer, Target};
    use super::super::unit::{Home, Param};
    use super::*;
    use crate::input::{InputObject, Reference};

    /// A function with two parameters that are pointers to list elements.
    fn unit() -> Arc<Unit> {
        let mut unit = Unit::default();
        let plain = Layout { name: "cell".to_owned(), size: 8, align: 16, ..Layout::default() };
        let cell = unit.layouts.add(plain.clone());
        let kind =
            unit.layouts.add_pointer(Pointer { target: Target::Objects { layout: cell, count: 1 }, nullable: true });
        let leaf = |path: &str| Leaf { offset: 0, n_bytes: 8, kind: LeafKind::Pointer(kind), path: path.to_owned() };
        unit.layouts.replace(cell, Layout { leaves: vec![leaf(".next")], ..plain.clone() });
        let param = unit.layouts.add(Layout { leaves: vec![leaf("")], ..plain });
        unit.params =
            ["a", "b"].map(|name| Param { name: name.to_owned(), layout: param, home: Home::Argument }).into();
        Arc::new(unit)
    }

    fn named(name: &str) -> Arc<ObjectKey> {
        Arc::new(ObjectKey::of_root(Root::Named(name.into())))
    }

    fn object(name: &str, target: &str) -> InputObject {
        let references = vec![Reference { offset: 0, target: Pointee::Object(named(target)), at: 0 }];
        InputObject { key: named(name), name: name.into(), bytes: vec![0; 8], references }
    }

    /// Behind so many pointers, each at the start of the object before, from the parameter of this number on.
    fn keyed(object: InputObject, param: u32, n_pointers: usize) -> InputObject {
        let key = ObjectKey { through: vec![0; n_pointers], ..ObjectKey::of_root(Root::Param(param)) };
        InputObject { key: key.into(), ..object }
    }

    fn origins(objects: Vec<InputObject>) -> Vec<Option<Origin>> {
        shapes(&unit(), &Input { objects }).iter().map(|shape| shape.map(|it| it.origin)).collect()
    }

    #[test]
    fn an_object_may_be_named_after_a_pointer_in_one_that_is_not_there() {
        let objects = vec![
            object("a", "*b"),
            object("b", "*b"),
            keyed(object("*b", "*a->next"), 1, 1),
            keyed(object("*a->next", "*b"), 0, 2),
        ];
        assert_eq!(origins(objects), [Origin::Param, Origin::Param, Origin::Pointer, Origin::Pointer].map(Some));
    }

    #[test]
    fn names_alone_tell_what_pointers_of_the_input_are_named_after() {
        let objects = vec![object("a", "*a"), object("*a", "*a->next"), object("*a->next", "*a")];
        assert_eq!(origins(objects), [Origin::Param, Origin::Pointer, Origin::Pointer].map(Some));
        // Nothing is read out of a name.
        let objects = vec![object("a", "*a->next"), object("*a->next", "*a->next")];
        assert_eq!(origins(objects), [Some(Origin::Param), None]);
    }

    #[test]
    fn names_become_keys_where_they_are_known() {
        let objects = vec![object("a", "*a"), object("*a", "*a"), object("n", "?")];
        let input = super::keyed(&unit(), Input { objects });
        let roots: Vec<_> = input.objects.iter().map(|object| (&object.key.root, object.key.through.len())).collect();
        assert_eq!(roots, [(&Root::Param(0), 0), (&Root::Param(0), 1), (&Root::Named("n".into()), 0)]);
        assert_eq!(input.objects[0].references[0].target, Pointee::Object(Arc::clone(&input.objects[1].key)));
    }

    #[test]
    fn an_object_may_be_one_of_several_that_are_alike() {
        let spare = keyed(object("*a\'\'", "*a\'\'"), 0, 1);
        let key = ObjectKey { spare: 2, ..(*spare.key).clone() };
        let objects = vec![object("a", "*a\'\'"), InputObject { key: key.into(), ..spare }];
        assert_eq!(origins(objects), [Origin::Param, Origin::Pointer].map(Some));
    }

    #[test]
    fn what_the_program_asks_for_has_no_shape() {
        let objects =
            vec![object("a", "*a"), object("*a", "*a"), InputObject { references: Vec::new(), ..object("n", "") }];
        assert_eq!(shapes(&unit(), &Input { objects })[2], None);
    }
}
