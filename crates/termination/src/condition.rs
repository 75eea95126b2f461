//! Conditions on the state of a loop as C that says exactly the same, for native runs to test.
//!
//! All numbers are unsigned and of 64 bits, and cut to their widths after each operation. Floating-point numbers are their bits, of which
//! `to_float` and `to_double` make numbers, and `of_float` and `of_double` bits again: whoever compiles a condition has these. What C can't
//! say so (arrays, addresses) gives nothing, and rounds are merely counted.

use crate::observed;
use crate::relation::{Relation, StateCell};
use spelunk_expr::{ExprId, ExprPool, FreeVars, Op, VarId};
use spelunk_vm::{LoopSet, SetVariable};
use std::cell::Cell;

/// Operations in one set.
const MOST_NODES: u32 = 400;

/// A set of states, if all variables that it speaks of have names, and none of them is an address. Values of the input are those of the present run.
pub fn loop_set(
    pool: &mut ExprPool,
    relation: &Relation,
    conds: &[ExprId],
    variable: impl Fn(StateCell) -> Option<SetVariable>,
) -> Option<LoopSet> {
    let mut given = observed::at_input(pool, relation);
    let conds: Vec<ExprId> = conds.iter().map(|&cond| given.apply(pool, cond)).collect();
    let mut free = FreeVars::new();
    let sets: Vec<_> = conds.iter().map(|&cond| free.of(pool, cond)).collect();
    let vars: Vec<VarId> = sets.into_iter().flat_map(|set| free.iter(set).collect::<Vec<_>>()).collect();
    let parts = relation.parts.iter().filter(|part| vars.contains(&pool.node(part.symbol).var()));
    let mut named: Vec<(ExprId, SetVariable)> =
        parts.map(|part| Some((part.symbol, variable(part.place)?))).collect::<Option<_>>()?;
    for idx in 0..named.len() {
        named[idx].1.alias = alias(&named[..idx], &named[idx].1.alias);
    }
    let symbols = named.iter().map(|(symbol, it)| (*symbol, it.alias.clone())).collect();
    let printer = Printer { pool, symbols, n_left: Cell::new(MOST_NODES) };
    let mut texts: Vec<String> = Vec::new();
    for &cond in conds.iter().filter(|&&cond| cond != ExprId::TRUE) {
        let text = printer.cond(cond)?;
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    if texts.is_empty() {
        return None;
    }
    // A symbol stands for values that need no more bits than it has.
    for ((symbol, name), (_, variable)) in printer.symbols.iter().zip(&named) {
        let width = pool.width(*symbol);
        if width < 8 * variable.n_bytes {
            texts.push(format!("{name} >> {width} == 0"));
        }
    }
    let variables = named.into_iter().map(|(_, variable)| variable).collect();
    Some(LoopSet { every: relation.lap.n_rounds, condition: texts.join(" && "), variables })
}

/// What a variable is called in the condition: its name, unless that is no name in C or taken.
fn alias(others: &[(ExprId, SetVariable)], name: &str) -> String {
    let plain = |character: char| if character.is_ascii_alphanumeric() { character } else { '_' };
    let name: String = name.chars().map(plain).collect();
    let is_free = |name: &String| !others.iter().any(|(_, other)| other.alias == *name);
    let mut numbered = (2..).map(|number| format!("{name}_{number}"));
    if is_free(&name) { name } else { numbered.find(is_free).expect("there is no end of numbers") }
}

struct Printer<'a> {
    pool: &'a ExprPool,
    symbols: Vec<(ExprId, String)>,
    n_left: Cell<u32>,
}

impl Printer<'_> {
    /// True or false, with parentheses where it is not one comparison.
    fn cond(&self, expr: ExprId) -> Option<String> {
        let node = self.pool.node(expr);
        let signed = |op: &str, a, b| Some(format!("{} {op} {}", self.signed(a)?, self.signed(b)?));
        let unsigned = |op: &str, a, b| Some(format!("{} {op} {}", self.term(a)?, self.term(b)?));
        self.count()?;
        match node.op() {
            Op::Not => {
                let inner = self.pool.node(node.arg(0));
                let args = || (inner.arg(0), inner.arg(1));
                match inner.op() {
                    Op::Eq => unsigned("!=", args().0, args().1),
                    Op::Ult => unsigned(">=", args().0, args().1),
                    Op::Ule => unsigned(">", args().0, args().1),
                    Op::Slt => signed(">=", args().0, args().1),
                    Op::Sle => signed(">", args().0, args().1),
                    _ => Some(format!("!({})", self.cond(node.arg(0))?)),
                }
            }
            Op::Eq => unsigned("==", node.arg(0), node.arg(1)),
            Op::Ult => unsigned("<", node.arg(0), node.arg(1)),
            Op::Ule => unsigned("<=", node.arg(0), node.arg(1)),
            Op::Slt => signed("<", node.arg(0), node.arg(1)),
            Op::Sle => signed("<=", node.arg(0), node.arg(1)),
            Op::SAddO => self.overflow("add", expr),
            Op::SSubO => self.overflow("sub", expr),
            Op::SMulO => self.overflow("mul", expr),
            Op::FEq => self.floats("==", expr),
            Op::FLt => self.floats("<", expr),
            Op::FLe => self.floats("<=", expr),
            Op::And => Some(format!("({} && {})", self.cond(node.arg(0))?, self.cond(node.arg(1))?)),
            Op::Or => Some(format!("({} || {})", self.cond(node.arg(0))?, self.cond(node.arg(1))?)),
            _ => Some(format!("{} != 0", self.term(expr)?)),
        }
    }

    fn term(&self, expr: ExprId) -> Option<String> {
        if let Some((_, name)) = self.symbols.iter().find(|(symbol, _)| *symbol == expr) {
            return Some(name.clone());
        }
        self.count()?;
        let node = self.pool.node(expr);
        let width = node.width();
        if !(1..=64).contains(&width) {
            return None;
        }
        let arg = |at: usize| self.term(node.arg(at));
        let infix = |op: &str| Some(format!("({} {op} {})", arg(0)?, arg(1)?));
        // Only what may have become longer is cut.
        let cut = |text: String| if width == 64 { text } else { format!("({text} & {})", mask(width)) };
        Some(match node.op() {
            Op::Const => number(node.const_value()),
            Op::Add => cut(infix("+")?),
            Op::Sub => cut(infix("-")?),
            Op::Mul => cut(infix("*")?),
            Op::And => infix("&")?,
            Op::Or => infix("|")?,
            Op::Xor => infix("^")?,
            Op::Not => cut(format!("~{}", arg(0)?)),
            Op::Neg => cut(format!("-{}", arg(0)?)),
            Op::UDiv => format!("({1} == 0 ? {2} : {0} / {1})", arg(0)?, arg(1)?, mask(width)),
            Op::URem => format!("({1} == 0 ? {0} : {0} % {1})", arg(0)?, arg(1)?),
            Op::Shl => cut(format!("({1} < {width} ? {0} << {1} : 0)", arg(0)?, arg(1)?)),
            Op::LShr => format!("({1} < {width} ? {0} >> {1} : 0)", arg(0)?, arg(1)?),
            Op::AShr => cut(format!(
                "(uint64_t)({} >> ({1} < {width} ? {1} : {2}))",
                self.signed(node.arg(0))?,
                arg(1)?,
                width - 1
            )),
            Op::ZExt => arg(0)?,
            Op::SExt => cut(format!("(uint64_t){}", self.signed(node.arg(0))?)),
            Op::Extract if self.pool.width(node.arg(0)) > 64 => return None,
            Op::Extract if node.extract_low() == 0 => cut(arg(0)?),
            Op::Extract => cut(format!("({} >> {})", arg(0)?, node.extract_low())),
            Op::Concat => format!("({} << {} | {})", arg(0)?, self.pool.width(node.arg(1)), arg(1)?),
            Op::Ite => format!("({} ? {} : {})", self.cond(node.arg(0))?, arg(1)?, arg(2)?),
            Op::FAdd => format!("of_{}({})", float_type(width)?, self.floats("+", expr)?),
            Op::FSub => format!("of_{}({})", float_type(width)?, self.floats("-", expr)?),
            Op::FMul => format!("of_{}({})", float_type(width)?, self.floats("*", expr)?),
            Op::FDiv => format!("of_{}({})", float_type(width)?, self.floats("/", expr)?),
            Op::Eq
            | Op::Ult
            | Op::Ule
            | Op::Slt
            | Op::Sle
            | Op::FEq
            | Op::FLt
            | Op::FLe
            | Op::SAddO
            | Op::SSubO
            | Op::SMulO => {
                format!("(uint64_t)({})", self.cond(expr)?)
            }
            _ => return None,
        })
    }

    /// What an operator makes of two floating-point numbers.
    fn floats(&self, op: &str, expr: ExprId) -> Option<String> {
        let node = self.pool.node(expr);
        let ty = float_type(self.pool.width(node.arg(0)))?;
        Some(format!("to_{ty}({}) {op} to_{ty}({})", self.term(node.arg(0))?, self.term(node.arg(1))?))
    }

    /// Whether the result of an operation on signed numbers does not fit.
    fn overflow(&self, what: &str, expr: ExprId) -> Option<String> {
        let node = self.pool.node(expr);
        let width = self.pool.width(node.arg(0));
        let (a, b) = (self.signed(node.arg(0))?, self.signed(node.arg(1))?);
        let is_type = matches!(width, 8 | 16 | 32 | 64);
        is_type.then(|| format!("__builtin_{what}_overflow({a}, {b}, &(int{width}_t){{0}})"))
    }

    /// As a signed number, of 64 bits.
    fn signed(&self, expr: ExprId) -> Option<String> {
        let (node, width) = (self.pool.node(expr), self.pool.width(expr));
        if node.op() == Op::Const && width < 64 {
            return Some(((node.const_value() << (64 - width)) as i64 >> (64 - width)).to_string());
        }
        let term = self.term(expr)?;
        Some(match width {
            8 | 16 | 32 | 64 => format!("(int64_t)(int{width}_t){term}"),
            _ => format!("((int64_t)({term} << {0}) >> {0})", 64 - width),
        })
    }

    fn count(&self) -> Option<()> {
        self.n_left.set(self.n_left.get().checked_sub(1)?);
        Some(())
    }
}

fn float_type(width: u32) -> Option<&'static str> {
    match width {
        32 => Some("float"),
        64 => Some("double"),
        _ => None,
    }
}

fn mask(width: u32) -> String {
    number(u64::MAX >> (64 - width))
}

/// Of 64 bits, so that whatever is computed with it is.
fn number(value: u64) -> String {
    if value < 10 { format!("{value}ul") } else { format!("{value:#x}ul") }
}
