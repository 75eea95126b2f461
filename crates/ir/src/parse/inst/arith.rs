//! Operations on scalars and vectors: arithmetic, comparisons, casts, `select`, `freeze`, `phi`.

use crate::model::{InstFlags, InstKind, Type, TypeId, TypeTable};
use crate::parse::Parser;
use crate::parse::error::{Fault, Parsed};
use crate::parse::lexer::Token;
use crate::print::type_text;
use spelunk_bv::{BinOp, CastOp, FBinOp, FCmpOp};

/// The kinds of types that operations ask for; vectors count as their elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Int,
    Float,
    Ptr,
    Other,
}

impl Parser<'_, '_> {
    fn class_of(&self, ty: TypeId) -> Class {
        match self.program.types[self.scalar_of(ty)] {
            Type::Int(_) => Class::Int,
            Type::Float(_) => Class::Float,
            Type::Ptr => Class::Ptr,
            _ => Class::Other,
        }
    }

    fn is_supported(&self, ty: TypeId) -> bool {
        let is_plain = |ty| !matches!(self.program.types[ty], Type::Unsupported(_));
        is_plain(ty) && is_plain(self.scalar_of(ty))
    }

    /// Reads a type of one of these classes. Unsupported types pass, so that the load goes on.
    fn type_of_class(&mut self, classes: &[Class]) -> Parsed<TypeId> {
        let at = self.cursor.start;
        let ty = self.ty()?;
        if classes.contains(&self.class_of(ty)) || !self.is_supported(ty) {
            return Ok(ty);
        }
        let text = type_text(&self.program.types, ty);
        Err(Fault::new(at, format!("this operation is not defined on type `{text}`")))
    }

    /// Flags of any operation. Those that only help optimisers are dropped.
    pub(in crate::parse) fn inst_flags(&mut self) -> InstFlags {
        let mut flags = InstFlags::default();
        while let Token::Word(word) = self.cursor.token {
            match word {
                "nsw" => flags.nsw = true,
                "nuw" => flags.nuw = true,
                "exact" => flags.exact = true,
                "disjoint" | "nneg" | "samesign" | "fast" | "nnan" | "ninf" | "nsz" | "arcp" | "contract" | "afn"
                | "reassoc" => {}
                _ => break,
            }
            self.cursor.bump();
        }
        flags
    }

    pub(super) fn binary(&mut self, op: BinOp) -> Parsed<(InstKind, TypeId)> {
        let flags = self.inst_flags();
        let ty = self.type_of_class(&[Class::Int])?;
        let lhs = self.operand(ty)?;
        self.cursor.expect(b',')?;
        let rhs = self.operand(ty)?;
        Ok((InstKind::Binary { op, flags, lhs, rhs }, ty))
    }

    pub(super) fn float_binary(&mut self, op: FBinOp) -> Parsed<(InstKind, TypeId)> {
        self.inst_flags();
        let ty = self.type_of_class(&[Class::Float])?;
        let lhs = self.operand(ty)?;
        self.cursor.expect(b',')?;
        let rhs = self.operand(ty)?;
        Ok((InstKind::FBinary { op, lhs, rhs }, ty))
    }

    pub(super) fn fneg(&mut self) -> Parsed<(InstKind, TypeId)> {
        self.inst_flags();
        let ty = self.type_of_class(&[Class::Float])?;
        Ok((InstKind::FNeg { arg: self.operand(ty)? }, ty))
    }

    pub(super) fn icmp(&mut self) -> Parsed<(InstKind, TypeId)> {
        self.inst_flags();
        let op = self.int_predicate()?;
        let ty = self.type_of_class(&[Class::Int, Class::Ptr])?;
        let lhs = self.operand(ty)?;
        self.cursor.expect(b',')?;
        let rhs = self.operand(ty)?;
        Ok((InstKind::ICmp { op, lhs, rhs }, self.like_shape(ty, TypeTable::I1)))
    }

    pub(super) fn fcmp(&mut self) -> Parsed<(InstKind, TypeId)> {
        self.inst_flags();
        let found = match self.cursor.token {
            Token::Word(word) => FCmpOp::from_name(word),
            _ => None,
        };
        let op = found.ok_or_else(|| self.cursor.expected("a comparison of floats"))?;
        self.cursor.bump();
        let ty = self.type_of_class(&[Class::Float])?;
        let lhs = self.operand(ty)?;
        self.cursor.expect(b',')?;
        let rhs = self.operand(ty)?;
        Ok((InstKind::FCmp { op, lhs, rhs }, self.like_shape(ty, TypeTable::I1)))
    }

    pub(super) fn cast(&mut self, op: CastOp) -> Parsed<(InstKind, TypeId)> {
        self.inst_flags();
        let at = self.cursor.start;
        let (from, arg) = self.typed_operand()?;
        self.cursor.expect_word("to")?;
        let to = self.ty()?;
        self.check_cast(op, from, to, at)?;
        Ok((InstKind::Cast { op, arg }, to))
    }

    /// Refuses casts between types that the operation does not connect.
    pub(in crate::parse) fn check_cast(&self, op: CastOp, from: TypeId, to: TypeId, at: usize) -> Parsed<()> {
        use Class::{Float, Int, Ptr};
        let types = &self.program.types;
        if !(self.is_supported(from) && self.is_supported(to)) {
            return Ok(());
        }
        let lanes = |ty| match types[ty] {
            Type::Vector(_, length) => Some(length),
            _ => None,
        };
        let bits = |ty| types.bit_size(ty);
        let classes = (self.class_of(from), self.class_of(to));
        let is_defined = match op {
            CastOp::Trunc => classes == (Int, Int) && bits(from) > bits(to),
            CastOp::ZExt | CastOp::SExt => classes == (Int, Int) && bits(from) < bits(to),
            CastOp::FpTrunc => classes == (Float, Float) && bits(from) > bits(to),
            CastOp::FpExt => classes == (Float, Float) && bits(from) < bits(to),
            CastOp::FpToUi | CastOp::FpToSi => classes == (Float, Int),
            CastOp::UiToFp | CastOp::SiToFp => classes == (Int, Float),
            CastOp::PtrToInt => classes == (Ptr, Int),
            CastOp::IntToPtr => classes == (Int, Ptr),
            CastOp::BitCast => bits(from).is_some() && bits(from) == bits(to),
        };
        let keeps_lanes = op == CastOp::BitCast || lanes(from) == lanes(to);
        if !(is_defined && keeps_lanes) {
            let [from, to] = [from, to].map(|ty| type_text(types, ty));
            return Err(Fault::new(at, format!("`{}` does not lead from `{from}` to `{to}`", op.name())));
        }
        Ok(())
    }

    pub(super) fn addr_space_cast(&mut self) -> Parsed<(InstKind, TypeId)> {
        self.typed_operand()?;
        self.cursor.expect_word("to")?;
        Ok((InstKind::Unsupported { name: "addrspacecast".into() }, self.ty()?))
    }

    pub(super) fn select(&mut self) -> Parsed<(InstKind, TypeId)> {
        self.inst_flags();
        let at = self.cursor.start;
        let (cond_ty, cond) = self.typed_operand()?;
        self.cursor.expect(b',')?;
        let (ty, then) = self.typed_operand()?;
        let other = self.next_operand_of(ty)?;
        if cond_ty != TypeTable::I1 {
            let wanted = self.like_shape(ty, TypeTable::I1);
            self.check_type_at(at, wanted, cond_ty)?;
        }
        Ok((InstKind::Select { cond, then, other }, ty))
    }

    pub(super) fn freeze(&mut self) -> Parsed<(InstKind, TypeId)> {
        let (ty, arg) = self.typed_operand()?;
        Ok((InstKind::Freeze { arg }, ty))
    }

    pub(super) fn phi(&mut self) -> Parsed<(InstKind, TypeId)> {
        self.inst_flags();
        let ty = self.value_type()?;
        let mut incoming = Vec::new();
        while self.cursor.eat(b'[') {
            let value = self.operand(ty)?;
            self.cursor.expect(b',')?;
            incoming.push((value, self.block()?));
            self.cursor.expect(b']')?;
            if !self.cursor.eat(b',') {
                break;
            }
        }
        Ok((InstKind::Phi { incoming: incoming.into() }, ty))
    }

    /// A type that a register can have.
    pub(in crate::parse) fn value_type(&mut self) -> Parsed<TypeId> {
        let at = self.cursor.start;
        let ty = self.ty()?;
        match self.program.types[ty] {
            Type::Void | Type::Label | Type::Metadata | Type::Function { .. } | Type::Opaque => {
                let text = type_text(&self.program.types, ty);
                Err(Fault::new(at, format!("no value has type `{text}`")))
            }
            _ => Ok(ty),
        }
    }
}
