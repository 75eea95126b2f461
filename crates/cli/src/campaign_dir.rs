//! The directory of a campaign, as commands on it find it.

use spelunk_engine::EngineError;
use spelunk_report::suite::{Store, Summary};
use std::path::{Path, PathBuf};

/// Goes to where the command was given that began the campaign: its program may open files there. Returns where the campaign's
/// directory is.
pub fn enter(dir: &Path) -> Result<PathBuf, EngineError> {
    let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    let directory = Store::existing(&dir)?.read_recipe()?.directory;
    std::env::set_current_dir(&directory).map_err(|source| EngineError::Directory { path: directory, source })?;
    Ok(dir)
}

/// Says that an account is not the last.
pub fn tell_unfinished(dir: &Path, summary: &Summary) {
    if summary.unfinished.is_some() {
        let dir = dir.display();
        anstream::eprintln!("note: the campaign in {dir} has not ended: go on with spelunk run --resume {dir}");
    }
}
