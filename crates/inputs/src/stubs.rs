//! Functions that stand in where an input is a pointer to a function: nobody defines them, so what they return is an input.

use spelunk_concolic::graph::layout::Callee;
use spelunk_ir::code::Image;
use spelunk_ir::model::FuncId;
use std::cell::RefCell;

#[derive(Debug)]
pub struct Stubs {
    /// How many functions the program has without them.
    n_functions: usize,
    names: RefCell<Vec<String>>,
}

impl Stubs {
    pub fn new(image: &Image) -> Self {
        Self { n_functions: image.functions.len(), names: RefCell::default() }
    }

    /// What stands in for the pointer of this name.
    pub fn add(&self, pointer: &str) -> Callee {
        // Not the name of anything in C, so that nothing else is called by it.
        let name = format!("(*{pointer})");
        let mut names = self.names.borrow_mut();
        let known = names.iter().position(|other| *other == name);
        let number = known.unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        Callee::Function(FuncId::new(self.n_functions + number))
    }

    pub fn into_names(self) -> Vec<String> {
        self.names.into_inner()
    }
}
