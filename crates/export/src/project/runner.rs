//! What runs the tests: the table of them, and `main`.

use std::fmt::Write;

use super::framework::Framework;

/// A test as the runner knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    pub name: String,
    pub ends: Ends,
}

/// How the process of a test ends if it passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends {
    With(i32),
    /// A bug has kept it from its end, so nobody knows.
    Somehow,
}

impl Ends {
    fn status(self) -> String {
        match self {
            Self::With(status) => status.to_string(),
            Self::Somehow => "SPELUNK_ANY_STATUS".to_owned(),
        }
    }
}

/// The name of the function that the linker starts: the program may have a `main` of its own.
pub fn main_name(wraps_main: bool) -> &'static str {
    if wraps_main { "__wrap_main" } else { "main" }
}

/// The end of the file of tests.
pub fn runner(framework: Framework, suite: &str, tests: &[Listed], main: Option<&str>) -> String {
    let mut text = String::new();
    if framework != Framework::Check {
        text.push_str(&table(framework, tests));
    }
    let Some(main) = main else { return text };
    if main != "main" {
        write!(text, "\n/* Called instead of the program's own `main`: see the flag `--wrap` for the linker. */\nint {main}(int argc, char **argv);\n").expect("a string grows");
    }
    match framework {
        Framework::Plain => {
            write!(text, "\nint {main}(int argc, char **argv)\n{{\n  return spelunk_main(argc, argv, NULL);\n}}\n")
                .expect("a string grows");
        }
        Framework::Cmocka => text.push_str(&cmocka_main(tests, main)),
        Framework::Check => text.push_str(&check_main(suite, tests, main)),
    }
    text
}

fn table(framework: Framework, tests: &[Listed]) -> String {
    let function = |name: &str| if framework == Framework::Plain { name.to_owned() } else { "NULL".to_owned() };
    let row =
        |test: &Listed| format!("  {{\"{0}\", {1}, {2}}},\n", test.name, function(&test.name), test.ends.status());
    let rows: String = tests.iter().map(row).collect();
    format!("\nconst struct spelunk_test spelunk_tests[] = {{\n{rows}  {{NULL, NULL, 0}},\n}};\n")
}

/// Each test is a group of its own, in a process of its own.
fn cmocka_main(tests: &[Listed], main: &str) -> String {
    let rows: String = tests.iter().map(|test| format!("  cmocka_unit_test({}),\n", test.name)).collect();
    format!(
        "\nstatic const struct CMUnitTest unit_tests[] = {{\n{rows}}};\n\n\
         /* In a process of its own, so that each finds the program's variables as they are at the start. */\n\
         static int run(int number)\n{{\n  const struct CMUnitTest one[] = {{unit_tests[number]}};\n  \
         return cmocka_run_group_tests_name(one[0].name, one, NULL, NULL);\n}}\n\n\
         int {main}(int argc, char **argv)\n{{\n  return spelunk_main(argc, argv, run);\n}}\n"
    )
}

fn check_main(suite: &str, tests: &[Listed], main: &str) -> String {
    let add = |test: &Listed| {
        let name = &test.name;
        let added = match test.ends {
            Ends::With(status) if status != 0 => format!("tcase_add_exit_test(tcase, {name}, {status})"),
            _ => format!("tcase_add_test(tcase, {name})"),
        };
        format!("  if (spelunk_is_wanted(argc, argv, \"{name}\"))\n    {added};\n")
    };
    let adds: String = tests.iter().map(add).collect();
    format!(
        "\nint {main}(int argc, char **argv)\n{{\n  Suite *suite = suite_create(\"{suite}\");\n  \
         TCase *tcase = tcase_create(\"tests\");\n  tcase_set_timeout(tcase, 10);\n  suite_add_tcase(suite, tcase);\n{adds}  \
         SRunner *runner = srunner_create(suite);\n  srunner_run_all(runner, CK_ENV);\n  \
         int n_failed = srunner_ntests_failed(runner);\n  srunner_free(runner);\n  return n_failed > 0;\n}}\n"
    )
}

/// GoogleTest's side: a test for each of the table.
pub fn google_tests(suite: &str, tests: &[Listed], main: &str) -> String {
    let rows: String = tests
        .iter()
        .map(|test| format!("TEST({suite}, {0})\n{{\n  EXPECT_EQ(spelunk_run_alone(\"{0}\"), 0);\n}}\n\n", test.name))
        .collect();
    let linkage = if main == "main" { "" } else { "extern \"C\" " };
    format!(
        "/* The tests of tests.c, which is C, for GoogleTest. Each runs in a process of its own. */\n\
         #include <gtest/gtest.h>\n\n#include \"spelunk_test.h\"\n\n{rows}\
         {linkage}int {main}(int argc, char **argv)\n{{\n  testing::InitGoogleTest(&argc, argv);\n  \
         return RUN_ALL_TESTS();\n}}\n"
    )
}
