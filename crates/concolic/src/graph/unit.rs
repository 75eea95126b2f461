//! A unit: functions that are called with input of their parameters' types.

use super::layout::{LayoutId, Layouts};
use super::nest::Overlap;
use super::shapes::{Learning, Shapes};
use spelunk_ir::model::FuncId;
use std::sync::Arc;

/// What is called, one after another, with what; or what functions that nobody defines return to a whole program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unit {
    pub layouts: Layouts,
    pub params: Vec<Param>,
    /// What functions return that nobody defines, where the type is known.
    pub results: Vec<StubResult>,
    pub steps: Vec<Step>,
    /// Says of an input whether it is valid, for those who want to know; runs don't call it.
    pub audit: Option<Call>,
    /// What is looked at afterwards.
    pub observables: Observables,
    /// For numbers that nothing was said of yet.
    pub seed: u64,
    /// As many objects of one type may lie behind each other; pointers to more of them are null.
    pub max_nesting: Option<u32>,
    /// Where pointers may overlap.
    pub overlap: Overlap,
    pub aliasing: Aliasing,
    /// Which pointers are decided on demand, and by which rules.
    pub shapes: Option<Arc<Shapes>>,
    /// What the heaps that runs build are taken down of.
    pub learning: Option<Arc<Learning>>,
}

/// What is read where something may have been written through another pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Aliasing {
    /// It is decided whether it was.
    #[default]
    Decided,
    /// An expression says it for both cases, where that can be.
    Solved,
}

/// What a run may change or return beside its input.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Observables {
    /// The types of variables and results.
    pub layouts: Layouts,
    pub variables: Vec<Variable>,
}

/// A variable of the program that is no input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// As the image has it.
    pub name: Arc<str>,
    /// Its number among the image's static objects.
    pub number: usize,
    pub layout: LayoutId,
}

/// An object that arguments are taken from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    pub name: String,
    pub layout: LayoutId,
    pub home: Home,
}

/// What a function returns that nobody defines: each call an object of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubResult {
    pub function: String,
    pub layout: LayoutId,
}

/// Where an object of the input is that is not pointed to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Home {
    /// Nowhere that the program knows: arguments are copies.
    Argument,
    /// It is a variable of the program, by the name that the image has for it.
    Global(String),
    /// An argument that is an input only if it is looked at: of a call that may not be made.
    Optional,
    /// It is no input, but room for what the calls work on.
    Room(Content),
}

/// What is in a variable that no call has written to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    Zero,
    Undefined,
}

/// A call, or one of several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The parameter that says which one; without it there is one.
    pub choice: Option<usize>,
    pub calls: Vec<Call>,
}

impl Step {
    pub fn one(call: Call) -> Self {
        Self { choice: None, calls: vec![call] }
    }
}

impl Unit {
    /// How many calls of functions under test there are, if these are a sequence.
    pub fn sequence_length(&self) -> Option<u32> {
        let is_tested = |step: &&Step| step.calls.iter().any(|call| call.role == Role::Test);
        let n_tested = self.steps.iter().filter(is_tested).count();
        let is_sequence = n_tested > 1 || self.steps.iter().any(|step| step.choice.is_some());
        is_sequence.then_some(n_tested as u32)
    }

    /// Whether it has no calls of its own: the whole program runs, and all that is given here are results.
    pub fn is_whole_program(&self) -> bool {
        self.steps.is_empty()
    }

    /// What is known of the result of a function that nobody defines.
    pub fn result_of(&self, function: &str) -> Option<&StubResult> {
        self.results.iter().find(|result| result.function == function)
    }

    /// All calls that may be made.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.steps.iter().flat_map(|step| &step.calls)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    pub function: FuncId,
    /// As the user knows it.
    pub name: String,
    pub role: Role,
    pub args: Vec<Arg>,
    /// How many bits of the result are a condition.
    pub result_bits: u32,
    /// What a function under test returns, if it does.
    pub returns: Option<Returns>,
    /// The room that a result goes to.
    pub result: Option<usize>,
    pub ends: Ends,
}

/// Whether no call comes after one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ends {
    #[default]
    Never,
    Always,
    /// If what it returned is null: there is nothing to work on.
    IfNull,
    /// If what this room leads to is freed: it was handed over to be.
    IfFreed(usize),
    /// If it says that it has failed, or has written nothing to this room.
    IfFailed {
        room: usize,
        failure: Option<Failure>,
    },
}

/// How a result says that a function has failed; the number of its bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    Negative(u32),
    Zero(u32),
}

/// What a function returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Returns {
    /// Among those of [`Observables`].
    pub layout: LayoutId,
    pub way: ResultWay,
}

/// How a result gets to the caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResultWay {
    /// In registers: where the bits of each one belong, as an offset in bytes and a number of bits.
    Registers(Vec<(u32, u32)>),
    /// In the room that the caller made for it.
    Room,
}

/// Why a function is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Something else that comes first.
    Prepare,
    /// Inputs for which it says no are none.
    Assume,
    /// It is under test.
    Test,
    /// It is an error if it says no.
    Ensure,
}

/// What a function finds as an argument, or as part of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    /// Bytes of a parameter.
    Word { param: usize, offset: u32, n_bytes: u32 },
    /// The parameter's address.
    Address { param: usize },
    /// The end of what another parameter points to: so many elements behind it as the parameter says, of so many bytes each.
    End { param: usize, base: usize, unit: u32 },
    /// Room for a result.
    Room { size: u32 },
}
