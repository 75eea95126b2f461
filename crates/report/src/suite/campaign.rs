//! A campaign, with everything but its tests in memory.

use std::fs;
use std::path::Path;

use super::index::Index;
use super::profile::Profile;
use super::summary::Summary;
use super::types::Types;
use super::{Store, StoreError, unfinished};

#[derive(Debug)]
pub struct Campaign {
    pub store: Store,
    pub summary: Summary,
    /// Empty if the directory has none.
    pub profile: Profile,
    pub types: Types,
}

impl Campaign {
    /// The campaign of a directory. If it was killed, the account is one of the tests that are there.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        let store = Store::existing(dir)?;
        let mut summary = match store.summary_path().exists() {
            true => store.read_summary()?,
            false => unfinished::summary(&store)?,
        };
        if summary.unfinished.is_some() {
            unfinished::recount(&store, &mut summary)?;
        }
        let profile = if store.profile_path().exists() { store.read_profile()? } else { Profile::default() };
        let types = store.read_types()?;
        Ok(Self { store, summary, profile, types })
    }

    /// The campaign of a directory, or those of one command that tested several functions. Other directories in it are no
    /// concern of this one.
    pub fn open_all(dir: &Path) -> Result<Vec<Self>, StoreError> {
        let missing = match Self::open(dir) {
            Err(error @ StoreError::NoCampaign { .. }) => error,
            other => return other.map(|campaign| vec![campaign]),
        };
        fs::metadata(dir).map_err(|source| StoreError::Read { path: dir.to_owned(), source })?;
        let Some(index) = Index::read(dir)? else { return Err(missing) };
        let dirs = index.campaigns.iter().map(|campaign| dir.join(&campaign.directory));
        dirs.filter(|dir| Store::existing(dir).is_ok()).map(|dir| Self::open(&dir)).collect()
    }
}
