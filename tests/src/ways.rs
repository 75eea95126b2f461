//! Programs with symbolic input, explored in several ways in this process, always with the same outcome. Each is compiled once:
//! how it is explored is no matter of the command line.

use std::path::Path;
use std::sync::OnceLock;

use spelunk_engine::plan::{Compile, Search, Tests};
use spelunk_engine::{Campaign, Check, Keep, Plan, Program};
use spelunk_explore::strategy::Kind;
use spelunk_report::suite::Setup;
use spelunk_solver::chain::Backend;

use crate::annotations::Case;
use crate::explore::{Judged, judge};

/// A way by its name, and what is other than usual.
pub type Way = (&'static str, fn(&mut Search));

pub const WAYS: &[Way] = &[
    ("dfs", |search| search.strategy = Kind::DepthFirst),
    ("bfs", |search| search.strategy = Kind::BreadthFirst),
    ("random-path", |search| (search.strategy, search.seed) = (Kind::RandomPath, 7)),
    ("generational", |search| search.strategy = Kind::Generational),
    ("coverage", |search| search.strategy = Kind::Coverage),
    ("fair", |search| search.strategy = Kind::Fair),
    ("target", |search| search.strategy = Kind::Target),
    ("no-snapshots", |search| search.snapshots = false),
    ("impatient", |search| search.patience = 1),
    ("collecting", |search| search.collect_at = 1),
    ("jobs-2", |search| search.jobs = 2),
    ("z3", |search| search.backend = Backend::Z3),
];

/// A program that is loaded when it is first explored.
pub struct Explored {
    case: Case,
    program: OnceLock<Result<Program, String>>,
}

impl Explored {
    pub fn new(case: Case) -> Self {
        Self { case, program: OnceLock::new() }
    }

    pub fn case(&self) -> &Case {
        &self.case
    }

    /// Explores it one way. Says what is wrong.
    pub fn explore(&self, way: &Way, dir: &Path) -> Result<(), String> {
        let mut plan = self.plan()?;
        (way.1)(&mut plan.search);
        // What the unit is given first depends on the same number.
        plan.unit.seed = plan.search.seed;
        let load = || Program::load(&plan, &plan.deadline(), &()).map_err(|error| error.to_string());
        let program = self.program.get_or_init(load).as_ref()?;
        let [subject] = program.subjects() else { return Err("there is no `main`".to_owned()) };
        let campaign = Campaign::new(&plan, program, &plan.deadline(), &());
        let out = dir.join("out");
        let ended = campaign.run(subject, &out).map_err(|error| error.to_string())?;
        if ended.has_failed {
            return Err(format!("an error of our own: {:?}", ended.summary.ledger));
        }
        let Judged { has_bugs, .. } = judge(&self.case, &out)?;
        if has_bugs == ended.bugs.is_empty() { Err("not every bug has a diagnostic".to_owned()) } else { Ok(()) }
    }

    /// What the options in the header mean.
    pub fn plan(&self) -> Result<Plan, String> {
        let compile = Compile { sources: self.case.files.clone(), ..Compile::default() };
        let tests = Tests { are_replayed: false, keep: Keep::Paths, ..Tests::default() };
        let mut plan = Plan { compile, tests, ..Plan::default() };
        let mut options = self.case.header.options.iter().map(String::as_str);
        while let Some(option) = options.next() {
            let check = option.strip_prefix("--check=").and_then(Check::by_name);
            match (option, check) {
                (_, Some(check)) => plan.compile.checks.push(check),
                ("--uninitialised", _) if options.next() == Some("input") => {
                    plan.setup = Setup { uninitialised_input: true, ..plan.setup };
                }
                _ => {
                    return Err(format!(
                        "`{option}` has no meaning in a plan yet: `Explored::plan` is where to add it"
                    ));
                }
            }
        }
        Ok(plan)
    }
}
