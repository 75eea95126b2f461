//! Symbols: what a module defines or needs by name, before and after linking.

use super::{ConstId, MdId, TypeId, define_id};

define_id!(
    /// One `.ll` file.
    ModuleId
);
define_id!(
    /// A name in one module; linking maps declarations to definitions.
    SymbolId
);
define_id!(
    /// A function, defined or declared.
    FuncId
);
define_id!(
    /// A global variable, defined or declared.
    GlobalId
);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub name: Box<str>,
    pub module: ModuleId,
    pub linkage: Linkage,
    pub kind: SymbolKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    Function(FuncId),
    Global(GlobalId),
    /// The constant that the name stands for.
    Alias(ConstId),
    /// Resolved at load time natively; calling it is unsupported.
    IFunc,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    External,
    /// A declaration that may stay undefined (its address is then null).
    ExternWeak,
    /// `internal` and `private`: invisible to other modules.
    Internal,
    AvailableExternally,
    /// `linkonce`, `linkonce_odr`, `weak`, `weak_odr`.
    Weak,
    Common,
    Appending,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalVar {
    pub symbol: SymbolId,
    pub ty: TypeId,
    /// `None` for a declaration.
    pub init: Option<ConstId>,
    pub constant: bool,
    pub thread_local: bool,
    /// 0 if the file states none.
    pub align: u32,
    /// The `DIGlobalVariableExpression`s attached with `!dbg`.
    pub debug: Vec<MdId>,
}
