//! Conditions on the state of a loop, as C would have them.

use crate::names::Names;
use crate::relation::{Part, StateCell};
use spelunk_concolic::ConcolicMachine;
use spelunk_expr::{ExprId, ExprPool, Op};
use spelunk_ir::model::FuncId;
use spelunk_vm::Vm;
use spelunk_vm::memory::object_of;

/// Conditions that are shown.
const MOST_SHOWN: usize = 6;
/// Longer conditions are not for people.
const LONGEST: usize = 120;

/// What symbols are called.
pub struct Words<'a> {
    pool: &'a ExprPool,
    /// With their names, and whether they are signed.
    symbols: Vec<(ExprId, (String, bool))>,
    names: &'a Names,
    function: FuncId,
}

impl<'a> Words<'a> {
    pub fn new(vm: &'a Vm<'_, ConcolicMachine>, names: &'a Names, function: FuncId, parts: &[Part]) -> Self {
        let changing: Vec<StateCell> = parts.iter().map(|part| part.place).collect();
        let behind = names.behind_pointers(vm, function, &changing);
        let name = |part: &Part| {
            let known = match part.place {
                StateCell::Slot(idx) => names.slot(function, idx as u32).map(|it| (it.name.clone(), it.is_signed)),
                StateCell::Bytes { addr, n } => {
                    let offset = addr - vm.memory.object(object_of(addr)).base();
                    let of_variable = names.object(vm, addr).map(|variable| variable.bytes(offset, n));
                    of_variable.or_else(|| behind.get(&(addr, n)).cloned())
                }
            };
            (part.symbol, known.unwrap_or_else(|| ("_".to_owned(), false)))
        };
        Self { pool: &vm.machine.pool, symbols: parts.iter().map(name).collect(), names, function }
    }

    /// A symbol or an input.
    pub fn name(&self, expr: ExprId) -> String {
        self.term(expr, false)
    }

    /// All of them; at most a few, each of which a person can read.
    pub fn conjunction(&self, conds: &[ExprId]) -> String {
        let mut texts: Vec<String> = Vec::new();
        // That sums fit is understood.
        let n_said = conds.iter().filter(|&&cond| !self.is_fit(cond)).count();
        for text in conds.iter().filter(|&&cond| n_said == 0 || !self.is_fit(cond)).map(|&cond| self.cond(cond)) {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        let n_all = texts.len();
        texts.retain(|text| text.len() <= LONGEST);
        texts.truncate(MOST_SHOWN);
        if texts.len() < n_all {
            texts.push(format!("{} more", n_all - texts.len()));
        }
        texts.join(" && ")
    }

    fn cond(&self, cond: ExprId) -> String {
        let node = self.pool.node(cond);
        let relation =
            |op: &str, a, b, is_signed| format!("{} {op} {}", self.term(a, is_signed), self.term(b, is_signed));
        match node.op() {
            Op::Not => {
                let inner = self.pool.node(node.arg(0));
                let (a, b) = (inner.arg(0), inner.arg(1));
                match inner.op() {
                    Op::Eq => relation("!=", a, b, self.is_signed(cond)),
                    Op::Ult => relation(">=", a, b, false),
                    Op::Ule => relation(">", a, b, false),
                    Op::Slt => relation(">=", a, b, true),
                    Op::Sle => relation(">", a, b, true),
                    Op::Extract if self.is_sign(node.arg(0)) => format!("{} >= 0", self.term(inner.arg(0), true)),
                    Op::Extract => format!("{} == 0", self.bits(node.arg(0))),
                    Op::SAddO => format!("({} + {}) does not overflow", self.term(a, true), self.term(b, true)),
                    Op::SSubO => format!("({} - {}) does not overflow", self.term(a, true), self.term(b, true)),
                    Op::SMulO => format!("({} * {}) does not overflow", self.term(a, true), self.term(b, true)),
                    _ => format!("!({})", self.cond(node.arg(0))),
                }
            }
            Op::Extract if self.is_sign(cond) => format!("{} < 0", self.term(node.arg(0), true)),
            Op::Extract => format!("{} != 0", self.bits(cond)),
            Op::Eq => relation("==", node.arg(0), node.arg(1), self.is_signed(cond)),
            Op::Ult => relation("<", node.arg(0), node.arg(1), false),
            Op::Ule => relation("<=", node.arg(0), node.arg(1), false),
            Op::Slt => relation("<", node.arg(0), node.arg(1), true),
            Op::Sle => relation("<=", node.arg(0), node.arg(1), true),
            Op::FEq => format!("{} == {}", self.float(node.arg(0)), self.float(node.arg(1))),
            Op::FLt => format!("{} < {}", self.float(node.arg(0)), self.float(node.arg(1))),
            Op::FLe => format!("{} <= {}", self.float(node.arg(0)), self.float(node.arg(1))),
            Op::And => format!("({} && {})", self.cond(node.arg(0)), self.cond(node.arg(1))),
            Op::Or => format!("({} || {})", self.cond(node.arg(0)), self.cond(node.arg(1))),
            _ => self.term(cond, false),
        }
    }

    /// Whether a condition says that no signed number overflows.
    fn is_fit(&self, cond: ExprId) -> bool {
        let node = self.pool.node(cond);
        let is_overflow = |op| matches!(op, Op::SAddO | Op::SSubO | Op::SMulO);
        node.op() == Op::Not && is_overflow(self.pool.node(node.arg(0)).op())
    }

    /// Whether a bit says that a number is negative.
    fn is_sign(&self, extract: ExprId) -> bool {
        let node = self.pool.node(extract);
        node.width() == 1 && node.extract_low() + 1 == self.pool.width(node.arg(0)) && self.is_signed(node.arg(0))
    }

    /// Bits in their place.
    fn bits(&self, extract: ExprId) -> String {
        let node = self.pool.node(extract);
        let mask = (u64::MAX >> (64 - node.width())) << node.extract_low();
        format!("({} & {mask:#x})", self.term(node.arg(0), false))
    }

    /// Whether constants of an equation are best read as signed numbers.
    fn is_signed(&self, expr: ExprId) -> bool {
        let is_masked = |arg| self.pool.node(arg).op() == Op::Extract && self.pool.width(arg) < 16;
        if self.pool.node(expr).args().any(is_masked) {
            return false;
        }
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            if let Some((_, (_, is_signed))) = self.symbols.iter().find(|(symbol, _)| *symbol == expr) {
                return *is_signed;
            }
            let node = self.pool.node(expr);
            if node.op() == Op::Var && self.names.is_signed(self.function, &input_name(self.pool.var_name(node.var())))
            {
                return true;
            }
            stack.extend(node.args());
        }
        false
    }

    /// A floating-point number.
    fn float(&self, expr: ExprId) -> String {
        let node = self.pool.node(expr);
        let infix = |op: &str| format!("({} {op} {})", self.float(node.arg(0)), self.float(node.arg(1)));
        match (node.op(), node.width()) {
            (Op::Const, 32) => format!("{:?}f", f32::from_bits(node.const_value() as u32)),
            (Op::Const, 64) => format!("{:?}", f64::from_bits(node.const_value())),
            (Op::FAdd, _) => infix("+"),
            (Op::FSub, _) => infix("-"),
            (Op::FMul, _) => infix("*"),
            (Op::FDiv, _) => infix("/"),
            _ => self.term(expr, false),
        }
    }

    fn term(&self, expr: ExprId, is_signed: bool) -> String {
        if let Some((_, (name, _))) = self.symbols.iter().find(|(symbol, _)| *symbol == expr) {
            return name.clone();
        }
        let node = self.pool.node(expr);
        let arg = |at: usize| self.term(node.arg(at), is_signed);
        let infix = |op: &str| format!("({} {op} {})", arg(0), arg(1));
        match node.op() {
            Op::Const => {
                let (value, width) = (node.const_value(), node.width());
                match is_signed && width > 1 {
                    true => ((value << (64 - width)) as i64 >> (64 - width)).to_string(),
                    false => value.to_string(),
                }
            }
            Op::Var => input_name(self.pool.var_name(node.var())),
            Op::Add => infix("+"),
            Op::Sub => infix("-"),
            Op::Mul => infix("*"),
            Op::UDiv | Op::SDiv => infix("/"),
            Op::URem | Op::SRem => infix("%"),
            Op::Shl => infix("<<"),
            Op::LShr | Op::AShr => infix(">>"),
            Op::And => infix("&"),
            Op::Or => infix("|"),
            Op::Xor => infix("^"),
            Op::Not => format!("~{}", arg(0)),
            Op::Neg => format!("-{}", arg(0)),
            Op::ZExt | Op::SExt => arg(0),
            Op::Extract if node.extract_low() == 0 && node.width() < 16 => {
                format!("({} & {:#x})", arg(0), (1u64 << node.width()) - 1)
            }
            Op::Extract if node.extract_low() == 0 => arg(0),
            Op::Extract => format!("({} >> {})", arg(0), node.extract_low()),
            Op::Ite => format!("({} ? {} : {})", self.cond(node.arg(0)), arg(1), arg(2)),
            Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::FEq | Op::FLt | Op::FLe => {
                format!("({})", self.cond(expr))
            }
            Op::FAdd | Op::FSub | Op::FMul | Op::FDiv => self.float(expr),
            other => {
                let args: Vec<String> = node.args().map(|arg| self.term(arg, is_signed)).collect();
                format!("{}({})", other.name(), args.join(", "))
            }
        }
    }
}

/// Inputs are named after where they lie: `n@0+4` is all of `n`.
fn input_name(name: &str) -> String {
    match name.split_once('@') {
        Some((object, place)) if place.starts_with("0+") => object.to_owned(),
        _ => name.to_owned(),
    }
}
