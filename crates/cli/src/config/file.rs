//! The file as it is written: tables of options by their long names, each checked where it stands.

use super::{COMMANDS, NOT_HERE, PATHS, from_here};
use crate::args::command;
use clap::{Arg, ArgAction};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// What is wrong with a file, and where.
#[derive(Debug)]
pub struct ConfigError {
    place: String,
    message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// An option, and what it is set to.
#[derive(Clone, Debug)]
pub struct Set {
    /// As clap calls it.
    pub id: String,
    /// As the file calls it.
    pub key: String,
    pub values: Vec<String>,
    /// Where it stands.
    pub at: usize,
}

pub type Options = Vec<Set>;

#[derive(Debug)]
pub struct File {
    path: PathBuf,
    text: String,
    /// What is tested if the command line does not say.
    pub entries: Option<Vec<String>>,
    pub options: Options,
    /// Of single functions, by their names.
    pub functions: BTreeMap<String, Options>,
    /// Sequences of calls that have names.
    pub sequences: BTreeMap<String, Options>,
}

impl File {
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let failed = |message: String| ConfigError { place: path.display().to_string(), message };
        let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
        let mut file = Self {
            path: path.to_owned(),
            text: text.clone(),
            entries: None,
            options: Vec::new(),
            functions: BTreeMap::new(),
            sequences: BTreeMap::new(),
        };
        let table = DeTable::parse(&text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            file.wrong(at, error.message().to_owned())
        })?;
        for (key, value) in table.get_ref() {
            let at = key.span().start;
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("entries", value) => file.entries = Some(file.values("entries", value, at)?),
                ("entry", DeValue::Table(tables)) => file.functions = file.tables(tables, "entry")?,
                ("sequence", DeValue::Table(tables)) => file.sequences = file.tables(tables, "sequence")?,
                (key, value) => {
                    let set = file.set(key, value, at)?;
                    file.options.push(set);
                }
            }
        }
        Ok(file)
    }

    /// Where something stands.
    pub fn place(&self, at: usize) -> String {
        let before = &self.text[..at.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{}:{line}:{column}", from_here(&self.path.display().to_string(), Path::new("")))
    }

    fn wrong(&self, at: usize, message: String) -> ConfigError {
        ConfigError { place: self.place(at), message }
    }

    /// Tables of options by name: `[entry.NAME]`.
    fn tables(&self, tables: &DeTable<'_>, kind: &str) -> Result<BTreeMap<String, Options>, ConfigError> {
        let mut found = BTreeMap::new();
        for (name, table) in tables {
            let at = name.span().start;
            let DeValue::Table(table) = table.get_ref() else {
                return Err(self.wrong(
                    at,
                    format!("`{kind}.{name}` is a table of options: write [{kind}.{name}]", name = name.get_ref()),
                ));
            };
            let mut options = Vec::new();
            for (key, value) in table {
                let at = key.span().start;
                match (kind, key.get_ref().as_ref()) {
                    ("sequence", "functions") => {
                        let values = self.values("functions", value.get_ref(), at)?;
                        options.push(Set { id: "sequence".to_owned(), key: "functions".to_owned(), values, at });
                    }
                    (_, key) => options.push(self.set(key, value.get_ref(), at)?),
                }
            }
            if kind == "sequence" && !options.iter().any(|set| set.id == "sequence") {
                return Err(self.wrong(at, format!("[sequence.{}] needs functions = [\"…\", …]", name.get_ref())));
            }
            found.insert(name.get_ref().to_string(), options);
        }
        Ok(found)
    }

    fn set(&self, key: &str, value: &DeValue<'_>, at: usize) -> Result<Set, ConfigError> {
        let cli = command();
        let args = COMMANDS.iter().filter_map(|name| cli.find_subcommand(name)).flat_map(|it| it.get_arguments());
        let named = |arg: &&Arg| match arg.get_long() {
            Some(long) => long == key,
            None => arg.get_id() == key,
        };
        let may_be = |arg: &&Arg| !NOT_HERE.contains(&arg.get_id().as_str());
        let Some(arg) = args.filter(may_be).find(named) else {
            let message = format!(
                "`{key}` is no option that a project can set: write the long name of an option of `spelunk run`, as in \
                 time = \"60s\", or entries, [entry.FUNCTION], [sequence.NAME]"
            );
            return Err(self.wrong(at, message));
        };
        let mut values = self.values(key, value, at)?;
        if !arg.get_action().takes_values() {
            match &values[..] {
                [value] if value == "true" => {}
                [value] if value == "false" => values.clear(),
                _ => return Err(self.wrong(at, format!("`{key}` is true or false"))),
            }
        } else if values.len() != 1 && !matches!(arg.get_action(), ArgAction::Append) && arg.get_long().is_some() {
            return Err(self.wrong(at, format!("`{key}` has one value")));
        }
        let set = Set { id: arg.get_id().to_string(), key: key.to_owned(), values, at };
        self.check(&set, arg)?;
        Ok(set)
    }

    /// Texts, numbers and truth values, alone or in a list.
    fn values(&self, key: &str, value: &DeValue<'_>, at: usize) -> Result<Vec<String>, ConfigError> {
        Ok(match value {
            DeValue::String(text) => vec![text.to_string()],
            DeValue::Integer(number) => vec![number.to_string()],
            DeValue::Boolean(value) => vec![value.to_string()],
            DeValue::Array(values) => {
                let values = values.iter().map(|value| self.values(key, value.get_ref(), value.span().start));
                values.collect::<Result<Vec<_>, _>>()?.concat()
            }
            _ => return Err(self.wrong(at, format!("`{key}` is a text, a number, true, false or a list of these"))),
        })
    }

    /// Whether clap takes the values. What the option goes together with does not matter here.
    fn check(&self, set: &Set, arg: &Arg) -> Result<(), ConfigError> {
        let Some(long) = arg.get_long().filter(|_| arg.get_action().takes_values()) else { return Ok(()) };
        let alone = Arg::new("value").long("value").value_parser(arg.get_value_parser().clone());
        let alone = alone.num_args(arg.get_num_args().unwrap_or(1.into())).allow_hyphen_values(true);
        let parser = clap::Command::new("spelunk").no_binary_name(true).arg(alone);
        for value in &set.values {
            let words = self.words(set, arg, value, None);
            let words = words.iter().map(|word| word.replacen(&format!("--{long}"), "--value", 1));
            if let Err(error) = parser.clone().try_get_matches_from(words) {
                let said = error.to_string();
                let mut lines = said.lines();
                let first = lines.next().unwrap_or_default();
                let possible = lines.next().filter(|line| line.trim_start().starts_with('[')).unwrap_or_default();
                let message = first.strip_prefix("error: ").unwrap_or(first).replace("--value <value>", &set.key);
                let message = format!("{message} {}", possible.trim());
                return Err(self.wrong(set.at, message.trim_end().to_owned()));
            }
        }
        Ok(())
    }

    /// How a command line says it; of one function only, if one is named.
    pub fn words(&self, set: &Set, arg: &Arg, value: &str, function: Option<&str>) -> Vec<String> {
        let value = match PATHS.contains(&set.id.as_str()) {
            true => from_here(value, self.path.parent().unwrap_or(Path::new(""))),
            false => value.to_owned(),
        };
        let n_values = arg.get_num_args().map_or(1, |range: clap::builder::ValueRange| range.min_values());
        let value = function.map_or_else(|| value.clone(), |function| format!("{function}:{value}"));
        match arg.get_long() {
            None => vec![value],
            Some(long) if !arg.get_action().takes_values() => vec![format!("--{long}")],
            // Several values are several words: "NAME N".
            Some(long) if n_values > 1 => {
                std::iter::once(format!("--{long}")).chain(value.split_whitespace().map(str::to_owned)).collect()
            }
            Some(long) => vec![format!("--{long}={value}")],
        }
    }
}
