//! What a campaign leaves on disk: its tests and its account.
//!
//! These types are the file format, versioned; others fill them in.

pub mod store;
pub mod summary;
pub mod test_case;

pub use store::{Store, StoreError};
pub use summary::Summary;
pub use test_case::{TestCase, VERSION};
