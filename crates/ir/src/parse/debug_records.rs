//! Where variables live: `#dbg_…` records and the `llvm.dbg.…` calls that older releases write, in one form.

use super::Parser;
use super::error::Parsed;
use super::lexer::Token;
use crate::model::{DbgRecord, DbgRecordKind, InstId, MdId, Operand};

/// What a record or intrinsic is, by its name without the common prefix. Labels and the rest are not kept.
fn kind_of(name: &str) -> Option<DbgRecordKind> {
    match name {
        "declare" | "addr" => Some(DbgRecordKind::Declare),
        "value" | "assign" => Some(DbgRecordKind::Value),
        _ => None,
    }
}

impl Parser<'_, '_> {
    /// `#dbg_value(…)`, from the name on.
    pub(super) fn debug_record(&mut self, name: &str) -> Parsed<()> {
        let name = name.trim_start_matches("dbg_");
        self.cursor.bump();
        let Some(kind) = kind_of(name) else {
            return self.cursor.skip_group();
        };
        let mut record = self.record_operands(kind, name)?;
        self.cursor.expect(b',')?;
        record.location = Some(self.metadata_node()?);
        self.cursor.expect(b')')?;
        self.body.debug_records.push(record);
        Ok(())
    }

    /// The callee and arguments of `call void @llvm.dbg.value(…), !dbg …`.
    pub(super) fn debug_intrinsic(&mut self, name: &str) -> Parsed<()> {
        self.cursor.bump();
        let record = match kind_of(name) {
            Some(kind) => {
                let record = self.record_operands(kind, name)?;
                // Before release 5, `llvm.dbg.value` had an offset; nothing that old has opaque pointers.
                self.cursor.expect(b')')?;
                Some(record)
            }
            None => {
                self.cursor.skip_group()?;
                None
            }
        };
        self.skip_call_attributes()?;
        let trailer = self.trailer()?;
        if let Some(record) = record {
            self.body.debug_records.push(DbgRecord { location: trailer.loc, ..record });
        }
        Ok(())
    }

    /// `(location, variable, expression`, and for assignments what they add.
    fn record_operands(&mut self, kind: DbgRecordKind, name: &str) -> Parsed<DbgRecord> {
        self.cursor.expect(b'(')?;
        let operand = self.record_operand()?;
        let variable = self.next_record_node()?;
        let expression = self.record_expression()?;
        if name == "assign" {
            self.next_record_node()?;
            self.cursor.expect(b',')?;
            self.record_operand()?;
            self.record_expression()?;
        }
        let before = InstId::new(self.body.insts.len());
        Ok(DbgRecord { kind, operand, variable, expression, location: None, before })
    }

    fn record_operand(&mut self) -> Parsed<Option<Operand>> {
        self.cursor.eat_word("metadata");
        match self.cursor.token {
            // `!DIArgList(…)`, `!{}`, `!7`: no single value.
            Token::MdName(_) | Token::Bang | Token::MdNumber(_) => {
                self.skip_node()?;
                Ok(None)
            }
            _ => self.typed_operand().map(|(_, value)| Some(value)),
        }
    }

    fn next_record_node(&mut self) -> Parsed<MdId> {
        self.cursor.expect(b',')?;
        self.cursor.eat_word("metadata");
        self.metadata_node()
    }

    /// The expression after a comma; an empty one, which is most frequent, needs no node.
    fn record_expression(&mut self) -> Parsed<Option<MdId>> {
        self.cursor.expect(b',')?;
        self.cursor.eat_word("metadata");
        if self.cursor.token == Token::MdName("DIExpression") {
            let mut ahead = self.cursor.clone();
            ahead.bump();
            if ahead.eat(b'(') && ahead.eat(b')') {
                self.cursor = ahead;
                return Ok(None);
            }
        }
        self.metadata_node().map(Some)
    }
}
