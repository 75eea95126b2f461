//! C types as layouts of objects.

use crate::adjust::Limit;
use crate::error::UnitError;
use crate::functions::Functions;
use crate::nesting::{Cells, occurs, repeat};
use crate::path::{Step, steps};
use crate::placing::{Anchor, Input, Placed};
use crate::settings::What;
use crate::stubs::Stubs;
use rustc_hash::FxHashMap;
use spelunk_concolic::graph::layout::{
    Callee, Field, Format, Layout, LayoutId, Layouts, Leaf, LeafKind, Pointer, PointerId, Target, Typed,
};
use spelunk_concolic::graph::nest::{Cell, Grain, Nested, Run};
use spelunk_ir::debug::{CType, CTypeId, Encoding, Enumerator, Member, POINTER, RecordKind, without_sign};
use std::sync::Arc;

/// Characters of a string, without the zero at its end.
pub const STRING_LEN: u32 = 8;

/// Characters of a string where only its length counts: more than usual buffers have, `PATH_MAX` among them.
pub const LONG_STRING_LEN: u32 = 4200;

/// Bytes behind a pointer to something of no type.
pub const OPAQUE_LEN: u32 = 16;

/// What the C library calls what `FILE` is.
pub const STREAM: &str = "_IO_FILE";

/// Elements of an array without a length at the end of a struct.
const FLEXIBLE_LEN: u32 = 8;

/// Elements of arrays beyond this many are bytes of no type.
const MAX_LEAVES: usize = 4096;

pub struct Builder<'d, 'p> {
    pub(crate) functions: &'d Functions<'p>,
    pub(crate) stubs: &'d Stubs,
    /// What is said of members of structures, and of inputs.
    pub(crate) settings: Vec<Placed>,
    /// What may say how many there are of something.
    pub inputs: Vec<Input>,
    pub layouts: Layouts,
    by_type: FxHashMap<Key, LayoutId>,
    cells: Cells,
    pointers: FxHashMap<(LayoutId, bool), PointerId>,
    /// The structures that are being described, from the outside in: the key of each, and how long the path to it is.
    within: Vec<(String, usize)>,
    /// Numbers of inputs that turned out to count something.
    pub limits: Vec<Limit>,
    /// What is wrong with settings of members.
    pub problem: Option<UnitError>,
}

/// What tells types apart: the same struct has a number in each module. What is one type for C may have several names, and numbers
/// have their own formats.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Type(CTypeId),
    Named(String, Cell),
}

impl<'d, 'p> Builder<'d, 'p> {
    pub fn new(functions: &'d Functions<'p>, stubs: &'d Stubs, settings: Vec<Placed>, inputs: Vec<Input>) -> Self {
        Self {
            functions,
            stubs,
            settings,
            inputs,
            layouts: Layouts::default(),
            by_type: FxHashMap::default(),
            cells: Cells::default(),
            pointers: FxHashMap::default(),
            within: Vec::new(),
            limits: Vec::new(),
            problem: None,
        }
    }

    /// The layout of a type, if it has a known size.
    pub fn layout(&mut self, ty: CTypeId) -> Option<LayoutId> {
        let ty = self.plain(ty);
        let size = self.functions.debug.size_of(ty)?;
        let name = self.functions.debug.type_name(ty);
        let cell = self.cells.of(self.functions, ty);
        let key = match self.functions.debug.ctype(ty) {
            CType::Record { .. } | CType::Base { .. } => Key::Named(name.clone(), cell),
            _ => Key::Type(ty),
        };
        if let Some(&id) = self.by_type.get(&key) {
            return Some(id);
        }
        let n_flexible = u32::try_from(self.behind_end(ty)).ok()?;
        let size = u32::try_from(size).ok()?.checked_add(n_flexible)?;
        let empty = Layout { name, size, n_flexible, align: 16, cell: Some(cell), ..Layout::default() };
        let id = self.layouts.add(empty.clone());
        self.by_type.insert(key, id);
        let mut layout = empty;
        let around = std::mem::take(&mut self.within);
        self.fill(&mut layout, ty, 0, "");
        self.within = around;
        layout.leaves.sort_by_key(|leaf| leaf.offset);
        layout.parts.retain(|&(_, part)| part != id);
        layout.nested.retain(|nested| nested.cell != cell);
        self.layouts.replace(id, layout);
        Some(id)
    }

    /// The bytes of a flexible array at the end of a struct.
    fn behind_end(&self, ty: CTypeId) -> u64 {
        let CType::Record { kind: RecordKind::Struct, members, .. } = self.functions.debug.ctype(ty) else { return 0 };
        let Some(last) = members.last() else { return 0 };
        match self.functions.debug.ctype(self.plain(last.ty)) {
            CType::Array { elem, .. } if self.is_flexible(last.ty) => {
                u64::from(FLEXIBLE_LEN) * self.functions.debug.size_of(elem).unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// Whether it is an array without a length.
    fn is_flexible(&self, ty: CTypeId) -> bool {
        match self.functions.debug.ctype(self.plain(ty)) {
            CType::Array { dims, .. } => matches!(dims[..], [len] if len.known().is_none()),
            _ => false,
        }
    }

    pub(crate) fn plain(&self, ty: CTypeId) -> CTypeId {
        self.functions.debug.complete(self.functions.debug.unqualified(ty))
    }

    /// What the function returns that something is a pointer to.
    pub(crate) fn returned(&self, ty: CTypeId) -> Option<CTypeId> {
        let CType::Pointer { target } = self.functions.debug.ctype(self.plain(ty)) else { return None };
        match self.functions.debug.ctype(self.plain(target)) {
            CType::Function { ret, .. } => Some(ret),
            _ => None,
        }
    }

    /// Adds the leaves of a part of an object.
    fn fill(&mut self, layout: &mut Layout, ty: CTypeId, offset: u32, path: &str) {
        let ty = self.plain(ty);
        let known = self.functions.debug.size_of(ty).or_else(|| self.is_flexible(ty).then_some(0));
        let Some(size) = known.and_then(|size| u32::try_from(size).ok()) else { return };
        if layout.leaves.len() >= MAX_LEAVES {
            return;
        }
        match self.functions.debug.ctype(ty) {
            CType::Base { encoding, name, .. } => {
                layout.fields.push(field(path, offset, size, format(encoding)));
                self.note_cell(layout, ty, offset);
                self.number(layout, offset, size, path, number_kind(encoding));
                if !matches!(encoding, Encoding::SignedChar | Encoding::UnsignedChar | Encoding::ComplexFloat) {
                    self.note_type(layout, offset, size, without_sign(name));
                }
            }
            CType::Enum { values, .. } => {
                layout.fields.push(field(path, offset, size, constants(&values)));
                self.note_cell(layout, ty, offset);
                let values: Arc<[u64]> = values.iter().map(|value| value.value as u64).collect();
                let kind = if values.is_empty() { LeafKind::Number } else { LeafKind::OneOf(values) };
                self.number(layout, offset, size, path, kind);
            }
            CType::Pointer { target } => {
                layout.fields.push(field(path, offset, size, Format::Pointer));
                self.note_cell(layout, ty, offset);
                self.note_type(layout, offset, size, POINTER);
                let kind = match self.functions.debug.ctype(self.plain(target)) {
                    CType::Function { .. } => {
                        let name = path.rsplit('.').next().filter(|name| !name.is_empty()).unwrap_or("callback");
                        LeafKind::Function([self.stubs.add(name, self.returned(ty)), Callee::Null].into())
                    }
                    _ => LeafKind::Pointer(self.pointer(target, true)),
                };
                layout.leaves.push(Leaf { offset, n_bytes: 8, kind, path: path.to_owned() });
            }
            CType::Record { kind: RecordKind::Struct, members, .. } => {
                self.note_part(layout, ty, offset);
                self.within_record(layout, ty, path, |builder, layout| {
                    members.iter().for_each(|member| builder.fill_member(layout, member, offset, path));
                });
            }
            // One member stands for all.
            CType::Record { kind: RecordKind::Union, members, .. } => {
                self.note_cell(layout, ty, offset);
                let n_types = layout.types.len();
                self.within_record(layout, ty, path, |builder, layout| {
                    if let Some(member) = builder.member_of_union(&members, path) {
                        builder.fill_member(layout, member, offset, path);
                    }
                });
                // Which of them was stored, nobody knows.
                layout.types.truncate(n_types);
            }
            CType::Array { elem, dims } => {
                let step = self.functions.debug.size_of(elem).unwrap_or(0) as u32;
                let lens: Vec<u64> = match &dims[..] {
                    // There is as much of a flexible array as the object has room for.
                    [len] if len.known().is_none() => vec![u64::from(layout.size.saturating_sub(offset) / step.max(1))],
                    _ => dims.iter().map(|len| len.known().unwrap_or(0)).collect(),
                };
                let (first, mut n_filled) = (layout.nested.len(), 0);
                let mut n_of_first = first;
                for number in 0..lens.iter().product::<u64>().min(MAX_LEAVES as u64) {
                    let index = indices(number, &lens);
                    self.fill(layout, elem, offset + number as u32 * step, &format!("{path}{index}"));
                    n_of_first = if number == 0 { layout.nested.len() } else { n_of_first };
                    n_filled += u32::from(layout.leaves.len() < MAX_LEAVES);
                }
                let cell = self.cells.of(self.functions, elem);
                repeat(layout, first..n_of_first, cell, step, n_filled);
                self.note_rows(layout, elem, &lens, offset);
            }
            CType::Vector { elem, len } => {
                let step = self.functions.debug.size_of(elem).unwrap_or(0) as u32;
                let n_outside = layout.nested.len();
                for number in 0..len.known().unwrap_or(0).min(MAX_LEAVES as u64) {
                    self.fill(layout, elem, offset + number as u32 * step, &format!("{path}[{number}]"));
                }
                // C has no pointers to its elements.
                layout.nested.truncate(n_outside);
                layout.types.retain(|typed| typed.offset < offset);
                self.note_cell(layout, ty, offset);
            }
            CType::Void | CType::Function { .. } | CType::Unknown => {}
            CType::Qualified { .. } | CType::Typedef { .. } => unreachable!("plain types have neither"),
        }
    }

    /// Describes a structure, and then makes its members what is said of them.
    fn within_record(
        &mut self,
        layout: &mut Layout,
        ty: CTypeId,
        path: &str,
        describe: impl FnOnce(&mut Self, &mut Layout),
    ) {
        let has_settings = self.settings.iter().any(|it| matches!(it.anchor, Anchor::Record(_)));
        let key = if has_settings { self.functions.type_key(ty) } else { String::new() };
        self.within.push((key, path.len()));
        describe(self, layout);
        if let Some((key, _)) = self.within.pop().filter(|_| has_settings) {
            self.adjust_record(layout, &key, path);
        }
    }

    fn fill_member(&mut self, layout: &mut Layout, member: &Member<'p>, offset: u32, path: &str) {
        let name = member.name.map(|name| format!(".{name}")).unwrap_or_default();
        let path = format!("{path}{name}");
        match member.bit_width {
            None => self.fill(layout, member.ty, offset + (member.bit_offset / 8) as u32, &path),
            Some(width) => {
                let bit_offset = 8 * offset + member.bit_offset as u32;
                let format = self.bits_format(member.ty);
                layout.fields.push(Field { path, bit_offset, n_bits: width as u32, format });
            }
        }
    }

    /// The member of a union that an object has: the one that a setting chooses or is about, or the one that covers most;
    /// a pointer, if there is one, as any number would be a wild one.
    fn member_of_union<'m>(&self, members: &'m [Member<'p>], path: &str) -> Option<&'m Member<'p>> {
        let chosen = self.within.iter().find_map(|(key, n_outside)| {
            let here = steps(path.get(*n_outside..)?)?;
            let mut settings = self.settings.iter().filter(|it| matches!(&it.anchor, Anchor::Record(it) if it == key));
            settings.find_map(|it| match (it.steps.strip_prefix(&here[..])?, &it.setting.what) {
                ([Step::Member(name), ..], _) => Some(name.as_str()),
                ([], What::Named(name)) => Some(name.as_str()),
                _ => None,
            })
        });
        let chosen = chosen.and_then(|name| members.iter().find(|member| member.name == Some(name)));
        chosen.or_else(|| {
            members.iter().rev().max_by_key(|member| {
                let is_pointer = matches!(self.functions.debug.ctype(self.plain(member.ty)), CType::Pointer { .. });
                (self.functions.debug.size_of(member.ty).unwrap_or(0), is_pointer)
            })
        })
    }

    /// Whether a setting says which member of a union there is.
    pub(crate) fn chooses_member(&self, placed: &Placed) -> bool {
        let What::Named(name) = &placed.setting.what else { return false };
        match self.functions.debug.ctype(self.plain(placed.ty)) {
            CType::Record { kind: RecordKind::Union, members, .. } => {
                members.iter().any(|member| member.name == Some(name))
            }
            _ => false,
        }
    }

    fn bits_format(&self, ty: CTypeId) -> Format {
        match self.functions.debug.ctype(self.plain(ty)) {
            CType::Base { encoding, .. } => format(encoding),
            CType::Enum { values, .. } => constants(&values),
            _ => Format::Unsigned,
        }
    }

    /// Pointers to a struct may point to one that is part of another.
    fn note_part(&mut self, layout: &mut Layout, ty: CTypeId, offset: u32) {
        if let Some(part) = self.layout(ty) {
            layout.parts.push((offset, part));
            let cell = self.cells.of(self.functions, ty);
            occurs(layout, cell, Grain::Record, offset);
        }
    }

    /// What accesses are compared with, if they are.
    fn note_type(&self, layout: &mut Layout, offset: u32, n_bytes: u32, name: &str) {
        let number = self.functions.image.effective.as_ref().and_then(|types| types.find(name));
        layout.types.extend(number.map(|number| Typed { offset, n_bytes, number }));
    }

    /// The same for any other type.
    fn note_cell(&mut self, layout: &mut Layout, ty: CTypeId, offset: u32) {
        let cell = self.cells.of(self.functions, ty);
        occurs(layout, cell, Grain::Fine, offset);
    }

    /// An array as a whole, and its rows if it has several dimensions.
    fn note_rows(&mut self, layout: &mut Layout, elem: CTypeId, lens: &[u64], offset: u32) {
        let size = self.functions.debug.size_of(elem).unwrap_or(0);
        for outer in 0..lens.len() {
            let cell = self.cells.array(self.functions, elem, &lens[outer..]);
            let (step, count) = (size * lens[outer..].iter().product::<u64>(), lens[..outer].iter().product::<u64>());
            if let (Ok(step), Ok(count)) = (u32::try_from(step), u32::try_from(count))
                && step > 0
                && layout.leaves.len() < MAX_LEAVES
            {
                let at = Run::row(offset, step, count);
                layout.nested.push(Nested { cell, grain: Grain::Fine, at });
            }
        }
    }

    fn number(&self, layout: &mut Layout, offset: u32, size: u32, path: &str, kind: LeafKind) {
        // Wider numbers are several words.
        let step = if size.is_power_of_two() { size.min(8) } else { 1 };
        for at in (0..size).step_by(step.max(1) as usize) {
            layout.leaves.push(Leaf { offset: offset + at, n_bytes: step, kind: kind.clone(), path: path.to_owned() });
        }
    }

    /// Pointers to a type.
    pub fn pointer(&mut self, target: CTypeId, nullable: bool) -> PointerId {
        let plain = self.plain(target);
        let target = match self.functions.debug.ctype(plain) {
            CType::Base { encoding: Encoding::SignedChar | Encoding::UnsignedChar, .. } => {
                let layout = self.layout(plain).expect("characters have a size");
                return self.layouts.add_pointer(Pointer {
                    target: Target::String { max_len: STRING_LEN, longest: LONG_STRING_LEN, layout, count: None },
                    nullable,
                });
            }
            CType::Void => Target::Objects { layout: self.byte(), count: OPAQUE_LEN },
            CType::Function { .. } => Target::Nothing,
            // No bytes make a stream.
            CType::Record { name: Some(STREAM), .. } => Target::Nothing,
            _ => match self.layout(plain) {
                Some(layout) => Target::Objects { layout, count: 1 },
                None => Target::Nothing,
            },
        };
        let Target::Objects { layout, .. } = target else {
            return self.layouts.add_pointer(Pointer { target, nullable: true });
        };
        if let Some(&id) = self.pointers.get(&(layout, nullable)) {
            return id;
        }
        let id = self.layouts.add_pointer(Pointer { target, nullable });
        self.pointers.insert((layout, nullable), id);
        id
    }

    /// A byte of no type.
    pub fn byte(&mut self) -> LayoutId {
        self.one_byte("void", LeafKind::Number, Format::Bytes)
    }

    /// A character of a string that a pointer to this type leads to.
    pub fn character(&mut self, target: CTypeId) -> LayoutId {
        match self.functions.debug.size_of(target) {
            Some(1) => self.layout(target).expect("its size is known"),
            _ => self.one_byte("char", LeafKind::Char, Format::Char),
        }
    }

    /// The same, but never zero.
    pub fn nonzero(&mut self, target: CTypeId) -> LayoutId {
        let any = self.character(target);
        let mut own = self.layouts.get(any).clone();
        for leaf in &mut own.leaves {
            leaf.kind = LeafKind::OneOf((1..=u64::from(u8::MAX)).collect());
        }
        own.cell = None;
        self.layouts.add(own)
    }

    fn one_byte(&mut self, name: &str, kind: LeafKind, format: Format) -> LayoutId {
        let cell = self.cells.void();
        let key = Key::Named(name.to_owned(), cell);
        if let Some(&id) = self.by_type.get(&key) {
            return id;
        }
        let leaves = vec![Leaf { offset: 0, n_bytes: 1, kind, path: String::new() }];
        let fields = vec![field("", 0, 1, format)];
        let byte =
            Layout { name: name.to_owned(), size: 1, align: 16, leaves, cell: Some(cell), fields, ..Layout::default() };
        let id = self.layouts.add(byte);
        self.by_type.insert(key, id);
        id
    }
}

fn number_kind(encoding: Encoding) -> LeafKind {
    match encoding {
        Encoding::Boolean => LeafKind::OneOf(Arc::new([0, 1])),
        Encoding::SignedChar | Encoding::UnsignedChar => LeafKind::Char,
        _ => LeafKind::Number,
    }
}

fn field(path: &str, offset: u32, size: u32, format: Format) -> Field {
    Field { path: path.to_owned(), bit_offset: 8 * offset, n_bits: 8 * size, format }
}

fn format(encoding: Encoding) -> Format {
    match encoding {
        Encoding::Boolean => Format::Bool,
        Encoding::Signed => Format::Signed,
        Encoding::Unsigned | Encoding::Utf => Format::Unsigned,
        Encoding::SignedChar | Encoding::UnsignedChar => Format::Char,
        Encoding::Float => Format::Float,
        Encoding::ComplexFloat | Encoding::Other => Format::Bytes,
    }
}

fn constants(values: &[Enumerator<'_>]) -> Format {
    Format::Enum(values.iter().map(|value| (value.name.to_owned(), value.value as u64)).collect())
}

/// The place of an element in an array of several dimensions, as C writes it.
fn indices(mut number: u64, dims: &[u64]) -> String {
    let mut places = Vec::new();
    for &len in dims.iter().rev() {
        places.push(number % len.max(1));
        number /= len.max(1);
    }
    places.iter().rev().map(|place| format!("[{place}]")).collect()
}
