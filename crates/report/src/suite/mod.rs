//! What a campaign leaves on disk: its tests and its account.
//!
//! `test_case`, `types`, `summary`, `profile` and `recipe` are the file format, versioned; `convert`, `code`, `precondition`
//! and `recorder` fill it in; `store` is the directory.

mod campaign;
mod code;
pub mod convert;
mod observed;
pub mod precondition;
pub mod profile;
pub mod recipe;
pub mod recorder;
pub mod store;
pub mod summary;
pub mod test_case;
pub mod types;

pub use campaign::Campaign;
pub use profile::Profile;
pub use recipe::Recipe;
pub use recorder::Recorder;
pub use store::{Store, StoreError};
pub use summary::Summary;
pub use test_case::{Setup, TestCase, UnitSetup, VERSION};
pub use types::Types;
