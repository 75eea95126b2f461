//! What objects of the graph hold, and how inputs say it.

use super::heap::{Heap, NodeId, text_len};
use super::layout::{Leaf, LeafKind};
use super::nest::OverlapBy;
use super::roots::result_name;
use crate::input::{Input, InputObject, Pointee, Reference};
use crate::key::{ObjectKey, Root, Series};
use std::sync::Arc;

impl Heap {
    /// Makes sure that all objects are known which an input has, as far as they can be. An object may be named after a pointer
    /// in one that the input does not have: that pointer led to it once, and now leads elsewhere.
    pub fn learn(&mut self, input: &Input) {
        let mut is_named = false;
        for object in &input.objects {
            is_named |= matches!(object.key.root, Root::Named(_));
            if self.find(&object.key).is_none() {
                self.learn_key(&object.key);
            }
        }
        // Someone has written an input by hand, or there were no keys yet: those are known that are named after calls, and after
        // pointers in what is known.
        if is_named {
            self.learn_results(input);
            for object in &input.objects {
                if let Some(node) = self.find(&object.key) {
                    self.pointers(node);
                }
            }
        }
    }

    /// Makes sure that results are known which an input names.
    fn learn_results(&mut self, input: &Input) {
        let unit = Arc::clone(&self.unit);
        for result in &unit.results {
            for call in 0..input.objects.len() as u32 {
                if input.get(&result_name(&result.function, call)).is_some() {
                    self.result(result, call);
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
                match unit.result_of(function) {
                    Some(result) => self.result(result, *call),
                    None if key.through.is_empty() => return Some(self.learn_member(Series::Result(function), *call)),
                    None => return Some(self.learn_member(Series::Pointee(function), *call)),
                }
            }
            Root::Area(label, number) if key.through.is_empty() => self.learn_member(Series::Area(label), *number),
            Root::Uninitialised(number) => self.learn_member(Series::Uninitialised, *number),
            // Arguments and files are made before the program runs. What a theory asks for is known once it has done so.
            _ => self.find(&ObjectKey::of_root(key.root.clone()))?,
        };
        for &offset in &key.through {
            self.pointers(node);
            node = self.own_of(node, offset)?;
        }
        (0..key.spare).try_fold(node, |node, _| self.spare(node))
    }

    fn learn_member(&mut self, series: Series<'_>, number: u32) -> NodeId {
        let id = self.series(series);
        self.member(id, series, number)
    }

    /// The first `len` bytes of an object, whose pointers are known, by an input. What the input does not say is chosen at random
    /// from the seed; pointers are null, and plain bytes zero.
    pub fn bytes(&self, id: NodeId, len: u32, input: Option<&InputObject>) -> Vec<u8> {
        let node = self.node(id);
        let layout = self.layouts().get(node.layout);
        let mut bytes = vec![0; len as usize];
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
            let target = match &reference.target {
                Pointee::Object(key) => self.find(key).map(|target| self.node(target).addr),
                Pointee::Function(name) => {
                    self.functions.values().find(|(_, known)| known == name).map(|(addr, _)| *addr)
                }
            };
            if let (Some(addr), Some(place)) = (target, bytes.get_mut(place)) {
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
                own.map_or(0, |own| self.node(own).entry())
            }
        }
    }

    /// An object as an input says it.
    pub fn as_input(&self, id: NodeId, bytes: &[u8]) -> InputObject {
        let node = self.node(id);
        let (key, name) = (Arc::clone(&node.key), Arc::clone(&node.name));
        let mut object = InputObject { key, name, bytes: bytes.to_vec(), references: Vec::new() };
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

    /// Whether the same objects are longer than usual in two inputs: strings, and what others overlap in part.
    pub fn has_same_rooms(&self, one: &Input, other: &Input) -> bool {
        let is_as_long =
            |object: &InputObject| other.object(&object.key).is_none_or(|same| same.bytes.len() == object.bytes.len());
        if self.unit.overlap.by == OverlapBy::Any && !one.objects.iter().all(is_as_long) {
            return false;
        }
        self.long_strings(one.objects.iter()) == self.long_strings(other.objects.iter())
    }

    /// Strings that are longer than usual.
    pub fn long_strings<'i>(&self, objects: impl Iterator<Item = &'i InputObject>) -> Vec<NodeId> {
        let Some(usual) = self.usual_length else { return Vec::new() };
        let is_long = |object: &&InputObject| text_len(&object.bytes) > usual;
        let nodes = objects.filter(is_long).filter_map(|object| self.find(&object.key));
        nodes.filter(|&node| self.node(node).is_elastic()).collect()
    }

    /// An object as it is if no input says anything of it.
    pub fn unsaid(&self, id: NodeId) -> InputObject {
        self.as_input(id, &self.bytes(id, self.node(id).n_bytes(self.layouts()), None))
    }

    /// Puts the key of an object in place of its address.
    pub fn refer(&self, object: &mut InputObject, offset: u32) {
        object.references.retain(|reference| reference.offset != offset);
        let Some(place) = object.bytes.get_mut(offset as usize..offset as usize + 8) else { return };
        let addr = u64::from_le_bytes((&*place).try_into().expect("a pointer has eight bytes"));
        if let Some((target, at)) = self.node_at(addr) {
            place.fill(0);
            let target = Pointee::Object(Arc::clone(&self.node(target).key));
            object.references.push(Reference { offset, target, at: u64::from(at) });
        } else if let Some((_, name)) = self.functions.values().find(|(function, _)| *function == addr) {
            place.fill(0);
            object.references.push(Reference { offset, target: Pointee::Function(Arc::clone(name)), at: 0 });
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
