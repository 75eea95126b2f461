//! Terminators other than calls, and the pads of exception handling, which stay unsupported.

use crate::model::{BlockId, ConstKind, InstKind, Operand, Type, TypeId, TypeTable};
use crate::parse::Parser;
use crate::parse::error::{Fault, Parsed};
use crate::parse::lexer::Token;

impl Parser<'_, '_> {
    pub(super) fn ret(&mut self) -> Parsed<(InstKind, TypeId)> {
        let at = self.cursor.start;
        let ty = self.ty()?;
        self.check_type_at(at, self.body.ret, ty)?;
        let value = if ty == TypeTable::VOID { None } else { Some(self.operand(ty)?) };
        Ok((InstKind::Ret { value }, TypeTable::VOID))
    }

    pub(super) fn br(&mut self) -> Parsed<(InstKind, TypeId)> {
        let kind = if self.cursor.at_word("label") {
            InstKind::Br { target: self.label()? }
        } else {
            let cond = self.operand_of(TypeTable::I1)?;
            self.cursor.expect(b',')?;
            let then = self.label()?;
            self.cursor.expect(b',')?;
            InstKind::CondBr { cond, then, other: self.label()? }
        };
        Ok((kind, TypeTable::VOID))
    }

    pub(super) fn switch(&mut self) -> Parsed<(InstKind, TypeId)> {
        let at = self.cursor.start;
        let (ty, value) = self.typed_operand()?;
        if !matches!(self.program.types[ty], Type::Int(_)) {
            return Err(Fault::new(at, "a switch is over integers"));
        }
        self.cursor.expect(b',')?;
        let default = self.label()?;
        self.cursor.expect(b'[')?;
        let mut cases = Vec::new();
        while !self.cursor.eat(b']') {
            let at = self.cursor.start;
            let Operand::Const(case) = self.operand_of(ty)? else {
                return Err(Fault::new(at, "a case is a constant"));
            };
            if !matches!(self.program.consts[case].kind, ConstKind::Int(_) | ConstKind::WideInt(_)) {
                return Err(Fault::new(at, "a case is an integer constant"));
            }
            self.cursor.expect(b',')?;
            cases.push((case, self.label()?));
        }
        Ok((InstKind::Switch { value, default, cases: cases.into() }, TypeTable::VOID))
    }

    pub(super) fn indirect_br(&mut self) -> Parsed<(InstKind, TypeId)> {
        let addr = self.operand_of(TypeTable::PTR)?;
        self.cursor.expect(b',')?;
        let targets = self.label_list()?;
        Ok((InstKind::IndirectBr { addr, targets }, TypeTable::VOID))
    }

    /// `[label %a, label %b]`.
    pub(super) fn label_list(&mut self) -> Parsed<Box<[BlockId]>> {
        self.cursor.expect(b'[')?;
        let mut labels = Vec::new();
        while !self.cursor.at_punct(b']') {
            labels.push(self.label()?);
            if !self.cursor.eat(b',') {
                break;
            }
        }
        self.cursor.expect(b']')?;
        Ok(labels.into())
    }

    pub(super) fn landing_pad(&mut self) -> Parsed<(InstKind, TypeId)> {
        let ty = self.value_type()?;
        loop {
            match self.cursor.token {
                _ if self.cursor.at_label() => break,
                Token::Word("cleanup") => self.cursor.bump(),
                Token::Word("catch" | "filter") => {
                    self.cursor.bump();
                    self.typed_operand()?;
                }
                _ => break,
            }
        }
        Ok((InstKind::Unsupported { name: "landingpad".into() }, ty))
    }

    pub(super) fn resume(&mut self) -> Parsed<(InstKind, TypeId)> {
        self.typed_operand()?;
        Ok((InstKind::UnsupportedTerminator { name: "resume".into(), successors: Box::default() }, TypeTable::VOID))
    }

    /// `catchswitch within … [label %a] unwind label %b`, `catchret from %a to label %b`, `cleanupret from …`.
    pub(super) fn funclet_terminator(&mut self, word: &str) -> Parsed<(InstKind, TypeId)> {
        self.funclet_parent()?;
        let mut successors = Vec::new();
        if self.cursor.at_punct(b'[') {
            successors.extend(self.label_list()?);
        }
        if self.cursor.eat_word("unwind") || self.cursor.eat_word("to") {
            if self.cursor.eat_word("to") {
                self.cursor.expect_word("caller")?;
            } else {
                successors.push(self.label()?);
            }
        }
        let ty = if word == "catchswitch" { self.mk_type(Type::Token) } else { TypeTable::VOID };
        Ok((InstKind::UnsupportedTerminator { name: word.into(), successors: successors.into() }, ty))
    }

    /// `catchpad within %a […]`, `cleanuppad within none […]`.
    pub(super) fn funclet_pad(&mut self, word: &str) -> Parsed<(InstKind, TypeId)> {
        self.funclet_parent()?;
        self.cursor.skip_group()?;
        Ok((InstKind::Unsupported { name: word.into() }, self.mk_type(Type::Token)))
    }

    fn funclet_parent(&mut self) -> Parsed<()> {
        if !self.cursor.eat_word("within") {
            self.cursor.expect_word("from")?;
        }
        let token = self.mk_type(Type::Token);
        self.operand(token).map(drop)
    }
}
