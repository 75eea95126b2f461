//! What pointers lead to beyond their types: a `void *` that is used as a `struct job *`, and a `struct link *` from which the code gets to
//! the `struct job` around it, by `container_of` or by a cast.
//!
//! Sources of pointers are parameters and members of structures. `Reader` says which of them a value of the code may come from, and how far
//! from there it is; where such a value is kept in a variable of another type, or its members are accessed, it is used as that type. Where
//! uses contradict each other, there is no guess.

use super::{Guessing, MAX_DEPTH};
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_ir::debug::{CType, CTypeId, RecordKind, ScalarKind, Subprogram};
use spelunk_ir::model::{
    Callee, ConstKind, DbgRecordKind, FuncId, Function, InstKind, Operand, Program, Type, TypeId, ValueId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Where a pointer of the input comes from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Source {
    /// A parameter of the function, by number.
    Param(usize),
    /// A member of a structure, by the key of that.
    Member(String, String),
}

/// A pointer, and how many bytes behind where it leads to.
type Moved = (Source, i64);

/// Such a place is used as a structure, by its key.
type Uses = BTreeSet<(Moved, String)>;

/// A value may come from as many sources; more say nothing.
const MAX_SOURCES: usize = 8;

/// How far around a pointer a structure may begin.
const MAX_DISTANCE: i64 = 1 << 12;

/// How many structures are looked at behind parameters.
const MAX_RECORDS: usize = 256;

impl<'p> Guessing<'_, 'p> {
    /// What the parameters of a function lead to, by number, and then what members do, each as a setting says it.
    pub fn of_casts(&self, id: FuncId, subprogram: &Subprogram<'p>) -> (BTreeMap<usize, String>, Vec<String>) {
        let mut known = FxHashMap::default();
        let uses = self.uses(id, 0, &mut known);
        let mut by_source: BTreeMap<&Source, BTreeSet<(i64, &str)>> = BTreeMap::new();
        for ((source, at), record) in &uses {
            by_source.entry(source).or_default().insert((*at, record));
        }
        let mut params = BTreeMap::new();
        for (number, param) in subprogram.params.iter().enumerate() {
            let target = by_source.get(&Source::Param(number)).and_then(|uses| self.used_as(param.ty, uses));
            params.extend(target.map(|target| (number, target)));
        }
        let starts = subprogram.params.iter().map(|param| param.ty);
        let hosts = params.values().filter_map(|host| self.functions.debug.record_named(host.split('.').next()?));
        let reached = self.reached(starts.chain(hosts).collect());
        let mut members = Vec::new();
        for (source, uses) in by_source {
            let Source::Member(record, member) = source else { continue };
            let is_said = self.said.iter().any(|said| said.path.ends_with(&format!(".{member}")));
            let ty = self.members(record).into_iter().find(|(name, _)| name == member).map(|(_, ty)| ty);
            if let Some(target) =
                ty.filter(|_| !is_said && reached.contains(record)).and_then(|ty| self.used_as(ty, &uses))
            {
                members.push(format!("{record}.{member}={target}"));
            }
        }
        (params, members)
    }

    /// What a pointer of this type leads to if what it leads to is used so.
    fn used_as(&self, ty: CTypeId, uses: &BTreeSet<(i64, &str)>) -> Option<String> {
        let target = self.plain(self.target(ty)?);
        if !matches!(self.functions.debug.ctype(target), CType::Void | CType::Record { .. }) {
            return None;
        }
        let fits = |&(at, record): &(i64, &str)| {
            let found = self.functions.debug.record_named(record)?;
            let start = u64::try_from(-at).ok()?;
            // What begins like the type, but is larger, stands in its place.
            let is_larger = || start == 0 && self.begins_like(found, target);
            let way = match self.way_to(found, start, target) {
                Some(way) => way,
                None if is_larger() => String::new(),
                None => return None,
            };
            Some((found, format!("{record}{way}")))
        };
        let hosts: Vec<(CTypeId, String)> = uses.iter().filter_map(fits).collect();
        // Of several, which one it is may be decided by what is in it: the largest has room for all.
        let (largest, text) = hosts.iter().rev().max_by_key(|(host, _)| self.size(*host))?;
        let pointers = self.pointers_in(*largest);
        let agrees = |host: CTypeId| {
            let size = self.size(host).unwrap_or(0);
            self.pointers_in(host).into_iter().eq(pointers.iter().copied().filter(|&at| at < size))
        };
        hosts.iter().all(|(host, _)| agrees(*host)).then(|| text.clone())
    }

    fn pointers_in(&self, record: CTypeId) -> BTreeSet<u64> {
        let mut found = BTreeSet::new();
        self.functions.debug.visit_scalars(record, &mut |offset, _, kind| {
            found.extend((kind == ScalarKind::Pointer).then_some(offset));
        });
        found
    }

    /// Whether a structure is larger than another and has all of its members in the same places; characters may be anything.
    fn begins_like(&self, larger: CTypeId, smaller: CTypeId) -> bool {
        let scalars = |ty| {
            let mut found = Vec::new();
            self.functions.debug.visit_scalars(ty, &mut |offset, size, kind| found.push((offset, size, kind)));
            found
        };
        let all = scalars(larger);
        let is_there = |it: &(u64, u64, ScalarKind)| it.2 == ScalarKind::Storage || all.contains(it);
        self.size(smaller).unwrap_or(0) < self.size(larger).unwrap_or(0) && scalars(smaller).iter().all(is_there)
    }

    /// How C gets to a structure that is so many bytes from the start of another, which is not the same: `.link`.
    fn way_to(&self, outer: CTypeId, at: u64, inner: CTypeId) -> Option<String> {
        let debug = &self.functions.debug;
        let CType::Record { kind: RecordKind::Struct, members, .. } = debug.ctype(self.plain(outer)) else {
            return None;
        };
        let size = |ty| debug.size_of(ty).unwrap_or(0);
        let holds = |start: u64, ty| start <= at && at < start + size(ty);
        let member = members.iter().find(|it| it.bit_width.is_none() && holds(it.bit_offset / 8, it.ty))?;
        let (start, name) = (member.bit_offset / 8, member.name?);
        let ty = self.plain(member.ty);
        if start == at && self.functions.type_key(ty) == self.functions.type_key(inner) {
            return Some(format!(".{name}"));
        }
        Some(format!(".{name}{}", self.way_to(ty, at - start, inner)?))
    }

    /// The structures that inputs may have, by their keys.
    fn reached(&self, mut open: Vec<CTypeId>) -> FxHashSet<String> {
        let mut found = FxHashSet::default();
        while let Some(ty) = open.pop().filter(|_| found.len() < MAX_RECORDS) {
            match self.functions.debug.ctype(self.plain(ty)) {
                CType::Pointer { target } => open.push(target),
                CType::Array { elem, .. } => open.push(elem),
                CType::Record { members, .. } if found.insert(self.functions.type_key(self.plain(ty))) => {
                    open.extend(members.iter().map(|member| member.ty));
                }
                _ => {}
            }
        }
        found
    }

    /// How a function and those that it calls use pointers.
    fn uses(&self, id: FuncId, depth: usize, known: &mut FxHashMap<FuncId, Uses>) -> Uses {
        if let Some(found) = known.get(&id) {
            return found.clone();
        }
        // What calls itself adds nothing by that.
        known.insert(id, Uses::new());
        let function = self.functions.program.function(id);
        let n_params = self.functions.debug.function(id).map_or(0, |subprogram| subprogram.params.len());
        let first = function.params.len().checked_sub(n_params).filter(|_| !function.blocks.is_empty());
        let Some(first) = first else { return Uses::new() };
        let reader = Reader::new(self, function, first);
        let mut uses = reader.uses();
        for (callee, args) in reader.calls().filter(|_| depth < MAX_DEPTH) {
            for ((source, at), record) in self.uses(callee, depth + 1, known) {
                match source {
                    Source::Param(param) => {
                        let sources = args.get(param).map(|&arg| reader.sources(arg)).unwrap_or_default();
                        uses.extend(sources.into_iter().map(|(source, from)| ((source, from + at), record.clone())));
                    }
                    member => _ = uses.insert(((member, at), record)),
                }
            }
        }
        known.insert(id, uses.clone());
        uses
    }
}

/// The code of a function, as far as it moves pointers.
struct Reader<'a, 'g, 'p> {
    guessing: &'a Guessing<'g, 'p>,
    function: &'p Function,
    first: usize,
    defined: FxHashMap<ValueId, usize>,
    /// The types of variables, by their memory.
    declared: FxHashMap<ValueId, CTypeId>,
    /// What variables may hold.
    held: FxHashMap<ValueId, BTreeSet<Moved>>,
}

impl<'a, 'g, 'p> Reader<'a, 'g, 'p> {
    fn new(guessing: &'a Guessing<'g, 'p>, function: &'p Function, first: usize) -> Self {
        let debug = &guessing.functions.debug;
        let results = function.insts.iter().enumerate().filter_map(|(number, inst)| Some((inst.result?, number)));
        let declares = function.debug_records.iter().filter(|record| record.kind == DbgRecordKind::Declare);
        let declared = declares.filter_map(|record| match record.operand? {
            Operand::Local(slot) => Some((slot, debug.local_variable(record.variable, None)?.ty)),
            Operand::Const(_) => None,
        });
        let (defined, declared) = (results.collect(), declared.collect());
        let mut reader = Self { guessing, function, first, defined, declared, held: FxHashMap::default() };
        // A variable may be given what another was given before: a few rounds see what code does.
        for _ in 0..3 {
            let mut held: FxHashMap<ValueId, BTreeSet<Moved>> = FxHashMap::default();
            for (value, slot) in reader.kept() {
                held.entry(slot).or_default().extend(reader.sources(value));
            }
            reader.held = held;
        }
        reader
    }

    fn program(&self) -> &'p Program {
        self.guessing.functions.program
    }

    fn inst(&self, operand: Operand) -> Option<&'p InstKind> {
        let Operand::Local(value) = operand else { return None };
        self.defined.get(&value).map(|&number| &self.function.insts[number].kind)
    }

    /// Values that are stored in variables.
    fn kept(&self) -> impl Iterator<Item = (Operand, ValueId)> + '_ {
        self.function.insts.iter().filter_map(|inst| match inst.kind {
            InstKind::Store { value, ptr: Operand::Local(slot), .. }
                if matches!(self.inst(Operand::Local(slot)), Some(InstKind::Alloca { .. })) =>
            {
                Some((value, slot))
            }
            _ => None,
        })
    }

    fn calls(&self) -> impl Iterator<Item = (FuncId, Vec<Operand>)> + '_ {
        self.function.insts.iter().filter_map(|inst| match &inst.kind {
            InstKind::Call { callee: Callee::Direct(callee), args, .. } => {
                Some((*callee, args.iter().map(|arg| arg.value).collect()))
            }
            _ => None,
        })
    }

    /// Where a pointer may come from.
    fn sources(&self, operand: Operand) -> BTreeSet<Moved> {
        let mut found = self.all_sources(operand);
        if found.len() > MAX_SOURCES {
            found.clear();
        }
        found
    }

    fn all_sources(&self, operand: Operand) -> BTreeSet<Moved> {
        if let Operand::Local(value) = operand
            && value.index() < self.function.params.len()
        {
            let number = value.index().checked_sub(self.first);
            return number.map(|number| (Source::Param(number), 0)).into_iter().collect();
        }
        match self.inst(operand) {
            Some(InstKind::Load { ptr: ptr @ Operand::Local(slot), .. }) => match self.inst(*ptr) {
                Some(InstKind::Alloca { .. }) => self.held.get(slot).cloned().unwrap_or_default(),
                Some(InstKind::Gep { .. }) => {
                    let member = self.member(*ptr).map(|(record, name, _)| (Source::Member(record, name), 0));
                    member.into_iter().collect()
                }
                _ => BTreeSet::new(),
            },
            Some(InstKind::Gep { base, .. }) => {
                let Some(by) = self.distance(operand) else { return BTreeSet::new() };
                let moved = self.sources(*base).into_iter().map(|(source, at)| (source, at + by));
                moved.filter(|(_, at)| at.abs() <= MAX_DISTANCE).collect()
            }
            Some(InstKind::Select { then, other, .. }) => &self.sources(*then) | &self.sources(*other),
            _ => BTreeSet::new(),
        }
    }

    /// By how much an address is computed from another, if that is a constant.
    fn distance(&self, address: Operand) -> Option<i64> {
        let InstKind::Gep { elem, base: _, indices, .. } = self.inst(address)? else { return None };
        match indices[..] {
            [index] => {
                let size = self.program().types.alloc_size(self.program().modules.first()?.data_layout, *elem)?;
                self.constant(index)?.checked_mul(i64::try_from(size).ok()?)
            }
            [first, field] if self.constant(first)? == 0 => {
                let layout = self.program().types.struct_layout(self.program().modules.first()?.data_layout, *elem)?;
                let offset = *layout.offsets.get(usize::try_from(self.constant(field)?).ok()?)?;
                i64::try_from(offset).ok()
            }
            _ => None,
        }
    }

    /// The member that an address is of: the key of the structure, its name and type.
    fn member(&self, address: Operand) -> Option<(String, String, CTypeId)> {
        let InstKind::Gep { elem, base, .. } = self.inst(address)? else { return None };
        let record = self.record(*elem, *base)?;
        let at = u64::try_from(self.distance(address)?).ok()?;
        let (name, ty) = self.guessing.member(&record, at)?;
        Some((record, name, ty))
    }

    /// The structure whose members are accessed through a pointer, by its key. If the pointer is of another type, it was cast: then only a
    /// name can tell which C type has this body.
    fn record(&self, elem: TypeId, base: Operand) -> Option<String> {
        let functions = self.guessing.functions;
        let is_struct = |name: &&str| name.starts_with("struct.") || name.starts_with("union.");
        let names = functions.program.types.names(elem).iter().map(|name| &**name).filter(is_struct);
        // Modules tell types of one name apart by numbers.
        let own = |name: &'p str| match name.rsplit_once('.') {
            Some((own, number)) if number.bytes().all(|digit| digit.is_ascii_digit()) => own,
            _ => name,
        };
        let names: BTreeSet<String> = names.map(|name| own(name).replacen('.', " ", 1)).collect();
        let key = |name: &str| {
            let named = |name| functions.debug.record_named(name);
            let found = named(name).or_else(|| named(name.split_once(' ')?.1))?;
            Some(functions.type_key(found))
        };
        let keys: BTreeSet<String> = names.iter().filter_map(|name| key(name)).collect();
        let declared = self.pointee(base).map(|ty| functions.type_key(self.guessing.plain(ty)));
        match declared.filter(|declared| keys.contains(declared)) {
            Some(declared) => Some(declared),
            None if keys.len() == 1 => keys.into_iter().next(),
            None => None,
        }
    }

    /// What a pointer points to by its type in C.
    fn pointee(&self, operand: Operand) -> Option<CTypeId> {
        match self.inst(operand)? {
            InstKind::Load { ptr: Operand::Local(slot), .. } if self.declared.contains_key(slot) => {
                self.guessing.target(self.declared[slot])
            }
            InstKind::Load { ptr, .. } => self.guessing.target(self.member(*ptr)?.2),
            InstKind::Gep { .. } => Some(self.member(operand)?.2),
            _ => None,
        }
    }

    fn uses(&self) -> Uses {
        let mut uses = Uses::new();
        let guessing = self.guessing;
        for (value, slot) in self.kept() {
            let target = self.declared.get(&slot).and_then(|&ty| guessing.target(ty)).map(|ty| guessing.plain(ty));
            let is_record = |ty: &CTypeId| matches!(guessing.functions.debug.ctype(*ty), CType::Record { .. });
            if let Some(record) = target.filter(is_record) {
                let key = guessing.functions.type_key(record);
                uses.extend(self.sources(value).into_iter().map(|source| (source, key.clone())));
            }
        }
        for inst in &self.function.insts {
            let InstKind::Gep { elem, base, indices, .. } = &inst.kind else { continue };
            if indices.len() > 1
                && let Some(key) = self.record(*elem, *base)
            {
                uses.extend(self.sources(*base).into_iter().map(|source| (source, key.clone())));
            }
        }
        uses
    }

    fn constant(&self, operand: Operand) -> Option<i64> {
        let Operand::Const(constant) = operand else { return None };
        let constant = &self.program().consts[constant];
        let ConstKind::Int(value) = constant.kind else { return None };
        match self.program().types[constant.ty] {
            Type::Int(32) => Some(i64::from(value as u32 as i32)),
            _ => Some(value as i64),
        }
    }
}
