//! Values that conditions can't tell apart. Where a byte is looked at through tables only, as the scanners of flex do with the class of a
//! character, those with the same entries are one.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_expr::{ExprId, Model, Sort, VarId};

use crate::stage::{Context, Freed};

#[derive(Default)]
pub struct Alike {
    /// By expression of one byte: what it is for each value.
    known: FxHashMap<ExprId, Rc<[u64]>>,
    stack: Vec<ExprId>,
    met: FxHashSet<ExprId>,
}

/// Conditions with more nodes above their bytes are not looked through.
const MAX_NODES: usize = 1024;
/// So many expressions are remembered: 2 KiB each.
const MAX_KNOWN: usize = 4096;
/// Wider variables have too many values.
const MAX_WIDTH: u32 = 8;

impl Alike {
    /// Leaves of a byte's values that the conditions can't tell apart the first.
    pub fn thin(&mut self, cx: &mut Context<'_>, conditions: &[ExprId], var: VarId, values: &mut Vec<u64>) {
        let Sort::Bv(width @ ..=MAX_WIDTH) = cx.pool.var_sort(var) else { return };
        let Some(parts) = self.parts(cx, conditions, var) else { return };
        let tables: Vec<Rc<[u64]>> = parts.into_iter().map(|part| self.table(cx, part, (var, width))).collect();
        let mut met = FxHashSet::default();
        values.retain(|&value| met.insert(tables.iter().map(|table| table[value as usize]).collect::<Vec<u64>>()));
    }

    /// The largest parts of conditions that depend on this variable and on no other. Nothing if there is no use in looking at them.
    fn parts(&mut self, cx: &mut Context<'_>, conditions: &[ExprId], var: VarId) -> Option<Vec<ExprId>> {
        let mut parts = Vec::new();
        self.met.clear();
        self.stack.clear();
        self.stack.extend(conditions);
        while let Some(id) = self.stack.pop() {
            if !self.met.insert(id) {
                continue;
            }
            let vars = cx.free_vars.of(cx.pool, id);
            if cx.free_vars.as_single(vars) == Some(var) {
                let node = cx.pool.node(id);
                let is_word = matches!(cx.pool.sort(id), Sort::Bv(..=64));
                // The variable itself tells all of its values apart.
                if !is_word || node.args().next().is_none() {
                    return None;
                }
                parts.push(id);
            } else if cx.free_vars.contains(vars, var) {
                self.stack.extend(cx.pool.node(id).args());
            }
            if self.met.len() > MAX_NODES {
                return None;
            }
        }
        Some(parts)
    }

    fn table(&mut self, cx: &mut Context<'_>, part: ExprId, (var, width): (VarId, u32)) -> Rc<[u64]> {
        if let Some(known) = self.known.get(&part) {
            return Rc::clone(known);
        }
        if self.known.len() == MAX_KNOWN {
            self.known.clear();
        }
        let mut model = Model::new();
        let of_value = |value: u64| {
            model.set_u64(var, value);
            cx.evaluator.under(cx.pool, &model).eval_u64(part)
        };
        let table: Rc<[u64]> = (0..1 << width).map(of_value).collect();
        self.known.insert(part, Rc::clone(&table));
        table
    }

    pub fn forget(&mut self, freed: &Freed) {
        self.known.retain(|id, _| !freed.contains(*id));
    }
}
