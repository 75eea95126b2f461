//! The input bytes of a run, and the variables that they became.
//!
//! Memory that holds input carries numbers, one for each byte of input, and no expressions. Only when bytes are read do
//! they become variables: bytes that are first read as one word are one variable, so that an `int` is compared as an
//! `int`. Copies carry the same numbers and therefore the same variables.

use crate::byte_set::ByteSet;
use crate::graph::heap::{Heap, Node, NodeId};
use crate::input::{Input, InputObject};
use crate::journal::Entry;
use crate::ledger::Bound;
use crate::searches::Search;
use crate::variables::{InputPlace, NameId, Variables};
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_expr::{ExprId, ExprPool, Model, VarId};
use spelunk_vm::Carried;
use std::sync::Arc;

/// What tells a number of an input byte from an expression: the highest bit, without the one below.
const MARKER: u32 = 0b10 << 30;
const MARKER_BITS: u32 = 0b11 << 30;

/// An object of input that the run has made.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    pub name: NameId,
    /// The number of the name as the program gave it.
    base: u32,
    /// The number of its first byte.
    pub(crate) first: u32,
    pub(crate) len: u32,
    /// The object of a graph that it is.
    pub(crate) node: Option<NodeId>,
    /// Where an object of a graph is.
    pub(crate) addr: u64,
    pub(crate) role: MadeRole,
    /// What says how many elements it has.
    pub(crate) counted_by: Option<CountBytes>,
}

/// A number of the input: its first byte, and how many it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountBytes {
    pub first: u32,
    pub n_bytes: u32,
}

/// Whether something is an object, or what a pointer finds in the object of another that it shares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MadeRole {
    Object,
    View,
}

impl Made {
    /// What memory carries for a byte of it.
    pub fn carried(&self, offset: u32) -> Carried {
        carried(self.first + offset)
    }
}

/// What memory carries for an input byte.
pub(crate) fn carried(number: u32) -> Carried {
    Carried(MARKER | number)
}

/// A variable that bytes of this run became.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grouped {
    var: VarId,
    expr: ExprId,
    first: u32,
    n_bytes: u32,
    /// For what is no value of the bytes, but where in them the first of a set is: one more than the set's number.
    sought: u32,
}

/// Which byte of which variable an input byte is; no variable yet if the expression is none.
#[derive(Clone, Copy, Debug)]
struct ByteState {
    expr: ExprId,
    index: u8,
}

const FRESH: ByteState = ByteState { expr: ExprId::NONE, index: 0 };

#[derive(Debug, Default)]
pub(crate) struct InputBytes {
    /// The objects that pointers of the input lead to, in all runs with one pool.
    pub heap: Heap,
    /// Concrete values by number. Between two objects there is one number that belongs to none, so that bytes of one never
    /// seem to go on in the next.
    bytes: Vec<u8>,
    /// As long as `bytes`.
    states: Vec<ByteState>,
    pub made: Vec<Made>,
    pub grouped: Vec<Grouped>,
    /// Sets that any run with the pool has looked for.
    pub sets: Vec<ByteSet>,
    /// How often each name was used.
    uses: FxHashMap<u32, u32>,
    /// Where the objects of the input are, once one was made out of order.
    by_name: FxHashMap<Arc<str>, usize>,
    /// By object of the graph: one more than the index in `made`.
    by_node: Vec<u32>,
}

impl Entry for Made {}

impl Entry for Grouped {
    fn visit_exprs(&self, visit: &mut dyn FnMut(ExprId)) {
        visit(self.expr);
    }
}

/// The number of the input byte that memory carries, if it does.
pub(crate) fn input_byte(carried: Carried) -> Option<u32> {
    (carried.0 & MARKER_BITS == MARKER).then_some(carried.0 & !MARKER_BITS)
}

impl InputBytes {
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.states.clear();
        for node in self.made.drain(..).filter_map(|made| made.node) {
            self.by_node[node.0 as usize] = 0;
        }
        self.grouped.clear();
        self.uses.clear();
        self.by_name.clear();
    }

    /// Makes an object of input. Its bytes are what `carried` says, one after another.
    pub fn make(&mut self, variables: &mut Variables, input: &Input, name: &str, len: u32) -> Made {
        let made = self.name(variables, name, len, None);
        let given = self.given(input, variables.name(made.name)).map(|object| &*object.bytes);
        self.add(made, given.unwrap_or_default());
        made
    }

    /// Makes an object of a graph.
    pub fn make_node(
        &mut self,
        variables: &mut Variables,
        input: &Input,
        node: NodeId,
        counted_by: Option<CountBytes>,
    ) -> Made {
        let Node { name, addr, .. } = self.heap.node(node);
        let (name, addr) = (name.clone(), *addr);
        let len = self.heap.node(node).n_bytes(self.heap.layouts());
        let made = Made { addr, counted_by, ..self.name(variables, &name, len, Some(node)) };
        let given = self.given(input, variables.name(made.name));
        self.heap.pointers(node);
        let bytes = self.heap.bytes(node, given);
        self.add(made, &bytes);
        made
    }

    /// Makes what a pointer finds at an address where the own object of another is.
    pub fn make_view(&mut self, variables: &mut Variables, node: NodeId, addr: u64) -> Option<Made> {
        let (name, len) = (self.heap.node(node).name.clone(), self.heap.node(node).n_bytes(self.heap.layouts()));
        self.heap.pointers(node);
        let bytes = self.bytes_at(addr, len)?;
        let made = Made { addr, role: MadeRole::View, ..self.name(variables, &name, len, Some(node)) };
        self.add(made, &bytes);
        Some(made)
    }

    /// What the input has for the object that is made next.
    fn given<'i>(&mut self, input: &'i Input, name: &str) -> Option<&'i InputObject> {
        if let Some(object) = input.objects.get(self.made.len()).filter(|object| *object.name == *name) {
            return Some(object);
        }
        if self.by_name.is_empty() {
            self.by_name = input.objects.iter().zip(0..).map(|(object, idx)| (Arc::clone(&object.name), idx)).collect();
        }
        self.by_name.get(name).map(|&idx| &input.objects[idx])
    }

    /// Bytes of the object that is at an address.
    fn bytes_at(&self, addr: u64, len: u32) -> Option<Vec<u8>> {
        let (node, at) = self.heap.node_at(addr)?;
        let object = self.of_node(node).filter(|made| made.role == MadeRole::Object)?;
        let bytes = self.bytes(object).get(at as usize..(at + len) as usize)?;
        Some(bytes.to_vec())
    }

    fn name(&mut self, variables: &mut Variables, name: &str, len: u32, node: Option<NodeId>) -> Made {
        let base = variables.mk_base(name);
        let n_before = self.uses.entry(base).or_insert(0);
        let id = variables.mk_name(base, name, *n_before);
        *n_before += 1;
        let (first, role) = (self.bytes.len() as u32, MadeRole::Object);
        Made { name: id, base, first, len, node, addr: 0, role, counted_by: None }
    }

    fn add(&mut self, made: Made, given: &[u8]) {
        let n_given = given.len().min(made.len as usize);
        self.bytes.extend_from_slice(&given[..n_given]);
        self.bytes.resize((made.first + made.len) as usize + 1, 0);
        self.states.resize(self.bytes.len(), FRESH);
        self.made.push(made);
        if let Some(NodeId(node)) = made.node {
            let n_nodes = self.by_node.len().max(node as usize + 1);
            self.by_node.resize(n_nodes, 0);
            self.by_node[node as usize] = self.made.len() as u32;
        }
    }

    /// The objects of the run, in order.
    pub fn made(&self) -> &[Made] {
        &self.made
    }

    /// An object of the graph, if the run has it.
    pub fn of_node(&self, node: NodeId) -> Option<Made> {
        let number = *self.by_node.get(node.0 as usize)?;
        Some(self.made[(number as usize).checked_sub(1)?])
    }

    /// The object that a byte of input belongs to.
    pub fn holder(&self, number: u32) -> Made {
        self.made[self.made.partition_point(|made| made.first <= number) - 1]
    }

    /// Eight bytes from a number on.
    pub fn word(&self, first: u32) -> u64 {
        let bytes = &self.bytes[first as usize..first as usize + 8];
        u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
    }

    pub fn bytes(&self, made: Made) -> &[u8] {
        &self.bytes[made.first as usize..(made.first + made.len) as usize]
    }

    /// Goes back to when there were these objects and variables, with the bytes that an input gives.
    pub fn restore(&mut self, made: &[Made], grouped: &[Grouped], variables: &Variables, input: &Input) {
        self.clear();
        for &made in made {
            *self.uses.entry(made.base).or_insert(0) += 1;
            let given = self.given(input, variables.name(made.name));
            match made.node {
                Some(_) if made.role == MadeRole::View => {
                    let bytes = self.bytes_at(made.addr, made.len).unwrap_or_default();
                    self.add(made, &bytes);
                }
                Some(node) => {
                    let bytes = self.heap.bytes(node, given);
                    self.add(made, &bytes);
                }
                None => self.add(made, given.map(|object| &*object.bytes).unwrap_or_default()),
            }
        }
        for grouped in grouped {
            self.add_group(*grouped);
        }
    }

    /// The value of an input byte.
    pub fn byte(&self, number: u32) -> u8 {
        self.bytes[number as usize]
    }

    /// The expression of an input byte, and which of its bytes it is, once it has one.
    pub fn known(&self, number: u32) -> Option<(ExprId, u8)> {
        let state = self.states[number as usize];
        (!state.expr.is_none()).then_some((state.expr, state.index))
    }

    /// Whether bytes from `first` on are all without a variable.
    pub fn are_fresh(&self, first: u32, n_bytes: u32) -> bool {
        self.states[first as usize..(first + n_bytes) as usize].iter().all(|state| state.expr.is_none())
    }

    /// Makes one variable of fresh bytes.
    pub fn group(
        &mut self,
        pool: &mut ExprPool,
        variables: &mut Variables,
        first: u32,
        n_bytes: u32,
    ) -> (VarId, ExprId) {
        let object = self.holder(first);
        let place = InputPlace { name: object.name, offset: first - object.first, n_bytes };
        let (var, expr) = variables.mk_var(pool, place);
        self.add_group(Grouped { var, expr, first, n_bytes, sought: 0 });
        (var, expr)
    }

    /// Makes a variable for where the first byte of a set is among some of an object.
    pub fn seek(
        &mut self,
        pool: &mut ExprPool,
        variables: &mut Variables,
        first: u32,
        n_bytes: u32,
        set: ByteSet,
    ) -> ExprId {
        let object = self.holder(first);
        let search = Search { name: object.name, offset: first - object.first, n_bytes, set };
        let (var, expr) = variables.mk_search(pool, search);
        if !self.grouped.iter().any(|grouped| grouped.var == var) {
            let number = self.sets.iter().position(|known| *known == set).unwrap_or_else(|| {
                self.sets.push(set);
                self.sets.len() - 1
            });
            self.grouped.push(Grouped { var, expr, first, n_bytes, sought: number as u32 + 1 });
        }
        expr
    }

    fn add_group(&mut self, grouped: Grouped) {
        if grouped.sought != 0 {
            return self.grouped.push(grouped);
        }
        for index in 0..grouped.n_bytes {
            self.states[(grouped.first + index) as usize] = ByteState { expr: grouped.expr, index: index as u8 };
        }
        self.grouped.push(grouped);
    }

    /// The values that the run's variables have.
    pub fn model(&self) -> Model {
        let mut model = Model::new();
        for (var, value) in self.values_from(0) {
            model.set_u64(var, value);
        }
        model
    }

    /// The run's variables from the one of this number on, with their values.
    pub fn values_from(&self, first: usize) -> impl Iterator<Item = (VarId, u64)> + '_ {
        self.grouped[first..].iter().map(|grouped| (grouped.var, self.value(grouped)))
    }

    fn value(&self, grouped: &Grouped) -> u64 {
        let bytes = &self.bytes[grouped.first as usize..(grouped.first + grouped.n_bytes) as usize];
        if let Some(set) = (grouped.sought as usize).checked_sub(1).map(|number| &self.sets[number]) {
            return bytes.iter().position(|&byte| set.contains(byte)).unwrap_or(bytes.len()) as u64;
        }
        bytes.iter().rev().fold(0, |high, &byte| high << 8 | u64::from(byte))
    }

    /// The input that the run really had: all objects that it made, whole; of a graph only those that can be reached.
    pub fn used(&self, variables: &Variables) -> Input {
        let reached = self.reached();
        let mut input = Input::new();
        for &made in self.made.iter().filter(|made| made.role == MadeRole::Object) {
            match made.node {
                Some(node) => {
                    if reached.contains(&node) && (!self.heap.is_optional(node) || self.was_read(made)) {
                        input.objects.push(self.heap.as_input(node, self.counted(made)));
                    }
                }
                None => input = input.with(variables.name(made.name).clone(), self.bytes(made)),
            }
        }
        input
    }

    /// Whether the run has looked at any byte of an object.
    fn was_read(&self, made: Made) -> bool {
        let states = &self.states[made.first as usize..(made.first + made.len) as usize];
        states.iter().any(|state| !state.expr.is_none())
    }

    /// The bounds of strings and arrays that the run may have been cut off by: it has looked at the last character of a
    /// string, which is not its end, or at the number that counts elements.
    pub fn bounds_met(&self) -> impl Iterator<Item = Bound> + '_ {
        let heap = &self.heap;
        self.made.iter().filter_map(move |made| {
            let node = heap.node(made.node?);
            let is_string = node.n_after > 0;
            let is_met = match (made.counted_by, node.counted_by) {
                (Some(count), Some(counter)) => {
                    !heap.is_fixed(counter.node, counter.offset) && !self.are_fresh(count.first, count.n_bytes)
                }
                _ if !is_string => false,
                _ => {
                    made.len == 0 || self.is_searched_to_end(made) || {
                        let last = made.first + made.len - 1;
                        self.known(last).is_some() && self.byte(last) != 0
                    }
                }
            };
            is_met.then_some(if is_string { Bound::String(node.count) } else { Bound::Array(node.count) })
        })
    }

    /// Whether something was looked for in an object up to its end.
    fn is_searched_to_end(&self, made: &Made) -> bool {
        let end = made.first + made.len;
        let is_in = |grouped: &&Grouped| grouped.first >= made.first && grouped.first + grouped.n_bytes == end;
        self.grouped.iter().filter(|grouped| grouped.sought != 0).any(|grouped| is_in(&grouped))
    }

    /// Those of an object's bytes that belong to it in this run.
    fn counted(&self, made: Made) -> &[u8] {
        let heap = &self.heap;
        let bytes = self.bytes(made);
        let Some((node, count)) = made.node.zip(made.counted_by) else { return bytes };
        let size = self.count(count).saturating_mul(u64::from(heap.layouts().get(heap.node(node).layout).size));
        &bytes[..bytes.len().min(usize::try_from(size).unwrap_or(usize::MAX))]
    }

    /// The value of a number that counts.
    pub fn count(&self, count: CountBytes) -> u64 {
        let bytes = &self.bytes[count.first as usize..(count.first + count.n_bytes) as usize];
        bytes.iter().rev().fold(0, |high, &byte| high << 8 | u64::from(byte))
    }

    /// The number that counts what a pointer leads to, which is part of an object of the run.
    pub fn counter(&self, holder: Made, offset: u32) -> Option<CountBytes> {
        let counter = self.heap.counter(holder.node?, offset)?;
        let made = if Some(counter.node) == holder.node { holder } else { self.of_node(counter.node)? };
        Some(CountBytes { first: made.first + counter.offset, n_bytes: counter.n_bytes })
    }

    /// The objects of the graph that the parameters lead to.
    fn reached(&self) -> FxHashSet<NodeId> {
        let heap = &self.heap;
        let roots = self.made.iter().filter_map(|made| made.node).filter(|&node| heap.node(node).is_root);
        let mut waiting: Vec<NodeId> = roots.collect();
        let mut reached: FxHashSet<NodeId> = waiting.iter().copied().collect();
        while let Some(node) = waiting.pop() {
            let Some(made) = self.of_node(node) else { continue };
            let n_bytes = self.counted(made).len();
            for offset in heap.pointer_offsets(node).filter(|&offset| (offset as usize) < n_bytes) {
                if let Some((target, _)) = heap.node_at(self.word(made.first + offset))
                    && reached.insert(target)
                {
                    waiting.push(target);
                }
            }
        }
        reached
    }
}
