//! What a user says about an input: `PATH=SETTING`.

use crate::error::UnitError;
use crate::path::{is_name, split};
use std::str::FromStr;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The only function that it is for, if it names one.
    pub function: Option<String>,
    /// What it is about: a parameter or variable, or a way from there as C writes it.
    pub path: String,
    pub what: What,
    /// As it was written.
    text: String,
}

/// The most bytes of a string that is a text of a grammar.
pub const MAX_TEXT: u32 = 4096;

/// What stands for all parameters that are pointers.
pub const ALL: &str = "*";

impl Setting {
    /// That a pointer is never null.
    pub fn not_null(name: &str) -> Self {
        Self { function: None, path: name.to_owned(), what: What::NotNull, text: format!("{name}=nonnull") }
    }

    /// Whether something else stands for an input because of it.
    pub(crate) fn needs_stand_in(&self) -> bool {
        let is_behind = |count: &Count| matches!(count, Count::Of { path, .. } if path.starts_with('*'));
        matches!(self.what, What::End(_)) || self.what.count().is_some_and(is_behind)
    }

    /// The file with the grammar, if it is a text of one.
    pub fn grammar(&self) -> Option<&str> {
        of_function(&self.text).1.split_once('=')?.1.strip_prefix("grammar:")
    }
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// A string of at most so many characters, or of exactly as many as something else says.
    String(Count),
    /// So many objects side by side.
    Array(Count),
    /// So many bytes of any value.
    Bytes(Count),
    /// The end of what another parameter leads to, with as many elements before it.
    End(Count),
    /// Never null.
    NotNull,
    /// Always null.
    Null,
    /// Always this number.
    Fixed(u64),
    /// A function that returns an input.
    Stub,
    /// Any function of the program that has the type.
    AnyFunction,
    /// This function of the program; of a union, this member; of a pointer, an object of this structure, or that member of one.
    Named(String),
}

impl What {
    /// How many objects there are, if that is said.
    pub fn count(&self) -> Option<&Count> {
        match self {
            Self::String(count) | Self::Array(count) | Self::Bytes(count) => Some(count),
            _ => None,
        }
    }
}

/// A variable of the program that is to be an input: `NAME` or `PATH=SETTING`, or `all`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalRequest {
    /// As for a setting.
    path: String,
    pub setting: Option<Setting>,
}

impl GlobalRequest {
    /// Every variable.
    const ALL: &str = "all";

    pub fn is_for_all(&self) -> bool {
        self.path == Self::ALL
    }

    /// Those of the variables that are meant.
    pub fn chosen<'v>(&self, variables: &[&'v str]) -> Vec<&'v str> {
        if self.is_for_all() {
            return variables.to_vec();
        }
        split(&self.path, variables.iter().copied()).map(|(root, _)| root).into_iter().collect()
    }
}

impl FromStr for GlobalRequest {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let setting = text.contains('=').then(|| text.parse::<Setting>()).transpose()?;
        let path = setting.as_ref().map_or(text, |setting| &setting.path).to_owned();
        Ok(Self { path, setting })
    }
}

impl std::fmt::Display for GlobalRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.setting {
            Some(setting) => setting.fmt(f),
            None => f.write_str(&self.path),
        }
    }
}

/// How many objects there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Count {
    Known(u32),
    /// As many as a number of the input says, but not more than a limit.
    Of {
        path: String,
        max: u32,
    },
}

/// Where a number of the input says how many objects there are, without a limit of the user's.
const USUAL_MAX: u32 = 8;

impl Count {
    fn parse(text: &str) -> Option<Self> {
        if let Ok(count) = text.parse() {
            return (count > 0).then_some(Self::Known(count));
        }
        let (path, max) = match text.split_once("<=") {
            Some((path, max)) => (path, max.trim().parse().ok()?),
            None => (text, USUAL_MAX),
        };
        let path = path.trim();
        (is_path(path) && max > 0).then(|| Self::Of { path: path.to_owned(), max })
    }
}

impl FromStr for Setting {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let wrong = |reason| UnitError::Setting { setting: text.to_owned(), reason };
        let (function, own) = of_function(text);
        let (path, what) = own.split_once('=').ok_or(wrong("write NAME=SETTING"))?;
        let path = path.trim();
        if path == ALL && what != "nonnull" {
            return Err(wrong("of all pointers at once, only *=nonnull can be said"));
        }
        if path != ALL && !is_path(path) {
            return Err(wrong(
                "before the `=` comes a parameter, or a way from there such as b->data, ops.open or argv[]",
            ));
        }
        let (kind, count) = match what.split_once(':') {
            Some((kind, count)) => (kind, Some(count)),
            None => (what, None),
        };
        let counted =
            |text| Count::parse(text).ok_or(wrong("after the colon comes a number, or what says it as in n<=16"));
        let what = match (kind, count) {
            ("string", Some("0")) => What::String(Count::Known(0)),
            ("string", Some(len)) => What::String(counted(len)?),
            ("grammar", Some(_)) => What::String(Count::Known(MAX_TEXT)),
            ("array", Some(count)) => What::Array(counted(count)?),
            ("bytes", Some(count)) => What::Bytes(counted(count)?),
            ("end", Some(start)) => match counted(start)? {
                Count::Known(_) => return Err(wrong("after end: comes the parameter that points to the start")),
                start => What::End(start),
            },
            ("nonnull", None) => What::NotNull,
            ("null", None) => What::Null,
            ("stub", None) => What::Stub,
            ("any", None) => What::AnyFunction,
            ("string" | "array" | "bytes", None) => return Err(wrong(KINDS)),
            (name, None) if without_keyword(name).split('.').all(|part| is_name(part) && !part.is_empty()) => {
                What::Named(name.to_owned())
            }
            (number, None) => What::Fixed(parse_number(number).ok_or(wrong(KINDS))?),
            _ => return Err(wrong(KINDS)),
        };
        Ok(Self { function: function.map(str::to_owned), path: path.to_owned(), what, text: text.to_owned() })
    }
}

/// The function that a setting is for, if it names one as in `f:n=3`, and the rest.
fn of_function(text: &str) -> (Option<&str>, &str) {
    match text.split_once(':') {
        Some((function, rest)) if is_name(function) && !function.is_empty() && !rest.starts_with(':') => {
            (Some(function), rest)
        }
        _ => (None, text),
    }
}

const KINDS: &str = "it is string:N, array:N, bytes:N, end:START, grammar:FILE, nonnull, null, stub, any, a function, the member of a union, a structure, a member of one (struct job.link) or a number";

/// Whether C could get anywhere by it: from a name, or from the name of a type.
fn is_path(text: &str) -> bool {
    let plain = text.trim_start_matches('*');
    let name = without_keyword(plain);
    let name = name.strip_prefix("::").unwrap_or(name);
    let end = name.find(|sign: char| sign != '_' && !sign.is_ascii_alphanumeric()).unwrap_or(name.len());
    is_name(&name[..end]) && split(name, [&name[..end]].into_iter()).is_some()
}

/// What stands before the names of structures.
pub(crate) const RECORDS: [&str; 2] = ["struct ", "union "];

fn without_keyword(text: &str) -> &str {
    RECORDS.iter().find_map(|keyword| text.strip_prefix(keyword)).unwrap_or(text)
}

/// A number as C writes it.
fn parse_number(text: &str) -> Option<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    let value: u64 = value.ok()?;
    Some(if negative { value.wrapping_neg() } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_said() {
        let what = |text: &str| text.parse::<Setting>().map(|setting| setting.what);
        assert_eq!(what("s=string:12"), Ok(What::String(Count::Known(12))));
        assert_eq!(what("a=array:3"), Ok(What::Array(Count::Known(3))));
        assert_eq!(what("a=array:n"), Ok(What::Array(Count::Of { path: "n".to_owned(), max: USUAL_MAX })));
        assert_eq!(what("a=bytes:n <= 16"), Ok(What::Bytes(Count::Of { path: "n".to_owned(), max: 16 })));
        assert_eq!(what("s=grammar:x.g"), Ok(What::String(Count::Known(MAX_TEXT))));
        assert_eq!("s=grammar:x.g".parse::<Setting>().unwrap().grammar(), Some("x.g"));
        assert!(what("a=array:n<=0").is_err());
        assert!(what("a=array:n-1").is_err());
        assert_eq!(what("n=-1"), Ok(What::Fixed(u64::MAX)));
        assert_eq!(what("n=0x10"), Ok(What::Fixed(16)));
        assert!(what("a=array:0").is_err());
        assert!(what("a=array").is_err());
        assert!(what("a").is_err());
        assert_eq!(what("cmp=by_key"), Ok(What::Named("by_key".to_owned())));
        assert_eq!(what("item->data=struct pay"), Ok(What::Named("struct pay".to_owned())));
        assert_eq!(what("p=struct job.link"), Ok(What::Named("struct job.link".to_owned())));
        assert!(what("item->data=struct 3").is_err());
        assert!(what("p=struct job.").is_err());
        assert_eq!(what("cmp=any"), Ok(What::AnyFunction));
        assert_eq!(what("struct buffer.data=null"), Ok(What::Null));
        assert_eq!(what("*out=3"), Ok(What::Fixed(3)));
        assert_eq!(what("end=end:p<=4"), Ok(What::End(Count::Of { path: "p".to_owned(), max: 4 })));
        assert_eq!(what("a=array:*n"), Ok(What::Array(Count::Of { path: "*n".to_owned(), max: USUAL_MAX })));
        assert!(what("end=end:3").is_err());
        assert!(what("b->=null").is_err());
        assert!(what("=null").is_err());
        assert_eq!(what("*=nonnull"), Ok(What::NotNull));
        assert!(what("*=null").is_err());
        let of_one: Setting = "f:a=array:n".parse().unwrap();
        assert_eq!((of_one.function.as_deref(), of_one.path.as_str()), (Some("f"), "a"));
    }
}
