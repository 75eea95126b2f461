//! Long strings that nobody has asked for: how far they are explored.
//!
//! Code that goes over strings byte by byte has no end of paths if they are long. It has been explored with short ones, so of a long
//! one no byte behind those is decided on, and how long it is only so many times at one place: loops count. Of a run that goes far with
//! one, only the beginning is gone on from, and nothing that is about a string whose length nobody has asked for.

use super::super::{Opening, Verdict};
use crate::graph::heap::NodeId;
use crate::input::InputEditor;
use crate::ledger::Bound;
use crate::machine::ConcolicMachine;
use crate::query::Constraints;
use spelunk_expr::{FreeVars, VarId};

/// So many decisions of a run at one place may be about the length of long strings.
const MAX_AT_SITE: usize = 16;

/// So many decisions of a run are gone on from.
const MAX_DEPTH: usize = 256;

/// What a condition says of a long string.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    Length,
    /// Of bytes that are not decided on.
    Byte,
}

pub(super) fn admit(free_vars: &mut FreeVars, machine: &ConcolicMachine, opening: &Opening<'_>) -> Verdict {
    if !machine.inputs.has_long() {
        return Verdict::Open;
    }
    let vars = free_vars.of(&machine.pool, opening.cond);
    let about = free_vars.iter(vars).filter_map(|var| about(machine, var));
    let Some((about, usual)) = about.max() else { return Verdict::Open };
    if opening.index >= MAX_DEPTH {
        return Verdict::Beyond(Bound::String(usual));
    }
    let before = opening.path[..opening.index].iter().rev().filter(|decision| decision.site == opening.site);
    match about {
        About::Length if before.take(MAX_AT_SITE).count() < MAX_AT_SITE => Verdict::Open,
        _ => Verdict::Beyond(Bound::String(usual)),
    }
}

/// What a variable says of a long string, and how long it is usually.
fn about(machine: &ConcolicMachine, var: VarId) -> Option<(About, u32)> {
    let usual = |object: NodeId| {
        let node = machine.inputs.heap.node(object);
        let is_long = machine.inputs.of_node(object).is_some_and(|made| made.len > node.count);
        (node.is_elastic() && is_long).then_some(node.count)
    };
    let variables = &machine.variables;
    if let Some(place) = variables.place(var) {
        let usual = usual(place.object)?;
        let is_behind = place.offset + place.n_bytes > usual || !machine.inputs.is_searched(place.object);
        return is_behind.then_some((About::Byte, usual));
    }
    let object = variables.search(var).map(|search| search.object);
    let object = object.or_else(|| variables.found_byte(var).map(|byte| byte.object))?;
    Some((About::Length, usual(object)?))
}

/// Makes strings short of which a query says nothing that only a long one has: that they are long is left over from the input that the path comes
/// from, and what is behind the query is to be explored with short ones.
pub(super) fn shorten(
    free_vars: &mut FreeVars,
    machine: &ConcolicMachine,
    query: &Constraints<'_>,
    input: &mut InputEditor,
) {
    let heap = &machine.inputs.heap;
    let mut long = heap.long_strings(input.objects());
    if long.is_empty() {
        return;
    }
    for &cond in query.asked {
        let vars = free_vars.of(&machine.pool, cond);
        for var in free_vars.iter(vars) {
            let variables = &machine.variables;
            let place = variables.place(var).map(|place| (place.object, place.offset + place.n_bytes));
            let search = || variables.search(var).map(|search| (search.object, search.end()));
            let found = || variables.found_byte(var).map(|byte| (byte.object, u32::MAX));
            if let Some((object, end)) = place.or_else(search).or_else(found) {
                let (home, at) = query.home_of(object);
                long.retain(|&node| node != home || at.saturating_add(end) <= heap.node(node).count);
            }
        }
    }
    for node in long {
        let usual = heap.node(node).count as usize;
        input.object_mut(&heap.node(node).key, || heap.unsaid(node)).bytes.truncate(usual);
    }
}
