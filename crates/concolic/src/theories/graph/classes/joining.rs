//! How classes become one, and what follows from that.

use super::{Classes, Conflict, Field, Home, NULL};
use crate::graph::heap::{Heap, NodeId};
use crate::theories::graph::terms::Terms;
use smallvec::SmallVec;

impl Classes {
    pub(super) fn set_unlike(&mut self, a: u32, b: u32, shift: i64) -> Result<(), Conflict> {
        let ((root_a, a_shift), (root_b, b_shift)) = (self.find(a), self.find(b));
        if root_a == root_b {
            return if a_shift - b_shift == shift { Err(Conflict) } else { Ok(()) };
        }
        self.classes[root_a as usize].unlike.push((b, a_shift - shift));
        // Of null it would be a list of almost all pointers, and each of them knows.
        if root_b != NULL {
            self.classes[root_b as usize].unlike.push((a, b_shift + shift));
        }
        Ok(())
    }

    /// A pointer leads somewhere: if to nothing that is known, then into an object of its own.
    pub(super) fn settle(&mut self, heap: &Heap, pointer: u32) {
        let (root, _) = self.find(pointer);
        let class = &mut self.classes[root as usize];
        if let (None, Some(node)) = (class.home, class.own) {
            class.home = Some(Home { node, start: -i64::from(heap.node(node).at()) });
        }
    }

    pub(super) fn unite(&mut self, heap: &Heap, terms: &Terms, a: u32, b: u32, shift: i64) -> Result<(), Conflict> {
        self.waiting.push((a, b, shift));
        self.unite_waiting(heap, terms)
    }

    pub(super) fn unite_waiting(&mut self, heap: &Heap, terms: &Terms) -> Result<(), Conflict> {
        while let Some((a, b, shift)) = self.waiting.pop() {
            let ((a, a_shift), (b, b_shift)) = (self.find(a), self.find(b));
            let distance = a_shift - b_shift - shift;
            match a.cmp(&b) {
                std::cmp::Ordering::Equal if distance != 0 => return Err(Conflict),
                std::cmp::Ordering::Equal => {}
                std::cmp::Ordering::Less => self.join(heap, terms, a, b, distance)?,
                std::cmp::Ordering::Greater => self.join(heap, terms, b, a, -distance)?,
            }
        }
        Ok(())
    }

    /// Makes a class part of another, whose first pointer it is so many bytes above.
    fn join(&mut self, heap: &Heap, terms: &Terms, root: u32, child: u32, distance: i64) -> Result<(), Conflict> {
        let joined = std::mem::take(&mut self.classes[child as usize]);
        if let (Some(a), Some(b)) = (self.class(root).home, joined.home) {
            self.join_holders(heap, terms, a.node, b.node)?;
        }
        let home = match root {
            NULL if distance != 0 || joined.is_spread => return Err(Conflict),
            NULL => None,
            _ => match (self.class(root).home, joined.home) {
                (home, None) => home,
                (None, Some(home)) => Some(Home { start: home.start + distance, ..home }),
                (first, second) => Some(common_home(heap, first, second, distance).ok_or(Conflict)?),
            },
        };
        self.members[child as usize].parent = root;
        self.members[child as usize].shift = distance;
        let class = &mut self.classes[root as usize];
        class.home = home;
        class.n_members += joined.n_members;
        class.is_spread |= joined.is_spread || distance != 0;
        class.unlike.extend(joined.unlike.iter().map(|&(member, at)| (member, at + distance)));
        let is_same = |&(member, at): &(u32, i64)| self.find(member) == (root, at);
        if self.class(root).unlike.iter().any(is_same) {
            return Err(Conflict);
        }
        if root != NULL {
            for &field in &joined.fields {
                self.put_field(terms, root, Field { at: field.at + distance, ..field })?;
            }
        }
        Ok(())
    }

    /// Two objects are the same. If only one pointer leads to each of them, these are one, and so are the objects that have
    /// them.
    fn join_holders(&mut self, heap: &Heap, terms: &Terms, a: NodeId, b: NodeId) -> Result<(), Conflict> {
        let Some([(a, at_a), (b, at_b)]) = heap.holders(a, b).filter(|_| a != b) else { return Ok(()) };
        let number = |node: NodeId| terms.pointer_to(node).and_then(|var| self.number(var));
        let (a, b) = number(a).zip(number(b)).ok_or(Conflict)?;
        self.waiting.push((a, b, i64::from(at_b) - i64::from(at_a)));
        Ok(())
    }

    /// Adds what is found somewhere. If something is known to be there, it is the same, as far as both go.
    pub(super) fn put_field(&mut self, terms: &Terms, root: u32, field: Field) -> Result<(), Conflict> {
        let fields = &self.classes[root as usize].fields;
        let known: SmallVec<[Field; 4]> =
            fields.iter().filter(|known| known.common(&field).is_some()).copied().collect();
        let is_place = |known: &Field| (known.at, known.n_bytes) == (field.at, field.n_bytes);
        if !known.iter().any(is_place) {
            self.classes[root as usize].fields.push(field);
        }
        for known in known.into_iter().filter(|known| known.var != field.var) {
            match (self.number(known.var), self.number(field.var)) {
                (Some(a), Some(b)) if is_place(&known) => self.waiting.push((a, b, 0)),
                // What is a pointer for one and a number for the other is nothing that both can lead to.
                _ if terms.is_pointer(known.var) || terms.is_pointer(field.var) => {
                    if is_place(&known) {
                        return Err(Conflict);
                    }
                }
                _ => self.contents.extend(known.common(&field)),
            }
        }
        Ok(())
    }
}

/// The object of two that the other is part of if the second class's first pointer is so many bytes above the first one's.
pub(super) fn common_home(heap: &Heap, first: Option<Home>, second: Option<Home>, distance: i64) -> Option<Home> {
    let first = first?;
    let second = second.map(|home| Home { start: home.start + distance, ..home })?;
    let above = second.start - first.start;
    if heap.is_part(second.node, first.node, above) {
        return Some(first);
    }
    heap.is_part(first.node, second.node, -above).then_some(second)
}
