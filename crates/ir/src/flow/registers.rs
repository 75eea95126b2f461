//! What the blocks of a function do with the slots of its frame.

use super::blocks::{BlockId, Blocks, Callee};
use super::function::FunctionFlow;
use super::liveness::{Effect, Liveness};
use super::slots::SlotSet;
use crate::code::{Image, RegUse};
use crate::lower::returns_twice;

/// Which slots matter where, and where they are assigned.
#[derive(Debug)]
pub struct Registers {
    n_slots: usize,
    effects: Vec<Effect>,
    liveness: Liveness,
}

impl Registers {
    pub fn new(image: &Image, flow: &FunctionFlow) -> Self {
        let blocks = &flow.blocks;
        let n_slots = image.functions[flow.function.index()].n_slots as usize;
        let effects: Vec<Effect> = blocks.ids().map(|block| effect(image, blocks, block, n_slots)).collect();
        // What a call leads to may leap back to any `setjmp` of the function.
        let calls: Vec<BlockId> = blocks.calls().map(|(block, _)| block).collect();
        let setjmps = blocks.calls().filter(|&(_, callee)| is_setjmp(image, callee));
        let returned_to: Vec<BlockId> = setjmps.map(|(block, _)| BlockId(block.0 + 1)).collect();
        let liveness = Liveness::new(flow.cfg(), n_slots, &effects, (&calls, &returned_to));
        Self { n_slots, effects, liveness }
    }

    /// The slots whose values matter when control comes to a block.
    pub fn live_at(&self, block: BlockId) -> &SlotSet {
        self.liveness.at_start(block)
    }

    /// The slots that some of these blocks write.
    pub fn assigned(&self, blocks: impl IntoIterator<Item = BlockId>) -> SlotSet {
        let mut assigned = SlotSet::new(self.n_slots);
        blocks.into_iter().for_each(|block| {
            assigned.add_all(&self.effects[block.index()].writes);
        });
        assigned
    }
}

fn is_setjmp(image: &Image, callee: Callee) -> bool {
    callee.external_name(image).is_some_and(returns_twice)
}

/// The arguments of a call lie above the frame, where only the call itself reads them: they are left out.
fn effect(image: &Image, blocks: &Blocks, block: BlockId, n_slots: usize) -> Effect {
    let mut effect = Effect::new(n_slots);
    for op_idx in blocks.op_indices(block) {
        image.visit_regs(op_idx, |how, reg, n| {
            for slot in (reg.slot()..reg.slot() + n as usize).take_while(|&slot| slot < n_slots) {
                match how {
                    RegUse::Read => effect.read(slot),
                    RegUse::Write => effect.write(slot),
                }
            }
        });
    }
    effect
}
