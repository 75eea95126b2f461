//! What the slots of functions are called in the source.

use rustc_hash::FxHashMap;
use spelunk_ir::code::Image;
use spelunk_ir::debug::{CType, CTypeId, DebugInfo, Encoding};
use spelunk_ir::model::{FuncId, Program};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub name: String,
    pub is_signed: bool,
    /// Of its declaration.
    pub line: u32,
    pub n_bytes: u32,
}

/// By function and slot.
#[derive(Clone, Debug, Default)]
pub struct Names(FxHashMap<(FuncId, u32), Named>);

impl Names {
    pub fn new(program: &Program, image: &Image) -> Self {
        let debug = DebugInfo::new(program);
        let mut names = FxHashMap::default();
        for (idx, code) in image.functions.iter().enumerate() {
            for &(slot, variable) in &code.variables {
                let Some(variable) = debug.local_variable(variable, None) else { continue };
                let Some(name) = variable.name else { continue };
                let named = Named {
                    name: name.to_owned(),
                    is_signed: is_signed(&debug, variable.ty),
                    line: variable.line,
                    n_bytes: debug.size_of(variable.ty).unwrap_or(0) as u32,
                };
                names.insert((FuncId::new(idx), slot), named);
            }
        }
        Self(names)
    }

    pub fn slot(&self, function: FuncId, slot: u32) -> Option<&Named> {
        self.0.get(&(function, slot))
    }
}

fn is_signed(debug: &DebugInfo<'_>, ty: CTypeId) -> bool {
    match debug.ctype(debug.unqualified(ty)) {
        CType::Base { encoding, .. } => matches!(encoding, Encoding::Signed | Encoding::SignedChar),
        _ => false,
    }
}
