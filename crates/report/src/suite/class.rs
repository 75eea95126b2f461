//! The classes of findings: how much a finding says about the program by itself.
//!
//! Steps to add a class: a row in the table, the rule that puts findings there, its exit code in `cli/exit`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use spelunk_vm::BugKind;

use super::precondition::Precondition;
use super::summary::{BugEntry, Summary};

/// In the order in which they are listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// A violation that no precondition excludes, neither a stated nor a guessed one.
    #[default]
    Bug,
    /// For some input, the program never ends.
    MayNotEnd,
    /// More stack or memory than there is.
    Resource,
    /// All inputs that show it violate a condition that all inputs without a finding satisfy: its callers may grant it.
    NeedsPrecondition,
}

impl Class {
    pub const ALL: [Self; 4] = [Self::Bug, Self::MayNotEnd, Self::Resource, Self::NeedsPrecondition];

    /// The stable name in files.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Bug => "bug",
            Self::MayNotEnd => "may-not-end",
            Self::Resource => "resource",
            Self::NeedsPrecondition => "needs-precondition",
        }
    }

    /// What stands above a list of such findings.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Bug => "Bugs",
            Self::MayNotEnd => "May not end",
            Self::Resource => "Resource limits",
            Self::NeedsPrecondition => "Needs a precondition",
        }
    }

    /// So many such findings, in words.
    pub fn counted(self, n: usize) -> String {
        match (self, n) {
            (Self::Bug, 1) => "1 bug".to_owned(),
            (Self::Bug, n) => format!("{n} bugs"),
            (Self::MayNotEnd, n) => format!("{n} may not end"),
            (Self::Resource, 1) => "1 exceeds a resource limit".to_owned(),
            (Self::Resource, n) => format!("{n} exceed a resource limit"),
            (Self::NeedsPrecondition, 1) => "1 needs a precondition".to_owned(),
            (Self::NeedsPrecondition, n) => format!("{n} need a precondition"),
        }
    }

    /// The class of an error about whose inputs nothing is known.
    pub fn of_kind(kind: &str) -> Self {
        match BugKind::from_slug(kind) {
            Some(BugKind::EndlessLoop) => Self::MayNotEnd,
            Some(BugKind::StackExhausted | BugKind::MemoryLimit) => Self::Resource,
            _ => Self::Bug,
        }
    }
}

impl BugEntry {
    /// Takes down what may be missing as a precondition.
    pub fn set_precondition(&mut self, condition: Option<Precondition>) {
        self.class = match condition {
            Some(_) => Class::NeedsPrecondition,
            None => Class::of_kind(&self.kind),
        };
        let Precondition { text, rules, param } = condition.unwrap_or_default();
        self.precondition = (self.class == Class::NeedsPrecondition).then_some(text);
        (self.precondition_rules, self.precondition_param) = (rules, param);
    }
}

impl Summary {
    pub fn of_class(&self, class: Class) -> impl Iterator<Item = &BugEntry> {
        self.bugs.iter().filter(move |bug| bug.class == class)
    }

    /// Counts the findings of each class.
    pub fn count_classes(&mut self) {
        let counted = Class::ALL.map(|class| (class.slug().to_owned(), self.of_class(class).count() as u64));
        self.findings = counted.into_iter().filter(|&(_, n)| n > 0).collect::<BTreeMap<_, _>>();
    }
}

/// All findings in words: `2 bugs, 1 needs a precondition`.
pub fn in_words(bugs: &[BugEntry]) -> String {
    let counted = Class::ALL.map(|class| (class, bugs.iter().filter(|bug| bug.class == class).count()));
    let words: Vec<String> = counted.iter().filter(|(_, n)| *n > 0).map(|&(class, n)| class.counted(n)).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}
