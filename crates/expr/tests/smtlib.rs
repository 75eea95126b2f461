//! Scripts are read back by an evaluator of the SMT-LIB terms that they use, and must mean what was printed.

#[path = "support/program.rs"]
mod program;

use std::collections::HashMap;

use program::{inputs, programs};
use proptest::prelude::*;
use spelunk_bv::{BinOp, CmpOp, wide};
use spelunk_expr::{Evaluator, ExprId, ExprPool, Model, Op, Sort, Value};

#[derive(Clone, Debug)]
enum Sexp {
    Atom(String),
    List(Vec<Sexp>),
}

fn parse(text: &str) -> Vec<Sexp> {
    let mut stack = vec![Vec::new()];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '(' => {
                stack.push(Vec::new());
                1
            }
            ')' => {
                let list = stack.pop().expect("balanced");
                stack.last_mut().expect("balanced").push(Sexp::List(list));
                1
            }
            _ => {
                let len = match first {
                    '|' => rest[1..].find('|').expect("closed") + 2,
                    _ => rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len()),
                };
                stack.last_mut().expect("balanced").push(Sexp::Atom(rest[..len].into()));
                len
            }
        };
        rest = rest[len..].trim_start();
    }
    assert_eq!(stack.len(), 1, "balanced");
    stack.remove(0)
}

#[derive(Clone, Debug, PartialEq)]
enum Meaning {
    Bool(bool),
    Bits(Value),
    Array(Map),
}

#[derive(Clone, Debug, PartialEq)]
struct Map {
    default: Value,
    elements: HashMap<Value, Value>,
}

impl Meaning {
    fn bits(self) -> Value {
        match self {
            Meaning::Bits(value) => value,
            other => panic!("bits, not {other:?}"),
        }
    }

    fn truth(self) -> bool {
        match self {
            Meaning::Bool(value) => value,
            other => panic!("a truth value, not {other:?}"),
        }
    }

    fn array(self) -> Map {
        match self {
            Meaning::Array(map) => map,
            other => panic!("an array, not {other:?}"),
        }
    }
}

type Scope = HashMap<String, Meaning>;

fn number(sexp: &Sexp) -> u32 {
    match sexp {
        Sexp::Atom(atom) => atom.parse().expect("a number"),
        Sexp::List(_) => panic!("a number"),
    }
}

fn literal(atom: &str) -> Option<Value> {
    let (digits, digit_width) = match (atom.strip_prefix("#x"), atom.strip_prefix("#b")) {
        (Some(digits), _) => (digits, 4),
        (_, Some(digits)) => (digits, 1),
        _ => return None,
    };
    let width = digits.len() as u32 * digit_width;
    let mut limbs = vec![0u64; wide::n_limbs(width)];
    for (at, digit) in digits.chars().rev().enumerate() {
        let at = at as u32 * digit_width;
        limbs[at as usize / 64] |= (digit.to_digit(16).expect("a digit") as u64) << (at % 64);
    }
    Some(Value::from_limbs(width, &limbs))
}

fn binary(op: BinOp, a: &Value, b: &Value) -> Value {
    assert_eq!(a.width(), b.width());
    let mut out = vec![0; a.limbs().len()];
    wide::binop(op, a.width(), a.limbs(), b.limbs(), &mut out);
    Value::from_limbs(a.width(), &out)
}

fn zero_extended(a: &Value, width: u32) -> Value {
    Value::from_limbs(width, a.limbs())
}

fn shifted_right(a: &Value, by: u32) -> Value {
    binary(BinOp::LShr, a, &Value::new(a.width(), by as u64))
}

fn eval(term: &Sexp, scope: &Scope) -> Meaning {
    let list = match term {
        Sexp::Atom(atom) => {
            return match (atom.as_str(), literal(atom)) {
                ("true", _) => Meaning::Bool(true),
                ("false", _) => Meaning::Bool(false),
                (_, Some(value)) => Meaning::Bits(value),
                _ => scope.get(atom).unwrap_or_else(|| panic!("{atom} is declared")).clone(),
            };
        }
        Sexp::List(list) => list,
    };
    match &list[0] {
        Sexp::List(function) => eval_indexed(function, &list[1..], scope),
        Sexp::Atom(function) if function == "let" => {
            let mut inner = scope.clone();
            let Sexp::List(bindings) = &list[1] else { panic!("bindings") };
            for binding in bindings {
                let Sexp::List(pair) = binding else { panic!("a binding") };
                let Sexp::Atom(name) = &pair[0] else { panic!("a name") };
                inner.insert(name.clone(), eval(&pair[1], scope));
            }
            eval(&list[2], &inner)
        }
        Sexp::Atom(function) => {
            let args = list[1..].iter().map(|arg| eval(arg, scope)).collect();
            apply(function, args)
        }
    }
}

fn eval_indexed(function: &[Sexp], args: &[Sexp], scope: &Scope) -> Meaning {
    let arg = eval(&args[0], scope);
    let name = match &function[1] {
        Sexp::Atom(name) => name.as_str(),
        Sexp::List(_) => panic!("a name"),
    };
    match name {
        "const" => Meaning::Array(Map { default: arg.bits(), elements: HashMap::new() }),
        "extract" => {
            let (high, low, arg) = (number(&function[2]), number(&function[3]), arg.bits());
            assert!(high < arg.width());
            Meaning::Bits(Value::from_limbs(high - low + 1, shifted_right(&arg, low).limbs()))
        }
        "zero_extend" => {
            let arg = arg.bits();
            Meaning::Bits(zero_extended(&arg, arg.width() + number(&function[2])))
        }
        "sign_extend" => {
            let arg = arg.bits();
            let width = arg.width() + number(&function[2]);
            let mut out = vec![0; wide::n_limbs(width)];
            wide::sext_to(arg.width(), width, arg.limbs(), &mut out);
            Meaning::Bits(Value::from_limbs(width, &out))
        }
        _ => panic!("what is {name}?"),
    }
}

fn apply(function: &str, mut args: Vec<Meaning>) -> Meaning {
    let bits = |at: usize| args[at].clone().bits();
    if let Some(name) = function.strip_prefix("bv") {
        if let Some(op) = BinOp::from_name(name) {
            return Meaning::Bits(binary(op, &bits(0), &bits(1)));
        }
        if let Some(op) = CmpOp::from_name(name) {
            return Meaning::Bool(wide::icmp(op, bits(0).width(), bits(0).limbs(), bits(1).limbs()));
        }
        let zero = Value::new(bits(0).width(), 0);
        let ones = binary(BinOp::Sub, &zero, &Value::new(zero.width(), 1));
        return Meaning::Bits(match name {
            "not" => binary(BinOp::Xor, &bits(0), &ones),
            "neg" => binary(BinOp::Sub, &zero, &bits(0)),
            _ => panic!("what is {function}?"),
        });
    }
    match function {
        "=" => Meaning::Bool(args[0] == args[1]),
        "distinct" => Meaning::Bool(args[0] != args[1]),
        "not" => Meaning::Bool(!args.remove(0).truth()),
        "and" => Meaning::Bool(args.into_iter().all(Meaning::truth)),
        "or" => Meaning::Bool(args.into_iter().any(Meaning::truth)),
        "xor" => Meaning::Bool(args.into_iter().filter(|arg| arg.clone().truth()).count() == 1),
        "ite" => {
            let at = if args[0].clone().truth() { 1 } else { 2 };
            args.swap_remove(at)
        }
        "concat" => {
            let width = bits(0).width() + bits(1).width();
            let (high, low) = (zero_extended(&bits(0), width), zero_extended(&bits(1), width));
            let high = binary(BinOp::Shl, &high, &Value::new(width, bits(1).width() as u64));
            Meaning::Bits(binary(BinOp::Or, &high, &low))
        }
        "select" => {
            let (array, index) = (args.remove(0).array(), args.remove(0).bits());
            Meaning::Bits(array.elements.get(&index).unwrap_or(&array.default).clone())
        }
        "store" => {
            let mut array = args.remove(0).array();
            array.elements.insert(args.remove(0).bits(), args.remove(0).bits());
            Meaning::Array(array)
        }
        _ => panic!("what is {function}?"),
    }
}

/// Whether each assertion of a script holds under a model.
fn run(pool: &ExprPool, script: &str, model: &Model) -> Vec<bool> {
    let mut scope = Scope::new();
    for var in (0..pool.n_vars() as u32).map(spelunk_expr::VarId) {
        scope.insert(pool.smtlib_symbol(var), meaning_of(pool, model, var));
    }
    let mut declared = Vec::new();
    let mut results = Vec::new();
    for command in parse(script) {
        let Sexp::List(command) = command else { panic!("a command") };
        match (&command[0], &command[1..]) {
            (Sexp::Atom(name), [Sexp::Atom(logic)]) if name == "set-logic" => assert_eq!(logic, "ALL"),
            (Sexp::Atom(name), [Sexp::Atom(symbol), _]) if name == "declare-const" => declared.push(symbol.clone()),
            (Sexp::Atom(name), [Sexp::Atom(symbol), _, _, body]) if name == "define-fun" => {
                let meaning = eval(body, &scope);
                assert!(scope.insert(symbol.clone(), meaning).is_none(), "{symbol} is defined once");
            }
            (Sexp::Atom(name), [condition]) if name == "assert" => results.push(eval(condition, &scope).truth()),
            _ => panic!("what is {command:?}?"),
        }
    }
    declared.sort();
    let n_declared = declared.len();
    declared.dedup();
    assert_eq!(declared.len(), n_declared, "declared once");
    results
}

fn meaning_of(pool: &ExprPool, model: &Model, var: spelunk_expr::VarId) -> Meaning {
    match pool.var_sort(var) {
        Sort::Bv(width @ ..=64) => Meaning::Bits(Value::new(width, model.get_u64(var).unwrap_or(0))),
        Sort::Bv(width) => Meaning::Bits(model.get_wide(var).cloned().unwrap_or(Value::new(width, 0))),
        Sort::Array { index_width, elem_width } => {
            let array = model.array(var).cloned().unwrap_or_default();
            let elements = array.elements.iter();
            Meaning::Array(Map {
                default: Value::new(elem_width, array.default),
                elements: elements
                    .map(|(&index, &elem)| (Value::new(index_width, index), Value::new(elem_width, elem)))
                    .collect(),
            })
        }
    }
}

fn has_floats(pool: &ExprPool, term: ExprId) -> bool {
    pool.postorder(&[term]).iter().any(|&id| pool.op(id) >= Op::FAdd)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn scripts_mean_what_they_print(program in programs(40), inputs in inputs(), fuel in prop::option::of(0..20u64)) {
        let mut pool = ExprPool::new();
        pool.set_rule_fuel(fuel);
        let vars = program.declare(&mut pool);
        let terms = program.build(&mut pool, &vars);
        let mut conditions = Vec::new();
        for term in terms {
            if !has_floats(&pool, term) {
                let low = pool.mk_trunc(term, 1);
                conditions.push(low);
            }
        }
        let script = pool.to_smtlib(&conditions);
        let model = program.model(&vars, &inputs[0]);
        let mut evaluator = Evaluator::new();
        let mut values = evaluator.under(&pool, &model);
        let expected: Vec<bool> = conditions.iter().map(|&condition| values.eval_bool(condition)).collect();
        prop_assert_eq!(run(&pool, &script, &model), expected, "{}", script);
    }
}

#[test]
fn shared_terms_are_printed_once() {
    let mut pool = ExprPool::new();
    let x = pool.new_var("x", Sort::Bv(32));
    let mut term = pool.mk_var(x);
    for _ in 0..100 {
        term = pool.mk_mul(term, term);
    }
    let zero = pool.mk_const(32, 0);
    let condition = pool.mk_eq(term, zero);
    let script = pool.to_smtlib(&[condition]);
    assert!(script.len() < 10_000, "{} characters", script.len());
    assert_eq!(script.matches("define-fun").count(), 99);
}

#[test]
fn a_script_looks_as_expected() {
    let mut pool = ExprPool::new();
    let flag = pool.new_var("flag", Sort::Bv(1));
    let byte = pool.new_var("in|0", Sort::Bv(8));
    let (flag, byte) = (pool.mk_var(flag), pool.mk_var(byte));
    let small = pool.mk_const(8, 10);
    let is_small = pool.mk_ult(byte, small);
    let both = pool.mk_and(flag, is_small);
    let double = spelunk_bv::float::FloatKind::Double;
    let number = pool.mk_sext(byte, 64);
    let number = pool.mk_int_to_float(double, spelunk_bv::Signedness::Signed, number);
    let root = pool.mk_fsqrt(double, number);
    let one = pool.mk_const(64, 1f64.to_bits());
    let is_above = pool.mk_fcmp(double, spelunk_bv::FCmpOp::Ogt, root, one);
    let script = pool.to_smtlib(&[both, is_above]);
    let [number, root] = [number, root].map(|id| format!("n{}", id.raw()));
    let expected = format!(
        "(set-logic ALL)\n\
         (declare-const |flag!0| (_ BitVec 1))\n\
         (declare-const |in_0!1| (_ BitVec 8))\n\
         (declare-const {number} (_ BitVec 64))\n\
         (assert (= ((_ to_fp 11 53) {number}) ((_ to_fp 11 53) RNE ((_ sign_extend 56) |in_0!1|))))\n\
         (declare-const {root} (_ BitVec 64))\n\
         (assert (= ((_ to_fp 11 53) {root}) (fp.sqrt RNE ((_ to_fp 11 53) {number}))))\n\
         (assert (and (= |flag!0| #b1) (bvult |in_0!1| #x0a)))\n\
         (assert (fp.lt ((_ to_fp 11 53) #x3ff0000000000000) ((_ to_fp 11 53) {root})))\n"
    );
    assert_eq!(script, expected);
}
