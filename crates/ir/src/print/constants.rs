//! Constants, with and without their types.

use super::Printer;
use super::types::write_type;
use crate::model::{BlockId, ConstExpr, ConstId, ConstKind, FuncId, Type, TypeId};
use spelunk_bv::float;
use std::fmt::Write;

impl Printer<'_> {
    pub(super) fn ty(&mut self, ty: TypeId) {
        write_type(&mut self.out, &self.program.types, ty);
    }

    pub(super) fn typed_constant(&mut self, id: ConstId) {
        self.ty(self.program.consts[id].ty);
        self.text(" ");
        self.constant(id);
    }

    pub(super) fn constant(&mut self, id: ConstId) {
        let program = self.program;
        let constant = &program.consts[id];
        match &constant.kind {
            ConstKind::Int(value) => self.integer(constant.ty, *value),
            ConstKind::WideInt(limbs) => {
                self.text("u0x");
                for limb in limbs.iter().rev() {
                    let _ = write!(self.out, "{limb:016X}");
                }
            }
            ConstKind::Float(bits) => {
                if let Type::Float(kind) = program.types[constant.ty] {
                    self.text(&float::to_llvm_literal(kind, *bits));
                }
            }
            ConstKind::Null => self.text("null"),
            ConstKind::Undef => self.text("undef"),
            ConstKind::Poison => self.text("poison"),
            ConstKind::Zero => self.text("zeroinitializer"),
            ConstKind::Aggregate(elements) => self.aggregate(constant.ty, elements),
            ConstKind::Bytes(bytes) => {
                self.text("c");
                self.quoted(bytes);
            }
            ConstKind::Symbol(symbol) => self.symbol(*symbol),
            ConstKind::BlockAddress(function, block) => {
                self.text("blockaddress(");
                self.function_name(*function);
                self.text(", ");
                self.block(*block);
                self.text(")");
            }
            ConstKind::Expr(expr) => self.const_expr(constant.ty, expr),
            ConstKind::Metadata(node) => self.metadata_argument(*node),
            ConstKind::Unsupported(_) => self.text(match program.types[constant.ty] {
                Type::Metadata => "!\"unsupported\"",
                Type::Token => "none",
                _ => "poison",
            }),
        }
    }

    /// Blocks have names, not numbers, because LLVM takes the address of a numbered one in its own function only.
    pub(super) fn block(&mut self, block: BlockId) {
        let _ = write!(self.out, "%b{}", block.0);
    }

    pub(super) fn function_name(&mut self, function: FuncId) {
        self.symbol(self.program.function(function).symbol);
    }

    fn integer(&mut self, ty: TypeId, value: u64) {
        let width = match self.program.types[ty] {
            Type::Int(width @ 1..=64) => width,
            _ => 64,
        };
        let unused = 64 - width;
        let _ = match width {
            1 => write!(self.out, "{}", value != 0),
            _ => write!(self.out, "{}", (value << unused) as i64 >> unused),
        };
    }

    fn aggregate(&mut self, ty: TypeId, elements: &[ConstId]) {
        let (open, close) = match self.program.types[ty] {
            Type::Struct { packed: false, .. } => ("{ ", " }"),
            Type::Struct { packed: true, .. } => ("<{ ", " }>"),
            Type::Vector(..) => ("<", ">"),
            _ => ("[", "]"),
        };
        self.text(open);
        self.list(elements, |p, &element| p.typed_constant(element));
        self.text(close);
    }

    fn const_expr(&mut self, ty: TypeId, expr: &ConstExpr) {
        match expr {
            ConstExpr::Binary { op, lhs, rhs } => {
                let _ = write!(self.out, "{} (", op.name());
                self.list([*lhs, *rhs], Self::typed_constant);
            }
            ConstExpr::ICmp { op, lhs, rhs } => {
                let _ = write!(self.out, "icmp {} (", op.name());
                self.list([*lhs, *rhs], Self::typed_constant);
            }
            ConstExpr::Select { cond, then, other } => {
                self.text("select (");
                self.list([*cond, *then, *other], Self::typed_constant);
            }
            ConstExpr::Cast { op, arg } => {
                let _ = write!(self.out, "{} (", op.name());
                self.typed_constant(*arg);
                self.text(" to ");
                self.ty(ty);
            }
            ConstExpr::Gep { elem, base, indices, inbounds } => {
                self.text(if *inbounds { "getelementptr inbounds (" } else { "getelementptr (" });
                self.ty(*elem);
                for &operand in [*base].iter().chain(indices) {
                    self.text(", ");
                    self.typed_constant(operand);
                }
            }
        }
        self.text(")");
    }
}
