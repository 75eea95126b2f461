//! The suite's report as tables.

use std::fmt;

use super::Report;
use super::hard::HardQuery;
use super::nodes::Nodes;
use super::sequences::Sequences;
use crate::report::relation;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.nodes, self.sequences)?;
        let width = self.hard.iter().map(|query| query.name.chars().count()).max().unwrap_or(0);
        writeln!(f, "{:<width$}{:>9}{:>12}{:>12}{:>10}", "hard query", "answer", "blaster", "Z3", "ratio")?;
        self.hard.iter().try_for_each(|query| hard_row(f, query, width))
    }
}

fn hard_row(f: &mut fmt::Formatter<'_>, query: &HardQuery, width: usize) -> fmt::Result {
    let ours = format!("{:.1} ms", query.blaster_ms);
    let theirs = query.z3_ms.map_or("no answer".into(), |ms| format!("{ms:.1} ms"));
    let (ratio, bar) = (query.ratio, query.max_ratio);
    let (name, answer) = (query.name, query.answer);
    if query.is_beyond_both() {
        return writeln!(f, "{name:<width$}{answer:>9}{ours:>12}{theirs:>12}{:>10}  (neither answers)", "");
    }
    let verdict = if answer == "unknown" { "NO ANSWER, bar" } else { relation(ratio, bar) };
    writeln!(f, "{name:<width$}{answer:>9}{ours:>12}{theirs:>12}{ratio:>9.2}x  ({verdict} {bar}x)")
}

impl fmt::Display for Nodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bytes, bar) = (self.bytes_a_node, self.max_bytes);
        writeln!(
            f,
            "{} expressions: {:.0} ns each, {bytes:.1} bytes each ({} {bar}; the pool says {:.1})",
            self.n_nodes,
            self.nanos_a_node,
            relation(bytes, bar),
            self.pool_bytes_a_node
        )
    }
}

impl fmt::Display for Sequences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<20}{:>9}{:>7}{:>7}{:>9}{:>12}{:>12}{:>12}{:>10}{:>10}",
            "program", "queries", "sat", "unsat", "unknown", "chain", "blaster", "Z3", "Z3/chain", "Z3/blast"
        )?;
        for program in &self.programs {
            write!(f, "{:<20}{:>9}", program.name, program.n_queries)?;
            write!(f, "{:>7}{:>7}{:>9}", program.n_sat, program.n_unsat, program.n_unknown)?;
            for us in [program.chain_us, program.blaster_us, program.z3_us] {
                write!(f, "{:>12}", format!("{us:.1} µs"))?;
            }
            let (by_chain, by_blaster) = (program.z3_us / program.chain_us, program.z3_us / program.blaster_us);
            writeln!(f, "{by_chain:>9.1}x{by_blaster:>9.1}x")?;
        }
        let speedups = [
            ("chain", self.chain_speedup, self.min_chain_speedup),
            ("blaster alone", self.blaster_speedup, self.min_blaster_speedup),
        ];
        for (name, speedup, bar) in speedups {
            let verdict = if speedup >= bar { "reaches" } else { "BELOW" };
            writeln!(
                f,
                "{:<44}{speedup:>9.1}x  ({verdict} the bar of {bar}x)",
                format!("{name} over Z3, geometric mean")
            )?;
        }
        writeln!(f, "\n{:<20}{:>9}{:>9}{:>9}{:>9}{:>9}", "layer", "asked", "sat", "unsat", "unknown", "time")?;
        for layer in &self.layers {
            let share = format!("{:.1}%", layer.time_share * 100.0);
            write!(f, "{:<20}{:>9}{:>9}", layer.name, layer.n_queries, layer.n_sat)?;
            writeln!(f, "{:>9}{:>9}{share:>9}", layer.n_unsat, layer.n_unknown)?;
        }
        Ok(())
    }
}
