//! Theories: what is known of a run beyond the values of its bytes.
//!
//! A theory is a component of the machine. It hears of what happens in a run, may decide, rewrite or answer, and has its side of
//! every query for an input. Theories meet in variables, conditions and decisions: the machine knows none by name but for what
//! `flow` watches between operations, and none knows another but for `texts`, whose holes are strings.
//!
//! Steps to add one: write it in a file of its own, say by [`Theory::events`] what it hears, and add a line to [`standard`].
//! Whoever runs programs may add others ([`Options::theories`](crate::Options)).
//!
//! What a theory keeps has one of three lifetimes. What belongs to a *run* is its journal, and whatever follows from that: a
//! snapshot keeps the journal's length. What belongs to a *pool* of expressions is the theory's own, and only grows. What belongs
//! to a *campaign* is its [`Maker`]'s, which all workers share.

mod chains;
pub mod flow;
mod graph;
pub(crate) mod indexing;
mod lazy;
mod maps;
mod sizes;
mod strings;
pub mod texts;
mod theory;

pub use chains::{Size, SizeQuestion};
pub(crate) use chains::{call_model, models, notes, take_flow, tell_begin, tell_note, tell_settled};
pub use graph::shape::Contradiction;
pub(crate) use theory::Through;
pub use theory::{Address, Condition, Events, Opening, Spelt, Step, Theory, Verdict};

use crate::graph::unit::Aliasing;
use crate::input::Input;
use crate::journal::{AnyJournal, Sealed};
use crate::ledger::Bound;
use crate::options::{Options, Strings};
use spelunk_ir::code::CheckedImage;
use std::sync::Arc;

/// The theories of every run, in the order in which they are asked.
fn standard(options: &Options) -> Vec<Box<dyn Theory>> {
    let mut theories: Vec<Box<dyn Theory>> = Vec::new();
    if let Some(unit) = &options.unit {
        theories.extend(unit.shapes.iter().map(|shapes| Box::new(lazy::Lazy::new(shapes)) as Box<dyn Theory>));
        if unit.aliasing == Aliasing::Solved {
            theories.push(Box::<maps::Maps>::default());
        }
        theories.push(Box::<graph::Graph>::default());
    }
    theories.push(Box::new(sizes::OpenSizes::new(options.unit.as_deref())));
    theories.push(Box::<indexing::Indexing>::default());
    if options.strings != Strings::Bytes {
        theories.push(Box::<strings::Strings>::default());
        // Others that look at code as it is executed must see all of it.
        if options.strings == Strings::Loops && options.theories.is_empty() && options.flow.is_none() {
            theories.push(Box::<strings::loops::Loops>::default());
        }
    }
    let flow = |known| Box::new(flow::Flow::new(known, options.leaks)) as Box<dyn Theory>;
    theories.extend(options.flow.iter().map(flow));
    theories
}

/// Makes a theory for each worker of a campaign, and owns what they have in common.
pub trait Maker: Send + Sync + std::fmt::Debug {
    fn make(&self) -> Box<dyn Theory>;

    /// Whether its theories may serve calls of a function of the program.
    fn models(&self, _function: &str) -> bool {
        false
    }

    /// What the campaign has learned, as text that [`Maker::resume`] of a later campaign understands.
    fn save(&self) -> Option<String> {
        None
    }

    fn resume(&self, _saved: &str) {}

    /// What its theories leave out of every campaign, whatever the program does.
    fn bounds(&self) -> Vec<Bound> {
        Vec::new()
    }

    fn name(&self) -> &'static str;
}

/// Makes calls of functions that theories may serve go where they are asked.
pub fn prepare(image: &mut CheckedImage, makers: &[Arc<dyn Maker>]) {
    if !makers.is_empty() {
        image.call_through_sites(|_, code| makers.iter().any(|maker| maker.models(&code.name)));
    }
}

/// The theories of a machine.
#[derive(Default)]
pub struct Theories {
    /// In the order in which they are asked. One that is at work is not here.
    slots: [Option<Box<dyn Theory>>; MAX_THEORIES],
    /// How long the journal of each was when it was last at work.
    lengths: Lengths,
    /// Those who hear an event, by its number.
    listeners: [Listeners; Events::N_EVENTS],
}

pub(crate) const MAX_THEORIES: usize = 8;

/// How long the journals of theories are.
pub(crate) type Lengths = [u32; MAX_THEORIES];

/// A set of theories: a bit for each slot.
#[derive(Clone, Copy, Default)]
struct Listeners(u8);

impl Listeners {
    fn add(&mut self, idx: usize) {
        self.0 |= 1 << idx;
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Iterator for Listeners {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let idx = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(idx)
    }
}

impl Theories {
    /// # Panics
    /// If there are more than [`MAX_THEORIES`].
    pub(crate) fn new(options: &Options) -> Self {
        let mut theories = Self::default();
        let others = options.theories.iter().map(|maker| maker.make());
        for (idx, theory) in standard(options).into_iter().chain(others).enumerate() {
            assert!(idx < MAX_THEORIES, "there are at most {MAX_THEORIES} theories");
            let events = theory.events();
            let heard =
                theories.listeners.iter_mut().enumerate().filter(|(number, _)| events.has(Events::nth(*number)));
            heard.for_each(|(_, listeners)| listeners.add(idx));
            theories.slots[idx] = Some(theory);
        }
        theories
    }

    #[inline(always)]
    fn listeners(&self, event: Events) -> Listeners {
        self.listeners[event.number()]
    }

    #[inline]
    pub(crate) fn hear(&self, event: Events) -> bool {
        !self.listeners(event).is_empty()
    }

    /// Those that are not at work.
    fn iter(&self, event: Events) -> impl Iterator<Item = &dyn Theory> {
        self.listeners(event).filter_map(|idx| self.slots[idx].as_deref())
    }

    /// How long the journals are.
    #[inline]
    pub(crate) fn lengths(&self) -> Lengths {
        self.lengths
    }

    /// The journals, each at the place of its theory. That of one that is at work is out of reach, and restored by itself.
    pub(crate) fn seal(&self) -> Vec<Box<dyn Sealed>> {
        let journal = |slot: &Option<Box<dyn Theory>>| match slot {
            Some(theory) => theory.journal().seal(),
            None => AnyJournal::seal(&()),
        };
        self.slots.iter().map(journal).collect()
    }

    /// Whether a snapshot of a run with one input can be gone on from with another.
    pub(crate) fn serve(&self, from: &Input, to: &Input) -> bool {
        self.iter(Events::QUERY).all(|theory| theory.serves(from, to))
    }
}
