//! What could be tested, where nothing was chosen.

use spelunk_engine::Program;

pub fn list(program: &Program) {
    anstream::println!("There is no `main`. Choose a function with --entry, or test each with --entry all:");
    for (name, inputs) in program.functions() {
        match inputs {
            Ok(testable) => {
                anstream::println!("  {name}({})", testable.params);
                let width = testable.inputs.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
                for (name, words) in &testable.inputs {
                    anstream::println!("      {name:width$}  {words}");
                }
            }
            Err(error) => anstream::println!("  {name}: can't be tested: {error}"),
        }
    }
}
