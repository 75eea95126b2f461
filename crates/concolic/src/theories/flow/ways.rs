//! The ways in which information flows. Tests switch them off one by one, and see that each is needed.

macro_rules! ways {
    ($($(#[$doc:meta])* $way:ident,)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Way { $($(#[$doc])* $way,)* }

        impl Way {
            pub const ALL: &[Self] = &[$(Self::$way,)*];
        }
    };
}

ways! {
    /// From a branch to registers that some way of it assigns.
    Assigned,
    /// From operands to results.
    Operations,
    /// From bytes to what is read there.
    Loads,
    /// From a branch to bytes that were written under it.
    Written,
    /// From a branch or a place of a write to bytes that other runs have written there.
    Effects,
    /// To runs that knew less of that.
    Audit,
    /// From an address to what is read there.
    Addresses,
    /// From the place of a write to places that it could have been.
    Elsewhere,
    /// From `free` to accesses.
    Life,
    /// From operands to errors.
    Checks,
    /// From a pointer to what the function that is called does.
    Targets,
    /// From branches that `return` leaves to its value.
    Returns,
    /// From branches that may lead to `longjmp` to what follows `setjmp`.
    Leaps,
    /// From a branch to whether conditions are met under it.
    Control,
    /// Through library functions in Rust.
    Library,
    /// From variable arguments to their readers.
    Variadic,
    /// From what ends a run to what would have followed.
    Cuts,
}
