//! What machines are told and asked while C programs run, and code that runs aside.

mod aside;
mod loops;
mod machine;
mod stack;

use machine::{Functions, Witness};
use spelunk_driver::{Loaded, Options, load};
use spelunk_ir::model::FuncId;
use spelunk_vm::{Limits, Vm};

/// A program that is loaded.
struct Program {
    loaded: Loaded,
    _dir: tempfile::TempDir,
}

impl Program {
    fn new(text: &str) -> Self {
        let dir = tempfile::tempdir().expect("a directory for the source");
        let source = dir.path().join("program.c");
        std::fs::write(&source, text).expect("the source can be written");
        let loaded = load(&Options { sources: vec![source], ..Options::default() }).expect("the program compiles");
        Self { loaded, _dir: dir }
    }

    fn id(&self, name: &str) -> FuncId {
        let position = self.loaded.image.functions.iter().position(|code| &*code.name == name);
        FuncId::new(position.unwrap_or_else(|| panic!("`{name}` is defined")))
    }

    fn name(&self, id: FuncId) -> &str {
        &self.loaded.image.functions[id.index()].name
    }

    fn vm(&self) -> Vm<'_, Witness> {
        Vm::new(&self.loaded.image, Witness::default(), &Functions, Limits::default()).expect("static objects fit")
    }
}
