//! C programs for tests, compiled and loaded.

use spelunk_driver::{Loaded, Options, Purpose, load};
use spelunk_ir::model::FuncId;

/// A program that is loaded.
pub struct Program {
    pub loaded: Loaded,
    _dir: tempfile::TempDir,
}

impl Program {
    pub fn load(text: &str, purpose: Purpose) -> Self {
        let dir = tempfile::tempdir().expect("a directory for the source");
        let source = dir.path().join("program.c");
        std::fs::write(&source, text).expect("the source can be written");
        let options = Options { sources: vec![source], purpose, ..Options::default() };
        Self { loaded: load(&options).expect("the program compiles"), _dir: dir }
    }

    pub fn id(&self, name: &str) -> FuncId {
        let position = self.loaded.image.functions.iter().position(|code| &*code.name == name);
        FuncId::new(position.unwrap_or_else(|| panic!("`{name}` is defined")))
    }
}
