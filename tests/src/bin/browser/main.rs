//! The page of a report in a real browser: clicks, keys, contrast, narrow windows, ten thousand tests.
//!
//!     cargo run --release -p spelunk-tests --bin browser -- [--chromium PATH] [--screenshots DIR]
//!
//! `cdp` talks to Chromium, `checks` is what must hold. Ends with status 1 if something does not.
#![forbid(unsafe_code)]

mod cdp;
mod checks;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use cdp::{Browser, CdpError};
use checks::Pages;
use clap::Parser;
use spelunk_tests::spelunk::{FindError, Spelunk};

#[derive(Parser)]
struct Args {
    /// The browser, by name or path
    #[arg(long, default_value = "chromium")]
    chromium: String,

    /// Where pictures of all views go
    #[arg(long, value_name = "DIR")]
    screenshots: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
enum BrowserError {
    #[error(transparent)]
    Spelunk(#[from] FindError),
    #[error(transparent)]
    Cdp(#[from] CdpError),
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("`spelunk {0}` failed")]
    Campaign(String),
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(n_failed) => {
            eprintln!("{n_failed} failed");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns how many checks failed.
fn run(args: &Args) -> Result<usize, BrowserError> {
    let spelunk = Spelunk::locate()?;
    let dir = tempfile::tempdir()?;
    let workspace = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let campaign = |out: &str, args: &[&str]| -> Result<PathBuf, BrowserError> {
        let out = dir.path().join(out);
        let mut run: Command = spelunk.command();
        run.current_dir(&workspace).arg("run").args(&args[..1]).arg("--out").arg(&out).args(&args[1..]);
        // Status 1 is a bug that was found.
        let is_done = run.output()?.status.code().is_some_and(|code| code <= 1);
        let report = spelunk.command().current_dir(&workspace).arg("report").arg(&out).output()?;
        if !is_done || !report.status.success() {
            return Err(BrowserError::Campaign(args.join(" ")));
        }
        Ok(out.join("report.html"))
    };
    let unit = ["--entry", "dlist_remove_value", "--assume", "dlist_small", "--ensure", "dlist_ok"];
    let faulty = [&["tests/structures/dlist.c"], &unit[..], &["--cflag=-DFAULT_USE_AFTER_FREE"]].concat();
    let pages = Pages {
        bug: campaign("bug", &faulty)?,
        large: campaign("large", &["benches/explore/tokenizer.c", "--max-paths", "10000"])?,
    };
    let mut browser = Browser::start(&args.chromium, dir.path())?;
    let n_failed = checks::run(&mut browser, &pages)?;
    if let Some(to) = &args.screenshots {
        checks::screenshots(&mut browser, &pages, to)?;
    }
    Ok(n_failed)
}
