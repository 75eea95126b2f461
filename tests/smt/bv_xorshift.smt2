; Which state of a xorshift generator comes before a given one.
(set-logic QF_BV)
(define-fun next ((x (_ BitVec 32))) (_ BitVec 32)
  (let ((a (bvxor x (bvshl x (_ bv13 32)))))
    (let ((b (bvxor a (bvlshr a (_ bv17 32)))))
      (bvxor b (bvshl b (_ bv5 32))))))
(declare-const s (_ BitVec 32))
(assert (= (next (next s)) #xdeadbeef))
; expect: sat
(check-sat)
