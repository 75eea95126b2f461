; A byte whose reflected CRC-8 step by step is a given value, and that there is only one.
(set-logic QF_BV)
(define-fun step ((r (_ BitVec 8))) (_ BitVec 8)
  (ite (= ((_ extract 0 0) r) #b1) (bvxor (bvlshr r #x01) #x8c) (bvlshr r #x01)))
(define-fun crc ((x (_ BitVec 8))) (_ BitVec 8)
  (step (step (step (step (step (step (step (step x)))))))))
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (= (crc x) #x5e))
; expect: sat
(check-sat)
(push)
(assert (and (= (crc y) (crc x)) (distinct x y)))
; expect: unsat
(check-sat)
(pop)
