//! The scalars that a type is made of, as far as an access tells them apart (C11 6.5).

use super::{CType, CTypeId, DebugInfo, Encoding, RecordKind};

/// How deep types are followed: debug info that is malformed can be cyclic.
const MAX_DEPTH: u32 = 64;

/// What bytes of an object are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarKind<'p> {
    /// A number, by its name without sign.
    Number(&'p str),
    Pointer,
    /// Whatever is stored there: characters.
    Storage,
    /// Anything that a member may be: unions, bit-fields, enumerations, vectors.
    Any,
}

/// What clang calls pointers.
pub const POINTER: &str = "pointer";

impl<'p> DebugInfo<'p> {
    /// Visits the scalars of an object: offset, bytes, and what they are.
    pub fn visit_scalars(&self, ty: CTypeId, visit: &mut impl FnMut(u64, u64, ScalarKind<'p>)) {
        self.visit_scalars_at(ty, 0, MAX_DEPTH, visit);
    }

    fn visit_scalars_at(&self, ty: CTypeId, offset: u64, depth: u32, visit: &mut impl FnMut(u64, u64, ScalarKind<'p>)) {
        let ty = self.complete(self.unqualified(ty));
        let (Some(size), Some(depth)) = (self.size_of(ty), depth.checked_sub(1)) else { return };
        match self.ctype(ty) {
            CType::Base { encoding: Encoding::SignedChar | Encoding::UnsignedChar, .. } => {
                visit(offset, size, ScalarKind::Storage);
            }
            CType::Base { encoding: Encoding::ComplexFloat, .. } => visit(offset, size, ScalarKind::Any),
            CType::Base { name, .. } => visit(offset, size, ScalarKind::Number(without_sign(name))),
            CType::Pointer { .. } => visit(offset, size, ScalarKind::Pointer),
            CType::Record { kind: RecordKind::Struct, members, .. } => {
                for member in members {
                    match member.bit_width {
                        None => self.visit_scalars_at(member.ty, offset + member.bit_offset / 8, depth, visit),
                        Some(width) => {
                            let (first, end) = (member.bit_offset / 8, (member.bit_offset + width).div_ceil(8));
                            visit(offset + first, end - first, ScalarKind::Any);
                        }
                    }
                }
            }
            CType::Array { elem, dims } => {
                let count: u64 = dims.iter().map(|len| len.known().unwrap_or(0)).product();
                let step = self.size_of(elem).unwrap_or(0);
                (0..count).for_each(|number| self.visit_scalars_at(elem, offset + number * step, depth, visit));
            }
            CType::Record { .. } | CType::Enum { .. } | CType::Vector { .. } => visit(offset, size, ScalarKind::Any),
            _ => {}
        }
    }
}

/// A type of numbers without its sign, since both may alias.
pub fn without_sign(name: &str) -> &str {
    name.strip_prefix("unsigned ").or_else(|| name.strip_prefix("signed ")).unwrap_or(name)
}
