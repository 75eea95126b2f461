//! What is known of one function's control flow.

use super::blocks::{BlockId, Blocks, End};
use super::cfg::Cfg;
use super::dominators::Dominators;
use super::loops::Loops;
use super::postdominators::PostDominators;
use super::registers::Registers;
use crate::code::Image;
use crate::model::FuncId;
use std::sync::OnceLock;

/// The blocks of a function, and what follows from them. Each part is computed when it is first asked for.
#[derive(Debug)]
pub struct FunctionFlow {
    pub function: FuncId,
    pub blocks: Blocks,
    cfg: OnceLock<Cfg>,
    dominators: OnceLock<Dominators>,
    postdominators: OnceLock<PostDominators>,
    before_return: OnceLock<PostDominators>,
    loops: OnceLock<Loops>,
    registers: OnceLock<Registers>,
}

impl FunctionFlow {
    pub fn new(image: &Image, function: FuncId) -> Self {
        Self {
            function,
            blocks: Blocks::new(image, &image.functions[function.index()]),
            cfg: OnceLock::new(),
            dominators: OnceLock::new(),
            postdominators: OnceLock::new(),
            before_return: OnceLock::new(),
            loops: OnceLock::new(),
            registers: OnceLock::new(),
        }
    }

    /// Edges between blocks. That of a call leads behind it.
    pub fn cfg(&self) -> &Cfg {
        self.cfg.get_or_init(|| {
            Cfg::new(self.blocks.len(), |block, visit| self.blocks.visit_successors(BlockId(block), visit))
        })
    }

    pub fn dominators(&self) -> &Dominators {
        self.dominators.get_or_init(|| Dominators::new(self.cfg()))
    }

    /// Post-dominators where every end of a path counts: also one by an error or by a call that does not return.
    pub fn postdominators(&self) -> &PostDominators {
        self.postdominators.get_or_init(|| PostDominators::new(self.cfg()))
    }

    /// Post-dominators where only the paths count that return. Blocks from which none does have none.
    pub fn before_return(&self) -> &PostDominators {
        self.before_return.get_or_init(|| {
            let returns = self.cfg().reverse_postorder().filter(|&block| *self.blocks.end(block) == End::Return);
            PostDominators::before(self.cfg(), returns.collect())
        })
    }

    pub fn loops(&self) -> &Loops {
        self.loops.get_or_init(|| Loops::new(self.cfg()))
    }

    /// What the blocks do with the frame. `image` is the one that the function belongs to.
    pub fn registers(&self, image: &Image) -> &Registers {
        self.registers.get_or_init(|| Registers::new(image, self))
    }

    /// The blocks that control may come to after `from` and before `to`, or before the end if there is none; in order.
    pub fn region(&self, from: BlockId, to: Option<BlockId>) -> Vec<BlockId> {
        let mut is_inside = vec![false; self.blocks.len()];
        let mut waiting: Vec<BlockId> = self.cfg().successors(from).collect();
        while let Some(block) = waiting.pop() {
            if Some(block) != to && !std::mem::replace(&mut is_inside[block.index()], true) {
                waiting.extend(self.cfg().successors(block));
            }
        }
        self.blocks.ids().filter(|block| is_inside[block.index()]).collect()
    }
}
