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
}

impl Format {
    pub const ALL: &'static [Self] = &[Self::C, Self::Cmocka, Self::Check, Self::Gtest, Self::Ctest];

    pub fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cmocka => "cmocka",
            Self::Check => "check",
            Self::Gtest => "gtest",
            Self::Ctest => "ctest",
        }
    }

    /// Whether the campaign's directory alone is not enough: C code can't be written without the program's types.
    pub fn needs_program(self) -> bool {
        match self {
            Self::C | Self::Cmocka | Self::Check | Self::Gtest | Self::Ctest => true,
        }
    }
}
