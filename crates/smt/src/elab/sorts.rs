//! Sorts as a script writes them.

use smallvec::SmallVec;
use spelunk_bv::float::FloatKind;
use spelunk_expr::MAX_WIDTH;

use crate::context::Context;
use crate::error::{Error, Problem, Result};
use crate::read::{Sexp, quote_symbol};
use crate::scope::{SortBinding, SortTemplate};
use crate::sort::{Scalar, Sort, format_of, kind_of_format};

/// The widest index and element of an array.
const MAX_ARRAY_WIDTH: u32 = 64;

const FOREIGN: &[&str] = &["Int", "Real", "String", "RegLan", "Seq", "Set", "Bag", "Tuple", "Relation"];

/// How deep sorts may nest; nothing that we support nests deeper than once.
const MAX_DEPTH: usize = 16;

pub fn sort(context: &Context, sexp: Sexp<'_>) -> Result<Sort> {
    match sort_template(context, sexp, &[])? {
        SortTemplate::Known(sort) => Ok(sort),
        SortTemplate::Parameter(_) | SortTemplate::Array(..) => unreachable!("there are no parameters"),
    }
}

/// A sort in which names of parameters may stand. Whatever depends on none is known.
pub fn sort_template(context: &Context, sexp: Sexp<'_>, params: &[&str]) -> Result<SortTemplate> {
    template(context, sexp, params, MAX_DEPTH)
}

fn template(context: &Context, sexp: Sexp<'_>, params: &[&str], depth: usize) -> Result<SortTemplate> {
    if let Some(name) = sexp.symbol() {
        if let Some(at) = params.iter().position(|&param| param == name) {
            return Ok(SortTemplate::Parameter(at));
        }
        return match named(name) {
            Some(scalar) => Ok(SortTemplate::Known(Sort::Scalar(scalar))),
            None => applied(context, sexp, name, &[]),
        };
    }
    let parts: SmallVec<[Sexp<'_>; 4]> = sexp.children().collect();
    match parts[..] {
        [keyword, name, ref indices @ ..] if keyword.is_symbol("_") => {
            Ok(SortTemplate::Known(Sort::Scalar(indexed(sexp, name, indices)?)))
        }
        // Some scripts put names of sorts into parentheses.
        [name] if name.symbol().is_some() => template(context, name, params, depth),
        [name, ref args @ ..] if name.symbol().is_some() => {
            if depth == 0 {
                return Err(Error::unsupported(sexp.offset(), "sorts that nest this deep"));
            }
            let mut templates = Vec::with_capacity(args.len());
            for &arg in args {
                templates.push(template(context, arg, params, depth - 1)?);
            }
            applied(context, sexp, name.symbol().unwrap_or_default(), &templates)
        }
        _ => Err(Error::new(sexp.offset(), Problem::Expected("a sort"))),
    }
}

fn named(name: &str) -> Option<Scalar> {
    Some(match name {
        "Bool" => Scalar::Bool,
        "RoundingMode" => Scalar::Rounding,
        "Float16" => Scalar::Float(FloatKind::Half),
        "Float32" => Scalar::Float(FloatKind::Float),
        "Float64" => Scalar::Float(FloatKind::Double),
        "Float128" => Scalar::Float(FloatKind::Fp128),
        _ => return None,
    })
}

fn indexed(sexp: Sexp<'_>, name: Sexp<'_>, indices: &[Sexp<'_>]) -> Result<Scalar> {
    let numbers = indices.iter().map(|index| index.expect_numeral()).collect::<Result<SmallVec<[u32; 2]>>>()?;
    match (name.symbol().unwrap_or_default(), &numbers[..]) {
        ("BitVec", &[width]) if (1..=MAX_WIDTH).contains(&width) => Ok(Scalar::Bits(width)),
        ("BitVec", &[width]) => Err(Error::new(indices[0].offset(), Problem::Width(width as u64))),
        ("FloatingPoint", &[exponent, significand]) => match kind_of_format(exponent, significand) {
            Some(kind) => Ok(Scalar::Float(kind)),
            None => {
                let what = format!("floats with {exponent} exponent bits and {significand} significand bits");
                Err(Error::unsupported(sexp.offset(), what))
            }
        },
        ("BitVec" | "FloatingPoint", _) => {
            Err(Error::new(sexp.offset(), Problem::Expected("`(_ BitVec n)` or `(_ FloatingPoint e s)`")))
        }
        ("FiniteField", _) => Err(Error::unsupported(sexp.offset(), "finite fields")),
        (other, _) => Err(Error::new(name.offset(), Problem::Unknown { kind: "sort", name: other.into() })),
    }
}

fn applied(context: &Context, sexp: Sexp<'_>, name: &str, args: &[SortTemplate]) -> Result<SortTemplate> {
    if name == "Array" {
        return match args {
            [index, elem] => array(sexp, index.clone(), elem.clone()),
            _ => Err(count(sexp, name, 2, args.len())),
        };
    }
    if FOREIGN.contains(&name) {
        return Err(Error::unsupported(sexp.offset(), format!("values of sort {name}")));
    }
    match context.scope.sort(name) {
        Some(SortBinding::Alias { n_params, .. }) if *n_params != args.len() => {
            Err(count(sexp, name, *n_params, args.len()))
        }
        Some(SortBinding::Alias { template, .. }) => filled(sexp, template, args),
        Some(SortBinding::Unsupported(what)) => Err(Error::unsupported(sexp.offset(), &**what)),
        None if context.skipped_declarations => Err(Error::unsupported(sexp.offset(), super::names::SKIPPED)),
        None => Err(Error::new(sexp.offset(), Problem::Unknown { kind: "sort", name: name.into() })),
    }
}

fn count(sexp: Sexp<'_>, name: &str, wanted: usize, given: usize) -> Error {
    Error::new(sexp.offset(), Problem::Count { name: name.into(), wanted: format!("{wanted} sorts"), given })
}

/// The template with others in place of its parameters.
fn filled(sexp: Sexp<'_>, template: &SortTemplate, args: &[SortTemplate]) -> Result<SortTemplate> {
    match template {
        SortTemplate::Known(sort) => Ok(SortTemplate::Known(*sort)),
        SortTemplate::Parameter(at) => Ok(args[*at].clone()),
        SortTemplate::Array(index, elem) => array(sexp, filled(sexp, index, args)?, filled(sexp, elem, args)?),
    }
}

fn array(sexp: Sexp<'_>, index: SortTemplate, elem: SortTemplate) -> Result<SortTemplate> {
    let (index, elem) = match (index, elem) {
        (SortTemplate::Known(index), SortTemplate::Known(elem)) => (index, elem),
        (index, elem) => return Ok(SortTemplate::Array(Box::new(index), Box::new(elem))),
    };
    let (Some(index), Some(elem)) = (index.as_scalar(), elem.as_scalar()) else {
        return Err(Error::unsupported(sexp.offset(), "arrays of arrays"));
    };
    for (what, scalar) in [("indices", index), ("elements", elem)] {
        if scalar == Scalar::Rounding {
            return Err(Error::unsupported(sexp.offset(), "arrays of rounding modes"));
        }
        if scalar.width() > MAX_ARRAY_WIDTH {
            let what = format!("arrays with {what} of {} bits", scalar.width());
            return Err(Error::unsupported(sexp.offset(), what));
        }
    }
    Ok(SortTemplate::Known(Sort::Array { index, elem }))
}

/// A sort as a script writes it.
pub fn sort_name(context: &Context, sort: Sort) -> String {
    let scalar_name = |scalar: Scalar| match scalar {
        Scalar::Bool => "Bool".to_owned(),
        Scalar::Bits(width) => format!("(_ BitVec {width})"),
        Scalar::Float(kind) => {
            let (exponent, significand) = format_of(kind);
            format!("(_ FloatingPoint {exponent} {significand})")
        }
        Scalar::Rounding => "RoundingMode".to_owned(),
        Scalar::Free(number) => quote_symbol(context.scope.free_sort_name(number)),
    };
    match sort {
        Sort::Scalar(scalar) => scalar_name(scalar),
        Sort::Array { index, elem } => format!("(Array {} {})", scalar_name(index), scalar_name(elem)),
    }
}
