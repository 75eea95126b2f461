//! From a solver's values back to a model, and keeping what the hint says.

use rustc_hash::FxHashMap;
use spelunk_expr::{Evaluator, ExprId, ExprPool, Model, Overlay, Value, VarId};

use super::cnf::Instance;
use super::cone::Cone;
use super::gates::{Gate, Gates};

/// The bit that the hint gives a variable.
pub(crate) fn hint_bit(hint: &Model, pool: &ExprPool, var: VarId, at: u32) -> bool {
    if width(pool, var) <= 64 {
        return hint.get_u64(var).unwrap_or(0) >> at & 1 != 0;
    }
    hint.get_wide(var).is_some_and(|value| value.limbs()[at as usize / 64] >> (at % 64) & 1 != 0)
}

fn width(pool: &ExprPool, var: VarId) -> u32 {
    match pool.var_sort(var) {
        spelunk_expr::Sort::Bv(width) => width,
        spelunk_expr::Sort::Array { .. } => 0,
    }
}

/// The variables of a cone with the values that the solver gave their bits; other bits are those of the hint.
pub(crate) fn read_model(gates: &Gates, pool: &ExprPool, cone: &Cone, instance: &Instance, hint: &Model) -> Model {
    let mut model = Model::new();
    let mut wide: FxHashMap<VarId, Vec<u64>> = FxHashMap::default();
    let with_bit = |limb: u64, at: u32, is_set: bool| limb & !(1 << at) | (is_set as u64) << at;
    for &id in &cone.vars {
        let Gate::Var { var, at } = gates.gate(id) else { continue };
        let is_set = instance.value(id.bit());
        if width(pool, var) <= 64 {
            let so_far = model.get_u64(var).or_else(|| hint.get_u64(var)).unwrap_or(0);
            model.set_u64(var, with_bit(so_far, at, is_set));
        } else {
            let limbs = wide.entry(var).or_insert_with(|| match hint.get_wide(var) {
                Some(value) => value.limbs().to_vec(),
                None => vec![0; width(pool, var).div_ceil(64) as usize],
            });
            let limb = &mut limbs[at as usize / 64];
            *limb = with_bit(*limb, at % 64, is_set);
        }
    }
    for (var, limbs) in wide {
        model.set(var, &Value::from_limbs(width(pool, var), &limbs));
    }
    model
}

/// How many changed variables are tried to be changed back.
const MAX_TRIES: usize = 32;

/// Gives variables back the values of the hint, one after the other, where the constraints still hold.
pub(crate) fn keep_hint(
    evaluator: &mut Evaluator,
    pool: &ExprPool,
    constraints: &[ExprId],
    hint: &Model,
    model: &mut Model,
) {
    let hinted = |var: VarId| hint.get_u64(var).unwrap_or(0);
    let changed: Vec<(VarId, u64)> = model.iter_narrow().filter(|&(var, value)| value != hinted(var)).collect();
    if changed.len() < 2 || changed.len() > MAX_TRIES {
        return;
    }
    // What a query adds to a path comes last, and is what most likely fails.
    let mut hold = |model: &Model| {
        let mut evaluation = evaluator.under(pool, Overlay { base: hint, changes: model });
        constraints.iter().rev().all(|&constraint| evaluation.eval_bool(constraint))
    };
    // Often one change is enough, and others can't be taken back one by one.
    let mut only_one = model.clone();
    changed.iter().for_each(|&(var, _)| only_one.set_u64(var, hinted(var)));
    for &(var, value) in &changed {
        only_one.set_u64(var, value);
        if hold(&only_one) {
            *model = only_one;
            return;
        }
        only_one.set_u64(var, hinted(var));
    }
    for (var, value) in changed {
        model.set_u64(var, hinted(var));
        if !hold(model) {
            model.set_u64(var, value);
        }
    }
}
