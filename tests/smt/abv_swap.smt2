; Two elements swapped by exclusive or: right unless both are one, which sets it to zero.
(set-logic QF_ABV)
(declare-const before (Array (_ BitVec 32) (_ BitVec 8)))
(declare-const m1 (Array (_ BitVec 32) (_ BitVec 8)))
(declare-const m2 (Array (_ BitVec 32) (_ BitVec 8)))
(declare-const after (Array (_ BitVec 32) (_ BitVec 8)))
(declare-const i (_ BitVec 32))
(declare-const j (_ BitVec 32))
(assert (= m1 (store before i (bvxor (select before i) (select before j)))))
(assert (= m2 (store m1 j (bvxor (select m1 i) (select m1 j)))))
(assert (= after (store m2 i (bvxor (select m2 i) (select m2 j)))))
(push)
(assert (distinct i j))
(assert (not (and (= (select after i) (select before j)) (= (select after j) (select before i)))))
; expect: unsat
(check-sat)
(pop)
(assert (distinct (select after i) (select before j)))
; expect: sat
(check-sat)
(assert (distinct i j))
; expect: unsat
(check-sat)
