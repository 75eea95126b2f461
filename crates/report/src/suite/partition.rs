//! Which inputs belong together, by names, and what tied them; and whether that is what a user has said.

use serde::{Deserialize, Serialize};
use spelunk_concolic::theories::flow::Atom;
use spelunk_explore::partition::{Block, PartitionReport};
use std::collections::{BTreeMap, HashMap};

use crate::Reporter;

/// What a campaign has found about its inputs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PartitionSummary {
    pub blocks: Vec<BlockSummary>,
    /// Alternatives that were not explored, since others stand for them.
    pub left_out: u64,
    /// Executions that were repeated to find out what depends on what.
    pub executed_again: u64,
    /// Why everything was explored from some moment on, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_up: Option<String>,
    /// Where a partition that the user has stated is wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wrong: Vec<String>,
}

/// Inputs that belong together.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BlockSummary {
    pub inputs: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ties: Vec<TieSummary>,
}

/// What made two inputs belong together.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TieSummary {
    pub inputs: [String; 2],
    /// `condition`, `control`, `rules` or `same-bytes`.
    pub kind: String,
    pub text: String,
    pub file: String,
    pub line: u32,
}

impl PartitionSummary {
    pub fn new(reporter: &Reporter<'_>, report: &PartitionReport) -> Self {
        let widths = widths(report);
        let block = |block: &Block| {
            let names: Vec<String> = block.inputs.iter().map(|atom| name(atom, &widths)).collect();
            let ties = block.ties.iter().map(|tie| {
                let place = reporter.place_of(&[tie.site]);
                TieSummary {
                    inputs: tie.inputs.map(|input| names[input].clone()),
                    kind: tie.why.slug().to_owned(),
                    text: tie.why.text().to_owned(),
                    file: place.file,
                    line: place.line,
                }
            });
            BlockSummary { ties: ties.collect(), inputs: names.clone() }
        };
        Self {
            blocks: report.blocks.iter().map(block).collect(),
            left_out: report.n_left_out,
            executed_again: report.n_again,
            given_up: report.given_up.as_ref().map(|(site, why)| {
                let place = reporter.place_of(&[*site]);
                if place.file.is_empty() { why.clone() } else { format!("{why} ({}:{})", place.file, place.line) }
            }),
            wrong: Vec::new(),
        }
    }

    /// Compares the partition with one that a user has stated: a block a line. Inputs that are not mentioned are each by itself;
    /// `a[i] b[i]` says that `a` and `b` belong together at each index.
    pub fn verify(&mut self, stated: &str) {
        let stated = Stated::read(stated);
        let ties = self.blocks.iter().flat_map(|block| &block.ties);
        let crossing = ties.filter(|tie| stated.block(&tie.inputs[0]) != stated.block(&tie.inputs[1]));
        self.wrong = crossing
            .map(|TieSummary { inputs: [a, b], text, file, line, .. }| {
                format!("`{a}` and `{b}` are tied at {file}:{line} ({text})")
            })
            .collect();
    }
}

/// A partition as a user has written it.
struct Stated(HashMap<String, usize>);

impl Stated {
    fn read(text: &str) -> Self {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default()).enumerate();
        Self(lines.flat_map(|(number, line)| line.split_whitespace().map(move |it| (it.to_owned(), number))).collect())
    }

    /// The block of an input: its line, and where the line speaks of all indices, which one.
    fn block(&self, input: &str) -> (Option<usize>, String) {
        if let Some(&number) = self.0.get(input) {
            return (Some(number), String::new());
        }
        if let Some((start, rest)) = input.split_once('[')
            && let Some((index, after)) = rest.split_once(']')
            && let Some(&number) = self.0.get(&format!("{start}[i]{after}"))
        {
            return (Some(number), index.to_owned());
        }
        (None, input.to_owned())
    }
}

/// By object: how many bytes its inputs have, if all have the same.
fn widths(report: &PartitionReport) -> BTreeMap<String, Option<u32>> {
    let mut widths: BTreeMap<String, (Option<u32>, usize)> = BTreeMap::new();
    for atom in report.blocks.iter().flat_map(|block| &block.inputs) {
        let (width, n) = widths.entry(object(atom).to_owned()).or_insert((Some(atom.n_bytes), 0));
        *width = width.filter(|&width| width == atom.n_bytes && width > 0 && atom.offset % width == 0);
        *n += 1;
    }
    let is_array = |(width, n): (Option<u32>, usize)| width.filter(|_| n > 1);
    widths.into_iter().map(|(name, found)| (name, is_array(found))).collect()
}

/// The object that an input is part of.
fn object(atom: &Atom) -> &str {
    atom.name.split_once('@').map_or(&atom.name, |it| it.0)
}

/// How C gets to an input; where that is not known, by its place in the object.
fn name(atom: &Atom, widths: &BTreeMap<String, Option<u32>>) -> String {
    let object = object(atom);
    if object == atom.name {
        return atom.name.clone();
    }
    match widths.get(object) {
        Some(Some(width)) => format!("{object}[{}]", atom.offset / width),
        _ if atom.offset == 0 => object.to_owned(),
        _ => format!("{object}+{}", atom.offset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(ties: &[(&str, &str)]) -> PartitionSummary {
        let tie = |&(a, b): &(&str, &str)| TieSummary {
            inputs: [a.to_owned(), b.to_owned()],
            file: "x.c".to_owned(),
            line: 7,
            ..TieSummary::default()
        };
        let block = BlockSummary { ties: ties.iter().map(tie).collect(), ..BlockSummary::default() };
        PartitionSummary { blocks: vec![block], ..PartitionSummary::default() }
    }

    #[test]
    fn ties_across_stated_blocks_are_wrong() {
        let mut found = summary(&[("a", "b"), ("A[3]", "n[3]"), ("A[3]", "A[4]"), ("x", "y")]);
        found.verify("a b # together\nA[i] n[i]\n");
        let wrong: Vec<&str> = found.wrong.iter().map(|text| text.split(" are ").next().unwrap()).collect();
        assert_eq!(wrong, ["`A[3]` and `A[4]`", "`x` and `y`"]);
    }
}
