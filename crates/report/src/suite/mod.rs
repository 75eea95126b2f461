//! What a campaign leaves on disk: its tests and its account.
//!
//! `test_case`, `types`, `summary`, `profile`, `recipe` and `index` are the file format, versioned; `convert`, `keys`, `code`,
//! `precondition`, `class` and `recorder` fill it in; `store` is the directory, `unfinished` what is said of one whose writer was killed.

mod campaign;
pub mod class;
mod code;
pub mod convert;
pub mod index;
mod keys;
mod observed;
pub mod partition;
pub mod precondition;
pub mod profile;
pub mod recipe;
pub mod recorder;
pub mod store;
pub mod summary;
pub mod test_case;
pub mod truth;
pub mod types;
pub mod unfinished;

pub use campaign::Campaign;
pub use class::Class;
pub use index::{Index, IndexEntry};
pub use profile::Profile;
pub use recipe::Recipe;
pub use recorder::Recorder;
pub use store::{Store, StoreError};
pub use summary::Summary;
pub use test_case::{HeapSetup, Setup, TestCase, TextInput, TextSetup, UnitSetup, VERSION};
pub use types::Types;
