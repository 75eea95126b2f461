; Factors of a product of two primes, without overflow.
(set-logic QF_BV)
(declare-const p (_ BitVec 20))
(declare-const q (_ BitVec 20))
(assert (= (bvmul ((_ zero_extend 20) p) ((_ zero_extend 20) q)) (_ bv26752129 40)))
(assert (bvugt p (_ bv1 20)))
(assert (bvugt q p))
; expect: sat
(check-sat)
