//! Rules from examples: which rules of a few common forms hold in all complete heaps that a program has built.
//!
//! A candidate is text like any rule, and is checked on an example by the same means as a run's heap, on all backbones. It is kept if no example
//! breaks it and enough references are on its path; and dropped again if the other rules admit the same small heaps without it.

use crate::diagnostic::Source;
use crate::heap::{Choice, Heap, ObjIx, Spot};
use crate::spec::{RuleId, Spec};
use crate::types::{TypeId, Types, show_steps};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::sync::Arc;

/// A complete heap: for each object its type, and where its references point to (`None`: null). The first objects are the inputs.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Example {
    pub objects: Vec<(TypeId, Vec<Option<Spot>>)>,
}

/// A rule that all examples satisfy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    pub text: String,
    /// How many references of how many examples it speaks of.
    pub n_references: usize,
    pub n_examples: usize,
}

/// What was learned from examples.
#[derive(Clone, Debug)]
pub struct Learned {
    pub proposals: Vec<Proposal>,
    /// How many heaps of up to `max_objects` objects the rules admit, if that could be counted.
    pub n_admitted: Option<usize>,
    /// How many of them are among the examples.
    pub n_seen: usize,
    /// That of the [`Effort`], or less if there were too many heaps to count.
    pub max_objects: usize,
}

/// Heaps of fewer objects don't tell rules apart.
const LEAST_OBJECTS: usize = 2;

/// How much evidence a rule needs, and how far heaps are enumerated.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub min_references: usize,
    pub min_examples: usize,
    /// Objects of the heaps by which rules are compared, without the inputs.
    pub max_objects: usize,
    /// Decisions for one such enumeration.
    pub budget: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { min_references: 10, min_examples: 3, max_objects: 4, budget: 100_000 }
    }
}

/// Makes every pointer a subject of rules, and says nothing.
const EVERYTHING: &str = "if any not null then any not null";
const BACKBONE_BUDGET: usize = 10_000;

/// Proposes rules that hold in all examples.
pub fn learn(types: &Types, examples: &[Example], effort: Effort) -> Learned {
    let mut kept: Vec<Proposal> = Vec::new();
    for text in candidates(types) {
        if let Some(proposal) = examine(types, examples, &text)
            && proposal.n_references >= effort.min_references
            && proposal.n_examples >= effort.min_examples
        {
            kept.push(proposal);
        }
    }
    let efforts = (LEAST_OBJECTS..=effort.max_objects).rev().map(|max_objects| Effort { max_objects, ..effort });
    let counted = efforts.filter_map(|effort| Some((effort, count(types, &kept, effort)?))).next();
    let (effort, admitted) = counted.map_or((effort, None), |(effort, admitted)| (effort, Some(admitted)));
    // The last candidates are the least simple ones: what the others imply goes in that order.
    // Back links stay: heaps of a few objects don't show what they are for, and readers look for them.
    for i in (0..kept.len()).rev().filter(|_| admitted.is_some()) {
        let mut others = kept.clone();
        let rule = others.remove(i);
        if !is_back_link(&rule.text) && count(types, &others, effort) == admitted {
            kept = others;
        }
    }
    let seen: FxHashSet<Vec<Choice>> = examples
        .iter()
        .filter_map(|e| build(&compiled(types, EVERYTHING)?, e, Visit::Breadth).ok())
        .filter(|heap| heap.n_objects() <= heap.n_roots() + effort.max_objects)
        .map(|heap| shape(&heap))
        .collect();
    Learned {
        proposals: kept,
        n_admitted: admitted.map(|a| a.n_valid),
        n_seen: seen.len(),
        max_objects: effort.max_objects,
    }
}

/// Whether a rule says that the pointer behind another leads back: `.next.prev is this`.
fn is_back_link(rule: &str) -> bool {
    rule.ends_with(" is this }") && !rule.contains('*')
}

/// The first example that breaks a rule, by number.
pub fn first_against(types: &Types, rule: &Proposal, examples: &[Example]) -> Option<usize> {
    examples.iter().position(|example| examine(types, std::slice::from_ref(example), &rule.text).is_none())
}

fn compiled(types: &Types, text: &str) -> Option<Arc<Spec>> {
    Spec::parse(&[Source::new("proposal", format!("{text}\n{EVERYTHING}"))], types).ok().map(Arc::new)
}

/// The evidence for a candidate; nothing if an example breaks it.
fn examine(types: &Types, examples: &[Example], text: &str) -> Option<Proposal> {
    let spec = compiled(types, text)?;
    let (mut n_references, mut n_examples) = (0, 0);
    for example in examples {
        build(&spec, example, Visit::Breadth).ok()?.check_backbones(BACKBONE_BUDGET).ok()?;
        // A back link is a subject only where a visit came by the link that it leads back on.
        let n_subjects = |visit: Visit| build(&spec, example, visit).map_or(0, |heap| heap.n_subjects(RuleId(0)));
        let n = [Visit::Breadth, Visit::Depth, Visit::DepthLastFirst].into_iter().map(n_subjects).max().unwrap_or(0);
        n_references += n;
        n_examples += usize::from(n > 0);
    }
    Some(Proposal { text: text.into(), n_references, n_examples })
}

/// In which order the pointers of a heap are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Breadth,
    /// What a pointer leads to comes before the next pointer.
    Depth,
    /// The same, with the last pointer of an object first.
    DepthLastFirst,
}

/// The example as a heap, visited in an order; or the rule that refuses it.
fn build(spec: &Arc<Spec>, example: &Example, visit: Visit) -> Result<Heap, RuleId> {
    let mut heap = Heap::new(spec);
    let mut made: Vec<Option<ObjIx>> = vec![None; example.objects.len()];
    (0..heap.n_roots()).for_each(|root| made[root] = Some(ObjIx(root as u32)));
    let references = |object: usize| {
        let n_references = example.objects[object].1.len();
        let place =
            move |number: usize| if visit == Visit::DepthLastFirst { n_references - 1 - number } else { number };
        (0..n_references).map(move |number| (object, place(number)))
    };
    let mut queue: VecDeque<(usize, usize)> = (0..heap.n_roots()).flat_map(references).collect();
    while let Some((number, reference)) = queue.pop_front() {
        let (ty, targets) = &example.objects[number];
        if !spec.is_lazy(*ty, reference) {
            continue;
        }
        let object = made[number].expect("what has references in the queue is made");
        let choice = match targets[reference] {
            None => Choice::Null,
            Some(Spot { object, part }) => match made[object.0 as usize] {
                Some(object) => Choice::Alias { object, part },
                None => Choice::Expand { ty: example.objects[object.0 as usize].0, part },
            },
        };
        heap.check(object, reference, choice)?;
        if let (Some(new), Some(target)) = (heap.decide(object, reference, choice), targets[reference]) {
            let target = target.object.0 as usize;
            made[target] = Some(new);
            match visit {
                Visit::Breadth => queue.extend(references(target)),
                Visit::Depth | Visit::DepthLastFirst => references(target).rev().for_each(|it| queue.push_front(it)),
            }
        }
    }
    match heap.unmet() {
        Some(rule) => Err(rule),
        None => Ok(heap),
    }
}

/// All choices of a complete heap, visited breadth-first: equal heaps have equal ones.
fn shape(heap: &Heap) -> Vec<Choice> {
    heap.objects().flat_map(|o| (0..heap.object(o).decided.len()).filter_map(move |r| heap.decided(o, r))).collect()
}

/// What rules admit: heaps that are valid, and ends of visits in two orders, valid or not. A rule that changes the latter alone still helps,
/// since it refuses earlier.
#[derive(Clone, Copy, PartialEq, Default)]
struct Admitted {
    n_valid: usize,
    n_ends: usize,
}

/// Tries all heaps up to a number of objects.
fn count(types: &Types, rules: &[Proposal], effort: Effort) -> Option<Admitted> {
    let text: Vec<&str> = rules.iter().map(|r| r.text.as_str()).collect();
    let spec = compiled(types, &text.join("\n"))?;
    let mut found = Admitted::default();
    for is_first in [true, false] {
        let mut open = vec![Heap::new(&spec)];
        let mut budget = effort.budget;
        while let Some(heap) = open.pop() {
            let next = if is_first { heap.undecided().next() } else { heap.undecided().last() };
            let Some((object, reference)) = next else {
                found.n_ends += 1;
                let is_valid = || heap.unmet().is_none() && heap.check_backbones(BACKBONE_BUDGET).is_ok();
                found.n_valid += usize::from(is_first && is_valid());
                continue;
            };
            let is_large = heap.n_objects() >= heap.n_roots() + effort.max_objects;
            let mut is_stuck = true;
            for choice in heap.candidates(object, reference) {
                budget = budget.checked_sub(1)?;
                if heap.check(object, reference, choice).is_err() {
                    continue;
                }
                is_stuck = false;
                if !(is_large && matches!(choice, Choice::Expand { .. })) {
                    let mut next = heap.clone();
                    next.decide(object, reference, choice);
                    open.push(next);
                }
            }
            found.n_ends += usize::from(is_stuck);
        }
    }
    Some(found)
}

impl Heap {
    /// How many references atoms of a rule speak of.
    fn n_subjects(&self, rule: RuleId) -> usize {
        let speaks = |o: ObjIx, r: usize| {
            self.states_at(o, r).any(|(instance, state)| {
                let block = self.block(instance);
                let atoms = block.clauses.iter().filter(|c| c.rule == rule).fold(0, |all, c| all | c.hold | c.fail);
                block.subjects(state) & atoms != 0
            })
        };
        // Rules don't know the steps to what is no pointer.
        let is_subject = |o: ObjIx, r: usize| self.spec.is_lazy(self.type_of(o), r) && speaks(o, r);
        self.objects().map(|o| (0..self.object(o).decided.len()).filter(|r| is_subject(o, *r)).count()).sum()
    }
}

/// A reference by its text, with the type that it points to.
fn pointers(types: &Types, ty: TypeId) -> Vec<(String, TypeId)> {
    let lazy = types.get(ty).refs.iter().filter(|r| r.is_lazy);
    lazy.filter_map(|r| Some((show_steps(&r.steps), r.target?))).collect()
}

/// Candidates, the simplest first.
fn candidates(types: &Types) -> Vec<String> {
    let mut all = Vec::new();
    let mut starts: Vec<Start> = Vec::new();
    for root in &types.roots {
        for (steps, target) in pointers(types, root.ty) {
            let start = format!("{root}{steps}");
            all.push(format!("{start} not null"));
            for (path, ty) in pointers(types, target).into_iter().filter(|(_, ty)| *ty != target) {
                starts.push(Start { path, ty, within: Some(target) });
            }
            starts.push(Start { path: start, ty: target, within: None });
        }
    }
    let self_members =
        |ty: TypeId| -> Vec<String> { pointers(types, ty).into_iter().filter(|p| p.1 == ty).map(|p| p.0).collect() };
    for start in &starts {
        let members = self_members(start.ty);
        let mut add = |rule: String| all.push(start.rule(types, rule));
        let Start { path, .. } = start;
        // Larger sets first: what they say holds for the smaller ones.
        let mut sets: Vec<Vec<&str>> = (1..1u32 << members.len().min(3))
            .map(|set| members.iter().enumerate().filter(|(i, _)| set & 1 << i != 0).map(|(_, m)| m.as_str()).collect())
            .collect();
        sets.sort_by_key(|set| std::cmp::Reverse(set.len()));
        for set in &sets {
            let steps = set.join("|");
            add(format!("{path}({steps})* not null"));
            add(format!("{path}({steps})+ not null"));
            add(format!("{path}({steps})* aliases nothing"));
        }
        // A part of the header may stand for null: a sentinel.
        let parts = start.within.into_iter().flat_map(|ty| &types.get(ty).parts).filter(|part| part.ty == start.ty);
        for part in parts.map(|part| show_steps(&part.steps)) {
            if path.starts_with(&part) {
                add(format!("{path} is {part}"));
                add(format!("{path} expands to nothing"));
            }
            sets.iter().for_each(|set| add(format!("{path}({})* aliases {part}", set.join("|"))));
            members.iter().for_each(|m| add(format!("{path}{m} is {part}")));
        }
        for m in &members {
            add(format!("{path}{m} is null"));
            add(format!("{path}({m})+ aliases {path}"));
        }
    }
    for (i, ty) in types.types.iter().enumerate() {
        let id = TypeId(i as u32);
        if types.roots.iter().any(|r| r.ty == id) {
            continue;
        }
        let mut add = |rule: String| all.push(format!("in {} {{ {rule} }}", ty.name));
        let of = pointers(types, id);
        for (m, _) in &of {
            add(format!("{m} not null"));
            add(format!("{m} is null"));
        }
        for (m, inner) in &of {
            for (k, _) in pointers(types, *inner).iter().filter(|(_, back)| *back == id) {
                add(format!("{m}{k} is this"));
                for g in self_members(*inner).iter().filter(|g| *g != k) {
                    add(format!("{m}({g})*{k} is this"));
                }
            }
        }
        for (m, _) in &of {
            for (k, _) in of.iter().filter(|(k, _)| k != m) {
                add(format!("{m} is null or {k} not null"));
            }
        }
    }
    // Rings and lists with two ends: where one way meets the other.
    for start in &starts {
        for other in starts.iter().filter(|other| other.ty == start.ty && other.within == start.within) {
            let is_same = start.path == other.path;
            for m in self_members(start.ty) {
                let (a, b) = (&start.path, &other.path);
                for k in self_members(start.ty).iter().filter(|k| **k != m) {
                    let sign = if is_same { '+' } else { '*' };
                    all.push(start.rule(types, format!("{a}({m}){sign} aliases max {b}({k})*")));
                }
                if !is_same {
                    all.push(start.rule(types, format!("{a}({m})+ not null or {b} expands to nothing")));
                }
            }
        }
    }
    all
}

/// Where a structure begins: at an input, or at a pointer of what that points to. Rules about the latter name the type
/// instead of the input, so that they hold for any function that takes it.
struct Start {
    path: String,
    ty: TypeId,
    within: Option<TypeId>,
}

impl Start {
    fn rule(&self, types: &Types, rule: String) -> String {
        match self.within {
            Some(ty) => format!("in {} {{ {rule} }}", types.get(ty).name),
            None => rule,
        }
    }
}
