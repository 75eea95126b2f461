//! Values to try operations with: corners of each width, and random ones from a fixed seed.

use spelunk_expr::Value;

/// A generator of 64-bit numbers (splitmix), the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn value(&mut self, width: u32) -> Value {
        let limbs: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.next()).collect();
        Value::from_limbs(width, &limbs)
    }

    /// A corner more often than not.
    pub fn sample(&mut self, width: u32) -> Value {
        let corners = corners(width);
        match self.below(corners.len() + 4) {
            at if at < corners.len() => corners[at].clone(),
            _ => self.value(width),
        }
    }
}

/// Zero, one, two, the extremes of both readings and their neighbours, a power of two, and alternating bits.
pub fn corners(width: u32) -> Vec<Value> {
    let ones = [u64::MAX; 4];
    let bit = |at: u32| {
        let mut limbs = [0; 4];
        limbs[at as usize / 64] = 1 << (at % 64);
        limbs
    };
    let sign = bit(width - 1);
    let below_sign = std::array::from_fn(|at| ones[at] ^ sign[at]);
    let mut corners: Vec<Value> = [
        [0; 4],
        bit(0),
        [2, 0, 0, 0],
        ones,
        [u64::MAX - 1, u64::MAX, u64::MAX, u64::MAX],
        sign,
        below_sign,
        bit(width / 2),
        [width as u64, 0, 0, 0],
        [0xaaaa_aaaa_aaaa_aaaa; 4],
    ]
    .iter()
    .map(|limbs| Value::from_limbs(width, limbs))
    .collect();
    corners.dedup();
    corners
}

/// Another value of the same width: the one bit that `at` picks is flipped.
pub fn flipped(value: &Value, at: u64) -> Value {
    let at = (at % value.width() as u64) as usize;
    let mut limbs = value.limbs().to_vec();
    limbs[at / 64] ^= 1 << (at % 64);
    Value::from_limbs(value.width(), &limbs)
}
