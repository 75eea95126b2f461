//! Programs behind a parser: SimpleCalc by the length of its texts, beside exploration without a grammar; how fast templates are
//! made; and, for programs that a file names, what four ways to make their input cover in the same time.

mod calc;
mod compare;
mod enumerate;

use std::fmt;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::Bench;
use crate::error::BenchError;

#[derive(Args)]
pub struct Options {
    /// Programs with grammars to compare ways of making input on, in `grammars`: see benches/README.md
    #[arg(long, value_name = "FILE")]
    programs: Option<PathBuf>,

    /// Processor time for each way and program in `grammars`
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    grammar_seconds: u64,
}

#[derive(Serialize)]
pub struct Grammars {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calc: Vec<calc::Row>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    enumeration: Vec<enumerate::Rate>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    programs: Vec<compare::Row>,
}

pub fn measure(bench: &Bench, options: &Options) -> Result<Grammars, BenchError> {
    if let Some(file) = &options.programs {
        let programs = compare::measure(bench, file, options.grammar_seconds)?;
        return Ok(Grammars { calc: Vec::new(), enumeration: Vec::new(), programs });
    }
    let (calc, enumeration) = (calc::measure(bench, options.grammar_seconds)?, enumerate::measure()?);
    Ok(Grammars { calc, enumeration, programs: Vec::new() })
}

impl Grammars {
    pub fn meets_its_bar(&self) -> bool {
        self.enumeration.iter().all(|rate| rate.templates_a_second >= enumerate::MIN_TEMPLATES_A_SECOND)
    }
}

impl fmt::Display for Grammars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        calc::show(f, &self.calc)?;
        enumerate::show(f, &self.enumeration)?;
        compare::show(f, &self.programs)
    }
}
