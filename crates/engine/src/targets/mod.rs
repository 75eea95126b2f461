//! What a plan wants reached, found in the program's code.
//!
//! `request` is how a user says it, `patch` reads it out of a diff, `code` is which operations stand on which lines.

mod code;
mod patch;
mod request;

pub use patch::{ChangedLines, PatchError, changed_lines};
pub use request::TargetError;

use request::{Request, TargetPlace};
use spelunk_concolic::marks::Marks;
use spelunk_driver::Loaded;
use spelunk_explore::coverage::{self, Outcome};
use spelunk_explore::program::ProgramFlow;
use spelunk_explore::targets::{Event, Reach, Roots, Target, Targets};
use spelunk_ir::code::{Origin, Target as Defined};
use spelunk_report::Reporter;
use spelunk_vm::{BugKind, Mark};

use crate::subject::flow;
use crate::{EngineError, Plan, Subject};
use code::Code;

/// The targets of a plan, in a program.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    listed: Vec<Target>,
    /// Every outcome of a branch that the subject may reach, too.
    uncovered: bool,
}

impl Wanted {
    pub(crate) fn find(plan: &Plan, loaded: &Loaded, reporter: &Reporter<'_>) -> Result<Self, EngineError> {
        let mut wanted = Self::default();
        if plan.targets.is_empty() && plan.changed.is_none() {
            return Ok(wanted);
        }
        let code = Code::new(&loaded.image, reporter);
        for text in &plan.targets {
            match text.parse()? {
                Request::Uncovered => wanted.uncovered = true,
                Request::At(place) => {
                    wanted.listed.push(Target { name: text.clone(), event: Event::Executed, at: code.find(&place)? })
                }
                Request::Bug(kind, place) => wanted.listed.push(Target {
                    name: text.clone(),
                    event: Event::Bug(kind),
                    at: bug_places(loaded, &code, kind, &place)?,
                }),
            }
        }
        wanted.listed.extend(plan.changed.iter().flatten().flat_map(|lines| code.changed(lines)));
        if wanted.is_empty() {
            return Err(TargetError::NothingChanged.into());
        }
        Ok(wanted)
    }

    pub fn is_empty(&self) -> bool {
        self.listed.is_empty() && !self.uncovered
    }

    /// Those of one subject.
    pub(crate) fn of(&self, program: &ProgramFlow<'_>, subject: &Subject) -> Targets {
        let mut all = self.listed.clone();
        if self.uncovered {
            add_outcomes(program, &mut all);
        }
        Targets::new(all, Roots::new(program.image, subject.unit.as_deref()))
    }

    /// Whether some way leads from a subject to one of them.
    pub(crate) fn are_in_reach(&self, loaded: &Loaded, subject: &Subject) -> bool {
        let program = flow(loaded, subject.unit.as_deref());
        let roots = Roots::new(program.image, subject.unit.as_deref());
        let reach = Reach::new(&program, &self.listed);
        self.is_empty()
            || self.uncovered
            || roots.functions().any(|root| reach.from_entry(&program, root) != spelunk_explore::targets::UNREACHABLE)
    }
}

/// Where an error may show. Assertions are calls: where a whole function or file is meant, nothing else is one.
fn bug_places(
    loaded: &Loaded,
    code: &Code<'_>,
    kind: BugKind,
    place: &TargetPlace,
) -> Result<Vec<spelunk_ir::code::OpIdx>, TargetError> {
    let within = code.within(place)?;
    if kind != BugKind::Assert || matches!(place, TargetPlace::Line { .. }) {
        return Ok(within);
    }
    let asserts = code::assertions(&loaded.image, &within);
    if asserts.is_empty() { Err(TargetError::NoAssertion { place: place.to_string() }) } else { Ok(asserts) }
}

/// Every outcome of conditions and switches that counts.
fn add_outcomes(program: &ProgramFlow<'_>, all: &mut Vec<Target>) {
    let none = Marks::new(program.image.ops.len());
    coverage::visit_branches(program, &none, |op, outcome, _| {
        let jumps_if_true = !program.image.is_inverted(op);
        let (name, event, at) = match outcome {
            Outcome::True => ("true", Event::Outcome(mark(jumps_if_true)), op),
            Outcome::False => ("false", Event::Outcome(mark(!jumps_if_true)), op),
            Outcome::Case(target) => ("case", Event::Executed, target),
            // That any of the others is taken follows from these.
            Outcome::OtherCase(_) => return,
        };
        all.push(Target { name: name.to_owned(), event, at: vec![at] });
    });
}

fn mark(jumps: bool) -> Mark {
    if jumps { Mark::Jumped } else { Mark::FellThrough }
}

/// Whether a function is the user's and has code.
fn is_code(code: &spelunk_ir::code::FuncCode) -> bool {
    code.origin == Origin::User && code.target == Defined::Code
}
