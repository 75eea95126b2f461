//! Which C types are one, and which occur inside of which others.
//!
//! Two types are one if C calls them compatible (C11 6.2.7), or allows them as aliases of each other (6.5): a structure by its tag and
//! members, so that the same header in two files is one type, and two structures of one name with other members are two; numbers
//! without their sign, enumerations as the integer that holds them, pointers by what they point to. Typedefs and qualifiers are left out.

use crate::functions::Functions;
use rustc_hash::FxHashMap;
use spelunk_concolic::graph::layout::Layout;
use spelunk_concolic::graph::nest::{Cell, Grain, Nested, Run};
use spelunk_ir::debug::{CType, CTypeId, Encoding, RecordKind};
use std::fmt::Write;

/// How deep types are followed: debug info that is malformed can be cyclic.
const MAX_DEPTH: u32 = 64;

/// The types met so far.
#[derive(Default)]
pub(crate) struct Cells {
    by_text: FxHashMap<String, Cell>,
    by_type: FxHashMap<CTypeId, Cell>,
}

impl Cells {
    /// The number of a type that has a size.
    pub fn of(&mut self, functions: &Functions<'_>, ty: CTypeId) -> Cell {
        self.at(functions, ty, MAX_DEPTH)
    }

    /// That of a byte without a type.
    pub fn void(&mut self) -> Cell {
        self.intern("void".to_owned())
    }

    fn intern(&mut self, text: String) -> Cell {
        let next = Cell(self.by_text.len() as u32);
        *self.by_text.entry(text).or_insert(next)
    }

    fn at(&mut self, functions: &Functions<'_>, ty: CTypeId, depth: u32) -> Cell {
        let ty = functions.debug.complete(functions.debug.unqualified(ty));
        if let Some(&known) = self.by_type.get(&ty) {
            return known;
        }
        let text = self.text(functions, ty, depth);
        let cell = self.intern(text);
        self.by_type.insert(ty, cell);
        cell
    }

    /// The rows of an array: what is left of it without its first dimensions.
    pub fn array(&mut self, functions: &Functions<'_>, elem: CTypeId, lens: &[u64]) -> Cell {
        let text = self.array_text(functions, elem, lens, MAX_DEPTH);
        self.intern(text)
    }

    fn array_text(&mut self, functions: &Functions<'_>, elem: CTypeId, lens: &[u64], depth: u32) -> String {
        let lens: String = lens.iter().map(|len| format!("[{len}]")).collect();
        format!("{lens} of {}", self.at(functions, elem, depth).0)
    }

    /// What tells a type from others. Types inside of it go by number.
    fn text(&mut self, functions: &Functions<'_>, ty: CTypeId, depth: u32) -> String {
        let Some(depth) = depth.checked_sub(1) else { return "?".to_owned() };
        match functions.debug.ctype(ty) {
            CType::Base { encoding: Encoding::SignedChar | Encoding::UnsignedChar, .. } => "char".to_owned(),
            CType::Base { name, size, .. } => {
                let words = name.split(' ').filter(|word| !matches!(*word, "signed" | "unsigned"));
                format!("{} {size}", words.collect::<Vec<_>>().join(" "))
            }
            CType::Enum { base: Some(base), .. } => self.plain_text(functions, base, depth),
            CType::Enum { size, .. } => format!("int {}", size.unwrap_or(4)),
            CType::Pointer { target } => format!("*{}", self.pointee(functions, target, depth)),
            CType::Record { kind, name, size, members } => {
                let mut text = record_text(kind, name);
                let _ = write!(text, " {}", size.unwrap_or(0));
                for member in members {
                    let (cell, bits) = (self.at(functions, member.ty, depth), member.bit_width.unwrap_or(0));
                    let _ = write!(text, ";{}@{}:{bits}={}", member.name.unwrap_or(""), member.bit_offset, cell.0);
                }
                text
            }
            CType::Array { elem, dims } => {
                let lens: Vec<u64> = dims.iter().map(|len| len.known().unwrap_or(0)).collect();
                self.array_text(functions, elem, &lens, depth)
            }
            CType::Vector { elem, len } => {
                format!("vector {:?} of {}", len.known(), self.at(functions, elem, depth).0)
            }
            CType::Void => "void".to_owned(),
            CType::Function { .. } => "function".to_owned(),
            CType::Unknown | CType::Qualified { .. } | CType::Typedef { .. } => "?".to_owned(),
        }
    }

    fn plain_text(&mut self, functions: &Functions<'_>, ty: CTypeId, depth: u32) -> String {
        let ty = functions.debug.complete(functions.debug.unqualified(ty));
        self.text(functions, ty, depth)
    }

    /// What a pointer points to: structures by their tags alone, so that recursive ones come to an end.
    fn pointee(&mut self, functions: &Functions<'_>, ty: CTypeId, depth: u32) -> String {
        let ty = functions.debug.complete(functions.debug.unqualified(ty));
        match functions.debug.ctype(ty) {
            CType::Record { kind, name: Some(name), .. } => record_text(kind, Some(name)),
            _ => self.text(functions, ty, depth),
        }
    }
}

fn record_text(kind: RecordKind, name: Option<&str>) -> String {
    let keyword = match kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    };
    format!("{keyword} {}", name.unwrap_or("?"))
}

/// Notes that a type occurs at a place of an object.
pub(crate) fn occurs(layout: &mut Layout, cell: Cell, grain: Grain, offset: u32) {
    layout.nested.push(Nested { cell, grain, at: Run::at(offset) });
}

/// What was noted of the first element of an array holds for all of them: what was noted of the others is left out.
pub(crate) fn repeat(layout: &mut Layout, noted: std::ops::Range<usize>, elem: Cell, step: u32, count: u32) {
    layout.nested.truncate(noted.end);
    for nested in &mut layout.nested[noted] {
        let is_element = nested.cell == elem;
        nested.at = if is_element { nested.at.in_row(step, count) } else { nested.at.repeated(step, count) };
    }
}
