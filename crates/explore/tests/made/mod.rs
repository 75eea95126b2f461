//! What tests with made programs need: numbers that look random, and a program from its text.

use spelunk_driver::{Loaded, load};
use spelunk_ir::code::OpIdx;
use spelunk_ir::debug::DebugInfo;

/// Numbers that look random, the same every time.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    pub fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

/// Lives as long as the test: workers may be left behind.
pub fn loaded(source: &str) -> &'static Loaded {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("program.c");
    std::fs::write(&path, source).unwrap();
    let options = spelunk_driver::Options {
        sources: vec![path],
        headers: spelunk_concolic::harness::HEADERS,
        purpose: spelunk_driver::Purpose::Explore,
        ..Default::default()
    };
    Box::leak(Box::new(load(&options).unwrap_or_else(|error| panic!("{error}: {source}"))))
}

/// The line of each operation; 0 if it is not the program's own.
pub fn lines(loaded: &Loaded) -> Vec<u32> {
    let debug = DebugInfo::new(&loaded.program);
    let line = |op: OpIdx| {
        let loc = loaded.image.loc(op).filter(|_| loaded.image.is_user_code(op));
        loc.and_then(|loc| debug.location(loc)).map_or(0, |loc| loc.line)
    };
    (0..loaded.image.ops.len()).map(|op| line(OpIdx::new(op))).collect()
}
