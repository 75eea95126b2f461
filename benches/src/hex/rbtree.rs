//! Valid red-black trees a second, by the size of the largest: by rules and a check of numbers, against the invariant as a
//! precondition.
//!
//! The target walks the whole tree, so that its paths are the trees. A check that is one condition leaves the colors open: then
//! a path is a shape, otherwise it is a shape with its colors.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use super::{Options, explore};
use crate::Bench;
use crate::error::BenchError;
use crate::summary::Summary;

const SIZES: [u32; 5] = [3, 6, 9, 12, 15];

#[derive(Serialize)]
pub struct Rbtree {
    pub seconds: u32,
    pub rows: Vec<Row>,
}

#[derive(Serialize)]
pub struct Row {
    pub size: u32,
    pub way: &'static str,
    pub trees: u64,
    pub excluded: u64,
    pub cpu_seconds: f64,
    pub trees_a_second: f64,
}

const WAYS: [&str; 4] = ["HEX, shapes", "HEX, colors", "lazy, --assume", "graph, --assume"];

pub fn measure(bench: &Bench, options: &Options) -> Result<Rbtree, BenchError> {
    let all = SIZES.iter().flat_map(|&size| WAYS.iter().map(move |&way| (size, way)));
    let rows = all.map(|(size, way)| row(bench, options.seconds, size, way)).collect::<Result<_, _>>()?;
    Ok(Rbtree { seconds: options.seconds, rows })
}

fn row(bench: &Bench, seconds: u32, size: u32, way: &'static str) -> Result<Row, BenchError> {
    let structures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/structures");
    let mut command = bench.spelunk.command();
    command.arg("run").arg(structures.join("hex_rbtree.c")).args(["--entry", "walk"]);
    match way {
        "HEX, shapes" => command.arg("--hex").arg(structures.join("hex_rbtree.hex")),
        "HEX, colors" => command.arg("--hex").arg(structures.join("hex_rbtree_branches.hex")),
        "lazy, --assume" => command.args(["--heap", "lazy", "--assume", "rb_small"]),
        _ => command.args(["--heap", "graph", "--assume", "rb_small"]),
    };
    if !way.starts_with("graph") {
        command.args(["--objects", &format!("struct rbnode={size}")]);
    }
    command.args(["--strategy", "dfs", "--jobs", "1", "--no-tests", "--no-replay", "--format", "json"]);
    command.arg("--out").arg(bench.dir.path().join(format!("{}-{size}", way.replace([',', ' '], ""))));
    command.arg("--").arg(format!("-DLIMIT={size}"));
    let (summary, finished) = explore(&mut command, seconds)?;
    let Summary { paths, excluded, .. } = summary.unwrap_or_default();
    let cpu_seconds = finished.cpu.as_secs_f64();
    Ok(Row { size, way, trees: paths, excluded, cpu_seconds, trees_a_second: paths as f64 / cpu_seconds })
}

impl fmt::Display for Rbtree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "valid red-black trees of up to so many keys, {} s a run", self.seconds)?;
        writeln!(f, "{:>5}  {:<16}{:>9}{:>10}{:>9}{:>10}", "keys", "", "trees", "excluded", "CPU s", "trees/s")?;
        for Row { size, way, trees, excluded, cpu_seconds, trees_a_second } in &self.rows {
            writeln!(f, "{size:>5}  {way:<16}{trees:>9}{excluded:>10}{cpu_seconds:>9.2}{trees_a_second:>10.1}")?;
        }
        Ok(())
    }
}
