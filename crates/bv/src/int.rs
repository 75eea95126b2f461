//! Integers of 1 to 64 bits in a `u64` whose unused high bits are zero, in arguments and results alike.
//!
//! With a constant width of 32 or 64 each function is the native instruction. The definitions are in `uint`.

super::uint::define_integer!(u64, i64);
