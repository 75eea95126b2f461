//! Writes a module back as LLVM assembly that LLVM and our own parser read.
//!
//! What is printed is the model: structs have no names, values are numbered, blocks are `bN`, attributes and orderings that the model
//! does not keep are gone. Parsing the text and printing again gives the same text. Constructs that the model keeps
//! as `Unsupported…` print as the nearest thing that is legal and goes the same ways: `poison`, a frozen `poison`, a
//! `switch` over the successors.
//!
//! Enter at [`print_module`].

mod constants;
mod functions;
mod inst;
mod metadata;
mod module;
mod names;
mod types;

pub use types::type_text;

use crate::model::{MdId, ModuleId, Program};
use rustc_hash::FxHashMap;

pub fn print_module(program: &Program, module: ModuleId) -> String {
    let mut printer = Printer::new(program, module);
    printer.module();
    printer.out
}

/// The text so far. Each file of this directory adds the rules for one part of the language.
///
/// Writing into a `String` cannot fail, so the results of `write!` are dropped everywhere.
struct Printer<'a> {
    program: &'a Program,
    module: ModuleId,
    out: String,
    /// Numbers of the metadata nodes that were mentioned, in the order of their first mention.
    node_numbers: FxHashMap<MdId, usize>,
    nodes: Vec<MdId>,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program, module: ModuleId) -> Self {
        Self { program, module, out: String::new(), node_numbers: FxHashMap::default(), nodes: Vec::new() }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// `items` by `print`, with `, ` between them.
    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut print: impl FnMut(&mut Self, T)) {
        for (place, item) in items.into_iter().enumerate() {
            if place > 0 {
                self.text(", ");
            }
            print(self, item);
        }
    }
}
