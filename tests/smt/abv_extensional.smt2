; Equality of arrays, in all positions.
(set-logic QF_ABV)
(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const b (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const c (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const i (_ BitVec 8))
(declare-const j (_ BitVec 8))
(declare-const p Bool)
(push)
(assert (= (store a i #x01) (store b i #x01)))
(assert (distinct (select a j) (select b j)))
; expect: sat
(check-sat)
(assert (distinct i j))
; expect: unsat
(check-sat)
(pop)
(push)
(assert (or (= a b) (= b c)))
(assert (distinct (select a i) (select b i)))
; expect: sat
(check-sat)
(assert (distinct (select b j) (select c j)))
; expect: unsat
(check-sat)
(pop)
(push)
(assert (= (store (store a i #x01) j #x02) (store (store a j #x02) i #x01)))
(assert (= i j))
; expect: unsat
(check-sat)
(pop)
(push)
(assert (= a ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00)))
(assert (= (store a i #x00) b))
(assert (distinct a b))
; expect: unsat
(check-sat)
(pop)
(push)
(assert (distinct a b c))
(assert (= (ite p a b) c))
; expect: unsat
(check-sat)
(pop)
(push)
(assert (= ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00) (store ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x01) i j)))
; expect: unsat
(check-sat)
(pop)
(assert (distinct a b))
(assert (= (store a i (select b i)) b))
; expect: sat
(check-sat)
