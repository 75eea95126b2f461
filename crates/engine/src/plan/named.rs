//! What has a name is written by it.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use spelunk_explore::strategy::Kind;
use spelunk_native::Confinement;
use spelunk_solver::blast::SatKind;
use spelunk_solver::chain::{Backend, Layer};
use spelunk_vm::BugKind;

/// Further errors to look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// Heap memory that nothing points to at the end.
    Leak,
    /// More memory than a run may use, which otherwise only ends the path.
    MemoryLimit,
    /// An index that leaves the array that it is used with, even if it stays in the object.
    MemberBounds,
    SignedOverflow,
    /// Accesses through types that C does not allow.
    EffectiveType,
    /// Loops that never end although they never come back to the same state, and input for which they do.
    Termination,
    /// The same, and loops that would never end if integers had no bounds, which are no bugs.
    TerminationUnbounded,
}

impl Check {
    pub const ALL: &'static [Self] = &[
        Self::EffectiveType,
        Self::Leak,
        Self::MemberBounds,
        Self::MemoryLimit,
        Self::SignedOverflow,
        Self::Termination,
        Self::TerminationUnbounded,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::EffectiveType => BugKind::EffectiveType.slug(),
            Self::Leak => BugKind::Leak.slug(),
            Self::MemoryLimit => BugKind::MemoryLimit.slug(),
            Self::MemberBounds => BugKind::MemberBounds.slug(),
            Self::SignedOverflow => BugKind::SignedOverflow.slug(),
            Self::Termination => "termination",
            Self::TerminationUnbounded => "termination-unbounded",
        }
    }

    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|check| check.name() == name)
    }
}

/// What a choice of tests must keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// What covered something new when it was found, and one test for each finding.
    Coverage,
    /// One test for each finding.
    Findings,
    /// Every path: all tests.
    Paths,
    /// Lines, and both ways of every branch.
    Branches,
    /// The same, and every combination of conditions that a decision was met with.
    Mcdc,
    Lines,
}

impl Keep {
    pub const ALL: &'static [Self] =
        &[Self::Coverage, Self::Findings, Self::Paths, Self::Branches, Self::Mcdc, Self::Lines];

    /// Those that can be chosen once all tests are there.
    pub const MEASURED: &'static [Self] = &[Self::Paths, Self::Branches, Self::Mcdc, Self::Lines];

    /// Whether a test is kept or not when it is found.
    pub fn is_by_what_was_new(self) -> bool {
        matches!(self, Self::Coverage | Self::Findings)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Coverage => "coverage",
            Self::Findings => "findings",
            Self::Paths => "paths",
            Self::Branches => "branches",
            Self::Mcdc => "mcdc",
            Self::Lines => "lines",
        }
    }
}

pub(super) trait Named: Copy + 'static {
    fn all() -> &'static [Self];
    fn name_of(self) -> &'static str;

    fn find(name: &str) -> Result<Self, String> {
        let found = Self::all().iter().copied().find(|item| item.name_of() == name);
        found.ok_or_else(|| {
            let known: Vec<_> = Self::all().iter().map(|item| item.name_of()).collect();
            format!("`{name}` is none of {}", known.join(", "))
        })
    }
}

macro_rules! named {
    ($($ty:ty),+) => {
        $(impl Named for $ty {
            fn all() -> &'static [Self] {
                Self::ALL
            }
            fn name_of(self) -> &'static str {
                self.name()
            }
        })+
    };
}

named!(Backend, Check, Confinement, Keep, Kind, Layer, SatKind);

impl Serialize for Check {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        one::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Check {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        one::deserialize(deserializer)
    }
}

pub(super) mod one {
    use super::*;

    pub fn serialize<T: Named, S: Serializer>(item: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(item.name_of())
    }

    pub fn deserialize<'de, T: Named, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::find(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

pub(super) mod several {
    use super::*;

    pub fn serialize<T: Named, S: Serializer>(items: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(items.iter().map(|item| item.name_of()))
    }

    pub fn deserialize<'de, T: Named, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        names.iter().map(|name| T::find(name)).collect::<Result<_, _>>().map_err(D::Error::custom)
    }
}

pub(super) mod optional {
    use super::*;

    pub fn serialize<T: Named, S: Serializer>(item: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        item.map(T::name_of).serialize(serializer)
    }

    pub fn deserialize<'de, T: Named, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        let name = Option::<String>::deserialize(deserializer)?;
        name.map(|name| T::find(&name)).transpose().map_err(D::Error::custom)
    }
}
