//! A map from variables to 64-bit values that is small while it holds few and fast while it holds many.
//!
//! A model is either the input of a whole run, with a value for nearly every variable, or what a solver changes of it,
//! which is a handful. The first is a dense table, the second a short sorted list without an allocation.

use smallvec::SmallVec;

use crate::node::VarId;

#[derive(Clone, Debug)]
pub(crate) enum NarrowMap {
    /// Sorted by variable.
    Sparse(SmallVec<[(VarId, u64); SPARSE]>),
    /// By variable.
    Dense(Vec<Option<u64>>),
}

/// How many values the list holds in place.
const SPARSE: usize = 4;

/// With this many values a list becomes a table if at least one in [`MAX_SLACK`] of its entries is used.
const MANY: usize = 32;
const MAX_SLACK: usize = 8;

impl Default for NarrowMap {
    fn default() -> Self {
        NarrowMap::Sparse(SmallVec::new())
    }
}

impl NarrowMap {
    #[inline]
    pub fn get(&self, var: VarId) -> Option<u64> {
        match self {
            NarrowMap::Dense(values) => values.get(var.index()).copied().flatten(),
            NarrowMap::Sparse(list) => {
                let at = position(list, var);
                list.get(at).filter(|entry| entry.0 == var).map(|entry| entry.1)
            }
        }
    }

    pub fn insert(&mut self, var: VarId, value: u64) {
        match self {
            NarrowMap::Dense(values) => {
                if values.len() <= var.index() {
                    values.resize(var.index() + 1, None);
                }
                values[var.index()] = Some(value);
            }
            NarrowMap::Sparse(list) => {
                let at = position(list, var);
                match list.get_mut(at) {
                    Some(entry) if entry.0 == var => entry.1 = value,
                    _ => list.insert(at, (var, value)),
                }
                if list.len() >= MANY && list[list.len() - 1].0.index() < MAX_SLACK * list.len() {
                    self.make_dense();
                }
            }
        }
    }

    #[cold]
    fn make_dense(&mut self) {
        let mut dense = NarrowMap::Dense(Vec::new());
        for (var, value) in self.iter() {
            dense.insert(var, value);
        }
        *self = dense;
    }

    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// In the order of variables.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, u64)> + '_ {
        let (list, table): (&[(VarId, u64)], &[Option<u64>]) = match self {
            NarrowMap::Sparse(list) => (list, &[]),
            NarrowMap::Dense(values) => (&[], values),
        };
        let of_table = table.iter().enumerate().filter_map(|(var, value)| Some((VarId(var as u32), (*value)?)));
        list.iter().copied().chain(of_table)
    }

    pub fn retain(&mut self, mut keeps: impl FnMut(VarId) -> bool) {
        match self {
            NarrowMap::Sparse(list) => list.retain(|(var, _)| keeps(*var)),
            NarrowMap::Dense(values) => {
                for (var, value) in values.iter_mut().enumerate() {
                    *value = value.filter(|_| keeps(VarId(var as u32)));
                }
            }
        }
    }
}

/// Where a variable is in a sorted list, or belongs.
#[inline]
fn position(list: &[(VarId, u64)], var: VarId) -> usize {
    match list.len() {
        0..=8 => list.iter().position(|entry| entry.0 >= var).unwrap_or(list.len()),
        _ => list.partition_point(|entry| entry.0 < var),
    }
}

impl PartialEq for NarrowMap {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for NarrowMap {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Inserts these variables, some of them twice, and compares with a map that is surely right.
    fn check(vars: impl Iterator<Item = u32>, expects_dense: bool) {
        let mut map = NarrowMap::default();
        let mut expected = BTreeMap::new();
        for (n, var) in vars.enumerate() {
            for value in [7, n as u64] {
                map.insert(VarId(var), value);
                expected.insert(VarId(var), value);
            }
            assert_eq!(map.get(VarId(var)), Some(n as u64));
            assert_eq!(map.get(VarId(var + 1)), expected.get(&VarId(var + 1)).copied());
        }
        assert!(map.iter().eq(expected.clone()));
        assert_eq!(matches!(map, NarrowMap::Dense(_)), expects_dense);
        map.retain(|var| var.0 % 2 == 0);
        expected.retain(|var, _| var.0 % 2 == 0);
        assert!(map.iter().eq(expected.clone()));
        assert_eq!(map.is_empty(), expected.is_empty());
    }

    #[test]
    fn behaves_like_a_map_whatever_it_holds() {
        check(0..0, false);
        check([5, 3, 900, 4].into_iter(), false);
        check((0..30).rev(), false);
        check(0..200, true);
        check((0..200).map(|n| n * 1000), false);
        check((0..100).map(|n| n * 37 % 101), true);
    }

    #[test]
    fn equality_is_of_contents() {
        let mut dense = NarrowMap::default();
        (0..40).for_each(|var| dense.insert(VarId(var), 1));
        let mut other = NarrowMap::default();
        other.insert(VarId(3), 1);
        assert_ne!(dense, other);
        dense.retain(|var| var.0 == 3);
        assert_eq!(dense, other);
    }
}
