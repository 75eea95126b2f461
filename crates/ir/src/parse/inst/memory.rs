//! Operations on memory: `alloca`, `load`, `store`, `getelementptr`, atomics, `va_arg`.

use crate::model::{ConstId, ConstKind, InstKind, Operand, RmwOp, Type, TypeId, TypeTable};
use crate::parse::Parser;
use crate::parse::error::{Fault, Parsed};
use crate::parse::lexer::Token;

impl Parser<'_, '_> {
    pub(super) fn alloca(&mut self) -> Parsed<(InstKind, TypeId)> {
        while matches!(self.cursor.token, Token::Word("inalloca" | "swifterror")) {
            self.cursor.bump();
        }
        let elem = self.value_type()?;
        let mut count = None;
        if self.cursor.eat(b',') && self.at_type() {
            count = Some(self.int_operand()?);
        }
        let count = match count {
            Some(count) => count,
            None => Operand::Const(self.mk_const(TypeTable::I32, ConstKind::Int(1))),
        };
        Ok((InstKind::Alloca { elem, count, align: 0 }, TypeTable::PTR))
    }

    fn int_operand(&mut self) -> Parsed<Operand> {
        let at = self.cursor.start;
        let (ty, value) = self.typed_operand()?;
        match self.program.types[ty] {
            Type::Int(_) => Ok(value),
            _ => Err(Fault::new(at, "an integer is needed here")),
        }
    }

    /// `atomic volatile` before a type. Says whether one of them is there.
    fn access_words(&mut self) -> bool {
        let is_atomic = self.cursor.eat_word("atomic");
        self.cursor.eat_word("volatile") || is_atomic
    }

    /// `syncscope("…")` and orderings. Every access is sequentially consistent to us.
    fn skip_ordering(&mut self) -> Parsed<()> {
        while let Token::Word(word) = self.cursor.token {
            match word {
                "syncscope" => self.skip_word_attribute()?,
                "unordered" | "monotonic" | "acquire" | "release" | "acq_rel" | "seq_cst" => self.cursor.bump(),
                _ => break,
            }
        }
        Ok(())
    }

    pub(super) fn load(&mut self) -> Parsed<(InstKind, TypeId)> {
        let volatile = self.access_words();
        let ty = self.value_type()?;
        let ptr = self.next_operand_of(TypeTable::PTR)?;
        self.skip_ordering()?;
        Ok((InstKind::Load { ptr, align: 0, volatile, tbaa: None }, ty))
    }

    pub(super) fn store(&mut self) -> Parsed<(InstKind, TypeId)> {
        let volatile = self.access_words();
        let ty = self.value_type()?;
        let value = self.operand(ty)?;
        let ptr = self.next_operand_of(TypeTable::PTR)?;
        self.skip_ordering()?;
        Ok((InstKind::Store { value, ptr, align: 0, volatile, tbaa: None }, TypeTable::VOID))
    }

    pub(super) fn gep(&mut self) -> Parsed<(InstKind, TypeId)> {
        let inbounds = self.gep_flags()?;
        let elem_at = self.cursor.start;
        let elem = self.value_type()?;
        self.cursor.expect(b',')?;
        let at = self.cursor.start;
        let (mut ty, base) = self.typed_operand()?;
        if self.scalar_of(ty) != TypeTable::PTR {
            return Err(Fault::new(at, "the base of `getelementptr` is not a pointer"));
        }
        let mut indices = Vec::new();
        // After its last operand the list may go on with attachments.
        while self.cursor.eat(b',') && !matches!(self.cursor.token, Token::MdName(_)) {
            let at = self.cursor.start;
            let (index_ty, index) = self.typed_operand()?;
            self.check_index_type(index_ty, at)?;
            if self.scalar_of(ty) == ty {
                ty = self.like_shape(index_ty, TypeTable::PTR);
            }
            indices.push(index);
        }
        self.check_gep(elem, indices.iter().copied(), elem_at)?;
        Ok((InstKind::Gep { elem, base, indices: indices.into(), inbounds }, ty))
    }

    pub(in crate::parse) fn check_index_type(&self, ty: TypeId, at: usize) -> Parsed<()> {
        match self.program.types[self.scalar_of(ty)] {
            Type::Int(_) => Ok(()),
            _ => Err(Fault::new(at, "an index is an integer")),
        }
    }

    /// Follows the indices through the type, so that struct fields are known to exist.
    pub(in crate::parse) fn check_gep(
        &self,
        elem: TypeId,
        indices: impl Iterator<Item = Operand>,
        at: usize,
    ) -> Parsed<()> {
        let mut ty = elem;
        for index in indices.skip(1) {
            ty = match (&self.program.types[ty], index) {
                (Type::Struct { fields, .. }, Operand::Const(index)) => {
                    let field = self.struct_index(index).and_then(|field| fields.get(field));
                    *field.ok_or_else(|| Fault::new(at, "an index of this `getelementptr` names no field"))?
                }
                (Type::Array(elem, _) | Type::Vector(elem, _), _) => *elem,
                (Type::Unsupported(_), _) => return Ok(()),
                _ => return Err(Fault::new(at, "an index of this `getelementptr` leads into no part of the type")),
            };
        }
        Ok(())
    }

    /// The field that a constant index means; in vectors of pointers it is a vector of equal elements.
    fn struct_index(&self, index: ConstId) -> Option<usize> {
        match &self.program.consts[index].kind {
            ConstKind::Int(value) => usize::try_from(*value).ok(),
            ConstKind::Zero => Some(0),
            ConstKind::Aggregate(lanes) => match &self.program.consts[*lanes.first()?].kind {
                ConstKind::Int(value) => usize::try_from(*value).ok(),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn cmpxchg(&mut self) -> Parsed<(InstKind, TypeId)> {
        while matches!(self.cursor.token, Token::Word("weak" | "volatile")) {
            self.cursor.bump();
        }
        let ptr = self.operand_of(TypeTable::PTR)?;
        self.cursor.expect(b',')?;
        let (ty, expected) = self.typed_operand()?;
        let new = self.next_operand_of(ty)?;
        self.skip_ordering()?;
        let result = self.mk_type(Type::Struct { fields: [ty, TypeTable::I1].into(), packed: false });
        Ok((InstKind::CmpXchg { ptr, expected, new }, result))
    }

    pub(super) fn atomicrmw(&mut self) -> Parsed<(InstKind, TypeId)> {
        self.cursor.eat_word("volatile");
        let Token::Word(word) = self.cursor.token else {
            return Err(self.cursor.expected("an operation"));
        };
        self.cursor.bump();
        let ptr = self.operand_of(TypeTable::PTR)?;
        self.cursor.expect(b',')?;
        let (ty, value) = self.typed_operand()?;
        self.skip_ordering()?;
        let kind = match RmwOp::from_name(word) {
            Some(op) => InstKind::AtomicRmw { op, ptr, value },
            None => InstKind::Unsupported { name: format!("atomicrmw {word}").into() },
        };
        Ok((kind, ty))
    }

    pub(super) fn fence(&mut self) -> Parsed<(InstKind, TypeId)> {
        self.skip_ordering()?;
        Ok((InstKind::Fence, TypeTable::VOID))
    }

    pub(super) fn va_arg(&mut self) -> Parsed<(InstKind, TypeId)> {
        let list = self.operand_of(TypeTable::PTR)?;
        self.cursor.expect(b',')?;
        Ok((InstKind::VaArg { list }, self.value_type()?))
    }
}
