//! What is looked at after a unit's calls: what they return, and the variables of the program.

use crate::functions::Functions;
use crate::layouts::Builder;
use crate::stubs::Stubs;
use spelunk_concolic::graph::unit::{Arg, Call, Home, Observables, ResultWay, Returns, Role, Unit, Variable};
use spelunk_ir::code::Shape;
use spelunk_ir::debug::CTypeId;
use spelunk_ir::model::{FuncId, TypeTable};

/// Variables of more bytes are not looked at.
const MAX_VARIABLE: u64 = 4096;

impl Functions<'_> {
    /// Makes a unit whose calls are known one that can be observed.
    pub(crate) fn add_observables(&self, unit: &mut Unit) {
        // Pointers to functions are read here and never made up.
        let stubs = Stubs::new(self.image);
        let mut builder = Builder::new(self, &stubs, Vec::new(), Vec::new());
        for call in unit.steps.iter_mut().flat_map(|step| &mut step.calls).filter(|call| call.role == Role::Test) {
            call.returns = self.returns(&mut builder, call);
        }
        let is_input = |name: &str| unit.params.iter().any(|it| matches!(&it.home, Home::Global(it) if it == name));
        let mut variables = Vec::new();
        for (name, number, ty) in self.variables() {
            let is_small = self.debug.size_of(ty).is_some_and(|size| size <= MAX_VARIABLE);
            if !is_small || is_input(name) || !self.is_unique(name) {
                continue;
            }
            if let Some(layout) = builder.layout(ty) {
                variables.push(Variable { name: name.into(), number, layout });
            }
        }
        unit.observables = Observables { layouts: builder.layouts, variables };
    }

    fn returns(&self, builder: &mut Builder<'_, '_>, call: &Call) -> Option<Returns> {
        let ty = self.debug.function(call.function)?.ret;
        if ty == CTypeId::VOID {
            return None;
        }
        let layout = builder.layout(ty)?;
        let size = builder.layouts.get(layout).size;
        let way = match call.args.first() {
            Some(Arg::Room { .. }) => ResultWay::Room,
            _ => ResultWay::Registers(self.registers(call.function, size)?),
        };
        (size > 0).then_some(Returns { layout, way })
    }

    /// Where the registers of a result belong in a value of this size.
    fn registers(&self, function: FuncId, size: u32) -> Option<Vec<(u32, u32)>> {
        let ret = self.program.function(function).ret;
        if ret == TypeTable::VOID {
            return None;
        }
        let layout = self.program.modules.first().map(|module| module.data_layout).unwrap_or_default();
        let shape = Shape::of(&self.program.types, layout, ret)?;
        let mut places = Vec::new();
        for leaf in &shape.leaves {
            for word in 0..leaf.scalar.n_slots() {
                let offset = leaf.offset as u32 + 8 * word;
                // A register may be wider than what is left of the value.
                let n_bits = (leaf.scalar.bits() - 64 * word).min(64).min(8 * size.saturating_sub(offset));
                places.push((offset, n_bits));
            }
        }
        Some(places)
    }
}
