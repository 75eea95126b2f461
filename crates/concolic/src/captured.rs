//! The heap that a sequence of calls has built, as an example to learn rules from.

use crate::graph::shapes::{Learning, TypeTable};
use crate::machine::ConcolicMachine;
use rustc_hash::FxHashSet;
use spelunk_hex::{Example, ObjIx, Spot, TypeId};
use spelunk_vm::Vm;

/// Larger heaps say little that smaller ones don't, and take long to check.
const MAX_OBJECTS: usize = 200;

struct Capture<'a, 'p> {
    vm: &'a Vm<'p, ConcolicMachine>,
    table: &'a TypeTable,
    /// In the order in which they were met. The first is the parameter, which is nowhere.
    objects: Vec<(TypeId, u64)>,
    /// The addresses of all that is in them.
    places: FxHashSet<u64>,
}

/// All that can be reached from the structure, which is at `room` or pointed to from there. Nothing if it is no complete heap: a pointer
/// is uninitialised, leads to memory that is not there, or into the middle of an object of another type.
pub(crate) fn capture(vm: &Vm<'_, ConcolicMachine>, learning: &Learning, room: u64) -> Option<Example> {
    let table = &learning.table;
    let root = table.types.roots.first()?.ty;
    let mut capture = Capture { vm, table, objects: vec![(root, 0)], places: FxHashSet::default() };
    let structure = if learning.is_pointer { capture.pointer(room)? } else { room };
    let target = table.types.get(root).refs.first()?.target?;
    let mut example = Example { objects: vec![(root, vec![capture.place(target, structure)?])] };
    while let Some(&(ty, addr)) = capture.objects.get(example.objects.len()) {
        let refs = table.types.get(ty).refs.iter().zip(table.offsets(ty));
        let targets = refs.map(|(reference, offset)| match reference.target {
            Some(target) => capture.place(target, capture.pointer(addr + u64::from(*offset))?),
            None => Some(None),
        });
        example.objects.push((ty, targets.collect::<Option<_>>()?));
    }
    Some(example)
}

impl Capture<'_, '_> {
    fn pointer(&self, addr: u64) -> Option<u64> {
        let word = self.vm.memory.load_word(addr, 8).ok()?;
        (word.undef == 0).then_some(word.val)
    }

    /// What a pointer to a type points to; nothing if that is not to be told, or null.
    fn place(&mut self, ty: TypeId, addr: u64) -> Option<Option<Spot>> {
        if addr == 0 {
            return Some(None);
        }
        let known = self.objects.iter().enumerate().skip(1).find_map(|(number, &(outer, start))| {
            let part = self.table.at(outer, addr.checked_sub(start)?, ty)?;
            Some(Spot { object: ObjIx(number as u32), part })
        });
        if known.is_some() {
            return Some(known);
        }
        self.vm.memory.resolve(addr, 1).ok()?;
        // Rules speak of objects that don't overlap.
        let is_apart = self.table.offsets(ty).iter().all(|offset| self.places.insert(addr + u64::from(*offset)));
        if !is_apart || self.objects.len() > MAX_OBJECTS {
            return None;
        }
        self.objects.push((ty, addr));
        Some(Some(Spot { object: ObjIx(self.objects.len() as u32 - 1), part: None }))
    }
}
