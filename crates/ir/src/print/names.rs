//! Names and strings with their escapes.

use super::Printer;
use crate::model::SymbolId;
use std::fmt::Write;

impl Printer<'_> {
    /// `@name`, quoted if it must be.
    pub(super) fn symbol(&mut self, symbol: SymbolId) {
        let name = &self.program.symbol(symbol).name;
        self.out.push('@');
        let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"-$._".contains(&byte);
        if name.bytes().all(is_name_byte) && !name.starts_with(|first: char| first.is_ascii_digit()) && !name.is_empty()
        {
            self.out.push_str(name);
        } else {
            self.quoted(name.as_bytes());
        }
    }

    /// `"…"` with everything but printable ASCII escaped.
    pub(super) fn quoted(&mut self, bytes: &[u8]) {
        self.out.push('"');
        for &byte in bytes {
            if matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\' {
                self.out.push(byte as char);
            } else {
                let _ = write!(self.out, "\\{byte:02X}");
            }
        }
        self.out.push('"');
    }

    /// The name of a named metadata node, which escapes without quotes.
    pub(super) fn metadata_name(&mut self, name: &str) {
        self.out.push('!');
        for (place, byte) in name.bytes().enumerate() {
            let is_plain = byte.is_ascii_alphabetic() || b"-$._".contains(&byte);
            if is_plain || (place > 0 && byte.is_ascii_digit()) {
                self.out.push(byte as char);
            } else {
                let _ = write!(self.out, "\\{byte:02X}");
            }
        }
    }
}
