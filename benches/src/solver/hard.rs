//! Single queries about products and quotients, against Z3.

use std::time::Duration;

use serde::Serialize;
use spelunk_bv::CmpOp;
use spelunk_expr::{ExprId, ExprPool, Model, Sort};
use spelunk_solver::chain::{Options, build};
use spelunk_solver::{Answer, Limits, Query};

use super::{blaster_with_layers, cpu_time, z3};
use crate::error::BenchError;

/// Our time must not be more than so many times Z3's.
const MAX_RATIO: f64 = 1.5;

/// Both get so much.
const PATIENCE: Duration = Duration::from_secs(60);

/// A query that takes longer is asked only once.
const LONG: Duration = Duration::from_secs(2);

#[derive(Serialize)]
pub struct HardQuery {
    pub name: &'static str,
    pub answer: &'static str,
    pub blaster_ms: f64,
    /// Nothing if Z3 did not answer within the time.
    pub z3_ms: Option<f64>,
    pub ratio: f64,
    pub max_ratio: f64,
}

impl HardQuery {
    pub fn is_within_bar(&self) -> bool {
        self.is_beyond_both() || self.answer != "unknown" && self.ratio <= self.max_ratio
    }

    /// Neither solver answers: nothing to compare.
    pub fn is_beyond_both(&self) -> bool {
        self.answer == "unknown" && self.z3_ms.is_none()
    }
}

struct Question {
    name: &'static str,
    build: fn(&mut Terms),
}

const QUESTIONS: &[Question] = &[
    Question { name: "32 bits: x * y = 65521 * 65519, both of 16 bits", build: |t| t.factors(65_521 * 65_519) },
    Question { name: "32 bits: x * y = prime, both of 16 bits", build: |t| t.factors(4_294_967_291) },
    Question {
        name: "32 bits: x * y = c modulo 2^32, x and y odd, x < y",
        build: |t| {
            let (x, y) = (t.var(32), t.var(32));
            let product = t.pool.mk_mul(x, y);
            t.require_const(CmpOp::Eq, product, 0x9e37_79b1);
            t.require_const(CmpOp::Ugt, x, 1);
            t.require(CmpOp::Ult, x, y);
        },
    },
    Question {
        name: "32 bits: x * x = c modulo 2^32",
        build: |t| {
            let x = t.var(32);
            let square = t.pool.mk_mul(x, x);
            t.require_const(CmpOp::Eq, square, 0x2b5a_d979);
        },
    },
    Question {
        name: "32 bits: x * x = no square, x of 16 bits",
        build: |t| {
            let x = t.var(32);
            let square = t.pool.mk_mul(x, x);
            t.require_const(CmpOp::Eq, square, 0x2b5a_d97a);
            t.require_const(CmpOp::Ult, x, 1 << 16);
        },
    },
    Question {
        name: "9 bits: x * (y + z) differs from x * y + x * z",
        build: |t| {
            let [x, y, z] = [(); 3].map(|()| t.var(9));
            let sum = t.pool.mk_add(y, z);
            let (product, left, right) = (t.pool.mk_mul(x, sum), t.pool.mk_mul(x, y), t.pool.mk_mul(x, z));
            let parts = t.pool.mk_add(left, right);
            t.require(CmpOp::Ne, product, parts);
        },
    },
    Question {
        name: "32 bits: x = y, but x * c and y * c differ in bit 28",
        build: |t| {
            let (x, y, factor) = (t.var(32), t.var(32), t.pool.mk_const(32, 2_654_435_769));
            let bits = [x, y].map(|key| {
                let product = t.pool.mk_mul(key, factor);
                t.pool.mk_extract(product, 28, 1)
            });
            t.require(CmpOp::Eq, x, y);
            t.require(CmpOp::Ne, bits[0], bits[1]);
        },
    },
    Question {
        name: "64 bits: x / y = c, x % y = d",
        build: |t| {
            let (x, y) = (t.var(64), t.var(64));
            let (quotient, rest) = (t.pool.mk_udiv(x, y), t.pool.mk_urem(x, y));
            t.require_const(CmpOp::Eq, quotient, 1_000_003);
            t.require_const(CmpOp::Eq, rest, 77_777);
        },
    },
    Question {
        name: "64 bits: x / 10 = y, y / 10 = z, digits 7 and 3",
        build: |t| {
            let (x, ten) = (t.var(64), t.pool.mk_const(64, 10));
            let (y, low) = (t.pool.mk_udiv(x, ten), t.pool.mk_urem(x, ten));
            let (z, next) = (t.pool.mk_udiv(y, ten), t.pool.mk_urem(y, ten));
            t.require_const(CmpOp::Eq, low, 7);
            t.require_const(CmpOp::Eq, next, 3);
            t.require_const(CmpOp::Ugt, z, 123_456_789_012);
        },
    },
    Question {
        name: "64 bits: x % y >= y, y > 0",
        build: |t| {
            let (x, y) = (t.var(64), t.var(64));
            let rest = t.pool.mk_urem(x, y);
            t.require_const(CmpOp::Ugt, y, 0);
            t.require(CmpOp::Uge, rest, y);
        },
    },
    Question { name: "8 bits: (x / y) * y + x % y differs from x", build: |t| t.division_identity(8) },
    Question {
        name: "64 bits: signed x / 1000 = -5, x % 1000 = -250",
        build: |t| {
            let (x, by) = (t.var(64), t.pool.mk_const(64, 1000));
            let (quotient, rest) = (t.pool.mk_sdiv(x, by), t.pool.mk_srem(x, by));
            t.require_const(CmpOp::Eq, quotient, -5i64 as u64);
            t.require_const(CmpOp::Eq, rest, -250i64 as u64);
        },
    },
    Question {
        name: "64 bits: unsigned x / y > x",
        build: |t| {
            let (x, y) = (t.var(64), t.var(64));
            let quotient = t.pool.mk_udiv(x, y);
            t.require_const(CmpOp::Ugt, y, 0);
            t.require(CmpOp::Ugt, quotient, x);
        },
    },
    Question {
        name: "32 bits: x * y differs from y * x by way of z = y",
        build: |t| {
            let [x, y, z] = [(); 3].map(|()| t.var(32));
            let (left, right) = (t.pool.mk_mul(x, y), t.pool.mk_mul(z, x));
            t.require(CmpOp::Eq, y, z);
            t.require(CmpOp::Ult, left, right);
        },
    },
    Question {
        name: "32 bits: x * x = y * y modulo 2^32, 1 < x < y < 2^31",
        build: |t| {
            let (x, y) = (t.var(32), t.var(32));
            let (left, right) = (t.pool.mk_mul(x, x), t.pool.mk_mul(y, y));
            t.require(CmpOp::Eq, left, right);
            t.require(CmpOp::Ult, x, y);
            t.require_const(CmpOp::Ult, y, 1 << 31);
            t.require_const(CmpOp::Ugt, x, 1);
        },
    },
    Question {
        name: "64 bits: (x + y)^2 differs from x^2 + 2xy + y^2",
        build: |t| {
            let (x, y) = (t.var(64), t.var(64));
            let sum = t.pool.mk_add(x, y);
            let square = t.pool.mk_mul(sum, sum);
            let [xx, xy, yy] = [(x, x), (x, y), (y, y)].map(|(a, b)| t.pool.mk_mul(a, b));
            let squares = t.pool.mk_add(xx, yy);
            let products = t.pool.mk_add(xy, xy);
            let parts = t.pool.mk_add(squares, products);
            t.require(CmpOp::Ne, square, parts);
        },
    },
    Question { name: "32 bits: (x / y) * y + x % y differs from x", build: |t| t.division_identity(32) },
    Question { name: "64 bits: (x / y) * y + x % y differs from x", build: |t| t.division_identity(64) },
    Question {
        name: "64 bits: x % 1000000007 = 5, x % 998244353 = 7",
        build: |t| {
            let x = t.var(64);
            for (modulus, rest) in [(1_000_000_007, 5), (998_244_353, 7)] {
                let modulus = t.pool.mk_const(64, modulus);
                let remainder = t.pool.mk_urem(x, modulus);
                t.require_const(CmpOp::Eq, remainder, rest);
            }
        },
    },
    Question {
        name: "32 bits: (x << s) + (y << s) differs from (x + y) << s",
        build: |t| {
            let [x, y, s] = [(); 3].map(|()| t.var(32));
            let sum = t.pool.mk_add(x, y);
            let [left, right, both] = [x, y, sum].map(|term| t.pool.mk_shl(term, s));
            let parts = t.pool.mk_add(left, right);
            t.require(CmpOp::Ne, parts, both);
        },
    },
    Question {
        name: "32 bits: bits of x counted in two ways differ",
        build: |t| {
            let x = t.var(32);
            let counts = [t.bits_one_by_one(x), t.bits_by_halves(x)];
            t.require(CmpOp::Ne, counts[0], counts[1]);
        },
    },
];

/// A query being built.
struct Terms {
    pool: ExprPool,
    constraints: Vec<ExprId>,
}

impl Terms {
    fn of(question: &Question) -> Terms {
        let mut terms = Terms { pool: ExprPool::new(), constraints: Vec::new() };
        (question.build)(&mut terms);
        terms
    }

    fn var(&mut self, width: u32) -> ExprId {
        let var = self.pool.new_var("x", Sort::Bv(width));
        self.pool.mk_var(var)
    }

    fn require(&mut self, op: CmpOp, a: ExprId, b: ExprId) {
        let condition = self.pool.mk_cmp(op, a, b);
        self.constraints.push(condition);
    }

    fn require_const(&mut self, op: CmpOp, a: ExprId, b: u64) {
        let b = self.pool.mk_const(self.pool.width(a), b);
        self.require(op, a, b);
    }

    /// Two factors of 16 bits, neither of them trivial.
    fn factors(&mut self, product: u64) {
        let (x, y) = (self.var(32), self.var(32));
        for factor in [x, y] {
            self.require_const(CmpOp::Ugt, factor, 1);
            self.require_const(CmpOp::Ult, factor, 1 << 16);
        }
        let mul = self.pool.mk_mul(x, y);
        self.require_const(CmpOp::Eq, mul, product);
    }

    /// What quotient and remainder are made of is not the dividend.
    fn division_identity(&mut self, width: u32) {
        let (x, y) = (self.var(width), self.var(width));
        let (quotient, rest) = (self.pool.mk_udiv(x, y), self.pool.mk_urem(x, y));
        let product = self.pool.mk_mul(quotient, y);
        let sum = self.pool.mk_add(product, rest);
        self.require(CmpOp::Ne, sum, x);
    }

    fn bits_one_by_one(&mut self, x: ExprId) -> ExprId {
        let width = self.pool.width(x);
        let mut count = self.pool.mk_const(width, 0);
        for at in 0..width {
            let bit = self.pool.mk_extract(x, at, 1);
            let bit = self.pool.mk_zext(bit, width);
            count = self.pool.mk_add(count, bit);
        }
        count
    }

    /// Sums of neighbours of 1, 2, 4, 8 and 16 bits.
    fn bits_by_halves(&mut self, x: ExprId) -> ExprId {
        [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff), (16, 0xffff)].iter().fold(
            x,
            |sums, &(distance, mask)| {
                let [mask, distance] = [mask, distance].map(|value| self.pool.mk_const(32, value));
                let shifted = self.pool.mk_lshr(sums, distance);
                let [low, high] = [sums, shifted].map(|term| self.pool.mk_and(term, mask));
                self.pool.mk_add(low, high)
            },
        )
    }
}

pub fn measure(repetitions: u32) -> Result<Vec<HardQuery>, BenchError> {
    QUESTIONS.iter().map(|question| measure_one(question, repetitions)).collect()
}

fn measure_one(question: &Question, repetitions: u32) -> Result<HardQuery, BenchError> {
    let mut best = [Duration::MAX; 2];
    let mut answers = [None; 2];
    for _ in 0..repetitions {
        for (at, options) in [blaster_with_layers(), z3()].iter().enumerate() {
            if is_worth_repeating(best[at]) {
                let (time, answer) = ask(question, options);
                best[at] = best[at].min(time);
                answers[at] = answer;
            }
        }
    }
    let answer = match answers {
        [Some(ours), Some(theirs)] if ours != theirs => {
            return Err(BenchError::Disagree { program: question.name, query: 0 });
        }
        [Some(true), _] => "sat",
        [Some(false), _] => "unsat",
        [None, _] => "unknown",
    };
    let [blaster_ms, z3_ms] = best.map(|time| time.as_secs_f64() * 1e3);
    Ok(HardQuery {
        name: question.name,
        answer,
        blaster_ms,
        z3_ms: answers[1].map(|_| z3_ms),
        ratio: blaster_ms / z3_ms,
        max_ratio: MAX_RATIO,
    })
}

fn is_worth_repeating(best: Duration) -> bool {
    best == Duration::MAX || best < LONG
}

/// The CPU time of a solver that knows nothing yet, and whether there are values.
fn ask(question: &Question, options: &Options) -> (Duration, Option<bool>) {
    let Terms { mut pool, constraints } = Terms::of(question);
    let limits = Limits { time: Some(PATIENCE), ..Limits::default() };
    let hint = Model::new();
    let query = Query { constraints: &constraints, n_satisfied: 0, hint: &hint, limits: &limits };
    let start = cpu_time();
    let answer = build(options).check(&mut pool, &query);
    let time = cpu_time() - start;
    let is_sat = match answer {
        Answer::Sat(_) => Some(true),
        Answer::Unsat(_) => Some(false),
        Answer::Unknown(_) => None,
    };
    (time, is_sat)
}
