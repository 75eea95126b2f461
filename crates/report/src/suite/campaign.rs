//! A campaign that has ended, with everything but its tests in memory.

use std::fs;
use std::path::{Path, PathBuf};

use super::profile::Profile;
use super::summary::Summary;
use super::types::Types;
use super::{Store, StoreError};

#[derive(Debug)]
pub struct Campaign {
    pub store: Store,
    pub summary: Summary,
    /// Empty if the directory has none.
    pub profile: Profile,
    pub types: Types,
}

impl Campaign {
    /// The campaign of a directory. One that was killed has no summary.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        let store = Store::existing(dir)?;
        if !store.summary_path().exists() {
            return Err(StoreError::Unfinished { path: dir.to_owned() });
        }
        let summary = store.read_summary()?;
        let profile = if store.profile_path().exists() { store.read_profile()? } else { Profile::default() };
        let types = store.read_types()?;
        Ok(Self { store, summary, profile, types })
    }

    /// The campaign of a directory, or those of the directories in it: one for each function that was tested. Of several,
    /// those that have not ended are left out: see [`Campaign::unfinished`].
    pub fn open_all(dir: &Path) -> Result<Vec<Self>, StoreError> {
        let missing = match Self::open(dir) {
            Ok(campaign) => return Ok(vec![campaign]),
            Err(error @ StoreError::NoCampaign { .. }) => error,
            Err(error) => return Err(error),
        };
        let dirs = campaign_dirs(dir)?;
        let (ended, unfinished): (Vec<_>, Vec<_>) = dirs.into_iter().partition(|dir| has_ended(dir));
        match unfinished.into_iter().next() {
            Some(path) if ended.is_empty() => Err(StoreError::Unfinished { path }),
            None if ended.is_empty() => Err(missing),
            _ => ended.iter().map(|dir| Self::open(dir)).collect(),
        }
    }

    /// The campaigns in a directory of several that have not ended.
    pub fn unfinished(dir: &Path) -> Result<Vec<PathBuf>, StoreError> {
        Ok(campaign_dirs(dir)?.into_iter().filter(|dir| !has_ended(dir)).collect())
    }
}

fn campaign_dirs(dir: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let list = || fs::read_dir(dir)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
    let mut dirs = list().map_err(|source| StoreError::Read { path: dir.to_owned(), source })?;
    dirs.retain(|dir| Store::existing(dir).is_ok());
    dirs.sort();
    Ok(dirs)
}

fn has_ended(dir: &Path) -> bool {
    Store::existing(dir).is_ok_and(|store| store.summary_path().exists())
}
