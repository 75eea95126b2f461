//! What is wrong with rules that can be read: that nothing satisfies them is an error, what is probably not meant a warning.

use crate::automata::{DEAD, START};
use crate::backbones::Violation;
use crate::complete::Incomplete;
use crate::diagnostic::{Diagnostic, Severity, Source, Span};
use crate::heap::{Choice, Heap, ObjIx};
use crate::spec::{Block, Spec, Verb, bits};
use crate::types::{RootKind, TypeId, show_steps};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Decisions of the search for a heap that satisfies the rules.
const BUDGET: usize = 10_000;

/// New objects of the heap that is looked at for pointers which only lead to what others have led to.
const N_OBJECTS: usize = 6;

/// What to write where two pointers are meant to lead to one object, whichever is used first.
const SAME_OBJECT: &str =
    "for pointers to one object write `a not null; b not null; a expands to nothing or b expands to nothing`";

/// The specification with its warnings, if there is a heap that satisfies it. `spans` are those of the rules.
pub(crate) fn check(spec: Spec, sources: &[Source], spans: &[Span]) -> Result<Spec, Vec<Diagnostic>> {
    if spec.blocks.is_empty() {
        return Ok(spec);
    }
    let spec = Arc::new(spec);
    let mut heap = Heap::new(&spec);
    (heap.n_roots()..spec.types.roots.len()).for_each(|result| _ = heap.add_result(result));
    match heap.complete(&mut |_, _, _| None, BUDGET) {
        Err(why) => {
            return Err(vec![report(&spec, sources, spans, Severity::Error, "nothing satisfies these rules", &why)]);
        }
        Ok(complete) => {
            if let Err(Violation::Rule { rule, object, reference }) = complete.check_backbones(BUDGET)
                && !spec
                    .blocks
                    .iter()
                    .flat_map(|block| &block.clauses)
                    .any(|clause| clause.rule == rule && clause.fail != 0)
                && heap.is_broken_in_some_order()
            {
                let what = format!(
                    "no heap keeps this rule: `{}` may be the first pointer that is used",
                    complete.path_of(object, reference)
                );
                let mut error = Diagnostic::new(sources, spans[rule.0 as usize], Severity::Error, what);
                error.note = Some(SAME_OBJECT.to_owned());
                return Err(vec![error]);
            }
        }
    }
    let mut warnings = Vec::new();
    for (i, root) in spec.types.roots.iter().enumerate() {
        let root_ix = ObjIx(i as u32);
        for reference in (0..spec.types.get(root.ty).refs.len()).filter(|r| spec.is_lazy(root.ty, *r)) {
            let is_new = |c: &Choice| matches!(c, Choice::Expand { .. }) && heap.check(root_ix, reference, *c).is_ok();
            let new: Vec<Choice> = heap.candidates(root_ix, reference).into_iter().filter(is_new).collect();
            let tries = new.into_iter().map(|choice| {
                let mut heap = heap.clone();
                heap.decide(root_ix, reference, choice);
                heap.complete(&mut |_, _, _| None, BUDGET)
            });
            let fails: Vec<Incomplete> = tries.map_while(Result::err).collect();
            if let Some(why) = fails.first() {
                let what = format!("`{}` can't point to anything", heap.path_of(root_ix, reference));
                warnings.push(report(&spec, sources, spans, Severity::Warning, &what, why));
            }
        }
    }
    warnings.extend(only_later(&heap, sources, spans));
    drop(heap);
    let mut spec = Arc::try_unwrap(spec).expect("no heap is left");
    warnings.extend(one_of_two(&spec, sources, spans));
    warnings.extend(carried_along(&spec, sources, spans));
    warnings.extend(silent_behind_aliases(&spec, sources, spans));
    spec.warnings = warnings;
    Ok(spec)
}

fn report(
    spec: &Spec,
    sources: &[Source],
    spans: &[Span],
    severity: Severity,
    what: &str,
    why: &Incomplete,
) -> Diagnostic {
    let at = why.rule.map_or_else(|| spans.first().copied().unwrap_or_default(), |r| spans[r.0 as usize]);
    let left = match why.reference.as_str() {
        "" => String::new(),
        reference => format!(": nothing is left for `{reference}`"),
    };
    let mut report = Diagnostic::new(sources, at, severity, format!("{what}{left}"));
    let line = |(choice, rule): &(String, Option<crate::RuleId>)| match rule {
        Some(rule) => format!("{choice} is refused by {}", spec.rules[rule.0 as usize]),
        None => format!("{choice} would need another, and so on"),
    };
    if !why.refused.is_empty() {
        report.note = Some(why.refused.iter().map(line).collect::<Vec<_>>().join("; "));
    }
    report
}

/// Pointers that a rule allows to lead to an object only if that is there already, and that may be the first to it which are used: heaps in which they
/// do lead there are left out, which is hardly what was meant.
fn only_later(start: &Heap, sources: &[Source], spans: &[Span]) -> Vec<Diagnostic> {
    let mut heap = start.clone();
    let mut late = Vec::new();
    // Some heap: what is not looked at here expands as long as it may.
    let mut at = 0;
    while at < heap.n_objects() {
        let object = ObjIx(at as u32);
        at += 1;
        let (ty, spec) = (heap.type_of(object), Arc::clone(heap.spec()));
        for reference in (0..spec.types.get(ty).refs.len()).filter(|r| spec.is_lazy(ty, *r)) {
            if let Some(rule) = only_alias(&heap, object, reference) {
                late.push((object, reference, rule));
                continue;
            }
            let is_free = |c: &Choice| matches!(c, Choice::Expand { .. }) && heap.check(object, reference, *c).is_ok();
            let choice = heap.candidates(object, reference).into_iter().find(is_free);
            if let Some(choice) = choice.filter(|_| heap.n_objects() < start.n_objects() + N_OBJECTS) {
                heap.decide(object, reference, choice);
            }
        }
    }
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut known = FxHashSet::default();
    for (object, reference, rule) in late {
        for choice in heap.candidates(object, reference) {
            if !matches!(choice, Choice::Alias { .. }) || heap.check(object, reference, choice).is_err() {
                continue;
            }
            let mut heap = heap.clone();
            heap.decide(object, reference, choice);
            let is_left_out =
                matches!(heap.check_backbones(BUDGET), Err(Violation::Rule { rule: it, .. }) if it == rule);
            if is_left_out && known.insert(rule) {
                let (pointer, target) = (heap.path_of(object, reference), heap.describe(choice));
                let what = format!("no heap in which `{pointer}` leads to {target} keeps this rule");
                let mut warning = Diagnostic::new(sources, spans[rule.0 as usize], Severity::Warning, what);
                warning.note = Some(format!("`{pointer}` may be used first, and is then the one that expands"));
                found.push(warning);
            }
        }
    }
    found
}

/// The rule by which a reference never expands, if another says what it may be an alias of.
fn only_alias(heap: &Heap, object: ObjIx, reference: usize) -> Option<crate::RuleId> {
    let mut expands_not = None;
    let mut has_alias = false;
    for (instance, state) in heap.states_at(object, reference) {
        let block = heap.block(instance);
        for clause in block.clauses.iter().filter(|clause| clause.fail == 0 && clause.hold.count_ones() == 1) {
            for atom in bits(clause.hold & block.subjects(state)) {
                match &block.atoms[atom].verb {
                    Verb::ExpandsTo(places) if places.is_empty() => expands_not = Some(clause.rule),
                    Verb::Aliases(_) | Verb::AliasesMax(_) | Verb::AliasesSome(_) => has_alias = true,
                    _ => {}
                }
            }
        }
    }
    expands_not.filter(|_| has_alias)
}

/// Of two inputs of one type, rules speak of one only: what they forbid can then be reached through the other.
fn one_of_two(spec: &Spec, sources: &[Source], spans: &[Span]) -> Vec<Diagnostic> {
    let is_spoken_of = |i: usize| {
        let from_roots = spec.blocks.iter().filter(|b| b.anchor.is_none());
        from_roots.clone().any(|b| b.dfa.step(START, spec.root_letters[i]) != DEAD)
    };
    let target = |ty: TypeId| match &spec.types.get(ty).refs[..] {
        [one] if one.steps.is_empty() => one.target,
        _ => None,
    };
    let roots = &spec.types.roots;
    let mut found = Vec::new();
    for (i, silent) in roots.iter().enumerate().filter(|(i, r)| r.kind != RootKind::Result && !is_spoken_of(*i)) {
        let twin = |j: &usize| *j != i && is_spoken_of(*j) && target(roots[*j].ty) == target(silent.ty);
        if let Some(j) = target(silent.ty).and_then(|_| (0..roots.len()).find(twin)) {
            let at = spans.first().copied().unwrap_or_default();
            let message = format!("rules speak of `{}`, but not of `{silent}`, which has the same type", roots[j]);
            let mut warning = Diagnostic::new(sources, at, Severity::Warning, message);
            warning.note = Some(format!("if they are meant for both, write `({}|{silent})`", roots[j]));
            found.push(warning);
        }
    }
    found
}

/// Rules of `in T` whose paths lead from one T to the next without an end: each object then carries a state for each one above it.
fn carried_along(spec: &Spec, sources: &[Source], spans: &[Span]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for block in &spec.blocks {
        let Some(anchor) = block.anchor else { continue };
        // From a T with a live state to a T with the same.
        let mut work = vec![(START, anchor, vec![])];
        let mut seen = FxHashSet::default();
        let mut is_endless = false;
        while let Some((state, ty, before)) = work.pop() {
            is_endless |= ty == anchor && before.contains(&state);
            if !seen.insert((state, ty)) {
                continue;
            }
            let before = if ty == anchor { [&before[..], &[state]].concat() } else { before };
            let layout = &spec.layouts[ty.0 as usize];
            for (r, reference) in spec.types.get(ty).refs.iter().enumerate().filter(|(_, r)| r.is_lazy) {
                let Some(target) = reference.target else { continue };
                let next = block.dfa.walk(state, &layout.refs[r].letters);
                if next != DEAD {
                    work.push((next, target, before.clone()));
                }
            }
        }
        if is_endless && let Some(clause) = block.clauses.first() {
            let name = &spec.types.get(anchor).name;
            let message = format!("a path here leads from each `{name}` through all others below it");
            let at = spans[clause.rule.0 as usize];
            let mut warning = Diagnostic::new(sources, at, Severity::Warning, message);
            warning.note = Some("checks take longer the deeper the structure is".into());
            found.push(warning);
        }
    }
    found
}

/// Rules of `in T` about what lies behind a pointer of which no rule says where it may lead: paths go on through new objects only, so
/// that `.next.prev is this` holds nothing where `.next` leads back to an object that is there already.
fn silent_behind_aliases(spec: &Spec, sources: &[Source], spans: &[Span]) -> Vec<Diagnostic> {
    let ruled = aliases_under_rules(spec);
    let is_embedded = |ty: TypeId| spec.types.types.iter().any(|outer| outer.parts.iter().any(|part| part.ty == ty));
    let mut found = Vec::new();
    for block in &spec.blocks {
        let Some(anchor) = block.anchor.filter(|&ty| !is_embedded(ty)) else { continue };
        let (of, layout) = (spec.types.get(anchor), &spec.layouts[anchor.0 as usize]);
        for (r, reference) in of.refs.iter().enumerate().filter(|(r, it)| it.is_lazy && !ruled.contains(&(anchor, *r)))
        {
            let Some(target) = reference.target else { continue };
            let next = block.dfa.walk(START, &layout.refs[r].letters);
            let routes = spec.types.get(target).refs.iter().zip(&spec.layouts[target.0 as usize].refs);
            let behind = routes.filter(|(it, _)| it.is_lazy).map(|(_, route)| block.dfa.walk(next, &route.letters));
            let spoken_of = behind.fold(0, |all, state| all | block.subjects(state));
            let Some(clause) = block.clauses.iter().find(|clause| clause.hold & spoken_of != 0) else { continue };
            let way = show_steps(&reference.steps);
            let message = format!("this says nothing where `{way}` leads to an object that is there already");
            let mut warning = Diagnostic::new(sources, spans[clause.rule.0 as usize], Severity::Warning, message);
            warning.note = Some(format!("say where it may lead: `{way} aliases …`, or `aliases nothing`"));
            found.push(warning);
            break;
        }
    }
    found
}

/// The references, by type, of which some rule says what they may be an alias of. `.prev.next is this` says so only of nodes behind a `.prev`, so of those
/// that an `in T` reaches in another T, none count.
fn aliases_under_rules(spec: &Spec) -> FxHashSet<(TypeId, usize)> {
    let is_alias_rule =
        |block: &Block, atom: usize| !matches!(block.atoms[atom].verb, Verb::NotNull | Verb::ExpandsTo(_));
    let mut ruled = FxHashSet::default();
    for block in &spec.blocks {
        let roots = spec.types.roots.iter().zip(&spec.root_letters);
        let mut work: Vec<_> = match block.anchor {
            None => roots.map(|(root, &letter)| (block.dfa.step(START, letter), root.ty, None)).collect(),
            Some(anchor) => vec![(START, anchor, None)],
        };
        let mut seen = FxHashSet::default();
        while let Some(here @ (state, ty, at)) = work.pop() {
            if state == DEAD || !seen.insert(here) {
                continue;
            }
            for (r, _) in spec.types.get(ty).refs.iter().enumerate().filter(|(_, r)| r.is_lazy) {
                let Some(letters) = spec.layouts[ty.0 as usize].to_ref(at, r) else { continue };
                let next = block.dfa.walk(state, letters);
                let is_first = state == START || block.anchor != Some(ty);
                if is_first && bits(block.subjects(next)).any(|atom| is_alias_rule(block, atom)) {
                    ruled.insert((ty, r));
                }
                let places = spec.expansions.of(&spec.types, ty, r);
                work.extend(places.into_iter().map(|(ty, part)| (next, ty, part)));
            }
        }
    }
    ruled
}
