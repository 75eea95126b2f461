//! One suite for every solver: each backend alone, the whole chain, the chain with each layer left out, and the chain
//! with none. A failure prints the query as an SMT-LIB script.
//!
//! Steps to add an area: a module with `pub fn check(contestant: &Contestant)`, and its name in `conformance!`.

#[path = "../common/mod.rs"]
mod common;

mod arrays;
mod asking;
mod constraints;
mod contestants;
mod floats;
mod garbage;
mod hints;
mod limits;
mod operations;
mod unsatisfiable;
mod values;

macro_rules! conformance {
    ($groups:tt: $areas:tt) => { conformance!(@groups $groups $areas); };
    (@groups [$($group:ident),+] $areas:tt) => { $(conformance!(@group $group $areas);)+ };
    (@group $group:ident [$($area:ident),+]) => {
        mod $group {
            $(#[test]
            fn $area() {
                for contestant in crate::contestants::$group() {
                    crate::$area::check(&contestant);
                }
            })+
        }
    };
}

conformance! {
    [blaster, z3, chain, chain_without_one, chain_without_all]:
    [operations, arrays, floats, constraints, unsatisfiable, hints, limits, garbage]
}
