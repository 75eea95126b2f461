//! Marks the operations that are targets when control comes to them. The marks of coverage are those of blocks, and a path may
//! end in the middle of one.

use std::sync::Arc;

use spelunk_concolic::theories::{Events, Maker, Theory};
use spelunk_concolic::{ConcolicMachine, theories};
use spelunk_ir::code::{CheckedImage, OpIdx};
use spelunk_vm::{Mark, Stop, Vm};

use super::{Event, Targets};

/// Makes the theory that marks targets.
#[derive(Debug)]
pub struct Noted {
    at: Arc<[OpIdx]>,
}

impl Noted {
    /// Nothing if no target is an operation.
    pub fn of(targets: &Targets) -> Option<Arc<dyn theories::Maker>> {
        let executed = targets.all().iter().filter(|target| target.event == Event::Executed);
        let at: Arc<[OpIdx]> = executed.flat_map(|target| target.at.iter().copied()).collect();
        (!at.is_empty()).then(|| Arc::new(Self { at }) as Arc<dyn theories::Maker>)
    }
}

impl Maker for Noted {
    fn make(&self) -> Box<dyn Theory> {
        Box::new(Marker { at: Arc::clone(&self.at) })
    }

    fn name(&self) -> &'static str {
        "targets"
    }
}

struct Marker {
    at: Arc<[OpIdx]>,
}

impl Theory for Marker {
    fn name(&self) -> &'static str {
        "targets"
    }

    fn events(&self) -> Events {
        Events::NOTE
    }

    fn notes(&self, _image: &CheckedImage) -> Vec<OpIdx> {
        self.at.to_vec()
    }

    fn note(&mut self, vm: &mut Vm<'_, ConcolicMachine>, op_idx: OpIdx) -> Result<(), Stop> {
        // Other theories may have notes too; what they mark besides is true as well.
        if !vm.is_aside() {
            vm.machine.marks.mark(op_idx, Mark::Reached);
        }
        Ok(())
    }
}
