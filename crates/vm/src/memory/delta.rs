//! The difference between two versions of memory.

use super::object::{NEVER, Object, ObjectId};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

/// What to put where in one version to get another: the objects that differ, as they are in the other one. Objects that it
/// does not have are not listed.
#[derive(Debug, Default)]
pub(super) struct Delta {
    /// By number, each once; in any order while it is being recorded.
    changes: Vec<(ObjectId, Object)>,
    /// The memory that it takes.
    footprint: u64,
}

impl Delta {
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    pub fn footprint(&self) -> u64 {
        self.footprint
    }

    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        self.changes.iter().map(|(_, object)| object)
    }

    pub fn ids(&self) -> impl Iterator<Item = ObjectId> {
        self.changes.iter().map(|&(id, _)| id)
    }

    pub fn push(&mut self, id: ObjectId, mut object: Object) {
        object.epoch = NEVER;
        self.footprint += object.footprint();
        self.changes.push((id, object));
    }

    /// After the last `push`.
    pub fn close(&mut self) {
        self.changes.sort_unstable_by_key(|&(id, _)| id);
    }

    /// Changes a table of objects into one of `n_objects`, and adds to `symbolic` as need be. Returns the way back.
    pub fn apply(mut self, objects: &mut Vec<Object>, n_objects: usize, symbolic: &mut FxHashSet<ObjectId>) -> Self {
        let mut inverse = Self::default();
        let surplus = objects.split_off(n_objects.min(objects.len()));
        self.put_into(objects, symbolic, |id, old| inverse.push(id, old));
        (n_objects as u32..).map(ObjectId).zip(surplus).for_each(|(id, old)| inverse.push(id, old));
        inverse
    }

    /// The same when there is no way back. The difference need not be closed.
    pub fn apply_for_good(mut self, objects: &mut Vec<Object>, n_objects: usize, symbolic: &mut FxHashSet<ObjectId>) {
        self.close();
        objects.truncate(n_objects);
        self.put_into(objects, symbolic, |_, _| ());
    }

    fn put_into(
        &mut self,
        objects: &mut Vec<Object>,
        symbolic: &mut FxHashSet<ObjectId>,
        mut replaced: impl FnMut(ObjectId, Object),
    ) {
        for (id, object) in self.changes.drain(..) {
            if object.has_exprs() {
                symbolic.insert(id);
            }
            match objects.get_mut(id.0 as usize) {
                Some(slot) => replaced(id, std::mem::replace(slot, object)),
                None => {
                    debug_assert!(objects.len() == id.0 as usize, "every object that is missing is listed");
                    objects.push(object);
                }
            }
        }
    }

    /// The difference that leads over this one to a version of `n_objects`, both closed.
    pub fn then(self, next: Self, n_objects: usize) -> Self {
        let mut sum = Self::default();
        let mut first = self.changes.into_iter().filter(|(id, _)| (id.0 as usize) < n_objects).peekable();
        let mut second = next.changes.into_iter().peekable();
        loop {
            let order = match (first.peek(), second.peek()) {
                (Some((a, _)), Some((b, _))) => a.cmp(b),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return sum,
            };
            // Where both have an object, the later one counts.
            let earlier = if order == Ordering::Greater { None } else { first.next() };
            let later = if order == Ordering::Less { None } else { second.next() };
            if let Some((id, object)) = later.or(earlier) {
                sum.push(id, object);
            }
        }
    }
}
