//! What could be tested, where nothing was chosen.

use spelunk_engine::{Plan, Program};

pub fn list(program: &Program, plan: &Plan) {
    anstream::println!("There is no `main`. Choose a function with --entry, or test each with --entry all:");
    let mut has_guesses = false;
    for (name, inputs) in program.functions(plan) {
        match inputs {
            Ok(testable) => {
                has_guesses |= testable.inputs.iter().any(|(_, words)| words.contains("guessed: "));
                let internal =
                    if testable.is_static { ", static: its callers may grant more than its types say" } else { "" };
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
