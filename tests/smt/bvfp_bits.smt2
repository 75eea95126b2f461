; Floats and their bits: half precision, where all of it is small.
(set-logic QF_BVFP)
(declare-const b (_ BitVec 16))
(declare-const n (_ BitVec 8))
(define-fun x () Float16 ((_ to_fp 5 11) b))
(push)
(assert (fp.isSubnormal x))
(assert (distinct ((_ extract 14 10) b) #b00000))
; expect: unsat
(check-sat)
(pop)
(push)
(assert (= ((_ fp.to_sbv 8) RTZ ((_ to_fp 5 11) RNE n)) (bvadd n #x01)))
; expect: unsat
(check-sat)
(pop)
(push)
(assert (= x ((_ to_fp_unsigned 5 11) RNE n)))
(assert (= (bvand b #x00ff) #x0040))
(assert (bvugt n #x40))
; expect: sat
(check-sat)
(pop)
(assert (fp.isNaN x))
(assert (distinct b #x7e00 #xfe00))
; expect: sat
(check-sat)
