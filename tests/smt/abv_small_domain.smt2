; Arrays with so few indices that there is nothing beside those that are named.
(set-logic QF_ABV)
(declare-const a (Array (_ BitVec 1) (_ BitVec 4)))
(declare-const b (Array (_ BitVec 1) (_ BitVec 4)))
(assert (= (store (store a #b0 #x3) #b1 #x3) ((as const (Array (_ BitVec 1) (_ BitVec 4))) #x3)))
; expect: sat
(check-sat)
(assert (= (select a #b0) (select b #b0)))
(assert (= (select a #b1) (select b #b1)))
; expect: sat
(check-sat)
(assert (distinct a b))
; expect: unsat
(check-sat)
