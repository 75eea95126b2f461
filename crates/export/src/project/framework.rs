//! How tests look in each framework: their heads, what states an expectation, and the `main` that runs them.

use crate::Format;

/// What is expected; expressions in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Check {
    True(String),
    Signed(String, String),
    Unsigned(String, String),
    Float(String, String),
    NotANumber(String),
    Pointer(String, String),
    Null(String),
    NotNull(String),
    /// The bytes at an address, as a literal and how many they are.
    Bytes(String, String, usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Framework {
    /// Our own, without any library.
    Plain,
    Cmocka,
    Check,
}

impl Framework {
    /// What the C code of a form is written for.
    pub fn of(format: Format) -> Self {
        match format {
            Format::Cmocka => Self::Cmocka,
            Format::Check => Self::Check,
            _ => Self::Plain,
        }
    }

    /// Behind the program's code.
    pub fn includes(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Cmocka => {
                "#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n\n#include <cmocka.h>\n"
            }
            Self::Check => "#include <check.h>\n",
        }
    }

    pub fn head(self, name: &str) -> String {
        match self {
            Self::Plain => format!("static void {name}(void)\n{{\n"),
            Self::Cmocka => format!("static void {name}(void **state)\n{{\n  (void)state;\n"),
            Self::Check => format!("START_TEST({name})\n{{\n"),
        }
    }

    pub fn foot(self) -> &'static str {
        match self {
            Self::Plain | Self::Cmocka => "}\n",
            Self::Check => "}\nEND_TEST\n",
        }
    }

    pub fn check(self, check: &Check) -> String {
        match self {
            Self::Plain => plain(check),
            Self::Cmocka => cmocka(check),
            Self::Check => check_library(check),
        }
    }
}

fn plain(check: &Check) -> String {
    match check {
        Check::True(condition) => format!("expect_true({condition});"),
        Check::Signed(actual, expected) => format!("expect_int({actual}, {expected});"),
        Check::Unsigned(actual, expected) => format!("expect_uint({actual}, {expected});"),
        Check::Float(actual, expected) => format!("expect_float({actual}, {expected});"),
        Check::NotANumber(actual) => format!("expect_true({actual} != {actual});"),
        Check::Pointer(actual, expected) => format!("expect_ptr({actual}, {expected});"),
        Check::Null(actual) => format!("expect_ptr({actual}, NULL);"),
        Check::NotNull(actual) => format!("expect_true({actual} != NULL);"),
        Check::Bytes(address, literal, _) => format!("expect_bytes({address}, {literal});"),
    }
}

fn cmocka(check: &Check) -> String {
    match check {
        Check::True(condition) => format!("assert_true({condition});"),
        Check::Signed(actual, expected) | Check::Unsigned(actual, expected) => {
            format!("assert_int_equal({actual}, {expected});")
        }
        Check::Float(actual, expected) => format!("assert_true({actual} == {expected});"),
        Check::NotANumber(actual) => format!("assert_true({actual} != {actual});"),
        Check::Pointer(actual, expected) => format!("assert_ptr_equal({actual}, {expected});"),
        Check::Null(actual) => format!("assert_null({actual});"),
        Check::NotNull(actual) => format!("assert_non_null({actual});"),
        Check::Bytes(address, literal, len) => format!("assert_memory_equal({address}, {literal}, {len});"),
    }
}

fn check_library(check: &Check) -> String {
    match check {
        Check::True(condition) => format!("ck_assert({condition});"),
        Check::Signed(actual, expected) => format!("ck_assert_int_eq({actual}, {expected});"),
        Check::Unsigned(actual, expected) => format!("ck_assert_uint_eq({actual}, {expected});"),
        Check::Float(actual, expected) => format!("ck_assert_ldouble_eq({actual}, {expected});"),
        Check::NotANumber(actual) => format!("ck_assert_ldouble_nan({actual});"),
        Check::Pointer(actual, expected) => format!("ck_assert_ptr_eq({actual}, {expected});"),
        Check::Null(actual) => format!("ck_assert_ptr_null({actual});"),
        Check::NotNull(actual) => format!("ck_assert_ptr_nonnull({actual});"),
        Check::Bytes(address, literal, len) => format!("ck_assert_mem_eq({address}, {literal}, {len});"),
    }
}
