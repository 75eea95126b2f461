; A word written byte by byte to memory and read back, at an address that may wrap around.
(set-logic QF_ABV)
(declare-const mem (Array (_ BitVec 16) (_ BitVec 8)))
(declare-const p (_ BitVec 16))
(declare-const q (_ BitVec 16))
(declare-const w (_ BitVec 32))
(define-fun write ((m (Array (_ BitVec 16) (_ BitVec 8))) (a (_ BitVec 16)) (v (_ BitVec 32))) (Array (_ BitVec 16) (_ BitVec 8))
  (store (store (store (store m a ((_ extract 7 0) v))
    (bvadd a #x0001) ((_ extract 15 8) v)) (bvadd a #x0002) ((_ extract 23 16) v)) (bvadd a #x0003) ((_ extract 31 24) v)))
(define-fun read ((m (Array (_ BitVec 16) (_ BitVec 8))) (a (_ BitVec 16))) (_ BitVec 32)
  (concat (select m (bvadd a #x0003)) (select m (bvadd a #x0002)) (select m (bvadd a #x0001)) (select m a)))
(push)
(assert (distinct (read (write mem p w) p) w))
; expect: unsat
(check-sat)
(pop)
(assert (= (read (write mem p w) q) #x11223344))
(assert (= w #x33445566))
; expect: sat
(check-sat)
(assert (= q (bvadd p #x0001)))
; expect: unsat
(check-sat)
