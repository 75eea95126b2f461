//! The options of `spelunk run` by what they are for, so that people find the few that they need. `-h` shows the first groups only.
//!
//! To add an option: its name goes into one of these groups; a test looks for those that are in none.

use clap::{Arg, Command};

/// A group of options.
struct Group {
    heading: &'static str,
    is_common: bool,
    options: &'static [&'static str],
}

const fn group(heading: &'static str, options: &'static [&'static str]) -> Group {
    Group { heading, is_common: true, options }
}

const fn rare(heading: &'static str, options: &'static [&'static str]) -> Group {
    Group { heading, is_common: false, options }
}

const GROUPS: &[Group] = &[
    group("What to test", &["build", "exclude", "entry", "sequence", "length", "target", "changed", "check"]),
    group("Valid inputs of a function", &["param", "nonnull", "guess", "assume", "ensure", "global"]),
    group("Input of a program", &["arg", "sym-arg", "sym-args", "sym-stdin", "sym-file", "sym-files", "seed-dir"]),
    group("Limits", &["time", "max-paths", "jobs"]),
    group("Output", &["out", "resume", "keep", "no-tests", "no-replay", "replay", "format", "verbose"]),
    group("Compiling", &["clang", "cflag", "no-config"]),
    rare(
        "More limits",
        &[
            "campaign-memory",
            "campaign-instructions",
            "path-memory",
            "path-instructions",
            "depth",
            "nesting",
            "patience",
            "collect-at",
        ],
    ),
    rare("Heap structures", &["heap", "overlap", "hex", "objects", "audit"]),
    rare(
        "Grammars",
        &[
            "grammar",
            "lexer",
            "token",
            "max-size",
            "max-length",
            "max-height",
            "hole-max",
            "hole",
            "fixed",
            "holes",
            "split-holes",
        ],
    ),
    rare(
        "Search and solver",
        &[
            "strategy",
            "seed",
            "partition",
            "strings",
            "uninitialised",
            "no-stubs",
            "no-snapshots",
            "no-summaries",
            "solver",
            "sat",
            "without",
            "time-limit",
            "log-queries",
            "log-before",
        ],
    ),
];

/// Puts the options of `spelunk run` under headings, in the order of these.
pub fn grouped(run: Command) -> Command {
    run.mut_args(|arg| match place(&arg) {
        Some((number, Group { heading, is_common, .. })) => {
            arg.help_heading(*heading).display_order(number).hide_short_help(!is_common)
        }
        None => arg,
    })
}

fn place(arg: &Arg) -> Option<(usize, &'static Group)> {
    let long = arg.get_long()?;
    GROUPS.iter().find_map(|group| Some((group.options.iter().position(|name| *name == long)?, group)))
}

/// The headings of options, in order.
pub fn headings() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().map(|group| group.heading)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args;

    #[test]
    fn each_option_of_run_has_a_group_and_each_name_is_one() {
        let mut cli = args::command();
        cli.build();
        let run = cli.find_subcommand("run").expect("there is such a command");
        let visible = run.get_arguments().filter(|arg| !arg.is_hide_set());
        let longs: Vec<&str> = visible.filter_map(Arg::get_long).filter(|long| *long != "help").collect();
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|group| group.options).copied().collect();
        for long in &longs {
            assert_eq!(grouped.iter().filter(|name| *name == long).count(), 1, "--{long}");
        }
        assert_eq!(longs.len(), grouped.len());
    }
}
