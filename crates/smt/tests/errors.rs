//! What is wrong with a script is said with its position, and what is beyond us is named and left out.

mod support;

use spelunk_smt::{Outcome, RunError};
use support::run;

const HEADER: &str = "(declare-const p Bool)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 16))
(declare-const a (Array (_ BitVec 8) (_ BitVec 16)))
(declare-const f Float32)
(declare-fun g (Bool (_ BitVec 8)) Bool)
(define-fun d ((z (_ BitVec 8))) Bool (= z x))
(define-sort Pair (T) (Array T T))
";

/// The header has eight lines, so the script's first line is the ninth.
#[track_caller]
fn refused(script: &str, line: u32, column: u32, message: &str) {
    let ran = run(&format!("{HEADER}{script}"));
    match ran.end {
        Err(RunError::Script { place, problem }) => {
            let got = (place.line - 8, place.column, problem.to_string());
            assert_eq!(got, (line, column, message.to_owned()), "{script}");
            let expected = script.lines().nth(line as usize - 1).unwrap_or_default();
            assert_eq!(place.line_text, expected);
            let answer = format!("(error \"line {} column {column}: {message}\")\n", line + 8);
            assert_eq!(ran.out, answer.replace("\"unknown\"", "\"\"unknown\"\""));
        }
        other => panic!("{script}: {other:?}"),
    }
}

#[test]
fn names_must_be_known() {
    refused("(assert (and p q))", 1, 16, "unknown symbol `q`");
    refused("(assert\n  (bvfrob x x))", 2, 4, "unknown symbol `bvfrob`");
    refused("(assert ((_ frob 3) x))", 1, 13, "unknown symbol `frob`");
    refused("(declare-const z Word)", 1, 18, "unknown sort `Word`");
    refused("(declare-const z (_ Word 8))", 1, 21, "unknown sort `Word`");
    refused("(frobnicate)", 1, 1, "unknown command `frobnicate`");
    refused("(assert (let ((z x)) (= z zz)))", 1, 27, "unknown symbol `zz`");
    refused("(assert (let ((z x) (w z)) p))", 1, 24, "unknown symbol `z`");
    refused("(assert (and (let ((z p)) z) z))", 1, 30, "unknown symbol `z`");
}

#[test]
fn names_are_given_once() {
    refused("(declare-const x Bool)", 1, 16, "`x` is declared already");
    refused("(define-fun g () Bool true)", 1, 13, "`g` is declared already");
    refused("(declare-const bvadd Bool)", 1, 16, "`bvadd` belongs to the theories and can't be declared");
    refused("(declare-sort Pair 0)", 1, 15, "`Pair` is declared already");
    refused("(assert (let ((z x) (z x)) p))", 1, 14, "`z` is bound twice");
    refused("(assert (! p :named p))", 1, 9, "`p` is declared already");
}

#[test]
fn counts_must_fit() {
    refused("(assert (not p p))", 1, 9, "`not` takes 1 argument, not 2");
    refused("(assert (= p))", 1, 9, "`=` takes at least 2 arguments, not 1");
    refused("(assert (= x (bvnot)))", 1, 14, "`bvnot` takes 1 argument, not 0");
    refused("(assert (= ((_ extract 3) x) x))", 1, 12, "`extract` takes 2 indices, not 1");
    refused("(assert (= (extract x) x))", 1, 12, "`extract` takes 2 indices, not 0");
    refused("(assert (fp.isNaN ((_ to_fp 8 24) RNE f f)))", 1, 19, "`to_fp` takes 1 to 2 arguments, not 3");
    refused("(assert (g p))", 1, 9, "`g` takes 2 arguments, not 1");
    refused("(assert (d x x))", 1, 9, "`d` takes 1 argument, not 2");
    refused("(assert d)", 1, 9, "`d` takes arguments, not 0");
    refused("(declare-const z (Array Bool))", 1, 18, "`Array` takes 2 sorts, not 1");
    refused("(declare-const z (Pair Bool Bool))", 1, 18, "`Pair` takes 1 sorts, not 2");
}

#[test]
fn sorts_must_fit() {
    refused("(assert x)", 1, 9, "expected Bool, this has sort (_ BitVec 8)");
    refused("(assert (and p x))", 1, 16, "expected Bool, this has sort (_ BitVec 8)");
    refused("(assert (= x y))", 1, 14, "expected (_ BitVec 8), this has sort (_ BitVec 16)");
    refused("(assert (bvult x y))", 1, 18, "expected (_ BitVec 8), this has sort (_ BitVec 16)");
    refused("(assert (= x (bvadd x x p)))", 1, 25, "expected (_ BitVec 8), this has sort Bool");
    refused("(assert (= x (bvneg p)))", 1, 21, "expected a bit-vector, this has sort Bool");
    refused("(assert (= (ite p x y) x))", 1, 21, "expected (_ BitVec 8), this has sort (_ BitVec 16)");
    refused("(assert (= (select a y) y))", 1, 22, "expected (_ BitVec 8), this has sort (_ BitVec 16)");
    refused("(assert (= (store a x x) a))", 1, 23, "expected (_ BitVec 16), this has sort (_ BitVec 8)");
    refused("(assert (= (select x x) x))", 1, 12, "expected an array, this has sort (_ BitVec 8)");
    refused("(assert (fp.eq f x))", 1, 18, "expected (_ FloatingPoint 8 24), this has sort (_ BitVec 8)");
    refused("(assert (fp.isNaN (fp.add f f f)))", 1, 27, "expected RoundingMode, this has sort (_ FloatingPoint 8 24)");
    refused("(assert (g x p))", 1, 12, "expected Bool, this has sort (_ BitVec 8)");
    refused("(assert (d y))", 1, 12, "expected (_ BitVec 8), this has sort (_ BitVec 16)");
    refused("(define-fun h () Bool x)", 1, 23, "expected Bool, this has sort (_ BitVec 8)");
    refused("(assert (= ((as const Bool) p) p))", 1, 23, "expected an array sort, this has sort Bool");
    refused("(assert (= ((as const (Array Bool Bool)) x) x))", 1, 42, "expected Bool, this has sort (_ BitVec 8)");
}

#[test]
fn widths_must_exist() {
    refused("(assert (= ((_ extract 8 0) x) x))", 1, 12, "bits 8 to 0 of a bit-vector of 8");
    refused("(assert (= ((_ extract 2 3) x) x))", 1, 12, "bits 2 to 3 of a bit-vector of 8");
    refused("(assert (= ((_ repeat 0) x) x))", 1, 12, "no bit-vector has 0 bits");
    refused("(declare-const z (_ BitVec 0))", 1, 28, "no bit-vector has 0 bits");
    refused("(assert (= ((_ zero_extend 4000000) x) x))", 1, 12, "no bit-vector has 4000008 bits");
    refused("(assert (= (_ bv1 0) x))", 1, 12, "no bit-vector has 0 bits");
}

#[test]
fn syntax_is_checked_within_commands() {
    refused("(assert (let ((z)) p))", 1, 15, "expected `(variable term)`");
    refused("(assert (let (z x) p))", 1, 15, "expected `(variable term)`");
    refused("(assert (let z p))", 1, 14, "expected a list of bindings");
    refused("(assert (let ((z x)) p p))", 1, 9, "expected `(let (bindings…) term)`");
    refused("(assert ())", 1, 9, "expected a term");
    refused("(assert (! p named))", 1, 14, "expected an attribute");
    refused("(assert (! p :named))", 1, 14, "expected a name after `:named`");
    refused("(assert)", 1, 1, "expected `(assert term)`");
    refused("(declare-fun h Bool Bool)", 1, 16, "expected a list of sorts");
    refused("(define-fun h ((z)) Bool p)", 1, 16, "expected `(parameter sort)`");
    refused("(push 4000000000)", 1, 1, "expected a number of levels, of at most 2^20");
    refused("(push p)", 1, 1, "expected a number of levels, of at most 2^20");
    refused("assert", 1, 1, "expected a command");
    refused("(assert (p p))", 1, 10, "expected a function");
    refused("(set-option :print-success 1)", 1, 28, "expected `true` or `false`");
    refused("(assert (= x :x))", 1, 14, "expected a term");
    refused("(pop 2)", 1, 1, "only 0 levels to pop");
    refused("(push 1)\n(pop 2)", 2, 1, "only 1 levels to pop");
    refused("(assert (and p\n  (or p p)", 1, 1, "this parenthesis is never closed");
}

#[track_caller]
fn left_out(command: &str, answer: &str, column: u32, what: &str) {
    let ran = run(&format!("{HEADER}{command}\n(check-sat)\n(assert (and p (not p)))\n(check-sat)\n"));
    assert!(matches!(ran.end, Ok(Outcome::Unanswered)), "{command}: {:?}", ran.end);
    assert_eq!(ran.out, format!("{answer}unknown\nunsat\n"), "{command}");
    assert_eq!((ran.notes[0].place.line, ran.notes[0].place.column), (9, column), "{command}");
    assert!(ran.notes[0].text.contains(what), "{command}: {}", ran.notes[0].text);
}

#[test]
fn what_is_left_out_makes_sat_unknown_and_leaves_unsat_alone() {
    left_out("(assert (= (fp.add RTZ f f) f))", "", 12, "results of `fp.add` rounded by RTZ are not supported");
    left_out("(assert (forall ((z Bool)) z))", "", 9, "terms with `forall`");
    left_out("(assert (= f ((_ to_fp 8 24) RNE 0.5 3)))", "", 34, "integers and reals");
    left_out("(assert (< 1 2))", "", 12, "integers and reals");
    left_out("(assert (= \"a\" \"b\"))", "", 12, "strings");
    left_out("(declare-const i Int) (assert (= i i))", "", 18, "values of sort Int are not supported: what uses `i`");
    left_out("(declare-const i (_ FloatingPoint 3 5)) (assert (fp.isNaN i))", "", 18, "3 exponent bits");
    left_out("(declare-const i (Array Bool (Array Bool Bool))) (assert (= i i))", "", 18, "arrays of arrays");
    left_out("(declare-const i (Array (_ BitVec 65) Bool)) (assert (= i i))", "", 18, "indices of 65 bits");
    left_out("(declare-const m RoundingMode) (assert (= m RNE))", "", 18, "rounding modes that are not constant");
    left_out("(declare-const m (Array Bool RoundingMode)) (assert (= m m))", "", 18, "arrays of rounding modes");
    left_out("(declare-fun m (Bool) RoundingMode) (assert (= (m true) RNE))", "", 23, "functions of rounding modes");
    left_out("(declare-datatypes ((D 0)) (((c)))) (assert (= c c))", "unsupported\n", 1, "`declare-datatypes`");
    left_out("(define-fun i ((z Int)) Int z) (assert (= (i 1) 2))", "", 19, "values of sort Int");
}

#[test]
fn a_model_is_there_after_sat_only() {
    let none = "(error \"there is no model: the last check did not answer `sat`\")\n";
    assert_eq!(run("(get-model)").out, none);
    assert_eq!(run("(assert false)(check-sat)(get-value (true))").out, format!("unsat\n{none}"));
    assert_eq!(run("(check-sat)(assert true)(get-model)").out, format!("sat\n{none}"));
    assert_eq!(run("(check-sat)(get-value (true))").out, "sat\n((true true))\n");
    let ran = run("(get-model)(check-sat)");
    assert!(matches!(ran.end, Ok(Outcome::Unanswered)), "{:?}", ran.end);
}
