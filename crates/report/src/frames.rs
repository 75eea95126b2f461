//! From the operations of a call stack to the functions and positions that the source has for them.

use spelunk_ir::code::{FuncCode, Image, OpIdx, Origin};
use spelunk_ir::debug::{DebugInfo, SourceLoc};

/// A call that was under way, as the source has it: an inlined function has a frame too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'p> {
    pub function: &'p str,
    pub origin: Origin,
    /// `None` without debug info, and in the library.
    pub loc: Option<SourceLoc<'p>>,
}

/// The frames of a call stack of operations; both have the innermost first.
pub(crate) fn frames<'p>(image: &'p Image, debug: &DebugInfo<'p>, trace: &[OpIdx]) -> Vec<Frame<'p>> {
    trace.iter().flat_map(|&op_idx| frames_of_op(image, debug, op_idx)).collect()
}

fn frames_of_op<'p>(image: &'p Image, debug: &DebugInfo<'p>, op_idx: OpIdx) -> Vec<Frame<'p>> {
    let Some(code) = image.function_at(op_idx) else { return Vec::new() };
    let whole = Frame { function: &code.name, origin: code.origin, loc: None };
    if code.origin == Origin::Library {
        return vec![whole];
    }
    let mut frames = located(image, debug, code, op_idx);
    if frames.is_empty() {
        frames.push(whole);
    }
    frames
}

/// The position of an operation and the inlined calls around it. An operation that the compiler made up has none;
/// the nearest one that has is then close enough.
fn located<'p>(image: &'p Image, debug: &DebugInfo<'p>, code: &'p FuncCode, op_idx: OpIdx) -> Vec<Frame<'p>> {
    let at = |op_idx: OpIdx| -> Vec<Frame<'p>> {
        let Some(id) = image.loc(op_idx) else { return Vec::new() };
        let chain = debug.inline_chain(id).filter(|loc| loc.line != 0);
        chain
            .map(|loc| Frame { function: loc.function.unwrap_or(&code.name), origin: code.origin, loc: Some(loc) })
            .collect()
    };
    let before = code.entry.up_to(op_idx.next()).rev();
    let behind = op_idx.next().up_to(code.end);
    before.chain(behind).map(at).find(|frames| !frames.is_empty()).unwrap_or_default()
}
