//! Types as LLVM writes them; structs have no names in the model and print as literal types.

use crate::model::{Type, TypeId, TypeTable};
use std::fmt::Write;

/// How an opaque struct prints. Modules that have one define this name.
pub(super) const OPAQUE: &str = "%opaque";

/// A type for messages, cut if it is long.
pub fn type_text(types: &TypeTable, ty: TypeId) -> String {
    const LIMIT: usize = 200;
    let mut out = String::new();
    write_within(&mut out, types, ty, LIMIT);
    if let Some((cut, _)) = out.char_indices().nth(LIMIT) {
        out.truncate(cut);
        out.push('…');
    }
    out
}

pub(super) fn write_type(out: &mut String, types: &TypeTable, ty: TypeId) {
    write_within(out, types, ty, usize::MAX);
}

/// Appends a type to `out`, giving up once that is longer than `limit`: types share their parts, so the text of a
/// small table may be exponentially long.
fn write_within(out: &mut String, types: &TypeTable, ty: TypeId, limit: usize) {
    if out.len() > limit {
        return;
    }
    match &types[ty] {
        Type::Void => out.push_str("void"),
        Type::Int(width) => drop(write!(out, "i{width}")),
        Type::Float(kind) => out.push_str(kind.name()),
        Type::Ptr => out.push_str("ptr"),
        Type::Label => out.push_str("label"),
        Type::Metadata => out.push_str("metadata"),
        Type::Token => out.push_str("token"),
        Type::Array(elem, length) => {
            let _ = write!(out, "[{length} x ");
            write_within(out, types, *elem, limit);
            out.push(']');
        }
        Type::Vector(elem, length) => {
            let _ = write!(out, "<{length} x ");
            write_within(out, types, *elem, limit);
            out.push('>');
        }
        Type::Struct { fields, packed } => {
            out.push_str(if *packed { "<{" } else { "{" });
            write_list(out, types, fields, limit);
            out.push_str(if *packed { "}>" } else { "}" });
        }
        Type::Function { ret, params, varargs } => {
            write_within(out, types, *ret, limit);
            out.push_str(" (");
            write_list(out, types, params, limit);
            if *varargs {
                out.push_str(if params.is_empty() { "..." } else { ", ..." });
            }
            out.push(')');
        }
        Type::Opaque => out.push_str(OPAQUE),
        Type::Unsupported(text) => out.push_str(text),
    }
}

fn write_list(out: &mut String, types: &TypeTable, list: &[TypeId], limit: usize) {
    for (place, ty) in list.iter().enumerate() {
        if out.len() > limit {
            return;
        }
        if place > 0 {
            out.push_str(", ");
        }
        write_within(out, types, *ty, limit);
    }
}
