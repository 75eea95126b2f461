//! What a user says about a parameter: `NAME=SETTING`.

use crate::error::UnitError;
use std::str::FromStr;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    pub param: String,
    pub what: What,
    /// As it was written.
    text: String,
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// A string of at most so many characters.
    String(u32),
    /// So many objects side by side.
    Array(Count),
    /// So many bytes of any value.
    Bytes(Count),
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
    /// This function of the program.
    Function(String),
}

/// A variable of the program that is to be an input: `NAME` or `NAME=SETTING`, or `all`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalRequest {
    pub name: String,
    pub setting: Option<Setting>,
}

impl GlobalRequest {
    /// Every variable.
    pub const ALL: &str = "all";
}

impl FromStr for GlobalRequest {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let setting = text.contains('=').then(|| text.parse::<Setting>()).transpose()?;
        let name = setting.as_ref().map_or(text, |setting| &setting.param).to_owned();
        Ok(Self { name, setting })
    }
}

impl std::fmt::Display for GlobalRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.setting {
            Some(setting) => setting.fmt(f),
            None => f.write_str(&self.name),
        }
    }
}

/// How many objects there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Count {
    Known(u32),
    /// As many as another parameter says, but not more than a limit.
    Param {
        name: String,
        max: u32,
    },
}

/// Where another parameter says how many objects there are, without a limit of the user's.
const USUAL_MAX: u32 = 8;

impl Count {
    fn parse(text: &str) -> Option<Self> {
        if let Ok(count) = text.parse() {
            return (count > 0).then_some(Self::Known(count));
        }
        let (name, max) = match text.split_once("<=") {
            Some((name, max)) => (name, max.trim().parse().ok()?),
            None => (text, USUAL_MAX),
        };
        let name = name.trim();
        (is_name(name) && max > 0).then(|| Self::Param { name: name.to_owned(), max })
    }
}

impl FromStr for Setting {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let wrong = |reason| UnitError::Setting { setting: text.to_owned(), reason };
        let (param, what) = text.split_once('=').ok_or(wrong("write NAME=SETTING"))?;
        let (kind, count) = match what.split_once(':') {
            Some((kind, count)) => (kind, Some(count)),
            None => (what, None),
        };
        let counted =
            |text| Count::parse(text).ok_or(wrong("after the colon comes a number, or a parameter as in n<=16"));
        let what = match (kind, count) {
            ("string", Some(len)) => What::String(len.parse().map_err(|_| wrong("a number comes after string:"))?),
            ("array", Some(count)) => What::Array(counted(count)?),
            ("bytes", Some(count)) => What::Bytes(counted(count)?),
            ("nonnull", None) => What::NotNull,
            ("null", None) => What::Null,
            ("stub", None) => What::Stub,
            ("any", None) => What::AnyFunction,
            ("string" | "array" | "bytes", None) => return Err(wrong(KINDS)),
            (name, None) if is_name(name) => What::Function(name.to_owned()),
            (number, None) => What::Fixed(parse_number(number).ok_or(wrong(KINDS))?),
            _ => return Err(wrong(KINDS)),
        };
        Ok(Self { param: param.to_owned(), what, text: text.to_owned() })
    }
}

const KINDS: &str = "it is string:N, array:N, bytes:N, nonnull, null, stub, any, a function or a number";

fn is_name(text: &str) -> bool {
    let is_part = |letter: char| letter == '_' || letter.is_ascii_alphanumeric();
    text.chars().all(is_part) && text.starts_with(|first: char| !first.is_ascii_digit())
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
        assert_eq!(what("s=string:12"), Ok(What::String(12)));
        assert_eq!(what("a=array:3"), Ok(What::Array(Count::Known(3))));
        assert_eq!(what("a=array:n"), Ok(What::Array(Count::Param { name: "n".to_owned(), max: USUAL_MAX })));
        assert_eq!(what("a=bytes:n <= 16"), Ok(What::Bytes(Count::Param { name: "n".to_owned(), max: 16 })));
        assert!(what("a=array:n<=0").is_err());
        assert!(what("a=array:n-1").is_err());
        assert_eq!(what("n=-1"), Ok(What::Fixed(u64::MAX)));
        assert_eq!(what("n=0x10"), Ok(What::Fixed(16)));
        assert!(what("a=array:0").is_err());
        assert!(what("a=array").is_err());
        assert!(what("a").is_err());
        assert_eq!(what("cmp=by_key"), Ok(What::Function("by_key".to_owned())));
        assert_eq!(what("cmp=any"), Ok(What::AnyFunction));
    }
}
