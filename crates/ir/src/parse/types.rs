//! Types, and the `%name = type …` definitions that may stand anywhere in the file.
//!
//! Definitions are found by one fast scan up front and read when first needed, so a use never waits for its
//! definition and the rest of the parser sees complete types only.

use super::Parser;
use super::error::{Fault, Parsed};
use super::lexer::{Name, Token};
use crate::model::{Type, TypeId, TypeTable};
use crate::print::type_text;
use memchr::{memmem, memrchr};
use rustc_hash::FxHashMap;
use spelunk_bv::float::FloatKind;

#[derive(Clone, Copy)]
enum Definition {
    /// The offset of the `=` in the text.
    Unread(usize),
    /// Being read right now: meeting it again means that the type contains itself.
    InProgress(usize),
    Read(usize, TypeId),
}

/// What one module says about types.
#[derive(Default)]
pub(super) struct TypeScope<'a> {
    definitions: FxHashMap<Name<'a>, Definition>,
    /// Element type and minimal length of the scalable vectors, which the model keeps as text only.
    scalable: FxHashMap<TypeId, (TypeId, u32)>,
}

/// The widest integer LLVM has.
const MAX_INT_WIDTH: u32 = 1 << 23;

const TYPED_POINTER: &str =
    "this file uses typed pointers (`i32*`); opaque pointers (`ptr`), as written by clang 15 or newer, are needed";

impl<'a> Parser<'_, 'a> {
    /// Notes where each `%name = type` stands, wherever in the file that is.
    pub(super) fn scan_type_definitions(&mut self) {
        const MARK: &str = " = type ";
        let text = self.cursor.text();
        for at in memmem::find_iter(text.as_bytes(), MARK) {
            let line_start = memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |newline| newline + 1);
            let head = self.cursor.at(line_start);
            let Some(name) = head.local_name() else {
                continue;
            };
            if head.token_end() == at {
                self.types.definitions.entry(name).or_insert(Definition::Unread(at + 1));
            }
        }
    }

    /// A top-level `%name = type …`, from the name on.
    pub(super) fn type_definition(&mut self, name: Name<'a>) -> Parsed<()> {
        let at = self.cursor.start;
        self.cursor.bump();
        let body = self.cursor.start;
        match self.types.definitions.get(&name) {
            Some(&(Definition::Unread(known) | Definition::InProgress(known) | Definition::Read(known, _)))
                if known != body =>
            {
                return Err(Fault::new(at, format!("type `{}` is defined twice", self.cursor.text_at(at))));
            }
            _ => {}
        }
        self.types.definitions.insert(name.clone(), Definition::InProgress(body));
        let ty = self.type_body()?;
        self.define(name, body, ty);
        Ok(())
    }

    fn define(&mut self, name: Name<'a>, body: usize, ty: TypeId) {
        if let Name::Text(text) = &name {
            self.program.types.note_name(ty, text);
        }
        self.types.definitions.insert(name, Definition::Read(body, ty));
    }

    /// `= type …`.
    fn type_body(&mut self) -> Parsed<TypeId> {
        self.cursor.expect(b'=')?;
        self.cursor.expect_word("type")?;
        if self.cursor.eat_word("opaque") { Ok(self.mk_type(Type::Opaque)) } else { self.ty() }
    }

    fn named_type(&mut self, name: Name<'a>) -> Parsed<TypeId> {
        let at = self.cursor.start;
        match self.types.definitions.get(&name) {
            Some(&Definition::Read(_, ty)) => {
                self.cursor.bump();
                Ok(ty)
            }
            Some(&Definition::InProgress(_)) => {
                let message = format!("type `{}` contains itself", self.cursor.token_text());
                self.cursor.bump();
                Err(if self.at_typed_pointer() { self.cursor.fail(TYPED_POINTER) } else { Fault::new(at, message) })
            }
            Some(&Definition::Unread(body)) => {
                self.types.definitions.insert(name.clone(), Definition::InProgress(body));
                let definition = self.cursor.at(body);
                let here = std::mem::replace(&mut self.cursor, definition);
                let ty = self.nested(Self::type_body)?;
                self.cursor = here;
                self.cursor.bump();
                self.define(name, body, ty);
                Ok(ty)
            }
            None => Err(Fault::new(at, format!("type `{}` is not defined", self.cursor.token_text()))),
        }
    }

    pub(super) fn mk_type(&mut self, ty: Type) -> TypeId {
        self.program.types.mk(ty)
    }

    /// Whether a type can start at the current token.
    pub(super) fn at_type(&self) -> bool {
        match self.cursor.token {
            Token::Word(word) => is_type_word(word),
            Token::LocalName(_) | Token::LocalNumber(_) | Token::Punct(b'{' | b'[' | b'<') => true,
            _ => false,
        }
    }

    pub(super) fn ty(&mut self) -> Parsed<TypeId> {
        let base = match self.cursor.token {
            Token::Word(word) => self.type_word(word)?,
            Token::LocalName(raw) => self.named_type(Name::text(raw))?,
            Token::LocalNumber(number) => self.named_type(Name::Number(number))?,
            Token::Punct(b'{') => self.nested(Self::struct_type)?,
            Token::Punct(b'[') => self.nested(Self::array_type)?,
            Token::Punct(b'<') => self.nested(Self::angle_type)?,
            _ => return Err(self.cursor.expected("a type")),
        };
        match self.cursor.token {
            Token::Punct(b'(') => self.nested(|p| p.function_types(base)),
            _ if self.at_typed_pointer() => Err(self.cursor.fail(TYPED_POINTER)),
            _ => Ok(base),
        }
    }

    /// Whether what follows a type makes it a typed pointer.
    fn at_typed_pointer(&self) -> bool {
        self.cursor.at_punct(b'*') || self.cursor.at_word("addrspace")
    }

    fn type_word(&mut self, word: &'a str) -> Parsed<TypeId> {
        let ty = match word {
            "ptr" => {
                self.cursor.bump();
                self.address_space()?;
                return Ok(TypeTable::PTR);
            }
            "i32" => TypeTable::I32,
            "i64" => TypeTable::I64,
            "i8" => TypeTable::I8,
            "i1" => TypeTable::I1,
            "void" => TypeTable::VOID,
            "label" => self.mk_type(Type::Label),
            "metadata" => self.mk_type(Type::Metadata),
            "token" => self.mk_type(Type::Token),
            "x86_amx" | "x86_mmx" | "ppc_fp128" => self.mk_type(Type::Unsupported(word.into())),
            "target" => return self.target_type(),
            _ => match (float_kind(word), int_width(word)) {
                (Some(kind), _) => self.mk_type(Type::Float(kind)),
                (_, Some(width)) if (1..=MAX_INT_WIDTH).contains(&width) => self.program.types.mk_int(width),
                (_, Some(_)) => return Err(self.cursor.fail("an integer type has 1 to 8388608 bits")),
                _ => return Err(self.cursor.expected("a type")),
            },
        };
        self.cursor.bump();
        Ok(ty)
    }

    /// `addrspace(n)` or `addrspace("name")`, if there is one. All address spaces are one to us.
    pub(super) fn address_space(&mut self) -> Parsed<()> {
        if self.cursor.eat_word("addrspace") { self.cursor.skip_group() } else { Ok(()) }
    }

    /// `target("name", …)`.
    fn target_type(&mut self) -> Parsed<TypeId> {
        let start = self.cursor.start;
        self.cursor.bump();
        self.cursor.skip_group()?;
        let text = self.cursor.text()[start..self.cursor.start].trim_end();
        Ok(self.mk_type(Type::Unsupported(text.into())))
    }

    fn mk_scalable(&mut self, elem: TypeId, length: u32) -> TypeId {
        let text = format!("<vscale x {length} x {}>", type_text(&self.program.types, elem));
        let ty = self.mk_type(Type::Unsupported(text.into()));
        self.types.scalable.insert(ty, (elem, length));
        ty
    }

    fn struct_type(&mut self) -> Parsed<TypeId> {
        let fields = self.struct_fields()?;
        Ok(self.mk_type(Type::Struct { fields, packed: false }))
    }

    fn struct_fields(&mut self) -> Parsed<Box<[TypeId]>> {
        self.cursor.expect(b'{')?;
        let mut fields = Vec::new();
        if !self.cursor.eat(b'}') {
            loop {
                fields.push(self.element_type()?);
                if !self.cursor.eat(b',') {
                    break;
                }
            }
            self.cursor.expect(b'}')?;
        }
        Ok(fields.into())
    }

    /// A type that may be part of another.
    fn element_type(&mut self) -> Parsed<TypeId> {
        let at = self.cursor.start;
        let ty = self.ty()?;
        match self.program.types[ty] {
            Type::Void | Type::Label | Type::Metadata | Type::Function { .. } => {
                Err(Fault::new(at, "a type without a value cannot be part of another type"))
            }
            _ => Ok(ty),
        }
    }

    fn array_type(&mut self) -> Parsed<TypeId> {
        self.cursor.bump();
        let length = self.cursor.expect_number()?;
        self.cursor.expect_word("x")?;
        let elem = self.element_type()?;
        self.cursor.expect(b']')?;
        Ok(self.mk_type(Type::Array(elem, length)))
    }

    /// `<4 x i32>`, `<vscale x 4 x i32>` or `<{ … }>`.
    fn angle_type(&mut self) -> Parsed<TypeId> {
        self.cursor.bump();
        if self.cursor.at_punct(b'{') {
            let fields = self.struct_fields()?;
            self.cursor.expect(b'>')?;
            return Ok(self.mk_type(Type::Struct { fields, packed: true }));
        }
        let scalable = self.cursor.eat_word("vscale");
        if scalable {
            self.cursor.expect_word("x")?;
        }
        let length_at = self.cursor.start;
        let length = self.cursor.expect_number()?;
        if length == 0 {
            return Err(Fault::new(length_at, "a vector has at least one element"));
        }
        self.cursor.expect_word("x")?;
        let elem_at = self.cursor.start;
        let elem = self.element_type()?;
        if !matches!(self.program.types[elem], Type::Int(_) | Type::Float(_) | Type::Ptr | Type::Unsupported(_)) {
            return Err(Fault::new(elem_at, "the elements of a vector are integers, floats or pointers"));
        }
        self.cursor.expect(b'>')?;
        Ok(if scalable { self.mk_scalable(elem, length) } else { self.mk_type(Type::Vector(elem, length)) })
    }

    /// `(params)` after a return type.
    fn function_types(&mut self, ret: TypeId) -> Parsed<TypeId> {
        self.cursor.expect(b'(')?;
        let mut params = Vec::new();
        let mut varargs = false;
        while !self.cursor.at_punct(b')') {
            if self.cursor.eat_word("...") {
                varargs = true;
                break;
            }
            params.push(self.ty()?);
            if !self.cursor.eat(b',') {
                break;
            }
        }
        self.cursor.expect(b')')?;
        if self.at_typed_pointer() {
            return Err(self.cursor.fail(TYPED_POINTER));
        }
        Ok(self.mk_type(Type::Function { ret, params: params.into(), varargs }))
    }

    /// `element` itself, or a vector of it as long as `shape` is if that is a vector.
    pub(super) fn like_shape(&mut self, shape: TypeId, element: TypeId) -> TypeId {
        match (&self.program.types[shape], self.types.scalable.get(&shape)) {
            (&Type::Vector(_, length), _) => self.mk_type(Type::Vector(element, length)),
            (_, Some(&(_, length))) => self.mk_scalable(element, length),
            _ => element,
        }
    }

    /// The element type of a vector.
    pub(super) fn vector_element(&self, ty: TypeId) -> Option<TypeId> {
        match self.program.types[ty] {
            Type::Vector(element, _) => Some(element),
            _ => self.types.scalable.get(&ty).map(|&(element, _)| element),
        }
    }

    /// The element type of a vector, any other type as it is.
    pub(super) fn scalar_of(&self, ty: TypeId) -> TypeId {
        match self.program.types[ty] {
            Type::Vector(element, _) => element,
            Type::Unsupported(_) => self.vector_element(ty).unwrap_or(ty),
            _ => ty,
        }
    }
}

fn is_type_word(word: &str) -> bool {
    matches!(word, "ptr" | "void" | "label" | "metadata" | "token" | "target" | "x86_amx" | "x86_mmx" | "ppc_fp128")
        || int_width(word).is_some()
        || float_kind(word).is_some()
}

fn int_width(word: &str) -> Option<u32> {
    word.strip_prefix('i').filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
}

fn float_kind(word: &str) -> Option<FloatKind> {
    Some(match word {
        "half" => FloatKind::Half,
        "bfloat" => FloatKind::BFloat,
        "float" => FloatKind::Float,
        "double" => FloatKind::Double,
        "x86_fp80" => FloatKind::X86Fp80,
        "fp128" => FloatKind::Fp128,
        _ => return None,
    })
}
