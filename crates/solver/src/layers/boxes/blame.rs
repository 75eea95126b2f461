//! Which variable to take apart, and how, so that a condition is decided: the way down from it to what is not known well enough.

use spelunk_bv::int;
use spelunk_expr::Op;

use super::progression::{Progression, Split};
use super::terms::Terms;

/// Classes of remainders that are told apart at once.
const MAX_CLASSES: u64 = 64;

const SMALL: u64 = 256;

/// The term of a variable below a condition that was computed and is open.
pub fn blame(terms: &Terms, root: u32, range_of: impl Fn(u32) -> Option<Progression>) -> (u32, Split) {
    let mut at = root;
    // What the expression should be known modulo.
    let mut wanted = 1u64;
    let mut is_equality = false;
    loop {
        let term = terms.get(at);
        let args = &term.args[..term.n_args as usize];
        let value = |arg: u32| terms.value(arg);
        let constant = |nth: usize| args.get(nth).and_then(|&arg| value(arg).as_constant());
        match term.node.op() {
            Op::Var => return (at, range_of(at).map_or(Split::Halves, |range| split(&range, wanted))),
            Op::Ite => {
                (at, wanted) = match constant(0) {
                    Some(cond) => (args[if cond != 0 { 1 } else { 2 }], wanted),
                    None => (args[0], 1),
                };
                continue;
            }
            Op::Eq => is_equality = true,
            // To be very small is as rare as to be one value.
            Op::Ult | Op::Ule => is_equality = constant(1).is_some_and(|bound| bound < SMALL),
            Op::Slt | Op::Sle => is_equality = false,
            Op::URem | Op::SRem => {
                let has_sign = term.node.op() == Op::URem
                    || value(args[0]).facts.is_negative()
                    || value(args[0]).facts.is_non_negative();
                wanted = match constant(1) {
                    Some(by @ 1..) if has_sign && value(args[0]).spread() / by >= 2 => by,
                    _ => 1,
                };
            }
            Op::And => {
                let mask = args.iter().find_map(|&arg| value(arg).as_constant());
                wanted = mask.map_or(1, |mask| modulus_of_bits(64 - mask.leading_zeros()));
            }
            Op::Extract => {
                let (low, high) = (term.node.extract_low(), term.node.extract_low() + term.node.width());
                let is_cut = high < 64 && value(args[0]).spread() >> high != 0;
                wanted = match is_cut && (is_equality || term.node.width() == 1) {
                    true => modulus_of_bits(high),
                    false => scaled(wanted, Some(modulus_of_bits(low))),
                };
            }
            Op::Mul | Op::Shl if is_equality && value(at).spread() >= int::sign_bit(term.node.width()) => {
                wanted = modulus_of_bits(term.node.width());
            }
            Op::UDiv => wanted = scaled(wanted, constant(1)),
            Op::LShr | Op::AShr => wanted = scaled(wanted, constant(1).and_then(|by| 1u64.checked_shl(by as u32))),
            _ => {}
        }
        // The operand of which least is known. Constants have no variable below.
        let Some(&next) = args.iter().max_by_key(|&&arg| (value(arg).as_constant().is_none(), value(arg).spread()))
        else {
            return (at, Split::Halves);
        };
        at = next;
    }
}

fn modulus_of_bits(n: u32) -> u64 {
    1u64.checked_shl(n).unwrap_or(1 << 63)
}

fn scaled(wanted: u64, by: Option<u64>) -> u64 {
    match by {
        Some(by) if wanted > 1 => wanted.checked_mul(by).unwrap_or(1 << 63),
        _ => 1,
    }
}

/// By the smallest factor of what is wanted that the step does not have yet; by halves if there is none.
fn split(range: &Progression, wanted: u64) -> Split {
    let mut left = wanted / gcd(wanted, range.step);
    for factor in 2..MAX_CLASSES {
        if left < factor {
            break;
        }
        if left.is_multiple_of(factor) && range.len() / factor >= 2 {
            return Split::Remainders(factor);
        }
        while left.is_multiple_of(factor) {
            left /= factor;
        }
    }
    Split::Halves
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
