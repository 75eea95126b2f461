//! Constant expressions: the operations of any release from 15 on, with their operands in parentheses.

use super::Parser;
use super::error::{Fault, Parsed};
use super::lexer::Token;
use super::opcode::Opcode;
use crate::model::{ConstExpr, ConstId, ConstKind, Operand, TypeId, TypeTable};
use spelunk_bv::CmpOp;

impl Parser<'_, '_> {
    /// The expression whose opcode is the current token; it must have type `ty`.
    pub(super) fn const_expr(&mut self, ty: TypeId, opcode: Opcode) -> Parsed<ConstId> {
        let start = self.cursor.start;
        let (found, expr) = match opcode {
            Opcode::Binary(op) => {
                self.open_operands()?;
                let (lhs, rhs) = self.const_pair()?;
                (self.const_type(lhs), ConstExpr::Binary { op, lhs, rhs })
            }
            Opcode::ICmp => {
                self.cursor.bump();
                self.cursor.eat_word("samesign");
                let op = self.int_predicate()?;
                self.cursor.expect(b'(')?;
                let (lhs, rhs) = self.const_pair()?;
                let shape = self.const_type(lhs);
                (self.like_shape(shape, TypeTable::I1), ConstExpr::ICmp { op, lhs, rhs })
            }
            Opcode::Select => {
                self.open_operands()?;
                let cond = self.typed_constant()?;
                self.cursor.expect(b',')?;
                let (then, other) = self.const_pair()?;
                (self.const_type(then), ConstExpr::Select { cond, then, other })
            }
            Opcode::Cast(op) => {
                self.open_operands()?;
                let arg = self.typed_constant()?;
                self.cursor.expect_word("to")?;
                let to = self.ty()?;
                self.check_cast(op, self.const_type(arg), to, start)?;
                (to, ConstExpr::Cast { op, arg })
            }
            Opcode::Gep => self.const_gep()?,
            _ => return self.unsupported_constant(ty),
        };
        self.cursor.expect(b')')?;
        self.check_type_at(start, ty, found)?;
        Ok(self.mk_const(ty, ConstKind::Expr(expr)))
    }

    fn const_type(&self, constant: ConstId) -> TypeId {
        self.program.consts[constant].ty
    }

    /// The opcode, its flags and the opening parenthesis.
    fn open_operands(&mut self) -> Parsed<()> {
        self.cursor.bump();
        self.inst_flags();
        self.cursor.expect(b'(')
    }

    /// Two constants of one type.
    fn const_pair(&mut self) -> Parsed<(ConstId, ConstId)> {
        let lhs = self.typed_constant()?;
        self.cursor.expect(b',')?;
        let at = self.cursor.start;
        let rhs = self.typed_constant()?;
        self.check_type_at(at, self.const_type(lhs), self.const_type(rhs))?;
        Ok((lhs, rhs))
    }

    fn const_gep(&mut self) -> Parsed<(TypeId, ConstExpr)> {
        self.cursor.bump();
        let inbounds = self.gep_flags()?;
        self.cursor.expect(b'(')?;
        let elem_at = self.cursor.start;
        let elem = self.value_type()?;
        self.cursor.expect(b',')?;
        let at = self.cursor.start;
        let base = self.typed_constant()?;
        let mut ty = self.const_type(base);
        if self.scalar_of(ty) != TypeTable::PTR {
            return Err(Fault::new(at, "the base of `getelementptr` is not a pointer"));
        }
        let mut indices = Vec::new();
        while self.cursor.eat(b',') {
            self.cursor.eat_word("inrange");
            let at = self.cursor.start;
            let index = self.typed_constant()?;
            self.check_index_type(self.const_type(index), at)?;
            if self.scalar_of(ty) == ty {
                ty = self.like_shape(self.const_type(index), TypeTable::PTR);
            }
            indices.push(index);
        }
        self.check_gep(elem, indices.iter().map(|&index| Operand::Const(index)), elem_at)?;
        Ok((ty, ConstExpr::Gep { elem, base, indices: indices.into(), inbounds }))
    }

    /// `inbounds nusw nuw inrange(…)` in any order. Says whether `inbounds` is there.
    pub(super) fn gep_flags(&mut self) -> Parsed<bool> {
        let mut inbounds = false;
        loop {
            match self.cursor.token {
                Token::Word("inbounds") => inbounds = true,
                Token::Word("nusw" | "nuw") => {}
                Token::Word("inrange") => {
                    self.cursor.bump();
                    self.cursor.skip_group()?;
                    continue;
                }
                _ => return Ok(inbounds),
            }
            self.cursor.bump();
        }
    }

    pub(super) fn int_predicate(&mut self) -> Parsed<CmpOp> {
        let found = match self.cursor.token {
            Token::Word(word) => CmpOp::from_name(word),
            _ => None,
        };
        let op = found.ok_or_else(|| self.cursor.expected("a comparison of integers"))?;
        self.cursor.bump();
        Ok(op)
    }
}
