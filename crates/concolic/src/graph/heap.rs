//! The objects that input pointers lead to.
//!
//! Each pointer of the input has an object of its own, named after it: `*list`, `*list->next`. It is what the pointer
//! leads to unless it is null or shares the object of another. The own object of a pointer has the same address in all
//! runs of one pool, so that conditions may speak of addresses; inputs name objects instead, and mean the same
//! everywhere.

use super::layout::{Callee, Count, LayoutId, Layouts, Leaf, LeafKind, PointerId, Target};
use super::unit::{Home, StubResult, Unit};
use crate::input::{Input, ObjectKey, Root};
use rustc_hash::FxHashMap;
use spelunk_ir::model::FuncId;
use spelunk_vm::memory::{Memory, ObjectId, object_of};
use std::ops::Range;
use std::sync::Arc;

/// As many objects can be pointed to in all runs together.
pub(crate) const MAX_OBJECTS: u32 = 1 << 14;

/// The address of what is not in memory, and of what is in another one.
const NOWHERE: u64 = 0;
const ELSEWHERE: u64 = 1;

/// What the name of an object ends with that is like another, but elsewhere.
const SPARE: char = '\'';

/// An object of the graph, by number: the unit's parameters first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct NodeId(pub u32);

#[derive(Debug)]
pub(crate) struct Node {
    pub key: Arc<ObjectKey>,
    /// What people and inputs call it: how C would get there.
    pub name: Arc<str>,
    pub layout: LayoutId,
    pub count: u32,
    /// Zero bytes behind the last element.
    pub n_after: u32,
    pub addr: u64,
    /// The number that says how many of the elements there are, if the pointer that it is named after leads to it.
    pub counted_by: Option<Counter>,
    /// Whether it is a parameter, and not the own object of a pointer.
    pub is_root: bool,
    /// The object with the pointer that it is the own object of.
    holder: Option<NodeId>,
    /// The numbers of the own objects of the pointers in it, once it was part of a run.
    pub(super) pointers: Option<Vec<(u32, NodeId)>>,
}

/// How the result of a call is named.
fn result_name(function: &str, number: u32) -> String {
    match number {
        0 => format!("{function}()"),
        n => format!("{function}()#{}", n + 1),
    }
}

impl Node {
    pub fn n_bytes(&self, layouts: &Layouts) -> u32 {
        self.count * layouts.get(self.layout).size
    }
}

/// A number of the input that counts the elements of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counter {
    pub count: Count,
    /// The object that has the number, and where.
    pub node: NodeId,
    pub offset: u32,
    pub n_bytes: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Heap {
    pub unit: Arc<Unit>,
    pub(super) nodes: Vec<Node>,
    pub(super) by_name: FxHashMap<Arc<str>, NodeId>,
    /// Functions that pointers may lead to: addresses, and how inputs name them.
    pub(super) functions: FxHashMap<FuncId, (u64, Arc<str>)>,
    /// The number of the first object in memory that pointers may lead to.
    first: Option<ObjectId>,
    /// The objects from there on that there are.
    by_number: Vec<Option<NodeId>>,
    /// Which number, counted from there, an object gets once there is one of this name.
    numbers: FxHashMap<Arc<str>, u32>,
}

impl Heap {
    pub fn new(unit: Arc<Unit>) -> Self {
        Self { unit, ..Self::default() }
    }

    /// Whether it has no object yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// With the objects that an input names, for those who look at it elsewhere than in a run.
    pub fn of_input(unit: &Arc<Unit>, input: &Input) -> Self {
        let mut heap = Self::new(Arc::clone(unit));
        for param in &unit.params {
            heap.add_param(&param.name, param.layout, ELSEWHERE);
        }
        heap.start_at(ObjectId(1), &[]);
        heap.learn(input);
        heap
    }

    pub fn layouts(&self) -> &Layouts {
        &self.unit.layouts
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Adds the next parameter.
    pub fn add_param(&mut self, name: &str, layout: LayoutId, addr: u64) -> NodeId {
        self.add_root(Root::Param(self.nodes.len() as u32), name, layout, addr)
    }

    fn add_root(&mut self, root: Root, name: &str, layout: LayoutId, addr: u64) -> NodeId {
        self.add(Node {
            key: Arc::new(ObjectKey::of_root(root)),
            name: name.into(),
            layout,
            count: 1,
            n_after: 0,
            addr,
            counted_by: None,
            is_root: true,
            holder: None,
            pointers: None,
        })
    }

    /// The object that a call returns of a function that nobody defines, by its number among those of the run.
    pub fn result(&mut self, result: &StubResult, number: u32) -> NodeId {
        let name = result_name(&result.function, number);
        let root = Root::Result(result.function.as_str().into(), number);
        self.find(&name).unwrap_or_else(|| self.add_root(root, &name, result.layout, NOWHERE))
    }

    /// Whether an object is nowhere in memory: what calls return is copied to where the caller wants it.
    pub fn is_result(&self, node: NodeId) -> bool {
        let node = self.node(node);
        node.is_root && node.addr == NOWHERE
    }

    /// The object that the pointers on the way to one start from.
    pub fn root_of(&self, node: NodeId) -> NodeId {
        std::iter::successors(Some(node), |&node| self.node(node).holder).last().expect("at least itself")
    }

    /// Says where a function is that pointers may lead to.
    pub fn add_function(&mut self, function: FuncId, addr: u64, name: &str) {
        self.functions.insert(function, (addr, format!("&{name}").into()));
    }

    pub fn address_of(&self, callee: Callee) -> u64 {
        match callee {
            Callee::Null => 0,
            Callee::Function(function) => self.functions.get(&function).map_or(0, |(addr, _)| *addr),
        }
    }

    /// From here on, objects may be pointed to: those in memory from this number on. Some are to be where they were in
    /// another run.
    pub fn start_at(&mut self, first: ObjectId, places: &[(Arc<str>, u64)]) {
        self.first = Some(first);
        let number = |addr: u64| object_of(addr).0.checked_sub(first.0).filter(|&number| number < MAX_OBJECTS);
        let numbers = places.iter().filter_map(|(name, addr)| Some((Arc::clone(name), number(*addr)?)));
        self.numbers = numbers.collect();
        let n_known = self.numbers.values().max().map_or(0, |&last| last as usize + 1);
        self.by_number.resize(n_known, None);
    }

    fn node_of(&self, object: ObjectId) -> Option<NodeId> {
        let number = object.0.checked_sub(self.first?.0)?;
        self.by_number.get(number as usize).copied().flatten()
    }

    fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.by_name.insert(Arc::clone(&node.name), id);
        self.nodes.push(node);
        id
    }

    /// The object of this name, if there is one already.
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.by_name.get(name).copied()
    }

    /// The number that an object has in memory.
    pub fn object_id(&self, node: NodeId) -> ObjectId {
        object_of(self.node(node).addr)
    }

    /// The object that holds an address, and where in it; also the end of it.
    pub fn node_at(&self, addr: u64) -> Option<(NodeId, u32)> {
        let id = self.node_of(object_of(addr))?;
        let node = self.node(id);
        let offset = addr.wrapping_sub(node.addr);
        (offset <= u64::from(node.n_bytes(self.layouts()))).then_some((id, offset as u32))
    }

    /// Whether an object stays out of inputs of runs that don't look at it.
    pub fn is_optional(&self, id: NodeId) -> bool {
        self.unit.params.get(id.0 as usize).is_some_and(|param| param.home == Home::Optional)
    }

    /// The object of the graph that an object of the memory is, if a number of the input says how many elements it has.
    pub fn counted(&self, object: ObjectId) -> Option<NodeId> {
        self.node_of(object).filter(|&node| self.node(node).counted_by.is_some())
    }

    /// The number that counts what a pointer leads to.
    pub fn counter(&self, holder: NodeId, offset: u32) -> Option<Counter> {
        let (start, leaf) = self.leaf(holder, offset)?;
        let LeafKind::Pointer(kind) = leaf.kind else { return None };
        let count = match self.layouts().pointer(kind).target {
            Target::Counted { count, .. } | Target::String { count: Some(count), .. } => count,
            _ => return None,
        };
        Some(match count {
            Count::Param { param, offset, n_bytes } => Counter { count, node: NodeId(param as u32), offset, n_bytes },
            Count::Beside { distance, n_bytes } => {
                Counter { count, node: holder, offset: start.wrapping_add_signed(distance), n_bytes }
            }
        })
    }

    /// The leaf of an object that a byte belongs to; its offset in the object first.
    pub fn leaf(&self, node: NodeId, offset: u32) -> Option<(u32, &Leaf)> {
        let node = self.node(node);
        let layout = self.layouts().get(node.layout);
        let start = offset / layout.size.max(1) * layout.size;
        let leaf = layout.leaf_at(offset - start).filter(|_| offset < node.n_bytes(self.layouts()))?;
        Some((start + leaf.offset, leaf))
    }

    /// Whether a number of the input has one value only.
    pub fn is_fixed(&self, node: NodeId, offset: u32) -> bool {
        self.leaf(node, offset).is_some_and(|(_, leaf)| matches!(leaf.kind, LeafKind::Fixed(_)))
    }

    /// Whether a pointer leads to something of which C says nothing.
    pub fn is_opaque(&self, node: NodeId, offset: u32) -> bool {
        let kind = self.leaf(node, offset).map(|(_, leaf)| &leaf.kind);
        matches!(kind, Some(LeafKind::Pointer(kind)) if self.layouts().pointer(*kind).target == Target::Nothing)
    }

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
        let unit = Arc::clone(&self.unit);
        let (layout, count) = (unit.layouts.get(self.node(id).layout), self.node(id).count);
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

    /// How C gets to a leaf.
    fn spelling(&self, id: NodeId, element: u32, leaf: &Leaf) -> String {
        let node = self.node(id);
        let Some(pointer) = node.name.strip_prefix('*').filter(|_| !node.is_root) else {
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
        let (layout, count, n_after) = match self.layouts().pointer(kind).target {
            Target::Objects { layout, count } => (layout, count, 0),
            Target::Counted { layout, max, .. } => (layout, max, 0),
            Target::String { max_len, layout, .. } => (layout, max_len, 1),
            Target::Nothing => return None,
        };
        let counted_by = self.counter(holder, offset);
        // Where they are decided on demand, that is where it is asked whether there may be one more.
        let is_lazy = self.unit.shapes.as_ref().is_some_and(|shapes| shapes.is_lazy(kind));
        if !is_lazy && self.unit.max_nesting.is_some_and(|max| self.nesting(holder, layout) >= max) {
            return None;
        }
        let key = Arc::new(self.node(holder).key.behind(offset));
        let (name, holder) = (format!("*{text}").into(), Some(holder));
        let (addr, is_root, pointers) = (0, false, None);
        self.add_in_memory(Node { key, name, layout, count, n_after, addr, counted_by, is_root, holder, pointers })
    }

    /// An object like the own object of a pointer, but elsewhere in memory: for programs that ask for an order of addresses
    /// which own objects don't have. It belongs to no pointer, so any may lead to it.
    pub fn spare(&mut self, own: NodeId) -> Option<NodeId> {
        let name: Arc<str> = format!("{}{SPARE}", self.node(own).name).into();
        if let Some(known) = self.find(&name) {
            return Some(known);
        }
        let pointers = Some(self.pointers(own).to_vec());
        let &Node { layout, count, n_after, counted_by, is_root, holder, .. } = self.node(own);
        let like = &self.node(own).key;
        let key = Arc::new(ObjectKey { spare: like.spare + 1, ..(**like).clone() });
        self.add_in_memory(Node { key, name, layout, count, n_after, addr: 0, counted_by, is_root, holder, pointers })
    }

    /// Adds an object that may be pointed to, unless there is no room for it.
    fn add_in_memory(&mut self, node: Node) -> Option<NodeId> {
        let first = self.first?;
        let is_free = |&number: &u32| self.by_number[number as usize].is_none();
        let number = self.numbers.get(&node.name).copied().filter(is_free).unwrap_or(self.by_number.len() as u32);
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

    /// How many objects of a type lie on the way to an object, which is one of them.
    fn nesting(&self, node: NodeId, layout: LayoutId) -> u32 {
        let way = std::iter::successors(Some(node), |&node| self.node(node).holder);
        way.filter(|&node| self.node(node).layout == layout && !self.node(node).is_root).count() as u32
    }

    /// The own object of a pointer.
    pub fn own_of(&self, holder: NodeId, offset: u32) -> Option<NodeId> {
        let pointers = self.node(holder).pointers.as_ref()?;
        let found = pointers.binary_search_by_key(&offset, |&(offset, _)| offset).ok()?;
        Some(pointers[found].1)
    }
}
