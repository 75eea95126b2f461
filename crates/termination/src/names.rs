//! What the state of a loop is called in the source: slots of functions, and variables in memory with their members.

use crate::relation::StateCell;
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_concolic::ConcolicMachine;
use spelunk_ir::code::{CheckedImage, Image, OpCode, OpIdx, Origin};
use spelunk_ir::debug::{ArrayLen, CType, CTypeId, DebugInfo, Encoding};
use spelunk_ir::model::{DbgRecordKind, FuncId, GlobalId, MdId, Program};
use spelunk_vm::Vm;
use spelunk_vm::memory::{ObjectId, ObjectKind, object_of};

/// Numbers and pointers of one variable that have names of their own.
const MOST_SCALARS: usize = 64;
/// Pointers that are followed to find names.
const MOST_POINTERS: usize = 64;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub name: String,
    pub is_signed: bool,
    /// Of its declaration.
    pub line: u32,
    pub n_bytes: u32,
    points_to: Option<CTypeId>,
}

/// A variable that lies in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub name: String,
    /// Of its declaration, if it is a local variable.
    pub line: Option<u32>,
    scalars: Vec<Scalar>,
}

/// A variable that is a number or a pointer, or a member or element that is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scalar {
    pub offset: u64,
    pub n_bytes: u32,
    /// As C has it: `ring.at`.
    pub name: String,
    pub is_signed: bool,
    points_to: Option<CTypeId>,
}

/// What pointers lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Target {
    n_bytes: u64,
    /// Their names are what stands behind that of the object: `.next`.
    scalars: Vec<Scalar>,
}

impl Variable {
    fn new(debug: &DebugInfo<'_>, name: &str, ty: CTypeId, line: Option<u32>) -> Self {
        let mut scalars = Vec::new();
        add_scalars(debug, ty, (name.to_owned(), 0), &mut scalars);
        Self { name: name.to_owned(), line, scalars }
    }

    /// The scalar that a byte belongs to.
    pub fn around(&self, offset: u64) -> Option<&Scalar> {
        self.scalars.iter().find(|it| (it.offset..it.offset + u64::from(it.n_bytes)).contains(&offset))
    }

    /// Some bytes: by the name of a scalar if they are one, and whether that is signed.
    pub fn bytes(&self, offset: u64, n: u32) -> (String, bool) {
        match self.around(offset) {
            Some(scalar) if (scalar.offset, scalar.n_bytes) == (offset, n) => (scalar.name.clone(), scalar.is_signed),
            _ if offset == 0 => (self.name.clone(), true),
            _ => (format!("{}@{offset}", self.name), true),
        }
    }
}

/// By address and length: what C has for it, and whether it is signed.
pub type Behind = FxHashMap<(u64, u32), (String, bool)>;

#[derive(Clone, Debug, Default)]
pub struct Names {
    /// By function and slot.
    slots: FxHashMap<(FuncId, u32), Named>,
    /// Local variables by the operation that makes them.
    locals: FxHashMap<OpIdx, Variable>,
    /// Variables of the program by the names of their symbols.
    statics: FxHashMap<Box<str>, Variable>,
    targets: FxHashMap<CTypeId, Target>,
}

impl Names {
    pub fn new(program: &Program, image: &Image) -> Self {
        let debug = DebugInfo::new(program);
        let mut names = Self::default();
        // Functions that nobody defines may have been added, and have no names.
        let functions = image.functions.iter().enumerate().take(program.functions.len());
        for (idx, code) in functions.filter(|(_, code)| code.origin == Origin::User) {
            let id = FuncId::new(idx);
            for &(slot, variable) in &code.variables {
                let Some(variable) = debug.local_variable(variable, None) else { continue };
                let Some(name) = variable.name else { continue };
                let named = Named {
                    name: name.to_owned(),
                    is_signed: is_signed(&debug, variable.ty),
                    line: variable.line,
                    n_bytes: debug.size_of(variable.ty).unwrap_or(0) as u32,
                    points_to: points_to(&debug, variable.ty),
                };
                names.slots.insert((id, slot), named);
            }
            names.add_locals(&debug, program, image, id);
        }
        for idx in 0..program.globals.len() {
            let id = GlobalId::new(idx);
            let Some(variable) = debug.global_variable(id) else { continue };
            let symbol = program.symbol(program.global(id).symbol).name.clone();
            names.statics.insert(symbol, Variable::new(&debug, variable.name, variable.ty, None));
        }
        names.add_targets(&debug);
        names
    }

    /// The types that pointers lead to, from any variable on.
    fn add_targets(&mut self, debug: &DebugInfo<'_>) {
        let of_variable =
            |variable: &Variable| variable.scalars.iter().filter_map(|it| it.points_to).collect::<Vec<_>>();
        let variables = self.locals.values().chain(self.statics.values());
        let mut waiting: Vec<CTypeId> = variables.flat_map(of_variable).collect();
        waiting.extend(self.slots.values().filter_map(|it| it.points_to));
        while let Some(ty) = waiting.pop() {
            if self.targets.contains_key(&ty) {
                continue;
            }
            let mut scalars = Vec::new();
            add_scalars(debug, ty, (String::new(), 0), &mut scalars);
            waiting.extend(scalars.iter().filter_map(|it| it.points_to));
            self.targets.insert(ty, Target { n_bytes: debug.size_of(ty).unwrap_or(0), scalars });
        }
    }

    /// What lies behind pointers of a function's frame and of the program. Pointers that a loop changes lead
    /// elsewhere in a moment.
    pub fn behind_pointers(&self, vm: &Vm<'_, ConcolicMachine>, function: FuncId, changing: &[StateCell]) -> Behind {
        let is_kept = |place: StateCell| !changing.contains(&place);
        let slots =
            self.slots.iter().filter(|((id, slot), _)| *id == function && is_kept(StateCell::Slot(*slot as usize)));
        let mut waiting: Vec<(u64, CTypeId, String)> = slots
            .filter_map(|((_, slot), it)| Some((vm.frame().get(*slot as usize)?.val, it.points_to?, it.name.clone())))
            .collect();
        for (idx, object) in vm.image().statics.iter().enumerate() {
            let base = vm.memory.object(ObjectId(idx as u32 + 1)).base();
            for scalar in self.statics.get(&object.name).into_iter().flat_map(|variable| &variable.scalars) {
                let at = base + scalar.offset;
                let place = StateCell::Bytes { addr: at, n: scalar.n_bytes };
                if let (Some(ty), true, Ok(word)) = (scalar.points_to, is_kept(place), vm.memory.load_word(at, 8)) {
                    waiting.push((word.val, ty, scalar.name.clone()));
                }
            }
        }
        waiting.sort_by(|a, b| (&a.2, a.0).cmp(&(&b.2, b.0)));
        let mut found = Behind::default();
        let mut seen: FxHashSet<u64> = FxHashSet::default();
        let mut next = 0;
        while let Some((addr, ty, pointer)) = waiting.get(next).cloned() {
            next += 1;
            let Some(Target { n_bytes, scalars }) = self.targets.get(&ty).filter(|target| target.n_bytes > 0) else {
                continue;
            };
            let id = object_of(addr);
            if id.0 == 0 || id.0 >= vm.memory.n_objects() || next > MOST_POINTERS || !seen.insert(addr) {
                continue;
            }
            let object = vm.memory.object(id);
            let end = object.base() + object.size();
            for idx in 0..(end.saturating_sub(addr) / n_bytes).min(MOST_SCALARS as u64) {
                for scalar in scalars {
                    let at = addr + idx * n_bytes + scalar.offset;
                    let name = match (idx, scalar.name.strip_prefix('.')) {
                        (0, Some(member)) => format!("{pointer}->{member}"),
                        (0, None) if end - addr == *n_bytes && scalar.name.is_empty() => format!("*{pointer}"),
                        _ => format!("{pointer}[{idx}]{}", scalar.name),
                    };
                    let place = StateCell::Bytes { addr: at, n: scalar.n_bytes };
                    if let (Some(ty), true, Ok(word)) = (scalar.points_to, is_kept(place), vm.memory.load_word(at, 8)) {
                        waiting.push((word.val, ty, name.clone()));
                    }
                    found.entry((at, scalar.n_bytes)).or_insert((name, scalar.is_signed));
                }
            }
        }
        found
    }

    /// The memory of a local variable is made where that is declared.
    fn add_locals(&mut self, debug: &DebugInfo<'_>, program: &Program, image: &Image, id: FuncId) {
        let code = &image.functions[id.index()];
        let declares = program.function(id).debug_records.iter();
        let mut declared: FxHashMap<u32, Option<MdId>> = FxHashMap::default();
        for record in declares.filter(|record| record.kind == DbgRecordKind::Declare) {
            let Some(location) = record.location else { continue };
            // A macro may declare several at one place.
            let entry = declared.entry(location.0).or_insert(Some(record.variable));
            *entry = entry.filter(|&other| other == record.variable);
        }
        for at in code.entry.0..code.end.0 {
            if image.ops[at as usize].code != OpCode::Alloca {
                continue;
            }
            let variable = declared.get(&image.locs[at as usize]).copied().flatten();
            let Some(variable) = variable.and_then(|id| debug.local_variable(id, None)) else { continue };
            let Some(name) = variable.name else { continue };
            self.locals.insert(OpIdx(at), Variable::new(debug, name, variable.ty, Some(variable.line)));
        }
    }

    pub fn slot(&self, function: FuncId, slot: u32) -> Option<&Named> {
        self.slots.get(&(function, slot))
    }

    /// Whether a variable of a function holds signed numbers. Of several with one name, any.
    pub fn is_signed(&self, function: FuncId, name: &str) -> bool {
        self.slots.iter().any(|((id, _), it)| *id == function && it.name == name && it.is_signed)
    }

    /// The variable that an address leads to.
    pub fn object(&self, vm: &Vm<'_, ConcolicMachine>, addr: u64) -> Option<&Variable> {
        let id = object_of(addr);
        if id.0 >= vm.memory.n_objects() {
            return None;
        }
        let object = vm.memory.object(id);
        match object.kind() {
            ObjectKind::Stack => self.locals.get(&object.born().as_local()),
            _ => self.statics.get(static_name(vm.image(), addr)?),
        }
    }
}

/// The symbol of a variable of the program.
pub fn static_name(image: &CheckedImage, addr: u64) -> Option<&str> {
    Some(&image.statics.get((object_of(addr).0 as usize).checked_sub(1)?)?.name)
}

fn points_to(debug: &DebugInfo<'_>, ty: CTypeId) -> Option<CTypeId> {
    match debug.ctype(debug.unqualified(ty)) {
        CType::Pointer { target } => Some(debug.unqualified(target)),
        _ => None,
    }
}

fn is_signed(debug: &DebugInfo<'_>, ty: CTypeId) -> bool {
    match debug.ctype(debug.unqualified(ty)) {
        CType::Base { encoding, .. } => matches!(encoding, Encoding::Signed | Encoding::SignedChar),
        CType::Enum { base: Some(base), .. } => is_signed(debug, base),
        _ => false,
    }
}

/// What a type is made of, where each part is a word. Unions and bit-fields are left out: their parts share bytes.
fn add_scalars(debug: &DebugInfo<'_>, ty: CTypeId, (name, offset): (String, u64), out: &mut Vec<Scalar>) {
    let unqualified = debug.unqualified(ty);
    match debug.ctype(unqualified) {
        CType::Record { kind: spelunk_ir::debug::RecordKind::Struct, members, .. } => {
            for member in members.into_iter().filter(|member| member.bit_width.is_none()) {
                let Some(of_member) = member.name else { continue };
                add_scalars(debug, member.ty, (format!("{name}.{of_member}"), offset + member.bit_offset / 8), out);
            }
        }
        CType::Array { elem, dims } => {
            let (&[ArrayLen::Known(len)], Some(size)) = (&dims[..], debug.size_of(elem)) else { return };
            for idx in 0..len.min(MOST_SCALARS as u64) {
                add_scalars(debug, elem, (format!("{name}[{idx}]"), offset + idx * size), out);
            }
        }
        CType::Base { .. } | CType::Enum { .. } | CType::Pointer { .. } => {
            let size = debug.size_of(unqualified).unwrap_or(0);
            if matches!(size, 1 | 2 | 4 | 8) && out.len() < MOST_SCALARS {
                let is_signed = is_signed(debug, unqualified);
                let points_to = points_to(debug, unqualified);
                out.push(Scalar { offset, n_bytes: size as u32, name, is_signed, points_to });
            }
        }
        _ => {}
    }
}
