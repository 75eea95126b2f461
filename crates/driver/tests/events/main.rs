//! What machines are told and asked while C programs run, and code that runs aside.

mod aside;
mod loops;
mod machine;
mod stack;
#[path = "../support/mod.rs"]
mod support;

use machine::{Functions, Witness};
use spelunk_driver::Purpose;
use spelunk_ir::model::FuncId;
use spelunk_vm::{Limits, Vm};
use support::Program;

impl Program {
    fn new(text: &str) -> Self {
        Self::load(text, Purpose::default())
    }

    fn name(&self, id: FuncId) -> &str {
        &self.loaded.image.functions[id.index()].name
    }

    fn vm(&self) -> Vm<'_, Witness> {
        Vm::new(&self.loaded.image, Witness::default(), &Functions, Limits::default()).expect("static objects fit")
    }
}
