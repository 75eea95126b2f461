//! Which reference of the heap a variable is, and what was decided about it.

use crate::graph::heap::{Kind, NodeId};
use crate::graph::layout::LeafKind;
use crate::graph::shapes::{RootNumber, Shapes};
use crate::input_bytes::MadeRole;
use crate::key::ObjectKey;
use crate::machine::ConcolicMachine;
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_expr::{Model, VarId};
use spelunk_hex::{Choice, Heap, ObjIx, Spec, Spot};
use std::sync::Arc;

/// Where pointers lead to: so far behind where a pointer does that an object was made for.
pub(super) type Targets = Vec<(VarId, Option<(VarId, i64)>)>;

/// A variable that is a pointer which is decided on demand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointer {
    /// The own object of the pointer that it is found through, and where in it.
    pub holder: NodeId,
    pub offset: u32,
    /// Where in the holder its own pointer leads to.
    entry: u32,
    /// The input that the holder belongs to.
    root: RootNumber,
}

/// Such variables, of all runs with one pool.
#[derive(Debug, Default)]
pub(super) struct Pointers {
    /// By variable.
    pointers: Vec<Option<Pointer>>,
    /// By object: the variable of the pointer that owns it.
    owners: FxHashMap<NodeId, VarId>,
}

impl Pointers {
    /// Takes note of a variable, of which this is the first byte.
    pub fn add(&mut self, machine: &ConcolicMachine, shapes: &Shapes, var: VarId, first: u32) {
        let heap = &machine.inputs.heap;
        let Some(place) = machine.variables.place(var) else { return };
        let holder = machine.inputs.holder(first).node;
        let Some((start, leaf)) = heap.leaf(holder, place.offset) else { return };
        let LeafKind::Pointer(kind) = leaf.kind else { return };
        let is_whole = (start, leaf.n_bytes) == (place.offset, place.n_bytes);
        let Some(root) = shapes.root(&heap.node(holder).key).filter(|_| is_whole && shapes.is_lazy(kind)) else {
            return;
        };
        if self.pointers.len() <= var.index() {
            self.pointers.resize(var.index() + 1, None);
        }
        self.pointers[var.index()] =
            Some(Pointer { holder, offset: place.offset, entry: heap.node(holder).at(), root });
        if let Some(own) = heap.own_of(holder, place.offset) {
            self.owners.insert(own, var);
        }
    }

    pub fn get(&self, var: VarId) -> Option<Pointer> {
        self.pointers.get(var.index()).copied().flatten()
    }

    /// Where among the bytes of the run's input a pointer is: they are numbered as they come up.
    pub fn place(&self, machine: &ConcolicMachine, var: VarId) -> Option<u32> {
        let pointer = self.get(var)?;
        Some(machine.inputs.of_node(pointer.holder)?.first + pointer.offset)
    }

    /// What a pointer is in this run.
    pub fn value(&self, machine: &ConcolicMachine, var: VarId) -> Option<u64> {
        Some(machine.inputs.word(self.place(machine, var)?))
    }

    /// The pointers in objects of the run that nothing was decided about, also those that no variable stands for.
    pub fn undecided(
        &self,
        machine: &ConcolicMachine,
        shapes: &Shapes,
        decided: &Decided,
    ) -> Vec<(Arc<ObjectKey>, u32)> {
        let (inputs, heap) = (&machine.inputs, &machine.inputs.heap);
        // Results are not in memory.
        let place = |node: NodeId, addr: u64, offset: u32| match heap.node(node).kind {
            Kind::Result => (Some(node), u64::from(offset)),
            _ => (None, addr + u64::from(offset)),
        };
        let decided_at = |&var: &VarId| {
            let pointer = self.get(var)?;
            Some(place(pointer.holder, inputs.of_node(pointer.holder)?.addr, pointer.offset))
        };
        let known: FxHashSet<_> = decided.targets.keys().filter_map(decided_at).collect();
        let is_ours = |node: NodeId| shapes.root(&heap.node(node).key).is_some();
        let objects = inputs.made().iter().filter(|made| made.role == MadeRole::Object && is_ours(made.node));
        let places = objects.flat_map(|made| heap.pointer_offsets(made.node).map(move |offset| (made.node, offset)));
        let is_open = |&(node, offset): &(NodeId, u32)| {
            let kind = heap.leaf(node, offset).map(|(_, leaf)| &leaf.kind);
            matches!(kind, Some(LeafKind::Pointer(kind)) if shapes.is_lazy(*kind))
                && !known.contains(&place(node, heap.node(node).addr, offset))
        };
        places.filter(is_open).map(|(node, offset)| (Arc::clone(&heap.node(node).key), offset)).collect()
    }

    /// The pointer that owns an object.
    pub fn owner(&self, node: NodeId) -> Option<VarId> {
        self.owners.get(&node).copied()
    }
}

/// What was decided, by a run or by the conditions of a query.
#[derive(Clone, Debug)]
pub(super) struct Decided {
    pub heap: Heap,
    targets: FxHashMap<VarId, Option<(ObjIx, u32)>>,
    /// By object: the pointer that it was made for, and where in it that leads to.
    makers: Vec<Option<(VarId, u32)>>,
    /// The objects that results are.
    results: FxHashMap<NodeId, ObjIx>,
}

impl Decided {
    pub fn new(spec: &Arc<Spec>) -> Self {
        let heap = Heap::new(spec);
        let makers = vec![None; heap.n_objects()];
        Self { heap, targets: FxHashMap::default(), makers, results: FxHashMap::default() }
    }

    pub fn knows(&self, var: VarId) -> bool {
        self.targets.contains_key(&var)
    }

    /// The object that a pointer leads to, and where in it.
    pub fn target(&self, var: VarId) -> Option<(ObjIx, u32)> {
        self.targets.get(&var).copied().flatten()
    }

    /// The pointer that an object was made for, and where in it that leads to.
    pub fn maker(&self, object: ObjIx) -> Option<(VarId, u32)> {
        self.makers[object.0 as usize]
    }

    /// The object of what a function has returned, which is added with the first question about it.
    pub fn result(&mut self, node: NodeId, root: u32) -> ObjIx {
        let Self { heap, makers, results, .. } = self;
        *results.entry(node).or_insert_with(|| {
            makers.push(None);
            heap.add_result(root as usize)
        })
    }

    /// The object of the input that one is which nothing has expanded.
    pub fn root(&self, shapes: &Shapes, object: ObjIx) -> NodeId {
        let result = self.results.iter().find(|(_, it)| **it == object).map(|(node, _)| *node);
        result.unwrap_or_else(|| NodeId(shapes.param(object.0)))
    }

    /// The reference that a pointer is: what it is found through was decided before.
    pub fn reference(&mut self, shapes: &Shapes, pointers: &Pointers, pointer: Pointer) -> Option<(ObjIx, usize)> {
        let (object, at) = match (pointers.owner(pointer.holder), pointer.root) {
            (Some(owner), _) => {
                if !self.knows(owner) {
                    let same = self.reference(shapes, pointers, pointers.get(owner)?)?;
                    self.heap.decided(same.0, same.1)?;
                    self.adopt(shapes, owner, same);
                }
                self.target(owner)?
            }
            (None, RootNumber::Input(root)) => (ObjIx(root), 0),
            (None, RootNumber::Result(root)) => (self.result(pointer.holder, root), 0),
        };
        let offset = (at + pointer.offset).checked_sub(pointer.entry)?;
        let reference = shapes.reference(self.heap.type_of(object), offset)?;
        Some((object, reference))
    }

    pub fn decide(&mut self, shapes: &Shapes, var: VarId, (object, reference): (ObjIx, usize), choice: Choice) {
        let made = self.heap.decide(object, reference, choice);
        let target = match choice {
            Choice::Null => None,
            Choice::Alias { object, part } => Some((object, shapes.place(self.heap.type_of(object), part))),
            Choice::Expand { ty, part } => made.map(|object| (object, shapes.place(ty, part))),
        };
        if made.is_some() {
            self.makers.push(target.map(|(_, at)| (var, at)));
        }
        self.targets.insert(var, target);
    }

    /// A pointer is a reference that was decided by another variable.
    pub fn adopt(&mut self, shapes: &Shapes, var: VarId, (object, reference): (ObjIx, usize)) {
        let place = |Spot { object, part }| (object, shapes.place(self.heap.type_of(object), part));
        let target = self.heap.target(object, reference).map(place);
        self.targets.insert(var, target);
    }

    /// Where all pointers lead to that were decided, whichever their order.
    pub fn targets(&self) -> Targets {
        let mut all: Targets = self.targets.keys().map(|&var| (var, self.made_for(var))).collect();
        all.sort_unstable();
        all
    }

    /// The pointer that the object was made for which another leads to, and how far behind where that leads to.
    fn made_for(&self, var: VarId) -> Option<(VarId, i64)> {
        let (object, at) = self.target(var)?;
        let (maker, entry) = self.maker(object)?;
        Some((maker, i64::from(at) - i64::from(entry)))
    }

    /// Whether a pointer leads there; if nothing was decided about it, whether it did in the origin.
    pub fn leads_to(&self, var: VarId, target: Option<(VarId, i64)>, origin: &Model) -> bool {
        if self.knows(var) {
            return self.made_for(var) == target;
        }
        let value = |var: VarId| origin.get_u64(var);
        match target {
            None => value(var) == Some(0),
            Some((maker, at)) => {
                let start = value(maker).filter(|&start| start != 0);
                start.is_some_and(|start| value(var) == Some(start.wrapping_add_signed(at)))
            }
        }
    }
}
