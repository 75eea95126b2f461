//! Tables of types in a line each, and "programs" that walk a heap: every alternative of every reference that they read is tried.
#![allow(dead_code)]

use spelunk_hex::{Choice, Heap, ObjIx, Part, Ref, Root, RootKind, Source, Spec, Spot, Step, Type, TypeId, Types};
use std::sync::Arc;

/// `.link.next[3]`
pub fn steps(text: &str) -> Vec<Step> {
    let mut all = Vec::new();
    for piece in text.split(['.', '[']).filter(|p| !p.is_empty()) {
        all.push(match piece.strip_suffix(']') {
            Some(n) => Step::Index(n.parse().unwrap()),
            None => Step::Member(piece.into()),
        });
    }
    all
}

/// Types from lines like `struct node: .next struct node, .value -, .link = struct link` (`-`: no pointer; `*`: `void *`; `=`: embedded), and
/// inputs from lines like `list struct node *`, `::pool struct pool` or `make() struct node *`.
pub fn types(records: &[&str], inputs: &[&str]) -> Types {
    let mut types = Types::default();
    for record in records {
        let name = record.split(':').next().unwrap();
        types.types.push(Type { name: name.into(), ..Type::default() });
    }
    for (i, record) in records.iter().enumerate() {
        for (n, member) in record.split_once(':').unwrap().1.split(',').filter(|m| !m.trim().is_empty()).enumerate() {
            let (path, what) = member.trim().split_once(' ').unwrap();
            let of = |name: &str| types.find(name.trim()).unwrap_or_else(|| panic!("no type {name}"));
            if let Some(ty) = what.strip_prefix("= ") {
                let part = Part { steps: steps(path), ty: of(ty), offset: 8 * n as u32 };
                types.types[i].parts.push(part);
            } else {
                let target = if matches!(what, "-" | "*") { None } else { Some(of(what)) };
                types.types[i].refs.push(Ref { steps: steps(path), target, is_lazy: what != "-", is_nullable: true });
            }
        }
    }
    for input in inputs {
        let (name, what) = input.split_once(' ').unwrap();
        let ty = match what.strip_suffix(" *") {
            Some(target) => {
                let target = types.find(target);
                let refs = vec![Ref { steps: vec![], target, is_lazy: true, is_nullable: true }];
                types.types.push(Type { name: what.into(), refs, ..Type::default() });
                TypeId(types.types.len() as u32 - 1)
            }
            None => types.find(what).unwrap(),
        };
        let kind = match () {
            _ if name.starts_with("::") => RootKind::Global,
            _ if name.ends_with("()") => RootKind::Result,
            _ => RootKind::Param,
        };
        types.roots.push(Root { name: name.trim_matches([':', '(', ')']).into(), kind, ty });
    }
    types
}

pub fn spec(text: &str, types: &Types) -> Arc<Spec> {
    match Spec::parse(&[Source::new("test.hex", text)], types) {
        Ok(spec) => Arc::new(spec),
        Err(errors) => panic!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    }
}

/// The messages of a specification that is wrong.
pub fn errors(text: &str, types: &Types) -> String {
    let errors = Spec::parse(&[Source::new("test.hex", text)], types).expect_err("the specification is accepted");
    errors.iter().map(|e| format!("{e}\n")).collect()
}

/// One run of a program: alternatives by a script, then the first of each.
pub struct Run {
    pub heap: Heap,
    script: Vec<usize>,
    at: usize,
    max_objects: usize,
    totals: Totals,
    open: Vec<Vec<usize>>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Totals {
    pub ends: usize,
    pub decisions: usize,
    pub refused: usize,
}

/// What a pointer turned out to be.
pub type Value = Option<Spot>;

impl Run {
    pub fn root(&mut self, name: &str) -> Value {
        let i = self.heap.spec().types().roots.iter().position(|r| r.name == name).unwrap();
        self.read_ref(ObjIx(i as u32), 0)
    }

    /// A member of the record that a pointer points to.
    pub fn read(&mut self, pointer: Value, member: &str) -> Value {
        let place = pointer.expect("null is not read");
        let (object, reference) = self.reference(place, member);
        self.read_ref(object, reference)
    }

    pub fn reference(&self, place: Spot, member: &str) -> (ObjIx, usize) {
        let ty = self.heap.spec().types().get(self.heap.type_of(place.object));
        let mut whole = place.part.map_or(vec![], |p| ty.parts[p as usize].steps.clone());
        whole.extend(steps(member));
        (place.object, ty.refs.iter().position(|r| r.steps == whole).unwrap_or_else(|| panic!("no {member}")))
    }

    /// The address of an embedded record.
    pub fn part(&self, pointer: Value, member: &str) -> Value {
        let place = pointer.unwrap();
        let ty = self.heap.spec().types().get(self.heap.type_of(place.object));
        let part = ty.parts.iter().position(|p| p.steps == steps(member)).unwrap();
        Some(Spot { part: Some(part as u16), ..place })
    }

    pub fn read_ref(&mut self, object: ObjIx, reference: usize) -> Value {
        if self.heap.decided(object, reference).is_none() {
            let is_full = self.heap.n_objects() >= self.max_objects;
            let is_cut = |c: &Choice| is_full && matches!(c, Choice::Expand { .. });
            let all: Vec<Choice> = self.heap.candidates(object, reference).into_iter().filter(|c| !is_cut(c)).collect();
            let allowed: Vec<Choice> =
                all.iter().filter(|c| self.heap.check(object, reference, **c).is_ok()).copied().collect();
            let is_new = self.at >= self.script.len();
            if is_new {
                self.totals.refused += all.len() - allowed.len();
                self.totals.decisions += usize::from(allowed.len() > 1);
                for other in 1..allowed.len() {
                    self.open.push(self.script[..self.at].iter().copied().chain([other]).collect());
                }
                self.script.push(0);
            }
            assert!(!allowed.is_empty(), "rules leave nothing for {object:?}.{reference} in {:?}", self.heap);
            self.heap.decide(object, reference, allowed[self.script[self.at]]);
            self.at += 1;
        }
        self.heap.target(object, reference)
    }

    /// All references that are to be decided, the next one by `pick`.
    pub fn read_all(&mut self, mut pick: impl FnMut(usize) -> usize) {
        loop {
            let open: Vec<_> = self.heap.undecided().collect();
            if open.is_empty() {
                return;
            }
            let (object, reference) = open[pick(open.len())];
            self.read_ref(object, reference);
        }
    }
}

/// Runs a program with all alternatives, with so many objects beside the inputs. `given` are inputs that are not null, decided before.
pub fn explore(
    spec: &Arc<Spec>,
    max_objects: usize,
    given: &[&str],
    mut program: impl FnMut(&mut Run),
) -> (Totals, Vec<Heap>) {
    let mut heap = Heap::new(spec);
    for name in given {
        let root = ObjIx(spec.types().roots.iter().position(|r| r.name == *name).unwrap() as u32);
        let choice = *heap.candidates(root, 0).last().unwrap();
        heap.check(root, 0, choice).expect("what is given is valid");
        heap.decide(root, 0, choice);
    }
    let mut totals = Totals::default();
    let mut ends = Vec::new();
    let mut open = vec![vec![]];
    while let Some(script) = open.pop() {
        let max_objects = max_objects + heap.n_roots();
        let mut run = Run { heap: heap.clone(), script, at: 0, max_objects, totals, open: vec![] };
        program(&mut run);
        totals = run.totals;
        totals.ends += 1;
        open.extend(run.open);
        ends.push(run.heap);
        assert!(totals.ends < 1_000_000, "this does not end");
    }
    (totals, ends)
}

/// (ends, decisions, refused)
pub fn counts(
    spec: &Arc<Spec>,
    max_objects: usize,
    given: &[&str],
    program: impl FnMut(&mut Run),
) -> (usize, usize, usize) {
    let totals = explore(spec, max_objects, given, program).0;
    (totals.ends, totals.decisions, totals.refused)
}
