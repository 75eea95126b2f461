//! Exit codes. A program that ends by itself gives its own.

/// An error in the program was found, or the run could not go on.
pub const FOUND: u8 = 1;
/// Wrong usage, or input that can't be read or compiled.
pub const USAGE: u8 = 2;
/// A bug of ours.
pub const INTERNAL: u8 = 3;

pub const SIGINT: i32 = 2;

/// What a shell would see of a program that was killed.
pub fn of_signal(signal: i32) -> u8 {
    (128 + signal) as u8
}
