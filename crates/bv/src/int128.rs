//! Integers of 1 to 128 bits in a `u128` whose unused high bits are zero, in arguments and results alike.
//!
//! The same functions as [`crate::int`], from the same definitions (in `uint`).

super::uint::define_integer!(u128, i128);
