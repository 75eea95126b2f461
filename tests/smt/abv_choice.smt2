; Choices between arrays that have nothing in common, written and read.
(set-logic QF_ABV)
(declare-const a (Array (_ BitVec 16) (_ BitVec 16)))
(declare-const b (Array (_ BitVec 16) (_ BitVec 16)))
(declare-const p Bool)
(declare-const q Bool)
(declare-const i (_ BitVec 16))
(declare-const j (_ BitVec 16))
(define-fun c () (Array (_ BitVec 16) (_ BitVec 16)) (ite p a b))
(define-fun d () (Array (_ BitVec 16) (_ BitVec 16)) (ite q (store c i #x0007) (store b j #x0009)))
(assert (= (select d j) #x0008))
(push)
(assert (not q))
; expect: unsat
(check-sat)
(pop)
(assert (= (select a j) #x0001))
; expect: sat
(check-sat)
(assert p)
; expect: unsat
(check-sat)
