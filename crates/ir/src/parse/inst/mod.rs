//! One instruction: result, operation, what trails it. The operations' own syntax is in the files beside this one.

mod aggregate;
mod arith;
mod call;
mod control;
mod memory;

use super::Parser;
use super::error::{Fault, Parsed};
use super::lexer::{Name, Token};
use super::opcode::Opcode;
use super::scope::{LocalScope, Misuse};
use crate::model::{
    Block, BlockId, DbgRecord, FuncId, Function, Inst, InstKind, MdId, Operand, TypeId, TypeTable, ValueId,
};
use crate::print::type_text;

/// The function body that is being read. Its memory is used again for the next one.
#[derive(Default)]
pub(super) struct Body<'a> {
    pub function: FuncId,
    pub ret: TypeId,
    pub scope: LocalScope<'a>,
    pub insts: Vec<Inst>,
    pub blocks: Vec<Block>,
    pub debug_records: Vec<DbgRecord>,
    /// The first instruction of the block that has no terminator yet.
    pub open_block: Option<u32>,
    /// Instructions that mention blocks.
    block_users: Vec<u32>,
}

/// What may follow any instruction's operands.
#[derive(Default)]
pub(super) struct Trailer {
    pub align: u32,
    pub loc: Option<MdId>,
    pub tbaa: Option<MdId>,
}

impl Body<'_> {
    /// Starts over for `function`, whose parameters are in the scope already.
    pub fn begin(&mut self, function: FuncId, ret: TypeId) {
        self.function = function;
        self.ret = ret;
        self.insts.clear();
        self.blocks.clear();
        self.debug_records.clear();
        self.block_users.clear();
        self.open_block = None;
    }

    /// Hands the finished body over, with blocks under their final ids.
    pub fn finish(&mut self, function: &mut Function) {
        for &user in &self.block_users {
            let scope = &self.scope;
            for_each_block_mut(&mut self.insts[user as usize].kind, |block| *block = scope.final_block(*block));
        }
        function.insts = self.insts.drain(..).collect();
        function.blocks = self.blocks.drain(..).collect();
        function.value_types = self.scope.value_types.clone();
        function.debug_records = self.debug_records.drain(..).collect();
    }
}

fn for_each_block_mut(kind: &mut InstKind, mut f: impl FnMut(&mut BlockId)) {
    match kind {
        InstKind::Phi { incoming } => incoming.iter_mut().for_each(|(_, block)| f(block)),
        InstKind::Br { target } => f(target),
        InstKind::CondBr { then, other, .. } => {
            f(then);
            f(other);
        }
        InstKind::Switch { default, cases, .. } => {
            f(default);
            cases.iter_mut().for_each(|(_, block)| f(block));
        }
        InstKind::IndirectBr { targets: blocks, .. } | InstKind::UnsupportedTerminator { successors: blocks, .. } => {
            blocks.iter_mut().for_each(f);
        }
        _ => {}
    }
}

impl<'a> Parser<'_, 'a> {
    pub(super) fn instruction(&mut self) -> Parsed<()> {
        let at = self.cursor.start;
        let name = self.cursor.local_name();
        if name.is_some() {
            self.cursor.bump();
            self.cursor.expect(b'=')?;
        }
        let opcode = match self.cursor.token {
            Token::Word(word) => self.opcodes.get(word).map(|opcode| (word, opcode)),
            _ => None,
        };
        let Some((word, opcode)) = opcode else {
            return Err(self.cursor.expected("an instruction"));
        };
        self.cursor.bump();
        let Some((mut kind, ty)) = self.operation(word, opcode)? else {
            return Ok(());
        };
        let trailer = self.trailer()?;
        if let InstKind::Load { align, .. } | InstKind::Store { align, .. } | InstKind::Alloca { align, .. } = &mut kind
        {
            *align = trailer.align;
        }
        if let InstKind::Load { tbaa, .. } | InstKind::Store { tbaa, .. } = &mut kind {
            *tbaa = trailer.tbaa;
        }
        self.append(name, at, Inst { kind, ty, result: None, loc: trailer.loc })
    }

    fn append(&mut self, name: Option<Name<'a>>, at: usize, mut inst: Inst) -> Parsed<()> {
        if inst.ty != TypeTable::VOID {
            inst.result = Some(self.define_local(name, inst.ty, at)?);
        } else if name.is_some() {
            return Err(Fault::new(at, "an instruction without a result cannot have a name"));
        }
        let is_terminator = inst.kind.is_terminator();
        if is_terminator || matches!(inst.kind, InstKind::Phi { .. }) {
            self.body.block_users.push(self.body.insts.len() as u32);
        }
        self.body.insts.push(inst);
        if is_terminator {
            self.end_block();
        }
        Ok(())
    }

    /// The operation after its opcode, and the type of its result. `None` if it was a debug record.
    fn operation(&mut self, word: &'a str, opcode: Opcode) -> Parsed<Option<(InstKind, TypeId)>> {
        match opcode {
            Opcode::Binary(op) => self.binary(op),
            Opcode::FBinary(op) => self.float_binary(op),
            Opcode::FNeg => self.fneg(),
            Opcode::Cast(op) => self.cast(op),
            Opcode::AddrSpaceCast => self.addr_space_cast(),
            Opcode::ICmp => self.icmp(),
            Opcode::FCmp => self.fcmp(),
            Opcode::Select => self.select(),
            Opcode::Freeze => self.freeze(),
            Opcode::Phi => self.phi(),
            Opcode::Alloca => self.alloca(),
            Opcode::Load => self.load(),
            Opcode::Store => self.store(),
            Opcode::Gep => self.gep(),
            Opcode::CmpXchg => self.cmpxchg(),
            Opcode::AtomicRmw => self.atomicrmw(),
            Opcode::Fence => self.fence(),
            Opcode::VaArg => self.va_arg(),
            Opcode::ExtractValue => self.extract_value(),
            Opcode::InsertValue => self.insert_value(),
            Opcode::ExtractElement => self.extract_element(),
            Opcode::InsertElement => self.insert_element(),
            Opcode::ShuffleVector => self.shuffle_vector(),
            Opcode::Call => return self.call(word),
            Opcode::Ret => self.ret(),
            Opcode::Br => self.br(),
            Opcode::Switch => self.switch(),
            Opcode::IndirectBr => self.indirect_br(),
            Opcode::Unreachable => Ok((InstKind::Unreachable, TypeTable::VOID)),
            Opcode::Invoke => self.invoke(),
            Opcode::CallBr => self.call_br(),
            Opcode::LandingPad => self.landing_pad(),
            Opcode::Resume => self.resume(),
            Opcode::FuncletTerminator => self.funclet_terminator(word),
            Opcode::FuncletPad => self.funclet_pad(word),
        }
        .map(Some)
    }

    /// `, align 4, !dbg !7, !tbaa !9`. A rule with a list of operands may have taken the first comma already.
    pub(super) fn trailer(&mut self) -> Parsed<Trailer> {
        let mut trailer = Trailer::default();
        loop {
            let comma = self.cursor.eat(b',');
            match self.cursor.token {
                Token::MdName("tbaa") => {
                    self.cursor.bump();
                    trailer.tbaa = Some(self.metadata_node()?);
                }
                Token::MdName(_) => trailer.loc = self.attachment()?.or(trailer.loc),
                Token::Word("align") if !self.cursor.at_label() => trailer.align = self.alignment()?,
                Token::Word("addrspace") if !self.cursor.at_label() => self.address_space()?,
                _ if comma => return Err(self.cursor.expected("an alignment or attachment")),
                _ => return Ok(trailer),
            }
        }
    }

    /// A value of type `ty`.
    pub(super) fn operand(&mut self, ty: TypeId) -> Parsed<Operand> {
        match self.cursor.token {
            Token::LocalNumber(number) => self.local(Name::Number(number), ty),
            Token::LocalName(raw) => self.local(Name::text(raw), ty),
            _ => Ok(Operand::Const(self.constant(ty)?)),
        }
    }

    fn local(&mut self, name: Name<'a>, ty: TypeId) -> Parsed<Operand> {
        let at = self.cursor.start;
        self.body.scope.check_number(&name, at)?;
        let value = self.use_value(name, ty, at)?;
        self.cursor.bump();
        Ok(Operand::Local(value))
    }

    fn use_value(&mut self, name: Name<'a>, ty: TypeId, at: usize) -> Parsed<ValueId> {
        self.body.scope.use_value(name, ty, at).map_err(|misuse| self.misuse(at, misuse, Some(ty)))
    }

    /// A type and a value of that type.
    pub(super) fn typed_operand(&mut self) -> Parsed<(TypeId, Operand)> {
        let ty = self.ty()?;
        Ok((ty, self.operand(ty)?))
    }

    /// A type that must be `wanted`, and a value of it.
    pub(super) fn operand_of(&mut self, wanted: TypeId) -> Parsed<Operand> {
        let at = self.cursor.start;
        let found = self.ty()?;
        self.check_type_at(at, wanted, found)?;
        self.operand(found)
    }

    /// The operand after a comma, which must have type `wanted`.
    pub(super) fn next_operand_of(&mut self, wanted: TypeId) -> Parsed<Operand> {
        self.cursor.expect(b',')?;
        self.operand_of(wanted)
    }

    pub(super) fn misuse(&self, at: usize, misuse: Misuse, wanted: Option<TypeId>) -> Box<Fault> {
        let name = self.cursor.text_at(at);
        let text = |ty| type_text(&self.program.types, ty);
        let message = match (misuse, wanted) {
            (Misuse::IsLabel, _) => format!("`{name}` is a block, not a value"),
            (Misuse::IsValue, _) => format!("`{name}` is a value, not a block"),
            (Misuse::HasType(known), Some(wanted)) => {
                format!("`{name}` has type `{}` elsewhere, here it is `{}`", text(known), text(wanted))
            }
            (Misuse::HasType(known), None) => format!("`{name}` has type `{}`", text(known)),
        };
        Fault::new(at, message)
    }
}
