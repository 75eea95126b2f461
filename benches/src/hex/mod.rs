//! Heaps on demand: what four ways of keeping lazy initialization to valid structures find, and what they take (the experiment of
//! the paper on HEX, sections 4 and 5), beside pointer graphs with a precondition.
//!
//! Ends are paths. Whether one is valid says the subject's invariant, of a complete input for it (`--audit`). That takes time of its own, most
//! where much was left undecided, so that it is asked in a second run, and the first one is measured.

mod plots;
mod rbtree;
mod record;
mod report;
mod subjects;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use self::rbtree::{Rbtree, measure as measure_rbtree};
use self::record::Record;
use self::subjects::{SUBJECTS, Subject};
use crate::Bench;
use crate::child::{self, Finished};
use crate::compile::emit_ir;
use crate::error::BenchError;

/// Where `spelunk.h` is.
const HEADERS: &str = "../crates/concolic/include";

#[derive(clap::Args)]
#[group(id = "hex")]
pub struct Options {
    /// How many targets of each subject `hex` runs: operations and pairs of them; there are 270 in all
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    targets: u32,

    /// How many seconds of processor time a run of `hex` or `hex-rbtree` may take
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,

    /// Where `hex` writes its plots, as SVG
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,

    /// Where `hex` notes each run as soon as it is over; those that are there already are not made again
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Which ways `hex` takes; all by default
    #[arg(long, value_name = "WAY", value_enum, value_delimiter = ',')]
    ways: Vec<Way>,
}

/// How inputs are kept to valid structures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[value(rename_all = "lower")]
pub enum Way {
    /// Not at all.
    Lazy,
    /// By rules.
    #[serde(rename = "HEX")]
    Hex,
    /// The invariant is executed before the target.
    PrEP,
    /// A conservative invariant is executed after each decision.
    ConsP,
    /// The invariant is executed before the target, and pointers are decided where they make a difference.
    Graph,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Self::Lazy => "Lazy",
            Self::Hex => "HEX",
            Self::PrEP => "PrEP",
            Self::ConsP => "ConsP",
            Self::Graph => "Graph",
        }
    }
}

const WAYS: [Way; 5] = [Way::Lazy, Way::Hex, Way::PrEP, Way::ConsP, Way::Graph];

#[derive(Serialize)]
pub struct Hex {
    pub seconds: u32,
    pub runs: Vec<Run>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Run {
    pub subject: String,
    pub target: String,
    pub way: Way,
    /// Whether nothing was left to explore within the bounds.
    pub is_exhausted: bool,
    pub ends: u64,
    pub alarms: u64,
    /// Of the ends that the second run came to.
    pub valid: u64,
    pub invalid: u64,
    /// Ends of which it could not be found out.
    pub unknown: u64,
    pub false_alarms: u64,
    pub cpu_seconds: f64,
}

#[derive(Default, Deserialize)]
struct Summary {
    stopped: String,
    paths: u64,
    bugs: Vec<Bug>,
    /// Nothing if there was no path.
    #[serde(default)]
    audit: Audit,
}

#[derive(Deserialize)]
struct Bug {
    hits: u64,
}

#[derive(Default, Deserialize)]
struct Audit {
    valid: u64,
    invalid: u64,
    unknown: u64,
    false_alarms: u64,
}

pub fn measure(bench: &Bench, options: &Options) -> Result<Hex, BenchError> {
    let mut record = Record::open(options.record.as_deref())?;
    let ways: Vec<Way> = WAYS.into_iter().filter(|way| options.ways.is_empty() || options.ways.contains(way)).collect();
    let mut runs = Vec::new();
    let include = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(HEADERS);
    let cflags = [format!("-I{}", include.display())];
    for subject in &SUBJECTS {
        let program = emit_ir(&file(&format!("{}.c", subject.file)), &cflags, bench.dir.path())?;
        for target in subject.targets(options.targets as usize) {
            for &way in &ways {
                runs.push(match record.find(subject.number, &target, way) {
                    Some(known) => known,
                    None => record.note(run(bench, options.seconds, subject, &program, &target, way)?)?,
                });
            }
        }
    }
    let hex = Hex { seconds: options.seconds, runs };
    if let Some(dir) = &options.plots {
        plots::write(&hex, dir)?;
    }
    Ok(hex)
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("hex").join(name)
}

/// Runs a campaign for so many seconds of processor time. Nothing comes of one that has not begun by then.
fn explore<S: DeserializeOwned>(command: &mut Command, seconds: u32) -> Result<(Option<S>, Finished), BenchError> {
    let finished = child::run_with_findings_for(command, Duration::from_secs(seconds.into()))?;
    let summary = match finished.stdout.trim() {
        "" => None,
        text => Some(serde_json::from_str(text)?),
    };
    Ok((summary, finished))
}

/// Whether ends are audited.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Audited {
    No,
    Yes,
}

fn run(
    bench: &Bench,
    seconds: u32,
    subject: &Subject,
    program: &Path,
    target: &str,
    way: Way,
) -> Result<Run, BenchError> {
    let campaign = |audited: Audited| -> Result<(Summary, Finished), BenchError> {
        let mut command = bench.spelunk.command();
        command.arg("run").arg(program).args(["--entry", target]);
        add_options(&mut command, subject, way);
        if audited == Audited::Yes {
            command.args(["--audit", subject.audit]);
        }
        let out = bench.dir.path().join(format!("hex-{}-{target}-{way:?}", subject.file));
        command.arg("--out").arg(&out);
        let (summary, finished) = explore(&mut command, seconds)?;
        // There is none if the campaign did not begin.
        let _ = std::fs::remove_dir_all(&out);
        Ok((summary.unwrap_or_default(), finished))
    };
    let (summary, finished) = campaign(Audited::No)?;
    let (Summary { audit, .. }, _) = campaign(Audited::Yes)?;
    Ok(Run {
        subject: subject.number.to_owned(),
        target: target.to_owned(),
        way,
        is_exhausted: ["exhausted", "bounded"].contains(&summary.stopped.as_str()),
        ends: summary.paths,
        alarms: summary.bugs.iter().map(|bug| bug.hits).sum(),
        valid: audit.valid,
        invalid: audit.invalid,
        unknown: audit.unknown,
        false_alarms: audit.false_alarms,
        cpu_seconds: finished.cpu.as_secs_f64(),
    })
}

fn add_options(command: &mut Command, subject: &Subject, way: Way) {
    if way != Way::Graph {
        command.args(subject.objects.iter().flat_map(|objects| ["--objects", objects]));
    }
    match way {
        Way::Lazy => command.args(["--heap", "lazy"]),
        Way::Hex => command.arg("--hex").arg(file(&format!("{}.hex", subject.file))),
        Way::PrEP => command.args(["--heap", "lazy", "--assume", "ok"]),
        Way::ConsP => command.arg("--hex").arg(file("consp.hex")),
        Way::Graph => command.args(["--heap", "graph", "--assume", "small"]),
    };
    command.args(["--strategy", "dfs", "--jobs", "1", "--no-tests", "--no-replay", "--format", "json"]);
}
