//! What has changed since the last version, while it is being recorded.

use super::delta::{Change, Delta};
use super::object::{Life, Object, ObjectId};
use super::pages::{LARGE, Pages};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// From the current state to the last version.
#[derive(Debug, Default)]
pub(super) struct Log {
    delta: Delta,
    /// Large objects of which only pages are kept so far.
    paged: FxHashMap<ObjectId, Paged>,
}

#[derive(Clone, Copy, Debug)]
struct Paged {
    /// Where its change is.
    idx: usize,
    n_writes: u32,
}

/// How much of an object is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kept {
    Pages,
    Whole,
}

impl Log {
    /// Goes on with a difference whose target is the last version now.
    pub fn resume(delta: Delta) -> Self {
        let paged = delta.paged().map(|(idx, id)| (id, Paged { idx, n_writes: 0 })).collect();
        Self { delta, paged }
    }

    pub fn delta(&self) -> &Delta {
        &self.delta
    }

    pub fn into_delta(self) -> Delta {
        self.delta
    }

    /// Keeps an object as it was. The second time only if pages of it were kept before.
    pub fn keep(&mut self, id: ObjectId, mut object: Object) {
        match self.paged.remove(&id) {
            Some(paged) => self.delta.update(paged.idx, |change| {
                if let Change::Pages(pages) = change {
                    pages.swap(&mut object);
                }
                *change = Change::whole(object);
            }),
            None => self.delta.push(id, Change::whole(object)),
        }
    }

    /// Keeps what a write to a range of an object will change, and perhaps more.
    pub fn keep_range(&mut self, id: ObjectId, object: &Object, range: Range<u64>) -> Kept {
        if object.full_size < LARGE {
            self.keep(id, object.duplicate());
            return Kept::Whole;
        }
        let delta = &mut self.delta;
        let paged = self.paged.entry(id).or_insert_with(|| {
            delta.push(id, Change::Pages(Pages::of(object)));
            Paged { idx: delta.len() - 1, n_writes: 0 }
        });
        paged.n_writes += 1;
        // Each write to such an object takes longer, as long as not all of it is kept: after so many, a copy would have
        // been cheaper.
        let max_writes = object.full_size >> 9;
        let max_len = u64::from(object.full_size / 4);
        if paged.n_writes > max_writes || range.end - range.start > max_len {
            self.keep(id, object.duplicate());
            return Kept::Whole;
        }
        delta.update(paged.idx, |change| {
            if let Change::Pages(pages) = change {
                pages.keep(object, range);
            }
        });
        Kept::Pages
    }

    /// The difference, after the last change. Of large objects that are still there, only what differs is left.
    pub fn close(self, objects: &[Object]) -> Delta {
        let mut delta = self.delta;
        for idx in 0..delta.len() {
            let (id, Change::Whole(before)) = delta.get_mut(idx) else { continue };
            if let Some(now) = objects.get(id.0 as usize)
                && before.full_size >= LARGE
                && is_same(before, now)
                && let Some(pages) = Pages::difference(before, now)
            {
                delta.update(idx, |change| *change = Change::Pages(pages));
            }
        }
        delta.close();
        delta
    }
}

/// Whether two live objects can differ only in what they hold.
fn is_same(a: &Object, b: &Object) -> bool {
    let facts = |it: &Object| (it.base, it.size, it.full_size, it.kind, it.born);
    a.life == Life::Live && b.life == Life::Live && facts(a) == facts(b)
}
