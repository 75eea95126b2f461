//! Pointers in objects of the input, and the objects that they own.

use super::heap::{Heap, Kind, Node, NodeId};
use super::layout::{LayoutId, Leaf, LeafKind, PointerId, Target};
use super::shapes::way_to_part;
use crate::key::ObjectKey;
use spelunk_hex::Step;
use std::sync::Arc;

/// What the name of an object ends with that is like another, but elsewhere.
const SPARE: char = '\'';

impl Heap {
    /// The pointers in an object, with their own objects, as far as there is room for those.
    pub fn pointers(&mut self, id: NodeId) -> &[(u32, NodeId)] {
        if self.node(id).pointers.is_none() {
            let pointers = self.find_pointers(id);
            self.nodes[id.0 as usize].pointers = Some(pointers);
        }
        self.nodes[id.0 as usize].pointers.as_deref().expect("just set")
    }

    /// Where pointers are in an object that was part of a run.
    pub fn pointer_offsets(&self, id: NodeId) -> impl Iterator<Item = u32> + '_ {
        self.node(id).pointers.iter().flatten().map(|&(offset, _)| offset)
    }

    fn find_pointers(&mut self, id: NodeId) -> Vec<(u32, NodeId)> {
        let layouts = self.layouts.clone();
        let (layout, count) = (layouts.get(self.node(id).layout), self.node(id).count);
        let mut found = Vec::new();
        for element in 0..count {
            for leaf in &layout.leaves {
                let LeafKind::Pointer(kind) = leaf.kind else { continue };
                let offset = element * layout.size + leaf.offset;
                let text = self.spelling(id, element, leaf);
                if let Some(own) = self.add_own((id, offset), kind, &text) {
                    found.push((offset, own));
                }
            }
        }
        found
    }

    /// The own object of a pointer.
    pub fn own_of(&self, holder: NodeId, offset: u32) -> Option<NodeId> {
        let pointers = self.node(holder).pointers.as_ref()?;
        let found = pointers.binary_search_by_key(&offset, |&(offset, _)| offset).ok()?;
        Some(pointers[found].1)
    }

    /// How C gets to the bytes at an offset, if they are one value.
    pub fn spelled(&self, id: NodeId, offset: u32, n_bytes: u32) -> Option<String> {
        let (start, leaf) = self.leaf(id, offset)?;
        let element = offset / self.layouts().get(self.node(id).layout).size.max(1);
        (start == offset && leaf.n_bytes == n_bytes).then(|| self.spelling(id, element, leaf))
    }

    /// How C gets to a leaf.
    fn spelling(&self, id: NodeId, element: u32, leaf: &Leaf) -> String {
        let node = self.node(id);
        let Some(pointer) = node.name.strip_prefix('*').filter(|_| !node.is_root()) else {
            return format!("{}{}", node.name, leaf.path);
        };
        match (node.count, leaf.path.strip_prefix('.')) {
            (1, Some(member)) => format!("{pointer}->{member}"),
            (1, None) if leaf.path.is_empty() => format!("(*{pointer})"),
            (1, None) => format!("(*{pointer}){}", leaf.path),
            _ => format!("{pointer}[{element}]{}", leaf.path),
        }
    }

    fn add_own(&mut self, (holder, offset): (NodeId, u32), kind: PointerId, text: &str) -> Option<NodeId> {
        let (mut inside, mut text) = (None, text.to_owned());
        let (layout, count, longest, n_after) = match self.layouts().pointer(kind).target {
            Target::Objects { layout, count } => (layout, count, count, 0),
            Target::Counted { layout, max, .. } => (layout, max, max, 0),
            Target::String { max_len, longest, layout, .. } => (layout, max_len, longest, 1),
            Target::Inside { layout, outer, at } => {
                inside = Some(at);
                text = self.container_of(&text, (outer, at), layout);
                (outer, 1, 1, 0)
            }
            Target::Nothing => return None,
        };
        let counted_by = self.counter(holder, offset);
        // Where they are decided on demand, that is where it is asked whether there may be one more.
        let is_lazy = self.unit.shapes.as_ref().is_some_and(|shapes| shapes.is_lazy(kind));
        if !is_lazy && self.unit.max_nesting.is_some_and(|max| self.nesting(holder, layout) >= max) {
            return None;
        }
        let key = Arc::new(self.node(holder).key.behind(offset));
        let (name, holder) = (self.free_name(&format!("*{text}")), Some(holder));
        let (addr, pointers) = (0, None);
        let kind = Kind::Pointed;
        self.add_in_memory(Node {
            key,
            name,
            kind,
            layout,
            count,
            longest,
            n_after,
            addr,
            inside,
            counted_by,
            holder,
            pointers,
        })
    }

    /// How C gets from a pointer to the object around what it leads to.
    fn container_of(&self, pointer: &str, (outer, at): (LayoutId, u32), inner: LayoutId) -> String {
        let outer = self.layouts().get(outer);
        let way = way_to_part(outer, at, self.layouts().get(inner)).unwrap_or_default();
        let member: String = way.iter().map(Step::to_string).collect();
        format!("container_of({pointer}, {}, {})", outer.name, member.trim_start_matches('.'))
    }

    /// An object like the own object of a pointer, but elsewhere in memory: for programs that ask for an order of addresses
    /// which own objects don't have. It belongs to no pointer, so any may lead to it.
    pub fn spare(&mut self, own: NodeId) -> Option<NodeId> {
        let like = &self.node(own).key;
        let key = Arc::new(ObjectKey { spare: like.spare + 1, ..(**like).clone() });
        if let Some(known) = self.find(&key) {
            return Some(known);
        }
        let pointers = Some(self.pointers(own).to_vec());
        let name = self.free_name(&format!("{}{SPARE}", self.node(own).name));
        let &Node { kind, layout, count, longest, n_after, inside, counted_by, holder, .. } = self.node(own);
        self.add_in_memory(Node {
            key,
            name,
            kind,
            layout,
            count,
            longest,
            n_after,
            addr: 0,
            inside,
            counted_by,
            holder,
            pointers,
        })
    }

    /// How many objects of a type lie on the way to an object, which is one of them.
    fn nesting(&self, node: NodeId, layout: LayoutId) -> u32 {
        let way = std::iter::successors(Some(node), |&node| self.node(node).holder);
        way.filter(|&node| self.node(node).layout == layout && !self.node(node).is_root()).count() as u32
    }
}
