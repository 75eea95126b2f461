//! What tests are given: the boxes of their pictures, as numbers of strings.

use serde::Serialize;

use super::strings::Strings;
use crate::picture::{Link, Picture, Value};

/// An object: `[title, name, [label, value, label, value, …]]`.
#[derive(Debug, Serialize)]
pub struct Object(u32, u32, Vec<Cell>);

/// A label or a value.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A string's number.
    Text(u32),
    /// `null`
    Null(()),
    /// `[object, row, bytes behind]`; a row of -1 is the whole object.
    Link(usize, i64, u64),
}

pub fn objects(picture: &Picture, strings: &mut Strings) -> Vec<Object> {
    let mut cell = |value: &Value| match value {
        Value::Text(text) => Cell::Text(strings.number(text)),
        Value::Null => Cell::Null(()),
        Value::Pointer(Link { node, row, beyond }) => Cell::Link(*node, row.map_or(-1, |row| row as i64), *beyond),
    };
    let mut objects = Vec::new();
    for node in &picture.nodes {
        let values: Vec<Cell> = node.rows.iter().map(|row| cell(&row.value)).collect();
        objects.push((node, values));
    }
    let object = |(node, values): (&crate::picture::Node, Vec<Cell>)| {
        let labels: Vec<Cell> = node.rows.iter().map(|row| Cell::Text(strings.number(&row.label))).collect();
        let cells = labels.into_iter().zip(values).flat_map(|(label, value)| [label, value]).collect();
        Object(strings.number(&node.title), strings.number(&node.name), cells)
    };
    objects.into_iter().map(object).collect()
}
