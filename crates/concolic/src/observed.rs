//! What a run of a unit was seen to do: what its calls returned, what they changed, and what they freed.
//!
//! Values are told as inputs are: pointers are the names of what they lead to, so that a value means the same wherever the
//! program is run. Whatever has no name is [`ELSEWHERE`].

use crate::graph::heap::{Heap, Kind, NodeId};
use crate::graph::layout::{Layout, LayoutId, LeafKind};
use crate::graph::unit::{Content, Home, Unit};
use crate::input::Input;
use crate::machine::ConcolicMachine;
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_ir::code::StaticKind;
use spelunk_vm::Vm;
use spelunk_vm::memory::{Life, Object, ObjectId, object_of};
use std::sync::Arc;

/// What pointers lead to that is neither null nor named: memory that the program allocated, a string literal, a local
/// variable. No object is called that.
pub const ELSEWHERE: &str = "?";

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Observed {
    /// Of the calls that returned something, in order.
    pub returned: Vec<Seen>,
    /// Objects of the input, and variables that the calls work on, that are not what they were.
    pub objects: Vec<Seen>,
    /// Other variables of the program that are not what they were.
    pub variables: Vec<Seen>,
    /// Objects of the input.
    pub freed: Vec<Arc<str>>,
}

/// A value, and what it is the value of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    pub name: Arc<str>,
    pub ty: SeenType,
    pub value: Value,
}

/// The type of a value, or of its elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeenType {
    /// One of those that the unit's input is made of.
    Input(LayoutId),
    /// One of those that are only looked at.
    Observable(LayoutId),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    pub bytes: Vec<u8>,
    /// Which bits of the bytes are initialised; the others are zero.
    pub known: Vec<u8>,
    /// Pointers, whose bytes are zero.
    pub references: Vec<SeenPointer>,
}

/// A pointer that was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenPointer {
    pub offset: u32,
    /// What people call what it leads to: an object of the input, or with an ampersand before it a function or a variable.
    pub target: Arc<str>,
    pub at: u64,
}

impl Value {
    /// Whether anything that is known of it is not the same in another.
    fn differs_from(&self, before: &Value) -> bool {
        let is_known = |at: u32| self.known[at as usize..].iter().take(8).all(|&known| known == 0xff);
        let lost = before.references.iter().any(|it| is_known(it.offset) && !self.references.contains(it));
        let found = self.references.iter().any(|it| !before.references.contains(it));
        let bytes = self.bytes.iter().zip(&self.known).zip(before.bytes.iter().zip(&before.known));
        lost || found || bytes.into_iter().any(|((a, known), (b, known_before))| (a ^ b | !known_before) & known != 0)
    }
}

/// Looks at the memory that a run has left.
pub(crate) struct Observer<'a, 'p> {
    vm: &'a Vm<'p, ConcolicMachine>,
    unit: &'a Unit,
    heap: &'a Heap,
    input: Input,
    /// What can be named: objects of the graph, and others by their numbers.
    nodes: FxHashSet<NodeId>,
    named: FxHashMap<ObjectId, Arc<str>>,
}

impl<'a, 'p> Observer<'a, 'p> {
    pub fn new(vm: &'a Vm<'p, ConcolicMachine>, unit: &'a Unit, heap: &'a Heap) -> Self {
        let input = vm.machine.used_input();
        let nodes = input.objects.iter().filter_map(|object| heap.find(&object.key)).collect();
        let mut named: FxHashMap<ObjectId, Arc<str>> = FxHashMap::default();
        for variable in &unit.observables.variables {
            named.insert(static_object(variable.number), format!("&{}", variable.name).into());
        }
        for (number, param) in unit.params.iter().enumerate() {
            if let Home::Global(_) | Home::Room(_) = param.home {
                let node = NodeId(number as u32);
                named.insert(heap.object_id(node), Arc::clone(&heap.node(node).name));
            }
        }
        Self { vm, unit, heap, input, nodes, named }
    }

    /// Everything but what the calls returned.
    pub fn observe(&self) -> Observed {
        let mut observed = Observed::default();
        self.rooms(&mut observed);
        self.objects(&mut observed);
        self.variables(&mut observed);
        observed
    }

    /// The variables that are no input, but what the calls work on.
    fn rooms(&self, observed: &mut Observed) {
        for (number, param) in self.unit.params.iter().enumerate() {
            let Home::Room(content) = param.home else { continue };
            let layout = self.unit.layouts.get(param.layout);
            let object = self.vm.memory.object(self.heap.object_id(NodeId(number as u32)));
            let known = match content {
                Content::Zero => 0xff,
                Content::Undefined => 0,
            };
            let len = layout.size as usize;
            let before = Value { bytes: vec![0; len], known: vec![known; len], references: Vec::new() };
            let after = self.content(object, len, layout);
            if after.differs_from(&before) {
                let name = param.name.as_str().into();
                observed.objects.push(Seen { name, ty: SeenType::Input(param.layout), value: after });
            }
        }
    }

    fn objects(&self, observed: &mut Observed) {
        let inputs = &self.vm.machine.inputs;
        for object in &self.input.objects {
            let Some(node) = self.heap.find(&object.key) else { continue };
            let Some(made) = inputs.of_node(node) else { continue };
            let param = self.unit.params.get(node.0 as usize);
            // Arguments are copies, and so are results; what the program asked for is its own.
            let is_copy = matches!(self.heap.node(node).kind, Kind::Result | Kind::Asked);
            if is_copy || param.is_some_and(|param| !matches!(param.home, Home::Global(_))) {
                continue;
            }
            let now = self.vm.memory.object(self.heap.object_id(node));
            // An object with a birth is another one, which has got the number.
            if now.life() == Life::Dead || now.born() != Default::default() {
                observed.freed.push(Arc::clone(&object.name));
                continue;
            }
            let layout = self.heap.node(node).layout;
            let described = self.unit.layouts.get(layout);
            let n_bytes = object.bytes.len();
            let given = inputs.bytes(made)[..n_bytes].to_vec();
            let before = self.value(given, vec![0xff; n_bytes], described);
            let after = self.content(now, n_bytes, described);
            if after.differs_from(&before) {
                let name = Arc::clone(&object.name);
                observed.objects.push(Seen { name, ty: SeenType::Input(layout), value: after });
            }
        }
    }

    fn variables(&self, observed: &mut Observed) {
        for variable in &self.unit.observables.variables {
            let StaticKind::Variable { bytes: first, .. } = &self.vm.image().statics[variable.number].kind else {
                continue;
            };
            let object = self.vm.memory.object(static_object(variable.number));
            let data = object.data();
            let is_same = data.starts_with(first) && data[first.len()..].iter().all(|&byte| byte == 0);
            if is_same {
                continue;
            }
            let layout = self.unit.observables.layouts.get(variable.layout);
            let n_bytes = data.len().min(layout.size as usize);
            let mut given = first.to_vec();
            given.resize(n_bytes, 0);
            let before = self.value(given, vec![0xff; n_bytes], layout);
            let after = self.content(object, n_bytes, layout);
            if after.differs_from(&before) {
                let (name, ty) = (Arc::clone(&variable.name), SeenType::Observable(variable.layout));
                observed.variables.push(Seen { name, ty, value: after });
            }
        }
    }

    /// What the first bytes of an object hold.
    pub fn content(&self, object: &Object, len: usize, layout: &Layout) -> Value {
        let mut bytes = object.data()[..len].to_vec();
        let mut known = vec![0xff; len];
        for (at, undefined) in object.undefined().take_while(|&(at, _)| at < len) {
            bytes[at] &= !undefined;
            known[at] = !undefined;
        }
        self.value(bytes, known, layout)
    }

    /// Puts names in place of addresses.
    fn value(&self, bytes: Vec<u8>, known: Vec<u8>, layout: &Layout) -> Value {
        let mut value = Value { bytes, known, references: Vec::new() };
        let mut at = 0;
        while at + 8 <= value.bytes.len() {
            let place = at..at + 8;
            let word = u64::from_le_bytes(value.bytes[place.clone()].try_into().expect("eight bytes"));
            let is_known = value.known[place.clone()].iter().all(|&known| known == 0xff);
            let target = if is_known { self.target(word, is_pointer(layout, at as u32)) } else { None };
            let Some((target, from_start)) = target else {
                at += 1;
                continue;
            };
            value.bytes[place].fill(0);
            value.references.push(SeenPointer { offset: at as u32, target, at: from_start });
            at += 8;
        }
        value
    }

    /// What an address leads to, and how far behind its start; nothing if it is none. What is not declared as a pointer is
    /// one only if it leads into an object.
    fn target(&self, addr: u64, is_declared: bool) -> Option<(Arc<str>, u64)> {
        let id = object_of(addr);
        if id.0 == 0 || id.0 >= self.vm.memory.n_objects() {
            return None;
        }
        let object = self.vm.memory.object(id);
        let offset = addr.wrapping_sub(object.base());
        let elsewhere = || Some((ELSEWHERE.into(), 0));
        if object.base() == 0 || offset > object.size() {
            return if is_declared { elsewhere() } else { None };
        }
        if let Some((node, at)) = self.heap.node_at(addr).filter(|(node, _)| self.nodes.contains(node)) {
            return Some((Arc::clone(&self.heap.node(node).name), u64::from(at)));
        }
        if let Some(name) = self.named.get(&id) {
            return Some((Arc::clone(name), offset));
        }
        match self.vm.image().statics.get(id.0 as usize - 1) {
            Some(function) if matches!(function.kind, StaticKind::Function(_)) => {
                Some((format!("&{}", function.name).into(), offset))
            }
            _ => elsewhere(),
        }
    }
}

/// The number in memory of one of the image's static objects.
fn static_object(number: usize) -> ObjectId {
    ObjectId(number as u32 + 1)
}

/// Whether a pointer is declared at this place of an array of such elements.
fn is_pointer(layout: &Layout, at: u32) -> bool {
    let at = at % layout.size.max(1);
    let leaf = layout.leaf_at(at).filter(|leaf| leaf.offset == at);
    leaf.is_some_and(|leaf| matches!(leaf.kind, LeafKind::Pointer(_) | LeafKind::Function(_)))
}
