//! Terms of the script, operation by operation.

use std::fmt::{self, Write};

use super::{Form, Printer, floats, name};
use crate::node::{ExprId, Node};
use crate::op::Op;

impl Printer<'_> {
    /// The sort in which an operation yields its one bit.
    pub(super) fn form(&self, id: ExprId) -> Form {
        let node = self.pool.node(id);
        match node.op() {
            Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => Form::Bool,
            Op::SAddO | Op::SSubO | Op::UMulO | Op::SMulO | Op::FEq | Op::FLt | Op::FLe => Form::Bool,
            Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite if node.width() == 1 => Form::Bool,
            _ => Form::Bits,
        }
    }

    /// An expression in the sort that its place asks for.
    pub(super) fn term(&mut self, id: ExprId, wanted: Form) -> fmt::Result {
        match (self.form(id), wanted) {
            (Form::Bits, Form::Bool) if self.pool.is_const(id) => {
                return write!(self.out, "{}", id == ExprId::TRUE);
            }
            (Form::Bits, Form::Bool) => write!(self.out, "(= ")?,
            (Form::Bool, Form::Bits) => write!(self.out, "(ite ")?,
            _ => {}
        }
        if self.is_named[id.index()] {
            write!(self.out, "{}", name(id))?
        } else {
            self.body(id)?
        }
        match (self.form(id), wanted) {
            (Form::Bits, Form::Bool) => write!(self.out, " #b1)"),
            (Form::Bool, Form::Bits) => write!(self.out, " #b1 #b0)"),
            _ => Ok(()),
        }
    }

    /// An expression itself, in its own form.
    pub(super) fn body(&mut self, id: ExprId) -> fmt::Result {
        let node = self.pool.node(id);
        match node.op() {
            Op::Const => self.bits(node.width(), &[node.const_value()]),
            Op::WideConst => self.bits(node.width(), self.pool.wide_limbs(node)),
            Op::Var | Op::ArrayVar => {
                let symbol = self.pool.smtlib_symbol(node.var());
                write!(self.out, "{symbol}")
            }
            Op::ConstArray => {
                self.constant_array(self.pool.sort(id))?;
                self.term(node.arg(0), Form::Bits)?;
                write!(self.out, ")")
            }
            Op::Extract => {
                let low = node.extract_low();
                self.apply(&format!("(_ extract {} {low})", low + node.width() - 1), node, Form::Bits)
            }
            Op::ZExt | Op::SExt => {
                let by = node.width() - self.pool.width(node.arg(0));
                let direction = if node.op() == Op::ZExt { "zero" } else { "sign" };
                self.apply(&format!("(_ {direction}_extend {by})"), node, Form::Bits)
            }
            Op::Ite => {
                write!(self.out, "(ite ")?;
                self.term(node.arg(0), Form::Bool)?;
                for arm in [node.arg(1), node.arg(2)] {
                    write!(self.out, " ")?;
                    self.term(arm, self.form(id))?;
                }
                write!(self.out, ")")
            }
            Op::SAddO | Op::SSubO | Op::UMulO | Op::SMulO => self.overflow(node),
            op if floats::takes_floats(op) => self.float_body(node),
            op => match self.form(id) {
                Form::Bool if op.cmp().is_none() => self.apply(bool_name(op), node, Form::Bool),
                _ => self.apply(bits_name(op), node, Form::Bits),
            },
        }
    }

    fn apply(&mut self, function: &str, node: Node, args: Form) -> fmt::Result {
        write!(self.out, "({function}")?;
        for arg in node.args() {
            write!(self.out, " ")?;
            self.term(arg, args)?;
        }
        write!(self.out, ")")
    }

    /// In a width where nothing is lost, does the result come back from the operands' width?
    fn overflow(&mut self, node: Node) -> fmt::Result {
        let w = self.pool.width(node.arg(0));
        let (function, extension, by) = match node.op() {
            Op::SAddO => ("bvadd", "sign_extend", 1),
            Op::SSubO => ("bvsub", "sign_extend", 1),
            Op::UMulO => ("bvmul", "zero_extend", w),
            _ => ("bvmul", "sign_extend", w),
        };
        write!(self.out, "(let ((exact ({function}")?;
        for arg in node.args() {
            write!(self.out, " ((_ {extension} {by}) ")?;
            self.term(arg, Form::Bits)?;
            write!(self.out, ")")?;
        }
        write!(self.out, "))) (distinct exact ((_ {extension} {by}) ((_ extract {} 0) exact))))", w - 1)
    }
}

fn bool_name(op: Op) -> &'static str {
    match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        _ => "xor",
    }
}

fn bits_name(op: Op) -> &'static str {
    match op {
        Op::Not => "bvnot",
        Op::Neg => "bvneg",
        Op::Add => "bvadd",
        Op::Sub => "bvsub",
        Op::Mul => "bvmul",
        Op::UDiv => "bvudiv",
        Op::SDiv => "bvsdiv",
        Op::URem => "bvurem",
        Op::SRem => "bvsrem",
        Op::Shl => "bvshl",
        Op::LShr => "bvlshr",
        Op::AShr => "bvashr",
        Op::And => "bvand",
        Op::Or => "bvor",
        Op::Xor => "bvxor",
        Op::Eq => "=",
        Op::Ult => "bvult",
        Op::Ule => "bvule",
        Op::Slt => "bvslt",
        Op::Sle => "bvsle",
        Op::Concat => "concat",
        Op::Select => "select",
        Op::Store => "store",
        _ => unreachable!("{} is printed elsewhere", op.name()),
    }
}
