//! An assignment of values to variables.

use rustc_hash::FxHashMap;

use crate::narrow::NarrowMap;
use crate::node::VarId;
use crate::value::Value;

/// Values for variables. A variable without one counts as zero, an array as zero everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// Variables of at most 64 bits.
    narrow: NarrowMap,
    wide: FxHashMap<VarId, Value>,
    arrays: FxHashMap<VarId, ArrayValue>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayValue {
    /// The element where nothing else is said.
    pub default: u64,
    pub elements: FxHashMap<u64, u64>,
}

impl ArrayValue {
    pub fn element(&self, index: u64) -> u64 {
        self.elements.get(&index).copied().unwrap_or(self.default)
    }
}

impl Model {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn set(&mut self, var: VarId, value: &Value) {
        match value.as_u64() {
            Some(value) => self.set_u64(var, value),
            None => {
                self.wide.insert(var, value.clone());
            }
        }
    }

    /// For variables of at most 64 bits; the value has no bits beyond the variable's width.
    pub fn set_u64(&mut self, var: VarId, value: u64) {
        self.narrow.insert(var, value);
    }

    pub fn array_mut(&mut self, var: VarId) -> &mut ArrayValue {
        self.arrays.entry(var).or_default()
    }

    /// The value of a variable of at most 64 bits, if it has one.
    #[inline]
    pub fn get_u64(&self, var: VarId) -> Option<u64> {
        self.narrow.get(var)
    }

    /// The value of a variable of more than 64 bits, if it has one.
    pub fn get_wide(&self, var: VarId) -> Option<&Value> {
        self.wide.get(&var)
    }

    pub fn array(&self, var: VarId) -> Option<&ArrayValue> {
        self.arrays.get(&var)
    }

    /// The variables of more than 64 bits that have a value, in no order.
    pub fn iter_wide(&self) -> impl Iterator<Item = (VarId, &Value)> + '_ {
        self.wide.iter().map(|(&var, value)| (var, value))
    }

    /// The arrays that have a value, in no order.
    pub fn iter_arrays(&self) -> impl Iterator<Item = (VarId, &ArrayValue)> + '_ {
        self.arrays.iter().map(|(&var, value)| (var, value))
    }

    /// Takes over every value that the other model has.
    pub fn update(&mut self, other: &Model) {
        for (var, value) in other.iter_narrow() {
            self.set_u64(var, value);
        }
        self.wide.extend(other.iter_wide().map(|(var, value)| (var, value.clone())));
        self.arrays.extend(other.iter_arrays().map(|(var, value)| (var, value.clone())));
    }

    /// The variables of at most 64 bits that have a value, in order.
    pub fn iter_narrow(&self) -> impl Iterator<Item = (VarId, u64)> + '_ {
        self.narrow.iter()
    }

    /// Whether no variable has a value.
    pub fn is_empty(&self) -> bool {
        self.narrow.is_empty() && self.wide.is_empty() && self.arrays.is_empty()
    }

    pub fn contains(&self, var: VarId) -> bool {
        self.narrow.get(var).is_some() || self.wide.contains_key(&var) || self.arrays.contains_key(&var)
    }

    /// All variables that have a value, in no order.
    pub fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        self.iter_narrow().map(|(var, _)| var).chain(self.wide.keys().copied()).chain(self.arrays.keys().copied())
    }

    /// Keeps the values of these variables only.
    pub fn retain(&mut self, mut keeps: impl FnMut(VarId) -> bool) {
        self.narrow.retain(&mut keeps);
        self.wide.retain(|&var, _| keeps(var));
        self.arrays.retain(|&var, _| keeps(var));
    }
}

/// Where evaluation finds the values of variables.
pub trait Values {
    /// The value of a variable of at most 64 bits.
    fn narrow(&self, var: VarId) -> u64;

    /// The value of a variable of more than 64 bits. `None`: zero.
    fn wide(&self, var: VarId) -> Option<&Value>;

    /// `None`: zero everywhere.
    fn array(&self, var: VarId) -> Option<&ArrayValue>;
}

impl Values for &Model {
    #[inline]
    fn narrow(&self, var: VarId) -> u64 {
        self.get_u64(var).unwrap_or(0)
    }

    fn wide(&self, var: VarId) -> Option<&Value> {
        self.get_wide(var)
    }

    fn array(&self, var: VarId) -> Option<&ArrayValue> {
        Model::array(self, var)
    }
}

/// A model with some values replaced, without making it.
#[derive(Clone, Copy, Debug)]
pub struct Overlay<'m> {
    pub base: &'m Model,
    pub changes: &'m Model,
}

impl Values for Overlay<'_> {
    #[inline]
    fn narrow(&self, var: VarId) -> u64 {
        self.changes.get_u64(var).or_else(|| self.base.get_u64(var)).unwrap_or(0)
    }

    fn wide(&self, var: VarId) -> Option<&Value> {
        self.changes.get_wide(var).or_else(|| self.base.get_wide(var))
    }

    fn array(&self, var: VarId) -> Option<&ArrayValue> {
        self.changes.array(var).or_else(|| self.base.array(var))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluator;
    use crate::node::Sort;
    use crate::pool::ExprPool;

    #[test]
    fn an_overlay_is_the_updated_model() {
        let mut pool = ExprPool::new();
        let sorts = [Sort::Bv(8), Sort::Bv(8), Sort::Bv(100), Sort::Bv(100)];
        let array = Sort::Array { index_width: 8, elem_width: 8 };
        let vars: Vec<VarId> = sorts.into_iter().chain([array; 2]).map(|sort| pool.new_var("v", sort)).collect();
        let mut base = Model::new();
        let mut changes = Model::new();
        for (at, &var) in vars.iter().enumerate() {
            let targets = if at % 2 == 0 { [Some(&mut base), None] } else { [Some(&mut base), Some(&mut changes)] };
            for (value, model) in (10..).zip(targets.into_iter().flatten()) {
                match pool.var_sort(var) {
                    Sort::Bv(width) => model.set(var, &Value::from_limbs(width, &[value, value])),
                    Sort::Array { .. } => model.array_mut(var).default = value,
                }
            }
        }
        let exprs: Vec<_> = vars
            .iter()
            .map(|&var| match pool.var_sort(var) {
                Sort::Bv(_) => pool.mk_var(var),
                Sort::Array { .. } => {
                    let (array, index) = (pool.mk_var(var), pool.mk_const(8, 3));
                    pool.mk_select(array, index)
                }
            })
            .collect();
        let mut updated = base.clone();
        updated.update(&changes);
        let mut evaluator = Evaluator::new();
        let overlay = Overlay { base: &base, changes: &changes };
        let seen: Vec<Value> = exprs.iter().map(|&id| evaluator.under(&pool, overlay).eval(id)).collect();
        let expected: Vec<Value> = exprs.iter().map(|&id| evaluator.under(&pool, &updated).eval(id)).collect();
        assert_eq!(seen, expected);
        assert_eq!(seen.iter().map(|value| value.limbs()[0]).collect::<Vec<_>>(), [10, 11, 10, 11, 10, 11]);
        assert_eq!(changes.vars().count(), 3);
        assert!(vars.iter().enumerate().all(|(at, &var)| changes.contains(var) == (at % 2 == 1)));
        changes.retain(|var| var == vars[5]);
        assert_eq!(changes.vars().collect::<Vec<_>>(), [vars[5]]);
    }
}
