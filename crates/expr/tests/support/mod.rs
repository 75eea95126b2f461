//! Terms as text, and all values of their variables, for tests that compare what the builder makes with and without
//! rules.
//!
//! A term is `x`, a number, or `(op arg…)`. Variables are made on first use; the first letter says what they are:
//! `x y z u` have the width of the test, `b c d` one bit, `p q` are halves (floats of 16 bits), `A` is an array from
//! and to the width of the test. A number has the width of its neighbour, or its own after a colon; `min` and `max` are
//! the signed extremes. `(zext x +2)` extends by two bits, `(extract x 1 2)` takes two bits from bit 1 on.

use spelunk_bv::float::FloatKind;
use spelunk_bv::{BinOp, CmpOp, FBinOp, FCmpOp, OverflowOp, RoundOp, Signedness};
use spelunk_expr::{Evaluator, ExprId, ExprPool, Model, Sort, VarId};

#[derive(Clone, Debug)]
pub enum Term {
    Atom(String),
    List(Vec<Term>),
}

pub fn parse(text: &str) -> Term {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut stack = vec![Vec::new()];
    for token in spaced.split_whitespace() {
        match token {
            "(" => stack.push(Vec::new()),
            ")" => {
                let list = stack.pop().expect("balanced");
                stack.last_mut().expect("balanced").push(Term::List(list));
            }
            atom => stack.last_mut().expect("balanced").push(Term::Atom(atom.into())),
        }
    }
    assert_eq!(stack.len(), 1, "balanced: {text}");
    assert_eq!(stack[0].len(), 1, "one term: {text}");
    stack.remove(0).remove(0)
}

pub struct Bench {
    pub pool: ExprPool,
    pub width: u32,
    vars: Vec<(String, VarId)>,
}

impl Bench {
    /// `fuel` as in [`ExprPool::set_rule_fuel`].
    pub fn new(width: u32, fuel: Option<u64>) -> Self {
        let mut pool = ExprPool::new();
        pool.set_rule_fuel(fuel);
        Bench { pool, width, vars: Vec::new() }
    }

    /// Makes variables in this order, which is the order of their ids.
    pub fn declare(&mut self, names: &[&str]) {
        for name in names {
            let var = self.var(name);
            self.pool.mk_var(var);
        }
    }

    /// The expression of a term, unless it makes no sense at this width.
    pub fn build(&mut self, text: &str) -> Option<ExprId> {
        self.term(&parse(text), None)
    }

    fn var(&mut self, name: &str) -> VarId {
        if let Some((_, var)) = self.vars.iter().find(|(known, _)| known == name) {
            return *var;
        }
        let sort = match &name[..1] {
            "x" | "y" | "z" | "u" => Sort::Bv(self.width),
            "b" | "c" | "d" => Sort::Bv(1),
            "p" | "q" => Sort::Bv(16),
            "A" => Sort::Array { index_width: self.width, elem_width: self.width },
            _ => panic!("what is {name}?"),
        };
        let var = self.pool.new_var(name, sort);
        self.vars.push((name.into(), var));
        var
    }

    fn number(&mut self, atom: &str, width: Option<u32>) -> Option<ExprId> {
        let (digits, width) = match atom.split_once(':') {
            Some((digits, width)) => (digits, width.parse().expect("a width")),
            None => (atom, width?),
        };
        let value = match digits {
            "min" => 1u64.checked_shl(width - 1).unwrap_or(0),
            "max" => 1u64.checked_shl(width - 1).unwrap_or(0).wrapping_sub(1),
            digits => digits.parse::<i64>().expect("a number") as u64,
        };
        Some(if value >> 63 != 0 && width > 64 {
            let limbs = vec![u64::MAX; width.div_ceil(64) as usize - 1];
            self.pool.mk_const_limbs(width, &[&[value][..], &limbs].concat())
        } else {
            self.pool.mk_const(width, value)
        })
    }

    fn term(&mut self, term: &Term, width: Option<u32>) -> Option<ExprId> {
        match term {
            Term::Atom(atom) if is_number(atom) => self.number(atom, width),
            Term::Atom(atom) => {
                let var = self.var(atom);
                Some(self.pool.mk_var(var))
            }
            Term::List(list) => {
                let Term::Atom(op) = &list[0] else { panic!("an operation first: {list:?}") };
                self.apply(op, &list[1..], width)
            }
        }
    }

    /// Two operands of one width, one of which may be a number without a width.
    fn pair(&mut self, args: &[Term], width: Option<u32>) -> Option<(ExprId, ExprId)> {
        let (first, second) = if is_plain_number(&args[0]) {
            let second = self.term(&args[1], width)?;
            (self.term(&args[0], Some(self.pool.width(second)))?, second)
        } else {
            let first = self.term(&args[0], width)?;
            (first, self.term(&args[1], Some(self.pool.width(first)))?)
        };
        (self.pool.width(first) == self.pool.width(second)).then_some((first, second))
    }

    fn apply(&mut self, op: &str, args: &[Term], width: Option<u32>) -> Option<ExprId> {
        if let Some(op) = BinOp::from_name(op) {
            let (a, b) = self.pair(args, width)?;
            return Some(self.pool.mk_binop(op, a, b));
        }
        if let Some(op) = CmpOp::from_name(op) {
            let (a, b) = self.pair(args, Some(self.width))?;
            return Some(self.pool.mk_cmp(op, a, b));
        }
        if let Some(op) = op.strip_suffix(".o").and_then(OverflowOp::from_name) {
            let (a, b) = self.pair(args, Some(self.width))?;
            return Some(self.pool.mk_overflow(op, a, b));
        }
        if let Some(op) = FBinOp::from_name(op) {
            let (a, b) = self.pair(args, Some(16))?;
            return Some(self.pool.mk_fbinop(FloatKind::Half, op, a, b));
        }
        match op {
            "not" => self.term(&args[0], width).map(|a| self.pool.mk_not(a)),
            "neg" => self.term(&args[0], width).map(|a| self.pool.mk_neg(a)),
            "concat" => {
                let (high, low) = (self.term(&args[0], None)?, self.term(&args[1], None)?);
                Some(self.pool.mk_concat(high, low))
            }
            "extract" => {
                let (a, low, width) = (self.term(&args[0], None)?, natural(&args[1]), natural(&args[2]));
                (low + width <= self.pool.width(a)).then(|| self.pool.mk_extract(a, low, width))
            }
            "zext" | "sext" => {
                let a = self.term(&args[0], None)?;
                let to = self.pool.width(a) + natural(&args[1]);
                Some(if op == "zext" { self.pool.mk_zext(a, to) } else { self.pool.mk_sext(a, to) })
            }
            "ite" => {
                let cond = self.term(&args[0], None)?;
                let (then, other) = self.pair(&args[1..], width.or(Some(self.width)))?;
                Some(self.pool.mk_ite(cond, then, other))
            }
            "select" => {
                let (array, index) = (self.term(&args[0], None)?, self.term(&args[1], Some(self.width))?);
                Some(self.pool.mk_select(array, index))
            }
            "store" => {
                let array = self.term(&args[0], None)?;
                let (index, elem) = (self.term(&args[1], Some(self.width))?, self.term(&args[2], Some(self.width))?);
                Some(self.pool.mk_store(array, index, elem))
            }
            "fill" => {
                let elem = self.term(&args[0], Some(self.width))?;
                Some(self.pool.mk_const_array(self.width, elem))
            }
            "table" => {
                let bytes: Vec<u8> =
                    args.iter().map(|arg| spelunk_bv::int::trunc(self.width, natural(arg) as u64) as u8).collect();
                Some(self.pool.mk_table(self.width, self.width, &bytes))
            }
            _ => self.apply_float(op, args),
        }
    }

    /// Operations on halves, or on the format that comes after a dot.
    fn apply_float(&mut self, op: &str, args: &[Term]) -> Option<ExprId> {
        let (op, kind) = match op.rsplit_once('.') {
            Some((op, kind)) => (op, FloatKind::from_name(kind).expect("a kind")),
            None => (op, FloatKind::Half),
        };
        if let Some(op) = op.strip_prefix("f").and_then(FCmpOp::from_name) {
            let (a, b) = self.pair(args, Some(kind.bits()))?;
            return Some(self.pool.mk_fcmp(kind, op, a, b));
        }
        let a = self.term(&args[0], Some(kind.bits()))?;
        let to = |at: usize| match &args[at] {
            Term::Atom(name) => FloatKind::from_name(name).expect("a kind"),
            Term::List(_) => panic!("a kind"),
        };
        Some(match op {
            "sqrt" => self.pool.mk_fsqrt(kind, a),
            "floor" => self.pool.mk_fround(kind, RoundOp::Floor, a),
            "fpconv" => self.pool.mk_fconvert(kind, to(1), a),
            "fptoui" => self.pool.mk_float_to_int(kind, Signedness::Unsigned, natural(&args[1]), a),
            "fptosi" => self.pool.mk_float_to_int(kind, Signedness::Signed, natural(&args[1]), a),
            "uitofp" => self.pool.mk_int_to_float(kind, Signedness::Unsigned, a),
            "sitofp" => self.pool.mk_int_to_float(kind, Signedness::Signed, a),
            "isnan" => self.pool.mk_is_nan(kind, a),
            _ => panic!("what is {op}?"),
        })
    }

    /// Models that cover all values of the variables, or a sample if there are too many.
    pub fn models(&self) -> Vec<Model> {
        const MAX_ALL: u32 = 12;
        const N_SAMPLES: u64 = 300;
        let widths: Vec<(VarId, Option<u32>)> = self
            .vars
            .iter()
            .map(|&(_, var)| match self.pool.var_sort(var) {
                Sort::Bv(width) => (var, Some(width)),
                Sort::Array { .. } => (var, None),
            })
            .collect();
        let total: u32 = widths.iter().map(|(_, width)| width.unwrap_or(2)).sum();
        let is_all = total <= MAX_ALL;
        let n_models = if is_all { 1 << total } else { N_SAMPLES };
        (0..n_models).map(|at| self.model(&widths, at, is_all)).collect()
    }

    fn model(&self, widths: &[(VarId, Option<u32>)], at: u64, is_all: bool) -> Model {
        let mut model = Model::new();
        let mut bits = at;
        let mut state = at;
        for &(var, width) in widths {
            let value = if is_all {
                let taken = width.unwrap_or(2);
                let value = bits & ((1 << taken) - 1);
                bits >>= taken;
                value
            } else {
                sample(&mut state, width.unwrap_or(64))
            };
            match width {
                Some(width) => model.set(var, &spelunk_expr::Value::new(width, value)),
                None => {
                    let array = model.array_mut(var);
                    for index in 0..1 << self.width.min(8) {
                        let elem = spelunk_bv::int::trunc(self.width, value ^ (index * 5));
                        array.elements.insert(index, elem);
                    }
                }
            }
        }
        model
    }
}

/// Random bits, with extreme values among them.
fn sample(state: &mut u64, width: u32) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    let sign = mask ^ mask >> 1;
    match mixed >> 60 {
        0 => mask,
        1 => sign,
        2 => sign - 1,
        3 => mixed & 3 & mask,
        _ => mixed & mask,
    }
}

/// Whether two benches give two expressions the same value under all models.
pub fn assert_equal_values(left: (&Bench, ExprId), right: (&Bench, ExprId), what: &str) {
    let [mut left_state, mut right_state] = [Evaluator::new(), Evaluator::new()];
    let models = if left.0.vars.len() < right.0.vars.len() { right.0.models() } else { left.0.models() };
    for model in models {
        let expected = left_state.under(&left.0.pool, &model).eval(left.1);
        let got = right_state.under(&right.0.pool, &model).eval(right.1);
        assert_eq!(expected, got, "{what} at width {} under {model:?}", left.0.width);
    }
}

fn is_number(atom: &str) -> bool {
    atom.starts_with(|first: char| first.is_ascii_digit() || first == '-')
        || ["min", "max"].iter().any(|name| atom == *name || atom.starts_with(&format!("{name}:")))
}

fn is_plain_number(term: &Term) -> bool {
    matches!(term, Term::Atom(atom) if is_number(atom) && !atom.contains(':'))
}

fn natural(term: &Term) -> u32 {
    match term {
        Term::Atom(atom) => atom.trim_start_matches('+').parse().expect("a natural number"),
        Term::List(_) => panic!("a natural number"),
    }
}
