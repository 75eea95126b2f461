//! What the state of a loop is called in the source: slots of functions, and variables in memory with their members.

use rustc_hash::FxHashMap;
use spelunk_concolic::ConcolicMachine;
use spelunk_ir::code::{CheckedImage, Image, OpCode, OpIdx, Origin};
use spelunk_ir::debug::{ArrayLen, CType, CTypeId, DebugInfo, Encoding};
use spelunk_ir::model::{DbgRecordKind, FuncId, GlobalId, MdId, Program};
use spelunk_vm::Vm;
use spelunk_vm::memory::{ObjectKind, object_of};

/// Numbers and pointers of one variable that have names of their own.
const MOST_SCALARS: usize = 64;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub name: String,
    pub is_signed: bool,
    /// Of its declaration.
    pub line: u32,
    pub n_bytes: u32,
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

#[derive(Clone, Debug, Default)]
pub struct Names {
    /// By function and slot.
    slots: FxHashMap<(FuncId, u32), Named>,
    /// Local variables by the operation that makes them.
    locals: FxHashMap<OpIdx, Variable>,
    /// Variables of the program by the names of their symbols.
    statics: FxHashMap<Box<str>, Variable>,
}

impl Names {
    pub fn new(program: &Program, image: &Image) -> Self {
        let debug = DebugInfo::new(program);
        let mut names = Self::default();
        for (idx, code) in image.functions.iter().enumerate().filter(|(_, code)| code.origin == Origin::User) {
            let id = FuncId::new(idx);
            for &(slot, variable) in &code.variables {
                let Some(variable) = debug.local_variable(variable, None) else { continue };
                let Some(name) = variable.name else { continue };
                let named = Named {
                    name: name.to_owned(),
                    is_signed: is_signed(&debug, variable.ty),
                    line: variable.line,
                    n_bytes: debug.size_of(variable.ty).unwrap_or(0) as u32,
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
        names
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
                out.push(Scalar { offset, n_bytes: size as u32, name, is_signed });
            }
        }
        _ => {}
    }
}
