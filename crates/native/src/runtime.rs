//! Parts of the runtime that serve elsewhere too: they know nothing of how tests are read or run.

use spelunk_ir::code::{Image, Origin};

/// What a program is given that asks for input, and by functions that nobody defines.
pub const INPUTS: &[(&str, &str)] =
    &[("inputs.h", include_str!("../runtime/inputs.h")), ("inputs.c", include_str!("../runtime/inputs.c"))];

/// Clocks that nobody waits for. Its functions replace those of the C library.
pub const CLOCK: (&str, &str) = ("clock.c", include_str!("../runtime/clock.c"));

/// Functions of the C library that give inputs instead. A program that defines one itself keeps its own.
pub const COMMANDS: (&str, &str) = ("commands.c", include_str!("../runtime/commands.c"));

/// Such a function: what it is called, and its result and parameters in LLVM IR and in C.
pub struct Replaced {
    pub name: &'static str,
    pub ir: (&'static str, &'static str),
    pub c: (&'static str, &'static str),
}

macro_rules! replaced {
    ($table:ident: $($name:literal: $ir_result:literal $ir_params:literal, $c_result:literal $c_params:literal;)*) => {
        const $table: &[Replaced] =
            &[$(Replaced { name: $name, ir: ($ir_result, $ir_params), c: ($c_result, $c_params) },)*];
    };
}

replaced! {
    REPLACED:
    "system": "i32" "ptr %0", "int" "const char *a";
    "popen": "ptr" "ptr %0, ptr %1", "void *" "const char *a, const char *b";
    "pclose": "i32" "ptr %0", "int" "void *a";
    "getrandom": "i64" "ptr %0, i64 %1, i32 %2", "long" "void *a, size_t b, unsigned c";
    "getentropy": "i32" "ptr %0, i64 %1", "int" "void *a, size_t b";
    "arc4random_buf": "void" "ptr %0, i64 %1", "void" "void *a, size_t b";
    "arc4random": "i32" "", "uint32_t" "void";
    "arc4random_uniform": "i32" "i32 %0", "uint32_t" "uint32_t a";
}

// Functions that open a device of random bytes, or something else: in native runs only, where the runtime can still call the
// library's.
replaced! {
    OPENING:
    "open": "i32" "ptr %0, i32 %1, i32 %2", "int" "const char *a, int b, int c";
    "open64": "i32" "ptr %0, i32 %1, i32 %2", "int" "const char *a, int b, int c";
    "openat": "i32" "i32 %0, ptr %1, i32 %2, i32 %3", "int" "int a, const char *b, int c, int d";
    "openat64": "i32" "i32 %0, ptr %1, i32 %2, i32 %3", "int" "int a, const char *b, int c, int d";
    "fopen": "ptr" "ptr %0, ptr %1", "void *" "const char *a, const char *b";
    "fopen64": "ptr" "ptr %0, ptr %1", "void *" "const char *a, const char *b";
    "fstat": "i32" "i32 %0, ptr %1", "int" "int a, void *b";
    "fstat64": "i32" "i32 %0, ptr %1", "int" "int a, void *b";
}

/// The input that is what devices of random bytes give.
pub const RANDOM_DEVICE: &str = "/dev/urandom";

/// Those that a program calls.
pub fn replaced(image: &Image) -> impl Iterator<Item = &'static Replaced> {
    called(image, REPLACED)
}

/// Those that open files.
pub fn opening(image: &Image) -> impl Iterator<Item = &'static Replaced> {
    called(image, OPENING)
}

fn called(image: &Image, table: &'static [Replaced]) -> impl Iterator<Item = &'static Replaced> {
    let is_called = |name: &str| {
        let mut functions = image.functions.iter();
        functions.any(|function| &*function.name == name && function.origin == Origin::Library)
    };
    table.iter().filter(move |replaced| is_called(replaced.name))
}
