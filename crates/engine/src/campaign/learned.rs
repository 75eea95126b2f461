//! What theories of a campaign have learned, for a later campaign that goes on with it.

use std::collections::BTreeMap;
use std::sync::Arc;

use spelunk_concolic::theories::Maker;
use spelunk_report::suite::{Store, StoreError};

/// Hands out what an earlier campaign in the directory has left.
pub fn resume(store: &Store, theories: &[Arc<dyn Maker>]) -> Result<(), StoreError> {
    let learned = store.read_learned()?;
    for theory in theories {
        if let Some(saved) = learned.get(theory.name()) {
            theory.resume(saved);
        }
    }
    Ok(())
}

pub fn save(store: &Store, theories: &[Arc<dyn Maker>]) -> Result<(), StoreError> {
    let saved = theories.iter().filter_map(|theory| Some((theory.name().to_owned(), theory.save()?)));
    let learned: BTreeMap<String, String> = saved.collect();
    if learned.is_empty() { Ok(()) } else { store.write_learned(learned) }
}
