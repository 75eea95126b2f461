//! Marks the operations that are targets when control comes to them. The marks of coverage are those of blocks, and a path may
//! end in the middle of one.
//!
//! A mark is taken back if the run's input turns out to be none, so a run that goes on from a snapshot makes those again that lie before it.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use spelunk_concolic::journal::{AnyJournal, Entries, Entry, Journal};
use spelunk_concolic::marks::Marks;
use spelunk_concolic::theories::{Events, Maker, Theory};
use spelunk_concolic::{ConcolicMachine, theories};
use spelunk_ir::code::{CheckedImage, OpIdx};
use spelunk_vm::{Mark, Stop, Vm};

use super::{Event, Targets};

/// Makes the theory that marks targets.
#[derive(Debug)]
pub struct Noted {
    /// In order.
    at: Arc<[OpIdx]>,
}

impl Noted {
    /// Nothing if no target is an operation.
    pub fn of(targets: &Targets) -> Option<Arc<dyn theories::Maker>> {
        let executed = targets.all().iter().filter(|target| target.event == Event::Executed);
        let mut at: Vec<OpIdx> = executed.flat_map(|target| target.at.iter().copied()).collect();
        at.sort_unstable();
        (!at.is_empty()).then(|| Arc::new(Self { at: at.into() }) as Arc<dyn theories::Maker>)
    }
}

impl Maker for Noted {
    fn make(&self) -> Box<dyn Theory> {
        Box::new(Marker { at: Arc::clone(&self.at), passed: Journal::default(), known: FxHashSet::default() })
    }

    fn name(&self) -> &'static str {
        "targets"
    }
}

struct Marker {
    at: Arc<[OpIdx]>,
    /// What the run has come to, each once.
    passed: Journal<Passed>,
    /// The same.
    known: FxHashSet<OpIdx>,
}

impl Marker {
    fn pass(&mut self, marks: &mut Marks, op_idx: OpIdx) {
        if self.known.insert(op_idx) {
            self.passed.push(Passed(op_idx));
            marks.mark(op_idx, Mark::Reached);
        }
    }
}

#[derive(Clone, Copy)]
struct Passed(OpIdx);

impl Entry for Passed {}

impl Theory for Marker {
    fn name(&self) -> &'static str {
        "targets"
    }

    fn events(&self) -> Events {
        Events::NOTE
    }

    fn journal(&self) -> &dyn AnyJournal {
        &self.passed
    }

    fn restore(&mut self, machine: &mut ConcolicMachine, entries: Entries<'_>) {
        self.passed.clear();
        self.known.clear();
        entries.of::<Passed>().iter().for_each(|passed| self.pass(&mut machine.marks, passed.0));
    }

    fn notes(&self, _image: &CheckedImage) -> Vec<OpIdx> {
        self.at.to_vec()
    }

    fn note(&mut self, vm: &mut Vm<'_, ConcolicMachine>, op_idx: OpIdx) -> Result<(), Stop> {
        // Other theories may have notes too.
        if !vm.is_aside() && self.at.binary_search(&op_idx).is_ok() {
            self.pass(&mut vm.machine.marks, op_idx);
        }
        Ok(())
    }
}
