//! The functions of Z3 that the bindings leave out.

use std::ffi::CStr;

use spelunk_bv::Signedness;
use z3::Sort;
use z3::ast::{Ast, BV, Float, RoundingMode};

/// The float that a bit pattern is. Every NaN pattern is the one NaN.
pub fn float_of_pattern(bits: &BV, sort: &Sort) -> Float {
    let context = bits.get_ctx();
    // SAFETY: the term and the sort belong to the context, of which each thread has only one, and are alive; the result
    // is handed to `wrap` before any other call could release it.
    unsafe {
        let raw = z3_sys::Z3_mk_fpa_to_fp_bv(context.get_z3_context(), bits.get_z3_ast(), sort.get_z3_sort());
        Float::wrap(context, raw.expect("a pattern as wide as the format"))
    }
}

/// The float nearest to an integer.
pub fn float_of_int(int: &BV, sign: Signedness, rounding: &RoundingMode, sort: &Sort) -> Float {
    let convert = match sign {
        Signedness::Unsigned => z3_sys::Z3_mk_fpa_to_fp_unsigned,
        Signedness::Signed => z3_sys::Z3_mk_fpa_to_fp_signed,
    };
    let context = int.get_ctx();
    // SAFETY: as above.
    unsafe {
        let raw = convert(context.get_z3_context(), rounding.get_z3_ast(), int.get_z3_ast(), sort.get_z3_sort());
        Float::wrap(context, raw.expect("an integer, a rounding mode and a float sort"))
    }
}

/// A number as text: digits in base ten, with a sign and a denominator where it has them.
pub fn numeral_text(term: &impl Ast) -> Option<String> {
    let context = term.get_ctx().get_z3_context();
    // SAFETY: the term belongs to the context and is alive; Z3 says that it is a numeral before its text is asked for,
    // and the text is copied before any other call could overwrite it.
    unsafe {
        if !z3_sys::Z3_is_numeral_ast(context, term.get_z3_ast()) {
            return None;
        }
        let text = z3_sys::Z3_get_numeral_string(context, term.get_z3_ast());
        (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
    }
}
