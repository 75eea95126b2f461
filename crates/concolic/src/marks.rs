//! Where control has been, over all runs.

use spelunk_ir::code::OpIdx;
use spelunk_vm::Mark;

/// The marks of every operation, as bits of [`Mark`].
#[derive(Clone, Debug)]
pub struct Marks {
    bits: Box<[u8]>,
    n_new: u32,
}

impl Marks {
    pub fn new(n_ops: usize) -> Self {
        Self { bits: vec![0; n_ops].into(), n_new: 0 }
    }

    #[inline(always)]
    pub fn mark(&mut self, op_idx: OpIdx, mark: Mark) {
        let bits = &mut self.bits[op_idx.index()];
        if *bits & mark as u8 == 0 {
            *bits |= mark as u8;
            self.n_new += 1;
        }
    }

    pub fn has(&self, op_idx: OpIdx, mark: Mark) -> bool {
        self.bits[op_idx.index()] & mark as u8 != 0
    }

    /// Takes a mark back.
    pub fn clear(&mut self, op_idx: OpIdx, mark: Mark) {
        self.bits[op_idx.index()] &= !(mark as u8);
    }

    /// How many marks are new since they were last taken.
    pub fn n_new(&self) -> u32 {
        self.n_new
    }

    /// How many marks are new since this was last asked.
    pub fn take_new(&mut self) -> u32 {
        std::mem::take(&mut self.n_new)
    }

    /// Adds the marks that others made of the same program.
    pub fn merge(&mut self, other: &Marks) {
        for (bits, &theirs) in self.bits.iter_mut().zip(&other.bits) {
            *bits |= theirs;
        }
    }
}
