//! Exit codes. A program that ends by itself gives its own.

use spelunk_report::suite::Class;

/// An error in the program was found, or the run could not go on.
pub const FOUND: u8 = 1;
/// Wrong usage, or input that can't be read or compiled.
pub const USAGE: u8 = 2;
/// A bug of ours.
pub const INTERNAL: u8 = 3;
/// Nothing was found but what needs a precondition; but what may not end; but limits of resources.
pub const NEEDS_PRECONDITION: u8 = 4;
pub const MAY_NOT_END: u8 = 5;
pub const RESOURCE: u8 = 6;

pub const SIGINT: i32 = 2;

/// Of a campaign whose findings are all of other classes than bugs: the first of these that has one.
pub fn of_findings(has: impl Fn(Class) -> bool) -> u8 {
    let codes = [
        (Class::Bug, FOUND),
        (Class::MayNotEnd, MAY_NOT_END),
        (Class::Resource, RESOURCE),
        (Class::NeedsPrecondition, NEEDS_PRECONDITION),
    ];
    codes.iter().find(|(class, _)| has(*class)).map_or(0, |(_, code)| *code)
}

/// Of several campaigns, the code that tells most: that something could not be done, then a bug, then what else was found.
pub fn worse(one: u8, other: u8) -> u8 {
    let order = [0, NEEDS_PRECONDITION, RESOURCE, MAY_NOT_END, FOUND, INTERNAL, USAGE];
    let rank = |code: u8| order.iter().position(|&known| known == code).unwrap_or(order.len());
    if rank(one) >= rank(other) { one } else { other }
}

/// What a shell would see of a program that was killed.
pub fn of_signal(signal: i32) -> u8 {
    (128 + signal) as u8
}
