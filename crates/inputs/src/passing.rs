//! Where a compiled function expects its arguments.

use spelunk_concolic::graph::unit::Arg;
use spelunk_ir::code::{ArgClass, FuncCode, Scalar};

/// The arguments of a function that takes parameters of these numbers and sizes; `None` if they don't fit it.
/// `returns` is the size of a result that is written to memory.
pub fn args(code: &FuncCode, returns: Option<u32>, params: &[(usize, u32)]) -> Result<Vec<Arg>, usize> {
    let mut classes = code.params.iter();
    let mut args = Vec::new();
    if let Some(size) = returns {
        classes.next();
        args.push(Arg::Room { size });
    }
    for &(param, size) in params {
        // An empty struct is not passed at all.
        let mut offset = 0;
        while offset < size {
            match *classes.next().ok_or(param)? {
                ArgClass::Memory { .. } => {
                    args.push(Arg::Address { param });
                    offset = size;
                }
                ArgClass::Scalar(scalar) => {
                    offset = words(&mut args, param, offset, size, scalar, scalar.bits().div_ceil(8))
                }
                ArgClass::Vector(scalar, n_lanes) => {
                    offset = words(&mut args, param, offset, size, scalar, n_lanes * scalar.bits().div_ceil(8))
                }
            }
        }
    }
    if classes.next().is_some() { Err(params.len()) } else { Ok(args) }
}

/// Adds the words of one piece; returns where the next piece starts.
fn words(args: &mut Vec<Arg>, param: usize, offset: u32, size: u32, scalar: Scalar, n_bytes: u32) -> u32 {
    let step = scalar.bits().div_ceil(8).min(8);
    let end = (offset + n_bytes).min(size);
    let mut at = offset;
    while at < end {
        args.push(Arg::Word { param, offset: at, n_bytes: step.min(end - at) });
        at += step;
    }
    // Pieces of a struct are eightbytes.
    if end < size { (offset + n_bytes).next_multiple_of(8) } else { size }
}
