//! Function bodies: blocks, debug records, operands.

use super::Printer;
use crate::model::{BlockId, DbgRecord, DbgRecordKind, FuncId, Function, InstKind, Operand, ValueId};
use std::fmt::Write;

/// A body being printed.
pub(super) struct BodyPrinter<'p, 'a> {
    pub printer: &'p mut Printer<'a>,
    pub function: &'a Function,
    /// The number of each value: parameters and results in the order of the text.
    numbers: Vec<u32>,
}

impl<'a> Printer<'a> {
    pub(super) fn body(&mut self, id: FuncId) {
        let function = self.program.function(id);
        let mut numbers = vec![0; function.value_types.len()];
        let params = (0..function.params.len()).map(ValueId::new);
        let results = function.insts.iter().filter_map(|inst| inst.result);
        for (number, value) in (0..).zip(params.chain(results)) {
            numbers[value.index()] = number;
        }
        BodyPrinter { printer: self, function, numbers }.blocks();
    }
}

impl BodyPrinter<'_, '_> {
    fn blocks(&mut self) {
        let function = self.function;
        let mut records = function.debug_records.iter().peekable();
        for block in function.block_ids() {
            let _ = writeln!(self.printer.out, "b{}:", block.0);
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
            Operand::Local(value) => self.value(value),
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

    pub fn value(&mut self, value: ValueId) {
        let _ = write!(self.printer.out, "%{}", self.numbers[value.index()]);
    }

    pub fn label(&mut self, block: BlockId) {
        self.text("label ");
        self.printer.block(block);
    }
}
