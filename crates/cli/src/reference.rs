//! `spelunk reference`: the command line as Markdown, which `docs/cli.md` holds.

use crate::args;
use crate::headings::headings;
use clap::{Arg, Command};
use std::fmt::Write;

const INTRODUCTION: &str = "# Command line

Written by `spelunk reference > docs/cli.md` from the definition that the program itself uses; a test compares them.
";

pub fn reference() -> String {
    let mut text = INTRODUCTION.to_owned();
    let mut cli = args::command();
    cli.build();
    for command in cli.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help") {
        describe(&mut text, command);
    }
    text
}

fn describe(text: &mut String, command: &Command) {
    let mut add = |line: String| writeln!(text, "{line}").expect("strings take any text");
    add(format!("\n## `spelunk {}`\n", command.get_name()));
    let usage = command.clone().render_usage().to_string();
    add(format!("    {}\n", usage.trim_start_matches("Usage: ")));
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let mut paragraphs = about.split("\n\n");
    add(format!("{}.", paragraphs.next().unwrap_or_default()));
    paragraphs.for_each(|paragraph| add(format!("\n{paragraph}")));
    let is_ours = |arg: &&Arg| !arg.is_hide_set() && arg.get_id() != "help" && arg.get_id() != "version";
    let args: Vec<&Arg> = command.get_arguments().filter(is_ours).collect();
    for heading in std::iter::once(None).chain(headings().map(Some)) {
        let mut rows: Vec<&Arg> = args.iter().copied().filter(|arg| arg.get_help_heading() == heading).collect();
        rows.sort_by_key(|arg| heading.map(|_| arg.get_display_order()));
        if rows.is_empty() {
            continue;
        }
        heading.iter().for_each(|heading| add(format!("\n### {heading}")));
        add("\n| | |\n|---|---|".to_owned());
        rows.into_iter().for_each(|arg| add(row(arg)));
    }
}

fn row(arg: &Arg) -> String {
    let values: Vec<String> = arg.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect();
    let takes_values = arg.get_action().takes_values();
    let short = arg.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
    let name = match arg.get_long().map(|long| format!("{short}--{long}")) {
        Some(long) if takes_values => format!("{long} {}", values.join(" ")),
        Some(long) => long,
        None => values.join(" "),
    };
    let mut help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let choices = arg.get_possible_values();
    if takes_values && !choices.is_empty() {
        let choice = |value: &clap::builder::PossibleValue| match value.get_help() {
            Some(help) => format!("`{}` ({help})", value.get_name()),
            None => format!("`{}`", value.get_name()),
        };
        let choices: Vec<String> = choices.iter().filter(|value| !value.is_hide_set()).map(choice).collect();
        help += &format!(": {}", choices.join(", "));
    }
    let defaults: Vec<String> = arg.get_default_values().iter().map(|it| it.to_string_lossy().into_owned()).collect();
    if takes_values && !defaults.is_empty() {
        help += &format!(" (default: `{}`)", defaults.join(" "));
    }
    format!("| `{}` | {} |", escaped(&name), escaped(&help))
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
