//! What came of an export.

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exported {
    /// Tests that were written.
    pub n_tests: usize,
    pub left_out: Vec<LeftOut>,
    /// What a person should do next, such as the command that runs the tests.
    pub next: Option<String>,
}

/// A test that was not written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOut {
    pub test: u64,
    /// As the end of a sentence: "it does not end".
    pub reason: String,
}
