//! Where call stacks begin, and what is called when they are empty again.

use spelunk_concolic::graph::unit::Unit;
use spelunk_ir::code::{Image, Target};
use spelunk_ir::model::FuncId;

/// What the library defines to run `main` and what comes before and after it.
const START_FUNCTION: &str = "__rt_start";

/// The functions that nobody calls but the machine, each with those that may be called after it.
#[derive(Clone, Debug, Default)]
pub struct Roots(Vec<(FuncId, Vec<FuncId>)>);

impl Roots {
    /// Those of a unit, or of the whole program.
    pub fn new(image: &Image, unit: Option<&Unit>) -> Self {
        let Some(unit) = unit.filter(|unit| !unit.is_whole_program()) else {
            let start = image.functions.iter().position(|code| &*code.name == START_FUNCTION);
            return Self(start.map(|number| (FuncId::new(number), Vec::new())).into_iter().collect());
        };
        let mut roots: Vec<(FuncId, Vec<FuncId>)> = Vec::new();
        for (number, step) in unit.steps.iter().enumerate() {
            for call in &step.calls {
                let function = defined(image, call.function);
                // The first step that calls a function has all others behind it.
                if roots.iter().all(|(known, _)| *known != function) {
                    let after = unit.steps[number + 1..].iter().flat_map(|step| &step.calls);
                    roots.push((function, after.map(|call| call.function).collect()));
                }
            }
        }
        Self(roots)
    }

    pub fn functions(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.0.iter().map(|&(function, _)| function)
    }

    /// What may be called after a function that the machine has called; nothing if it calls no such function.
    pub fn after(&self, function: FuncId) -> Option<&[FuncId]> {
        self.0.iter().find(|(root, _)| *root == function).map(|(_, after)| &after[..])
    }
}

/// The function that has the code of one.
fn defined(image: &Image, function: FuncId) -> FuncId {
    match image.functions[function.index()].target {
        Target::Function(definition) => definition,
        Target::Code | Target::External(_) => function,
    }
}
