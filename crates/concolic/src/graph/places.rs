//! Where objects are that pointers may lead to.

use super::heap::{Heap, Node, NodeId};
use super::layout::{LeafKind, Target};
use crate::key::ObjectKey;
use spelunk_vm::Beyond;
use spelunk_vm::memory::{Memory, ObjectId, object_of};
use std::ops::Range;
use std::sync::Arc;

/// As many objects can be pointed to in all runs together.
pub(crate) const MAX_OBJECTS: u32 = 1 << 14;

impl Heap {
    /// Whether pointers may lead to objects of it.
    pub fn has_places(&self) -> bool {
        self.first.is_some()
    }

    /// From here on, objects may be pointed to: those in memory from this number on. Some are to be where they were in
    /// another run.
    pub fn start_at(&mut self, first: ObjectId, places: &[(Arc<ObjectKey>, u64)]) {
        self.first = Some(first);
        let number = |addr: u64| object_of(addr).0.checked_sub(first.0).filter(|&number| number < MAX_OBJECTS);
        let numbers = places.iter().filter_map(|(key, addr)| Some((Arc::clone(key), number(*addr)?)));
        self.numbers = numbers.collect();
        let n_known = self.numbers.values().max().map_or(0, |&last| last as usize + 1);
        self.by_number.resize(n_known, None);
    }

    pub fn node_of(&self, object: ObjectId) -> Option<NodeId> {
        let number = object.0.checked_sub(self.first?.0)?;
        self.by_number.get(number as usize).copied().flatten()
    }

    /// Which object of the input an object in memory is, of those that pointers may lead to.
    pub fn key_of(&self, object: ObjectId) -> Option<&Arc<ObjectKey>> {
        self.node_of(object).map(|node| &self.node(node).key)
    }

    /// Whether an object has its size because nobody has said how many elements there are: one number or pointer, bytes of no type, or an array without a
    /// length at the end of a structure. A string that nothing is said of may be read up to its end, but how much room it has is not known.
    pub fn is_assumed(&self, Beyond { object, is_write }: Beyond) -> bool {
        let Some(node) = self.node_of(object).map(|node| self.node(node)) else { return false };
        let layout = self.layouts().get(node.layout);
        let is_scalar = matches!(&layout.fields[..], [field] if field.path.is_empty());
        match self.target_of(node) {
            Some(Target::Objects { count: 1, .. }) => is_scalar || layout.n_flexible > 0,
            Some(Target::Objects { .. }) => layout.name == "void",
            Some(Target::String { count: None, .. }) => is_write && node.is_elastic(),
            _ => false,
        }
    }

    /// What the pointer that owns an object is said to lead to.
    fn target_of(&self, node: &Node) -> Option<&Target> {
        let (_, leaf) = self.leaf(node.holder?, *node.key.through.last()?)?;
        let LeafKind::Pointer(kind) = leaf.kind else { return None };
        Some(&self.layouts().pointer(kind).target)
    }

    /// The number that an object has in memory.
    pub fn object_id(&self, node: NodeId) -> ObjectId {
        object_of(self.node(node).addr)
    }

    /// The object that holds an address, and where in it; also the end of it.
    pub fn node_at(&self, addr: u64) -> Option<(NodeId, u32)> {
        let id = self.node_of(object_of(addr))?;
        let offset = addr.wrapping_sub(self.node(id).addr);
        (offset <= u64::from(self.room(id))).then_some((id, offset as u32))
    }

    /// The object of the graph that an object of the memory is, if a number of the input says how many elements it has.
    pub fn counted(&self, object: ObjectId) -> Option<NodeId> {
        self.node_of(object).filter(|&node| self.node(node).counted_by.is_some())
    }

    /// The addresses that objects which pointers lead to may have.
    pub fn addresses(&self) -> Option<Range<u64>> {
        let first = self.first?;
        let base = |number: u32| Memory::reserved_base(ObjectId(first.0 + number), 1);
        Some(base(0)..base(MAX_OBJECTS))
    }

    /// The addresses of the objects that pointers lead to: from the first to the last that there may be.
    pub fn is_address(&self, addr: u64) -> bool {
        let number = self.first.and_then(|first| object_of(addr).0.checked_sub(first.0));
        number.is_some_and(|number| number < MAX_OBJECTS)
    }

    /// Adds an object that may be pointed to, unless there is no room for it.
    pub(super) fn add_in_memory(&mut self, node: Node) -> Option<NodeId> {
        let first = self.first?;
        let is_free = |&number: &u32| self.by_number[number as usize].is_none();
        let number = self.numbers.get(&node.key).copied().filter(is_free).unwrap_or(self.by_number.len() as u32);
        if number >= MAX_OBJECTS {
            return None;
        }
        let align = u64::from(self.layouts().get(node.layout).align.max(16));
        let addr = Memory::reserved_base(ObjectId(first.0 + number), align);
        let id = self.add(Node { addr, ..node });
        if self.by_number.len() <= number as usize {
            self.by_number.resize(number as usize + 1, None);
        }
        self.by_number[number as usize] = Some(id);
        Some(id)
    }
}
