//! Competition between definitions of one name, and the choice of library modules.
//!
//! Knows precedence, not what an alias leads to.

use super::{LinkError, Role};
use crate::model::{GlobalId, Linkage, ModuleId, Program, Symbol, SymbolId, SymbolKind};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The name of a symbol as an object file would spell it: a leading `\01` only says not to mangle further.
pub(super) fn linker_name(symbol: &Symbol) -> &str {
    symbol.name.strip_prefix('\u{1}').unwrap_or(&symbol.name)
}

/// Do other modules see this name?
pub(super) fn is_visible(symbol: &Symbol) -> bool {
    !matches!(symbol.linkage, Linkage::Internal | Linkage::Appending)
}

pub(super) fn is_intrinsic(symbol: &Symbol) -> bool {
    symbol.name.starts_with("llvm.")
}

/// Is this a definition rather than a declaration?
pub(super) fn defines(program: &Program, symbol: &Symbol) -> bool {
    match symbol.kind {
        SymbolKind::Function(function) => !program.function(function).is_declaration(),
        SymbolKind::Global(global) => program.global(global).init.is_some(),
        SymbolKind::Alias(_) | SymbolKind::IFunc => true,
    }
}

/// How strongly a definition claims its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Strength {
    /// A copy for the optimizer; the real one is expected elsewhere.
    Copy,
    Weak,
    Common,
    Strong,
}

/// A name that modules share.
#[derive(Debug)]
struct Slot {
    /// The best definition so far.
    winner: Option<(Claim, SymbolId)>,
    /// The first declaration that must find a definition.
    needed_by: Option<SymbolId>,
}

/// Orders definitions of one name. The program's own beat the library's, but a mere copy loses against both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Claim {
    is_real: bool,
    role: Role,
    strength: Strength,
}

#[derive(Debug, Default)]
pub(super) struct Resolution {
    /// In link order.
    pub linked: Vec<ModuleId>,
    /// Symbols of the linked modules, module after module.
    pub symbols: Vec<SymbolId>,
    pub common_align: FxHashMap<GlobalId, u32>,
    slots: Vec<Slot>,
    /// The slot of each visible symbol of a linked module.
    slot_of: Vec<Option<u32>>,
}

impl Resolution {
    /// The definition that won the name of a visible symbol.
    pub fn winner(&self, symbol: SymbolId) -> Option<SymbolId> {
        let slot = self.slot_of[symbol.index()]?;
        self.slots[slot as usize].winner.map(|(_, winner)| winner)
    }

    pub fn undefined(&self, program: &Program) -> Vec<SymbolId> {
        let open = self.slots.iter().filter(|slot| slot.winner.is_none()).filter_map(|slot| slot.needed_by);
        open.filter(|&symbol| !is_intrinsic(program.symbol(symbol))).collect()
    }
}

pub(super) fn resolve(program: &Program, role: impl Fn(ModuleId) -> Role) -> Result<Resolution, LinkError> {
    let mut resolver = Resolver::new(program);
    let mut library = FxHashMap::default();
    for module in (0..program.modules.len()).map(ModuleId::new) {
        match role(module) {
            Role::Program => resolver.add_module(module, Role::Program)?,
            Role::Library => resolver.index_library(module, &mut library),
        }
    }
    let mut is_linked = vec![false; program.modules.len()];
    while let Some(slot) = resolver.pending.pop_front() {
        if resolver.result.slots[slot as usize].winner.is_some() {
            continue;
        }
        let Some(&module) = library.get(&slot_name(program, &resolver.result, slot)) else { continue };
        if !std::mem::replace(&mut is_linked[module.index()], true) {
            resolver.add_module(module, Role::Library)?;
        }
    }
    Ok(resolver.result)
}

fn slot_name<'p>(program: &'p Program, resolution: &Resolution, slot: u32) -> &'p str {
    let slot = &resolution.slots[slot as usize];
    slot.needed_by.map_or("", |symbol| linker_name(program.symbol(symbol)))
}

struct Resolver<'p> {
    program: &'p Program,
    module_symbols: Vec<Vec<SymbolId>>,
    slot_by_name: FxHashMap<&'p str, u32>,
    /// Slots that became needed, to be looked up in the library.
    pending: VecDeque<u32>,
    result: Resolution,
}

impl<'p> Resolver<'p> {
    fn new(program: &'p Program) -> Self {
        let mut module_symbols = vec![Vec::new(); program.modules.len()];
        for (index, symbol) in program.symbols.iter().enumerate() {
            module_symbols[symbol.module.index()].push(SymbolId::new(index));
        }
        let result = Resolution { slot_of: vec![None; program.symbols.len()], ..Resolution::default() };
        Self { program, module_symbols, slot_by_name: FxHashMap::default(), pending: VecDeque::new(), result }
    }

    /// Notes what a library module could contribute. The first module that defines a name provides it.
    fn index_library(&self, module: ModuleId, index: &mut FxHashMap<&'p str, ModuleId>) {
        for &id in &self.module_symbols[module.index()] {
            let symbol = self.program.symbol(id);
            if is_visible(symbol) && self.strength(symbol).is_some_and(|strength| strength > Strength::Copy) {
                index.entry(linker_name(symbol)).or_insert(module);
            }
        }
    }

    fn add_module(&mut self, module: ModuleId, role: Role) -> Result<(), LinkError> {
        self.result.linked.push(module);
        for id in std::mem::take(&mut self.module_symbols[module.index()]) {
            self.result.symbols.push(id);
            let symbol = self.program.symbol(id);
            if is_visible(symbol) {
                self.add_symbol(id, symbol, role)?;
            }
        }
        Ok(())
    }

    fn add_symbol(&mut self, id: SymbolId, symbol: &'p Symbol, role: Role) -> Result<(), LinkError> {
        let slots = &mut self.result.slots;
        let slot = *self.slot_by_name.entry(linker_name(symbol)).or_insert_with(|| {
            slots.push(Slot { winner: None, needed_by: None });
            slots.len() as u32 - 1
        });
        self.result.slot_of[id.index()] = Some(slot);
        match self.strength(symbol) {
            Some(strength) => {
                let claim = Claim { is_real: strength > Strength::Copy, role, strength };
                self.add_definition(slot, claim, id)?;
            }
            None if symbol.linkage == Linkage::ExternWeak => {}
            None => {
                let needed_by = &mut self.result.slots[slot as usize].needed_by;
                if needed_by.is_none() {
                    *needed_by = Some(id);
                    self.pending.push_back(slot);
                }
            }
        }
        Ok(())
    }

    fn add_definition(&mut self, slot: u32, claim: Claim, id: SymbolId) -> Result<(), LinkError> {
        let winner = &mut self.result.slots[slot as usize].winner;
        let Some((held, holder)) = *winner else {
            *winner = Some((claim, id));
            return Ok(());
        };
        if claim > held {
            *winner = Some((claim, id));
        } else if claim == held && claim.strength == Strength::Strong {
            return Err(self.duplicate(holder, id));
        } else if claim == held && claim.strength == Strength::Common {
            self.merge_common(slot, holder, id);
        }
        Ok(())
    }

    /// Two common variables become one with the larger size and the stricter alignment.
    fn merge_common(&mut self, slot: u32, holder: SymbolId, other: SymbolId) {
        let (Some(held), Some(new)) = (self.global(holder), self.global(other)) else { return };
        let align = self.common_align(held).max(self.common_align(new));
        let larger = if self.size(new) > self.size(held) {
            if let Some((_, winner)) = &mut self.result.slots[slot as usize].winner {
                *winner = other;
            }
            new
        } else {
            held
        };
        if align > self.program.global(larger).align {
            self.result.common_align.insert(larger, align);
        }
    }

    fn common_align(&self, global: GlobalId) -> u32 {
        self.result.common_align.get(&global).copied().unwrap_or(self.program.global(global).align)
    }

    fn size(&self, global: GlobalId) -> u64 {
        let variable = self.program.global(global);
        let module = self.program.symbol(variable.symbol).module;
        let layout = self.program.modules[module.index()].data_layout;
        self.program.types.alloc_size(layout, variable.ty).unwrap_or(0)
    }

    fn global(&self, symbol: SymbolId) -> Option<GlobalId> {
        match self.program.symbol(symbol).kind {
            SymbolKind::Global(global) => Some(global),
            _ => None,
        }
    }

    /// How strongly a symbol defines its name; `None` for a declaration.
    fn strength(&self, symbol: &Symbol) -> Option<Strength> {
        defines(self.program, symbol).then_some(match symbol.linkage {
            Linkage::AvailableExternally => Strength::Copy,
            Linkage::Weak | Linkage::ExternWeak => Strength::Weak,
            Linkage::Common => Strength::Common,
            Linkage::External | Linkage::Internal | Linkage::Appending => Strength::Strong,
        })
    }

    fn duplicate(&self, first: SymbolId, second: SymbolId) -> LinkError {
        let module_name = |id: SymbolId| self.program.modules[self.program.symbol(id).module.index()].name.clone();
        LinkError::Duplicate {
            symbol: linker_name(self.program.symbol(first)).to_owned(),
            first: module_name(first),
            second: module_name(second),
        }
    }
}
