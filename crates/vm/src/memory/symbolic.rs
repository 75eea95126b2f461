//! Bytes that carry expressions: their concrete values under another input, and the expressions themselves.

use super::Memory;
use crate::value::Carried;

impl Memory {
    /// Computes every byte that carries an expression anew. `values` gives bytes that carry numbers one after another, or byte
    /// `index` of an expression.
    ///
    /// Versions that share an object see its new values: what such a byte is concretely belongs to an input, not to a
    /// version.
    pub fn reevaluate(&mut self, mut values: impl FnMut(Carried, u8, &mut [u8])) {
        let objects = &mut self.objects;
        self.symbolic.retain(|id| {
            let Some(object) = objects.get_mut(id.0 as usize) else { return false };
            let Some(shadow) = object.shadow.take_if(|shadow| shadow.has_exprs()) else { return false };
            for run in shadow.runs_in(0..u32::MAX) {
                let mut at = run.start as usize;
                while let Some(start) = object.plain_bits().first_clear(at..run.end as usize) {
                    at = object.plain_bits().first_set(start..run.end as usize).unwrap_or(run.end as usize);
                    let first = Carried(run.first.0 + (start as u32 - run.start));
                    values(first, 0, &mut object.data_mut()[start..at]);
                }
            }
            for (offset, byte) in shadow.exprs() {
                if !object.plain_bits().get(offset as usize) {
                    values(byte.expr, byte.index, &mut object.data_mut()[offset as usize..offset as usize + 1]);
                }
            }
            object.shadow = Some(shadow);
            true
        });
    }

    /// Calls `visit` with every expression that a byte carries, here or in a version; with some more than once, and with
    /// some that are written over by now.
    pub fn visit_exprs(&self, mut visit: impl FnMut(Carried)) {
        let here = self.symbolic.iter().filter_map(|id| self.objects.get(id.0 as usize)?.shadow.as_deref());
        for shadow in here.chain(self.versions.shadows()) {
            shadow.exprs().for_each(|(_, byte)| visit(byte.expr));
            let numbers = shadow.runs_in(0..u32::MAX).into_iter().flat_map(|run| run.numbers());
            numbers.for_each(&mut visit);
        }
    }
}
