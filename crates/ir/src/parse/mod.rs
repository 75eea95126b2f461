//! Reads textual LLVM IR, as clang 15 to 22 write it, into the [`Program`].
//!
//! One pass over the text. Names that are used before they are defined get their id at the first use; what then
//! still needs the definition (direct callees, block addresses) is settled at the end of the module. Constructs that
//! are legal but nothing we execute become `Unsupported…` in the model, so that loading goes on. What the text says
//! beyond the model (optimisation hints, most attributes) is checked for balance and skipped. There is no verifier:
//! types are checked where that costs nothing, dominance is not.
//!
//! Enter at [`parse_module`].

mod attributes;
mod const_exprs;
mod constants;
mod cursor;
mod debug_records;
mod error;
mod functions;
mod globals;
mod inst;
mod lexer;
mod metadata;
mod opcode;
mod scope;
mod symbols;
mod top_level;
mod types;

pub use error::ParseError;

use crate::model::{Module, ModuleId, Program};
use cursor::Cursor;
use error::Parsed;
use inst::Body;
use metadata::MetadataScope;
use opcode::OpcodeTable;
use symbols::SymbolScope;
use types::TypeScope;

/// Nested types, constants and metadata nodes may be this deep. Real files stay below 50; the limit protects the
/// stack.
const MAX_DEPTH: u32 = 200;

/// Parses one `.ll` file and appends it to `program`. `name` stands for the file in messages.
///
/// After an error the program has no part of the file, apart from interned types and constants.
pub fn parse_module(program: &mut Program, name: &str, text: &str) -> Result<ModuleId, ParseError> {
    let module = ModuleId::new(program.modules.len());
    let before = [program.symbols.len(), program.globals.len(), program.functions.len(), program.metadata.nodes.len()];
    program.modules.push(Module { name: name.to_owned(), ..Module::default() });
    match Parser::new(program, module, text).module() {
        Ok(()) => Ok(module),
        Err(fault) => {
            let [n_symbols, n_globals, n_functions, n_nodes] = before;
            program.modules.truncate(module.index());
            program.symbols.truncate(n_symbols);
            program.globals.truncate(n_globals);
            program.functions.truncate(n_functions);
            program.metadata.nodes.truncate(n_nodes);
            Err(fault.into_error(name, text))
        }
    }
}

/// The state while one module is read. Each file of this directory adds the rules for one part of the language.
struct Parser<'p, 'a> {
    cursor: Cursor<'a>,
    program: &'p mut Program,
    module: ModuleId,
    opcodes: OpcodeTable,
    types: TypeScope<'a>,
    symbols: SymbolScope<'a>,
    metadata: MetadataScope,
    /// The function whose body is being read.
    body: Body<'a>,
    depth: u32,
}

impl<'p, 'a> Parser<'p, 'a> {
    fn new(program: &'p mut Program, module: ModuleId, text: &'a str) -> Self {
        Self {
            cursor: Cursor::new(text),
            program,
            module,
            opcodes: OpcodeTable::new(),
            types: TypeScope::default(),
            symbols: SymbolScope::default(),
            metadata: MetadataScope::default(),
            body: Body::default(),
            depth: 0,
        }
    }

    /// Numbers of locals and metadata from here on are refused: they index tables, and a file of this length has no
    /// use for them even if it leaves gaps.
    fn number_limit(&self) -> u32 {
        u32::try_from(self.cursor.text().len()).unwrap_or(u32::MAX).saturating_add(1 << 16)
    }

    fn module_mut(&mut self) -> &mut Module {
        &mut self.program.modules[self.module.index()]
    }

    /// Runs a rule that may contain itself, one level deeper.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.cursor.fail("nested too deeply"));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }
}
