; A table of floats: equal tables hold equal values, where all NaNs are one.
(set-logic QF_ABVFP)
(declare-const t (Array (_ BitVec 4) Float16))
(declare-const s (Array (_ BitVec 4) Float16))
(declare-const i (_ BitVec 4))
(assert (= s (store t i ((_ to_fp 5 11) #x7e01))))
(assert (fp.isNaN (select t i)))
; expect: sat
(check-sat)
(assert (distinct s t))
; expect: unsat
(check-sat)
