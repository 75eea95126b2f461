//! Which inputs belong together, for a person.

use spelunk_report::suite::Summary;
use spelunk_report::suite::partition::{BlockSummary, PartitionSummary, TieSummary};
use std::collections::BTreeMap;

/// How much is shown: the rest is in the summary's file.
const MAX_LINES: usize = 10;
const MAX_NAMES: usize = 6;

pub fn show(found: &PartitionSummary, summary: &Summary) {
    let mut by_size: BTreeMap<usize, Vec<&BlockSummary>> = BTreeMap::new();
    found.blocks.iter().for_each(|block| by_size.entry(block.inputs.len()).or_default().push(block));
    let mut heading = "partition";
    for (size, blocks) in &by_size {
        let names = blocks.iter().flat_map(|block| &block.inputs).map(String::as_str);
        anstream::println!(
            "{heading:<14}{} of {}: {}",
            count(blocks.len(), "block"),
            count(*size, "input"),
            some(names)
        );
        heading = "";
    }
    let mut lines: Vec<&TieSummary> = Vec::new();
    for tie in found.blocks.iter().flat_map(|block| &block.ties) {
        if !lines.iter().any(|known| (&known.file, known.line) == (&tie.file, tie.line)) {
            lines.push(tie);
        }
    }
    for TieSummary { inputs: [a, b], text, file, line, .. } in lines.iter().take(MAX_LINES) {
        anstream::println!("{:<14}{a} and {b}: {text} ({file}:{line})", "");
    }
    if let Some(more) = lines.len().checked_sub(MAX_LINES).filter(|&more| more > 0) {
        anstream::println!("{:<14}and {more} more lines that tie inputs", "");
    }
    anstream::println!(
        "{:<14}{} left out as independent, {} repeated",
        "",
        count(found.left_out as usize, "alternative"),
        count(found.executed_again as usize, "execution")
    );
    if let Some(why) = &found.given_up {
        anstream::println!("{:<14}given up, and everything explored: {why}", "");
    }
    if summary.stopped == "time" {
        anstream::println!("{:<14}not final: the campaign has not ended by itself", "");
    }
    found.wrong.iter().for_each(|wrong| anstream::println!("{:<14}the stated partition is wrong: {wrong}", ""));
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// The first names, and the last.
fn some<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.len() <= MAX_NAMES {
        true => names.join(" "),
        false => format!("{} … {}", names[..MAX_NAMES - 1].join(" "), names[names.len() - 1]),
    }
}
