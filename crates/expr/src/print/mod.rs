//! Assertions as an SMT-LIB 2 script.
//!
//! What is used more than once gets a `define-fun`, so the script is as large as the graph, not as the tree; so does
//! what would nest too deep, as readers recurse. One bit is `Bool` where an operation makes or takes truth values and
//! `(_ BitVec 1)` elsewhere; `terms` turns one into the other. Floats are bit patterns here as in the pool: see
//! `floats` for what that means to a solver that knows only one NaN.
//!
//! The script only states: there is no `check-sat` in it, as what is asked is the caller's business.

mod floats;
mod terms;

use std::fmt::{self, Write};

use crate::node::{ExprId, Sort, VarId};
use crate::op::Op;
use crate::pool::ExprPool;

/// How deep terms nest before a part gets a name.
const MAX_DEPTH: u8 = 16;

/// How many stores of a table one definition makes.
const STORES_A_DEFINITION: usize = 32;

/// Which of the two sorts of one bit an expression has in the script; `Bits` for all other widths.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Bool,
    Bits,
}

struct Printer<'a> {
    pool: &'a ExprPool,
    /// By id, whether an expression is referred to by name.
    is_named: Vec<bool>,
    out: String,
}

impl ExprPool {
    /// Declarations, definitions and one `assert` for each condition.
    pub fn to_smtlib(&self, assertions: &[ExprId]) -> String {
        let order = self.postorder(assertions);
        let mut printer = Printer { pool: self, is_named: names(self, &order, assertions), out: String::new() };
        printer.script(&order, assertions).expect("a string takes all text");
        printer.out
    }

    /// The symbol by which a script calls a variable.
    pub fn smtlib_symbol(&self, var: VarId) -> String {
        let name: String =
            self.var_name(var).chars().map(|c| if c == '|' || c == '\\' || c.is_control() { '_' } else { c }).collect();
        format!("|{name}!{}|", var.0)
    }
}

/// Decides what gets a name.
fn names(pool: &ExprPool, order: &[ExprId], assertions: &[ExprId]) -> Vec<bool> {
    let mut n_uses = vec![0u8; pool.id_bound()];
    let args = order.iter().flat_map(|&id| pool.node(id).args());
    for id in args.chain(assertions.iter().copied()) {
        n_uses[id.index()] = n_uses[id.index()].saturating_add(1);
    }
    let mut depth = vec![0u8; pool.id_bound()];
    let mut is_named = vec![false; pool.id_bound()];
    for &id in order {
        let node = pool.node(id);
        let is_leaf = node.op().arity() == 0 && node.op() != Op::Table;
        let below = node.args().filter(|arg| !is_named[arg.index()]).map(|arg| depth[arg.index()]).max();
        depth[id.index()] = below.map_or(0, |below| below + 1);
        is_named[id.index()] = !is_leaf
            && (n_uses[id.index()] > 1
                || depth[id.index()] >= MAX_DEPTH
                || node.op() == Op::Table
                || floats::has_float_result(node.op()));
    }
    is_named
}

impl Printer<'_> {
    fn script(&mut self, order: &[ExprId], assertions: &[ExprId]) -> fmt::Result {
        writeln!(self.out, "(set-logic ALL)")?;
        self.float_preamble(order)?;
        for &id in order {
            let node = self.pool.node(id);
            match node.op() {
                Op::Var | Op::ArrayVar => self.declaration(node.var())?,
                Op::Table => self.table(id)?,
                op if floats::has_float_result(op) => self.float_definition(id, node)?,
                _ if self.is_named[id.index()] => self.definition(id)?,
                _ => {}
            }
        }
        for &assertion in assertions {
            write!(self.out, "(assert ")?;
            self.term(assertion, Form::Bool)?;
            writeln!(self.out, ")")?;
        }
        Ok(())
    }

    fn declaration(&mut self, var: VarId) -> fmt::Result {
        let symbol = self.pool.smtlib_symbol(var);
        write!(self.out, "(declare-const {symbol} ")?;
        self.sort(self.pool.var_sort(var))?;
        writeln!(self.out, ")")
    }

    fn sort(&mut self, sort: Sort) -> fmt::Result {
        match sort {
            Sort::Bv(width) => write!(self.out, "(_ BitVec {width})"),
            Sort::Array { index_width, elem_width } => {
                write!(self.out, "(Array (_ BitVec {index_width}) (_ BitVec {elem_width}))")
            }
        }
    }

    /// The head of the definition of an expression's name.
    fn define(&mut self, name: &str, id: ExprId, form: Form) -> fmt::Result {
        write!(self.out, "(define-fun {name} () ")?;
        match form {
            Form::Bool => write!(self.out, "Bool")?,
            Form::Bits => self.sort(self.pool.sort(id))?,
        }
        write!(self.out, " ")
    }

    fn definition(&mut self, id: ExprId) -> fmt::Result {
        self.define(&name(id), id, self.form(id))?;
        self.body(id)?;
        writeln!(self.out, ")")
    }

    /// A table is a zero array with stores, a few at a time.
    fn table(&mut self, id: ExprId) -> fmt::Result {
        let Sort::Array { index_width, elem_width } = self.pool.sort(id) else { return Ok(()) };
        let elements: Vec<(u64, u64)> = (0..self.pool.table_len(id))
            .map(|index| (index, self.pool.table_element(id, index)))
            .filter(|&(_, elem)| elem != 0)
            .collect();
        let n_steps = elements.len().div_ceil(STORES_A_DEFINITION);
        let step_name = |step: usize| if step == n_steps { name(id) } else { format!("{}s{step}", name(id)) };
        self.define(&step_name(0), id, Form::Bits)?;
        self.constant_array(Sort::Array { index_width, elem_width })?;
        self.bits(elem_width, &[0])?;
        writeln!(self.out, "))")?;
        for (step, stores) in elements.chunks(STORES_A_DEFINITION).enumerate() {
            self.define(&step_name(step + 1), id, Form::Bits)?;
            for _ in stores {
                write!(self.out, "(store ")?;
            }
            write!(self.out, "{}", step_name(step))?;
            for &(index, elem) in stores {
                write!(self.out, " ")?;
                self.bits(index_width, &[index])?;
                write!(self.out, " ")?;
                self.bits(elem_width, &[elem])?;
                write!(self.out, ")")?;
            }
            writeln!(self.out, ")")?;
        }
        Ok(())
    }

    /// The beginning of an array of equal elements.
    fn constant_array(&mut self, sort: Sort) -> fmt::Result {
        write!(self.out, "((as const ")?;
        self.sort(sort)?;
        write!(self.out, ") ")
    }

    /// A constant in binary, or in hexadecimal where the width allows it.
    fn bits(&mut self, width: u32, limbs: &[u64]) -> fmt::Result {
        let digit_width = if width.is_multiple_of(4) { 4 } else { 1 };
        write!(self.out, "{}", if digit_width == 4 { "#x" } else { "#b" })?;
        for at in (0..width / digit_width).rev().map(|digit| digit * digit_width) {
            let digit = limbs[at as usize / 64] >> (at % 64) & ((1 << digit_width) - 1);
            write!(self.out, "{digit:x}")?;
        }
        Ok(())
    }
}

fn name(id: ExprId) -> String {
    format!("n{}", id.raw())
}
