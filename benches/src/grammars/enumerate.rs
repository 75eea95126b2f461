//! How many templates of a language like C are made a second, and that their number takes no memory.

use std::fmt;

use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use spelunk_grammar::read::ebnf;
use spelunk_grammar::{Choices, Source, SymbolicGrammar, Templates};

use crate::error::BenchError;

pub const MIN_TEMPLATES_A_SECOND: f64 = 1e6;
const NUMBERS: [u64; 4] = [10_000, 100_000, 1_000_000, 10_000_000];
const GRAMMAR: &str = include_str!("../../../examples/grammars/clike.g");

#[derive(Serialize)]
pub struct Rate {
    templates: u64,
    bytes_a_template: f64,
    pub templates_a_second: f64,
    memory_mb: f64,
}

pub fn measure() -> Result<Vec<Rate>, BenchError> {
    let source = Source { name: "clike.g", text: GRAMMAR };
    let (grammar, lexer) = ebnf::read(source).map_err(|error| BenchError::Grammar(error.to_string()))?;
    let symbolic = SymbolicGrammar::new(grammar, &lexer, &Choices::default());
    let templates = Templates::new(symbolic.map_err(|error| BenchError::Grammar(error.to_string()))?, None);
    let rate = |&wanted: &u64| {
        let started = cpu();
        let (mut n, mut n_bytes) = (0, 0);
        for measure in 0..templates.n_measures() {
            templates.each(templates.of_measure(measure), |_, _, template| {
                (n, n_bytes) = (n + 1, n_bytes + template.bytes.len() as u64);
                n < wanted
            });
            if n >= wanted {
                break;
            }
        }
        Rate {
            templates: n,
            bytes_a_template: n_bytes as f64 / n as f64,
            templates_a_second: n as f64 / (cpu() - started),
            memory_mb: peak_kib() as f64 / 1024.0,
        }
    };
    Ok(NUMBERS.iter().map(rate).collect())
}

/// The processor time of this process, in seconds.
fn cpu() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The most memory that this process has had.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}

pub fn show(f: &mut fmt::Formatter<'_>, rates: &[Rate]) -> fmt::Result {
    for (number, rate) in rates.iter().enumerate() {
        let name = if number == 0 { "templates of clike.g" } else { "" };
        writeln!(
            f,
            "{name:<22}{:>10} of {:.0} bytes {:>8.2} million a second {:>8.1} MB",
            rate.templates,
            rate.bytes_a_template,
            rate.templates_a_second / 1e6,
            rate.memory_mb
        )?;
    }
    Ok(())
}
