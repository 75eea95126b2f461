//! The options in the header comment of a C program: the run of `//` lines at its top, where a line `// NAME: VALUE`
//! is an option and any other is prose. What the options mean for the test is decided in `annotations`.
//!
//! Steps to add an option: a field of `Header`, an arm of `Header::set`, a row in the README.

use crate::compare::Streams;
use crate::config::Config;

/// A line of the header that is no valid option.
#[derive(Debug, PartialEq, Eq)]
pub struct HeaderError {
    pub line: usize,
    pub what: String,
}

#[derive(Clone, Debug, Default)]
pub struct Header {
    pub args: Vec<String>,
    pub stdin: Vec<u8>,
    pub cflags: Vec<String>,
    /// Further options of `spelunk exec`.
    pub options: Vec<String>,
    pub env: Vec<(String, String)>,
    pub streams: Streams,
    pub configs: Option<Vec<Config>>,
    /// Further sources, relative to the program.
    pub files: Vec<String>,
    pub exit: Option<i32>,
    /// How many paths an exploration finds.
    pub paths: Option<u64>,
    /// How an exploration ends, if not because every path was explored.
    pub stopped: Option<String>,
    /// What an exploration says that it has given up, in parts.
    pub ledger: Vec<String>,
    pub unsupported: Option<String>,
}

impl Header {
    pub fn parse(text: &str) -> Result<Header, HeaderError> {
        let mut header = Header::default();
        for (idx, line) in text.lines().enumerate() {
            let Some(comment) = line.strip_prefix("//") else { break };
            let Some((name, value)) = comment.trim_start().split_once(':') else { continue };
            // A colon inside prose follows a phrase or a capital; an option's name is one small word.
            if !name.bytes().all(|byte| byte.is_ascii_lowercase()) {
                continue;
            }
            header.set(name, value.trim()).map_err(|what| HeaderError { line: idx + 1, what })?;
        }
        Ok(header)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        if value.is_empty() {
            return Err(format!("option `{name}` has no value"));
        }
        match name {
            "args" => self.args = words(value)?,
            "options" => self.options.extend(words(value)?),
            "cflags" => self.cflags = words(value)?,
            "files" => self.files = words(value)?,
            "stdin" => self.stdin.extend(unescape(value)?),
            "check" => self.options.push(format!("--check={value}")),
            "configs" => self.configs = Some(value.split(',').map(config).collect::<Result<_, _>>()?),
            "stderr" if value == "compare" => self.streams = Streams::StdoutAndStderr,
            "stderr" => return Err("the only value of `stderr` is `compare`".to_owned()),
            "exit" => self.exit = Some(value.parse().map_err(|_| format!("`{value}` is not an exit status"))?),
            "paths" => self.paths = Some(value.parse().map_err(|_| format!("`{value}` is not a number of paths"))?),
            "stopped" => self.stopped = Some(value.to_owned()),
            "ledger" => self.ledger.push(value.to_owned()),
            "env" => {
                let (name, value) = value.split_once('=').ok_or("`env` wants NAME=VALUE")?;
                self.env.push((name.to_owned(), value.to_owned()));
            }
            "unsupported" => self.unsupported = Some(value.to_owned()),
            _ => return Err(format!("unknown option `{name}`")),
        }
        Ok(())
    }
}

fn words(value: &str) -> Result<Vec<String>, String> {
    shlex::split(value).ok_or_else(|| "unbalanced quotes".to_owned())
}

fn config(name: &str) -> Result<Config, String> {
    Config::by_name(name.trim()).ok_or_else(|| format!("unknown configuration `{name}`"))
}

/// The bytes of `text` with `\n`, `\t`, `\0`, `\\` and `\xHH` replaced.
fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next() {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'0') => 0,
            Some(b'\\') => b'\\',
            Some(b'x') => {
                let mut digit = || rest.next().and_then(|byte| char::from(byte).to_digit(16));
                let (high, low) = digit().zip(digit()).ok_or("`\\x` wants two hexadecimal digits")?;
                (high * 16 + low) as u8
            }
            _ => return Err("unknown escape in `stdin`".to_owned()),
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_prose_is_skipped() {
        let text =
            "// Reads a line: then stops.\n// args: a 'b c'\n// stdin: x\\n\\x41\n// check: leak\nint x;\n// exit: 9\n";
        let header = Header::parse(text).expect("a valid header");
        assert_eq!(header.args, ["a", "b c"]);
        assert_eq!(header.stdin, b"x\nA");
        assert_eq!(header.options, ["--check=leak"]);
        assert_eq!(header.exit, None, "the header ends at the first line of code");
    }

    #[test]
    fn whatever_is_not_understood_is_refused() {
        for text in [
            "// argz: a",
            "// args:",
            "// args: 'open",
            "// stderr: ignore",
            "// configs: O9",
            "// stdin: \\q",
            "// stdin: \\x4",
            "// env: NAME",
            "// exit: soon",
        ] {
            assert!(Header::parse(text).is_err(), "accepted: {text}");
        }
    }
}
