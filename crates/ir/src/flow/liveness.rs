//! Which slots of a frame may still be read before they are written again.
//!
//! What is undefined counts as written: a slot whose value is never read is not live, whatever it holds.

use super::blocks::BlockId;
use super::cfg::Cfg;
use super::slots::SlotSet;

/// What a block does with the slots of its frame.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Read before the block itself writes them.
    pub reads: SlotSet,
    pub writes: SlotSet,
}

impl Effect {
    pub fn new(n_slots: usize) -> Self {
        Self { reads: SlotSet::new(n_slots), writes: SlotSet::new(n_slots) }
    }

    /// The next thing that the block does is to read a slot.
    pub fn read(&mut self, slot: usize) {
        if !self.writes.contains(slot) {
            self.reads.insert(slot);
        }
    }

    pub fn write(&mut self, slot: usize) {
        self.writes.insert(slot);
    }
}

#[derive(Clone, Debug)]
pub struct Liveness {
    at_start: Vec<SlotSet>,
}

impl Liveness {
    /// `effects` has what each block does. Control may also go from any of the blocks `leaps.0` to any of `leaps.1`.
    pub fn new(cfg: &Cfg, n_slots: usize, effects: &[Effect], leaps: (&[BlockId], &[BlockId])) -> Self {
        let mut at_start = vec![SlotSet::new(n_slots); cfg.n_blocks()];
        let mut changed = true;
        while changed {
            changed = false;
            let mut after_leap = SlotSet::new(n_slots);
            leaps.1.iter().for_each(|to| {
                after_leap.add_all(&at_start[to.index()]);
            });
            // Backwards, so that without loops one round is enough.
            for block in cfg.reverse_postorder().rev() {
                let mut live = SlotSet::new(n_slots);
                for next in cfg.successors(block) {
                    live.add_all(&at_start[next.index()]);
                }
                if leaps.0.contains(&block) {
                    live.add_all(&after_leap);
                }
                live.remove_all(&effects[block.index()].writes);
                live.add_all(&effects[block.index()].reads);
                changed |= at_start[block.index()].add_all(&live);
            }
        }
        Self { at_start }
    }

    /// What is live when control comes to a block; nothing if it never does.
    pub fn at_start(&self, block: BlockId) -> &SlotSet {
        &self.at_start[block.index()]
    }
}
