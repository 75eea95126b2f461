//! The rewrite rules by name, with what each does, how often each did it, and how many more times any may.
//!
//! Constant folding is not a rule and always happens. Everything else that makes the builder return another node than
//! the one asked for is a rule of this table, and asks `fires` right before it acts. *Fuel* is the number
//! of times that any rule may still fire: with none, the builder only interns, which is how rules are proved against
//! themselves; with N, bisecting finds the one application that broke a result.
//!
//! Steps to add a rule: a line in the table, its code in [`crate::builder`] in a `rewrite_` function, cases where it
//! applies and where it does not in `tests/support/rule_cases.rs` (a test insists on both, and the solver's tests prove
//! them).

use crate::node::ExprId;
use crate::pool::ExprPool;

macro_rules! rule_table {
    ($($variant:ident = $name:literal: $what:literal),+ $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Rule { $($variant),+ }

        impl Rule {
            pub const ALL: &[Rule] = &[$(Rule::$variant),+];

            pub const fn name(self) -> &'static str {
                match self { $(Rule::$variant => $name),+ }
            }

            /// What the rule does, as a formula where possible. Capitals are constants.
            pub const fn description(self) -> &'static str {
                match self { $(Rule::$variant => $what),+ }
            }

            pub fn from_name(name: &str) -> Option<Rule> {
                Rule::ALL.iter().copied().find(|rule| rule.name() == name)
            }
        }
    };
}

rule_table! {
    // Any operation.
    Commute = "commute": "operands of a commutative operation: constants last, otherwise by id",
    KnownConstant = "known-constant": "what can have only one value is that value",
    LiftIteUnary = "lift-ite-unary": "op(ite(c, A, B)) → ite(c, op(A), op(B))",
    LiftIteBinary = "lift-ite-binary": "op(ite(c, A, B), C) → ite(c, op(A, C), op(B, C)), either way around",
    // Addition, subtraction, negation.
    AddZero = "add-zero": "x + 0 → x",
    AddBool = "add-bool": "x + y, x - y → x ^ y on one bit",
    AddSelf = "add-self": "x + x → x << 1",
    AddAddConst = "add-add-const": "(x + A) + B → x + (A + B)",
    AddSubConst = "add-sub-const": "(A - x) + B → (A + B) - x",
    AddNotConst = "add-not-const": "~x + A → (A - 1) - x",
    AddNeg = "add-neg": "x + -y → x - y",
    AddNot = "add-not": "x + ~x → -1",
    AddCancel = "add-cancel": "(x - y) + y → x",
    AddPullConst = "add-pull-const": "(x + A) + y → (x + y) + A",
    AddDisjoint = "add-disjoint": "x + y → x | y if no bit can be set in both",
    SubConst = "sub-const": "x - A → x + -A",
    SubSelf = "sub-self": "x - x → 0",
    SubFromZero = "sub-from-zero": "0 - x → -x",
    SubFromOnes = "sub-from-ones": "-1 - x → ~x",
    SubNeg = "sub-neg": "x - -y → x + y",
    SubCancel = "sub-cancel": "(x + y) - x → y, x - (x + y) → -y, (x - y) - x → -y",
    SubPullConst = "sub-pull-const": "(x + A) - y → (x - y) + A, x - (y + A) → (x - y) + -A",
    SubSubConst = "sub-sub-const": "A - (B - x) → x + (A - B)",
    NegNeg = "neg-neg": "--x → x",
    NegBool = "neg-bool": "-x → x on one bit",
    NegSub = "neg-sub": "-(x - y) → y - x",
    NegNot = "neg-not": "-~x → x + 1",
    NegAddConst = "neg-add-const": "-(x + A) → -A - x",
    NegMulConst = "neg-mul-const": "-(x * A) → x * -A",
    // Multiplication, division.
    MulZero = "mul-zero": "x * 0 → 0",
    MulOne = "mul-one": "x * 1 → x",
    MulMinusOne = "mul-minus-one": "x * -1 → -x",
    MulBool = "mul-bool": "x * y → x & y on one bit",
    MulMulConst = "mul-mul-const": "(x * A) * B → x * (A * B)",
    MulAddConst = "mul-add-const": "(x + A) * B → x * B + A * B",
    MulNegConst = "mul-neg-const": "-x * A → x * -A",
    MulPowerOfTwo = "mul-power-of-two": "x * 2^k → x << k",
    DivByZero = "div-by-zero": "the SMT-LIB results of division by zero",
    DivByOne = "div-by-one": "x / 1 → x, x % 1 → 0",
    DivByMinusOne = "div-by-minus-one": "signed x / -1 → -x, x % -1 → 0",
    DivPowerOfTwo = "div-power-of-two": "unsigned x / 2^k → x >> k, x % 2^k → the low k bits",
    DivSmall = "div-small": "unsigned x / y → 0, x % y → x if x < y",
    DivNonNegative = "div-non-negative": "signed division of non-negative numbers → unsigned",
    DivNarrow = "div-narrow": "unsigned division of zero-extended numbers → zext of a narrower division",
    RemSelf = "rem-self": "x % x → 0",
    // Bitwise.
    AndZero = "and-zero": "x & 0 → 0",
    AndOnes = "and-ones": "x & -1 → x",
    AndMask = "and-mask": "x & A → extract between zeros, if the ones of A are adjacent",
    AndKnown = "and-known": "x & A → x if all other bits of x are zero",
    OrZero = "or-zero": "x | 0 → x",
    OrOnes = "or-ones": "x | -1 → -1",
    OrMask = "or-mask": "x | A → ones between extracts, if the ones of A are adjacent",
    BitwiseSelf = "bitwise-self": "x & x → x, x | x → x, x ^ x → 0",
    BitwiseNot = "bitwise-not": "x & ~x → 0, x | ~x → -1",
    BitwiseConst = "bitwise-const": "(x op A) op B → x op (A op B)",
    BitwiseAbsorb = "bitwise-absorb": "x & (x | y) → x, x | (x & y) → x, x & (x & y) → x & y, x | (x | y) → x | y",
    BitwiseSplit = "bitwise-split": "(x:y) op (z:A) → (x op z):(y op A)",
    XorZero = "xor-zero": "x ^ 0 → x",
    XorOnes = "xor-ones": "x ^ -1 → ~x",
    XorNot = "xor-not": "~x ^ y → ~(x ^ y)",
    XorCancel = "xor-cancel": "x ^ (x ^ y) → y",
    NotNot = "not-not": "~~x → x",
    NotCompare = "not-compare": "not x < y → y <= x, not x <= y → y < x",
    NotNeg = "not-neg": "~-x → x + -1",
    NotXorConst = "not-xor-const": "~(x ^ A) → x ^ ~A",
    // Shifts.
    ShiftByZero = "shift-by-zero": "x shifted by 0 → x",
    ShiftOfZero = "shift-of-zero": "0 shifted → 0",
    ShiftOut = "shift-out": "shifted by the width or more → zeros, or copies of the sign",
    ShlConst = "shl-const": "x << k → low bits above zeros",
    LShrConst = "lshr-const": "x >> k → zext of the high bits",
    AShrConst = "ashr-const": "signed x >> k → sext of the high bits",
    AShrNonNegative = "ashr-non-negative": "signed x >> y → unsigned x >> y if x is non-negative",
    // Equality.
    EqSelf = "eq-self": "x == x → true",
    EqBool = "eq-bool": "x == true → x, x == false → ~x, x == y → ~(x ^ y) on one bit",
    EqDisjoint = "eq-disjoint": "x == y → false if nothing known of one holds for the other",
    EqAddConst = "eq-add-const": "x + A == B → x == B - A",
    EqSubConst = "eq-sub-const": "A - x == B → x == A - B",
    EqNegConst = "eq-neg-const": "-x == A → x == -A",
    EqNotConst = "eq-not-const": "~x == A → x == ~A",
    EqXorConst = "eq-xor-const": "x ^ A == B → x == A ^ B",
    EqMulConst = "eq-mul-const": "x * A == B → x == B / A modulo 2^width, if A is odd",
    EqCancel = "eq-cancel": "op(x, z) == op(y, z) → x == y for add, sub, xor; the same for neg, not",
    EqCancelSelf = "eq-cancel-self": "x + y == x, x - y == x, x ^ y == x → y == 0",
    EqDifference = "eq-difference": "x - y == 0, x ^ y == 0 → x == y",
    EqZextConst = "eq-zext-const": "zext x == A → x == A cut, or false",
    EqSextConst = "eq-sext-const": "sext x == A → x == A cut, or false",
    EqExt = "eq-ext": "zext x == zext y, sext x == sext y → x == y",
    EqConcatConst = "eq-concat-const": "x:y == A:B → x == A and y == B",
    EqConcat = "eq-concat": "x:y == z:u → x == z and y == u",
    EqIteArm = "eq-ite-arm": "ite(c, A, y) == B → not c and y == B, or c or y == B",
    // Order.
    CompareSelf = "compare-self": "x < x → false, x <= x → true",
    CompareBool = "compare-bool": "an order on one bit → and, or, not",
    CompareRanges = "compare-ranges": "x < y, x <= y decided by what is known of x and y",
    CompareLeConst = "compare-le-const": "x <= A → x < A + 1, A <= x → A - 1 < x",
    CompareEdge = "compare-edge": "x < A where all but one value of x is on one side → x == B or x != B",
    SltZero = "slt-zero": "signed x < 0 → sign bit, -1 < x → not sign bit",
    SltToUlt = "slt-to-ult": "a signed order of numbers with known equal signs → unsigned",
    CompareNot = "compare-not": "~x < ~y → y < x, ~x < A → ~A < x, and the like",
    CompareZext = "compare-zext": "unsigned zext x < zext y → x < y, zext x < A → x < A cut",
    CompareSext = "compare-sext": "sext x < sext y → x < y, signed sext x < A → x < A cut",
    CompareConcatConst = "compare-concat-const": "x:A < B:C → x < B or x <= B",
    // Overflow.
    OverflowRanges = "overflow-ranges": "overflow decided by what is known of the operands",
    OverflowConst = "overflow-const": "overflow of x + A, x - A, A - x, x * A → comparisons of x with constants",
    OverflowSelf = "overflow-self": "x - x never overflows",
    // Parts.
    ExtractAll = "extract-all": "all bits of x → x",
    ExtractExtract = "extract-extract": "a part of a part is a part",
    ExtractConcat = "extract-concat": "a part of x:y that lies in one of them",
    ExtractAcross = "extract-across": "a part of x:y that lies in both → concat of two parts",
    ExtractExt = "extract-ext": "a part of zext x or sext x → of x, of zeros, or an extension",
    ExtractNot = "extract-not": "a part of ~x → ~ of the part",
    ExtractBitwiseConst = "extract-bitwise-const": "a part of x & A, x | A, x ^ A → the operation on parts",
    ExtractArith = "extract-arith": "the low bits of a sum, difference, product or negation of extensions → the operation on low bits",
    ConcatZeroHigh = "concat-zero-high": "0:x → zext x",
    ConcatZext = "concat-zext": "(zext x):y → zext (x:y)",
    ConcatAssoc = "concat-assoc": "(x:y):z → x:(y:z)",
    ConcatAdjacent = "concat-adjacent": "adjacent parts of x → one part; adjacent constants → one constant",
    ExtExt = "ext-ext": "zext zext x → zext x, sext sext x → sext x, sext zext x → zext x",
    SextNonNegative = "sext-non-negative": "sext x → zext x if x is non-negative",
    // Choice.
    IteSame = "ite-same": "ite(c, x, x) → x",
    IteNotCond = "ite-not-cond": "ite(~c, x, y) → ite(c, y, x)",
    IteBool = "ite-bool": "ite(c, true, y) → c or y, and the like",
    IteToExt = "ite-to-ext": "ite(c, 1, 0) → zext c, ite(c, -1, 0) → sext c, also swapped",
    IteEqArms = "ite-eq-arms": "ite(x == y, x, y) → y",
    IteNested = "ite-nested": "ite(c, ite(c, x, y), z) → ite(c, x, z), and the like",
    IteMerge = "ite-merge": "ite(c, x, ite(d, x, y)) → ite(c or d, x, y), ite(c, ite(d, x, y), y) → ite(c and d, x, y)",
    // Arrays.
    SelectStoreSame = "select-store-same": "reading what was just written",
    SelectStoreOther = "select-store-other": "reading past a write that is certainly elsewhere",
    SelectConstArray = "select-const-array": "reading an array of equal elements",
    SelectTable = "select-table": "reading a table at a constant index",
    StoreStore = "store-store": "a write that is overwritten at once is dropped",
    StoreSelect = "store-select": "writing back what is there changes nothing",
    // Floats.
    FCommute = "fcommute": "operands of an equality in order",
    FCmpSelf = "fcmp-self": "x < x → false, x == x and x <= x → x is a number",
    FCmpInt = "fcmp-int": "comparing exactly converted integers → comparing integers",
    FCmpIntConst = "fcmp-int-const": "comparing an exactly converted integer with a constant → with an integer",
    FCmpExt = "fcmp-ext": "comparing widened floats → comparing the floats",
    FConvertInt = "fconvert-int": "widening an exactly converted integer → converting it to the wider format",
    FConvertWiden = "fconvert-widen": "widening twice → once",
    FRoundInt = "fround-int": "rounding a converted integer changes nothing",
    FIntRoundTrip = "fint-round-trip": "an integer converted exactly and back",
}

const UNLIMITED: u64 = u64::MAX;

/// How deep rules may call the builder before they give up: chains are unbounded, the stack is not.
const MAX_DEPTH: u32 = 100;

/// How often rules may fire for one call of the builder: two operands that share what they are made of would be
/// rewritten again and again on all the ways down.
const MAX_FIRINGS: u32 = 1000;

pub(crate) struct Rules {
    fuel: u64,
    /// How many calls of the builder by rules are under way.
    depth: u32,
    /// How often rules may still fire for the outermost of them.
    n_firings_left: u32,
    hits: [u64; Rule::ALL.len()],
}

impl Default for Rules {
    fn default() -> Self {
        Rules { fuel: UNLIMITED, depth: 0, n_firings_left: 0, hits: [0; Rule::ALL.len()] }
    }
}

impl ExprPool {
    /// How many more times rules may fire. `None`: without limit.
    pub fn set_rule_fuel(&mut self, fuel: Option<u64>) {
        self.rules.fuel = fuel.unwrap_or(UNLIMITED);
    }

    /// How often a rule fired.
    pub fn rule_hits(&self, rule: Rule) -> u64 {
        self.rules.hits[rule as usize]
    }

    /// Whether a rule that matches may act; counts it.
    #[inline]
    pub(crate) fn fires(&mut self, rule: Rule) -> bool {
        let rules = &mut self.rules;
        if rules.fuel == 0 {
            return false;
        }
        if rules.depth > 0 {
            if rules.depth > MAX_DEPTH || rules.n_firings_left == 0 {
                return false;
            }
            rules.n_firings_left -= 1;
        }
        rules.fuel -= (rules.fuel != UNLIMITED) as u64;
        rules.hits[rule as usize] += 1;
        true
    }

    /// Runs the rules of an operation, one level deeper.
    #[inline(always)]
    pub(crate) fn rewrite(&mut self, rules: impl FnOnce(&mut Self) -> Option<ExprId>) -> Option<ExprId> {
        if self.rules.fuel == 0 {
            return None;
        }
        if self.rules.depth == 0 {
            self.rules.n_firings_left = MAX_FIRINGS;
        }
        self.rules.depth += 1;
        let rewritten = rules(self);
        self.rules.depth -= 1;
        rewritten
    }
}
