//! The difference between two versions of memory.

use super::history::Newcomers;
use super::object::{Life, NEVER, Object, ObjectId};
use super::pages::Pages;
use super::shadow::Shadow;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

/// What to put where in one version to get another: the objects that differ, as they are in the other one. Objects that it
/// does not have are not listed.
#[derive(Debug, Default)]
pub(super) struct Delta {
    /// By number, each once; in any order while it is being recorded.
    changes: Vec<(ObjectId, Change)>,
    /// The memory that it takes.
    footprint: u64,
}

#[derive(Debug)]
pub(super) enum Change {
    /// Another object is there, or none, or it differs a lot.
    Whole(Object),
    /// The same live object has other content.
    Pages(Pages),
}

impl Change {
    pub fn whole(mut object: Object) -> Self {
        object.epoch = NEVER;
        Self::Whole(object)
    }

    fn footprint(&self) -> u64 {
        size_of::<(ObjectId, Self)>() as u64
            + match self {
                Self::Whole(object) => object.footprint(),
                Self::Pages(pages) => pages.footprint(),
            }
    }

    /// What bytes carry that are not plain; more than that if the object is kept whole.
    fn shadow(&self) -> Option<&Shadow> {
        match self {
            Self::Whole(object) => object.shadow.as_deref(),
            Self::Pages(pages) => pages.shadow(),
        }
    }

    /// Both changes of one object at once, this one first.
    fn then(self, next: Self) -> Self {
        match (self, next) {
            (Self::Whole(mut object), Self::Pages(mut pages)) => {
                pages.swap(&mut object);
                Self::Whole(object)
            }
            (Self::Pages(first), Self::Pages(second)) => Self::Pages(first.then(second)),
            (_, whole) => whole,
        }
    }
}

impl Delta {
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    pub fn footprint(&self) -> u64 {
        self.footprint
    }

    pub fn shadows(&self) -> impl Iterator<Item = &Shadow> {
        self.changes.iter().filter_map(|(_, change)| change.shadow())
    }

    /// The objects that are listed.
    pub fn ids(&self) -> impl Iterator<Item = ObjectId> {
        self.changes.iter().map(|&(id, _)| id)
    }

    /// The objects that are listed whole.
    pub fn wholes(&self) -> impl Iterator<Item = ObjectId> {
        self.changes.iter().filter(|(_, change)| matches!(change, Change::Whole(_))).map(|&(id, _)| id)
    }

    /// The changes by pages, and where they are.
    pub fn paged(&self) -> impl Iterator<Item = (usize, ObjectId)> {
        let all = self.changes.iter().enumerate();
        all.filter(|(_, (_, change))| matches!(change, Change::Pages(_))).map(|(idx, &(id, _))| (idx, id))
    }

    pub fn push(&mut self, id: ObjectId, change: Change) {
        self.footprint += change.footprint();
        self.changes.push((id, change));
    }

    pub fn get_mut(&mut self, idx: usize) -> (ObjectId, &mut Change) {
        let (id, change) = &mut self.changes[idx];
        (*id, change)
    }

    pub fn update(&mut self, idx: usize, update: impl FnOnce(&mut Change)) {
        let change = &mut self.changes[idx].1;
        self.footprint -= change.footprint();
        update(change);
        self.footprint += change.footprint();
    }

    /// Whether nothing that lives differs from what is listed, but for newcomers.
    pub fn is_undone(&self, objects: &[Object], newcomers: Newcomers) -> bool {
        self.changes.iter().all(|(id, change)| match (change, objects.get(id.0 as usize)) {
            (Change::Whole(object), Some(now)) if object.life == Life::Dead && newcomers.allow(now) => true,
            (Change::Whole(object), Some(now)) => object.holds_the_same(now),
            (Change::Pages(pages), Some(now)) => pages.agree_with(now),
            (_, None) => false,
        })
    }

    /// The bytes of live objects that differ from what is listed, or carry something else. Nothing if an object has come,
    /// gone or changed its size, or is a large one; newcomers may have come.
    pub fn differences(&self, objects: &[Object], newcomers: Newcomers) -> Option<Vec<(ObjectId, usize)>> {
        let size_of = |object: &Object| (object.base, object.size, object.full_size);
        let mut found = Vec::new();
        for (id, change) in &self.changes {
            let Change::Whole(before) = change else { return None };
            let now = objects.get(id.0 as usize)?;
            match (before.life, now.life) {
                (Life::Dead, Life::Dead) => continue,
                (Life::Dead, Life::Live) if newcomers.allow(now) => continue,
                // A size that was open may have been settled.
                (Life::Live, Life::Live) if size_of(before) == size_of(now) => {}
                _ => return None,
            }
            let known = |object: &Object, at: usize| {
                let is_plain = object.plain_bits().get(at);
                (object.data()[at], (!is_plain).then(|| object.shadow_at(at)))
            };
            let differs = |&at: &usize| known(before, at) != known(now, at);
            found.extend((0..before.data().len()).filter(differs).map(|at| (*id, at)));
        }
        Some(found)
    }

    /// After the last change.
    pub fn close(&mut self) {
        self.changes.sort_unstable_by_key(|&(id, _)| id);
    }

    /// Changes a table of objects into one of `n_objects`, and adds to `symbolic` as need be. Returns the way back.
    pub fn apply(mut self, objects: &mut Vec<Object>, n_objects: usize, symbolic: &mut FxHashSet<ObjectId>) -> Self {
        let mut inverse = Self::default();
        let surplus = objects.split_off(n_objects.min(objects.len()));
        self.put_into(objects, symbolic, |id, change| inverse.push(id, change));
        (n_objects as u32..).map(ObjectId).zip(surplus).for_each(|(id, old)| inverse.push(id, Change::whole(old)));
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
        mut undo: impl FnMut(ObjectId, Change),
    ) {
        for (id, change) in self.changes.drain(..) {
            if change.shadow().is_some_and(Shadow::has_exprs) {
                symbolic.insert(id);
            }
            match (objects.get_mut(id.0 as usize), change) {
                (Some(slot), Change::Whole(object)) => undo(id, Change::whole(std::mem::replace(slot, object))),
                (Some(slot), Change::Pages(mut pages)) => {
                    pages.swap(slot);
                    undo(id, Change::Pages(pages));
                }
                (None, Change::Whole(object)) => {
                    debug_assert!(objects.len() == id.0 as usize, "every object that is missing is listed");
                    objects.push(object);
                }
                (None, Change::Pages(_)) => unreachable!("an object that differs in pages is in both versions"),
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
            let earlier = if order == Ordering::Greater { None } else { first.next() };
            let later = if order == Ordering::Less { None } else { second.next() };
            match (earlier, later) {
                (Some((id, earlier)), Some((_, later))) => sum.push(id, earlier.then(later)),
                (Some((id, change)), None) | (None, Some((id, change))) => sum.push(id, change),
                (None, None) => unreachable!("one of them comes next"),
            }
        }
    }
}
