//! The objects of the input, in all runs with one pool: parameters, arguments, files, what programs ask for while they run, and
//! what pointers lead to.
//!
//! Each pointer of the input has an object of its own, named after it: `*list`, `*list->next`. It is what the pointer
//! leads to unless it is null or shares the object of another. The own object of a pointer has the same address in all
//! runs of one pool, so that conditions may speak of addresses; inputs have keys of objects instead, and mean the same
//! everywhere.
//!
//! `roots` are objects that no pointer owns, `pointers` those that one does, `places` where these are, `contents` what they
//! hold, and `parts` which may be part of which others.

use super::layout::{Callee, Count, Layout, LayoutId, Layouts, Leaf, LeafKind, Target};
use super::unit::{Home, Unit};
use crate::input::Input;
use crate::key::{N_SERIES, ObjectKey, Root};
use rustc_hash::FxHashMap;
use spelunk_ir::model::FuncId;
use spelunk_vm::memory::ObjectId;
use std::sync::Arc;

/// The address of what is in another memory.
const ELSEWHERE: u64 = 1;

/// An object of the input, by number: the unit's parameters first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub(crate) u32);

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Param,
    /// What a call returns, where its type is known: nowhere in memory, but copied to where the caller wants it.
    Result,
    /// What is there from the start, or made when the program asks for it. The program has memory for it.
    Asked,
    /// The own object of a pointer.
    Pointed,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub key: Arc<ObjectKey>,
    /// What people call it: how C would get there.
    pub name: Arc<str>,
    pub kind: Kind,
    pub layout: LayoutId,
    /// How many elements there are; of plain bytes, each run says so.
    pub count: u32,
    /// How many there are at most, in an input that says so: more only in strings.
    pub longest: u32,
    /// Zero bytes behind the last element.
    pub n_after: u32,
    pub addr: u64,
    /// Where its pointer leads to if that is a part of it; else to its start.
    pub inside: Option<u32>,
    /// The number that says how many of the elements there are, if the pointer that it is named after leads to it.
    pub counted_by: Option<Counter>,
    /// The object with the pointer that it is the own object of.
    pub(super) holder: Option<NodeId>,
    /// The numbers of the own objects of the pointers in it, once it was part of a run.
    pub(super) pointers: Option<Vec<(u32, NodeId)>>,
}

impl Node {
    /// Whether no pointer owns it.
    pub fn is_root(&self) -> bool {
        self.kind != Kind::Pointed
    }

    /// How far from its start the pointer leads to that owns it.
    pub fn at(&self) -> u32 {
        self.inside.unwrap_or(0)
    }

    /// The value by which that pointer leads to it.
    pub fn entry(&self) -> u64 {
        self.addr + u64::from(self.at())
    }

    pub fn n_bytes(&self, layouts: &Layouts) -> u32 {
        self.count * layouts.get(self.layout).size
    }

    /// Whether it is a string that may be longer than usual.
    pub fn is_elastic(&self) -> bool {
        self.longest > self.count
    }

    /// How many characters a string of these has room for: whether it is a long one is up to them alone.
    pub fn room_for(&self, bytes: &[u8]) -> u32 {
        if self.is_elastic() && text_len(bytes) > self.count { self.longest } else { self.count }
    }
}

/// How many bytes come before the first zero.
pub(super) fn text_len(bytes: &[u8]) -> u32 {
    bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len()) as u32
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
    /// The unit's, and those that theories add.
    pub(super) layouts: Layouts,
    /// How long strings are usually that may be longer, if the unit has any.
    pub(super) usual_length: Option<u32>,
    pub(super) nodes: Vec<Node>,
    pub(super) by_key: FxHashMap<Arc<ObjectKey>, NodeId>,
    /// So that no two objects have the same name.
    pub(super) by_name: FxHashMap<Arc<str>, NodeId>,
    /// By kind and label.
    pub(super) series: [FxHashMap<Arc<str>, SeriesId>; N_SERIES],
    pub(super) members: FxHashMap<(SeriesId, u32), NodeId>,
    /// Functions that pointers may lead to: addresses and names.
    pub(super) functions: FxHashMap<FuncId, (u64, Arc<str>)>,
    /// The number of the first object in memory that pointers may lead to.
    pub(super) first: Option<ObjectId>,
    /// The objects from there on that there are.
    pub(super) by_number: Vec<Option<NodeId>>,
    /// Which number, counted from there, an object gets once there is one of this key.
    pub(super) numbers: FxHashMap<Arc<ObjectKey>, u32>,
}

/// A series of objects, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SeriesId(pub u32);

impl Heap {
    pub fn new(unit: Arc<Unit>) -> Self {
        Self { layouts: unit.layouts.clone(), usual_length: unit.layouts.usual_length(), unit, ..Self::default() }
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
        &self.layouts
    }

    /// Adds a type that objects may have.
    pub fn add_layout(&mut self, layout: Layout) -> LayoutId {
        self.layouts.add(layout)
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Says where a function is that pointers may lead to.
    pub fn add_function(&mut self, function: FuncId, addr: u64, name: &str) {
        self.functions.insert(function, (addr, name.into()));
    }

    pub fn address_of(&self, callee: Callee) -> u64 {
        match callee {
            Callee::Null => 0,
            Callee::Function(function) => self.functions.get(&function).map_or(0, |(addr, _)| *addr),
        }
    }

    pub(super) fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.by_key.insert(Arc::clone(&node.key), id);
        self.by_name.insert(Arc::clone(&node.name), id);
        self.nodes.push(node);
        id
    }

    /// The object of this key, if there is one already.
    pub fn find(&self, key: &ObjectKey) -> Option<NodeId> {
        match &key.root {
            Root::Named(name) => self.by_name.get(name).copied(),
            _ => self.by_key.get(key).copied(),
        }
    }

    /// Whether an object stays out of inputs of runs that don't look at it.
    pub fn is_optional(&self, id: NodeId) -> bool {
        self.unit.params.get(id.0 as usize).is_some_and(|param| param.home == Home::Optional)
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
        let most = node.count.max(node.longest) * layout.size;
        let leaf = layout.leaf_at(offset - start).filter(|_| offset < most)?;
        Some((start + leaf.offset, leaf))
    }

    /// Whether there is a pointer at a place of an object.
    pub fn has_pointer(&self, node: NodeId, offset: u32) -> bool {
        let leaf = self.leaf(node, offset).filter(|&(start, _)| start == offset);
        leaf.is_some_and(|(_, leaf)| matches!(leaf.kind, LeafKind::Pointer(_)))
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
}
