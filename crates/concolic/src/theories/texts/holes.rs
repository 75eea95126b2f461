//! Words of holes: the automaton of their token, as conditions on their bytes.

use super::Text;
use super::chunks::Tail;
use crate::byte_set::ByteSet;
use crate::decision::DecisionKind;
use crate::machine::ConcolicMachine;
use crate::theories::strings::mk_member;
use spelunk_expr::ExprId;
use spelunk_grammar::{Dfa, Hole};
use spelunk_ir::code::OpIdx;

/// Makes variables of the bytes of a hole, from a number on, and takes for granted that they are a word of its token.
pub(super) fn grant(machine: &mut ConcolicMachine, site: OpIdx, text: &Text, hole: Hole, first: u32) {
    let bytes: Vec<ExprId> = (first..first + hole.len).map(|number| machine.byte_variable(number)).collect();
    if text.is_free {
        return;
    }
    let language = text.templates.symbolic.words(hole.language);
    for cond in conditions(machine, language, &bytes, text.is_file) {
        machine.decide(site, DecisionKind::Granted, 0, cond);
    }
}

/// Makes a variable of a byte of a hole whose length is open, by its place: behind the first, the string may end.
pub(super) fn grant_open(machine: &mut ConcolicMachine, site: OpIdx, tail: &Tail, place: u32, number: u32) {
    let byte = machine.byte_variable(number);
    let set = if place == 0 { tail.first } else { tail.rest.with(0) };
    let cond = mk_member(&mut machine.pool, byte, &set);
    machine.decide(site, DecisionKind::Granted, 0, cond);
}

/// What has to hold of bytes for them to be a word: for each by itself where that says all, for all at once otherwise.
/// Strings have no zeros.
fn conditions(machine: &mut ConcolicMachine, language: &Dfa, bytes: &[ExprId], is_file: bool) -> Vec<ExprId> {
    let layers = language.unrolled(bytes.len()).expect("there are words of this length");
    let step = |state: u32, to: Option<u32>, layer: &[u32]| {
        let leads = |byte: &u8| {
            let next = language.step(state, *byte);
            layer.binary_search(&next).is_ok() && to.is_none_or(|to| to == next)
        };
        (u8::from(!is_file)..=u8::MAX).filter(leads).fold(ByteSet::default(), ByteSet::with)
    };
    // Bytes are independent of each other if, at each place, all states allow the same.
    let sets: Vec<Vec<ByteSet>> = (0..bytes.len())
        .map(|at| layers[at].iter().map(|&state| step(state, None, &layers[at + 1])).collect())
        .collect();
    if sets.iter().all(|sets| sets.iter().all(|set| *set == sets[0])) {
        return bytes.iter().zip(&sets).map(|(&byte, sets)| mk_member(&mut machine.pool, byte, &sets[0])).collect();
    }
    let mut reached = vec![ExprId::TRUE];
    for (at, &byte) in bytes.iter().enumerate() {
        let mut next = Vec::new();
        for &to in &layers[at + 1] {
            let mut here = ExprId::FALSE;
            for (&state, &before) in layers[at].iter().zip(&reached) {
                let set = step(state, Some(to), &layers[at + 1]);
                if !set.is_empty() {
                    let member = mk_member(&mut machine.pool, byte, &set);
                    let comes = machine.pool.mk_and(before, member);
                    here = machine.pool.mk_or(here, comes);
                }
            }
            next.push(here);
        }
        reached = next;
    }
    vec![reached.into_iter().fold(ExprId::FALSE, |any, end| machine.pool.mk_or(any, end))]
}
