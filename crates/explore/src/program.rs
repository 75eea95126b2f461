//! What is known of the program before anything runs.

use spelunk_concolic::marks::Marks;
use spelunk_ir::code::Image;

use crate::distance::{Distances, Predecessors};
use crate::flow::Flow;

pub struct ProgramFlow<'p> {
    pub image: &'p Image,
    pub flow: Flow,
    predecessors: Predecessors,
}

impl<'p> ProgramFlow<'p> {
    pub fn new(image: &'p Image) -> Self {
        let flow = Flow::new(image);
        let predecessors = Predecessors::new(image, &flow);
        Self { image, flow, predecessors }
    }

    pub fn distances(&self, marks: &Marks) -> Distances {
        Distances::new(self.image, &self.flow, &self.predecessors, marks)
    }
}
