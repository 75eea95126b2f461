//! Function bodies: blocks, debug records, operands.

use super::Printer;
use super::numbering::Numbering;
use crate::model::{BlockId, DbgRecord, DbgRecordKind, FuncId, Function, InstKind, Operand};
use std::fmt::Write;

/// A body being printed.
pub(super) struct BodyPrinter<'p, 'a> {
    pub printer: &'p mut Printer<'a>,
    pub function: &'a Function,
    pub numbering: &'p Numbering,
}

impl<'a> Printer<'a> {
    pub(super) fn body(&mut self, id: FuncId) {
        let numbering = self.numbering(id);
        let function = self.program.function(id);
        BodyPrinter { printer: self, function, numbering: &numbering }.blocks();
    }
}

impl BodyPrinter<'_, '_> {
    fn blocks(&mut self) {
        let function = self.function;
        let mut records = function.debug_records.iter().peekable();
        for block in function.block_ids() {
            let number = self.numbering.block(block);
            let _ = writeln!(self.printer.out, "{number}:");
            let first = function.blocks[block.index()].insts.start;
            for (place, inst) in (first..).zip(function.block_insts(block)) {
                while let Some(record) = records.next_if(|record| record.before.0 <= place) {
                    self.record(record);
                }
                if !matches!(inst.kind, InstKind::Unsupported { .. }) || inst.result.is_some() {
                    self.inst(inst);
                }
            }
        }
    }

    /// A record without a location is not legal and says nothing.
    fn record(&mut self, record: &DbgRecord) {
        let Some(location) = record.location else {
            return;
        };
        self.text(match record.kind {
            DbgRecordKind::Declare => "    #dbg_declare(",
            DbgRecordKind::Value => "    #dbg_value(",
        });
        match record.operand {
            Some(operand) => self.typed_operand(operand),
            None => self.text("!DIArgList()"),
        }
        self.text(", ");
        self.printer.node(record.variable);
        self.text(", ");
        match record.expression {
            Some(expression) => self.printer.node(expression),
            None => self.text("!DIExpression()"),
        }
        self.text(", ");
        self.printer.node(location);
        self.text(")\n");
    }

    pub fn text(&mut self, text: &str) {
        self.printer.text(text);
    }

    pub fn operand(&mut self, operand: Operand) {
        match operand {
            Operand::Local(value) => {
                let number = self.numbering.value(value);
                let _ = write!(self.printer.out, "%{number}");
            }
            Operand::Const(constant) => self.printer.constant(constant),
        }
    }

    pub fn typed_operand(&mut self, operand: Operand) {
        self.printer.ty(self.printer.program.operand_type(self.function, operand));
        self.text(" ");
        self.operand(operand);
    }

    /// Operands with types, and commas between them.
    pub fn typed_operands<const N: usize>(&mut self, operands: [Operand; N]) {
        for (place, operand) in operands.into_iter().enumerate() {
            if place > 0 {
                self.text(", ");
            }
            self.typed_operand(operand);
        }
    }

    /// `type lhs, rhs` of two operands of one type.
    pub fn pair(&mut self, lhs: Operand, rhs: Operand) {
        self.typed_operand(lhs);
        self.text(", ");
        self.operand(rhs);
    }

    pub fn block(&mut self, block: BlockId) {
        let number = self.numbering.block(block);
        let _ = write!(self.printer.out, "%{number}");
    }

    pub fn label(&mut self, block: BlockId) {
        self.text("label ");
        self.block(block);
    }
}
