//! The reports of all suites, as tables for people and as JSON.

use std::fmt;

use serde::Serialize;

use crate::arithmetic::Arithmetic;
use crate::deadline::Deadline;
use crate::explore::Explore;
use crate::grammars::Grammars;
use crate::hex::{Hex, Rbtree};
use crate::kernels::Kernels;
use crate::lengths::Lengths;
use crate::load::Load;
use crate::long::Long;
use crate::memory::Memory;
use crate::partitions::Partitions;
use crate::replay::Replay;
use crate::search::Search;
use crate::solver;
use crate::units::Units;

#[derive(Serialize)]
pub struct Report {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernels: Option<Kernels>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<Load>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explore: Option<Explore>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arithmetic: Option<Arithmetic>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub units: Option<Units>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hex: Option<Hex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hex_rbtree: Option<Rbtree>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grammars: Option<Grammars>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<Search>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lengths: Option<Lengths>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partitions: Option<Partitions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub long: Option<Long>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Deadline>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<solver::Report>,
}

impl Report {
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and names can be written as JSON")
    }

    pub fn meets_every_bar(&self) -> bool {
        self.kernels.as_ref().is_none_or(|kernels| kernels.geometric_mean <= kernels.max_ratio)
            && self.load.as_ref().is_none_or(|load| load.ratio <= load.max_ratio)
            && self.memory.as_ref().is_none_or(|memory| memory.bytes_an_object <= memory.max_bytes)
            && self.units.as_ref().is_none_or(Units::meets_its_bars)
            && self.grammars.as_ref().is_none_or(Grammars::meets_its_bar)
            && self.lengths.as_ref().is_none_or(Lengths::meets_its_bar)
            && self.partitions.as_ref().is_none_or(Partitions::meets_its_bar)
            && self.replay.as_ref().is_none_or(Replay::meets_its_bar)
            && self.long.as_ref().is_none_or(Long::meets_its_bar)
            && self.deadline.as_ref().is_none_or(Deadline::meets_its_bar)
            && self.solver.as_ref().is_none_or(solver::Report::meets_every_bar)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: [Option<&dyn fmt::Display>; 16] = [
            self.kernels.as_ref().map(|part| part as _),
            self.load.as_ref().map(|part| part as _),
            self.memory.as_ref().map(|part| part as _),
            self.explore.as_ref().map(|part| part as _),
            self.arithmetic.as_ref().map(|part| part as _),
            self.units.as_ref().map(|part| part as _),
            self.hex.as_ref().map(|part| part as _),
            self.hex_rbtree.as_ref().map(|part| part as _),
            self.grammars.as_ref().map(|part| part as _),
            self.search.as_ref().map(|part| part as _),
            self.lengths.as_ref().map(|part| part as _),
            self.partitions.as_ref().map(|part| part as _),
            self.replay.as_ref().map(|part| part as _),
            self.long.as_ref().map(|part| part as _),
            self.deadline.as_ref().map(|part| part as _),
            self.solver.as_ref().map(|part| part as _),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().map(ToString::to_string).collect();
        f.write_str(&parts.join("\n"))
    }
}

impl fmt::Display for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<20}{:>12}{:>12}{:>10}", "kernel", "native", "VM", "ratio")?;
        for kernel in &self.kernels {
            let (native, vm) = (milliseconds(kernel.native_ms), milliseconds(kernel.vm_ms));
            writeln!(f, "{:<20}{native:>12}{vm:>12}{:>9.1}x", kernel.name, kernel.ratio)?;
        }
        let (mean, bar) = (self.geometric_mean, self.max_ratio);
        writeln!(f, "{:<44}{mean:>9.1}x  ({} {bar}x)", "geometric mean", relation(mean, bar))
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<32}{:>12.1} MB", "loading SQLite, text of", self.module_mb)?;
        let rows = [
            ("parse", self.parse_ms),
            ("link", self.link_ms),
            ("lower", self.lower_ms),
            ("LLVM's assembler", self.assembler_ms),
        ];
        for (name, time) in rows {
            writeln!(f, "  {name:<30}{:>12}", milliseconds(time))?;
        }
        let (ratio, bar) = (self.ratio, self.max_ratio);
        writeln!(f, "{:<44}{ratio:>9.2}x  ({} {bar}x)", "ratio", relation(ratio, bar))
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<32}{:>12.1} MB", "peak memory, no objects", self.peak_without_mb)?;
        writeln!(f, "{:<32}{:>12.1} MB", format!("peak memory, {} objects", self.objects), self.peak_with_mb)?;
        let (bytes, bar) = (self.bytes_an_object, self.max_bytes);
        writeln!(f, "{:<44}{bytes:>9.0}   ({} {bar})", "bytes an object of 32", relation(bytes, bar))
    }
}

fn milliseconds(time: f64) -> String {
    format!("{time:.1} ms")
}

pub fn relation(value: f64, bar: f64) -> &'static str {
    if value <= bar { "within the bar of" } else { "ABOVE the bar of" }
}
