; The remainder of the nearest quotient is at most half of the divisor.
(set-logic QF_FP)
(declare-const x Float16)
(define-fun y () Float16 ((_ to_fp 5 11) RNE 3.0))
(define-fun r () Float16 (fp.rem x y))
(assert (fp.leq (fp.abs x) ((_ to_fp 5 11) RNE 16.0)))
(push)
(assert (fp.gt (fp.abs r) ((_ to_fp 5 11) RNE 1.5)))
; expect: unsat
(check-sat)
(pop)
(assert (= r ((_ to_fp 5 11) RNE (- 1.5))))
; expect: sat
(check-sat)
