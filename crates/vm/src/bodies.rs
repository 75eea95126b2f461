//! Which code serves a call: one list for each function, made when the VM is, in the order in which its bodies are tried.
//!
//! - A function with code of its own (the program's, or the library's in C): the machine's models of it, then the code.
//! - One without: the machine's models, a twin in C where an argument carries an expression, the library's Rust code; if
//!   there is none, what the machine makes up for functions that nobody defines.
//!
//! `exec/calls` walks the list. Calls that lowering found nothing special about go to the code without a look at it, so
//! functions of the program that a machine has models for must be called through call sites
//! ([`Image::call_through_sites`]).

use crate::builtins::{BuiltinRow, BuiltinTable};
use crate::machine::Machine;
use crate::value::Slot;
use smallvec::SmallVec;
use spelunk_ir::code::{CallSite, Image, Op, OpCode, Origin, Target};
use spelunk_ir::model::FuncId;

/// A model of a machine's. What the number means is the machine's business.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModelId(pub u32);

/// A function that a machine may have models for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Callee<'p> {
    pub name: &'p str,
    pub defined: Defined,
}

/// Who defines a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Defined {
    ByProgram(FuncId),
    /// The library, in C.
    InC(FuncId),
    /// The library, in Rust: an entry of `Image::externals`.
    InRust(u32),
    /// Nobody: an entry of `Image::externals`.
    Nowhere(u32),
}

/// A call that a model is asked to serve.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    pub callee: Callee<'a>,
    pub site: &'a CallSite,
    /// As they are: a model sees what they carry, and what of them is uninitialised.
    pub args: &'a [Slot],
}

/// What a model says to a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The call is not for it: the next body serves it. Nothing has changed and nothing was decided.
    Decline,
    /// The call is over, with these slots as its result.
    Return(SmallVec<[Slot; 2]>),
    /// This function, which has code, runs in place of the callee, with these arguments. Where it takes variable arguments, they
    /// are laid out as those of the call.
    Enter(FuncId, SmallVec<[Slot; 8]>),
}

pub(crate) enum Body<M: Machine> {
    Model(ModelId),
    /// Serves only calls with an argument that carries an expression.
    Twin(FuncId),
    Code(FuncId),
    /// The library's Rust code for an entry of `Image::externals`.
    Builtin(u32, BuiltinRow<M>),
    /// What the machine makes up.
    Stub(u32),
}

impl<M: Machine> Clone for Body<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Machine> Copy for Body<M> {}

type List<M> = SmallVec<[Body<M>; 2]>;

/// The lists of all functions that can be called.
pub(crate) struct Bodies<M: Machine> {
    functions: Vec<List<M>>,
    externals: Vec<List<M>>,
}

impl<M: Machine> Bodies<M> {
    pub fn resolve(image: &Image, machine: &M, table: &dyn BuiltinTable<M>) -> Self {
        let with_models = |last: Body<M>, others: Option<Body<M>>| -> List<M> {
            let callee = last.callee(image).expect("a list ends with a body that serves all calls");
            let models = machine.models(&callee).into_iter().map(Body::Model);
            models.chain(others).chain([last]).collect()
        };
        let functions = image.functions.iter().enumerate().map(|(idx, code)| match code.target {
            Target::Code => with_models(Body::Code(FuncId::new(idx)), None),
            Target::Function(_) | Target::External(_) => List::new(),
        });
        let externals = (0..).zip(&image.externals).map(|(external, name)| {
            let twin = image.twins.get(external as usize).copied().flatten().map(Body::Twin);
            let last = table.lookup(name).map_or(Body::Stub(external), |row| Body::Builtin(external, row));
            with_models(last, twin)
        });
        let bodies = Self { functions: functions.collect(), externals: externals.collect() };
        bodies.assert_models_are_reached(image);
        bodies
    }

    /// What is tried at this position of the list of a function.
    pub fn get(&self, target: Target, position: usize) -> Option<Body<M>> {
        self.list(target).get(position).copied()
    }

    /// The function, for models of it.
    pub fn callee<'p>(&self, image: &'p Image, target: Target) -> Option<Callee<'p>> {
        self.list(target).last()?.callee(image)
    }

    fn list(&self, target: Target) -> &[Body<M>] {
        match target {
            Target::Function(id) => &self.functions[id.index()],
            Target::External(external) => &self.externals[external as usize],
            Target::Code => unreachable!("a target is resolved to a function"),
        }
    }

    fn assert_models_are_reached(&self, image: &Image) {
        let has_model = |list: &List<M>| list.iter().any(|body| matches!(body, Body::Model(_)));
        if self.functions.iter().any(has_model) {
            let is_missed = |op: &&Op| op.code == OpCode::Call && has_model(&self.functions[op.a as usize]);
            if let Some(call) = image.ops.iter().find(is_missed) {
                panic!("a call of `{}` does not reach its models", image.functions[call.a as usize].name);
            }
        }
    }
}

impl<M: Machine> Body<M> {
    /// The function whose list ends here; none where a list goes on.
    fn callee<'p>(&self, image: &'p Image) -> Option<Callee<'p>> {
        Some(match *self {
            Self::Code(id) => {
                let code = &image.functions[id.index()];
                let defined = match code.origin {
                    Origin::User => Defined::ByProgram(id),
                    Origin::Library => Defined::InC(id),
                };
                Callee { name: &code.name, defined }
            }
            Self::Builtin(external, _) => {
                Callee { name: &image.externals[external as usize], defined: Defined::InRust(external) }
            }
            Self::Stub(external) => {
                Callee { name: &image.externals[external as usize], defined: Defined::Nowhere(external) }
            }
            Self::Model(_) | Self::Twin(_) => return None,
        })
    }
}
