//! What a path owes to functions that nobody defines.
//!
//! What such a function returns is made up. An error that a path meets is as doubtful as what its conditions say of such
//! results; those that no condition speaks of could be any others.

use crate::key::Root;
use crate::ledger::LedgerKind;
use crate::machine::{ConcolicMachine, Noted};
use rustc_hash::FxHashSet;
use spelunk_expr::FreeVars;
use spelunk_vm::BugKind;
use std::sync::Arc;

/// The functions without a definition whose results the conditions of a path speak of, each once. That a value is not
/// initialised may also be due to what they have not written.
pub(crate) fn made_up(machine: &ConcolicMachine, externals: &[Box<str>], noted: &Noted, bug: BugKind) -> Vec<Arc<str>> {
    let called = |entry: &crate::ledger::LedgerEntry| match entry.kind {
        LedgerKind::Stub(external) => Some(&*externals[external as usize]),
        _ => None,
    };
    let mut called: Vec<&str> = noted.ledger.iter().filter_map(called).collect();
    called.sort_unstable();
    called.dedup();
    // What a pointer of the input leads to is up to whoever passes it.
    called.retain(|name| !name.starts_with("(*"));
    if !called.is_empty()
        && bug != BugKind::Uninitialised
        && let Some(decisive) = decisive(machine, noted)
    {
        called.retain(|name| decisive.contains(name));
    }
    called.into_iter().map(Arc::from).collect()
}

/// The functions without a definition whose results conditions speak of; nothing if not all variables of these are known.
fn decisive<'m>(machine: &'m ConcolicMachine, noted: &Noted) -> Option<FxHashSet<&'m str>> {
    let mut free = FreeVars::new();
    let mut all = spelunk_expr::VarSetId::EMPTY;
    for decision in noted.decisions.iter() {
        let of_one = free.of(&machine.pool, decision.cond);
        all = free.union(all, of_one);
    }
    let mut functions = FxHashSet::default();
    for var in free.iter(all) {
        if let Root::Result(function, _) = &machine.inputs.heap.node(machine.variables.place(var)?.object).key.root {
            functions.insert(&**function);
        }
    }
    Some(functions)
}
