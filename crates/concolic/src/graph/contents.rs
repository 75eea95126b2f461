//! What objects of the graph hold, and how inputs say it.

use super::heap::{Heap, NodeId};
use super::layout::{Leaf, LeafKind};
use crate::input::{Input, InputObject, ObjectKey, Reference, Root};
use std::sync::Arc;

impl Heap {
    /// Makes sure that all objects are known which an input has, as far as they can be. An object may be named after a pointer
    /// in one that the input does not have: that pointer led to it once, and now leads elsewhere.
    pub fn learn(&mut self, input: &Input) {
        for key in input.objects.iter().filter_map(|object| object.key.as_deref()) {
            self.learn_key(key);
        }
        // Someone may have written an input by hand: those are known that are named after pointers in what is known.
        let is_unknown = |heap: &Self| input.objects.iter().any(|object| heap.find(&object.name).is_none());
        if is_unknown(self) {
            for object in &input.objects {
                if let Some(node) = self.find(&object.name) {
                    self.pointers(node);
                }
            }
        }
    }

    /// The object of a key; nothing if no unit of this kind has it, or there is no room.
    fn learn_key(&mut self, key: &ObjectKey) -> Option<NodeId> {
        let mut node = match &key.root {
            Root::Param(number) => Some(NodeId(*number)).filter(|_| (*number as usize) < self.unit.params.len())?,
            Root::Result(function, call) => {
                let unit = Arc::clone(&self.unit);
                self.result(unit.result_of(function)?, *call)
            }
        };
        for &offset in &key.through {
            self.pointers(node);
            node = self.own_of(node, offset)?;
        }
        (0..key.spare).try_fold(node, |node, _| self.spare(node))
    }

    /// The bytes of an object, whose pointers are known, by an input. What the input does not say is chosen at random from the seed; pointers are null.
    pub fn bytes(&self, id: NodeId, input: Option<&InputObject>) -> Vec<u8> {
        let node = self.node(id);
        let layout = self.layouts().get(node.layout);
        let mut bytes = vec![0; node.n_bytes(self.layouts()) as usize];
        for element in 0..node.count {
            for leaf in &layout.leaves {
                let offset = element * layout.size + leaf.offset;
                let value = self.first_value(id, offset, leaf);
                let place = offset as usize..(offset + leaf.n_bytes) as usize;
                bytes[place].copy_from_slice(&value.to_le_bytes()[..leaf.n_bytes as usize]);
            }
        }
        let Some(input) = input else { return bytes };
        let n_given = input.bytes.len().min(bytes.len());
        bytes[..n_given].copy_from_slice(&input.bytes[..n_given]);
        for reference in &input.references {
            let place = reference.offset as usize..reference.offset as usize + 8;
            let object = self.by_name.get(&reference.target).map(|&target| self.node(target).addr);
            let function =
                || self.functions.values().find(|(_, name)| *name == reference.target).map(|(addr, _)| *addr);
            if let (Some(addr), Some(place)) = (object.or_else(function), bytes.get_mut(place)) {
                place.copy_from_slice(&addr.wrapping_add(reference.at).to_le_bytes());
            }
        }
        bytes
    }

    fn first_value(&self, id: NodeId, offset: u32, leaf: &Leaf) -> u64 {
        let random = || hash(self.unit.seed, &self.node(id).name, offset);
        match &leaf.kind {
            LeafKind::Number => random(),
            LeafKind::Char => 0,
            LeafKind::OneOf(values) => values[(random() % values.len() as u64) as usize],
            LeafKind::Fixed(value) => *value,
            LeafKind::Function(callees) => callees.first().map_or(0, |&callee| self.address_of(callee)),
            LeafKind::Pointer(kind) => {
                let own = self.own_of(id, offset).filter(|_| !self.layouts().pointer(*kind).nullable);
                own.map_or(0, |own| self.node(own).addr)
            }
        }
    }

    /// An object as an input says it.
    pub fn as_input(&self, id: NodeId, bytes: &[u8]) -> InputObject {
        let node = self.node(id);
        let (name, key) = (Arc::clone(&node.name), Some(Arc::clone(&node.key)));
        let mut object = InputObject { name, key, bytes: bytes.to_vec(), references: Vec::new() };
        for &(offset, _) in node.pointers.iter().flatten() {
            self.refer(&mut object, offset);
        }
        let layout = self.layouts().get(node.layout);
        let is_function = |leaf: &&Leaf| matches!(leaf.kind, LeafKind::Function(_));
        for leaf in layout.leaves.iter().filter(is_function) {
            (0..node.count).for_each(|element| self.refer(&mut object, element * layout.size + leaf.offset));
        }
        object
    }

    /// Puts the name of an object in place of its address.
    pub fn refer(&self, object: &mut InputObject, offset: u32) {
        object.references.retain(|reference| reference.offset != offset);
        let Some(place) = object.bytes.get_mut(offset as usize..offset as usize + 8) else { return };
        let addr = u64::from_le_bytes((&*place).try_into().expect("a pointer has eight bytes"));
        if let Some((target, at)) = self.node_at(addr) {
            place.fill(0);
            let target = Arc::clone(&self.node(target).name);
            object.references.push(Reference { offset, target, at: u64::from(at) });
        } else if let Some((_, name)) = self.functions.values().find(|(function, _)| *function == addr) {
            place.fill(0);
            object.references.push(Reference { offset, target: Arc::clone(name), at: 0 });
        }
    }
}

/// A number that looks random.
fn hash(seed: u64, name: &str, offset: u32) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write_u64(seed);
    hasher.write(name.as_bytes());
    hasher.write_u32(offset);
    // The hasher's lower bits are good only after this.
    let mixed = hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}
