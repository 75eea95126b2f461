//! Functions that stand in where an input is a pointer to a function: nobody defines them, so what they return is an input.

use spelunk_concolic::graph::layout::{Callee, Layouts};
use spelunk_ir::code::Image;
use spelunk_ir::debug::CTypeId;
use spelunk_ir::model::FuncId;
use std::cell::RefCell;

#[derive(Debug)]
pub struct Stubs {
    /// How many functions the program has without them.
    n_functions: usize,
    /// What each is called, and what it returns if that is one type wherever it stands in.
    names: RefCell<Vec<(String, Option<CTypeId>)>>,
}

impl Stubs {
    pub fn new(image: &Image) -> Self {
        Self { n_functions: image.functions.len(), names: RefCell::default() }
    }

    /// What stands in for the pointer of this name, to a function that returns this type.
    pub fn add(&self, pointer: &str, returned: Option<CTypeId>) -> Callee {
        // Not the name of anything in C, so that nothing else is called by it.
        let name = format!("(*{pointer})");
        let mut names = self.names.borrow_mut();
        let known = names.iter().position(|(other, _)| *other == name);
        let number = known.unwrap_or_else(|| {
            names.push((name, returned));
            names.len() - 1
        });
        names[number].1 = names[number].1.filter(|&ty| returned == Some(ty));
        Callee::Function(FuncId::new(self.n_functions + number))
    }

    /// Those that pointers of some inputs lead to, with what they return, in the order in which they were made.
    pub fn behind(&self, layouts: &Layouts) -> Vec<(String, CTypeId)> {
        let used = layouts.functions();
        let names = self.names.borrow();
        let is_used = |number: usize| used.contains(&FuncId::new(self.n_functions + number));
        let used = names.iter().enumerate().filter(|(number, _)| is_used(*number));
        used.filter_map(|(_, (name, returned))| Some((name.clone(), (*returned)?))).collect()
    }

    pub fn into_names(self) -> Vec<String> {
        self.names.into_inner().into_iter().map(|(name, _)| name).collect()
    }
}
