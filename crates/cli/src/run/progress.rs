//! The line of progress on a terminal.

use spelunk_explore::campaign::Progress;
use spelunk_explore::coverage::Ratio;
use std::io::{self, Write};
use std::time::Duration;

/// How often the line changes.
const REFRESH_INTERVAL: Duration = Duration::from_millis(200);

/// The width of a terminal that does not tell.
const USUAL_WIDTH: usize = 80;

#[derive(Default)]
pub struct ProgressLine {
    /// Paths and time of the last line, for the rate since then.
    last: (u64, Duration),
}

impl ProgressLine {
    pub fn show(&mut self, progress: &Progress, lines: Ratio, branches: Ratio, n_bugs: usize) {
        let (paths_before, time_before) = self.last;
        let interval = progress.time.saturating_sub(time_before);
        if interval < REFRESH_INTERVAL {
            return;
        }
        let rate = (progress.n_paths - paths_before) as f64 / interval.as_secs_f64();
        self.last = (progress.n_paths, progress.time);
        let width = terminal_size::terminal_size_of(io::stderr()).map_or(USUAL_WIDTH, |(width, _)| width.0.into());
        eprint!("\r\x1b[K{}", text(progress, rate, lines, branches, n_bugs, width));
        // There is nowhere to tell that standard error can't be written to.
        let _ = io::stderr().flush();
    }

    pub fn clear(&self) {
        eprint!("\r\x1b[K");
    }
}

/// One line, however narrow the terminal: what comes last is missing then. The last column stays free, where some terminals
/// would begin another line.
fn text(progress: &Progress, rate: f64, lines: Ratio, branches: Ratio, n_bugs: usize, width: usize) -> String {
    let busy = (progress.solver_time + progress.run_time).as_secs_f64().max(1e-9);
    let mut text = format!(
        "{:.0} s: {} paths ({rate:.0}/s), {} open, lines {:.0}%, branches {:.0}%, {n_bugs} bugs, solver {:.0}%",
        progress.time.as_secs_f64(),
        progress.n_paths,
        progress.n_open,
        percent(lines),
        percent(branches),
        100.0 * progress.solver_time.as_secs_f64() / busy,
    );
    text.truncate(width.saturating_sub(1));
    text
}

fn percent(ratio: Ratio) -> f64 {
    100.0 * ratio.covered as f64 / ratio.total.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let whole = text(&progress, 288.4, lines, branches, 2, 80);
        assert_eq!(whole, "12 s: 3456 paths (288/s), 78 open, lines 75%, branches 0%, 2 bugs, solver 25%");
        assert_eq!(text(&progress, 288.4, lines, branches, 2, 20), "12 s: 3456 paths (2");
        assert_eq!(text(&progress, 288.4, lines, branches, 2, 0), "");
    }
}
