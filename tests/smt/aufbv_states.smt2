; A counter with a memory as a transition system: what a state holds are functions of it, arrays among them.
(set-logic QF_AUFBV)
(declare-sort State 0)
(declare-fun count (State) (_ BitVec 4))
(declare-fun memory (State) (Array (_ BitVec 4) (_ BitVec 8)))
(declare-const s0 State)
(declare-const s1 State)
(declare-const s2 State)
(define-fun initial ((s State)) Bool
  (and (= (count s) #x0) (= (memory s) ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x00))))
(define-fun step ((s State) (t State)) Bool
  (and (= (count t) (bvadd (count s) #x1))
       (= (memory t) (store (memory s) (count s) (bvadd (select (memory s) (bvsub (count s) #x1)) #x03)))))
(assert (initial s0))
(assert (step s0 s1))
(assert (step s1 s2))
; expect: sat
(check-sat)
(push)
(assert (distinct (select (memory s2) #x1) #x06))
; expect: unsat
(check-sat)
(pop)
(push)
(assert (= s0 s2))
; expect: unsat
(check-sat)
(pop)
(declare-const s3 State)
(assert (= (count s3) (count s2)))
(assert (distinct (memory s3) (memory s2)))
; expect: sat
(check-sat)
(assert (= s3 s2))
; expect: unsat
(check-sat)
