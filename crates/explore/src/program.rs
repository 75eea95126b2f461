//! What is known of the program before anything runs.

use spelunk_concolic::marks::Marks;
use spelunk_ir::code::CheckedImage;
use spelunk_ir::model::FuncId;

use crate::distance::{Distances, Predecessors};
use crate::flow::{BlockId, Flow};

pub struct ProgramFlow<'p> {
    pub image: &'p CheckedImage,
    pub flow: Flow,
    predecessors: Predecessors,
    /// The blocks whose coverage counts.
    counted: Vec<BlockId>,
}

impl<'p> ProgramFlow<'p> {
    /// All of the user's code counts.
    pub fn new(image: &'p CheckedImage) -> Self {
        let flow = Flow::new(image);
        let predecessors = Predecessors::new(image, &flow);
        let counted = flow.blocks().filter(|&block| image.is_user_code(flow.ops(block).start)).collect();
        Self { image, flow, predecessors, counted }
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

    pub fn distances(&self, marks: &Marks) -> Distances {
        Distances::new(self.image, &self.flow, &self.predecessors, marks)
    }
}
