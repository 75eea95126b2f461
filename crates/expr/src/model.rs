//! An assignment of values to variables.

use rustc_hash::FxHashMap;

use crate::node::VarId;
use crate::value::Value;

/// Values for variables. A variable without one counts as zero, an array as zero everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// By variable; those of at most 64 bits.
    narrow: Vec<Option<u64>>,
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
        if self.narrow.len() <= var.index() {
            self.narrow.resize(var.index() + 1, None);
        }
        self.narrow[var.index()] = Some(value);
    }

    pub fn array_mut(&mut self, var: VarId) -> &mut ArrayValue {
        self.arrays.entry(var).or_default()
    }

    /// The value of a variable of at most 64 bits, if it has one.
    #[inline]
    pub fn get_u64(&self, var: VarId) -> Option<u64> {
        self.narrow.get(var.index()).copied().flatten()
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
        self.narrow.iter().enumerate().filter_map(|(var, value)| Some((VarId(var as u32), (*value)?)))
    }
}
