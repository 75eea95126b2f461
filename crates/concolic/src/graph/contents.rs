//! What objects of the graph hold, and how inputs say it.

use super::heap::{Heap, NodeId, SPARE, result_name};
use super::layout::{Leaf, LeafKind};
use crate::input::{Input, InputObject, Reference};
use std::sync::Arc;

impl Heap {
    /// Makes sure that all objects are known which an input names, as far as they can be. An object may be named after a
    /// pointer in one that the input does not have: one pointer led to it once, and now leads elsewhere.
    pub fn learn(&mut self, input: &Input) {
        let unit = Arc::clone(&self.unit);
        for result in &unit.results {
            for number in (0..).take_while(|&number| input.object(&result_name(&result.function, number)).is_some()) {
                self.result(result, number);
            }
        }
        let references = input.objects.iter().flat_map(|object| &object.references);
        for target in references.map(|reference| &*reference.target).filter(|target| !target.starts_with('&')) {
            if self.find(target).is_none() {
                let own = target.trim_end_matches(SPARE);
                self.learn_name(own);
                if let Some(own) = self.find(own).filter(|_| own != target) {
                    self.spare(own);
                }
            }
        }
    }

    /// An object's name holds those of all objects on the way to it: `*(*a)->b[2]` those of `a`, `*a`, `*(*a)` and
    /// `*(*a)->b`, each up to the end of a step, the innermost first.
    fn learn_name(&mut self, name: &str) {
        let n_parentheses = (0..).take_while(|n| name.get(1 + 2 * n..3 + 2 * n) == Some("(*")).count();
        let ends = || name.char_indices().filter(|(_, sign)| "-[.)".contains(*sign)).map(|(end, _)| end);
        for start in (0..=n_parentheses).rev().map(|n| 2 * n) {
            for end in ends().chain([name.len()]).filter(|&end| end > start) {
                let candidates = [name.get(start + 1..end), name.get(start..end)];
                for on_the_way in candidates.into_iter().flatten() {
                    if let Some(node) = self.find(on_the_way) {
                        self.pointers(node);
                    }
                }
            }
        }
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
        let mut object = InputObject { name: Arc::clone(&node.name), bytes: bytes.to_vec(), references: Vec::new() };
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
