//! stub
use crate::{Choice, Heap, ObjIx};
#[derive(Debug)]
pub struct Incomplete;
impl Heap {
    pub fn complete(
        &self,
        prefer: &mut dyn FnMut(&Heap, ObjIx, usize) -> Option<Choice>,
        _budget: usize,
    ) -> Result<Heap, Incomplete> {
        let mut heap = self.clone();
        for _ in 0..1000 {
            let Some((o, r)) = heap.undecided().next() else { return Ok(heap) };
            let mut all = heap.candidates(o, r);
            if let Some(p) = prefer(&heap, o, r) {
                all.insert(0, p);
            }
            let c = all.into_iter().find(|c| heap.check(o, r, *c).is_ok()).ok_or(Incomplete)?;
            heap.decide(o, r, c);
        }
        Err(Incomplete)
    }
}
