//! What could be tested, where nothing was chosen.

use spelunk_engine::{Plan, Program};
use spelunk_report::suite::summary::few;

pub fn list(program: &Program, plan: &Plan) {
    anstream::println!("There is no `main`. Choose a function with --entry, or test each with --entry all:");
    let mut has_guesses = false;
    for (name, inputs) in program.functions(plan) {
        match inputs {
            Ok(testable) => {
                has_guesses |= testable.inputs.iter().any(|(_, words)| words.contains("guessed: "));
                let internal = match &testable.internal {
                    None => String::new(),
                    Some(callers) if callers.is_empty() => ", internal (static)".to_owned(),
                    Some(callers) => format!(", internal (static): called by {}", few(callers)),
                };
                anstream::println!("  {name}({}){internal}", testable.params);
                let width = testable.inputs.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
                for (name, words) in &testable.inputs {
                    anstream::println!("      {name:width$}  {words}");
                }
            }
            Err(error) => anstream::println!("  {name}: can't be tested: {error}"),
        }
    }
    if has_guesses {
        anstream::println!("Change a guess with --param, or switch all off with --guess off.");
    }
}

/// With `--entry all`, the functions that are tested through their callers only.
pub fn entered(program: &Program, plan: &Plan) -> Vec<String> {
    if plan.entry.as_deref() != Some("all") {
        return Vec::new();
    }
    let is_tested = |name: &String| program.subjects().iter().any(|subject| subject.entry == *name);
    let internal =
        program.functions(plan).into_iter().filter(|(_, it)| it.as_ref().is_ok_and(|it| it.internal.is_some()));
    internal.map(|(name, _)| name).filter(|name| !is_tested(name)).collect()
}
