; A page table of unknown contents: pages that it keeps apart don't disturb each other.
(set-logic QF_AUFBV)
(declare-fun frame ((_ BitVec 8)) (_ BitVec 8))
(declare-const ram (Array (_ BitVec 16) (_ BitVec 8)))
(declare-const v (_ BitVec 16))
(declare-const w (_ BitVec 16))
(define-fun physical ((a (_ BitVec 16))) (_ BitVec 16) (concat (frame ((_ extract 15 8) a)) ((_ extract 7 0) a)))
(define-fun written () (Array (_ BitVec 16) (_ BitVec 8)) (store ram (physical v) #xaa))
(assert (distinct (select written (physical w)) (select ram (physical w))))
; expect: sat
(check-sat)
(assert (distinct v w))
; expect: sat
(check-sat)
(assert (=> (distinct ((_ extract 15 8) v) ((_ extract 15 8) w))
            (distinct (frame ((_ extract 15 8) v)) (frame ((_ extract 15 8) w)))))
; expect: unsat
(check-sat)
