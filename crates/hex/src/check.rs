//! Whether rules allow a choice, from the reference alone (Theorem 3.6 of the HEX paper, for clauses of atoms), and `aliases max` exactly.
//!
//! A choice breaks atoms, for good; it is refused if a clause has no atom left. An alias that `aliases max` allows today is wrong if a longer path is
//! found tomorrow: the alias *closes* the place, and the expansion that would make the longer path breaks the atom then. The
//! paper checks this once only, and accepts invalid heaps. Paths to null do not count as longer ones: a list that ends has an end.

use crate::automata::{DEAD, State};
use crate::heap::{Choice, Heap, Instance, ObjIx, Spot};
use crate::spec::{Block, PathRef, RuleId, Verb, bits};
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// Atoms that a choice breaks, by instance.
pub(crate) type Broken = SmallVec<[(u32, u64); 4]>;

impl Heap {
    /// Whether rules allow a choice; else the rule that refuses it. The cost does not depend on the size of the heap, but
    /// for `aliases max`, where it is constant on average over a run.
    pub fn check(&self, object: ObjIx, reference: usize, choice: Choice) -> Result<(), RuleId> {
        for (instance, atoms) in self.breaks(object, reference, choice) {
            let Instance { block, broken, .. } = self.instances[instance as usize];
            if let Some(rule) = self.spec.blocks[block as usize].violated(broken, atoms) {
                return Err(rule);
            }
        }
        Ok(())
    }

    pub(crate) fn block(&self, instance: u32) -> &Block {
        &self.spec.blocks[self.instances[instance as usize].block as usize]
    }

    /// The states of the holder's threads after the reference, dead ones left out.
    pub(crate) fn states_at(&self, object: ObjIx, reference: usize) -> impl Iterator<Item = (u32, State)> + '_ {
        let holder = self.object(object);
        let layout = &self.spec.layouts[holder.ty.0 as usize];
        holder.threads.iter().filter_map(move |t| {
            let letters = layout.to_ref(t.at, reference)?;
            let state = self.block(t.instance).dfa.walk(t.state, letters);
            (state != DEAD).then_some((t.instance, state))
        })
    }

    /// Whether an expression accepts the path of a place: for an instance's own block, from where that begins; else from the roots.
    pub(crate) fn accepts(&self, instance: u32, path: PathRef, place: Spot) -> bool {
        let instance = self.instance_of(instance, path);
        let object = self.object(place.object);
        let layout = &self.spec.layouts[object.ty.0 as usize];
        let dfa = &self.spec.blocks[path.block as usize].dfa;
        object.threads.iter().filter(|t| t.instance == instance).any(|t| {
            let letters = layout.to_part(t.at, place.part);
            letters.is_some_and(|l| dfa.accepts(dfa.walk(t.state, l)) & 1 << path.path != 0)
        })
    }

    /// The instance whose expression `path` is, for an atom of `instance`.
    fn instance_of(&self, instance: u32, path: PathRef) -> u32 {
        let is_own = self.instances[instance as usize].block == path.block;
        if is_own { instance } else { self.root_instances[path.block as usize] }
    }

    /// The atoms that a choice breaks, beside those that are broken.
    pub(crate) fn breaks(&self, object: ObjIx, reference: usize, choice: Choice) -> Broken {
        let mut broken = Broken::new();
        for (instance, state) in self.states_at(object, reference) {
            let block = self.block(instance);
            let atoms = block.subjects(state);
            let breaks = match choice {
                Choice::Null => atoms & block.on_null,
                Choice::Expand { ty, part } => {
                    let is_broken = |a: &usize| match &block.atoms[*a].verb {
                        Verb::ExpandsTo(places) => !places.contains(&(ty, part)),
                        _ => false,
                    };
                    bits(atoms & block.on_expand).filter(is_broken).fold(0, |all, a| all | 1 << a)
                }
                Choice::Alias { object, part } => {
                    let place = Spot { object, part };
                    let is_broken = |a: &usize| !self.may_alias(instance, &block.atoms[*a].verb, place);
                    bits(atoms & block.on_alias).filter(is_broken).fold(0, |all, a| all | 1 << a)
                }
            };
            self.note_broken(&mut broken, instance, breaks);
        }
        if let Choice::Expand { ty, part } = choice {
            for (instance, state) in self.states_at(object, reference) {
                let block = self.block(instance);
                if block.max_paths != 0 {
                    let layout = &self.spec.layouts[ty.0 as usize];
                    let inside = (0..layout.parts.len()).filter_map(|p| layout.to_part(part, Some(p as u16)));
                    let accepts = |letters| block.dfa.accepts(block.dfa.walk(state, letters));
                    let paths = inside.map(accepts).fold(block.dfa.accepts(state), |all, a| all | a);
                    self.break_closed(&mut broken, instance, paths & block.max_paths, object, reference);
                }
            }
        }
        broken
    }

    fn note_broken(&self, broken: &mut Broken, instance: u32, atoms: u64) {
        let atoms = atoms & !self.instances[instance as usize].broken;
        match broken.iter_mut().find(|(i, _)| *i == instance) {
            _ if atoms == 0 => {}
            Some((_, all)) => *all |= atoms,
            None => broken.push((instance, atoms)),
        }
    }

    fn may_alias(&self, instance: u32, verb: &Verb, place: Spot) -> bool {
        match verb {
            Verb::NotNull | Verb::ExpandsTo(_) => true,
            Verb::AliasesNothing => false,
            Verb::AliasesSome(ty) => {
                let object = self.type_of(place.object);
                crate::resolve::type_of((object, place.part), &self.spec.types) == *ty
            }
            Verb::Aliases(path) => self.accepts(instance, *path, place),
            Verb::AliasesMax(path) => {
                let mark = self.marks.get(&(self.instance_of(instance, *path), path.path, place));
                self.accepts(instance, *path, place) && !mark.is_some_and(|m| m.has_below)
            }
        }
    }

    /// An expansion of a reference makes longer paths for expressions `paths` of an instance.
    fn break_closed(&self, broken: &mut Broken, instance: u32, paths: u64, object: ObjIx, reference: usize) {
        for path in bits(paths) {
            self.for_prefixes(instance, object, reference, |place| {
                let Some(mark) = self.marks.get(&(instance, path as u8, place)) else {
                    return ControlFlow::Continue(());
                };
                for (instance, atom) in &mark.closed_by {
                    self.note_broken(broken, *instance, 1 << atom);
                }
                // What is above was broken when this was marked.
                if mark.has_below { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        }
    }

    /// The places on the way to a reference from where an instance begins, the longest path first.
    fn for_prefixes(&self, instance: u32, object: ObjIx, reference: usize, mut f: impl FnMut(Spot) -> ControlFlow<()>) {
        let (mut object, mut reference) = (object, reference);
        let begins = self.instances[instance as usize].begins;
        loop {
            let of = self.object(object);
            let layout = &self.spec.layouts[of.ty.0 as usize];
            let covers = |t: &&crate::heap::Thread| t.instance == instance && layout.to_ref(t.at, reference).is_some();
            let Some(thread) = of.threads.iter().find(covers) else { return };
            let inside = layout.refs[reference].around.iter().map(|p| Some(*p));
            for part in
                inside.filter(|p| layout.to_part(thread.at, *p).is_some()).chain(thread.at.is_none().then_some(None))
            {
                let place = Spot { object, part };
                if f(place).is_break() || begins == Some(place) {
                    return;
                }
            }
            match of.holder {
                Some(holder) => (object, reference) = holder,
                None => return,
            }
        }
    }

    /// A new object is there: its places lengthen the paths of those before.
    pub(crate) fn mark_below(&mut self, object: ObjIx) {
        let mut new: Vec<(u32, u8, Spot)> = Vec::new();
        let of = self.object(object);
        let layout = &self.spec.layouts[of.ty.0 as usize];
        for thread in &of.threads {
            let block = self.block(thread.instance);
            if block.max_paths == 0 {
                continue;
            }
            let mut above = block.dfa.accepts(thread.state) & block.max_paths;
            for part in 0..layout.parts.len() {
                let Some(letters) = layout.to_part(thread.at, Some(part as u16)) else { continue };
                let paths = block.dfa.accepts(block.dfa.walk(thread.state, letters)) & block.max_paths;
                let around = layout.parts[part].around.iter().map(|p| Some(*p)).chain([None]);
                for prefix in
                    around.filter(|p| layout.to_part(thread.at, *p).is_some() && thread.at != Some(part as u16))
                {
                    new.extend(bits(paths).map(|p| (thread.instance, p as u8, Spot { object, part: prefix })));
                }
                above |= paths;
            }
            let Some((holder, reference)) = of.holder else { continue };
            if self.instances[thread.instance as usize].begins == Some(Spot { object, part: thread.at }) {
                continue;
            }
            for path in bits(above) {
                self.for_prefixes(thread.instance, holder, reference, |place| {
                    let key = (thread.instance, path as u8, place);
                    let is_known = self.marks.get(&key).is_some_and(|m| m.has_below);
                    new.push(key);
                    if is_known { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
            }
        }
        for key in new {
            self.marks.entry(key).or_default().has_below = true;
        }
    }

    /// An alias was decided: atoms with `max` hold as long as no longer path is found.
    pub(crate) fn close(&mut self, object: ObjIx, reference: usize, target: Spot) {
        let mut new = Vec::new();
        for (instance, state) in self.states_at(object, reference) {
            let block = self.block(instance);
            let broken = self.instances[instance as usize].broken;
            for atom in bits(block.subjects(state) & block.on_alias & !broken) {
                if let Verb::AliasesMax(path) = block.atoms[atom].verb {
                    new.push(((self.instance_of(instance, path), path.path, target), (instance, atom as u8)));
                }
            }
        }
        for (key, closer) in new {
            self.marks.entry(key).or_default().closed_by.push(closer);
        }
    }
}
