//! How programs are run: what stays the same for all runs of a [`Runner`](crate::Runner).

use crate::graph::unit::Unit;
use crate::harness::Undefined;
use crate::key::ObjectKey;
use crate::machine::{Checking, SnapshotPolicy};
use crate::program_inputs::ProgramInputs;
use crate::theories::Maker;
use crate::theories::flow::Knowledge;
use rustc_hash::FxHashMap;
use spelunk_ir::lower::Uninitialised;
use spelunk_ir::model::FuncId;
use spelunk_vm::Limits;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How the library looks for the end of a string that is input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strings {
    /// The length is a number that no byte has to be looked at for.
    #[default]
    Length,
    /// The same, and loops of the program that do what such functions do are done at once.
    Loops,
    /// Byte by byte.
    Bytes,
}

/// What calls of a function may do beside returning something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effects {
    None,
    OnMemory,
}

/// Functions whose calls are answered by what they do on all of their paths.
pub type Summarised = FxHashMap<FuncId, Effects>;

/// How programs are run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub limits: Limits,
    /// Arguments, with the program's name.
    pub args: Vec<Vec<u8>>,
    /// `NAME=VALUE` each.
    pub env: Vec<Vec<u8>>,
    /// What is symbolic before the program asks for anything.
    pub inputs: ProgramInputs,
    /// What is called instead of the whole program.
    pub unit: Option<Arc<Unit>>,
    /// Where objects of the input are, if that is known from another run; others are anywhere.
    pub places: Vec<(Arc<ObjectKey>, u64)>,
    /// Whether memory that nothing points to at the end is an error.
    pub leaks: bool,
    /// Whether it is an error to need more memory than the limit, and not only the end of the path.
    pub memory: bool,
    /// Whether it can be told afterwards what the calls of a unit did.
    pub observes: bool,
    /// What happens at calls of functions that nobody defines.
    pub undefined: Undefined,
    /// What variables are that were not given a value. The program must be lowered for the same.
    pub uninitialised: Uninitialised,
    pub strings: Strings,
    pub checking: Checking,
    /// Functions whose calls are answered by what they do on all of their paths. The image must call them through sites.
    pub summarised: Arc<Summarised>,
    /// What is known of what depends on what, if runs tell of it ([`Run::flow`](crate::Run)). Snapshots must be off.
    pub flow: Option<Arc<Knowledge>>,
    /// Theories beside the usual ones.
    pub theories: Vec<Arc<dyn Maker>>,
    /// Without it, no snapshots are taken.
    pub snapshots: Option<SnapshotPolicy>,
    /// Setting this flag ends a run soon.
    pub interrupt: Arc<AtomicBool>,
}
