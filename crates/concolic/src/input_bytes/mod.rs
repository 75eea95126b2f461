//! The input bytes of a run, and the variables that they became.
//!
//! Memory that holds input carries numbers, one for each byte of input, and no expressions. Only when bytes are read do
//! they become variables (`groups`): bytes that are first read as one word are one variable, so that an `int` is compared as an
//! `int`. Copies carry the same numbers and therefore the same variables. `used` is what of that was the input of the run.

mod groups;
mod used;

pub(crate) use groups::Grouped;

use crate::byte_set::ByteSet;
use crate::graph::heap::{Heap, NodeId, SeriesId};
use crate::input::{Input, InputObject};
use crate::journal::Entry;
use crate::key::{ObjectKey, Root, Series};
use groups::{ByteState, FRESH};
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_vm::Carried;
use std::sync::Arc;

/// What tells a number of an input byte from an expression: the highest bit, without the one below.
const MARKER: u32 = 0b10 << 30;
const MARKER_BITS: u32 = 0b11 << 30;

/// An object of input that the run has made.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    pub node: NodeId,
    /// Of what the program asks for again and again.
    series: Option<SeriesId>,
    /// The number of its first byte.
    pub(crate) first: u32,
    pub(crate) len: u32,
    /// Where it is, if pointers may lead to it.
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

impl Entry for Made {}

/// What memory carries for an input byte.
pub(crate) fn carried(number: u32) -> Carried {
    Carried(MARKER | number)
}

/// The number of the input byte that memory carries, if it does.
pub(crate) fn input_byte(carried: Carried) -> Option<u32> {
    (carried.0 & MARKER_BITS == MARKER).then_some(carried.0 & !MARKER_BITS)
}

#[derive(Debug, Default)]
pub(crate) struct InputBytes {
    /// The objects of the input, in all runs with one pool.
    pub heap: Heap,
    /// Concrete values by number. Between two objects there is one number that belongs to none, so that bytes of one never
    /// seem to go on in the next.
    bytes: Vec<u8>,
    /// As long as `bytes`.
    states: Vec<ByteState>,
    pub made: Vec<Made>,
    /// Those that something was looked for in.
    pub(super) searched: FxHashSet<NodeId>,
    /// Numbers that say what the bytes of other objects are, in all runs with one pool.
    pub templates: FxHashSet<NodeId>,
    /// Whether one of them is a string that is longer than usual.
    has_long: bool,
    pub grouped: Vec<Grouped>,
    /// Sets that any run with the pool has looked for.
    pub sets: Vec<ByteSet>,
    /// How many objects of each series there are.
    n_of_series: Vec<u32>,
    /// By object: one more than the index in `made`.
    by_node: Vec<u32>,
    /// By object: one more than its index in the input that the run is given.
    given: Vec<u32>,
    /// What the input has for objects that nobody knew when the run began.
    given_early: FxHashMap<Arc<ObjectKey>, usize>,
}

impl InputBytes {
    fn clear(&mut self) {
        self.bytes.clear();
        self.states.clear();
        for made in self.made.drain(..) {
            self.by_node[made.node.0 as usize] = 0;
        }
        self.searched.clear();
        self.has_long = false;
        self.grouped.clear();
        self.n_of_series.clear();
    }

    /// The run that begins is given this input.
    pub fn expect(&mut self, input: &Input) {
        self.heap.learn(input);
        self.given.clear();
        self.given_early.clear();
        for (idx, object) in input.objects.iter().enumerate() {
            match self.heap.find(&object.key) {
                Some(node) => put(&mut self.given, node.0, idx as u32 + 1),
                None => drop(self.given_early.insert(Arc::clone(&object.key), idx)),
            }
        }
    }

    /// Makes the next object of a series, of plain bytes. They are what `carried` says, one after another.
    pub fn make_next(&mut self, input: &Input, series: Series<'_>, len: u32) -> Made {
        let id = self.heap.series(series);
        let number = self.n_of_series.get(id.0 as usize).copied().unwrap_or(0);
        put(&mut self.n_of_series, id.0, number + 1);
        let node = self.heap.member(id, series, number);
        let made = Made { series: Some(id), ..self.next(node, len) };
        self.give(made, input);
        made
    }

    /// Makes an object of plain bytes.
    pub fn make_bytes(&mut self, input: &Input, node: NodeId, len: u32) -> Made {
        let made = self.next(node, len);
        self.give(made, input);
        made
    }

    /// Makes an object that has a layout.
    pub fn make_node(&mut self, input: &Input, node: NodeId, counted_by: Option<CountBytes>) -> Made {
        let info = self.heap.node(node);
        let len = match self.given(input, node).filter(|_| info.is_elastic()) {
            Some(given) => info.room_for(&given.bytes),
            None => info.n_bytes(self.heap.layouts()),
        };
        let longer = self.given(input, node).filter(|_| self.heap.is_loose(node));
        let len = longer.map_or(len, |given| len.max(given.bytes.len() as u32));
        let made = Made { addr: info.addr, counted_by, ..self.next(node, len) };
        self.heap.pointers(node);
        self.give(made, input);
        made
    }

    /// Makes what a pointer finds at an address where the own object of another is.
    pub fn make_view(&mut self, node: NodeId, addr: u64) -> Option<Made> {
        let len = self.room_at(node, addr)?;
        self.heap.pointers(node);
        let bytes = self.bytes_at(addr, len)?;
        let made = Made { addr, role: MadeRole::View, ..self.next(node, len) };
        self.add(made, &bytes);
        Some(made)
    }

    /// How many bytes an object has where it is a view of what lies at an address: a string has all that is there.
    pub fn room_at(&self, node: NodeId, addr: u64) -> Option<u32> {
        match self.heap.node_at(addr).filter(|_| self.heap.node(node).is_elastic()) {
            Some((home, at)) => self.of_node(home)?.len.checked_sub(at),
            None => Some(self.heap.node(node).n_bytes(self.heap.layouts())),
        }
    }

    fn next(&self, node: NodeId, len: u32) -> Made {
        let (first, role) = (self.bytes.len() as u32, MadeRole::Object);
        Made { node, series: None, first, len, addr: 0, role, counted_by: None }
    }

    /// What the input has for an object.
    fn given<'i>(&self, input: &'i Input, node: NodeId) -> Option<&'i InputObject> {
        if let Some(idx) = self.given.get(node.0 as usize).and_then(|number| number.checked_sub(1)) {
            return input.objects.get(idx as usize);
        }
        if self.given_early.is_empty() {
            return None;
        }
        let node = self.heap.node(node);
        let by_name = || self.given_early.get(&ObjectKey::of_root(Root::Named(Arc::clone(&node.name))));
        self.given_early.get(&node.key).or_else(by_name).map(|&idx| &input.objects[idx])
    }

    /// Adds an object with the bytes that the input has for it.
    fn give(&mut self, made: Made, input: &Input) {
        let bytes = self.heap.bytes(made.node, made.len, self.given(input, made.node));
        self.add(made, &bytes);
    }

    /// Bytes of the object that is at an address.
    fn bytes_at(&self, addr: u64, len: u32) -> Option<Vec<u8>> {
        let (node, at) = self.heap.node_at(addr)?;
        let object = self.of_node(node).filter(|made| made.role == MadeRole::Object)?;
        let bytes = self.bytes(object).get(at as usize..(at + len) as usize)?;
        Some(bytes.to_vec())
    }

    fn add(&mut self, made: Made, given: &[u8]) {
        let n_given = given.len().min(made.len as usize);
        self.bytes.extend_from_slice(&given[..n_given]);
        self.bytes.resize((made.first + made.len) as usize + 1, 0);
        self.states.resize(self.bytes.len(), FRESH);
        self.has_long |= self.heap.node(made.node).is_elastic() && made.len > self.heap.node(made.node).count;
        self.made.push(made);
        put(&mut self.by_node, made.node.0, self.made.len() as u32);
    }

    /// The objects of the run, in order.
    pub fn made(&self) -> &[Made] {
        &self.made
    }

    /// Whether a string of the run is longer than usual.
    pub fn has_long(&self) -> bool {
        self.has_long
    }

    /// Whether something was looked for in an object.
    pub fn is_searched(&self, node: NodeId) -> bool {
        self.searched.contains(&node)
    }

    /// An object, if the run has it.
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
    pub fn restore(&mut self, made: &[Made], grouped: &[Grouped], input: &Input) {
        self.clear();
        for &made in made {
            if let Some(SeriesId(series)) = made.series {
                let number = self.n_of_series.get(series as usize).copied().unwrap_or(0);
                put(&mut self.n_of_series, series, number + 1);
            }
            match made.role {
                MadeRole::View => {
                    let bytes = self.bytes_at(made.addr, made.len).unwrap_or_default();
                    self.add(made, &bytes);
                }
                MadeRole::Object => self.give(made, input),
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

    /// The values of bytes from one on.
    pub fn bytes_from(&self, first: u32, n: usize) -> &[u8] {
        &self.bytes[first as usize..first as usize + n]
    }

    /// The value of a number that counts.
    pub fn count(&self, count: CountBytes) -> u64 {
        let bytes = &self.bytes[count.first as usize..(count.first + count.n_bytes) as usize];
        bytes.iter().rev().fold(0, |high, &byte| high << 8 | u64::from(byte))
    }

    /// The number that counts what a pointer leads to, which is part of an object of the run.
    pub fn counter(&self, holder: Made, offset: u32) -> Option<CountBytes> {
        let counter = self.heap.counter(holder.node, offset)?;
        let made = if counter.node == holder.node { holder } else { self.of_node(counter.node)? };
        Some(CountBytes { first: made.first + counter.offset, n_bytes: counter.n_bytes })
    }
}

/// Sets a number in a list, in which those that are not there are zero.
fn put(numbers: &mut Vec<u32>, at: u32, number: u32) {
    if numbers.len() <= at as usize {
        numbers.resize(at as usize + 1, 0);
    }
    numbers[at as usize] = number;
}
