//! Pictures of what a test is given: objects as boxes, pointers as arrows.
//!
//! `graph` is the picture as plain data, made from a test and the C types of its objects; `values` writes single values;
//! `layout` says where boxes stand and how arrows go between them, in cells of one character, and `channel` which of them
//! share a line; `text` and `svg` draw that.

mod channel;
mod graph;
mod layout;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod values;

pub use graph::{Link, Node, Picture, Row, Value};
pub use svg::svg;
pub use text::{Charset, text};
