//! The numbers of the errors that Rust code reports to C programs, as Linux has them.

pub const EDOM: i32 = 33;
pub const EINVAL: i32 = 22;
pub const ENOMEM: i32 = 12;
pub const ERANGE: i32 = 34;
