; Bits of a number found one by one, as a search would ask for them.
(set-logic QF_BV)
(declare-const n (_ BitVec 16))
(assert (= (bvmul n n) #x2710))
(assert (bvult n #x0100))
(push)
(assert (= ((_ extract 6 6) n) #b1))
; expect: sat
(check-sat)
(push)
(assert (= ((_ extract 2 2) n) #b0))
; expect: unsat
(check-sat)
(pop)
(assert (= ((_ extract 2 2) n) #b1))
; expect: sat
(check-sat)
(pop)
; expect: sat
(check-sat)
(assert (distinct n #x0064))
; expect: unsat
(check-sat-assuming ((bvult n #x0080)))
