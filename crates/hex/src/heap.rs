//! The partial heap of one run: the inputs, and what was decided of their pointers so far.
//!
//! Expansions make a tree, the *backbone*; the path of an object is the way to it in that tree. An object keeps, for each block whose expressions can still
//! accept something from there, a *thread*: the automaton's state at the object. A reference is checked by one step of each thread of its
//! holder, whatever the size of the heap ([`check`](Heap::check) is in `check.rs`).
//!
//! *Invariant:* a heap is a function of the decisions made, in their order. *Invariant:* what is broken stays broken.

use crate::automata::{CONTAINER, DEAD, START, State};
use crate::memo::Made;
use crate::resolve::{TypePlace, type_of};
use crate::spec::{Arg, CompanionId, Spec, Verb, bits};
use crate::types::{RootKind, Step, TypeId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// An object's number: inputs first, then objects in the order of their expansion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjIx(pub u32);

/// What a pointer can point to: an object, or a record in it (an index into [`Type::parts`](crate::Type::parts)).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot {
    pub object: ObjIx,
    pub part: Option<u16>,
}

/// What a pointer is decided to be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Choice {
    Null,
    /// A pointer to an object that is there already.
    Alias {
        object: ObjIx,
        part: Option<u16>,
    },
    /// A pointer to a new object of this type, or to a part of it.
    Expand {
        ty: TypeId,
        part: Option<u16>,
    },
}

#[derive(Clone, Debug)]
pub struct Heap {
    pub(crate) spec: Arc<Spec>,
    pub(crate) objects: Vec<Object>,
    pub(crate) instances: Vec<Instance>,
    /// The instances of blocks from the roots, by block.
    pub(crate) root_instances: Vec<u32>,
    pub(crate) made: Vec<Made>,
    /// Where pointers can point to, by type.
    places: Vec<Vec<Spot>>,
    /// What `aliases max` has to remember, by expression and place.
    pub(crate) marks: FxHashMap<(u32, u8, Spot), Mark>,
}

#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub ty: TypeId,
    /// The input that it is, by number.
    pub root: Option<usize>,
    /// The reference that expanded it.
    pub holder: Option<(ObjIx, usize)>,
    pub threads: SmallVec<[Thread; 2]>,
    pub decided: SmallVec<[Option<Decision>; 4]>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    pub choice: Choice,
    pub target: Option<Spot>,
}

/// The state of an instance's automaton at a place of an object: at its start, or at the part where the instance begins or was led to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thread {
    pub instance: u32,
    pub at: Option<u16>,
    pub state: State,
}

/// A block at one place where it begins: the roots, or some object of the type of its `in`.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub block: u16,
    /// `None`: the roots.
    pub begins: Option<Spot>,
    pub broken: u64,
}

/// What is known of a place for an expression behind `aliases max`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mark {
    /// A longer path that the expression accepts goes through here.
    pub has_below: bool,
    /// The atoms that hold only as long as none does: (instance, atom).
    pub closed_by: SmallVec<[(u32, u8); 1]>,
}

/// What a companion's argument is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The value of this pointer.
    Reference(ObjIx, usize),
    /// The address of this place.
    Spot(Spot),
}

impl Heap {
    /// Nothing decided. The objects are the inputs, in the order of [`Types::roots`](crate::Types::roots), without results.
    pub fn new(spec: &Arc<Spec>) -> Heap {
        let n_types = spec.types.types.len();
        let mut heap = Heap {
            spec: spec.clone(),
            objects: vec![],
            instances: vec![],
            root_instances: vec![u32::MAX; spec.blocks.len()],
            made: vec![],
            places: vec![vec![]; n_types],
            marks: FxHashMap::default(),
        };
        for (i, _) in spec.blocks.iter().enumerate().filter(|(_, b)| b.anchor.is_none()) {
            heap.root_instances[i] = heap.instances.len() as u32;
            heap.instances.push(Instance { block: i as u16, begins: None, broken: 0 });
        }
        (0..heap.n_roots()).for_each(|root| _ = heap.add_root(root));
        heap
    }

    /// Adds an object for one more result, by the number of its root.
    pub fn add_result(&mut self, root: usize) -> ObjIx {
        debug_assert!(self.spec.types.roots[root].kind == RootKind::Result, "others are there from the start");
        self.made.push(Made::Result(root));
        self.add_root(root)
    }

    fn add_root(&mut self, root: usize) -> ObjIx {
        let (spec, letter) = (&self.spec, self.spec.root_letters[root]);
        let of = |&instance: &u32| {
            let dfa = &spec.blocks[self.instances[instance as usize].block as usize].dfa;
            Thread { instance, at: None, state: dfa.step(START, letter) }
        };
        let from_roots = self.root_instances.iter().filter(|instance| **instance != u32::MAX);
        let threads = from_roots.map(of).filter(|t| t.state != DEAD).collect();
        let made = self.push(spec.types.roots[root].ty, None, threads);
        self.objects[made.0 as usize].root = Some(root);
        made
    }

    pub fn spec(&self) -> &Arc<Spec> {
        &self.spec
    }

    pub fn n_objects(&self) -> usize {
        self.objects.len()
    }

    /// How many inputs there are from the start.
    pub fn n_roots(&self) -> usize {
        self.spec.types.roots.iter().filter(|root| root.kind != RootKind::Result).count()
    }

    pub fn objects(&self) -> impl Iterator<Item = ObjIx> + use<> {
        (0..self.objects.len() as u32).map(ObjIx)
    }

    pub fn type_of(&self, object: ObjIx) -> TypeId {
        self.object(object).ty
    }

    /// The reference that expanded an object; inputs have none.
    pub fn holder(&self, object: ObjIx) -> Option<(ObjIx, usize)> {
        self.object(object).holder
    }

    pub fn decided(&self, object: ObjIx, reference: usize) -> Option<Choice> {
        self.object(object).decided[reference].map(|d| d.choice)
    }

    /// Where a decided reference points to; `None` for null.
    pub fn target(&self, object: ObjIx, reference: usize) -> Option<Spot> {
        self.object(object).decided[reference].and_then(|d| d.target)
    }

    /// References that are to be decided lazily and are not yet, objects in order.
    pub fn undecided(&self) -> impl Iterator<Item = (ObjIx, usize)> + '_ {
        self.objects().flat_map(move |o| {
            let object = self.object(o);
            let is_open = move |r: &usize| object.decided[*r].is_none() && self.spec.is_lazy(object.ty, *r);
            (0..object.decided.len()).filter(is_open).map(move |r| (o, r))
        })
    }

    /// All alternatives that the types allow: null, each place so far, what it may expand to. Rules may refuse some.
    pub fn candidates(&self, object: ObjIx, reference: usize) -> Vec<Choice> {
        let types = &self.spec.types;
        let alias = |p: &Spot| Choice::Alias { object: p.object, part: p.part };
        let expand = |(ty, part): TypePlace| Choice::Expand { ty, part };
        let of = &types.get(self.type_of(object)).refs[reference];
        let mut all: Vec<Choice> = of.is_nullable.then_some(Choice::Null).into_iter().collect();
        match of.target {
            Some(target) => {
                all.extend(self.places[target.0 as usize].iter().map(alias));
                all.extend(self.spec.expansions.of(types, self.type_of(object), reference).into_iter().map(expand));
            }
            None => {
                let named = self.named_for(object, reference);
                let mut places: Vec<Spot> = self.accepted_targets(object, reference);
                for place in &named {
                    places.extend(&self.places[type_of(*place, types).0 as usize]);
                }
                places.sort_unstable();
                places.dedup();
                // A record at the start of another has its address.
                let address = |p: &Spot| {
                    (p.object, p.part.map_or(0, |i| types.get(self.type_of(p.object)).parts[i as usize].offset))
                };
                places.dedup_by_key(|p| address(p));
                all.extend(places.iter().map(alias));
                all.extend(named.into_iter().map(expand));
            }
        }
        all
    }

    /// The places that rules on this reference name as expansions.
    fn named_for(&self, object: ObjIx, reference: usize) -> Vec<TypePlace> {
        let mut named = Vec::new();
        self.for_atoms(object, reference, |_, verb| {
            let places = match verb {
                Verb::ExpandsTo(places) => places.clone(),
                Verb::AliasesSome(ty) => vec![(*ty, None)],
                _ => vec![],
            };
            named.extend(places.into_iter().filter(|p| !named.contains(p)).collect::<Vec<_>>());
        });
        named
    }

    /// The places that rules on this reference name as aliases.
    fn accepted_targets(&self, object: ObjIx, reference: usize) -> Vec<Spot> {
        let mut found = Vec::new();
        self.for_atoms(object, reference, |instance, verb| {
            if let Verb::Aliases(path) | Verb::AliasesMax(path) = verb {
                let all = self.places.iter().flatten();
                found.extend(all.filter(|p| self.accepts(instance, *path, **p)));
            }
        });
        found
    }

    /// Each atom that speaks of a reference, with its instance.
    fn for_atoms(&self, object: ObjIx, reference: usize, mut f: impl FnMut(u32, &Verb)) {
        for (instance, state) in self.states_at(object, reference) {
            let block = self.block(instance);
            bits(block.subjects(state)).for_each(|a| f(instance, &block.atoms[a].verb));
        }
    }

    /// Decides a reference. Rules must allow it ([`check`](Heap::check)). Gives the new object of an expansion.
    pub fn decide(&mut self, object: ObjIx, reference: usize, choice: Choice) -> Option<ObjIx> {
        debug_assert!(self.decided(object, reference).is_none(), "a reference is decided once");
        self.made.push(Made::Decided(object, reference, choice));
        for (instance, atoms) in self.breaks(object, reference, choice) {
            self.instances[instance as usize].broken |= atoms;
        }
        let target = match choice {
            Choice::Null => None,
            Choice::Alias { object: target, part } => {
                let target = Spot { object: target, part };
                self.close(object, reference, target);
                Some(target)
            }
            Choice::Expand { ty, part } => {
                let threads = self.threads_for(object, reference, part);
                Some(Spot { object: self.push(ty, Some((object, reference)), threads), part })
            }
        };
        self.objects[object.0 as usize].decided[reference] = Some(Decision { choice, target });
        target.map(|t| t.object).filter(|_| matches!(choice, Choice::Expand { .. }))
    }

    /// The threads that an expansion hands on.
    fn threads_for(&self, object: ObjIx, reference: usize, part: Option<u16>) -> SmallVec<[Thread; 2]> {
        let mut threads = SmallVec::new();
        for (instance, state) in self.states_at(object, reference) {
            threads.push(Thread { instance, at: part, state });
            if part.is_some() {
                let around = self.block(instance).dfa.step(state, CONTAINER);
                if around != DEAD {
                    threads.push(Thread { instance, at: None, state: around });
                }
            }
        }
        threads
    }

    fn push(&mut self, ty: TypeId, holder: Option<(ObjIx, usize)>, threads: SmallVec<[Thread; 2]>) -> ObjIx {
        let spec = self.spec.clone();
        let made = ObjIx(self.objects.len() as u32);
        let of = spec.types.get(ty);
        let decided = SmallVec::from_elem(None, of.refs.len());
        self.objects.push(Object { ty, root: None, holder, threads, decided });
        let parts = of.parts.iter().enumerate().map(|(i, p)| (Some(i as u16), p.ty));
        for (part, ty) in [(None, ty)].into_iter().chain(parts) {
            let place = Spot { object: made, part };
            if holder.is_some() {
                self.places[ty.0 as usize].push(place);
            }
            for block in &spec.blocks_in[ty.0 as usize] {
                let instance = self.instances.len() as u32;
                self.instances.push(Instance { block: *block, begins: Some(place), broken: 0 });
                let thread = Thread { instance, at: part, state: START };
                self.objects[made.0 as usize].threads.push(thread);
            }
        }
        self.mark_below(made);
        made
    }

    /// The companions that speak of a reference, or of the object that was made for it, each with the `this` of the `in` around it.
    pub fn companions_of(
        &self,
        object: ObjIx,
        reference: usize,
    ) -> impl Iterator<Item = (CompanionId, Option<Spot>)> + '_ {
        let target = self.target(object, reference).map(|it| it.object);
        let made = target.filter(|&it| self.holder(it) == Some((object, reference)));
        let threads = made.into_iter().flat_map(move |made| {
            let begins = move |thread: &&Thread| {
                let place = Spot { object: made, part: thread.at };
                self.instances[thread.instance as usize].begins == Some(place)
            };
            self.object(made).threads.iter().filter(begins).map(|thread| (thread.instance, thread.state))
        });
        self.states_at(object, reference).chain(threads).flat_map(move |(instance, state)| {
            let block = self.block(instance);
            let accepts = block.dfa.accepts(state);
            let hits = block.companions.iter().filter(move |(path, _)| accepts & 1 << path != 0);
            hits.map(move |(_, companion)| (*companion, self.instances[instance as usize].begins))
        })
    }

    /// What a companion's argument is, if what leads there is decided and not null.
    pub fn argument(&self, arg: &Arg, this: Option<Spot>) -> Option<Argument> {
        let mut place = match arg.root {
            Some(object) => Spot { object, part: None },
            None => this?,
        };
        let mut steps: &[Step] = &arg.steps;
        loop {
            let ty = self.spec.types.get(self.type_of(place.object));
            let before = place.part.map_or(&[][..], |p| &ty.parts[p as usize].steps);
            let whole: Vec<Step> = before.iter().chain(steps).cloned().collect();
            let Some(reference) = ty.refs.iter().position(|r| whole.starts_with(&r.steps)) else {
                if whole.is_empty() {
                    return Some(Argument::Spot(Spot { part: None, ..place }));
                }
                let part = ty.parts.iter().position(|p| p.steps == whole)?;
                return Some(Argument::Spot(Spot { part: Some(part as u16), ..place }));
            };
            let taken = ty.refs[reference].steps.len() - before.len();
            if taken == steps.len() {
                return Some(Argument::Reference(place.object, reference));
            }
            place = self.target(place.object, reference)?;
            steps = &steps[taken..];
        }
    }

    pub(crate) fn object(&self, object: ObjIx) -> &Object {
        &self.objects[object.0 as usize]
    }
}
