//! `call`, and the calls that are terminators: `invoke` and `callbr`.

use crate::model::{
    Arg, AsmText, Callee, ConstKind, InstKind, MdNode, MdValue, Operand, ParamAttrs, Type, TypeId, TypeTable,
};
use crate::parse::Parser;
use crate::parse::error::{Fault, Parsed};
use crate::parse::lexer::{Token, unescape};

struct CallSite {
    callee: Callee,
    fn_ty: TypeId,
    ret: TypeId,
    args: Box<[Arg]>,
}

impl Parser<'_, '_> {
    /// After `call` or the first of `tail call`. `None` if this is a debug intrinsic, which becomes a record.
    pub(super) fn call(&mut self, word: &str) -> Parsed<Option<(InstKind, TypeId)>> {
        if word != "call" {
            self.cursor.expect_word("call")?;
        }
        let ty = self.call_type()?;
        if let Token::GlobalName(name) = self.cursor.token
            && let Some(intrinsic) = name.strip_prefix("llvm.dbg.")
        {
            self.debug_intrinsic(intrinsic)?;
            return Ok(None);
        }
        let CallSite { callee, fn_ty, ret, args } = self.call_site(ty)?;
        Ok(Some((InstKind::Call { callee, fn_ty, args }, ret)))
    }

    pub(super) fn invoke(&mut self) -> Parsed<(InstKind, TypeId)> {
        let ty = self.call_type()?;
        let site = self.call_site(ty)?;
        self.cursor.expect_word("to")?;
        let normal = self.label()?;
        self.cursor.expect_word("unwind")?;
        let unwind = self.label()?;
        Ok((InstKind::UnsupportedTerminator { name: "invoke".into(), successors: [normal, unwind].into() }, site.ret))
    }

    pub(super) fn call_br(&mut self) -> Parsed<(InstKind, TypeId)> {
        let ty = self.call_type()?;
        let site = self.call_site(ty)?;
        self.cursor.expect_word("to")?;
        let mut successors = vec![self.label()?];
        successors.extend(self.label_list()?);
        Ok((InstKind::UnsupportedTerminator { name: "callbr".into(), successors: successors.into() }, site.ret))
    }

    /// Everything between the opcode and the callee. The type is that of the result or of the function.
    fn call_type(&mut self) -> Parsed<TypeId> {
        self.skip_to_type()?;
        self.ty()
    }

    fn call_site(&mut self, ty: TypeId) -> Parsed<CallSite> {
        let at = self.cursor.start;
        let callee = self.callee()?;
        let (args, arg_types) = self.arguments()?;
        let (ret, fn_ty) = match &self.program.types[ty] {
            Type::Function { ret, params, varargs } => {
                let matches = arg_types.starts_with(params) && (*varargs || arg_types.len() == params.len());
                if !matches {
                    return Err(Fault::new(at, "the arguments of this call do not match its function type"));
                }
                (*ret, ty)
            }
            _ => (ty, self.mk_type(Type::Function { ret: ty, params: arg_types.into(), varargs: false })),
        };
        self.skip_call_attributes()?;
        if self.cursor.at_punct(b'[') {
            // Operand bundles only inform.
            self.cursor.skip_group()?;
        }
        Ok(CallSite { callee, fn_ty, ret, args: args.into() })
    }

    fn callee(&mut self) -> Parsed<Callee> {
        match self.cursor.token {
            Token::Word("asm") => self.asm(),
            _ => Ok(match self.operand(TypeTable::PTR)? {
                Operand::Const(address) => self.callee_of(address),
                local => Callee::Indirect(local),
            }),
        }
    }

    fn asm(&mut self) -> Parsed<Callee> {
        self.cursor.bump();
        let mut side_effect = false;
        while let Token::Word(word) = self.cursor.token {
            side_effect |= word == "sideeffect";
            self.cursor.bump();
        }
        let template = unescape(self.cursor.expect_str()?).into_owned();
        self.cursor.expect(b',')?;
        let constraints = unescape(self.cursor.expect_str()?).into_owned();
        Ok(Callee::Asm(Box::new(AsmText { template, constraints, side_effect })))
    }

    fn arguments(&mut self) -> Parsed<(Vec<Arg>, Vec<TypeId>)> {
        self.cursor.expect(b'(')?;
        let mut args = Vec::new();
        let mut types = Vec::new();
        while !self.cursor.at_punct(b')') {
            // `musttail` calls of variadic functions pass their own rest on.
            if self.cursor.eat_word("...") {
                break;
            }
            let at = self.cursor.start;
            let ty = self.ty()?;
            let arg = match self.program.types[ty] {
                Type::Metadata => Arg { value: self.metadata_argument(ty)?, attrs: ParamAttrs::default() },
                Type::Void | Type::Label | Type::Function { .. } => {
                    return Err(Fault::new(at, "an argument cannot have this type"));
                }
                _ => {
                    let attrs = self.param_attributes()?;
                    Arg { value: self.operand(ty)?, attrs }
                }
            };
            args.push(arg);
            types.push(ty);
            if !self.cursor.eat(b',') {
                break;
            }
        }
        self.cursor.expect(b')')?;
        Ok((args, types))
    }

    /// What follows `metadata` in an argument list.
    fn metadata_argument(&mut self, ty: TypeId) -> Parsed<Operand> {
        let kind = match self.cursor.token {
            Token::MdNumber(_) | Token::MdName(_) | Token::Bang => ConstKind::Metadata(self.metadata_node()?),
            _ => {
                let start = self.cursor.start;
                match self.typed_operand()? {
                    (_, Operand::Const(constant)) => {
                        let node = MdNode::Value(MdValue::Const(constant));
                        ConstKind::Metadata(self.mk_node(node))
                    }
                    (_, Operand::Local(_)) => {
                        let text = self.cursor.text()[start..self.cursor.start].trim_end();
                        ConstKind::Unsupported(text.into())
                    }
                }
            }
        };
        Ok(Operand::Const(self.mk_const(ty, kind)))
    }
}
