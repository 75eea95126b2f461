//! What elaboration builds on: the pool, the names, and what stands behind variables that we made ourselves.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spelunk_bv::float::{self, FloatKind};
use spelunk_bv::{FMinMaxOp, Signedness};
use spelunk_expr::{ExprId, ExprPool, Op, Sort as ExprSort, VarId};

use crate::builtin::Mode;
use crate::scope::{Scope, Term};
use crate::sort::{Scalar, Sort};

/// How wide the arguments of a function may be together, and its result, for it to be an array.
const MAX_TABLE_WIDTH: u32 = 64;

/// A variable that stands for something expressions can't say.
///
/// Nothing is decided about it when it is made: `check` adds what must hold before a query, and computes its value from
/// those of its operands afterwards.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Definition {
    /// Whether two arrays are the same.
    SameArray { a: ExprId, b: ExprId, elem: Scalar },
    /// One of two arrays.
    ChosenArray { cond: ExprId, then: ExprId, other: ExprId },
    /// The result of a function that is no array.
    Application { function: usize, args: Operands },
}

pub type Operands = SmallVec<[ExprId; 3]>;

impl Definition {
    pub fn operands(&self) -> Operands {
        match self {
            Definition::SameArray { a, b, .. } => [*a, *b].into_iter().collect(),
            Definition::ChosenArray { cond, then, other } => [*cond, *then, *other].into_iter().collect(),
            Definition::Application { args, .. } => args.clone(),
        }
    }
}

/// A declared function.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub params: Vec<Scalar>,
    pub result: Sort,
    /// The array that it is, indexed by its arguments end to end; none if that is too wide, or the result an array.
    pub table: Option<VarId>,
}

/// What the standard leaves open: a function about which nothing is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unspecified {
    /// The integer for a float that does not fit.
    ToBits { kind: FloatKind, sign: Signedness, width: u32, mode: Mode },
    /// The sign of the extremum of two different zeros, by the sign of the first.
    ZeroSign { kind: FloatKind, op: FMinMaxOp },
}

/// A defined function: its body over variables that stand for the parameters.
#[derive(Clone, Debug)]
pub struct Macro {
    pub params: Vec<Term>,
    pub body: Term,
}

#[derive(Default)]
pub struct Context {
    pub pool: ExprPool,
    pub scope: Scope,
    pub functions: Vec<Function>,
    pub macros: Vec<Macro>,
    /// A declaration was left out, so that names may be unknown without being wrong.
    pub skipped_declarations: bool,
    unspecified: FxHashMap<Unspecified, usize>,
    definitions: FxHashMap<VarId, Definition>,
    defined: FxHashMap<Definition, ExprId>,
}

impl Context {
    pub fn has_definitions(&self) -> bool {
        !self.definitions.is_empty()
    }

    /// What stands behind an expression, if it is a variable of ours.
    pub fn definition(&self, id: ExprId) -> Option<&Definition> {
        let node = self.pool.node(id);
        match node.op() {
            Op::Var | Op::ArrayVar => self.definitions.get(&node.var()),
            _ => None,
        }
    }

    /// What an expression is made of, definitions included.
    pub fn operands(&self, id: ExprId) -> Operands {
        match self.definition(id) {
            Some(definition) => definition.operands(),
            None => self.pool.node(id).args().collect(),
        }
    }

    /// The expressions and all they are made of, operands first.
    pub fn postorder(&self, roots: &[ExprId]) -> Vec<ExprId> {
        if !self.has_definitions() {
            return self.pool.postorder(roots);
        }
        let mut is_seen = vec![false; self.pool.id_bound()];
        let mut order = Vec::new();
        let mut stack: Vec<(ExprId, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
        while let Some((id, is_done)) = stack.pop() {
            if is_done {
                order.push(id);
            } else if !std::mem::replace(&mut is_seen[id.index()], true) {
                stack.push((id, true));
                stack.extend(self.operands(id).into_iter().map(|operand| (operand, false)));
            }
        }
        order
    }

    pub fn new_var(&mut self, name: &str, sort: Sort) -> ExprId {
        let var = self.pool.new_var(name, sort.to_expr());
        self.pool.mk_var(var)
    }

    /// The variable with a definition, the same one for the same definition.
    pub fn define(&mut self, definition: Definition) -> ExprId {
        if let Some(&id) = self.defined.get(&definition) {
            return id;
        }
        let var = match &definition {
            Definition::SameArray { .. } => self.pool.new_var("same", Sort::BOOL.to_expr()),
            Definition::ChosenArray { then, .. } => self.pool.new_var("chosen", self.pool.sort(*then)),
            Definition::Application { function, .. } => {
                let Function { name, result, .. } = &self.functions[*function];
                self.pool.new_var(name, result.to_expr())
            }
        };
        let id = self.pool.mk_var(var);
        self.definitions.insert(var, definition.clone());
        self.defined.insert(definition, id);
        id
    }

    /// Equality as SMT-LIB has it: all NaNs are one, and the zeros are two.
    pub fn mk_equal(&mut self, sort: Sort, a: ExprId, b: ExprId) -> ExprId {
        match sort {
            Sort::Array { elem, .. } => self.mk_same_array(elem, a, b),
            Sort::Scalar(Scalar::Float(kind)) => {
                let same_bits = self.pool.mk_eq(a, b);
                let (a_is_nan, b_is_nan) = (self.pool.mk_is_nan(kind, a), self.pool.mk_is_nan(kind, b));
                let both_nan = self.pool.mk_and(a_is_nan, b_is_nan);
                self.pool.mk_or(same_bits, both_nan)
            }
            Sort::Scalar(_) => self.pool.mk_eq(a, b),
        }
    }

    pub fn mk_ite(&mut self, sort: Sort, cond: ExprId, then: ExprId, other: ExprId) -> ExprId {
        match sort {
            Sort::Array { .. } => self.mk_array_ite(cond, then, other),
            Sort::Scalar(_) => self.pool.mk_ite(cond, then, other),
        }
    }

    /// The value as one pattern: floats have one NaN, but many patterns of it.
    pub fn mk_canonical(&mut self, sort: Scalar, a: ExprId) -> ExprId {
        let Scalar::Float(kind) = sort else { return a };
        let is_nan = self.pool.mk_is_nan(kind, a);
        let nan = self.mk_float(kind, canonical_nan(kind));
        self.pool.mk_ite(is_nan, nan, a)
    }

    pub fn mk_float(&mut self, kind: FloatKind, bits: u128) -> ExprId {
        self.pool.mk_const_limbs(kind.bits(), &[bits as u64, (bits >> 64) as u64])
    }

    /// A function about which nothing is known, by number.
    pub fn new_function(&mut self, name: &str, params: Vec<Scalar>, result: Sort) -> usize {
        let index_width = params.iter().map(|param| param.width()).sum();
        let table = match result {
            Sort::Scalar(elem) if index_width <= MAX_TABLE_WIDTH && elem.width() <= MAX_TABLE_WIDTH => {
                Some(self.pool.new_var(name, ExprSort::Array { index_width, elem_width: elem.width() }))
            }
            _ => None,
        };
        self.functions.push(Function { name: name.into(), params, result, table });
        self.functions.len() - 1
    }

    pub fn mk_unspecified(&mut self, what: Unspecified, arg: ExprId) -> ExprId {
        let function = match self.unspecified.get(&what) {
            Some(&function) => function,
            None => {
                let (param, result) = match what {
                    Unspecified::ToBits { kind, width, .. } => (Scalar::Float(kind), Scalar::Bits(width)),
                    Unspecified::ZeroSign { .. } => (Scalar::Bool, Scalar::Bits(1)),
                };
                let function = self.new_function("unspecified", vec![param], Sort::Scalar(result));
                self.unspecified.insert(what, function);
                function
            }
        };
        self.mk_application(function, &[arg])
    }

    /// The application of a declared function.
    pub fn mk_application(&mut self, function: usize, args: &[ExprId]) -> ExprId {
        let Function { params, table, .. } = self.functions[function].clone();
        let args: Operands = params.iter().zip(args).map(|(&param, &arg)| self.mk_canonical(param, arg)).collect();
        match table {
            Some(table) => {
                let table = self.pool.mk_var(table);
                let index = args.iter().copied().reduce(|high, low| self.pool.mk_concat(high, low));
                self.pool.mk_select(table, index.expect("a function has arguments"))
            }
            None => self.define(Definition::Application { function, args }),
        }
    }
}

pub fn canonical_nan(kind: FloatKind) -> u128 {
    float::abs(kind, float::default_nan(kind))
}
