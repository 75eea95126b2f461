//! C spelling of types: `struct node *(*)[4]`, and declarations of a name with a type.
//!
//! A declarator is built from the name outwards while the type is peeled from the outside in.

use super::{ArrayLen, CType, CTypeId, DebugInfo, Qualifier, RecordKind};

/// Parts of a type that are spelled out. Malformed metadata can be cyclic, so there must be an end.
const MAX_PARTS: usize = 500;
const ELIDED: &str = "<too long>";

impl Qualifier {
    fn keyword(self) -> &'static str {
        match self {
            Self::Const => "const",
            Self::Volatile => "volatile",
            Self::Restrict => "restrict",
            Self::Atomic => "_Atomic",
        }
    }
}

impl RecordKind {
    fn keyword(self) -> &'static str {
        match self {
            Self::Struct => "struct",
            Self::Union => "union",
        }
    }
}

impl DebugInfo<'_> {
    /// The type as C spells it without a name.
    pub fn type_name(&self, ty: CTypeId) -> String {
        self.spell(ty, String::new(), &mut { MAX_PARTS })
    }

    /// A declaration of `name` with the type, without a semicolon.
    pub fn declaration(&self, ty: CTypeId, name: &str) -> String {
        self.spell(ty, name.to_owned(), &mut { MAX_PARTS })
    }

    fn spell(&self, mut ty: CTypeId, mut declarator: String, parts_left: &mut usize) -> String {
        // Qualifiers met since the last pointer, array or function: they qualify whatever comes next.
        let mut qualifiers = String::new();
        while *parts_left > 0 {
            *parts_left -= 1;
            match self.ctype(ty) {
                CType::Qualified { qualifier, target } => {
                    push_word(&mut qualifiers, qualifier.keyword());
                    ty = target;
                }
                CType::Pointer { target } => {
                    declarator = if qualifiers.is_empty() {
                        format!("*{declarator}")
                    } else {
                        push_word(&mut qualifiers, &declarator);
                        format!("*{}", std::mem::take(&mut qualifiers))
                    };
                    if matches!(self.ctype(target), CType::Array { .. } | CType::Function { .. }) {
                        declarator = format!("({declarator})");
                    }
                    ty = target;
                }
                CType::Array { elem, dims } => {
                    dims.iter().for_each(|len| declarator.push_str(&spell_len(*len)));
                    ty = elem;
                }
                CType::Function { ret, params, varargs } => {
                    declarator.push_str(&self.spell_params(&params, varargs, parts_left));
                    ty = ret;
                }
                named => {
                    let name = match self.typedef_name(ty) {
                        Some(name) => name.to_owned(),
                        None => self.spell_named(&named, parts_left),
                    };
                    push_word(&mut qualifiers, &name);
                    push_word(&mut qualifiers, &declarator);
                    return qualifiers;
                }
            }
        }
        push_word(&mut qualifiers, ELIDED);
        push_word(&mut qualifiers, &declarator);
        qualifiers
    }

    fn spell_named(&self, ty: &CType<'_>, parts_left: &mut usize) -> String {
        let tagged = |keyword: &str, name: &Option<&str>| format!("{keyword} {}", name.unwrap_or("<anonymous>"));
        match ty {
            CType::Void => "void".to_owned(),
            CType::Base { name, .. } | CType::Typedef { name, .. } => (*name).to_owned(),
            CType::Record { kind, name, .. } => tagged(kind.keyword(), name),
            CType::Enum { name, .. } => tagged("enum", name),
            CType::Vector { elem, len } => {
                let len = spell_len(*len);
                format!("{} __vector{len}", self.spell(*elem, String::new(), parts_left))
            }
            _ => "<unknown type>".to_owned(),
        }
    }

    fn spell_params(&self, params: &[CTypeId], varargs: bool, parts_left: &mut usize) -> String {
        let mut spelled: Vec<String> = params.iter().map(|&ty| self.spell(ty, String::new(), parts_left)).collect();
        match (varargs, spelled.is_empty()) {
            (true, true) => {}
            (true, false) => spelled.push("...".to_owned()),
            (false, true) => spelled.push("void".to_owned()),
            (false, false) => {}
        }
        format!("({})", spelled.join(", "))
    }
}

fn spell_len(len: ArrayLen) -> String {
    match len {
        ArrayLen::Known(len) => format!("[{len}]"),
        ArrayLen::Variable(_) => "[*]".to_owned(),
        ArrayLen::Unknown => "[]".to_owned(),
    }
}

fn push_word(text: &mut String, word: &str) {
    if !text.is_empty() && !word.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}
