//! Characters as C writes them, exactly, for any compiler.

pub fn character(byte: u8) -> String {
    match byte {
        b'\'' => "'\\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        _ => format!("'{}'", escaped(byte)),
    }
}

/// As a string literal has it.
pub fn escaped(byte: u8) -> String {
    match byte {
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b'"' => "\\\"".to_owned(),
        // Two of them may begin a trigraph.
        b'?' => "\\?".to_owned(),
        b' '..=b'~' => char::from(byte).to_string(),
        // Three digits, so that a digit may follow.
        _ => format!("\\{byte:03o}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_quotes_of_their_own() {
        assert_eq!(character(b'\''), "'\\''");
        assert_eq!(character(b'"'), "'\"'");
        assert_eq!(character(0xff), "'\\377'");
    }
}
