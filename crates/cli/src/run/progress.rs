//! The line of progress on a terminal.

use super::args::Format;
use spelunk_engine::observer::SoFar;
use spelunk_explore::coverage::Ratio;
use std::cell::{Cell, RefCell};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often the line changes.
const REFRESH_INTERVAL: Duration = Duration::from_millis(200);

/// The width of a terminal that does not tell.
const USUAL_WIDTH: usize = 80;

/// What is under way. Nothing is shown if there is no terminal.
pub struct Line {
    is_shown: bool,
    /// What comes before everything: which of several campaigns it is.
    name: RefCell<String>,
    last_shown: Cell<Option<Instant>>,
    /// Paths and time of the last line while exploring, for the rate since then.
    last: Cell<(u64, Duration)>,
}

impl Line {
    pub fn new(format: Format) -> Self {
        Self {
            is_shown: format == Format::Human && io::stderr().is_terminal(),
            name: RefCell::default(),
            last_shown: Cell::default(),
            last: Cell::default(),
        }
    }

    pub fn name(&self, name: String) {
        self.name.replace(name);
        self.last.take();
    }

    /// Says what begins.
    pub fn begin(&self, phase: &str) {
        self.last_shown.take();
        self.show(|| phase.to_owned());
    }

    /// Says how far it is, unless the last line is recent.
    pub fn count(&self, phase: &str, n_done: usize, n_all: usize) {
        self.show(|| format!("{phase}: {n_done} of {n_all}"));
    }

    pub fn exploring(&self, so_far: &SoFar<'_>) {
        let (paths_before, time_before) = self.last.get();
        let progress = so_far.progress;
        self.show(|| {
            let interval = progress.time.saturating_sub(time_before).as_secs_f64().max(1e-3);
            self.last.set((progress.n_paths, progress.time));
            text(so_far, (progress.n_paths - paths_before) as f64 / interval)
        });
    }

    fn show(&self, text: impl FnOnce() -> String) {
        let is_recent = self.last_shown.get().is_some_and(|last| last.elapsed() < REFRESH_INTERVAL);
        if !self.is_shown || is_recent {
            return;
        }
        self.last_shown.set(Some(Instant::now()));
        let width = terminal_size::terminal_size_of(io::stderr()).map_or(USUAL_WIDTH, |(width, _)| width.0.into());
        eprint!("\r\x1b[K{}", fitting(&format!("{}{}", self.name.borrow(), text()), width));
        // There is nowhere to tell that standard error can't be written to.
        let _ = io::stderr().flush();
    }

    pub fn clear(&self) {
        if self.is_shown {
            eprint!("\r\x1b[K");
        }
    }
}

/// One line, however narrow the terminal: what comes last is missing then. The last column stays free, where some terminals
/// would begin another line.
fn fitting(text: &str, width: usize) -> String {
    text.chars().take(width.saturating_sub(1)).collect()
}

fn text(so_far: &SoFar<'_>, rate: f64) -> String {
    let SoFar { progress, lines, branches, n_bugs } = *so_far;
    let busy = (progress.solver_time + progress.run_time).as_secs_f64().max(1e-9);
    format!(
        "{:.0} s: {} paths ({rate:.0}/s), {} open, lines {:.0}%, branches {:.0}%, {n_bugs} bugs, solver {:.0}%",
        progress.time.as_secs_f64(),
        progress.n_paths,
        progress.n_open,
        percent(lines),
        percent(branches),
        100.0 * progress.solver_time.as_secs_f64() / busy,
    )
}

fn percent(ratio: Ratio) -> f64 {
    100.0 * ratio.covered as f64 / ratio.total.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_explore::campaign::Progress;

    #[test]
    fn the_line_fits() {
        let progress = Progress {
            time: Duration::from_secs(12),
            n_paths: 3456,
            n_open: 78,
            solver_time: Duration::from_secs(3),
            run_time: Duration::from_secs(9),
            ..Progress::default()
        };
        let (lines, branches) = (Ratio { covered: 9, total: 12 }, Ratio { covered: 0, total: 0 });
        let whole = text(&SoFar { progress: &progress, lines, branches, n_bugs: 2 }, 288.4);
        assert_eq!(whole, "12 s: 3456 paths (288/s), 78 open, lines 75%, branches 0%, 2 bugs, solver 25%");
        assert_eq!(fitting(&whole, 80), whole);
        assert_eq!((fitting(&whole, 20), fitting(&whole, 0)), ("12 s: 3456 paths (2".to_owned(), String::new()));
    }
}
