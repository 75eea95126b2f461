//! From Z3's models to ours: values of the query's variables, checked by evaluation, and as close to the hint as a
//! little trying finds.

use std::ops::Range;

use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use spelunk_expr::{ArrayValue, Evaluator, ExprId, ExprPool, FreeVars, Model, Op, Sort, Value, VarId, VarSetId};
use z3::ast::BV;

use super::ffi;
use super::translate::Translator;
use crate::query::{Answer, Query, Unknown};

/// How much evaluation bringing values back to the hint may cost: constraints times attempts.
const REPAIR_BUDGET: usize = 8192;
const MAX_ATTEMPTS: usize = 64;

#[derive(Default)]
pub(super) struct Models {
    evaluator: Evaluator,
    free_vars: FreeVars,
}

/// What to take for a variable that Z3 left open.
#[derive(Clone, Copy)]
enum Open {
    Hint,
    Zero,
}

impl Models {
    /// The pool has dropped expressions.
    pub fn forget(&mut self) {
        // Its memory would grow with all expressions that ever were.
        self.free_vars = FreeVars::new();
    }

    pub fn holds(&mut self, pool: &ExprPool, model: &Model, constraints: &[ExprId]) -> bool {
        let mut evaluation = self.evaluator.under(pool, model);
        constraints.iter().all(|&constraint| evaluation.eval_bool(constraint))
    }

    /// The answer that a model of Z3 makes.
    pub fn read(
        &mut self,
        pool: &ExprPool,
        translator: &mut Translator,
        query: &Query<'_>,
        found: &z3::Model,
    ) -> Answer {
        let vars = self.vars_of(pool, query.constraints);
        for open in [Open::Hint, Open::Zero] {
            let mut reader = Reader { pool, translator, found, hint: query.hint, open };
            let Ok(changes) = reader.changes(&vars, query.constraints) else { break };
            if self.holds(pool, &changed(query.hint, &changes, |_| true), query.constraints) {
                let kept = self.repair(pool, query, &changes);
                return Answer::Sat(changed(&Model::new(), &changes, |at| kept[at]));
            }
        }
        Answer::Unknown(Unknown::WrongModel)
    }

    fn vars_of(&mut self, pool: &ExprPool, constraints: &[ExprId]) -> Vec<VarId> {
        let mut all = VarSetId::EMPTY;
        for &constraint in constraints {
            let vars = self.free_vars.of(pool, constraint);
            all = self.free_vars.union(all, vars);
        }
        self.free_vars.iter(all).collect()
    }

    /// Which changes to the hint stay when as many as possible are undone.
    fn repair(&mut self, pool: &ExprPool, query: &Query<'_>, changes: &[Change]) -> Vec<bool> {
        let n_attempts = (REPAIR_BUDGET / query.constraints.len().max(1)).clamp(2, MAX_ATTEMPTS);
        let mut repair = Repair { models: self, pool, query, changes, kept: vec![true; changes.len()], n_attempts };
        repair.keep_only_needed();
        while repair.undo_groups() {}
        repair.kept
    }
}

/// A search for changes to the hint that are not needed.
struct Repair<'r> {
    models: &'r mut Models,
    pool: &'r ExprPool,
    query: &'r Query<'r>,
    changes: &'r [Change],
    /// By change, whether it stays.
    kept: Vec<bool>,
    n_attempts: usize,
}

impl Repair<'_> {
    /// Undoes changes, if the constraints still hold then.
    fn try_undo(&mut self, group: &[usize]) -> bool {
        if group.is_empty() || self.n_attempts == 0 {
            return false;
        }
        self.n_attempts -= 1;
        group.iter().for_each(|&at| self.kept[at] = false);
        let model = changed(self.query.hint, self.changes, |at| self.kept[at]);
        let holds = self.models.holds(self.pool, &model, self.query.constraints);
        if !holds {
            group.iter().for_each(|&at| self.kept[at] = true);
        }
        holds
    }

    /// Often it is enough to change the variables of the constraints that the hint violates.
    fn keep_only_needed(&mut self) {
        let Repair { models, pool, query, .. } = self;
        let mut evaluation = models.evaluator.under(pool, query.hint);
        let violated: Vec<ExprId> =
            query.targets().iter().copied().filter(|&constraint| !evaluation.eval_bool(constraint)).collect();
        let needed = models.vars_of(pool, &violated);
        let is_needed = |change: &Change| needed.binary_search(&change.var).is_ok();
        let others: Vec<usize> = (0..self.changes.len()).filter(|&at| !is_needed(&self.changes[at])).collect();
        self.try_undo(&others);
    }

    /// Undoes halves of what is left, halves of those, and so on; returns whether anything was undone.
    fn undo_groups(&mut self) -> bool {
        let left: Vec<usize> = (0..self.changes.len()).filter(|&at| self.kept[at]).collect();
        // Not all changes at once: the hint itself was tried before Z3 was asked.
        let mut groups = halves(0..left.len());
        let mut is_any_undone = false;
        while let Some(group) = groups.pop()
            && self.n_attempts > 0
        {
            if self.try_undo(&left[group.clone()]) {
                is_any_undone = true;
            } else {
                groups.extend(halves(group));
            }
        }
        is_any_undone
    }
}

fn halves(group: Range<usize>) -> Vec<Range<usize>> {
    let middle = group.start + group.len() / 2;
    if group.len() < 2 { Vec::new() } else { vec![middle..group.end, group.start..middle] }
}

/// A variable whose value is not the hint's.
struct Change {
    var: VarId,
    value: ChangedValue,
}

enum ChangedValue {
    Bits(Value),
    Array(ArrayValue),
}

/// A model with some of the changes made.
fn changed(base: &Model, changes: &[Change], is_made: impl Fn(usize) -> bool) -> Model {
    let mut model = base.clone();
    for (_, change) in changes.iter().enumerate().filter(|(at, _)| is_made(*at)) {
        match &change.value {
            ChangedValue::Bits(value) => model.set(change.var, value),
            ChangedValue::Array(value) => *model.array_mut(change.var) = value.clone(),
        }
    }
    model
}

struct Reader<'r> {
    pool: &'r ExprPool,
    translator: &'r mut Translator,
    found: &'r z3::Model,
    hint: &'r Model,
    open: Open,
}

impl Reader<'_> {
    fn changes(&mut self, vars: &[VarId], constraints: &[ExprId]) -> Result<Vec<Change>, Unknown> {
        let mut changes = Vec::new();
        let mut arrays = FxHashMap::default();
        for &var in vars {
            match self.pool.var_sort(var) {
                Sort::Bv(width) => {
                    let value = self.bits(var, width)?;
                    changes.extend(value.map(|value| Change { var, value: ChangedValue::Bits(value) }));
                }
                Sort::Array { .. } => {
                    arrays.insert(var, self.hint.array(var).cloned().unwrap_or_default());
                }
            }
        }
        if !arrays.is_empty() {
            self.read_elements(constraints, &mut arrays);
            let mut arrays: Vec<(VarId, ArrayValue)> = arrays.into_iter().collect();
            arrays.sort_by_key(|(var, _)| *var);
            for (var, value) in arrays {
                if self.hint.array(var) != Some(&value) {
                    changes.push(Change { var, value: ChangedValue::Array(value) });
                }
            }
        }
        Ok(changes)
    }

    /// The value of a variable, unless it is the hint's.
    fn bits(&self, var: VarId, width: u32) -> Result<Option<Value>, Unknown> {
        let value = match (self.found.get_const_interp(&self.translator.var(var, width)), self.open) {
            (Some(value), _) => value_of(&value, width)?,
            (None, Open::Zero) => Value::new(width, 0),
            (None, Open::Hint) => return Ok(None),
        };
        let is_hint = match value.as_u64() {
            Some(narrow) => self.hint.get_u64(var).unwrap_or(0) == narrow,
            None => match self.hint.get_wide(var) {
                Some(wide) => *wide == value,
                None => value.limbs().iter().all(|&limb| limb == 0),
            },
        };
        Ok((!is_hint).then_some(value))
    }

    /// The elements that the constraints read; all others stay what the hint says.
    fn read_elements(&mut self, constraints: &[ExprId], arrays: &mut FxHashMap<VarId, ArrayValue>) {
        for id in self.pool.postorder(constraints) {
            let node = self.pool.node(id);
            if node.op() != Op::Select {
                continue;
            }
            let mut base = node.arg(0);
            while self.pool.op(base) == Op::Store {
                base = self.pool.node(base).arg(0);
            }
            if self.pool.op(base) != Op::ArrayVar {
                continue;
            }
            let Some(array) = arrays.get_mut(&self.pool.node(base).var()) else { continue };
            let (array_term, index_term) =
                (self.translator.array(base), self.translator.vector(self.pool, node.arg(1)));
            let read = |term: &BV| self.found.eval(term, true).and_then(|value| value.as_u64());
            let elem_term = array_term.select(&index_term).as_bv();
            if let (Some(index), Some(elem)) = (read(&index_term), elem_term.and_then(|term| read(&term))) {
                array.elements.insert(index, elem);
            }
        }
    }
}

/// The value of a numeral of any width.
pub(super) fn value_of(numeral: &BV, width: u32) -> Result<Value, Unknown> {
    match numeral.as_u64() {
        Some(value) => Ok(Value::new(width, value)),
        None => match ffi::numeral_text(numeral).and_then(|text| text.parse::<BigUint>().ok()) {
            Some(number) => Ok(Value::from_limbs(width, &number.to_u64_digits())),
            None => Err(Unknown::GaveUp("a value that is no number".into())),
        },
    }
}
