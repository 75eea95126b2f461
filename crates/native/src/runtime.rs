//! Parts of the runtime that serve elsewhere too: they know nothing of how tests are read or run.

/// What a program is given that asks for input, and by functions that nobody defines.
pub const INPUTS: &[(&str, &str)] =
    &[("inputs.h", include_str!("../runtime/inputs.h")), ("inputs.c", include_str!("../runtime/inputs.c"))];

/// Clocks that nobody waits for. Its functions replace those of the C library.
pub const CLOCK: (&str, &str) = ("clock.c", include_str!("../runtime/clock.c"));
