//! Images that can be run without looking at each operand again.
//!
//! The VM's loop trusts what it is given: that registers lie in the frame, that jumps stay in their function, and that control
//! never runs out of one. Here is where that is made so: [`CheckedImage`] can't be had in another way, and can't be
//! changed but in ways that keep it so.

use super::check::check_function;
use super::{FuncCode, Image, Op, OpCode, OpIdx, SlowOp, StaticKind, Target};
use crate::flow::{FunctionFlow, Registers};
use crate::model::FuncId;
use std::ops::Deref;
use std::sync::OnceLock;

/// An [`Image`] of which all that the VM relies on is true, and the control flow of its functions.
#[derive(Debug, Default)]
pub struct CheckedImage {
    image: Image,
    /// By function, those that were asked for.
    flows: Vec<OnceLock<Box<FunctionFlow>>>,
}

impl Deref for CheckedImage {
    type Target = Image;

    fn deref(&self) -> &Image {
        &self.image
    }
}

impl CheckedImage {
    /// A function whose code is not sound becomes one that ends the path when it is called, and says why: textual IR is not
    /// verified when it is read.
    ///
    /// # Panics
    ///
    /// If the tables of the image contradict each other, which lowering never leaves behind.
    pub fn new(mut image: Image) -> Self {
        check_tables(&image);
        let unsound: Vec<(usize, String)> = (0..image.functions.len())
            .filter_map(|idx| Some((idx, check_function(&image, &image.functions[idx]).err()?)))
            .collect();
        for (idx, why) in unsound {
            let code = &mut image.functions[idx];
            let what = format!("the code of `{}`, which is not well-formed: {why}", code.name);
            let range = code.entry.index()..code.end.index();
            let slow = image.slow.len() as u32;
            image.slow.push(SlowOp::Unsupported(what.into()));
            image.ops[range].fill(Op::new(OpCode::Slow, 0, slow, 0));
        }
        let flows = image.functions.iter().map(|_| OnceLock::new()).collect();
        Self { image, flows }
    }

    /// See [`Image::add_undefined`].
    pub fn add_undefined(&mut self, name: &str) {
        self.image.add_undefined(name);
        self.flows.resize_with(self.image.functions.len(), OnceLock::new);
    }

    /// See [`Image::call_through_sites`]. The calls name the same functions and registers as before.
    pub fn call_through_sites(&mut self, is_wanted: impl Fn(FuncId, &FuncCode) -> bool) {
        self.image.call_through_sites(is_wanted);
    }

    /// The control flow of a function.
    pub fn flow(&self, function: FuncId) -> &FunctionFlow {
        self.flows[function.index()].get_or_init(|| Box::new(FunctionFlow::new(&self.image, function)))
    }

    /// What a function does with the slots of its frame.
    pub fn registers(&self, function: FuncId) -> &Registers {
        self.flow(function).registers(&self.image)
    }
}

/// What lies between functions.
fn check_tables(image: &Image) {
    let n_ops = image.next_op();
    assert_eq!(image.locs.len(), n_ops.index(), "each operation has a position");
    let mut end = OpIdx(0);
    for code in &image.functions {
        assert!(end <= code.entry && code.entry <= code.end && code.end <= n_ops, "functions lie in order");
        assert!(code.target != Target::Code || code.entry < code.end, "`{}` has code", code.name);
        end = code.end;
    }
    let has_code = |id: FuncId| image.functions.get(id.index()).is_some_and(|code| code.target == Target::Code);
    for code in &image.functions {
        let is_known = match code.target {
            Target::Code => true,
            Target::Function(id) => has_code(id),
            Target::External(external) => (external as usize) < image.externals.len(),
        };
        assert!(is_known, "what `{}` stands for is there", code.name);
    }
    assert!(image.twins.iter().flatten().all(|&id| has_code(id)), "twins have code");
    for object in &image.statics {
        let is_sound = match &object.kind {
            StaticKind::Variable { bytes, .. } => bytes.len() as u64 <= object.size,
            StaticKind::Function(id) => id.index() < image.functions.len(),
        };
        assert!(is_sound, "the object `{}` has what its kind needs", object.name);
    }
}
