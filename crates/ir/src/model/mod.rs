//! The program as the `.ll` files state it: types, constants, symbols, functions, metadata.
//!
//! All modules are parsed into one [`Program`], so ids are valid across modules and linking never renumbers.
//! Plain data without behaviour beyond lookups; the parser fills it, everything else reads it.

mod constant;
mod function;
mod inst;
mod metadata;
mod symbol;
mod types;

pub use constant::{ConstExpr, ConstId, ConstKind, ConstTable, Constant};
pub use function::{Block, BlockId, DbgRecord, DbgRecordKind, Function, Param, ParamAttrs, ValueId};
pub use inst::{Arg, AsmText, Callee, Inst, InstFlags, InstId, InstKind, Operand, RmwOp};
pub use metadata::{MdField, MdId, MdNode, MdValue, Metadata};
pub use symbol::{FuncId, GlobalId, GlobalVar, Linkage, ModuleId, Symbol, SymbolId, SymbolKind};
pub use types::{DataLayout, StructLayout, Type, TypeId, TypeTable};

use crate::labels::SourceLabels;

/// Everything that was read, in one id space.
#[derive(Debug, Default)]
pub struct Program {
    pub types: TypeTable,
    pub consts: ConstTable,
    pub modules: Vec<Module>,
    pub symbols: Vec<Symbol>,
    pub globals: Vec<GlobalVar>,
    pub functions: Vec<Function>,
    pub metadata: Metadata,
    /// Of the user's sources, where they matter.
    pub labels: SourceLabels,
}

/// What is known of one `.ll` file as a whole.
#[derive(Debug, Default)]
pub struct Module {
    /// The path or label that diagnostics use.
    pub name: String,
    pub source_filename: String,
    pub data_layout: DataLayout,
    pub target_triple: String,
    /// Named metadata (`!llvm.dbg.cu = !{…}`) in file order.
    pub named_metadata: Vec<(String, Vec<MdId>)>,
    /// `module asm` lines; executing a module that has any is not possible for what they define.
    pub inline_asm: Vec<String>,
}

impl Program {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }

    pub fn global(&self, id: GlobalId) -> &GlobalVar {
        &self.globals[id.index()]
    }

    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// The type of an operand inside `function`.
    pub fn operand_type(&self, function: &Function, operand: Operand) -> TypeId {
        match operand {
            Operand::Local(value) => function.value_types[value.index()],
            Operand::Const(constant) => self.consts[constant].ty,
        }
    }
}

/// Declares a `u32` newtype index with the few conversions that every id needs.
macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
        pub struct $name(pub u32);

        impl $name {
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("more than 2^32 ids"))
            }

            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
pub(crate) use define_id;
