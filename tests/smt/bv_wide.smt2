; Widths beyond a machine word.
(set-logic QF_BV)
(declare-const x (_ BitVec 200))
(declare-const y (_ BitVec 200))
(assert (= (bvadd x y) (_ bv1000000000000000000000000000000000000000000 200)))
(assert (= ((_ extract 199 100) x) ((_ extract 99 0) y)))
(assert (bvugt x y))
(assert (= ((_ repeat 2) ((_ extract 3 0) x)) #xa5))
; expect: unsat
(check-sat)
(reset-assertions)
(declare-const x (_ BitVec 200))
(declare-const y (_ BitVec 200))
(assert (= (bvxor x y) (bvnot (_ bv0 200))))
(assert (= (bvand x ((_ repeat 50) #x3)) ((_ repeat 50) #x1)))
(assert (bvsgt (bvneg x) y))
; expect: sat
(check-sat)
