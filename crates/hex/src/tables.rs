//! Tables over the graph of types: the letters of each type's references, and the steps of a block's automaton that heaps can take.

use crate::automata::{Alphabet, Builder, CONTAINER, DEAD, START, State};
use crate::resolve::type_of;
use crate::spec::{Layout, Route, Spec};
use crate::types::{Step, TypeId, Types};
use rustc_hash::FxHashSet;

/// Takes every step that a heap can take, and notes what rules reach.
pub(crate) fn explore(spec: &mut Spec, builder: &mut Builder, anchor: Option<TypeId>, speaks: impl Fn(u64) -> bool) {
    let mut work: Vec<(State, TypeId, Option<u16>)> = Vec::new();
    match anchor {
        None => {
            for (root, letter) in spec.types.roots.iter().zip(&spec.root_letters) {
                work.push((builder.step(START, *letter), root.ty, None));
            }
        }
        Some(anchor) => {
            work.push((START, anchor, None));
            for (i, ty) in spec.types.types.iter().enumerate() {
                let parts = ty.parts.iter().enumerate().filter(|(_, p)| p.ty == anchor);
                work.extend(parts.map(|(p, _)| (START, TypeId(i as u32), Some(p as u16))));
            }
        }
    }
    let mut seen = FxHashSet::default();
    while let Some(here @ (state, ty, at)) = work.pop() {
        if state == DEAD || !seen.insert(here) {
            continue;
        }
        let layout = &spec.layouts[ty.0 as usize];
        for part in 0..layout.parts.len() {
            if let Some(letters) = layout.to_part(at, Some(part as u16)) {
                builder.walk(state, letters);
            }
        }
        for (r, reference) in spec.types.get(ty).refs.iter().enumerate().filter(|(_, r)| r.is_lazy) {
            let Some(letters) = layout.to_ref(at, r) else { continue };
            let next = builder.walk(state, letters);
            if next == DEAD {
                continue;
            }
            if reference.target.is_none() {
                spec.is_lazy[ty.0 as usize][r] |= speaks(builder.accepts(next));
            }
            for place in spec.expansions.of(&spec.types, ty, r) {
                spec.is_under_rules[place.0.0 as usize] = true;
                spec.is_under_rules[type_of(place, &spec.types).0 as usize] = true;
                work.push((next, place.0, place.1));
                if place.1.is_some() {
                    work.push((builder.step(next, CONTAINER), place.0, None));
                }
            }
        }
    }
}

pub(crate) fn layouts(types: &Types, alphabet: &Alphabet) -> Vec<Layout> {
    let layout = |ty: &crate::types::Type| {
        let route = |steps: &[Step]| {
            let is_around =
                |p: &&(usize, &crate::types::Part)| p.1.steps.len() < steps.len() && steps.starts_with(&p.1.steps);
            let parts: Vec<_> = ty.parts.iter().enumerate().collect();
            let mut around: Vec<_> = parts.iter().filter(is_around).collect();
            around.sort_by_key(|(_, p)| std::cmp::Reverse(p.steps.len()));
            Route {
                letters: steps.iter().map(|s| alphabet.of_step(s)).collect(),
                around: around.into_iter().map(|(i, _)| *i as u16).collect(),
            }
        };
        Layout {
            refs: ty.refs.iter().map(|r| route(&r.steps)).collect(),
            parts: ty.parts.iter().map(|p| route(&p.steps)).collect(),
        }
    };
    types.types.iter().map(layout).collect()
}
