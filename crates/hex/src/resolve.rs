//! Paths against types: runs an expression over the graph of types and says which of its steps lead nowhere, and what it ends at.

use crate::automata::Nfa;
use crate::diagnostic::{Span, suggest};
use crate::syntax::Pattern;
use crate::types::{RootKind, Step, TypeId, Types, show_steps};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// A place where an object or a record in it begins, in a type: what a pointer can point to.
pub(crate) type TypePlace = (TypeId, Option<u16>);

/// A mistake in a path: where, what, and what to do about it.
pub(crate) type Mistake = (Span, String, Option<String>);

/// What a word of an expression leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Arrival {
    Ref(TypeId, usize),
    Part(TypeId, usize),
    /// A parameter or global that is no pointer.
    Value,
    /// An array whose element is still to be named.
    Inside,
}

/// Where a path is: in an object of a type, after some of its steps. Before the first symbol of a path from a root it is nowhere.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Cursor {
    at: Option<(TypeId, Vec<Step>)>,
}

/// What references may expand to, as far as rules say more than types do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expansions {
    /// What `expands to` and `aliases some` name: that is what a `void *` may lead to.
    pub named: Vec<TypePlace>,
    /// References whose new objects are around what they point to, by type and number. Wherever a reference is, it has one such place.
    pub inside: BTreeMap<(TypeId, usize), TypePlace>,
}

impl Expansions {
    pub fn of(&self, types: &Types, ty: TypeId, reference: usize) -> Vec<TypePlace> {
        match (self.inside.get(&(ty, reference)), types.get(ty).refs[reference].target) {
            (Some(place), _) => vec![*place],
            (None, Some(target)) => vec![(target, None)],
            (None, None) => self.named.clone(),
        }
    }
}

/// Runs `nfa` from the roots, or from an object of type `anchor`. The references that it ends at expand to `last`, if that is given.
pub(crate) fn arrivals(
    nfa: &Nfa,
    types: &Types,
    anchor: Option<TypeId>,
    known: &Expansions,
    last: Option<TypePlace>,
) -> Result<FxHashSet<Arrival>, Mistake> {
    let start = Cursor { at: anchor.map(|ty| (ty, Vec::new())) };
    let mut tried: Vec<Vec<Cursor>> = vec![Vec::new(); nfa.positions.len()];
    let mut is_matched = vec![false; nfa.positions.len()];
    let mut found = FxHashSet::default();
    let mut seen: FxHashSet<(Option<u16>, Cursor)> = FxHashSet::default();
    let mut work = vec![(None, start)];
    while let Some((position, cursor)) = work.pop() {
        if !seen.insert((position, cursor.clone())) {
            continue;
        }
        for next in nfa.after(position) {
            let pattern = &nfa.positions[*next as usize].0;
            let is_last = nfa.is_last[*next as usize];
            for (arrival, cursors) in moves(&cursor, pattern, types, known, last.filter(|_| is_last)) {
                is_matched[*next as usize] = true;
                if is_last {
                    found.insert(arrival);
                }
                work.extend(cursors.into_iter().map(|c| (Some(*next), c)));
            }
            tried[*next as usize].push(cursor.clone());
        }
    }
    for (i, (pattern, span)) in nfa.positions.iter().enumerate() {
        if !is_matched[i] && !tried[i].is_empty() {
            return Err(no_step(pattern, *span, &tried[i], types));
        }
    }
    match is_matched.iter().position(|is| !is) {
        Some(i) => Err((nfa.positions[i].1, "no path leads here".into(), None)),
        None => Ok(found),
    }
}

/// Where `pattern` leads from a cursor.
fn moves(
    cursor: &Cursor,
    pattern: &Pattern,
    types: &Types,
    known: &Expansions,
    last: Option<TypePlace>,
) -> Vec<(Arrival, Vec<Cursor>)> {
    let Some((ty, prefix)) = &cursor.at else {
        let is_it = |kind: RootKind, name: &str| match pattern {
            Pattern::Param(n) => kind == RootKind::Param && n == name,
            Pattern::Global(n) => kind == RootKind::Global && n == name,
            Pattern::Result(n) => kind == RootKind::Result && n == name,
            Pattern::Anything => true,
            _ => false,
        };
        let roots = types.roots.iter().filter(|r| is_it(r.kind, &r.name));
        return roots.filter_map(|r| arrive(r.ty, Vec::new(), types, known, last)).collect();
    };
    let matches = |step: &Step| match pattern {
        Pattern::Step(s) => s == step,
        Pattern::AnyIndex => matches!(step, Step::Index(_)),
        Pattern::Anything => true,
        Pattern::Param(_) | Pattern::Global(_) | Pattern::Result(_) => false,
    };
    let next = next_steps(*ty, prefix, types).into_iter().filter(|s| matches(s));
    next.filter_map(|step| {
        let steps = prefix.iter().cloned().chain([step.clone()]).collect();
        arrive(*ty, steps, types, known, last)
    })
    .collect()
}

/// What lies at `steps` in a type, and where a path goes on from there. Nothing if it is no pointer that rules speak of.
fn arrive(
    ty: TypeId,
    steps: Vec<Step>,
    types: &Types,
    known: &Expansions,
    last: Option<TypePlace>,
) -> Option<(Arrival, Vec<Cursor>)> {
    let of = types.get(ty);
    if let Some(i) = of.refs.iter().position(|r| r.steps == steps) {
        let reference = &of.refs[i];
        let cursor = |(ty, part): TypePlace| {
            let steps = part.map_or(Vec::new(), |p| types.get(ty).parts[p as usize].steps.clone());
            Cursor { at: Some((ty, steps)) }
        };
        let places = last.map_or_else(|| known.of(types, ty, i), |place| vec![place]);
        let cursors = places.into_iter().map(cursor).collect();
        return reference.is_lazy.then_some((Arrival::Ref(ty, i), cursors));
    }
    let arrival = match of.parts.iter().position(|p| p.steps == steps) {
        Some(i) => Arrival::Part(ty, i),
        None if steps.is_empty() => Arrival::Value,
        None => Arrival::Inside,
    };
    Some((arrival, vec![Cursor { at: Some((ty, steps)) }]))
}

pub(crate) fn type_of((ty, part): TypePlace, types: &Types) -> TypeId {
    part.map_or(ty, |p| types.get(ty).parts[p as usize].ty)
}

/// The steps that may follow `prefix` in an object.
fn next_steps<'a>(ty: TypeId, prefix: &[Step], types: &'a Types) -> Vec<&'a Step> {
    let of = types.get(ty);
    let all = of.refs.iter().map(|r| &r.steps).chain(of.parts.iter().map(|p| &p.steps));
    let mut next: Vec<&Step> = all.filter(|s| s.starts_with(prefix)).filter_map(|s| s.get(prefix.len())).collect();
    next.sort_unstable();
    next.dedup();
    next
}

/// Why a step fits nowhere that it was tried.
fn no_step(pattern: &Pattern, span: Span, tried: &[Cursor], types: &Types) -> Mistake {
    let inside: Vec<&(TypeId, Vec<Step>)> = tried.iter().filter_map(|c| c.at.as_ref()).collect();
    let roots: Vec<String> = types.roots.iter().map(|r| r.to_string()).collect();
    let did_you_mean = |s: &str| Some(format!("did you mean `{s}`?"));
    match pattern {
        Pattern::Param(name) | Pattern::Global(name) => {
            let is_param = matches!(pattern, Pattern::Param(_));
            if inside.len() == tried.len() {
                return (span, "a parameter or global can only stand at the start of a path".into(), None);
            }
            let shown = if is_param { name.clone() } else { format!("::{name}") };
            let other = if is_param { format!("::{name}") } else { name.clone() };
            let note = if roots.contains(&other) {
                did_you_mean(&other)
            } else {
                suggest(&shown, roots.iter().map(String::as_str))
                    .and_then(did_you_mean)
                    .or_else(|| Some(format!("the inputs are: {}", join(&roots))))
            };
            let kind = if is_param { "parameter" } else { "global" };
            (span, format!("no {kind} `{name}` among the inputs"), note)
        }
        Pattern::Result(name) if inside.len() < tried.len() => {
            let message = format!("`{name}` is no function without a definition that returns pointers to structs");
            (span, message, Some(format!("the inputs are: {}", join(&roots))))
        }
        Pattern::Result(_) => (span, "a result can only stand at the start of a path".into(), None),
        Pattern::Anything => (span, "there is no input that rules could speak of".into(), None),
        _ if inside.is_empty() => {
            let message = "a path starts with a parameter, a `::global` or `any`; or, inside of `in`, with a member";
            (span, message.into(), Some(format!("the inputs are: {}", join(&roots))))
        }
        Pattern::AnyIndex | Pattern::Step(Step::Index(_)) => {
            let (ty, prefix) = inside[0];
            let what = if prefix.is_empty() { "is no array" } else { "has no such element" };
            (span, format!("`{}{}` {what}", types.get(*ty).name, show_steps(prefix)), None)
        }
        Pattern::Step(step @ Step::Member(name)) => {
            let mut known: Vec<&str> = Vec::new();
            for (ty, prefix) in &inside {
                let whole: Vec<Step> = prefix.iter().chain([step]).cloned().collect();
                let owner = format!("{}{}", types.get(*ty).name, show_steps(prefix));
                if types.get(*ty).refs.iter().any(|r| r.steps == whole) {
                    let message = format!("`.{name}` of `{owner}` is not a pointer to a struct");
                    let note = "rules speak of such pointers only; of a `void *`, --param can say that it leads to one";
                    return (span, message, Some(note.into()));
                }
                known.extend(next_steps(*ty, prefix, types).into_iter().filter_map(|s| match s {
                    Step::Member(name) => Some(name.as_str()),
                    Step::Index(_) => None,
                }));
            }
            let mut owners: Vec<String> =
                inside.iter().map(|(ty, prefix)| format!("{}{}", types.get(*ty).name, show_steps(prefix))).collect();
            owners.sort();
            owners.dedup();
            let note = suggest(name, known.iter().copied()).map(|k| format!("did you mean `.{k}`?"));
            (span, format!("no pointer or struct `.{name}` in {}", join(&owners)), note)
        }
    }
}

/// `` `a`, `b` ``.
pub(crate) fn join(words: &[String]) -> String {
    if words.is_empty() {
        return "none".into();
    }
    words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
}
