//! The numbers that LLVM gives the unnamed parameters, blocks and results of a function, in the order of the text.

use crate::model::{BlockId, Function, ValueId};

#[derive(Debug)]
pub(super) struct Numbering {
    values: Vec<u32>,
    blocks: Vec<u32>,
}

impl Numbering {
    pub fn of(function: &Function) -> Self {
        let mut values = vec![0; function.value_types.len()];
        let mut blocks = Vec::with_capacity(function.blocks.len());
        let mut next = function.params.len() as u32;
        for (number, value) in (0..next).zip(&mut values) {
            *value = number;
        }
        for block in function.block_ids() {
            blocks.push(next);
            next += 1;
            for result in function.block_insts(block).iter().filter_map(|inst| inst.result) {
                values[result.index()] = next;
                next += 1;
            }
        }
        Self { values, blocks }
    }

    pub fn value(&self, value: ValueId) -> u32 {
        self.values[value.index()]
    }

    pub fn block(&self, block: BlockId) -> u32 {
        self.blocks[block.index()]
    }
}
