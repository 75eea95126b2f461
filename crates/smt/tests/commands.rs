//! Commands and their answers.

mod support;

use spelunk_smt::Outcome;
use support::run;

#[track_caller]
fn answers(script: &str, expected: &str) {
    let ran = run(script);
    assert!(ran.end.is_ok(), "{script}: {:?}", ran.end);
    assert_eq!(ran.out, expected, "{script}");
}

#[test]
fn levels_take_back_what_was_said_in_them() {
    answers(
        "(declare-const x (_ BitVec 8))
         (push)
         (declare-const y (_ BitVec 8))
         (assert (bvult x y))
         (push 2)
         (assert (bvult y x))
         (check-sat)
         (pop 2)
         (check-sat)
         (pop 1)
         (declare-const y Bool)
         (assert y)
         (check-sat)",
        "unsat\nsat\nsat\n",
    );
}

#[test]
fn declarations_may_outlive_their_level() {
    answers(
        "(set-option :global-declarations true)(push)(declare-const p Bool)(pop)(assert p)(check-sat)
         (get-value (p))(reset-assertions)(assert (not p))(check-sat)",
        "sat\n((p true))\nsat\n",
    );
}

#[test]
fn resetting_forgets() {
    answers("(declare-const p Bool)(assert false)(reset-assertions)(check-sat)(declare-const p Bool)", "sat\n");
    answers(
        "(set-option :print-success true)(push)(reset)(check-sat)(get-info :assertion-stack-levels)",
        "success\nsuccess\nsat\n(:assertion-stack-levels 0)\n",
    );
}

#[test]
fn success_is_told_on_request() {
    answers(
        "(set-option :print-success true)(push)(assert true)(check-sat)(exit)(check-sat)",
        "success\nsuccess\nsuccess\nsat\nsuccess\n",
    );
}

#[test]
fn information_and_options() {
    answers(
        "(get-info :name)(get-info :frobs)(get-option :print-success)(get-option :frobs)",
        "(:name \"spelunk\")\nunsupported\nfalse\nunsupported\n",
    );
    answers("(echo \"say \"\"this\"\"\")", "\"say \"\"this\"\"\"\n");
    let ran = run("(set-option :random-seed 3)(check-sat)");
    assert_eq!(ran.out, "sat\n");
    assert_eq!(ran.notes[0].text, "option :random-seed is ignored");
}

#[test]
fn assertions_are_given_back() {
    answers(
        "(set-option :produce-assertions true)(declare-const p Bool)
         (assert (! (or p ; why not
            (not p)) :named tertium))(get-assertions)",
        "((! (or p (not p)) :named tertium))\n",
    );
}

#[test]
fn cores_name_what_is_to_blame() {
    answers(
        "(set-option :produce-unsat-cores true)
         (declare-const x (_ BitVec 32))(declare-const y (_ BitVec 32))
         (assert (! (bvult x #x00000010) :named small))
         (assert (! (= y #x00000001) :named |the other|))
         (assert (! (bvugt x #x00000020) :named large))
         (assert (= y y))
         (check-sat)(get-unsat-core)",
        "unsat\n(small large)\n",
    );
    answers(
        "(declare-const x (_ BitVec 4))(declare-const y (_ BitVec 4))
         (assert (bvult x #x8))
         (check-sat-assuming ((bvult y #x7) (bvugt x #x9) (not (= y #x2))))(get-unsat-assumptions)(check-sat)",
        "unsat\n((bvugt x #x9))\nsat\n",
    );
    answers(
        "(assert false)(check-sat)(get-unsat-core)",
        "unsat\n(error \"cores are kept after `(set-option :produce-unsat-cores true)` only\")\n",
    );
}

#[test]
fn cores_see_through_arrays_that_stand_for_others() {
    answers(
        "(set-option :produce-unsat-cores true)
         (declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
         (declare-const b (Array (_ BitVec 8) (_ BitVec 8)))
         (assert (! (= b (store a #x00 #x07)) :named written))
         (assert (! (= (select a #x01) #x00) :named other))
         (assert (! (= (select b #x00) #x08) :named read))
         (check-sat)(get-unsat-core)",
        "unsat\n(written read)\n",
    );
}

#[test]
fn models_define_what_was_declared() {
    answers(
        "(declare-const p Bool)(declare-const |odd name| (_ BitVec 8))(declare-const w (_ BitVec 3))
         (declare-fun f ((_ BitVec 8) Bool) (_ BitVec 4))
         (declare-const a (Array (_ BitVec 4) (_ BitVec 8)))
         (define-fun d () Bool p)
         (declare-const r Float16)(declare-const n Float32)
         (assert (and p (= |odd name| #x2a) (= w #b101) (= (f #x01 true) #x3) (= (f #x02 false) #x0)))
         (assert (= a (store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x05) #x2 #x09)))
         (assert (and (= r ((_ to_fp 5 11) RNE 1.5)) (fp.isNaN n)))
         (check-sat)(get-model)",
        "sat\n(
  (define-fun p () Bool true)
  (define-fun |odd name| () (_ BitVec 8) #x2a)
  (define-fun w () (_ BitVec 3) #b101)
  (define-fun f ((x!0 (_ BitVec 8)) (x!1 Bool)) (_ BitVec 4) (ite (and (= x!0 #x01) (= x!1 true)) #x3 #x0))
  (define-fun a () (Array (_ BitVec 4) (_ BitVec 8)) (store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x05) #x2 #x09))
  (define-fun r () (_ FloatingPoint 5 11) (fp #b0 #b01111 #b1000000000))
  (define-fun n () (_ FloatingPoint 8 24) (_ NaN 8 24))
)\n",
    );
}

#[test]
fn values_of_terms_that_were_never_asserted() {
    answers(
        "(declare-const x (_ BitVec 8))(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
         (declare-fun wide ((_ BitVec 100)) (_ BitVec 100))
         (assert (= x #x07))(assert (= (select a x) #x01))(check-sat)
         (get-value (x (bvadd x #x01) (= a (store a x #x01)) (= a (store a x #x02))
            (select (ite (= x #x07) (store a x #xff) ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00)) x)
            (= (wide (_ bv3 100)) (wide (_ bv3 100)))))",
        "sat\n((x #x07)
 ((bvadd x #x01) #x08)
 ((= a (store a x #x01)) true)
 ((= a (store a x #x02)) false)
 ((select (ite (= x #x07) (store a x #xff) ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00)) x) #xff)
 ((= (wide (_ bv3 100)) (wide (_ bv3 100))) true))\n",
    );
}

#[test]
fn wrong_expectations_are_noted() {
    let ran = run("(set-info :status unsat)\n(check-sat)\n(check-sat)");
    assert!(matches!(ran.end, Ok(Outcome::Answered)));
    assert_eq!(ran.out, "sat\nsat\n");
    assert_eq!(ran.notes.len(), 1);
    assert_eq!(ran.notes[0].text, "the answer is sat, but the script says that it is unsat");
}

#[test]
fn deep_terms_are_read_without_recursion() {
    let depth = 100_000;
    let nots = format!("{}p{}", "(not ".repeat(depth), ")".repeat(depth));
    let lets: String = (0..depth).map(|at| format!("(let ((v{} (xor v{at} p))) ", at + 1)).collect();
    let script = format!(
        "(declare-const p Bool)(declare-const v0 Bool)(assert {nots})(assert {lets}v{depth}{})(assert (not v0))(check-sat)",
        ")".repeat(depth)
    );
    answers(&script, "unsat\n");
}

#[test]
fn defined_functions_are_substituted() {
    answers(
        "(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(declare-const x (_ BitVec 8))
         (declare-fun wide ((_ BitVec 80)) Bool)
         (define-fun same ((b (Array (_ BitVec 8) (_ BitVec 8))) (i (_ BitVec 8))) Bool (= b (store b i #x00)))
         (define-fun pick ((c Bool) (b (Array (_ BitVec 8) (_ BitVec 8)))) (Array (_ BitVec 8) (_ BitVec 8))
            (ite c b ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00)))
         (define-fun both ((i (_ BitVec 80))) Bool (and (wide i) (not (wide (bvadd i (_ bv1 80))))))
         (assert (same a x))
         (assert (= (select (pick (= x #x01) a) x) #x03))
         (check-sat)
         (reset-assertions)
         (declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(declare-const x (_ BitVec 8))
         (declare-fun wide ((_ BitVec 80)) Bool)
         (define-fun both ((i (_ BitVec 80))) Bool (and (wide i) (not (wide (bvadd i (_ bv1 80))))))
         (assert (both (_ bv7 80)))(check-sat)
         (assert (both (_ bv8 80)))(check-sat)",
        "unsat\nsat\nunsat\n",
    );
}
