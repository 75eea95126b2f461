//! What functions return that nobody defines, or that stand in for pointers, where C says it: an input of that type.

use crate::error::UnitError;
use crate::functions::Functions;
use crate::layouts::Builder;
use rustc_hash::FxHashSet;
use spelunk_concolic::graph::layout::{LayoutId, LeafKind, Target};
use spelunk_concolic::graph::unit::{StubResult, Unit};
use spelunk_concolic::harness::is_undefined;
use spelunk_ir::debug::{CType, CTypeId};
use spelunk_ir::model::FuncId;

impl Functions<'_> {
    /// What a whole program is given in this way, by a unit that says what holds for all; nothing if nobody says more of results than
    /// their bytes.
    pub fn whole_program(&self, like: Unit) -> Result<Option<Unit>, UnitError> {
        let mut builder = Builder::new(self, &self.stubs, Vec::new(), Vec::new());
        let results = self.results(&mut builder);
        match builder.problem {
            Some(problem) => Err(problem),
            None if results.is_empty() => Ok(None),
            None => Ok(Some(Unit { layouts: builder.layouts, results, ..like })),
        }
    }

    /// The results that have a type of which more is known than their bytes.
    pub(crate) fn results(&self, builder: &mut Builder<'_, '_>) -> Vec<StubResult> {
        let undefined: FxHashSet<&str> =
            self.image.externals.iter().map(|name| &**name).filter(|name| is_undefined(name)).collect();
        let mut results: Vec<StubResult> = Vec::new();
        for number in 0..self.program.functions.len() {
            let id = FuncId::new(number);
            let name = &*self.program.symbol(self.program.function(id).symbol).name;
            if !undefined.contains(name) || results.iter().any(|result| result.function == name) {
                continue;
            }
            if let Some(layout) = self.debug.function(id).and_then(|it| self.result(builder, id, it.ret)) {
                results.push(StubResult { function: name.to_owned(), layout });
            }
        }
        // A result may have pointers to functions in turn.
        let mut asked = FxHashSet::default();
        while let Some((function, ty)) =
            self.stubs.behind(&builder.layouts).into_iter().find(|(name, _)| !asked.contains(name))
        {
            if let Some(layout) = self.pointer(builder, ty) {
                results.push(StubResult { function: function.clone(), layout });
            }
            asked.insert(function);
        }
        results
    }

    /// The layout of a result that is a structure, or a pointer to something whose type is known.
    fn result(&self, builder: &mut Builder<'_, '_>, function: FuncId, ty: CTypeId) -> Option<LayoutId> {
        match self.debug.ctype(builder.plain(ty)) {
            CType::Record { .. } => {
                let layout = builder.layout(ty)?;
                let size = u64::from(builder.layouts.get(layout).size);
                (size > 0 && size <= self.room_for_result(function)?).then_some(layout)
            }
            _ => self.pointer(builder, ty),
        }
    }

    /// The layout of a pointer to something whose type is known.
    fn pointer(&self, builder: &mut Builder<'_, '_>, ty: CTypeId) -> Option<LayoutId> {
        let CType::Pointer { target } = self.debug.ctype(builder.plain(ty)) else { return None };
        if self.debug.ctype(builder.plain(target)) == CType::Void {
            return None;
        }
        let layout = builder.layout(ty)?;
        let [leaf] = &*builder.layouts.get(layout).leaves else { return None };
        let LeafKind::Pointer(kind) = leaf.kind else { return None };
        (builder.layouts.pointer(kind).target != Target::Nothing).then_some(layout)
    }

    /// The bytes that registers or the caller have for a result. A structure with a flexible array does not fit.
    fn room_for_result(&self, function: FuncId) -> Option<u64> {
        let function = self.program.function(function);
        let written = function.params.first().and_then(|param| param.attrs.sret);
        let layout = self.program.modules.first()?.data_layout;
        self.program.types.alloc_size(layout, written.unwrap_or(function.ret))
    }
}
