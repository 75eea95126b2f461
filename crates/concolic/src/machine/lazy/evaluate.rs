//! What layers are under the present input, as a whole.

use super::{Content, Layer, Segment, Source, lazy_byte};
use crate::machine::ConcolicMachine;
use std::sync::Arc;

/// The bytes of an area, and which of them are initialised.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    pub bytes: Vec<u8>,
    pub defined: Vec<bool>,
}

impl ConcolicMachine {
    /// A byte of a layer, by number, and whether it is initialised; nothing if the number is not one of a layer.
    pub(crate) fn value_in_layer(&mut self, number: u32) -> Option<(u8, bool)> {
        let (values, place) = self.values_in_layer(number)?;
        Some((values.bytes[place], values.defined[place]))
    }

    /// The whole layer that a byte belongs to, and which of its bytes it is.
    pub(crate) fn values_in_layer(&mut self, number: u32) -> Option<(Arc<Values>, usize)> {
        let (layer, place) = self.lazy.layer(number)?;
        let first = number - place;
        let known = self.lazy.values.get(&first).cloned();
        let values = known.unwrap_or_else(|| {
            let values = Arc::new(self.evaluate(&layer));
            self.lazy.values.insert(first, Arc::clone(&values));
            values
        });
        Some((values, place as usize))
    }

    fn evaluate(&mut self, layer: &Layer) -> Values {
        let mut values = self.evaluate_content(&layer.below);
        let (at, len) = (self.value(layer.at) as usize, self.value(layer.len) as usize);
        let end = at.saturating_add(len).min(values.bytes.len());
        let target = at.min(end)..end;
        match &layer.from {
            Source::Fill(byte) => {
                let byte = self.value(*byte) as u8;
                values.bytes[target.clone()].fill(byte);
                values.defined[target].fill(true);
            }
            Source::Bytes { content, offset } => {
                let source = self.evaluate_content(content);
                let from = self.value(*offset) as usize;
                let n = target.len().min(source.bytes.len().saturating_sub(from));
                let target = target.start..target.start + n;
                if n > 0 {
                    values.bytes[target.clone()].copy_from_slice(&source.bytes[from..from + n]);
                    values.defined[target].copy_from_slice(&source.defined[from..from + n]);
                }
            }
        }
        values
    }

    fn evaluate_content(&mut self, content: &Content) -> Values {
        let mut values = Values::default();
        for (segment, range) in content.segments() {
            let n = range.len();
            let is_defined = !matches!(segment, Segment::Unwritten);
            values.defined.resize(values.defined.len() + n, is_defined);
            match segment {
                Segment::Plain(bytes) => values.bytes.extend_from_slice(bytes),
                Segment::Unwritten => values.bytes.resize(values.bytes.len() + n, 0),
                &Segment::Expr(expr, index) => {
                    let word = self.value(expr).checked_shr(8 * u32::from(index)).unwrap_or(0);
                    values.bytes.push(word as u8);
                }
                &Segment::Run(first) => {
                    let start = values.bytes.len();
                    values.bytes.resize(start + n, 0);
                    if let Some((layer, place)) = lazy_byte(first).and_then(|number| self.values_in_layer(number)) {
                        values.bytes[start..].copy_from_slice(&layer.bytes[place..place + n]);
                        values.defined[start..].copy_from_slice(&layer.defined[place..place + n]);
                    } else {
                        self.values_of_run(first, 0, &mut values.bytes[start..]);
                    }
                }
            }
        }
        values
    }
}
