; What division and remainder have to do with each other, for all operands, zero included.
(set-logic QF_BV)
(declare-const a (_ BitVec 7))
(declare-const b (_ BitVec 7))
(push)
(assert (distinct a (bvadd (bvmul (bvudiv a b) b) (bvurem a b))))
; expect: unsat
(check-sat)
(pop)
(push)
(assert (distinct a (bvadd (bvmul (bvsdiv a b) b) (bvsrem a b))))
; expect: unsat
(check-sat)
(pop)
(push)
(assert (distinct b (_ bv0 7)))
(assert (not (and (=> (bvsgt b (_ bv0 7)) (bvsge (bvsmod a b) (_ bv0 7)))
                  (=> (bvslt b (_ bv0 7)) (bvsle (bvsmod a b) (_ bv0 7))))))
; expect: unsat
(check-sat)
(pop)
(assert (bvsdivo a b))
; expect: sat
(check-sat)
