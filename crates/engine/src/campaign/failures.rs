//! Errors of our own while a campaign is accounted for: what failed is left out, and everything else is still written.

use spelunk_concolic::failure;
use spelunk_explore::ledger::{Effect, Loss};
use spelunk_report::suite::Summary;
use spelunk_report::suite::summary::LedgerLine;

/// What failed so far, in words.
#[derive(Default)]
pub struct Failures(Vec<String>);

impl Failures {
    /// Does one part of the account. Nothing if it fails.
    pub fn guard<T>(&mut self, part: &str, f: impl FnOnce() -> T) -> Option<T> {
        let done = failure::catch(|| {
            failure::pass(part);
            f()
        });
        done.map_err(|what| self.0.push(format!("{part} failed: {what}"))).ok()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Enters what failed into the ledger.
    pub fn enter(&self, summary: &mut Summary) {
        summary.ledger.extend(self.0.iter().map(|detail| LedgerLine {
            kind: Loss::Internal.slug().to_owned(),
            effect: Effect::LeftOut.slug().to_owned(),
            detail: detail.clone(),
            count: 1,
            ..Default::default()
        }));
    }
}
