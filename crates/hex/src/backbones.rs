//! Whether rules hold on every backbone, not only on the one that a run has made (Definition 3.4 of the HEX paper).
//!
//! A refusal on one backbone is right for all; an acceptance is not: `a aliases nothing` lets `b` share the node of `a` if `a` is met first. So the
//! decided part of a heap is visited in all other ways, each checked by the same means: a choice of the reference that expands each
//! object gives a spanning tree, if no object expands itself.

use crate::heap::{Choice, Heap, ObjIx, Spot};
use crate::spec::RuleId;

/// Why a heap is not known to satisfy the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Violation {
    /// Another way to visit it breaks a rule at this reference.
    Rule { rule: RuleId, object: ObjIx, reference: usize },
    /// The budget was too small to visit it in all ways.
    Unchecked,
}

type Reference = (ObjIx, usize);

impl Heap {
    /// Checks all backbones of what is decided, in at most `budget` steps.
    pub fn check_backbones(&self, budget: usize) -> Result<(), Violation> {
        if self.spec.blocks.is_empty() {
            return Ok(());
        }
        let is_final = |found: &Result<(), Violation>| *found != Err(Violation::Unchecked);
        self.spec.memo.backbones.get(&self.made, || self.find_violation(budget), is_final)
    }

    fn find_violation(&self, budget: usize) -> Result<(), Violation> {
        let mut incoming: Vec<Vec<Reference>> = vec![Vec::new(); self.n_objects()];
        for object in self.objects() {
            for reference in 0..self.object(object).decided.len() {
                if let Some(place) = self.target(object, reference)
                    && self.may_expand(object, reference, place)
                {
                    incoming[place.object.0 as usize].push((object, reference));
                }
            }
        }
        let is_plain = |o: ObjIx| self.holder(o).is_none() || incoming[o.0 as usize].len() == 1;
        if self.objects().all(is_plain) {
            return Ok(());
        }
        let mut trees = Trees { heap: self, incoming, holders: vec![None; self.n_objects()], budget };
        trees.extend(0)
    }

    /// Whether a visit could come to a place by this reference first.
    fn may_expand(&self, object: ObjIx, reference: usize, place: Spot) -> bool {
        let to = (self.type_of(place.object), place.part);
        self.spec.expansions.of(&self.spec.types, self.type_of(object), reference).contains(&to)
    }
}

struct Trees<'a> {
    heap: &'a Heap,
    /// By object: what could expand it.
    incoming: Vec<Vec<Reference>>,
    /// By object: what does, in the tree at hand.
    holders: Vec<Option<Reference>>,
    budget: usize,
}

impl Trees<'_> {
    /// Chooses what expands each object from number `next` on, and checks each tree.
    fn extend(&mut self, next: usize) -> Result<(), Violation> {
        if next == self.holders.len() {
            return self.check();
        }
        if self.heap.holder(ObjIx(next as u32)).is_none() {
            return self.extend(next + 1);
        }
        for i in 0..self.incoming[next].len() {
            self.spend(1)?;
            self.holders[next] = Some(self.incoming[next][i]);
            let above = std::iter::successors(self.holders[next], |(o, _)| self.holders[o.0 as usize])
                .map(|(o, _)| o.0 as usize);
            // A cycle that closes here goes through this object: the walk up ends at a root, at an object without a choice, or here.
            if above.take(self.holders.len()).all(|o| o != next) {
                self.extend(next + 1)?;
            }
        }
        self.holders[next] = None;
        Ok(())
    }

    fn spend(&mut self, steps: usize) -> Result<(), Violation> {
        self.budget = self.budget.checked_sub(steps).ok_or(Violation::Unchecked)?;
        Ok(())
    }

    /// Visits the heap along the tree: expansions first, then everything else.
    fn check(&mut self) -> Result<(), Violation> {
        let from = self.heap;
        if from.objects().all(|o| from.holder(o) == self.holders[o.0 as usize]) {
            return Ok(());
        }
        let mut to = Heap::new(&from.spec);
        let mut new_of: Vec<Option<ObjIx>> = vec![None; from.n_objects()];
        let mut order: Vec<ObjIx> = from.objects().filter(|o| from.holder(*o).is_none()).collect();
        for &root in &order {
            let number = from.object(root).root.expect("what nothing expands is an input");
            let is_there = number < from.n_roots();
            new_of[root.0 as usize] = Some(if is_there { ObjIx(number as u32) } else { to.add_result(number) });
        }
        for is_late in [false, true] {
            let mut at = 0;
            while at < order.len() {
                let object = order[at];
                at += 1;
                for reference in 0..from.object(object).decided.len() {
                    let Some(decision) = from.object(object).decided[reference] else { continue };
                    let expands =
                        decision.target.filter(|t| self.holders[t.object.0 as usize] == Some((object, reference)));
                    if expands.is_some() == is_late {
                        continue;
                    }
                    self.spend(1)?;
                    let choice = match (expands, decision.target) {
                        (Some(t), _) => Choice::Expand { ty: from.type_of(t.object), part: t.part },
                        (None, None) => Choice::Null,
                        (None, Some(t)) => {
                            let object = new_of[t.object.0 as usize].expect("a tree has all objects");
                            Choice::Alias { object, part: t.part }
                        }
                    };
                    let here = new_of[object.0 as usize].expect("visited objects are made");
                    to.check(here, reference, choice).map_err(|rule| Violation::Rule { rule, object, reference })?;
                    if let (Some(made), Some(t)) = (to.decide(here, reference, choice), expands) {
                        new_of[t.object.0 as usize] = Some(made);
                        order.push(t.object);
                    }
                }
            }
        }
        // Rules that need something broken can only be asked when nothing is left to be decided.
        match to.undecided().next() {
            None if order.len() == from.n_objects() => match to.unmet() {
                Some(rule) => Err(Violation::Rule { rule, object: ObjIx(0), reference: 0 }),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}
