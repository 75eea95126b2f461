//! Every function of the theories on constants, against the host's arithmetic or a value computed by hand.

mod support;

use support::run;

/// Asserts that all equations hold; terms are constant, so this is evaluation.
#[track_caller]
fn check_all(equations: &[(String, String)]) {
    let terms: Vec<String> = equations.iter().map(|(term, value)| format!("(= {term} {value})")).collect();
    let ran = run(&format!("(check-sat)(get-value ({}))", terms.join(" ")));
    assert!(ran.end.is_ok(), "{:?}", ran.end);
    assert!(ran.notes.is_empty(), "{:?}", ran.notes);
    let values: Vec<&str> = ran.out.lines().skip(1).collect();
    assert_eq!(values.len(), terms.len(), "{}", ran.out);
    for (value, term) in values.iter().zip(&terms) {
        assert!(value.trim_end_matches(')').ends_with(" true"), "{term} does not hold");
    }
}

#[track_caller]
fn check(equations: &[(&str, &str)]) {
    check_all(&equations.iter().map(|&(term, value)| (term.to_owned(), value.to_owned())).collect::<Vec<_>>());
}

/// Values that meet all special cases of eight bits.
const BYTES: [u8; 12] = [0, 1, 2, 3, 7, 8, 9, 0x55, 0x7f, 0x80, 0xfe, 0xff];

type Bytes = fn(u8, u8) -> u8;
type Test = fn(u8, u8) -> bool;

fn smod(a: u8, b: u8) -> u8 {
    let (x, y) = (a as i8 as i32, b as i8 as i32);
    if y == 0 { a } else { (x - y * (x as f64 / y as f64).floor() as i32) as u8 }
}

#[test]
fn bytes_like_the_host() {
    let functions: [(&str, Bytes); 24] = [
        ("bvadd", u8::wrapping_add),
        ("bvsub", u8::wrapping_sub),
        ("bvmul", u8::wrapping_mul),
        ("bvand", |a, b| a & b),
        ("bvor", |a, b| a | b),
        ("bvxor", |a, b| a ^ b),
        ("bvnand", |a, b| !(a & b)),
        ("bvnor", |a, b| !(a | b)),
        ("bvxnor", |a, b| !(a ^ b)),
        ("bvudiv", |a, b| a.checked_div(b).unwrap_or(u8::MAX)),
        ("bvurem", |a, b| a.checked_rem(b).unwrap_or(a)),
        ("bvsdiv", |a, b| match (a as i8, b as i8) {
            (x, 0) => {
                if x < 0 {
                    1
                } else {
                    u8::MAX
                }
            }
            (x, y) => x.wrapping_div(y) as u8,
        }),
        ("bvsrem", |a, b| if b == 0 { a } else { (a as i8).wrapping_rem(b as i8) as u8 }),
        ("bvsmod", smod),
        ("bvshl", |a, b| a.checked_shl(b.into()).unwrap_or(0)),
        ("bvlshr", |a, b| a.checked_shr(b.into()).unwrap_or(0)),
        ("bvashr", |a, b| ((a as i8) >> b.min(7)) as u8),
        ("ext_rotate_left", |a, b| a.rotate_left(b.into())),
        ("ext_rotate_right", |a, b| a.rotate_right(b.into())),
        ("bvadd #x01", |a, b| a.wrapping_add(b).wrapping_add(1)),
        ("bvsub #x01", |a, b| 1u8.wrapping_sub(a).wrapping_sub(b)),
        ("bvmul #x03", |a, b| a.wrapping_mul(b).wrapping_mul(3)),
        ("bvand #x3c", |a, b| a & b & 0x3c),
        ("bvxor #x3c", |a, b| a ^ b ^ 0x3c),
    ];
    let pairs = || BYTES.iter().flat_map(|&a| BYTES.iter().map(move |&b| (a, b)));
    for (name, function) in functions {
        let equations: Vec<(String, String)> = pairs()
            .map(|(a, b)| (format!("({name} #x{a:02x} #x{b:02x})"), format!("#x{:02x}", function(a, b))))
            .collect();
        check_all(&equations);
    }
    let tests: [(&str, Test); 20] = [
        ("bvult", |a, b| a < b),
        ("bvule", |a, b| a <= b),
        ("bvugt", |a, b| a > b),
        ("bvuge", |a, b| a >= b),
        ("bvslt", |a, b| (a as i8) < b as i8),
        ("bvsle", |a, b| a as i8 <= b as i8),
        ("bvsgt", |a, b| a as i8 > b as i8),
        ("bvsge", |a, b| a as i8 >= b as i8),
        ("=", |a, b| a == b),
        ("distinct", |a, b| a != b),
        ("distinct #x07", |a, b| a != b && a != 7 && b != 7),
        ("= #x07", |a, b| a == b && a == 7),
        ("bvuaddo", |a, b| a.checked_add(b).is_none()),
        ("bvusubo", |a, b| a.checked_sub(b).is_none()),
        ("bvumulo", |a, b| a.checked_mul(b).is_none()),
        ("bvumul_noovfl", |a, b| a.checked_mul(b).is_some()),
        ("bvsaddo", |a, b| (a as i8).checked_add(b as i8).is_none()),
        ("bvssubo", |a, b| (a as i8).checked_sub(b as i8).is_none()),
        ("bvsmulo", |a, b| (a as i8).checked_mul(b as i8).is_none()),
        ("bvsdivo", |a, b| (a as i8).overflowing_div(if b == 0 { 1 } else { b as i8 }).1),
    ];
    for (name, test) in tests {
        let equations: Vec<(String, String)> =
            pairs().map(|(a, b)| (format!("({name} #x{a:02x} #x{b:02x})"), test(a, b).to_string())).collect();
        check_all(&equations);
    }
}

#[test]
fn bits_of_other_shapes() {
    check(&[
        ("(bvnot #xa5)", "#x5a"),
        ("(bvneg #x01)", "#xff"),
        ("(bvnego #x80)", "true"),
        ("(bvnego #x81)", "false"),
        ("(bvcomp #x12 #x12)", "#b1"),
        ("(bvcomp #x12 #x13)", "#b0"),
        ("(bvredor #x00)", "#b0"),
        ("(bvredor #x10)", "#b1"),
        ("(bvredand #xff)", "#b1"),
        ("(bvredand #xfe)", "#b0"),
        ("(bvredxor #x70)", "#b1"),
        ("(bvredxor #xf0)", "#b0"),
        ("(bvrol #b1000 #b0001)", "#b0001"),
        ("(bvror #b1000 #b0001)", "#b0100"),
        ("(concat #x1 #b01 #b10)", "#x16"),
        ("((_ extract 5 2) #b00110100)", "#b1101"),
        ("((_ repeat 3) #b10)", "#b101010"),
        ("((_ repeat 1) #b10)", "#b10"),
        ("((_ zero_extend 4) #xf)", "#x0f"),
        ("((_ sign_extend 4) #x9)", "#xf9"),
        ("((_ sign_extend 0) #x9)", "#x9"),
        ("((_ rotate_left 1) #b1000)", "#b0001"),
        ("((_ rotate_left 6) #b1000)", "#b0010"),
        ("((_ rotate_right 1) #b0001)", "#b1000"),
        ("((_ rotate_right 8) #b0001)", "#b0001"),
        ("(ext_rotate_left #b1 #b1)", "#b1"),
        ("(_ bv300 8)", "#x2c"),
        ("(_ bv340282366920938463463374607431768211455 128)", "(bvnot (_ bv0 128))"),
        ("#xDEADbeefDEADbeefDEAD", "(concat #xdeadbeef #xdeadbeefdead)"),
        ("(bvsmod #b1 #b1)", "#b0"),
        ("(bvsmod (_ bv3 80) (bvneg (_ bv2 80)))", "(bvneg (_ bv1 80))"),
    ]);
}

#[test]
fn truth_values() {
    check(&[
        ("(and true true false)", "false"),
        ("(and true)", "true"),
        ("(or false false true)", "true"),
        ("(xor true true true)", "true"),
        ("(=> true false true)", "true"),
        ("(=> true true false)", "false"),
        ("(=> false false)", "true"),
        ("(ite false #x1 #x2)", "#x2"),
        ("(= true true true)", "true"),
        ("(= true true false)", "false"),
        ("(distinct true false)", "true"),
        ("(let ((x true) (y false)) (let ((x y) (y x)) (and (not x) y)))", "true"),
        ("(! (not false) :pattern (true) :weight 3)", "true"),
        ("(as true Bool)", "true"),
    ]);
}

#[test]
fn arrays_of_constants() {
    let zeros = "((as const (Array (_ BitVec 2) (_ BitVec 8))) #x00)";
    let ones = "((as const (Array (_ BitVec 2) (_ BitVec 8))) #x01)";
    let all = format!("(store (store (store (store {zeros} #b00 #x01) #b01 #x01) #b10 #x01) #b11 #x01)");
    check_all(&[
        (format!("(select {ones} #b10)"), "#x01".into()),
        (format!("(select (store {zeros} #b10 #x07) #b10)"), "#x07".into()),
        (format!("(select (store {zeros} #b10 #x07) #b11)"), "#x00".into()),
        (format!("(= {zeros} {ones})"), "false".into()),
        (format!("(= {all} {ones})"), "true".into()),
        (format!("(= (store {zeros} #b00 #x00) {zeros})"), "true".into()),
        (format!("(select (ite (= #b1 #b1) {ones} {zeros}) #b00)"), "#x01".into()),
        ("(select (store ((as const (Array Bool Bool)) false) true true) true)".into(), "true".into()),
    ]);
}

fn float(value: f32) -> String {
    format!("((_ to_fp 8 24) #x{:08x})", value.to_bits())
}

const FLOATS: [f32; 18] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1.5,
    2.5,
    -2.5,
    3.0,
    0.1,
    7.75,
    1e30,
    -1e38,
    f32::MAX,
    f32::MIN_POSITIVE,
    1e-45,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

/// The remainder to the nearest multiple; a quotient of floats is in reach of integers here only if it is small.
fn ieee_remainder(x: f32, y: f32) -> Option<f32> {
    let (x, y) = (x as f64, y as f64);
    if !x.is_finite() || y.is_nan() || y == 0.0 {
        return Some(f32::NAN);
    }
    if y.is_infinite() {
        return Some(x as f32);
    }
    let quotient = x / y;
    if quotient.abs() > 1e9 {
        return None;
    }
    let rest = x - quotient.round_ties_even() * y;
    Some(if rest == 0.0 { 0f64.copysign(x) } else { rest } as f32)
}

#[test]
fn floats_like_the_host() {
    let mut equations = Vec::new();
    for x in FLOATS {
        let a = float(x);
        equations.extend([
            (format!("(fp.neg {a})"), float(-x)),
            (format!("(fp.abs {a})"), float(x.abs())),
            (format!("(fp.sqrt RNE {a})"), float(x.sqrt())),
            (format!("(fp.roundToIntegral RNE {a})"), float(x.round_ties_even())),
            (format!("(fp.roundToIntegral RNA {a})"), float(x.round())),
            (format!("(fp.roundToIntegral RTP {a})"), float(x.ceil())),
            (format!("(fp.roundToIntegral RTN {a})"), float(x.floor())),
            (format!("(fp.roundToIntegral roundTowardZero {a})"), float(x.trunc())),
            (format!("(fp.isNaN {a})"), x.is_nan().to_string()),
            (format!("(fp.isInfinite {a})"), x.is_infinite().to_string()),
            (format!("(fp.isZero {a})"), (x == 0.0).to_string()),
            (format!("(fp.isNormal {a})"), x.is_normal().to_string()),
            (format!("(fp.isSubnormal {a})"), x.is_subnormal().to_string()),
            (format!("(fp.isNegative {a})"), (x.is_sign_negative() && !x.is_nan()).to_string()),
            (format!("(fp.isPositive {a})"), (x.is_sign_positive() && !x.is_nan()).to_string()),
            (format!("((_ to_fp 11 53) RNE {a})"), format!("((_ to_fp 11 53) #x{:016x})", (x as f64).to_bits())),
        ]);
        if x.abs() < 1e4 {
            equations.extend([
                (format!("((_ fp.to_sbv 16) RTZ {a})"), format!("#x{:04x}", x as i16)),
                (format!("((_ fp.to_sbv 16) RNE {a})"), format!("#x{:04x}", x.round_ties_even() as i16)),
                (format!("((_ fp.to_sbv 16) RTN {a})"), format!("#x{:04x}", x.floor() as i16)),
            ]);
        }
        for y in FLOATS {
            let b = float(y);
            equations.extend([
                (format!("(fp.add RNE {a} {b})"), float(x + y)),
                (format!("(fp.sub RNE {a} {b})"), float(x - y)),
                (format!("(fp.mul RNE {a} {b})"), float(x * y)),
                (format!("(fp.div roundNearestTiesToEven {a} {b})"), float(x / y)),
                (format!("(fp.fma RNE {a} {b} {})", float(0.1)), float(x.mul_add(y, 0.1))),
                (format!("(fp.leq {a} {b})"), (x <= y).to_string()),
                (format!("(fp.lt {a} {b})"), (x < y).to_string()),
                (format!("(fp.geq {a} {b})"), (x >= y).to_string()),
                (format!("(fp.gt {a} {b})"), (x > y).to_string()),
                (format!("(fp.eq {a} {b})"), (x == y).to_string()),
                (format!("(= {a} {b})"), (x.to_bits() == y.to_bits()).to_string()),
            ]);
            if x != 0.0 || y != 0.0 {
                equations.push((format!("(fp.min {a} {b})"), float(x.min(y))));
                equations.push((format!("(fp.max {a} {b})"), float(x.max(y))));
            }
            if let Some(rest) = ieee_remainder(x, y) {
                equations.push((format!("(fp.rem {a} {b})"), float(rest)));
            }
        }
    }
    check_all(&equations);
}

#[test]
fn floats_of_other_shapes() {
    check(&[
        ("(fp #b0 #x7f #b10000000000000000000000)", "((_ to_fp 8 24) RNE 1.5)"),
        ("(_ +oo 8 24)", "((_ to_fp 8 24) #x7f800000)"),
        ("(_ -oo 5 11)", "((_ to_fp 5 11) #xfc00)"),
        ("(_ +zero 8 24)", "((_ to_fp 8 24) #x00000000)"),
        ("(_ -zero 8 24)", "((_ to_fp 8 24) #x80000000)"),
        ("(_ NaN 8 24)", "((_ to_fp 8 24) #xffabcdef)"),
        ("(= (_ +zero 8 24) (_ -zero 8 24))", "false"),
        ("(fp.eq (_ +zero 8 24) (_ -zero 8 24))", "true"),
        ("(fp.eq (_ NaN 8 24) (_ NaN 8 24))", "false"),
        ("(fp.to_ieee_bv (_ NaN 8 24))", "#x7fc00000"),
        ("(fp.lt (_ -oo 8 24) (_ -zero 8 24) (_ +oo 8 24))", "true"),
        ("((_ to_fp 8 24) RNE (- 0.1))", "((_ to_fp 8 24) #xbdcccccd)"),
        ("((_ to_fp 8 24) RNE (/ 1 10))", "((_ to_fp 8 24) #x3dcccccd)"),
        ("((_ to_fp 8 24) RNE #xff)", "((_ to_fp 8 24) RNE (- 1))"),
        ("((_ to_fp_unsigned 8 24) RTZ #xff)", "((_ to_fp 8 24) RNE 255)"),
        ("((_ to_fp 8 24) RNE ((_ to_fp 11 53) RNE 0.1))", "((_ to_fp 8 24) RNE 0.1)"),
        ("((_ fp.to_ubv 8) RTZ ((_ to_fp 8 24) RNE 200.9))", "#xc8"),
        ("((_ fp.to_ubv 8) RTP ((_ to_fp 8 24) RNE 200.1))", "#xc9"),
        ("((_ to_fp 15 64) RNE 1.0)", "(fp #b0 (_ bv16383 15) (_ bv0 63))"),
        ("(fp.to_ieee_bv ((_ to_fp 15 64) RNE 1.0))", "(concat #b0 (_ bv16383 15) (_ bv0 63))"),
        ("((_ to_fp 15 64) (_ bv0 79))", "(_ +zero 15 64)"),
        ("(fp.add RNE ((_ to_fp 15 64) RNE 1.0) ((_ to_fp 15 64) RNE 2.0))", "((_ to_fp 15 64) RNE 3.0)"),
        ("((_ to_fp 15 113) RNE 0.5)", "(fp #b0 (_ bv16382 15) (_ bv0 112))"),
    ]);
}

#[test]
fn what_the_standard_leaves_open_is_open() {
    let header = "(declare-const x Float32)(declare-const y Float32)";
    let ran = run(&format!(
        "{header}(assert (= ((_ fp.to_ubv 8) RTZ (_ NaN 8 24)) #x2a))(check-sat)
         (assert (= ((_ fp.to_ubv 8) RTZ (_ NaN 8 24)) #x2b))(check-sat)
         (reset-assertions){header}
         (assert (= (fp.min (_ +zero 8 24) (_ -zero 8 24)) (_ -zero 8 24)))(check-sat)
         (assert (= (fp.min (_ -zero 8 24) (_ +zero 8 24)) (_ +zero 8 24)))(check-sat)
         (assert (= (fp.min (_ +zero 8 24) (_ -zero 8 24)) (_ +zero 8 24)))(check-sat)"
    ));
    assert_eq!(ran.out, "sat\nunsat\nsat\nsat\nunsat\n");
}
