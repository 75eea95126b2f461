//! The files of a project that are the same in all of them, or nearly.

use spelunk_concolic::harness::HEADERS;
use spelunk_ir::code::Image;
use spelunk_ir::model::Program;
use spelunk_native::runtime::{CLOCK, COMMANDS, INPUTS, replaced};

const OWN: &[(&str, &str)] = &[
    ("spelunk_test.h", include_str!("../../runtime/spelunk_test.h")),
    ("spelunk_test.c", include_str!("../../runtime/spelunk_test.c")),
];

/// Functions of the clock, which are replaced for programs that call one.
const CLOCKS: &[&str] =
    &["sleep", "usleep", "nanosleep", "clock_gettime", "time", "timespec_get", "gettimeofday", "clock"];

const DIR: &str = "support/";

/// All files, by their paths in the project.
pub fn files(program: &Program, image: &Image, stubs: Option<String>) -> Vec<(String, String)> {
    let is_clock = |name: &str| CLOCKS.contains(&name);
    let has_clock = program.functions.iter().any(|function| is_clock(&program.symbol(function.symbol).name));
    let has_commands = replaced(image).next().is_some();
    let support = OWN.iter().chain(INPUTS).chain(has_clock.then_some(&CLOCK)).chain(has_commands.then_some(&COMMANDS));
    let support = support.map(|(name, text)| (format!("{DIR}{name}"), (*text).to_owned()));
    let headers = HEADERS.iter().map(|(name, text)| (format!("include/{name}"), (*text).to_owned()));
    support.chain(stubs.map(|text| (format!("{DIR}stubs.c"), text))).chain(headers).collect()
}

/// The names of the units among them, without directory and extension.
pub fn units(files: &[(String, String)]) -> Vec<String> {
    let name = |path: &str| path.strip_prefix(DIR)?.strip_suffix(".c").map(str::to_owned);
    files.iter().filter_map(|(path, _)| name(path)).collect()
}
