//! Values and models as a script writes them, so that other solvers can read them.

use std::fmt::Write;

use spelunk_bv::float::{self, FloatKind};
use spelunk_expr::Value;

use crate::builtin::Mode;
use crate::check::{ArrayContents, Contents, Valuation};
use crate::context::{Context, Function};
use crate::elab::sort_name;
use crate::read::quote_symbol;
use crate::scope::Binding;
use crate::sort::{Scalar, Sort, format_of};

/// The definitions of all declared constants and functions.
pub fn model(context: &Context, valuation: &mut Valuation) -> String {
    let mut text = String::from("(\n");
    for (name, binding) in context.scope.declarations() {
        let definition = match binding {
            Binding::Constant(term) => {
                let value = value(context, term.sort, &valuation.value(context, term.id));
                format!("() {} {value}", sort_name(context, term.sort))
            }
            &Binding::Function(number) => function(context, valuation, number),
            Binding::Defined(_) | Binding::Macro(_) | Binding::Unsupported(_) => continue,
        };
        writeln!(text, "  (define-fun {} {definition})", quote_symbol(name)).expect("strings take any text");
    }
    text.push(')');
    text
}

pub fn value(context: &Context, sort: Sort, contents: &Contents) -> String {
    match (sort, contents) {
        (Sort::Scalar(scalar), Contents::Scalar(value)) => scalar_value(context, scalar, value),
        (Sort::Array { index, elem }, Contents::Array(array)) => {
            let ArrayContents { default, elements } = array;
            let narrow = |scalar: Scalar, bits: u64| scalar_value(context, scalar, &Value::new(scalar.width(), bits));
            let mut text = "(store ".repeat(elements.len());
            write!(text, "((as const {}) {})", sort_name(context, sort), narrow(elem, *default)).expect("a string");
            for &(at, value) in elements {
                write!(text, " {} {})", narrow(index, at), narrow(elem, value)).expect("a string");
            }
            text
        }
        _ => unreachable!("a value has its sort"),
    }
}

fn scalar_value(context: &Context, sort: Scalar, value: &Value) -> String {
    let low = value.limbs()[0];
    match sort {
        Scalar::Bool => (low != 0).to_string(),
        Scalar::Bits(width) => bits(width, value.limbs()),
        Scalar::Float(kind) => float_value(kind, value),
        Scalar::Rounding => Mode::ALL[low as usize % Mode::ALL.len()].name().to_owned(),
        Scalar::Free(number) => {
            let name = context.scope.free_sort_name(number);
            format!("(as {} {})", quote_symbol(&format!("@{name}_{low}")), quote_symbol(name))
        }
    }
}

/// In hexadecimal where the width allows it.
fn bits(width: u32, limbs: &[u64]) -> String {
    let (prefix, digit_width) = if width.is_multiple_of(4) { ("#x", 4) } else { ("#b", 1) };
    let mut text = String::from(prefix);
    for at in (0..width / digit_width).rev().map(|digit| digit * digit_width) {
        let digit = limbs[at as usize / 64] >> (at % 64) & ((1 << digit_width) - 1);
        write!(text, "{digit:x}").expect("strings take any text");
    }
    text
}

fn float_value(kind: FloatKind, value: &Value) -> String {
    let limbs = value.limbs();
    let pattern = limbs[0] as u128 | (limbs.get(1).copied().unwrap_or(0) as u128) << 64;
    let (exponent, significand) = format_of(kind);
    let sign = if float::is_sign_negative(kind, pattern) { '-' } else { '+' };
    let special = match () {
        () if float::is_nan(kind, pattern) => "NaN".to_owned(),
        () if float::is_inf(kind, pattern) => format!("{sign}oo"),
        () if float::is_zero(kind, pattern) => format!("{sign}zero"),
        () => {
            let top = kind.bits() - 1;
            let [sign, power, fraction] =
                [(top, 1), (top - exponent, exponent), (0, significand - 1)].map(|(at, width)| {
                    let part = pattern >> at & ((1 << width) - 1);
                    bits(width, &[part as u64, (part >> 64) as u64])
                });
            return format!("(fp {sign} {power} {fraction})");
        }
    };
    format!("(_ {special} {exponent} {significand})")
}

/// Parameters, result and body of a function: a choice among the arguments that matter.
fn function(context: &Context, valuation: &mut Valuation, number: usize) -> String {
    let Function { params, result, table, .. } = &context.functions[number];
    let scalar = |bits: u64| Contents::Scalar(Value::new(result.as_scalar().map_or(1, Scalar::width), bits));
    let (default, rows) = match (table, result) {
        (Some(table), _) => {
            let array = valuation.array_of(*table);
            let row = |&(index, elem): &(u64, u64)| (split(params, index), scalar(elem));
            (scalar(array.default), array.elements.iter().map(row).collect())
        }
        (None, Sort::Scalar(_)) => (scalar(0), valuation.table(number)),
        (None, Sort::Array { .. }) => (Contents::Array(ArrayContents::default()), valuation.table(number)),
    };
    let names: Vec<String> = (0..params.len()).map(|at| format!("x!{at}")).collect();
    let header: Vec<String> = names
        .iter()
        .zip(params)
        .map(|(name, &param)| format!("({name} {})", sort_name(context, Sort::Scalar(param))))
        .collect();
    let mut text = format!("({}) {} ", header.join(" "), sort_name(context, *result));
    for (args, contents) in &rows {
        let mut tests: Vec<String> = Vec::with_capacity(args.len());
        for ((name, &param), arg) in names.iter().zip(params).zip(args) {
            tests.push(format!("(= {name} {})", scalar_value(context, param, arg)));
        }
        let test = if tests.len() == 1 { tests.remove(0) } else { format!("(and {})", tests.join(" ")) };
        write!(text, "(ite {test} {} ", value(context, *result, contents)).expect("strings take any text");
    }
    text.push_str(&value(context, *result, &default));
    text.extend(rows.iter().map(|_| ')'));
    text
}

/// The arguments that an index is made of.
fn split(params: &[Scalar], index: u64) -> Vec<Value> {
    let mut rest = index;
    let mut args: Vec<Value> = params
        .iter()
        .rev()
        .map(|param| {
            let width = param.width();
            let arg = Value::new(width, rest);
            rest = rest.checked_shr(width).unwrap_or(0);
            arg
        })
        .collect();
    args.reverse();
    args
}
