//! `declare` and `define`: the header, and the body as a sequence of blocks.

use super::Parser;
use super::error::{Fault, Parsed};
use super::lexer::{Name, Token};
use crate::model::{
    Block, BlockId, FuncId, Function, Linkage, Param, SymbolId, SymbolKind, Type, TypeId, TypeTable, ValueId,
};

/// Words that start a top-level entity and so end the attributes of a declaration.
const TOP_LEVEL_WORDS: &[&str] =
    &["define", "declare", "attributes", "source_filename", "target", "module", "uselistorder", "uselistorder_bb"];

impl<'a> Parser<'_, 'a> {
    pub(super) fn function_declaration(&mut self) -> Parsed<()> {
        self.function_header().map(drop)
    }

    pub(super) fn function_definition(&mut self) -> Parsed<()> {
        let function = self.function_header()?;
        self.cursor.expect(b'{')?;
        self.body.begin(function, self.program.function(function).ret);
        while !self.cursor.at_punct(b'}') {
            self.statement()?;
        }
        self.end_function(function)?;
        self.cursor.bump();
        Ok(())
    }

    /// Everything up to the body. The parameters are the first values of the body's scope.
    fn function_header(&mut self) -> Parsed<FuncId> {
        self.cursor.bump();
        let mut linkage = Linkage::External;
        let mut debug = None;
        while !self.at_type() {
            if let Some(found) = self.linkage() {
                linkage = found;
            } else if matches!(self.cursor.token, Token::MdName(_)) {
                debug = self.attachment()?.or(debug);
            } else {
                self.skip_one_before_type()?;
            }
        }
        let ret = self.ty()?;
        let symbol = self.defined_symbol()?;
        let (params, varargs) = self.parameters()?;
        let param_types = params.iter().map(|param| param.ty).collect();
        let ty = self.mk_type(Type::Function { ret, params: param_types, varargs });
        let function = self.mk_function(symbol, linkage, ty, params);
        self.program.functions[function.index()].debug = debug;
        self.function_properties(function)?;
        Ok(function)
    }

    /// Appends a function without a body. `ty` is a function type with these parameters.
    pub(super) fn mk_function(&mut self, symbol: SymbolId, linkage: Linkage, ty: TypeId, params: Vec<Param>) -> FuncId {
        let (ret, varargs) = match self.program.types[ty] {
            Type::Function { ret, varargs, .. } => (ret, varargs),
            _ => (TypeTable::VOID, false),
        };
        let function = FuncId::new(self.program.functions.len());
        self.program.functions.push(Function {
            symbol,
            ty,
            ret,
            params,
            varargs,
            noreturn: false,
            blocks: Vec::new(),
            insts: Vec::new(),
            value_types: Vec::new(),
            debug_records: Vec::new(),
            debug: None,
            personality: None,
        });
        self.set_symbol(symbol, linkage, SymbolKind::Function(function));
        function
    }

    fn parameters(&mut self) -> Parsed<(Vec<Param>, bool)> {
        self.cursor.expect(b'(')?;
        self.body.scope.clear(self.number_limit());
        let mut params = Vec::new();
        let mut varargs = false;
        while !self.cursor.at_punct(b')') {
            if self.cursor.eat_word("...") {
                varargs = true;
                break;
            }
            let at = self.cursor.start;
            let ty = self.ty()?;
            if ty == TypeTable::VOID {
                return Err(Fault::new(at, "a parameter cannot have type `void`"));
            }
            let attrs = self.param_attributes()?;
            let name = self.cursor.local_name();
            self.define_local(name.clone(), ty, self.cursor.start)?;
            if name.is_some() {
                self.cursor.bump();
            }
            params.push(Param { ty, attrs });
            if !self.cursor.eat(b',') {
                break;
            }
        }
        self.cursor.expect(b')')?;
        Ok((params, varargs))
    }

    /// What may follow the parameters, up to the body or the next entity.
    fn function_properties(&mut self, function: FuncId) -> Parsed<()> {
        loop {
            match self.cursor.token {
                Token::Word("section" | "partition" | "gc") => {
                    self.cursor.bump();
                    self.cursor.expect_str()?;
                }
                Token::Word("prefix" | "prologue") => {
                    self.cursor.bump();
                    self.typed_constant()?;
                }
                Token::Word("personality") => {
                    self.cursor.bump();
                    let personality = self.typed_constant()?;
                    self.program.functions[function.index()].personality = Some(personality);
                }
                Token::Word(word) if TOP_LEVEL_WORDS.contains(&word) => return Ok(()),
                Token::Word(_) | Token::Str(_) | Token::AttrGroup(_) => self.function_attribute(function)?,
                Token::MdName(_) if self.at_attachment() => {
                    if let Some(debug) = self.attachment()? {
                        self.program.functions[function.index()].debug = Some(debug);
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// A label, a debug record or an instruction.
    fn statement(&mut self) -> Parsed<()> {
        if self.cursor.at_label() {
            return self.label_definition();
        }
        match self.cursor.token {
            Token::DebugRecord(name) => self.debug_record(name),
            Token::Word("uselistorder" | "uselistorder_bb") => self.use_list_order(),
            _ => {
                if self.body.open_block.is_none() {
                    self.begin_block(None)?;
                }
                self.instruction()
            }
        }
    }

    fn label_definition(&mut self) -> Parsed<()> {
        if self.body.open_block.is_some() {
            return Err(self.cursor.fail("the block before this label does not end in a terminator"));
        }
        let name = match self.cursor.token {
            Token::Integer(digits) => digits.parse().map_or_else(|_| Name::text(digits), Name::Number),
            Token::Word(raw) | Token::Str(raw) => Name::text(raw),
            _ => return Err(self.cursor.expected("a label")),
        };
        self.begin_block(Some(name))?;
        self.cursor.bump();
        self.cursor.expect(b':')
    }

    fn begin_block(&mut self, label: Option<Name<'a>>) -> Parsed<()> {
        let (id, name) = self.body.scope.define_block(label, self.cursor.start)?;
        if let Some(labels) = &mut self.symbols.labels {
            labels.insert((self.body.function, name), id);
        }
        self.body.open_block = Some(self.body.insts.len() as u32);
        Ok(())
    }

    /// At the closing brace: everything used must be defined by now.
    fn end_function(&mut self, function: FuncId) -> Parsed<()> {
        if self.body.open_block.is_some() {
            return Err(self.cursor.fail("the last block does not end in a terminator"));
        }
        if self.body.blocks.is_empty() {
            return Err(self.cursor.fail("a function body needs at least one block"));
        }
        if let Some((at, what)) = self.body.scope.first_undefined() {
            return Err(Fault::new(at, format!("{what} `{}` is not defined", self.cursor.text_at(at))));
        }
        self.body.finish(&mut self.program.functions[function.index()]);
        Ok(())
    }

    /// Notes that the open block ends with the last instruction.
    pub(super) fn end_block(&mut self) {
        if let Some(start) = self.body.open_block.take() {
            self.body.blocks.push(Block { insts: start..self.body.insts.len() as u32 });
        }
    }

    /// The block named at the current token.
    pub(super) fn block(&mut self) -> Parsed<BlockId> {
        let at = self.cursor.start;
        let name = self.cursor.local_name().ok_or_else(|| self.cursor.expected("a block"))?;
        self.body.scope.check_number(&name, at)?;
        let block = self.body.scope.use_block(name, at).map_err(|misuse| self.misuse(at, misuse, None))?;
        self.cursor.bump();
        Ok(block)
    }

    /// `label %name`.
    pub(super) fn label(&mut self) -> Parsed<BlockId> {
        self.cursor.expect_word("label")?;
        self.block()
    }

    /// Defines a parameter or result.
    pub(super) fn define_local(&mut self, name: Option<Name<'a>>, ty: TypeId, at: usize) -> Parsed<ValueId> {
        self.body.scope.define_value(name, ty, at)?.map_err(|misuse| self.misuse(at, misuse, Some(ty)))
    }
}
