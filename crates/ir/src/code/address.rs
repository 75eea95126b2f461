//! Addresses: an object's number in the high half, its base in the low half.
//!
//! A base is somewhere in the middle of the low half, so that small negative offsets still belong to the object, and
//! differs between objects, so that programs that hash the low bits of pointers get distinct values. The distances of
//! objects differ too: one pointer plus the distance of two others must not be a fourth by chance.

pub const OBJECT_SHIFT: u32 = 32;

/// No object may be larger, or its end would leave its own address range.
pub const MAX_OBJECT_SIZE: u64 = 0xc000_0000;

/// Where a native stack would start. It belongs to an object that there never is, so nothing can be read there.
pub const STACK_TOP: u64 = 0x7fff_ffff_0000_0000;

const LOWEST_BASE: u64 = 0x1000_0000;
const BASE_SPREAD: u64 = 0x00ff_fff0;

/// The address of byte 0 of an object. `align` must be a power of two.
pub fn object_base(id: u32, align: u64) -> u64 {
    // By the square of the number: by the number itself, neighbours would all be equally far apart.
    let spread = u64::from(id.wrapping_mul(id).wrapping_mul(0x9e37_79b1) >> 8) & BASE_SPREAD;
    let base = u64::from(id) << OBJECT_SHIFT | (LOWEST_BASE + spread);
    base.next_multiple_of(align.max(16))
}
