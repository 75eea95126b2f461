//! A campaign through the library: explores a C file, and prints the bugs that it has.
//!
//!     cargo run -p spelunk-engine --example campaign -- file.c [function]

use spelunk_engine::{Campaign, EngineError, Plan, Program};
use std::time::Duration;

fn main() -> Result<(), EngineError> {
    let mut args = std::env::args().skip(1);
    let mut plan = Plan::of_source(args.next().expect("the name of a C file"));
    plan.entry = args.next();
    plan.budget.time = Some(Duration::from_secs(60));
    // Nobody is told what goes on: `()` is an observer that shows nothing.
    let deadline = plan.deadline();
    let program = Program::load(&plan, &deadline, &())?;
    let dir = std::env::temp_dir().join(format!("campaign-{}", std::process::id()));
    let campaign = Campaign::new(&plan, &program, &deadline, &());
    for subject in program.subjects() {
        let ended = campaign.run(subject, &dir.join(&subject.entry))?;
        let summary = &ended.summary;
        println!("{}: {} paths, {}", subject.entry, summary.paths, summary.stopped);
        for bug in &summary.bugs {
            println!("{}:{}: {} ({:?})", bug.place.file, bug.place.line, bug.message, bug.status);
        }
        println!("tests are in {}", ended.store.dir().display());
    }
    Ok(())
}
