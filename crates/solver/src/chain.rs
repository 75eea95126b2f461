//! The order of the layers, stated by one function: [`build`].

use std::path::PathBuf;

use crate::Solver;
use crate::blast::{Blaster, SatKind};
use crate::layers::boxes::Boxes;
use crate::layers::contradiction::Contradiction;
use crate::layers::cores::Cores;
use crate::layers::domains::Domains;
use crate::layers::enumerate::Enumerate;
use crate::layers::invert::Invert;
use crate::layers::log::Log;
use crate::layers::models::Models;
use crate::layers::order::Order;
use crate::layers::pointers::Pointers;
use crate::layers::rounds::Rounds;
use crate::layers::search::Search;
use crate::layers::slice::Slice;
use crate::layers::substitute::Substitute;
use crate::layers::tabulate::Tabulate;
use crate::layers::verify::Verify;
use crate::names::named;
use crate::stage::{Chain, Stage};
use crate::z3::Z3;

named! {
    /// Who answers what the layers leave.
    Backend {
        /// The bit-blaster, and Z3 for what is beyond it.
        Both = "auto",
        Blast = "blast",
        /// Z3 alone, without any layer: for cross-checking.
        Z3 = "z3",
    }
}

named! {
    /// A layer that only saves work: with it or without it, the answers are the same.
    Layer {
        Slice = "slice",
        Contradiction = "contradiction",
        Domains = "domains",
        Pointers = "pointers",
        Order = "order",
        Cores = "cores",
        Models = "models",
        Invert = "invert",
        Enumerate = "enumerate",
        Tabulate = "tabulate",
        Rounds = "rounds",
        Boxes = "boxes",
        Substitute = "substitute",
        Search = "search",
    }
}

#[derive(Clone, Debug)]
pub struct Options {
    pub backend: Backend,
    pub sat: SatKind,
    /// Layers to leave out.
    pub without: Vec<Layer>,
    pub log: Option<LogOptions>,
}

impl Default for Options {
    fn default() -> Self {
        Self { backend: Backend::Both, sat: SatKind::default(), without: Vec::new(), log: None }
    }
}

/// Where to write the queries that reach a layer.
#[derive(Clone, Debug)]
pub struct LogOptions {
    pub dir: PathBuf,
    /// The layer before which queries are written; before the backends if there is none.
    pub before: Option<Layer>,
}

/// The layers of [`layers`] and the backends after them.
pub fn build(options: &Options) -> Box<dyn Solver> {
    let backends: Vec<Box<dyn Solver>> = match options.backend {
        Backend::Both => vec![Box::new(Blaster::new(options.sat)), Box::new(Z3::new())],
        Backend::Blast => vec![Box::new(Blaster::new(options.sat))],
        Backend::Z3 => vec![Box::new(Z3::new())],
    };
    Box::new(Chain::new(layers(options), backends))
}

/// The layers, from the one that is asked first to the one that is asked last.
pub fn layers(options: &Options) -> Vec<Box<dyn Stage>> {
    let mut order = Sequence { options, layers: Vec::new() };
    order.optional(Layer::Slice, || Box::new(Slice::default()));
    // After slicing, so that a path of thousands of constraints isn't evaluated to see the effect of one changed byte.
    order.always(Box::new(Verify));
    order.optional(Layer::Contradiction, || Box::new(Contradiction));
    order.optional(Layer::Domains, || Box::new(Domains::default()));
    order.optional(Layer::Pointers, || Box::new(Pointers::default()));
    order.optional(Layer::Order, || Box::new(Order::default()));
    order.optional(Layer::Cores, || Box::new(Cores::default()));
    order.optional(Layer::Models, || Box::new(Models::default()));
    order.optional(Layer::Invert, || Box::new(Invert::default()));
    order.optional(Layer::Enumerate, || Box::new(Enumerate::default()));
    order.optional(Layer::Tabulate, || Box::new(Tabulate::default()));
    order.optional(Layer::Rounds, || Box::new(Rounds::default()));
    order.optional(Layer::Boxes, || Box::new(Boxes::default()));
    order.optional(Layer::Substitute, || Box::new(Substitute::default()));
    order.optional(Layer::Search, || Box::new(Search::default()));
    order.log_before(None);
    order.layers
}

struct Sequence<'o> {
    options: &'o Options,
    layers: Vec<Box<dyn Stage>>,
}

impl Sequence<'_> {
    fn always(&mut self, stage: Box<dyn Stage>) {
        self.layers.push(stage);
    }

    fn optional(&mut self, layer: Layer, make: impl FnOnce() -> Box<dyn Stage>) {
        self.log_before(Some(layer));
        if self.options.backend != Backend::Z3 && !self.options.without.contains(&layer) {
            self.layers.push(make());
        }
    }

    /// Puts the log here if this is the place for it.
    fn log_before(&mut self, layer: Option<Layer>) {
        if let Some(log) = self.options.log.as_ref().filter(|log| log.before == layer) {
            self.layers.push(Box::new(Log::new(&log.dir)));
        }
    }
}
