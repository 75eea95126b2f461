//! What a campaign leaves on disk: its tests and its account.
//!
//! `test_case` and `summary` are the file format, versioned; `convert` fills it in; `store` is the directory.

pub mod convert;
pub mod store;
pub mod summary;
pub mod test_case;

pub use store::{Store, StoreError};
pub use summary::Summary;
pub use test_case::{Setup, TestCase, UnitSetup, VERSION};
