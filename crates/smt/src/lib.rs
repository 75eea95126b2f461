//! SMT-LIB 2 scripts, read and answered through the solver chain.
#![forbid(unsafe_code)]
