//! `spelunk report`: what a campaign found, for people and for other tools.

use crate::args::{ReportArgs, ReportFormat};
use crate::campaign_dir::tell_unfinished;
use crate::exit;
use spelunk_report::annotations::annotations;
use spelunk_report::suite::store::write_whole;
use spelunk_report::suite::{Campaign, StoreError};
use spelunk_report::{html, sarif};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Stands for standard output.
const STDOUT: &str = "-";

pub fn report(args: &ReportArgs) -> u8 {
    match try_report(args) {
        Ok(()) => 0,
        Err(message) => {
            anstream::eprintln!("error: {message}");
            exit::USAGE
        }
    }
}

fn try_report(args: &ReportArgs) -> Result<(), String> {
    let told = |error: StoreError| error.to_string();
    let campaigns = Campaign::open_all(&args.dir).map_err(told)?;
    campaigns.iter().for_each(|campaign| tell_unfinished(campaign.store.dir(), &campaign.summary));
    let to = args.to.as_deref();
    match args.format {
        ReportFormat::Html => pages(args, &campaigns),
        ReportFormat::Sarif => {
            let log = sarif::log(&campaigns).map_err(told)?;
            let beside = args.dir.join("report.sarif");
            put(to.unwrap_or(&beside), &format!("{log:#}\n")).map_err(told)
        }
        ReportFormat::Github => {
            let text: String = campaigns.iter().map(|campaign| annotations(&campaign.summary)).collect();
            put(to.unwrap_or(Path::new(STDOUT)), &text).map_err(told)
        }
    }
}

/// One page for each campaign, and one that leads to them if there are several.
fn pages(args: &ReportArgs, campaigns: &[Campaign]) -> Result<(), String> {
    if let (Some(_), n_pages @ 2..) = (&args.to, campaigns.len()) {
        let dir = args.dir.display();
        return Err(format!(
            "{dir} holds {n_pages} campaigns, each with a page of its own: name one of them, or leave out --to"
        ));
    }
    for campaign in campaigns {
        let beside = campaign.store.dir().join("report.html");
        let page = html::page(campaign).map_err(|error| error.to_string())?;
        put(args.to.as_ref().unwrap_or(&beside), &page).map_err(|error| error.to_string())?;
    }
    if campaigns.len() == 1 && campaigns[0].store.dir() == args.dir {
        return Ok(());
    }
    let title = args.dir.canonicalize().ok().and_then(|dir| Some(dir.file_name()?.to_string_lossy().into_owned()));
    let page = html::index(&title.unwrap_or_default(), campaigns);
    put(&args.dir.join("report.html"), &page).map_err(|error| error.to_string())
}

/// Writes a report and says where it is.
fn put(path: &Path, text: &str) -> Result<(), StoreError> {
    let failed = |source: io::Error| StoreError::Write { path: path.to_owned(), source };
    if path == Path::new(STDOUT) {
        let failed = |source| StoreError::Write { path: PathBuf::from("standard output"), source };
        let mut out = io::stdout().lock();
        return out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(failed);
    }
    // What is no file, a pipe say, can't be replaced by one.
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => fs::write(path, text).map_err(failed)?,
        _ => write_whole(path, text.as_bytes())?,
    }
    anstream::println!("{}", path.display());
    Ok(())
}
