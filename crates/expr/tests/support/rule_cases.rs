//! The cases of each rule: terms to which it applies, with what it makes of them, and terms to which it does not.
//!
//! The tests here hold them against evaluation; those of the solver prove them.

use spelunk_expr::Rule;

/// What a rule does with a term. Wide enough for the numbers in it.
pub struct Applies {
    pub rule: Rule,
    pub term: &'static str,
    pub result: &'static str,
}

pub struct DoesNot {
    pub rule: Rule,
    pub term: &'static str,
}

macro_rules! applies {
    ($($rule:ident: $($term:literal => $result:literal),+;)+) => {
        &[$($(Applies { rule: Rule::$rule, term: $term, result: $result }),+),+]
    };
}

macro_rules! does_not {
    ($($rule:ident: $($term:literal),+;)+) => {
        &[$($(DoesNot { rule: Rule::$rule, term: $term }),+),+]
    };
}

/// The width of the variables for which results are stated.
pub const WIDTH: u32 = 8;
/// Variables in the order that results expect.
pub const VARS: &[&str] = &["x", "y", "z", "p", "q"];

pub const APPLIES: &[Applies] = applies! {
    Commute: "(add 3 x)" => "(add x 3)", "(and y x)" => "(and x y)", "(eq y x)" => "(eq x y)";
    KnownConstant: "(and (and x 5) (and y 10))" => "0";
    LiftIteUnary: "(not (ite b 3 5))" => "(ite b -4 -6)", "(extract (ite b 3 5) 1 2)" => "(ite b 1:2 2:2)",
        "(zext (ite b 3 5) +2)" => "(ite b 3:10 5:10)";
    LiftIteBinary: "(add (ite b 3 5) 1)" => "(ite b 4 6)", "(sub 9 (ite b 3 5))" => "(ite b 6 4)",
        "(mul (ite b 3 5) 7)" => "(ite b 21 35)";

    AddZero: "(add x 0)" => "x";
    AddBool: "(add b c)" => "(xor b c)", "(sub b c)" => "(xor b c)";
    AddSelf: "(add x x)" => "(concat (extract x 0 7) 0:1)";
    AddAddConst: "(add (add x 3) 4)" => "(add x 7)", "(add (add x 3) -3)" => "x";
    AddSubConst: "(add (sub 3 x) 4)" => "(sub 7 x)";
    AddNotConst: "(add (not x) 1)" => "(neg x)", "(add (not x) 7)" => "(sub 6 x)";
    AddNeg: "(add x (neg y))" => "(sub x y)", "(add (neg y) x)" => "(sub x y)";
    AddNot: "(add x (not x))" => "-1";
    AddCancel: "(add (sub x y) y)" => "x", "(add y (sub x y))" => "x";
    AddPullConst: "(add (add x 3) y)" => "(add (add x y) 3)", "(add (add x 3) (add y 4))" => "(add (add x y) 7)";
    AddDisjoint: "(add (and x 5) (and y 10))" => "(or (and x 5) (and y 10))",
        "(add (shl x 4) (lshr y 4))" => "(concat (extract x 0 4) (extract y 4 4))";
    SubConst: "(sub x 3)" => "(add x -3)";
    SubSelf: "(sub x x)" => "0";
    SubFromZero: "(sub 0 x)" => "(neg x)";
    SubFromOnes: "(sub -1 x)" => "(not x)";
    SubNeg: "(sub x (neg y))" => "(add x y)";
    SubCancel: "(sub (add x y) x)" => "y", "(sub (add x y) y)" => "x", "(sub x (add x y))" => "(neg y)",
        "(sub (sub x y) x)" => "(neg y)";
    SubPullConst: "(sub (add x 3) y)" => "(add (sub x y) 3)", "(sub x (add y 3))" => "(add (sub x y) -3)";
    SubSubConst: "(sub 9 (sub 4 x))" => "(add x 5)";
    NegNeg: "(neg (neg x))" => "x";
    NegBool: "(neg b)" => "b";
    NegSub: "(neg (sub x y))" => "(sub y x)";
    NegNot: "(neg (not x))" => "(add x 1)";
    NegAddConst: "(neg (add x 3))" => "(sub -3 x)";
    NegMulConst: "(neg (mul x 3))" => "(mul x -3)";

    MulZero: "(mul x 0)" => "0";
    MulOne: "(mul x 1)" => "x";
    MulMinusOne: "(mul x -1)" => "(neg x)";
    MulBool: "(mul b c)" => "(and b c)";
    MulMulConst: "(mul (mul x 3) 5)" => "(mul x 15)";
    MulAddConst: "(mul (add x 3) 5)" => "(add (mul x 5) 15)";
    MulNegConst: "(mul (neg x) 5)" => "(mul x -5)";
    MulPowerOfTwo: "(mul x 8)" => "(concat (extract x 0 5) 0:3)";
    DivByZero: "(udiv x 0)" => "-1", "(urem x 0)" => "x", "(srem x 0)" => "x",
        "(sdiv x 0)" => "(ite (extract x 7 1) 1 -1)";
    DivByOne: "(udiv x 1)" => "x", "(sdiv x 1)" => "x", "(urem x 1)" => "0", "(srem x 1)" => "0";
    DivByMinusOne: "(sdiv x -1)" => "(neg x)", "(srem x -1)" => "0";
    DivPowerOfTwo: "(udiv x 8)" => "(zext (extract x 3 5) +3)", "(urem x 8)" => "(zext (extract x 0 3) +5)";
    DivSmall: "(udiv (and x 5) 6)" => "0", "(urem (and x 5) 6)" => "(and x 5)";
    DivNonNegative: "(sdiv (and x 5) 3)" => "(udiv (and x 5) 3)", "(srem (and x 5) 3)" => "(urem (and x 5) 3)";
    DivNarrow: "(udiv (zext x +8) 10)" => "(zext (udiv x 10) +8)",
        "(urem (zext x +8) (zext y +8))" => "(zext (urem x y) +8)";
    RemSelf: "(urem x x)" => "0", "(srem x x)" => "0";

    AndZero: "(and x 0)" => "0";
    AndOnes: "(and x -1)" => "x";
    AndMask: "(and x 12)" => "(zext (concat (extract x 2 2) 0:2) +4)", "(and x 15)" => "(zext (extract x 0 4) +4)",
        "(and x 240)" => "(concat (extract x 4 4) 0:4)";
    AndKnown: "(and (or (and x 5) (and y 20)) 23)" => "(or (and x 5) (and y 20))";
    OrZero: "(or x 0)" => "x";
    OrOnes: "(or x -1)" => "-1";
    OrMask: "(or x 24)" => "(concat (extract x 5 3) (concat 3:2 (extract x 0 3)))",
        "(or x 128)" => "(concat 1:1 (extract x 0 7))";
    BitwiseSelf: "(and x x)" => "x", "(or x x)" => "x", "(xor x x)" => "0";
    BitwiseNot: "(and x (not x))" => "0", "(or (not x) x)" => "-1";
    BitwiseConst: "(xor (xor x 5) 3)" => "(xor x 6)", "(and (and x 45) 27)" => "(and x 9)",
        "(or (or x 5) 17)" => "(or x 21)";
    BitwiseAbsorb: "(and x (or x y))" => "x", "(or (and x y) y)" => "y", "(and (and x y) y)" => "(and x y)",
        "(or (or x y) y)" => "(or x y)";
    BitwiseSplit: "(or (shl (zext x +8) 8) (zext y +8))" => "(concat x y)",
        "(and (concat x y) 3855:16)" => "(concat (zext (extract x 0 4) +4) (zext (extract y 0 4) +4))",
        "(xor (concat x 0:4) (concat y (extract z 0 4)))" => "(concat (xor x y) (extract z 0 4))";
    XorZero: "(xor x 0)" => "x";
    XorOnes: "(xor x -1)" => "(not x)";
    XorNot: "(xor (not x) y)" => "(not (xor x y))", "(xor (not x) 5)" => "(xor x -6)";
    XorCancel: "(xor x (xor x y))" => "y";
    NotNot: "(not (not x))" => "x";
    NotCompare: "(not (ult x y))" => "(ule y x)", "(not (ule x y))" => "(ult y x)", "(not (slt x y))" => "(sle y x)",
        "(not (sle x y))" => "(slt y x)";
    NotNeg: "(not (neg x))" => "(add x -1)";
    NotXorConst: "(not (xor x 5))" => "(xor x -6)";

    ShiftByZero: "(shl x 0)" => "x", "(lshr x 0)" => "x", "(ashr x 0)" => "x";
    ShiftOfZero: "(shl 0 x)" => "0", "(lshr 0 x)" => "0", "(ashr -1 x)" => "-1";
    ShiftOut: "(shl x 8)" => "0", "(lshr x 9)" => "0", "(ashr x 20)" => "(sext (extract x 7 1) +7)",
        "(shl x (or y 9))" => "0";
    ShlConst: "(shl x 3)" => "(concat (extract x 0 5) 0:3)";
    LShrConst: "(lshr x 3)" => "(zext (extract x 3 5) +3)";
    AShrConst: "(ashr x 3)" => "(sext (extract x 3 5) +3)";
    AShrNonNegative: "(ashr (and x 5) y)" => "(lshr (and x 5) y)";

    EqSelf: "(eq x x)" => "1:1";
    EqBool: "(eq b 1)" => "b", "(eq b 0)" => "(not b)", "(eq b c)" => "(not (xor b c))";
    EqDisjoint: "(eq (or x 1) (shl y 1))" => "0:1", "(eq (and x 5) 6)" => "0:1";
    EqAddConst: "(eq (add x 3) 5)" => "(eq x 2)";
    EqSubConst: "(eq (sub 3 x) 5)" => "(eq x -2)";
    EqNegConst: "(eq (neg x) 5)" => "(eq x -5)";
    EqNotConst: "(eq (not x) 5)" => "(eq x -6)";
    EqXorConst: "(eq (xor x 3) 5)" => "(eq x 6)";
    EqMulConst: "(eq (mul x 3) 15)" => "(eq x 5)", "(eq (mul x 3) 1)" => "(eq x 171)";
    EqCancel: "(eq (add x z) (add y z))" => "(eq x y)", "(eq (xor z x) (xor y z))" => "(eq x y)",
        "(eq (sub x z) (sub y z))" => "(eq x y)", "(eq (sub z x) (sub z y))" => "(eq x y)",
        "(eq (neg x) (neg y))" => "(eq x y)", "(eq (not x) (not y))" => "(eq x y)";
    EqCancelSelf: "(eq (add x y) x)" => "(eq y 0)", "(eq x (sub x y))" => "(eq y 0)", "(eq (xor x y) y)" => "(eq x 0)";
    EqDifference: "(eq (sub x y) 0)" => "(eq x y)", "(eq (xor x y) 0)" => "(eq x y)";
    EqZextConst: "(eq (zext x +8) 5)" => "(eq x 5)";
    EqSextConst: "(eq (sext x +8) -5)" => "(eq x -5)";
    EqExt: "(eq (zext x +8) (zext y +8))" => "(eq x y)", "(eq (sext x +8) (sext y +8))" => "(eq x y)",
        "(eq (zext (extract x 0 4) +12) (zext y +8))" => "(eq (zext (extract x 0 4) +4) y)";
    EqConcatConst: "(eq (concat x y) 772)" => "(and (eq x 3) (eq y 4))";
    EqConcat: "(eq (concat x y) (concat z x))" => "(and (eq x z) (eq y x))",
        "(eq (concat x y) (zext z +8))" => "(and (eq x 0) (eq y z))";
    EqIteArm: "(eq (ite b 3 y) 3)" => "(or b (eq y 3))", "(eq (ite b 3 y) 4)" => "(and (not b) (eq y 4))",
        "(eq (ite b x 3) 3)" => "(or (not b) (eq x 3))", "(eq (ite b 3 5) 5)" => "(not b)";

    CompareSelf: "(ult x x)" => "0:1", "(ule x x)" => "1:1", "(slt x x)" => "0:1", "(sle x x)" => "1:1";
    CompareBool: "(ult b c)" => "(and (not b) c)", "(ule b c)" => "(or (not b) c)", "(slt b c)" => "(and b (not c))",
        "(sle b c)" => "(or b (not c))";
    CompareRanges: "(ult x 0)" => "0:1", "(ule x 255)" => "1:1", "(slt x min)" => "0:1", "(sle x max)" => "1:1",
        "(ult (and x 5) 6)" => "1:1", "(slt (zext x +1) 300:9)" => "0:1", "(ult (or x 16) (and y 9))" => "0:1";
    CompareLeConst: "(ule x 5)" => "(ult x 6)", "(ule 5 x)" => "(ult 4 x)", "(sle x 5)" => "(slt x 6)",
        "(sle 5 x)" => "(slt 4 x)";
    CompareEdge: "(ult x 1)" => "(eq x 0)", "(ult 0 x)" => "(ne x 0)", "(ult x 255)" => "(ne x 255)",
        "(ult 254 x)" => "(eq x 255)", "(slt x max)" => "(ne x max)", "(slt x -127)" => "(eq x min)",
        "(ult (or x 6) 7)" => "(eq (or x 6) 6)";
    SltZero: "(slt x 0)" => "(extract x 7 1)", "(slt -1 x)" => "(not (extract x 7 1))",
        "(sle 0 x)" => "(not (extract x 7 1))";
    SltToUlt: "(slt (and x 5) (and y 9))" => "(ult (and x 5) (and y 9))",
        "(sle (or x 130) (or y 129))" => "(ule (or x 130) (or y 129))";
    CompareNot: "(ult (not x) (not y))" => "(ult y x)", "(sle (not x) (not y))" => "(sle y x)",
        "(ult (not x) 5)" => "(ult 250 x)", "(slt 5 (not x))" => "(slt x -6)";
    CompareZext: "(ult (zext x +8) (zext y +8))" => "(ult x y)", "(ule (zext x +8) (zext y +8))" => "(ule x y)",
        "(ult (zext x +8) 5)" => "(ult x 5)", "(ult 5 (zext x +8))" => "(ult 5 x)";
    CompareSext: "(slt (sext x +8) (sext y +8))" => "(slt x y)", "(ult (sext x +8) (sext y +8))" => "(ult x y)",
        "(slt (sext x +8) -5)" => "(slt x -5)", "(slt 5 (sext x +8))" => "(slt 5 x)";
    CompareConcatConst: "(ult (concat x 1:2) 22)" => "(ult x 6)", "(ult (concat x 1:2) 21)" => "(ult x 5)",
        "(slt 21 (concat x 1:2))" => "(slt 5 x)", "(ult 20 (concat x 1:2))" => "(ult 4 x)";

    OverflowRanges: "(sadd.o (and x 5) (and y 9))" => "0:1", "(umul.o (and x 5) (and y 9))" => "0:1",
        "(smul.o (and x 5) (and y 9))" => "0:1", "(ssub.o (and x 5) (and y 9))" => "0:1",
        "(umul.o (or x 16) (or y 16))" => "1:1";
    OverflowConst: "(sadd.o x 3)" => "(slt 124 x)", "(sadd.o x -3)" => "(slt x -125)", "(ssub.o x 3)" => "(slt x -125)",
        "(ssub.o x -3)" => "(slt 124 x)", "(ssub.o 3 x)" => "(slt x -124)", "(ssub.o -3 x)" => "(slt 125 x)",
        "(umul.o x 3)" => "(ult 85 x)", "(smul.o x 3)" => "(or (slt x -42) (slt 42 x))",
        "(smul.o x -3)" => "(or (slt x -42) (slt 42 x))", "(smul.o x -1)" => "(eq x min)";
    OverflowSelf: "(ssub.o x x)" => "0:1";

    ExtractAll: "(extract x 0 8)" => "x";
    ExtractExtract: "(extract (extract x 2 5) 1 3)" => "(extract x 3 3)";
    ExtractConcat: "(extract (concat x y) 2 3)" => "(extract y 2 3)", "(extract (concat x y) 8 8)" => "x",
        "(extract (concat x y) 10 3)" => "(extract x 2 3)";
    ExtractAcross: "(extract (concat x y) 6 4)" => "(concat (extract x 0 2) (extract y 6 2))";
    ExtractExt: "(extract (zext x +8) 0 8)" => "x", "(extract (zext x +8) 8 4)" => "0:4",
        "(extract (zext x +8) 6 4)" => "(zext (extract x 6 2) +2)", "(extract (sext x +8) 3 5)" => "(extract x 3 5)",
        "(extract (sext x +8) 6 4)" => "(sext (extract x 6 2) +2)",
        "(extract (sext x +8) 10 4)" => "(sext (extract x 7 1) +3)";
    ExtractNot: "(extract (not x) 2 3)" => "(not (extract x 2 3))";
    ExtractBitwiseConst: "(extract (and x 85) 1 4)" => "(and (extract x 1 4) 10)",
        "(extract (xor x 16) 0 4)" => "(extract x 0 4)";
    ExtractArith: "(extract (add (zext x +24) (zext y +24)) 0 8)" => "(add x y)",
        "(extract (mul (sext x +24) 261:32) 0 8)" => "(mul x 5)", "(extract (neg (zext x +8)) 0 8)" => "(neg x)";
    ConcatZeroHigh: "(concat 0:3 x)" => "(zext x +3)";
    ConcatZext: "(concat (zext x +3) y)" => "(zext (concat x y) +3)";
    ConcatAssoc: "(concat (concat x y) z)" => "(concat x (concat y z))";
    ConcatAdjacent: "(concat (extract x 4 4) (extract x 0 4))" => "x",
        "(concat (extract x 4 2) (concat (extract x 1 3) y))" => "(concat (extract x 1 5) y)",
        "(concat 1:2 (concat 1:2 x))" => "(concat 5:4 x)";
    ExtExt: "(zext (zext x +2) +2)" => "(zext x +4)", "(sext (sext x +2) +2)" => "(sext x +4)",
        "(sext (zext x +2) +2)" => "(zext x +4)";
    SextNonNegative: "(sext (and x 5) +8)" => "(zext (and x 5) +8)";

    IteSame: "(ite b x x)" => "x";
    IteNotCond: "(ite (not b) x y)" => "(ite b y x)";
    IteBool: "(ite b 1:1 c)" => "(or b c)", "(ite b 0:1 c)" => "(and (not b) c)", "(ite b c 0:1)" => "(and b c)",
        "(ite b c 1:1)" => "(or (not b) c)", "(ite b b c)" => "(or b c)", "(ite b c b)" => "(and b c)";
    IteToExt: "(ite b 1 0)" => "(zext b +7)", "(ite b 0 1)" => "(zext (not b) +7)", "(ite b -1 0)" => "(sext b +7)",
        "(ite b 0 -1)" => "(sext (not b) +7)";
    IteEqArms: "(ite (eq x y) x y)" => "y", "(ite (eq x 3) 3 x)" => "x";
    IteNested: "(ite b (ite b x y) z)" => "(ite b x z)", "(ite b x (ite b y z))" => "(ite b x z)";
    IteMerge: "(ite b x (ite c x y))" => "(ite (or b c) x y)", "(ite b (ite c x y) y)" => "(ite (and b c) x y)";

    SelectStoreSame: "(select (store A x y) x)" => "y";
    SelectStoreOther: "(select (store A 3 y) 4)" => "(select A 4)",
        "(select (store A (add x 1) y) x)" => "(select A x)", "(select (store A (or x 1) y) (shl z 1))" => "(select A (shl z 1))";
    SelectConstArray: "(select (fill x) y)" => "x";
    SelectTable: "(select (table 3 5 7) 1)" => "5", "(select (table 3 5 7) 3)" => "0";
    StoreStore: "(select (store (store A x y) x z) u)" => "(select (store A x z) u)";
    StoreSelect: "(select (store A x (select A x)) y)" => "(select A y)";

    FCommute: "(foeq q p)" => "(foeq p q)";
    FCmpSelf: "(folt p p)" => "0:1", "(fole p p)" => "(not (isnan p))", "(foeq p p)" => "(not (isnan p))";
    FCmpInt: "(folt (uitofp x) (uitofp y))" => "(ult x y)", "(fole (sitofp x) (sitofp y))" => "(sle x y)",
        "(foeq (uitofp x) (uitofp y))" => "(eq x y)";
    // 0x4500 is 5.0, 0x4580 is 5.5, 0x7c00 is infinity.
    FCmpIntConst: "(folt (uitofp x) 17664)" => "(ult x 5)", "(fole 17664 (sitofp x))" => "(sle 5 x)",
        "(folt (uitofp x) 17792)" => "(ult x 6)", "(fole (uitofp x) 17792)" => "(ule x 5)",
        "(fole 17792 (uitofp x))" => "(ule 6 x)", "(folt 17792 (sitofp x))" => "(slt 5 x)", "(foeq (uitofp x) 17792)" => "0:1",
        "(folt (sitofp x) 31744)" => "1:1", "(folt 31744 (sitofp x))" => "0:1";
    FCmpExt: "(folt.float (fpconv p float) (fpconv q float))" => "(folt p q)",
        "(fole.float (fpconv p float) 1065353216)" => "(fole p 15360)";
    FConvertInt: "(fpconv (uitofp x) double)" => "(uitofp.double x)";
    FConvertWiden: "(fpconv.float (fpconv p float) double)" => "(fpconv p double)";
    FRoundInt: "(floor (sitofp x))" => "(sitofp x)";
    FIntRoundTrip: "(fptosi (sitofp x) 8)" => "x", "(fptosi (uitofp x) 16)" => "(zext x +8)",
        "(fptoui (uitofp x) 8)" => "x";
};

pub const DOES_NOT: &[DoesNot] = does_not! {
    Commute: "(sub y x)", "(ult y x)", "(add x y)";
    KnownConstant: "(and x y)";
    LiftIteUnary: "(not (ite b x 5))";
    LiftIteBinary: "(add (ite b 3 5) x)", "(add (ite b x 5) 1)";
    AddZero: "(add x 1)";
    AddBool: "(add x y)";
    AddSelf: "(add x y)";
    AddAddConst: "(add (add x y) 3)";
    AddSubConst: "(add (sub x y) 3)";
    AddNotConst: "(add (not x) y)";
    AddNeg: "(sub x (neg y))";
    AddNot: "(add x (not y))";
    AddCancel: "(add (sub x y) x)";
    AddPullConst: "(add (sub 3 x) y)";
    AddDisjoint: "(add (and x 5) (and y 9))";
    SubConst: "(sub 3 x)";
    SubSelf: "(sub x y)";
    SubFromZero: "(sub 1 x)";
    SubFromOnes: "(sub -2 x)";
    SubNeg: "(sub (neg x) y)";
    SubCancel: "(sub (sub x y) y)", "(sub (add x y) z)";
    SubPullConst: "(sub (add x y) z)";
    SubSubConst: "(sub 9 (sub x y))";
    NegNeg: "(neg (not x))";
    NegBool: "(neg x)";
    NegSub: "(neg (add x y))";
    NegNot: "(neg x)";
    NegAddConst: "(neg (add x y))";
    NegMulConst: "(neg (mul x y))";
    MulZero: "(mul x 3)";
    MulOne: "(mul x 3)";
    MulMinusOne: "(mul x 3)";
    MulBool: "(mul x y)";
    MulMulConst: "(mul (mul x y) 3)";
    MulAddConst: "(mul (add x 3) y)", "(mul (add x y) 3)";
    MulNegConst: "(mul (neg x) y)";
    MulPowerOfTwo: "(mul x 6)";
    DivByZero: "(udiv x y)";
    DivByOne: "(udiv x 2)";
    DivByMinusOne: "(udiv x -1)", "(sdiv x 3)";
    DivPowerOfTwo: "(sdiv x 8)", "(udiv x 6)";
    DivSmall: "(udiv (and x 5) 5)", "(urem x y)";
    DivNonNegative: "(sdiv x 3)", "(sdiv (and x 5) -3)";
    DivNarrow: "(udiv (zext x +8) (zext y +8))", "(udiv (zext x +8) -3)", "(sdiv (sext x +8) 3)";
    RemSelf: "(urem x y)", "(udiv x x)";
    AndZero: "(and x 1)";
    AndOnes: "(and x 1)";
    AndMask: "(and x 5)";
    AndKnown: "(and x 7)";
    OrZero: "(or x 1)";
    OrOnes: "(or x 1)";
    OrMask: "(or x 5)";
    BitwiseSelf: "(and x y)";
    BitwiseNot: "(and x (not y))", "(xor x (not x))";
    BitwiseConst: "(and (or x 5) 6)", "(and (and x y) 5)";
    BitwiseAbsorb: "(and x (or y z))", "(and x (xor x y))";
    BitwiseSplit: "(or (concat x y) (concat y z))", "(or x y)";
    XorZero: "(xor x 1)";
    XorOnes: "(xor x 1)";
    XorNot: "(xor x y)";
    XorCancel: "(xor x (or x y))";
    NotNot: "(not (neg x))";
    NotCompare: "(not (eq x y))";
    NotNeg: "(not (not x))";
    NotXorConst: "(not (xor x y))";
    ShiftByZero: "(shl x y)";
    ShiftOfZero: "(shl -1 x)", "(lshr -1 x)", "(shl x y)";
    ShiftOut: "(shl x 7)", "(shl x (or y 7))";
    ShlConst: "(shl x y)", "(lshr x 3)";
    LShrConst: "(lshr x y)", "(ashr x 3)";
    AShrConst: "(ashr x y)", "(lshr x 3)";
    AShrNonNegative: "(ashr x y)";
    EqSelf: "(eq x y)";
    EqBool: "(eq x 1)";
    EqDisjoint: "(eq (or x 1) y)", "(eq x y)";
    EqAddConst: "(eq (add x y) 3)", "(eq (add x 3) y)";
    EqSubConst: "(eq (sub x y) 3)";
    EqNegConst: "(eq (neg x) y)";
    EqNotConst: "(eq (not x) y)";
    EqXorConst: "(eq (xor x y) 3)";
    EqMulConst: "(eq (mul x 6) 12)", "(eq (mul x 3) y)";
    EqCancel: "(eq (add x y) (sub x z))", "(eq (mul x z) (mul y z))", "(eq (and x z) (and y z))";
    EqCancelSelf: "(eq (sub x y) y)", "(eq (and x y) x)";
    EqDifference: "(eq (sub x y) 1)", "(eq (add x y) 0)";
    EqZextConst: "(eq (zext x +8) (sext y +8))";
    EqSextConst: "(eq (sext x +8) (zext y +8))";
    EqExt: "(eq (zext x +8) (sext y +8))";
    EqConcatConst: "(eq (concat x y) (concat z x))";
    EqConcat: "(eq (concat x (extract y 0 4)) (concat (extract z 0 4) x))";
    EqIteArm: "(eq (ite b x y) 3)";
    CompareSelf: "(ult x y)";
    CompareBool: "(ult x y)";
    CompareRanges: "(ult x y)", "(ult (and x 5) 5)";
    CompareLeConst: "(ule x y)", "(ult x 5)";
    CompareEdge: "(ult x 5)", "(slt x 1)";
    SltZero: "(slt x 1)", "(ult x 5)";
    SltToUlt: "(slt x y)", "(slt (and x 5) y)";
    CompareNot: "(ult (not x) y)";
    CompareZext: "(slt (zext x +8) (sext y +8))", "(ult (zext x +8) (sext y +8))";
    CompareSext: "(ult (sext x +8) 5)", "(slt (zext x +8) (sext y +8))";
    CompareConcatConst: "(ult (concat x y) 22)", "(ult (concat x 1:2) (concat y 1:2))";
    OverflowRanges: "(sadd.o x y)", "(umul.o (and x 21) (and y 21))";
    OverflowConst: "(sadd.o x y)", "(umul.o x y)";
    OverflowSelf: "(sadd.o x x)", "(ssub.o x y)";
    ExtractAll: "(extract x 0 7)";
    ExtractExtract: "(extract (add x y) 1 2)";
    ExtractConcat: "(extract (concat x y) 6 4)";
    ExtractAcross: "(extract (concat x y) 0 8)";
    ExtractExt: "(extract x 0 4)";
    ExtractNot: "(extract (neg x) 1 2)";
    ExtractBitwiseConst: "(extract (and x y) 1 2)";
    ExtractArith: "(extract (add x y) 0 4)", "(extract (add (zext x +8) 3) 1 4)",
        "(extract (udiv (zext x +8) (zext y +8)) 0 8)";
    ConcatZeroHigh: "(concat x 0:3)";
    ConcatZext: "(concat (sext x +3) y)";
    ConcatAssoc: "(concat x (concat y z))";
    ConcatAdjacent: "(concat (extract x 4 4) (extract x 0 3))", "(concat (extract x 4 4) (extract y 0 4))";
    ExtExt: "(zext (sext x +2) +2)";
    SextNonNegative: "(sext x +8)";
    IteSame: "(ite b x y)";
    IteNotCond: "(ite b x y)";
    IteBool: "(ite b c d)", "(ite b 3 x)";
    IteToExt: "(ite b 2 0)", "(ite b 1 x)";
    IteEqArms: "(ite (eq x y) x z)";
    IteNested: "(ite b (ite c x y) z)";
    IteMerge: "(ite b x (ite c y x))";
    SelectStoreSame: "(select (store A x y) z)";
    SelectStoreOther: "(select (store A x y) z)", "(select (store A (add x 1) y) (add z 2))";
    SelectConstArray: "(select A x)";
    SelectTable: "(select (table 3 5 7) x)";
    StoreStore: "(select (store (store A x y) z y) u)";
    StoreSelect: "(select (store A x (select A y)) z)";
    FCommute: "(foeq p q)", "(folt q p)";
    FCmpSelf: "(folt p q)";
    FCmpInt: "(folt (uitofp x) p)", "(folt (uitofp.bfloat x) (uitofp.bfloat y))", "(folt (uitofp p) (uitofp q))";
    FCmpIntConst: "(folt (uitofp p) 17664)", "(folt p 17664)";
    FCmpExt: "(folt p q)", "(folt.float (fpconv p float) 1)";
    FConvertInt: "(fpconv (uitofp p) double)", "(fpconv (uitofp.bfloat x) double)", "(fpconv.double (uitofp.double x) half)";
    FConvertWiden: "(fpconv.float (fpconv p float) half)";
    FRoundInt: "(floor p)", "(floor (uitofp.bfloat x))";
    FIntRoundTrip: "(fptosi (uitofp x) 8)", "(fptoui (sitofp x) 8)", "(fptosi (sitofp p) 16)", "(fptosi (sitofp x) 4)";
};
