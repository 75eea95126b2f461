//! The module as a sequence of entities, and the small ones among them.

use super::Parser;
use super::error::{Fault, Parsed};
use super::lexer::{Token, unescape};
use crate::model::DataLayout;
use memchr::memmem;
use rustc_hash::FxHashMap;

impl Parser<'_, '_> {
    /// The whole file.
    pub(super) fn module(&mut self) -> Parsed<()> {
        self.scan_type_definitions();
        if memmem::find(self.cursor.text().as_bytes(), b"blockaddress").is_some() {
            self.symbols.labels = Some(FxHashMap::default());
        }
        while self.cursor.token != Token::End {
            self.entity()?;
        }
        self.settle_symbols()
    }

    fn entity(&mut self) -> Parsed<()> {
        match self.cursor.token {
            Token::MdNumber(number) => self.numbered_metadata(number),
            Token::MdName(name) => self.named_metadata(name),
            Token::GlobalName(_) | Token::GlobalNumber(_) => self.global(),
            Token::Word("define") => self.function_definition(),
            Token::Word("declare") => self.function_declaration(),
            Token::Word("attributes") => self.attribute_group(),
            Token::Word("source_filename") => {
                self.cursor.bump();
                self.cursor.expect(b'=')?;
                let name = unescape(self.cursor.expect_str()?).into_owned();
                self.module_mut().source_filename = name;
                Ok(())
            }
            Token::Word("target") => self.target(),
            Token::Word("module") => self.module_asm(),
            Token::Word("uselistorder" | "uselistorder_bb") => self.use_list_order(),
            Token::Comdat(_) => self.comdat(),
            Token::Summary => self.summary(),
            _ => match self.cursor.local_name() {
                Some(name) => self.type_definition(name),
                None => Err(self.cursor.expected("a top-level entity")),
            },
        }
    }

    fn target(&mut self) -> Parsed<()> {
        self.cursor.bump();
        let Token::Word(which @ ("datalayout" | "triple")) = self.cursor.token else {
            return Err(self.cursor.expected("`datalayout` or `triple`"));
        };
        self.cursor.bump();
        self.cursor.expect(b'=')?;
        let text = unescape(self.cursor.expect_str()?);
        let module = self.module_mut();
        if which == "triple" {
            module.target_triple = text.into_owned();
        } else {
            let aligned = text.split('-').any(|part| part.starts_with("i128:128"));
            module.data_layout = DataLayout { i128_align: if aligned { 16 } else { 8 } };
        }
        Ok(())
    }

    fn module_asm(&mut self) -> Parsed<()> {
        self.cursor.bump();
        self.cursor.expect_word("asm")?;
        let line = unescape(self.cursor.expect_str()?).into_owned();
        self.module_mut().inline_asm.push(line);
        Ok(())
    }

    /// `$name = comdat any`. Which copy of a symbol wins does not depend on it.
    fn comdat(&mut self) -> Parsed<()> {
        self.cursor.bump();
        self.cursor.expect(b'=')?;
        self.cursor.expect_word("comdat")?;
        match self.cursor.token {
            Token::Word(_) => self.cursor.bump(),
            _ => return Err(self.cursor.expected("a selection kind")),
        }
        Ok(())
    }

    /// `uselistorder type value, { … }` and `uselistorder_bb @f, %b, { … }` only matter to LLVM's own passes.
    pub(super) fn use_list_order(&mut self) -> Parsed<()> {
        let start = self.cursor.start;
        while !matches!(self.cursor.token, Token::End | Token::Bad(_)) {
            // The type or value may have braces too; the order is the group after a comma.
            if self.cursor.eat(b',') {
                if self.cursor.at_punct(b'{') {
                    return self.cursor.skip_group();
                }
            } else if matches!(self.cursor.token, Token::Punct(b'{' | b'(' | b'[')) {
                self.cursor.skip_group()?;
            } else {
                self.cursor.bump();
            }
        }
        Err(Fault::new(start, "this use-list order has no indexes"))
    }

    /// `^0 = module: (…)`: link-time summaries.
    fn summary(&mut self) -> Parsed<()> {
        self.cursor.bump();
        self.cursor.expect(b'=')?;
        let Token::Word(_) = self.cursor.token else {
            return Err(self.cursor.expected("a summary kind"));
        };
        self.cursor.bump();
        self.cursor.expect(b':')?;
        if self.cursor.at_punct(b'(') { self.cursor.skip_group() } else { self.cursor.expect_number::<u64>().map(drop) }
    }
}
