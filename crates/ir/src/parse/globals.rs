//! `@name = …`: variables, aliases, ifuncs; and the words that functions share with them.

use super::Parser;
use super::error::Parsed;
use super::lexer::Token;
use crate::model::{GlobalId, GlobalVar, Linkage, SymbolId, SymbolKind, TypeTable};

const LINKAGES: &[(&str, Linkage)] = &[
    ("external", Linkage::External),
    ("extern_weak", Linkage::ExternWeak),
    ("internal", Linkage::Internal),
    ("private", Linkage::Internal),
    ("available_externally", Linkage::AvailableExternally),
    ("linkonce", Linkage::Weak),
    ("linkonce_odr", Linkage::Weak),
    ("weak", Linkage::Weak),
    ("weak_odr", Linkage::Weak),
    ("common", Linkage::Common),
    ("appending", Linkage::Appending),
];

/// What stands between `=` and the kind of a global.
#[derive(Default)]
struct Prefix {
    linkage: Option<Linkage>,
    thread_local: bool,
    constant: bool,
}

impl Parser<'_, '_> {
    /// The linkage if the current token is one; it is consumed.
    pub(super) fn linkage(&mut self) -> Option<Linkage> {
        let Token::Word(word) = self.cursor.token else {
            return None;
        };
        let &(_, linkage) = LINKAGES.iter().find(|(name, _)| *name == word)?;
        self.cursor.bump();
        Some(linkage)
    }

    pub(super) fn global(&mut self) -> Parsed<()> {
        let symbol = self.defined_symbol()?;
        self.cursor.expect(b'=')?;
        let mut prefix = Prefix::default();
        loop {
            match self.cursor.token {
                Token::Word(word @ ("global" | "constant")) => {
                    prefix.constant = word == "constant";
                    return self.variable(symbol, prefix);
                }
                Token::Word("alias") => return self.alias(symbol, prefix),
                Token::Word("ifunc") => return self.ifunc(symbol, prefix),
                Token::Word("thread_local") => {
                    prefix.thread_local = true;
                    self.skip_word_attribute()?;
                }
                Token::Word(_) => match self.linkage() {
                    Some(linkage) => prefix.linkage = Some(linkage),
                    None => self.skip_word_attribute()?,
                },
                _ => return Err(self.cursor.expected("`global`, `constant`, `alias` or `ifunc`")),
            }
        }
    }

    fn variable(&mut self, symbol: SymbolId, prefix: Prefix) -> Parsed<()> {
        self.cursor.bump();
        let ty = self.ty()?;
        let is_declaration = matches!(prefix.linkage, Some(Linkage::External | Linkage::ExternWeak));
        let init = if is_declaration { None } else { Some(self.constant(ty)?) };
        let Prefix { thread_local, constant, .. } = prefix;
        let mut global = GlobalVar { symbol, ty, init, constant, thread_local, align: 0, debug: Vec::new() };
        loop {
            let comma = self.cursor.eat(b',');
            match self.cursor.token {
                Token::AttrGroup(_) => self.cursor.bump(),
                Token::Str(_) => self.skip_string_attribute()?,
                Token::Word("align") => global.align = self.alignment()?,
                _ if !comma => break,
                Token::Word("section" | "partition" | "code_model") => {
                    self.cursor.bump();
                    self.cursor.expect_str()?;
                }
                // `comdat`, `comdat($name)`, `no_sanitize_address`…
                Token::Word(_) => self.skip_word_attribute()?,
                _ => global.debug.extend(self.attachment()?),
            }
        }
        let id = GlobalId::new(self.program.globals.len());
        self.program.globals.push(global);
        self.set_symbol(symbol, prefix.linkage.unwrap_or(Linkage::External), SymbolKind::Global(id));
        Ok(())
    }

    fn alias(&mut self, symbol: SymbolId, prefix: Prefix) -> Parsed<()> {
        self.cursor.bump();
        self.ty()?;
        self.cursor.expect(b',')?;
        // A bare expression may leave its type out.
        if self.at_type() {
            let at = self.cursor.start;
            let ty = self.ty()?;
            self.check_type_at(at, TypeTable::PTR, ty)?;
        }
        let target = self.constant(TypeTable::PTR)?;
        self.indirect_symbol_properties()?;
        self.set_symbol(symbol, prefix.linkage.unwrap_or(Linkage::External), SymbolKind::Alias(target));
        Ok(())
    }

    fn ifunc(&mut self, symbol: SymbolId, prefix: Prefix) -> Parsed<()> {
        self.cursor.bump();
        self.ty()?;
        self.cursor.expect(b',')?;
        self.typed_constant()?;
        self.indirect_symbol_properties()?;
        self.set_symbol(symbol, prefix.linkage.unwrap_or(Linkage::External), SymbolKind::IFunc);
        Ok(())
    }

    /// `, partition "…"` and attachments.
    fn indirect_symbol_properties(&mut self) -> Parsed<()> {
        while self.cursor.eat(b',') {
            if self.cursor.eat_word("partition") {
                self.cursor.expect_str()?;
            } else {
                self.attachment()?;
            }
        }
        Ok(())
    }
}
