//! Numbers of dead objects, in the order of their deaths.

use super::object::{Object, ObjectId};

/// A queue whose links are in the dead objects themselves: so versions of memory keep it with them, and a copy of this is
/// all of it that is apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Graveyard {
    oldest: ObjectId,
    /// The one after, if there is one: known before it is needed, so that nobody waits for its link.
    second: ObjectId,
    newest: ObjectId,
    len: usize,
}

impl Default for Graveyard {
    fn default() -> Self {
        Self { oldest: ObjectId(0), second: ObjectId(0), newest: ObjectId(0), len: 0 }
    }
}

impl Graveyard {
    pub fn len(&self) -> usize {
        self.len
    }

    /// Takes in a dead object. Returns the one before it, whose link must be set to it.
    #[must_use]
    pub fn bury(&mut self, id: ObjectId) -> Option<ObjectId> {
        match self.len {
            0 => self.oldest = id,
            1 => self.second = id,
            _ => {}
        }
        let before = (self.len > 0).then_some(self.newest);
        self.newest = id;
        self.len += 1;
        before
    }

    /// Hands out the object that has been dead for the longest time.
    pub fn exhume(&mut self, objects: &[Object]) -> Option<ObjectId> {
        if self.len == 0 {
            return None;
        }
        let id = self.oldest;
        self.oldest = self.second;
        self.second = objects[self.second.0 as usize].link;
        self.len -= 1;
        Some(id)
    }
}
