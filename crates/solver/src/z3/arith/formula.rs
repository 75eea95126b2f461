//! Formulas over integers, reals and truth values, with bit-vector expressions among them.
//!
//! A formula knows no Z3. Terms that are integers may stand where reals are wanted; they are converted then.

use std::ops::{Add, Mul, Neg, Sub};
use std::rc::Rc;

use num_bigint::BigInt;
use spelunk_bv::Signedness;
use spelunk_expr::ExprId;

use super::rational::Rational;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    Int,
    Real,
    Bool,
}

/// A variable: its name and its sort. Variables of one name and different sorts are different.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var {
    name: Rc<str>,
    sort: Sort,
}

impl Var {
    pub fn new(name: &str, sort: Sort) -> Self {
        Var { name: name.into(), sort }
    }

    pub fn int(name: &str) -> Self {
        Var::new(name, Sort::Int)
    }

    pub fn real(name: &str) -> Self {
        Var::new(name, Sort::Real)
    }

    pub fn bool(name: &str) -> Self {
        Var::new(name, Sort::Bool)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn sort(&self) -> Sort {
        self.sort
    }

    /// The number that a variable is; `None` if it is a truth value.
    pub fn term(&self) -> Option<Term> {
        (self.sort != Sort::Bool).then(|| Term::new(self.sort, TermKind::Var(self.clone())))
    }

    /// The truth value that a variable is; `None` if it is a number.
    pub fn formula(&self) -> Option<Formula> {
        (self.sort == Sort::Bool).then(|| Formula::new(FormulaKind::Var(self.clone())))
    }
}

/// A number: an integer or a real.
#[derive(Clone, Debug)]
pub struct Term(Rc<TermNode>);

#[derive(Debug)]
struct TermNode {
    sort: Sort,
    kind: TermKind,
}

#[derive(Debug)]
pub(super) enum TermKind {
    Var(Var),
    Number(Rational),
    Sum(Vec<Term>),
    Product(Vec<Term>),
    Neg(Term),
    /// Of reals.
    Quotient(Term, Term),
    Div(Term, Term),
    Mod(Term, Term),
    /// The greatest integer below.
    Floor(Term),
    Ite(Formula, Term, Term),
    /// The number that a bit-vector expression is.
    Bits(ExprId, Signedness),
}

impl Term {
    fn new(sort: Sort, kind: TermKind) -> Self {
        Term(Rc::new(TermNode { sort, kind }))
    }

    pub fn sort(&self) -> Sort {
        self.0.sort
    }

    pub(super) fn kind(&self) -> &TermKind {
        &self.0.kind
    }

    pub fn int(value: impl Into<BigInt>) -> Self {
        Term::new(Sort::Int, TermKind::Number(Rational::from_int(value.into())))
    }

    pub fn real(value: Rational) -> Self {
        Term::new(Sort::Real, TermKind::Number(value))
    }

    /// The number that a bit-vector expression is.
    pub fn bits(expr: ExprId, sign: Signedness) -> Self {
        Term::new(Sort::Int, TermKind::Bits(expr, sign))
    }

    fn common_sort<'t>(terms: impl IntoIterator<Item = &'t Term>) -> Sort {
        terms.into_iter().map(Term::sort).max().unwrap_or(Sort::Int)
    }

    pub fn sum(terms: Vec<Term>) -> Self {
        Term::new(Term::common_sort(&terms), TermKind::Sum(terms))
    }

    pub fn product(factors: Vec<Term>) -> Self {
        Term::new(Term::common_sort(&factors), TermKind::Product(factors))
    }

    /// The exact quotient, a real. Any number if the divisor is zero.
    pub fn divided_by(self, divisor: Term) -> Self {
        Term::new(Sort::Real, TermKind::Quotient(self, divisor))
    }

    /// The integer for which `self == divisor * int_div + int_mod` with a non-negative `int_mod` below the divisor's
    /// magnitude. Any number if the divisor is zero. Reals are rounded down first.
    pub fn int_div(self, divisor: Term) -> Self {
        Term::new(Sort::Int, TermKind::Div(self.floor(), divisor.floor()))
    }

    /// See [`Term::int_div`].
    pub fn int_mod(self, divisor: Term) -> Self {
        Term::new(Sort::Int, TermKind::Mod(self.floor(), divisor.floor()))
    }

    /// The greatest integer that is not greater.
    pub fn floor(self) -> Self {
        match self.sort() {
            Sort::Real => Term::new(Sort::Int, TermKind::Floor(self)),
            _ => self,
        }
    }

    pub fn equals(&self, other: &Term) -> Formula {
        self.compare(Relation::Eq, other)
    }

    pub fn less(&self, other: &Term) -> Formula {
        self.compare(Relation::Lt, other)
    }

    pub fn at_most(&self, other: &Term) -> Formula {
        self.compare(Relation::Le, other)
    }

    pub fn greater(&self, other: &Term) -> Formula {
        other.less(self)
    }

    pub fn at_least(&self, other: &Term) -> Formula {
        other.at_most(self)
    }

    fn compare(&self, relation: Relation, other: &Term) -> Formula {
        Formula::new(FormulaKind::Compare(relation, self.clone(), other.clone()))
    }
}

impl From<i64> for Term {
    fn from(value: i64) -> Self {
        Term::int(value)
    }
}

macro_rules! operators {
    ($($op:ident :: $method:ident ($a:ident, $b:ident) => $result:expr;)+) => {
        $(impl<T: Into<Term>> $op<T> for Term {
            type Output = Term;

            fn $method(self, other: T) -> Term {
                let ($a, $b): (Term, Term) = (self, other.into());
                $result
            }
        })+
    };
}

operators! {
    Add::add(a, b) => a.extended(b, |kind| match kind { TermKind::Sum(terms) => Some(terms), _ => None }, Term::sum);
    Sub::sub(a, b) => a + -b;
    Mul::mul(a, b) =>
        a.extended(b, |kind| match kind { TermKind::Product(factors) => Some(factors), _ => None }, Term::product);
}

impl Term {
    /// One more operand for a sum or a product that nobody else holds, so that long ones stay flat.
    fn extended(
        mut self,
        operand: Term,
        operands: fn(&mut TermKind) -> Option<&mut Vec<Term>>,
        make: fn(Vec<Term>) -> Term,
    ) -> Term {
        if let Some(node) = Rc::get_mut(&mut self.0)
            && let Some(operands) = operands(&mut node.kind)
        {
            node.sort = node.sort.max(operand.sort());
            operands.push(operand);
            return self;
        }
        make(vec![self, operand])
    }
}

impl Neg for Term {
    type Output = Term;

    fn neg(self) -> Term {
        Term::new(self.sort(), TermKind::Neg(self))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Eq,
    Lt,
    Le,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    Forall,
    Exists,
}

/// A truth value.
#[derive(Clone, Debug)]
pub struct Formula(Rc<FormulaKind>);

#[derive(Debug)]
pub(super) enum FormulaKind {
    Var(Var),
    Constant(bool),
    Compare(Relation, Term, Term),
    Not(Formula),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Implies(Formula, Formula),
    Iff(Formula, Formula),
    Quantified(Quantifier, Vec<Var>, Formula),
    /// A bit-vector expression of one bit.
    Condition(ExprId),
}

impl Formula {
    fn new(kind: FormulaKind) -> Self {
        Formula(Rc::new(kind))
    }

    pub(super) fn kind(&self) -> &FormulaKind {
        &self.0
    }

    pub fn constant(value: bool) -> Self {
        Formula::new(FormulaKind::Constant(value))
    }

    /// A bit-vector expression of one bit.
    pub fn condition(expr: ExprId) -> Self {
        Formula::new(FormulaKind::Condition(expr))
    }

    pub fn and(formulas: Vec<Formula>) -> Self {
        Formula::new(FormulaKind::And(formulas))
    }

    pub fn or(formulas: Vec<Formula>) -> Self {
        Formula::new(FormulaKind::Or(formulas))
    }

    pub fn implies(&self, conclusion: &Formula) -> Self {
        Formula::new(FormulaKind::Implies(self.clone(), conclusion.clone()))
    }

    pub fn iff(&self, other: &Formula) -> Self {
        Formula::new(FormulaKind::Iff(self.clone(), other.clone()))
    }

    pub fn choose(&self, then: Term, other: Term) -> Term {
        let sort = then.sort().max(other.sort());
        Term::new(sort, TermKind::Ite(self.clone(), then, other))
    }

    /// In the body, the variables are the quantifier's own.
    pub fn quantified(quantifier: Quantifier, vars: &[Var], body: Formula) -> Self {
        Formula::new(FormulaKind::Quantified(quantifier, vars.to_vec(), body))
    }

    pub fn forall(vars: &[Var], body: Formula) -> Self {
        Formula::quantified(Quantifier::Forall, vars, body)
    }

    pub fn exists(vars: &[Var], body: Formula) -> Self {
        Formula::quantified(Quantifier::Exists, vars, body)
    }
}

impl std::ops::Not for Formula {
    type Output = Formula;

    fn not(self) -> Formula {
        Formula::new(FormulaKind::Not(self))
    }
}
