//! From formulas to Z3's terms. As deep as the formulas are: sums, products and connectives are flat.

use rustc_hash::FxHashMap;
use spelunk_bv::Signedness;
use spelunk_expr::{ExprId, ExprPool};
use z3::ast::{self, Ast, Bool, Int, Real};

use super::formula::{Formula, FormulaKind, Quantifier, Relation, Sort, Term as Source, TermKind, Var};
use super::rational::Rational;
use crate::z3::translate::Translator;

/// What a variable or a number is to Z3.
#[derive(Clone)]
pub(super) enum Term {
    Bool(Bool),
    Int(Int),
    Real(Real),
}

pub(super) struct Lowering<'p> {
    pool: &'p ExprPool,
    translator: Translator,
    vars: FxHashMap<Var, Term>,
    /// Variables that a quantifier around has taken, the innermost last.
    bound: Vec<Var>,
    /// Those met outside of the quantifiers that bind them.
    free: Vec<Var>,
    /// The bit-vector expressions that were met.
    exprs: Vec<ExprId>,
}

impl<'p> Lowering<'p> {
    pub fn new(pool: &'p ExprPool) -> Self {
        Lowering {
            pool,
            translator: Translator::default(),
            vars: FxHashMap::default(),
            bound: Vec::new(),
            free: Vec::new(),
            exprs: Vec::new(),
        }
    }

    pub fn free_vars(&self) -> impl Iterator<Item = (&Var, &Term)> {
        self.free.iter().map(|var| (var, &self.vars[var]))
    }

    pub fn exprs(&self) -> &[ExprId] {
        &self.exprs
    }

    pub fn translator(&self) -> &Translator {
        &self.translator
    }

    pub fn formula(&mut self, formula: &Formula) -> Bool {
        match formula.kind() {
            FormulaKind::Var(var) => match self.var(var) {
                Term::Bool(term) => term,
                _ => unreachable!("only variables of truth values are formulas"),
            },
            FormulaKind::Constant(value) => Bool::from_bool(*value),
            FormulaKind::Compare(relation, a, b) => self.comparison(*relation, a, b),
            FormulaKind::Not(a) => self.formula(a).not(),
            FormulaKind::And(all) => Bool::and(&self.formulas(all)),
            FormulaKind::Or(all) => Bool::or(&self.formulas(all)),
            FormulaKind::Implies(a, b) => self.formula(a).implies(self.formula(b)),
            FormulaKind::Iff(a, b) => self.formula(a).iff(self.formula(b)),
            FormulaKind::Quantified(quantifier, vars, body) => self.quantified(*quantifier, vars, body),
            FormulaKind::Condition(expr) => {
                self.exprs.push(*expr);
                self.translator.condition(self.pool, *expr)
            }
        }
    }

    fn formulas(&mut self, formulas: &[Formula]) -> Vec<Bool> {
        formulas.iter().map(|formula| self.formula(formula)).collect()
    }

    fn var(&mut self, var: &Var) -> Term {
        if !self.bound.contains(var) && !self.free.contains(var) {
            self.free.push(var.clone());
        }
        self.vars.entry(var.clone()).or_insert_with(|| new_const(var)).clone()
    }

    fn quantified(&mut self, quantifier: Quantifier, vars: &[Var], body: &Formula) -> Bool {
        let n_bound = self.bound.len();
        self.bound.extend_from_slice(vars);
        // Own constants, so that an outer variable of the same name stays what it is.
        let fresh: Vec<(Var, Term)> = vars.iter().map(|var| (var.clone(), new_const(var))).collect();
        let outer: Vec<(Var, Option<Term>)> =
            fresh.iter().map(|(var, term)| (var.clone(), self.vars.insert(var.clone(), term.clone()))).collect();
        let body = self.formula(body);
        for (var, term) in outer.into_iter().rev() {
            match term {
                Some(term) => self.vars.insert(var, term),
                None => self.vars.remove(&var),
            };
        }
        self.bound.truncate(n_bound);
        let bounds: Vec<&dyn Ast> = fresh.iter().map(|(_, term)| as_ast(term)).collect();
        match quantifier {
            Quantifier::Forall => ast::forall_const(&bounds, &[], &body),
            Quantifier::Exists => ast::exists_const(&bounds, &[], &body),
        }
    }

    fn comparison(&mut self, relation: Relation, a: &Source, b: &Source) -> Bool {
        macro_rules! compare {
            ($a:expr, $b:expr) => {{
                let (a, b) = ($a, $b);
                match relation {
                    Relation::Eq => a.eq(b),
                    Relation::Lt => a.lt(b),
                    Relation::Le => a.le(b),
                }
            }};
        }
        match a.sort().max(b.sort()) {
            Sort::Int => compare!(self.int(a), self.int(b)),
            _ => compare!(self.real(a), self.real(b)),
        }
    }

    fn ints(&mut self, terms: &[Source]) -> Vec<Int> {
        terms.iter().map(|term| self.int(term)).collect()
    }

    fn reals(&mut self, terms: &[Source]) -> Vec<Real> {
        terms.iter().map(|term| self.real(term)).collect()
    }

    fn int(&mut self, term: &Source) -> Int {
        match term.kind() {
            _ if term.sort() == Sort::Real => self.real(term).to_int(),
            TermKind::Var(var) => match self.var(var) {
                Term::Int(term) => term,
                _ => unreachable!("an integer has an integer's variable"),
            },
            TermKind::Number(number) => number_int(number),
            TermKind::Sum(terms) => Int::add(&self.ints(terms)),
            TermKind::Product(factors) => Int::mul(&self.ints(factors)),
            TermKind::Neg(a) => self.int(a).unary_minus(),
            TermKind::Div(a, b) => self.int(a).div(self.int(b)),
            TermKind::Mod(a, b) => self.int(a).modulo(self.int(b)),
            TermKind::Floor(a) => self.real(a).to_int(),
            TermKind::Ite(condition, then, other) => self.formula(condition).ite(&self.int(then), &self.int(other)),
            TermKind::Bits(expr, sign) => {
                self.exprs.push(*expr);
                self.translator.vector(self.pool, *expr).to_int(*sign == Signedness::Signed)
            }
            TermKind::Quotient(..) => unreachable!("a quotient is a real"),
        }
    }

    fn real(&mut self, term: &Source) -> Real {
        match term.kind() {
            _ if term.sort() == Sort::Int => self.int(term).to_real(),
            TermKind::Var(var) => match self.var(var) {
                Term::Real(term) => term,
                _ => unreachable!("a real has a real's variable"),
            },
            TermKind::Number(number) => number_real(number),
            TermKind::Sum(terms) => Real::add(&self.reals(terms)),
            TermKind::Product(factors) => Real::mul(&self.reals(factors)),
            TermKind::Neg(a) => self.real(a).unary_minus(),
            TermKind::Quotient(a, b) => self.real(a).div(self.real(b)),
            TermKind::Ite(condition, then, other) => self.formula(condition).ite(&self.real(then), &self.real(other)),
            TermKind::Div(..) | TermKind::Mod(..) | TermKind::Floor(_) | TermKind::Bits(..) => {
                unreachable!("an operation on integers is an integer")
            }
        }
    }
}

fn as_ast(term: &Term) -> &dyn Ast {
    match term {
        Term::Bool(term) => term,
        Term::Int(term) => term,
        Term::Real(term) => term,
    }
}

/// A constant that is different from all others, whatever the variable's name.
fn new_const(var: &Var) -> Term {
    match var.sort() {
        Sort::Int => Term::Int(Int::fresh_const("v")),
        Sort::Real => Term::Real(Real::fresh_const("v")),
        Sort::Bool => Term::Bool(Bool::fresh_const("v")),
    }
}

fn number_int(number: &Rational) -> Int {
    number.numerator().to_string().parse().expect("digits are a number")
}

fn number_real(number: &Rational) -> Real {
    let (numerator, denominator) = (number.numerator().to_string(), number.denominator().to_string());
    Real::from_rational_str(&numerator, &denominator).expect("digits are a number")
}
