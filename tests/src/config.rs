//! The ways one program is compiled. Steps to add one: add a row to `CONFIGS`.

/// A compiler and an optimisation level; the same pair is used natively and under the VM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    pub name: &'static str,
    pub clang: &'static str,
    pub opt: &'static str,
}

pub const CONFIGS: &[Config] = &[
    Config { name: "O0", clang: "clang-19", opt: "-O0" },
    Config { name: "O1", clang: "clang-19", opt: "-O1" },
    Config { name: "O2", clang: "clang-19", opt: "-O2" },
    Config { name: "clang16-O0", clang: "clang-16", opt: "-O0" },
];

impl Config {
    pub fn by_name(name: &str) -> Option<Config> {
        CONFIGS.iter().copied().find(|config| config.name == name)
    }

    pub fn is_unoptimised(&self) -> bool {
        self.opt == "-O0"
    }
}
