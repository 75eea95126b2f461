//! Generated modules: the print of each is a fixed point, and LLVM reads it as we do.

mod parse_generator;
mod parse_support;

use parse_support::{assert_llvm_agrees, newest_assembler, print_twice, through_llvm};
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, any, proptest};

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_shrink_iters: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn prints_of_generated_modules_are_fixed_points(numbers in vec(any::<u32>(), 0..600)) {
        print_twice("a generated module", &parse_generator::module(&numbers));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// LLVM simplifies constants when it first reads a module, so the comparison starts from what it then writes.
    #[test]
    fn llvm_reads_generated_modules_as_we_do(numbers in vec(any::<u32>(), 0..600)) {
        let generated = parse_generator::module(&numbers);
        let canonical = through_llvm(newest_assembler(), "a generated module", &generated);
        assert_llvm_agrees(newest_assembler(), "a generated module", &print_twice("a generated module", &canonical));
    }
}
