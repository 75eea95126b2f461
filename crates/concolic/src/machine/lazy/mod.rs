//! Contents that nobody has looked at yet: large objects after a write at a symbolic place, areas after a copy of symbolic
//! length.
//!
//! As with input, memory carries numbers, one for each byte, and only those bytes that are read become expressions. `arrays` are
//! for tables of elements; `layers` say what an area was before a copy or fill and where that lies, `reading` makes expressions of
//! them, `evaluate` bytes.

mod arrays;
mod content;
mod evaluate;
mod layers;
mod reading;

pub(crate) use arrays::Elements;
pub(crate) use content::{Content, Segment};
pub(crate) use layers::{Layer, MAX_DEPTH, Source};
pub(crate) use reading::mk_choice;

use crate::journal::Entry;
use rustc_hash::FxHashMap;
use spelunk_expr::ExprId;
use spelunk_vm::Carried;
use std::sync::Arc;

/// What tells these numbers from expressions and from input bytes.
const MARKER: u32 = 0b11 << 30;

/// Bytes that lie in memory one after another.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    /// The number of the first.
    first: u32,
    n_bytes: u32,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Array(Elements),
    Layer(Arc<Layer>),
}

impl Version {
    /// Where the next begins. One number in between belongs to none, so that bytes of one never seem to go on in the other.
    fn end(&self) -> u32 {
        self.first + self.n_bytes + 1
    }
}

impl Entry for Version {
    fn visit_exprs(&self, visit: &mut dyn FnMut(ExprId)) {
        match &self.kind {
            Kind::Array(elements) => visit(elements.array),
            Kind::Layer(layer) => layer.visit_exprs(visit),
        }
    }
}

/// All of a run, oldest first.
#[derive(Debug, Default)]
pub(crate) struct LazyBytes {
    pub versions: Vec<Version>,
    n_numbers: u32,
    /// What was asked of bytes of layers, by number.
    answers: FxHashMap<(u32, reading::Asked), ExprId>,
    /// Layers under the present input, by the number of their first byte.
    values: FxHashMap<u32, Arc<evaluate::Values>>,
}

/// The number of the byte that memory carries, if it does.
pub(crate) fn lazy_byte(carried: Carried) -> Option<u32> {
    (carried.0 & MARKER == MARKER).then_some(carried.0 & !MARKER)
}

impl LazyBytes {
    /// Goes back to when there were these.
    pub fn restore(&mut self, versions: &[Version]) {
        self.versions.clear();
        self.versions.extend_from_slice(versions);
        self.n_numbers = self.versions.last().map_or(0, Version::end);
        self.answers.clear();
        self.values.clear();
    }

    /// Whether there are numbers left for so many bytes.
    pub fn has_room(&self, n_bytes: u64) -> bool {
        u64::from(self.n_numbers) + n_bytes < u64::from(!MARKER)
    }

    fn add(&mut self, n_bytes: u32, kind: Kind) -> u32 {
        let first = self.n_numbers;
        let version = Version { first, n_bytes, kind };
        self.n_numbers = version.end();
        self.versions.push(version);
        first
    }

    /// Adds a layer; the number of its first byte.
    pub fn add_layer(&mut self, layer: Layer) -> u32 {
        self.add(layer.below.len(), Kind::Layer(Arc::new(layer)))
    }

    pub fn has_layers(&self) -> bool {
        self.versions.iter().any(|version| matches!(version.kind, Kind::Layer(_)))
    }

    /// What memory carries for a byte.
    pub fn carried(number: u32) -> Carried {
        Carried(MARKER | number)
    }

    fn version(&self, number: u32) -> &Version {
        &self.versions[self.versions.partition_point(|version| version.first <= number) - 1]
    }

    /// The layer that a byte belongs to, and which of its bytes it is.
    pub fn layer(&self, number: u32) -> Option<(Arc<Layer>, u32)> {
        let version = self.version(number);
        match &version.kind {
            Kind::Layer(layer) => Some((Arc::clone(layer), number - version.first)),
            Kind::Array(_) => None,
        }
    }
}
