//! The subjects of lazy initialization in `hex/`: C versions of those that the paper on HEX measures (section 4.2), with its bounds.

/// A program, and what is run of it.
pub struct Subject {
    /// As the paper numbers them.
    pub number: &'static str,
    /// `hex/FILE.c` and `hex/FILE.hex`.
    pub file: &'static str,
    pub operations: &'static [&'static str],
    pub pairs: Pairs,
    /// How many objects there may be. The headers of rings are counted in.
    pub objects: &'static [&'static str],
    /// The invariant that `--audit` checks.
    pub audit: &'static str,
}

/// Which operations are run after each other.
pub enum Pairs {
    /// Each after each.
    All,
    These(&'static [&'static str]),
}

pub const SUBJECTS: [Subject; 7] = [
    Subject {
        number: "P1",
        file: "list",
        operations: &[
            "add_first",
            "add_last",
            "remove_first",
            "remove_last",
            "first",
            "last",
            "contains",
            "remove_value",
            "clear",
        ],
        pairs: Pairs::All,
        objects: &["struct entry=6"],
        audit: "ok",
    },
    Subject {
        number: "P2",
        file: "rbmap",
        operations: &["put", "remove_key", "get", "contains_value", "first_key", "last_key", "clear"],
        pairs: Pairs::All,
        objects: &["struct node=3"],
        audit: "ok",
    },
    Subject {
        number: "P3",
        file: "avl",
        operations: &["insert", "remove_key", "find", "find_min", "find_max", "clear"],
        pairs: Pairs::All,
        objects: &["struct node=4"],
        audit: "ok",
    },
    Subject {
        number: "P4",
        file: "caching",
        operations: &[
            "add_first",
            "add_last",
            "remove_first",
            "remove_last",
            "contains",
            "remove_index",
            "shrink_cache",
            "clear",
        ],
        pairs: Pairs::All,
        objects: &["struct node=5"],
        audit: "ok",
    },
    Subject {
        number: "P5",
        file: "plan",
        operations: &["synthesise", "left_to_fly", "join_route"],
        pairs: Pairs::These(&[]),
        objects: &["struct fix=4"],
        audit: "ok",
    },
    Subject {
        number: "P6",
        file: "traversal",
        operations: &["traverse", "append", "forget"],
        pairs: Pairs::These(&["append_then_traverse", "traverse_then_forget"]),
        objects: &["struct node=4", "struct graph=4"],
        audit: "ok",
    },
    Subject {
        number: "P7",
        file: "labels",
        operations: &["rename_labels", "adopt"],
        pairs: Pairs::These(&[]),
        objects: &["struct node=4"],
        audit: "valid",
    },
];

impl Subject {
    /// Every operation and every pair.
    fn all_targets(&self) -> Vec<String> {
        let singles = self.operations.iter().map(ToString::to_string);
        let pairs: Vec<String> = match self.pairs {
            Pairs::All => {
                let after = |a: &str| self.operations.iter().map(move |b| format!("{a}_then_{b}")).collect::<Vec<_>>();
                self.operations.iter().flat_map(|a| after(a)).collect()
            }
            Pairs::These(pairs) => pairs.iter().map(ToString::to_string).collect(),
        };
        singles.chain(pairs).collect()
    }

    /// At most so many of them, spread over all.
    pub fn targets(&self, max: usize) -> Vec<String> {
        let all = self.all_targets();
        let n = max.min(all.len());
        (0..n).map(|i| all[i * all.len() / n].clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::process::Command;

    /// What the invariants say is right of structures that the operations build, and of others.
    #[test]
    fn subjects_test_themselves() {
        let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
        let dir = tempfile::tempdir().expect("a directory for programs");
        for Subject { file, .. } in SUBJECTS {
            let program = dir.path().join(file);
            let compiled = Command::new("clang-19")
                .args(["-DSELFTEST", "-O1", "-g", "-Wall", "-Wno-unused-function", "-Werror"])
                .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I"])
                .arg(benches.join("../crates/concolic/include"))
                .arg(benches.join(format!("hex/{file}.c")))
                .arg("-o")
                .arg(&program)
                .status();
            assert!(compiled.expect("clang-19 can be started").success(), "{file} does not compile");
            let output = Command::new(&program).output().expect("the program can be started");
            assert!(output.status.success(), "{file}: {output:?}");
        }
    }

    #[test]
    fn targets_are_functions_of_the_subject() {
        for subject in &SUBJECTS {
            let text =
                std::fs::read_to_string(super::super::file(&format!("{}.c", subject.file))).expect("the subject");
            let all = subject.targets(usize::MAX);
            assert_eq!(all, subject.all_targets());
            for target in all {
                let names: Vec<&str> = target.split("_then_").collect();
                assert!(names.iter().all(|name| text.contains(&format!("int {name}("))), "{target}");
            }
        }
        assert_eq!(SUBJECTS.iter().map(|subject| subject.all_targets().len()).sum::<usize>(), 270);
    }
}
