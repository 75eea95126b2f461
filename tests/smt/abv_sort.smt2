; A network that sorts four bytes in place: sorted, and nothing lost. Without its last step it does not sort.
(set-logic QF_ABV)
(define-sort Memory () (Array (_ BitVec 4) (_ BitVec 8)))
(declare-const m Memory)
(define-fun exchange ((a Memory) (i (_ BitVec 4)) (j (_ BitVec 4))) Memory
  (let ((x (select a i)) (y (select a j)))
    (ite (bvult y x) (store (store a i y) j x) a)))
(define-fun most () Memory
  (exchange (exchange (exchange (exchange m #x0 #x1) #x2 #x3) #x0 #x2) #x1 #x3))
(define-fun all () Memory (exchange most #x1 #x2))
(define-fun sorted ((a Memory)) Bool
  (and (bvule (select a #x0) (select a #x1)) (bvule (select a #x1) (select a #x2)) (bvule (select a #x2) (select a #x3))))
(define-fun sum ((a Memory)) (_ BitVec 8) (bvadd (select a #x0) (select a #x1) (select a #x2) (select a #x3)))
(push)
(assert (not (sorted all)))
; expect: unsat
(check-sat)
(pop)
(push)
(assert (distinct (sum m) (sum all)))
; expect: unsat
(check-sat)
(pop)
(assert (not (sorted most)))
; expect: sat
(check-sat)
