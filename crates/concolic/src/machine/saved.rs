//! What a snapshot keeps of the machine: lengths, since all that a run adds is added at the end.

use super::ConcolicMachine;
use crate::input_bytes::InputLengths;
use spelunk_libc::World;
use spelunk_vm::{Muted, Reversible};

#[derive(Debug)]
pub struct SavedMachine {
    world: <World as Reversible>::Saved,
    lengths: Lengths,
    muted: Vec<(u32, Muted)>,
}

/// How much there was at some moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    n_decisions: usize,
    n_switched: usize,
    n_ledger: usize,
    n_arrays: usize,
    inputs: InputLengths,
}

impl ConcolicMachine {
    pub(super) fn lengths(&self) -> Lengths {
        Lengths {
            n_decisions: self.path.decisions.len(),
            n_switched: self.path.switched.len(),
            n_ledger: self.ledger.len(),
            n_arrays: self.arrays.len(),
            inputs: self.inputs.lengths(),
        }
    }
}

impl Reversible for ConcolicMachine {
    type Saved = SavedMachine;

    fn save(&mut self) -> Option<SavedMachine> {
        let lengths = self.saved_lengths.unwrap_or_else(|| self.lengths());
        Some(SavedMachine { world: self.world.save()?, lengths, muted: self.muted.clone() })
    }

    fn restore(&mut self, saved: &SavedMachine) {
        let lengths = saved.lengths;
        self.world.restore(&saved.world);
        self.path.truncate(lengths.n_decisions, lengths.n_switched);
        self.ledger.truncate(lengths.n_ledger);
        self.arrays.truncate(lengths.n_arrays);
        self.inputs.truncate(lengths.inputs);
        self.muted.clone_from(&saved.muted);
        self.before_decision = None;
        self.operation = None;
        if let Some(check) = &mut self.self_check {
            check.start();
        }
    }
}
