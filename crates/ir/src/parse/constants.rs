//! Literals, aggregates and addresses. Expressions are in `const_exprs`.

use super::Parser;
use super::error::{Fault, Parsed};
use super::lexer::{Token, unescape_bytes};
use crate::model::{ConstId, ConstKind, Type, TypeId, TypeTable};
use crate::print::type_text;
use spelunk_bv::float;

/// Longer splats stay unsupported instead of being expanded.
const MAX_SPLAT: u32 = 1 << 16;

impl<'a> Parser<'_, 'a> {
    pub(super) fn mk_const(&mut self, ty: TypeId, kind: ConstKind) -> ConstId {
        self.program.consts.mk(ty, kind)
    }

    /// A type and a constant of that type.
    pub(super) fn typed_constant(&mut self) -> Parsed<ConstId> {
        let ty = self.ty()?;
        self.constant(ty)
    }

    /// Whether a word starts a constant rather than being an attribute.
    pub(super) fn is_constant_word(&self, word: &str) -> bool {
        matches!(
            word,
            "null"
                | "true"
                | "false"
                | "undef"
                | "poison"
                | "zeroinitializer"
                | "none"
                | "splat"
                | "blockaddress"
                | "dso_local_equivalent"
                | "no_cfi"
                | "ptrauth"
        ) || is_hex_integer(word)
            || self.opcodes.get(word).is_some()
    }

    pub(super) fn constant(&mut self, ty: TypeId) -> Parsed<ConstId> {
        match self.cursor.token {
            Token::Integer(digits) => self.integer(ty, digits),
            Token::Float(literal) => self.float(ty, literal),
            Token::Word(word) => self.constant_word(ty, word),
            Token::GlobalName(_) | Token::GlobalNumber(_) => {
                self.check_type(ty, TypeTable::PTR)?;
                self.symbol_address()
            }
            Token::Bytes(raw) => self.bytes(ty, raw),
            Token::Punct(b'[') => self.nested(|p| p.aggregate(ty, b'[', b']')),
            Token::Punct(b'{') => self.nested(|p| p.aggregate(ty, b'{', b'}')),
            Token::Punct(b'<') => self.nested(|p| p.angle_constant(ty)),
            _ => Err(self.cursor.expected("a constant")),
        }
    }

    /// Refuses a constant at the current token that has type `found` where `wanted` is needed.
    pub(super) fn check_type(&self, wanted: TypeId, found: TypeId) -> Parsed<()> {
        self.check_type_at(self.cursor.start, wanted, found)
    }

    pub(super) fn check_type_at(&self, at: usize, wanted: TypeId, found: TypeId) -> Parsed<()> {
        if wanted == found {
            return Ok(());
        }
        let [wanted, found] = [wanted, found].map(|ty| type_text(&self.program.types, ty));
        Err(Fault::new(at, format!("this has type `{found}` where `{wanted}` is needed")))
    }

    fn constant_word(&mut self, ty: TypeId, word: &'a str) -> Parsed<ConstId> {
        let kind = match word {
            "null" => {
                self.check_type(ty, TypeTable::PTR)?;
                ConstKind::Null
            }
            "true" | "false" => {
                self.check_type(ty, TypeTable::I1)?;
                ConstKind::Int(u64::from(word == "true"))
            }
            "undef" => ConstKind::Undef,
            "poison" => ConstKind::Poison,
            "zeroinitializer" => ConstKind::Zero,
            "none" => ConstKind::Unsupported(word.into()),
            "splat" => return self.nested(|p| p.splat(ty)),
            "blockaddress" => {
                self.cursor.bump();
                return self.block_address();
            }
            "dso_local_equivalent" | "no_cfi" => {
                self.cursor.bump();
                return self.symbol_address();
            }
            "ptrauth" => return self.unsupported_constant(ty),
            _ if is_hex_integer(word) => return self.hex_integer(ty, word),
            _ => match self.opcodes.get(word) {
                Some(opcode) => return self.nested(|p| p.const_expr(ty, opcode)),
                None => return Err(self.cursor.expected("a constant")),
            },
        };
        self.cursor.bump();
        Ok(self.mk_const(ty, kind))
    }

    /// `word … (…)`: kept as text only.
    pub(super) fn unsupported_constant(&mut self, ty: TypeId) -> Parsed<ConstId> {
        let start = self.cursor.start;
        while matches!(self.cursor.token, Token::Word(_)) {
            self.cursor.bump();
        }
        self.cursor.skip_group()?;
        let text = self.cursor.text()[start..self.cursor.start].trim_end();
        Ok(self.mk_const(ty, ConstKind::Unsupported(text.into())))
    }

    fn int_width_of(&self, ty: TypeId) -> Parsed<u32> {
        match self.program.types[ty] {
            Type::Int(width) => Ok(width),
            _ => {
                let ty = type_text(&self.program.types, ty);
                Err(self.cursor.fail(format!("an integer constant cannot have type `{ty}`")))
            }
        }
    }

    fn integer(&mut self, ty: TypeId, literal: &str) -> Parsed<ConstId> {
        let width = self.int_width_of(ty)?;
        let (negative, digits) = match literal.as_bytes() {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] => (false, digits),
            digits => (false, digits),
        };
        let kind = if width <= 64 && digits.len() <= 19 {
            let magnitude = digits.iter().fold(0u64, |value, digit| value * 10 + u64::from(digit - b'0'));
            let value = if negative { magnitude.wrapping_neg() } else { magnitude };
            ConstKind::Int(value & u64::MAX >> (64 - width))
        } else {
            limbs_constant(width, negative, limbs_of_decimal(width, digits))
        };
        self.cursor.bump();
        Ok(self.mk_const(ty, kind))
    }

    /// `u0x…`, or `s0x…`, whose highest set bit is its sign.
    fn hex_integer(&mut self, ty: TypeId, word: &str) -> Parsed<ConstId> {
        let width = self.int_width_of(ty)?;
        let mut limbs = vec![0u64; width.div_ceil(64) as usize];
        for (place, digit) in word.bytes().skip(3).collect::<Vec<_>>().iter().rev().enumerate() {
            if let Some(limb) = limbs.get_mut(place / 16) {
                *limb |= hex_digit(*digit) << (place % 16 * 4);
            }
        }
        if word.starts_with('s')
            && let Some(top) = limbs.iter().rposition(|&limb| limb != 0)
        {
            limbs[top] |= u64::MAX << limbs[top].ilog2();
            limbs[top + 1..].fill(u64::MAX);
        }
        self.cursor.bump();
        Ok(self.mk_const(ty, limbs_constant(width, false, limbs)))
    }

    fn float(&mut self, ty: TypeId, literal: &str) -> Parsed<ConstId> {
        let bits = match self.program.types[ty] {
            Type::Float(kind) => {
                float::from_llvm_literal(kind, literal).map_err(|error| self.cursor.fail(error.to_string()))?
            }
            Type::Unsupported(_) => {
                let kind = ConstKind::Unsupported(literal.into());
                self.cursor.bump();
                return Ok(self.mk_const(ty, kind));
            }
            _ => {
                let ty = type_text(&self.program.types, ty);
                return Err(self.cursor.fail(format!("a floating-point constant cannot have type `{ty}`")));
            }
        };
        self.cursor.bump();
        Ok(self.mk_const(ty, ConstKind::Float(bits)))
    }

    fn bytes(&mut self, ty: TypeId, raw: &str) -> Parsed<ConstId> {
        let bytes = unescape_bytes(raw);
        match self.program.types[ty] {
            Type::Array(TypeTable::I8, length) if length == bytes.len() as u64 => {}
            _ => {
                let [found, wanted] = [format!("[{} x i8]", bytes.len()), type_text(&self.program.types, ty)];
                return Err(self.cursor.fail(format!("this has type `{found}` where `{wanted}` is needed")));
            }
        }
        self.cursor.bump();
        Ok(self.mk_const(ty, ConstKind::Bytes(bytes.into())))
    }

    /// The type of element `index` of an aggregate, if it has that many.
    fn element_type_of(&self, ty: TypeId, index: usize) -> Option<TypeId> {
        match &self.program.types[ty] {
            Type::Struct { fields, .. } => fields.get(index).copied(),
            Type::Array(element, length) => (index as u64).lt(length).then_some(*element),
            Type::Vector(element, length) => (index < *length as usize).then_some(*element),
            _ => None,
        }
    }

    fn aggregate(&mut self, ty: TypeId, open: u8, close: u8) -> Parsed<ConstId> {
        let start = self.cursor.start;
        let fits = match &self.program.types[ty] {
            Type::Struct { packed, .. } => open == b'{' && *packed == (close == b'>'),
            Type::Array(..) => open == b'[',
            Type::Vector(..) => open == b'<',
            _ => false,
        };
        if !fits {
            let ty = type_text(&self.program.types, ty);
            return Err(self.cursor.fail(format!("this form of constant cannot have type `{ty}`")));
        }
        self.cursor.bump();
        let end = if open == b'{' { b'}' } else { close };
        let mut elements = Vec::new();
        while !self.cursor.at_punct(end) {
            let at = self.cursor.start;
            let found = self.ty()?;
            match self.element_type_of(ty, elements.len()) {
                Some(wanted) => self.check_type_at(at, wanted, found)?,
                None => return Err(Fault::new(at, "more elements than the type has")),
            }
            elements.push(self.constant(found)?);
            if !self.cursor.eat(b',') {
                break;
            }
        }
        self.cursor.expect(end)?;
        if self.element_type_of(ty, elements.len()).is_some() {
            return Err(Fault::new(start, "fewer elements than the type has"));
        }
        Ok(self.mk_const(ty, ConstKind::Aggregate(elements.into())))
    }

    /// `< … >` of a vector, or `<{ … }>` of a packed struct.
    fn angle_constant(&mut self, ty: TypeId) -> Parsed<ConstId> {
        if !matches!(self.program.types[ty], Type::Struct { .. }) {
            return self.aggregate(ty, b'<', b'>');
        }
        self.cursor.bump();
        let constant = self.aggregate(ty, b'{', b'>')?;
        self.cursor.expect(b'>')?;
        Ok(constant)
    }

    fn splat(&mut self, ty: TypeId) -> Parsed<ConstId> {
        let Type::Vector(element, length) = self.program.types[ty] else {
            return self.unsupported_constant(ty);
        };
        if length > MAX_SPLAT {
            return self.unsupported_constant(ty);
        }
        self.cursor.bump();
        self.cursor.expect(b'(')?;
        let at = self.cursor.start;
        let found = self.ty()?;
        self.check_type_at(at, element, found)?;
        let value = self.constant(element)?;
        self.cursor.expect(b')')?;
        Ok(self.mk_const(ty, ConstKind::Aggregate(vec![value; length as usize].into())))
    }
}

fn is_hex_integer(word: &str) -> bool {
    matches!(word.as_bytes(), [b'u' | b's', b'0', b'x', digits @ ..] if digits.iter().all(u8::is_ascii_hexdigit))
}

fn hex_digit(digit: u8) -> u64 {
    u64::from((digit as char).to_digit(16).unwrap_or(0))
}

/// The low limbs of a decimal, as many as the width needs. LLVM too cuts literals that are too wide.
fn limbs_of_decimal(width: u32, digits: &[u8]) -> Vec<u64> {
    let mut limbs = vec![0u64; width.div_ceil(64) as usize];
    for chunk in digits.chunks(19) {
        let mut carry = chunk.iter().fold(0, |value, digit| value * 10 + u128::from(digit - b'0'));
        let scale = 10u128.pow(chunk.len() as u32);
        for limb in &mut limbs {
            let product = u128::from(*limb) * scale + carry;
            *limb = product as u64;
            carry = product >> 64;
        }
    }
    limbs
}

/// The constant with these limbs, negated if asked, cut to the width.
fn limbs_constant(width: u32, negative: bool, mut limbs: Vec<u64>) -> ConstKind {
    if negative {
        let mut carry = true;
        for limb in &mut limbs {
            (*limb, carry) = (!*limb).overflowing_add(u64::from(carry));
        }
    }
    let unused = limbs.len() as u32 * 64 - width;
    if let Some(last) = limbs.last_mut() {
        *last &= u64::MAX >> unused;
    }
    match limbs[..] {
        [limb] => ConstKind::Int(limb),
        _ => ConstKind::WideInt(limbs.into()),
    }
}
