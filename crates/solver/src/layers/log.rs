//! Writes each query that comes by as an SMT-LIB script, with its answer.
//!
//! A query that can't be written is not lost silently: the first error is kept, and ends the writing.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use spelunk_expr::{ExprPool, FreeVars, Sort, VarId, VarSetId};

use crate::query::{Answer, Query};
use crate::stage::{Context, Freed, Rest, Stage};

#[derive(Debug, thiserror::Error)]
#[error("can't write the query log {path}: {error}")]
pub struct LogError {
    pub path: PathBuf,
    #[source]
    pub error: io::Error,
}

pub struct Log {
    dir: PathBuf,
    n_written: u64,
    error: Option<LogError>,
}

impl Log {
    /// Scripts are `NNNNNN.smt2` in a directory, which is made if there is none.
    pub fn new(dir: &Path) -> Self {
        let error = fs::create_dir_all(dir).err().map(|error| LogError { path: dir.into(), error });
        Log { dir: dir.into(), n_written: 0, error }
    }

    fn write(&mut self, script: &str) {
        let path = self.dir.join(format!("{:06}.smt2", self.n_written));
        self.n_written += 1;
        self.error = fs::write(&path, script).err().map(|error| LogError { path, error });
    }
}

impl Stage for Log {
    fn name(&self) -> &'static str {
        "log"
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        let started = Instant::now();
        let answer = rest.check(cx, query);
        let time = started.elapsed();
        if self.error.is_none() {
            self.write(&script(cx.pool, cx.free_vars, query, &answer, time));
        }
        answer
    }

    fn forget(&mut self, _freed: &Freed) {}

    fn log_error(&self) -> Option<&LogError> {
        self.error.as_ref()
    }
}

fn script(pool: &ExprPool, free_vars: &mut FreeVars, query: &Query<'_>, answer: &Answer, time: Duration) -> String {
    let (status, why) = match answer {
        Answer::Sat(_) => ("sat", String::new()),
        Answer::Unsat(core) => {
            ("unsat", format!("; a core has {} of {} constraints\n", core.len(), query.constraints.len()))
        }
        Answer::Unknown(why) => ("unknown", format!("; {}\n", one_line(&why.to_string()))),
    };
    let mut script = format!("(set-info :status {status})\n{why}; answered in {} us\n", time.as_micros());
    comment_on_hint(&mut script, pool, free_vars, query);
    script.push_str(&pool.to_smtlib(query.constraints));
    script.push_str("(check-sat)\n");
    script
}

/// The values of the hint that matter to the query.
fn comment_on_hint(out: &mut String, pool: &ExprPool, free_vars: &mut FreeVars, query: &Query<'_>) {
    let mut all = VarSetId::EMPTY;
    for &constraint in query.constraints {
        let vars = free_vars.of(pool, constraint);
        all = free_vars.union(all, vars);
    }
    let _ = writeln!(out, "; the hint satisfies the first {} constraints", query.n_satisfied);
    for var in free_vars.iter(all) {
        let _ = writeln!(out, "; {} = {}", one_line(&pool.smtlib_symbol(var)), hint_value(pool, query, var));
    }
}

fn hint_value(pool: &ExprPool, query: &Query<'_>, var: VarId) -> String {
    match pool.var_sort(var) {
        Sort::Bv(..=64) => format!("{:#x}", query.hint.get_u64(var).unwrap_or(0)),
        Sort::Bv(_) => query.hint.get_wide(var).map_or("0x0".into(), |value| format!("{value:?}")),
        Sort::Array { .. } => query.hint.array(var).map_or("all 0x0".into(), |array| {
            let mut elements: Vec<_> = array.elements.iter().collect();
            elements.sort_unstable();
            let listed: Vec<String> = elements.iter().map(|(index, elem)| format!("[{index:#x}] {elem:#x}")).collect();
            format!("{}, else {:#x}", listed.join(", "), array.default)
        }),
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
