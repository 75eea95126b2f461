//! Checks the C programs themselves: a clean one must run natively without a word from AddressSanitizer,
//! UndefinedBehaviorSanitizer or MemorySanitizer. For whoever adds a program; no part of `cargo test`.

use std::process::ExitCode;

use spelunk_tests::annotations::{Case, Expected};
use spelunk_tests::config::CONFIGS;
use spelunk_tests::process::End;
use spelunk_tests::verdict::run_native;
use spelunk_tests::{programs, ui_dir};

const SANITIZERS: &[&[&str]] =
    &[&["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"], &["-g", "-fsanitize=memory"]];

/// A leak is no undefined behaviour, and neither is an allocation that fails.
const RUNTIME_OPTIONS: &[(&str, &str)] =
    &[("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1"), ("MSAN_OPTIONS", "allocator_may_return_null=1")];

/// The programs to look at are those whose path contains the first argument; all without one.
fn main() -> ExitCode {
    let filter = std::env::args().nth(1).unwrap_or_default();
    let mut n_complaints = 0;
    for path in programs() {
        let name = path.strip_prefix(ui_dir()).unwrap_or(&path).display().to_string();
        if !name.contains(&filter) {
            continue;
        }
        for complaint in complaints(&path) {
            println!("{name}: {complaint}");
            n_complaints += 1;
        }
    }
    if n_complaints == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn complaints(path: &std::path::Path) -> Vec<String> {
    let mut case = match Case::load(path) {
        Ok(case) => case,
        Err(error) => return vec![error.to_string()],
    };
    let Expected::Clean { exit } = case.expected else { return Vec::new() };
    case.header.env.extend(RUNTIME_OPTIONS.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let check = |flags: &&[&str]| match run_native(&case, CONFIGS[0], flags) {
        Ok(output) if output.end == End::Exited(exit) => None,
        Ok(output) => {
            Some(format!("{} with {}: {}\n{}", case.files[0].display(), flags[1], output.end, output.stderr_text()))
        }
        Err(failure) => Some(failure.to_string()),
    };
    SANITIZERS.iter().filter_map(check).collect()
}
