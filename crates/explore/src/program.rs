//! What is known of the program before anything runs.

use spelunk_concolic::marks::Marks;
use spelunk_ir::code::CheckedImage;
use spelunk_ir::flow::Callee;
use spelunk_ir::model::FuncId;
use std::sync::OnceLock;

use crate::distance::{Distances, Predecessors, Ways};
use crate::flow::{BlockId, End, Flow};

pub struct ProgramFlow<'p> {
    pub image: &'p CheckedImage,
    pub flow: Flow,
    predecessors: Predecessors,
    /// The blocks whose coverage counts.
    counted: Vec<BlockId>,
    /// How far it is from each block to the return of its function.
    to_return: OnceLock<Vec<u32>>,
}

impl<'p> ProgramFlow<'p> {
    /// All of the user's code counts.
    pub fn new(image: &'p CheckedImage) -> Self {
        let flow = Flow::new(image);
        let predecessors = Predecessors::new(image, &flow);
        let counted = flow.blocks().filter(|&block| image.is_user_code(flow.ops(block).start)).collect();
        Self { image, flow, predecessors, counted, to_return: OnceLock::new() }
    }

    /// Only what these functions may call counts.
    pub fn within(image: &'p CheckedImage, functions: &[FuncId]) -> Self {
        let mut program = Self::new(image);
        let mut is_called = vec![false; program.flow.n_blocks()];
        let entry = |function: &FuncId| program.flow.block_of(image.functions[function.index()].entry);
        let mut waiting: Vec<BlockId> = functions.iter().map(entry).collect();
        while let Some(block) = waiting.pop() {
            if !std::mem::replace(&mut is_called[block.0 as usize], true) {
                program.flow.visit_next(image, block, |next| waiting.push(next));
            }
        }
        program.counted.retain(|block| is_called[block.0 as usize]);
        program
    }

    /// The blocks whose coverage counts, in order.
    pub fn counted(&self) -> impl Iterator<Item = BlockId> + '_ {
        self.counted.iter().copied()
    }

    /// How many functions have blocks that count.
    pub fn n_functions(&self) -> usize {
        let mut entries: Vec<_> = self
            .counted()
            .filter_map(|block| Some(self.image.function_at(self.flow.ops(block).start)?.entry))
            .collect();
        entries.dedup();
        entries.len()
    }

    /// The block that a function starts with, if it has code.
    pub fn entry_block(&self, function: FuncId) -> Option<BlockId> {
        let entry = self.flow.entries(self.image, Callee::Function(function)).first().copied()?;
        Some(self.flow.block_of(entry))
    }

    /// How far it is from each block to the nearest of some.
    pub fn distances_to(&self, blocks: impl IntoIterator<Item = BlockId>, ways: Ways) -> Vec<u32> {
        self.predecessors.distances(blocks, ways)
    }

    /// How far it is from each block to where its function returns.
    pub fn to_return(&self) -> &[u32] {
        self.to_return.get_or_init(|| {
            let returns = self.flow.blocks().filter(|&block| *self.flow.end(block) == End::Return);
            self.predecessors.distances(returns, Ways::Inside)
        })
    }

    pub fn distances(&self, marks: &Marks) -> Distances {
        Distances::new(self.image, &self.flow, &self.predecessors, marks)
    }
}
