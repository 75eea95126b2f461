//! Attributes of functions, parameters and results. The few that change what code does are kept; all others are
//! skipped by their shape, so that attributes of later releases do no harm.

use super::Parser;
use super::error::Parsed;
use super::lexer::Token;
use crate::model::{FuncId, ParamAttrs};

impl Parser<'_, '_> {
    /// The attributes between the type and the value of a parameter or argument.
    pub(super) fn param_attributes(&mut self) -> Parsed<ParamAttrs> {
        let mut attrs = ParamAttrs::default();
        loop {
            match self.cursor.token {
                Token::Word("noundef") => self.cursor.bump(),
                Token::Word("align") => attrs.align = self.alignment()?,
                Token::Word(word @ ("byval" | "sret" | "elementtype")) => {
                    self.cursor.bump();
                    self.cursor.expect(b'(')?;
                    let ty = Some(self.ty()?);
                    self.cursor.expect(b')')?;
                    match word {
                        "byval" => attrs.byval = ty,
                        "sret" => attrs.sret = ty,
                        _ => attrs.elementtype = ty,
                    }
                }
                Token::Word(word) if self.is_constant_word(word) || word == "..." => return Ok(attrs),
                Token::Word(_) => self.skip_word_attribute()?,
                Token::Str(_) => self.skip_string_attribute()?,
                _ => return Ok(attrs),
            }
        }
    }

    /// `align 8`, `align(8)` or `align=8`, from the keyword on.
    pub(super) fn alignment(&mut self) -> Parsed<u32> {
        self.cursor.bump();
        let parenthesised = self.cursor.eat(b'(');
        self.cursor.eat(b'=');
        let align: u64 = self.cursor.expect_number()?;
        if parenthesised {
            self.cursor.expect(b')')?;
        }
        // LLVM's largest alignment is one more than fits; no object is that large anyway.
        Ok(u32::try_from(align).unwrap_or(1 << 31))
    }

    /// Skips everything that may precede the type of a call's result.
    pub(super) fn skip_to_type(&mut self) -> Parsed<()> {
        while !self.at_type() {
            self.skip_one_before_type()?;
        }
        Ok(())
    }

    /// A flag, calling convention or attribute that stands before a result type.
    pub(super) fn skip_one_before_type(&mut self) -> Parsed<()> {
        match self.cursor.token {
            Token::Word("align") => self.alignment().map(drop),
            // A calling convention by number.
            Token::Word("cc") => {
                self.cursor.bump();
                self.cursor.expect_number::<u32>().map(drop)
            }
            Token::Word(_) => self.skip_word_attribute(),
            Token::Str(_) => self.skip_string_attribute(),
            _ => Err(self.cursor.expected("a type")),
        }
    }

    /// `word` or `word(…)`.
    pub(super) fn skip_word_attribute(&mut self) -> Parsed<()> {
        self.cursor.bump();
        self.cursor.skip_optional_parens()
    }

    /// `"key"` or `"key"="value"`.
    pub(super) fn skip_string_attribute(&mut self) -> Parsed<()> {
        self.cursor.bump();
        if self.cursor.eat(b'=') {
            self.cursor.expect_str()?;
        }
        Ok(())
    }

    /// The attributes after the arguments of a call, up to the next thing that is none.
    pub(super) fn skip_call_attributes(&mut self) -> Parsed<()> {
        loop {
            match self.cursor.token {
                Token::AttrGroup(_) => self.cursor.bump(),
                _ if self.cursor.at_label() => return Ok(()),
                Token::Word("to") => return Ok(()),
                Token::Word(word) if self.opcodes.get(word).is_some() || word.starts_with("uselistorder") => {
                    return Ok(());
                }
                Token::Word(_) => self.skip_word_attribute()?,
                Token::Str(_) => self.skip_string_attribute()?,
                _ => return Ok(()),
            }
        }
    }

    /// A word among the attributes of `function` after its parameters.
    pub(super) fn function_attribute(&mut self, function: FuncId) -> Parsed<()> {
        match self.cursor.token {
            Token::AttrGroup(group) => {
                self.symbols.group_uses.push((function, group));
                self.cursor.bump();
                Ok(())
            }
            Token::Word("noreturn") => {
                self.program.functions[function.index()].noreturn = true;
                self.cursor.bump();
                Ok(())
            }
            Token::Word("align") => self.alignment().map(drop),
            Token::Word(_) => self.skip_word_attribute(),
            _ => self.skip_string_attribute(),
        }
    }

    /// `attributes #7 = { … }`, from the keyword on.
    pub(super) fn attribute_group(&mut self) -> Parsed<()> {
        self.cursor.bump();
        let Token::AttrGroup(group) = self.cursor.token else {
            return Err(self.cursor.expected("an attribute group"));
        };
        self.cursor.bump();
        self.cursor.expect(b'=')?;
        self.cursor.expect(b'{')?;
        while !self.cursor.eat(b'}') {
            match self.cursor.token {
                Token::Word("noreturn") => {
                    self.symbols.noreturn_groups.insert(group);
                    self.cursor.bump();
                }
                Token::Word("align" | "alignstack") => {
                    self.alignment()?;
                }
                Token::Word(_) => self.skip_word_attribute()?,
                Token::Str(_) => self.skip_string_attribute()?,
                _ => return Err(self.cursor.expected("an attribute")),
            }
        }
        Ok(())
    }
}
