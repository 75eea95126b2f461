//! The forms that tests can be exported in.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// C with a `main` of its own.
    C,
    Cmocka,
    Check,
    /// GoogleTest.
    Gtest,
    /// A CMake project.
    Ctest,
    /// KLEE's files.
    Ktest,
    /// Test-Comp's XML, zipped.
    Testcomp,
    /// Files for fuzzers.
    Corpus,
    /// Results as JUnit's XML.
    Junit,
}

impl Format {
    pub const ALL: &'static [Self] = &[
        Self::C,
        Self::Cmocka,
        Self::Check,
        Self::Gtest,
        Self::Ctest,
        Self::Ktest,
        Self::Testcomp,
        Self::Corpus,
        Self::Junit,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cmocka => "cmocka",
            Self::Check => "check",
            Self::Gtest => "gtest",
            Self::Ctest => "ctest",
            Self::Ktest => "ktest",
            Self::Testcomp => "testcomp",
            Self::Corpus => "corpus",
            Self::Junit => "junit",
        }
    }

    /// Whether the campaign's directory alone is not enough: C code can't be written without the program's types.
    pub fn needs_program(self) -> bool {
        match self {
            Self::C | Self::Cmocka | Self::Check | Self::Gtest | Self::Ctest => true,
            Self::Ktest | Self::Testcomp | Self::Corpus | Self::Junit => false,
        }
    }
}
