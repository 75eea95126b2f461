//! Recursion without an end: which functions may call themselves, and what has to hold for the state of a call to be that of an
//! earlier one.
//!
//! Such a run ends, when the stack does. So the kind of bug is the one that the machine has for that, and nothing is said to recurse for
//! ever that does not come there when it is run on: a guard that looks at the addresses of local variables is no part of any
//! relation.

use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_concolic::{ConcolicMachine, aside};
use spelunk_ir::code::{CheckedImage, OpIdx, Origin, Target};
use spelunk_ir::flow::Callee;
use spelunk_ir::model::FuncId;
use spelunk_vm::memory::{Life, ObjectId, ObjectKind, object_of};
use spelunk_vm::{BugKind, Machine, Muted, Stop, Vm};

type Program<'p> = Vm<'p, ConcolicMachine>;

/// Operations until the stack has to be exhausted.
const LIMIT: u64 = 20_000_000;
/// Bytes of memory that are searched for pointers.
const MOST_SEARCHED: u64 = 1 << 22;

/// The user's functions that may lie on a ring of calls: those that are called, and call, among themselves. Some of them may just lie
/// between two rings.
pub fn candidates(image: &CheckedImage) -> Vec<FuncId> {
    let is_ours = |id: &FuncId| {
        let code = &image.functions[id.index()];
        code.target == Target::Code && code.origin == Origin::User && !code.varargs
    };
    let ids = (0..image.functions.len()).map(FuncId::new).filter(is_ours);
    let mut callees: FxHashMap<FuncId, (FxHashSet<FuncId>, bool)> = ids.map(|id| (id, callees(image, id))).collect();
    loop {
        let by_pointer = callees.values().any(|(_, by_pointer)| *by_pointer);
        let called: FxHashSet<FuncId> = callees.values().flat_map(|(direct, _)| direct.iter().copied()).collect();
        let left: FxHashSet<FuncId> = callees.keys().copied().collect();
        callees.retain(|id, (direct, is_open)| {
            (by_pointer || called.contains(id)) && (*is_open || direct.iter().any(|callee| left.contains(callee)))
        });
        if callees.len() == left.len() {
            break;
        }
    }
    let mut found: Vec<FuncId> = callees.into_keys().collect();
    found.sort_unstable();
    found
}

/// Those that are named, and whether there are calls through pointers.
fn callees(image: &CheckedImage, function: FuncId) -> (FxHashSet<FuncId>, bool) {
    let mut direct = FxHashSet::default();
    let mut by_pointer = false;
    for (_, callee) in image.flow(function).blocks.calls() {
        match callee {
            Callee::Function(id) => {
                direct.insert(match image.functions[id.index()].target {
                    Target::Function(definition) => definition,
                    _ => id,
                });
            }
            Callee::Pointer(_) => by_pointer = true,
            Callee::External(_) => {}
        }
    }
    (direct, by_pointer)
}

/// Whether the function that starts here waits for the call that is at its start. Of a ring of functions, only the first in the code is
/// said to, so that a ring is reported once.
pub fn is_nested(vm: &Program<'_>, entry: OpIdx) -> bool {
    let image = vm.image();
    let entries = vm.trace().into_iter().skip(1).filter_map(|call| Some(image.function_at(call)?.entry));
    let mut from_here_on = entries.skip_while(|&other| other > entry);
    from_here_on.next() == Some(entry)
}

/// Whether the present run, when it goes on, ends because there is no room on the stack.
pub fn exhausts_stack(vm: &mut Program<'_>, head: OpIdx) -> bool {
    let run = |vm: &mut Program<'_>| {
        // Nothing is to be decided: it is about this input.
        vm.machine.mute(head, Muted::Output);
        let end = vm.run_from(head);
        vm.machine.unmute();
        Ok(matches!(end, Err(Stop::Bug(bug)) if bug.kind == BugKind::StackExhausted))
    };
    aside::try_out(vm, LIMIT, run).is_ok_and(|(is_exhausted, _)| is_exhausted)
}

/// Whether values that are not what they were only lead to other local variables, of calls between: these hold the same, and nothing else
/// leads to the former ones. `others` are all values that the call was given before.
pub fn is_renaming(vm: &Program<'_>, renamed: &[(u64, u64)], others: impl Iterator<Item = u64>) -> bool {
    let others: Vec<u64> = others.collect();
    let mut objects: Vec<(ObjectId, ObjectId)> = Vec::new();
    for &(before, now) in renamed {
        let pair = (object_of(before), object_of(now));
        let is_known = objects.contains(&pair);
        let is_new = !objects.iter().any(|&(old, new)| old == pair.0 || new == pair.1);
        if !(is_known || is_new && is_same_local(vm, pair)) || offset(vm, before) != offset(vm, now) {
            return false;
        }
        if is_new {
            objects.push(pair);
        }
    }
    let leads_there = |value: u64| objects.iter().any(|&(old, _)| object_of(value) == old);
    let is_renamed = |value: &u64| renamed.iter().any(|(before, _)| before == value);
    !others.iter().any(|&value| leads_there(value) && !is_renamed(&value)) && !is_anywhere(vm, leads_there)
}

/// In the object that an address belongs to.
fn offset(vm: &Program<'_>, addr: u64) -> u64 {
    addr.wrapping_sub(vm.memory.object(object_of(addr)).base())
}

fn is_same_local(vm: &Program<'_>, (old, new): (ObjectId, ObjectId)) -> bool {
    let n_objects = vm.memory.n_objects();
    if old.0 >= n_objects || new.0 >= n_objects {
        return false;
    }
    let (old, new) = (vm.memory.object(old), vm.memory.object(new));
    let is_local =
        |object: &spelunk_vm::memory::Object| object.kind() == ObjectKind::Stack && object.life() == Life::Live;
    let byte = |addr: u64| vm.memory.load_word(addr, 1).ok().map(|word| (word.val, word.undef));
    let is_same = |at: u64| byte(old.base() + at).is_some_and(|before| Some(before) == byte(new.base() + at));
    is_local(old) && is_local(new) && old.size() == new.size() && (0..old.size()).all(is_same)
}

/// Whether a word in memory has such a value.
fn is_anywhere(vm: &Program<'_>, is_it: impl Fn(u64) -> bool) -> bool {
    if vm.memory.used() > MOST_SEARCHED {
        return true;
    }
    let objects = (1..vm.memory.n_objects()).map(|number| vm.memory.object(ObjectId(number)));
    let mut living = objects.filter(|object| object.life() == Life::Live && object.kind() != ObjectKind::Function);
    living.any(|object| {
        let mut words = (0..object.size() / 8).map(|idx| object.base() + 8 * idx);
        words.any(|addr| vm.memory.load_word(addr, 8).map_or(true, |word| is_it(word.val)))
    })
}
