//! What a test says that its run did, one by one: the runtime compares each (`runtime/observed.c`).

use std::fmt;

use spelunk_concolic::graph::layout::{Leaf, LeafKind};
use spelunk_concolic::graph::unit::Unit;
use spelunk_concolic::observed::ELSEWHERE;
use spelunk_report::suite::TestCase;
use spelunk_report::suite::test_case::Value;

/// Where a pointer leads that only must not be null, and one that must, as the runtime's header has it.
const ANYWHERE: usize = 0xffff_ffff;
const NOWHERE: usize = 0xffff_fffe;

/// Something that can be compared.
#[derive(Clone, Copy, Debug)]
pub enum Expected<'a> {
    /// What a call returned: its number among those that return something.
    Result {
        number: usize,
        call: &'a str,
        value: &'a Value,
    },
    /// What is in an object of the input.
    Content {
        object: &'a str,
        value: &'a Value,
    },
    Freed {
        object: &'a str,
    },
}

/// In an order that does not change.
pub fn expected(test: &TestCase) -> Vec<Expected<'_>> {
    let Some(observed) = &test.observed else { return Vec::new() };
    let results = observed.returned.iter().enumerate();
    let results = results.map(|(number, it)| Expected::Result { number, call: &it.call, value: &it.value });
    let contents = observed.objects.iter().map(|it| Expected::Content { object: &it.name, value: &it.value });
    let freed = observed.freed.iter().map(|object| Expected::Freed { object });
    results.chain(contents).chain(freed).collect()
}

impl Expected<'_> {
    /// As the runtime reads it; nothing if it speaks of an object that is not made. `target` has the numbers of objects and
    /// functions.
    pub fn encode(&self, unit: Option<&Unit>, target: impl Fn(&str) -> Option<usize>) -> Option<Encoded> {
        let (kind, which, value) = match *self {
            Self::Result { number, value, .. } => (1, number, Some(value)),
            Self::Content { object, value } => (2, target(object)?, Some(value)),
            Self::Freed { object } => (3, target(object)?, None),
        };
        let Some(value) = value else { return Some(Encoded { kind, which, ..Encoded::default() }) };
        let known = if value.known.is_empty() { vec![0xff; value.bytes.len()] } else { value.known.clone() };
        let place = |name: &str| if name == ELSEWHERE { ANYWHERE } else { target(name).unwrap_or(ANYWHERE) };
        let named = value.references.iter().map(|(offset, name, at)| (*offset, place(name), *at));
        let null = unit.into_iter().flat_map(|unit| null_pointers(unit, value)).map(|offset| (offset, NOWHERE, 0));
        let references = named.chain(null).collect();
        Some(Encoded { kind, which, bytes: value.bytes.clone(), known, references })
    }
}

/// The places of pointers that are null.
fn null_pointers(unit: &Unit, value: &Value) -> Vec<u32> {
    let mut layouts = unit.layouts.iter().chain(unit.observables.layouts.iter());
    let layout = layouts.find(|(_, layout)| Some(&layout.name) == value.ty.as_ref() && layout.size > 0);
    let Some((_, layout)) = layout else { return Vec::new() };
    let elements = (0..value.bytes.len() as u32).step_by(layout.size as usize);
    let is_pointer = |leaf: &&Leaf| matches!(leaf.kind, LeafKind::Pointer(_) | LeafKind::Function(_));
    let offsets =
        elements.flat_map(|start| layout.leaves.iter().filter(is_pointer).map(move |leaf| start + leaf.offset));
    let is_all = |bytes: &[u8], byte: u8, at: u32| {
        bytes.get(at as usize..at as usize + 8).is_some_and(|bytes| bytes.iter().all(|&other| other == byte))
    };
    let is_known = |at: u32| value.known.is_empty() || is_all(&value.known, 0xff, at);
    let has_target = |at: u32| value.references.iter().any(|reference| reference.0 == at);
    offsets.filter(|&at| is_all(&value.bytes, 0, at) && is_known(at) && !has_target(at)).collect()
}

#[derive(Clone, Debug, Default)]
pub struct Encoded {
    pub kind: usize,
    pub which: usize,
    pub bytes: Vec<u8>,
    pub known: Vec<u8>,
    pub references: Vec<(u32, usize, u64)>,
}

impl fmt::Display for Expected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Result { call, .. } => write!(f, "another result of `{call}`"),
            Self::Content { object, .. } => write!(f, "another content of `{object}`"),
            Self::Freed { object } => write!(f, "`{object}` not freed"),
        }
    }
}
