//! What is said of programs whose variables don't fit in memory.

use bytesize::ByteSize;
use spelunk_ir::code::Image;

/// Says what takes more memory than there is, and which option allows more.
pub fn too_large(image: &Image, max_memory: ByteSize) -> String {
    let total: u64 = image.statics.iter().map(|object| object.size).sum();
    let largest = image.statics.iter().max_by_key(|object| object.size);
    match largest {
        Some(largest) if total > max_memory.as_u64() / 2 => format!(
            "the program's variables take {}, of which `{}` takes {}: more than --max-memory {max_memory} allows",
            ByteSize(total),
            largest.name,
            ByteSize(largest.size)
        ),
        _ => format!("the program's variables and inputs take more than --max-memory {max_memory} allows"),
    }
}
