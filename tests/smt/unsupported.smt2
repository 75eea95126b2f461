; What is left out leaves `unsat` as it is, and makes `unknown` of `sat`.
; exit: 1
(set-logic ALL)
(declare-const i Int)
(declare-const x (_ BitVec 8))
(assert (> i 3))
; expect: unknown
(check-sat)
(assert (bvult x x))
; expect: unsat
(check-sat)
