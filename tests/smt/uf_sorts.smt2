; Elements of a declared sort.
(set-logic QF_UF)
(declare-sort Colour 0)
(declare-const red Colour)
(declare-const green Colour)
(declare-const blue Colour)
(declare-const x Colour)
(declare-fun mix (Colour Colour) Colour)
(assert (distinct red green blue))
(assert (= (mix red green) blue))
; expect: sat
(check-sat)
(assert (or (= x red) (= x green)))
(assert (= (mix x x) (mix red green)))
(assert (= (mix red red) red))
; expect: sat
(check-sat)
(assert (= (mix green green) green))
; expect: unsat
(check-sat)
