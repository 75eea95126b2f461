; Where floats are not numbers.
(set-logic QF_FP)
(declare-const x Float16)
(declare-const y Float16)
(define-fun one () Float16 ((_ to_fp 5 11) RNE 1.0))
(push)
(assert (= (fp.add RNE x one) x))
(assert (not (fp.isInfinite x)))
(assert (not (fp.isNaN x)))
; expect: sat
(check-sat)
(pop)
(push)
(assert (and (fp.leq x y) (fp.leq y x) (not (fp.eq x y))))
; expect: unsat
(check-sat)
(pop)
(push)
(assert (fp.isZero x))
(assert (not (= x (fp.neg (fp.neg x)))))
; expect: unsat
(check-sat)
(pop)
(push)
(assert (and (fp.eq x y) (not (= x y))))
; expect: sat
(check-sat)
(assert (not (fp.isZero x)))
; expect: unsat
(check-sat)
(pop)
(assert (= x (fp.div RNE one ((_ to_fp 5 11) RNE 3.0))))
(assert (= (fp.mul RNE x ((_ to_fp 5 11) RNE 3.0)) one))
; expect: sat
(check-sat)
(assert (fp.lt x ((_ to_fp 5 11) RNE (/ 1 3))))
; expect: unsat
(check-sat)
