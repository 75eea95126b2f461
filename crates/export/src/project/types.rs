//! The types that code behind a source can name: those of its functions, their variables, and the variables of the file.

use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_concolic::graph::layout::Layout;
use spelunk_ir::debug::{CType, CTypeId, DebugInfo};
use spelunk_ir::model::{FuncId, GlobalId, Program};

/// Signs of what C can't write where a type is expected, or what no variable can be declared with by a prefix alone.
const UNSPELLABLE: [&str; 5] = ["<", "[", "(", "__vector", "_Complex"];

/// Types by their names.
#[derive(Debug, Default)]
pub struct Types {
    /// How many bytes those have that are complete; a forward declaration has none.
    sizes: FxHashMap<String, Option<u64>>,
}

impl Types {
    pub fn of_source(program: &Program, debug: &DebugInfo<'_>, source: usize) -> Self {
        let mut types = Self::default();
        let mut seen = FxHashSet::default();
        let is_here = |symbol| program.symbol(symbol).module.index() == source;
        for number in (0..program.functions.len()).map(FuncId::new) {
            if is_here(program.function(number).symbol) {
                let Some(subprogram) = debug.function(number) else { continue };
                types.add(debug, subprogram.ty, &mut seen);
                debug.local_variables(number).iter().for_each(|variable| types.add(debug, variable.ty, &mut seen));
            }
        }
        for number in (0..program.globals.len()).map(GlobalId::new) {
            if is_here(program.global(number).symbol) {
                let Some(variable) = debug.global_variable(number) else { continue };
                types.add(debug, variable.ty, &mut seen);
            }
        }
        types
    }

    fn add(&mut self, debug: &DebugInfo<'_>, first: CTypeId, seen: &mut FxHashSet<CTypeId>) {
        let mut waiting = vec![first];
        while let Some(ty) = waiting.pop() {
            if !seen.insert(ty) {
                continue;
            }
            let ctype = debug.ctype(ty);
            let size = match &ctype {
                // Another source may have the definition, which is no help here.
                CType::Record { size, .. } | CType::Enum { size, .. } => *size,
                _ => debug.size_of(ty),
            };
            let known = self.sizes.entry(debug.type_name(ty)).or_default();
            *known = known.or(size);
            match ctype {
                CType::Pointer { target } | CType::Qualified { target, .. } | CType::Typedef { target, .. } => {
                    waiting.push(target);
                }
                CType::Record { members, .. } => waiting.extend(members.iter().map(|member| member.ty)),
                CType::Array { elem, .. } | CType::Vector { elem, .. } => waiting.push(elem),
                CType::Function { ret, params, .. } => {
                    waiting.push(ret);
                    waiting.extend(params);
                }
                CType::Void | CType::Base { .. } | CType::Enum { .. } | CType::Unknown => {}
            }
        }
    }

    /// Whether a pointer of this type can be declared: what it leads to need not be complete.
    pub fn can_point_to(&self, pointer: &str) -> bool {
        let Some(pointee) = pointer.strip_suffix('*').map(|pointee| pointee.trim_end_matches(['*', ' '])) else {
            return false;
        };
        let is_spellable = UNSPELLABLE.iter().all(|sign| !pointee.contains(sign));
        let has_tag = ["struct ", "union "].iter().any(|tag| pointee.starts_with(tag));
        is_spellable && (has_tag || self.sizes.contains_key(pointee))
    }

    /// How many bytes C says that an object of a layout has; nothing if its type can't be named here.
    pub fn size_of(&self, layout: &Layout) -> Option<u64> {
        let is_spellable = UNSPELLABLE.iter().all(|sign| !layout.name.contains(sign));
        self.sizes.get(&layout.name).copied().flatten().filter(|_| is_spellable)
    }
}

/// Declares a variable that points to objects of a type.
pub fn pointer_to(ty: &str, variable: &str) -> String {
    let space = if ty.ends_with('*') { "" } else { " " };
    format!("{ty}{space}*{variable}")
}
