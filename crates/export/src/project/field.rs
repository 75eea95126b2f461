//! One field of an object as a C expression.

use spelunk_concolic::graph::layout::Layout;
use spelunk_report::suite::types::{Field, Format};

use super::literal;

/// The bits of a field in an object that starts at a byte.
pub fn bits(bytes: &[u8], start: usize, field: &Field) -> u128 {
    let first = 8 * start + field.bit_offset as usize;
    let bit = |place: usize| bytes.get(place / 8).is_some_and(|byte| byte >> (place % 8) & 1 == 1);
    (0..(field.n_bits as usize).min(128)).fold(0, |value, number| value | u128::from(bit(first + number)) << number)
}

/// Whether all bits of a field are known, by a mask; without one, all are.
pub fn is_known(mask: &[u8], start: usize, field: &Field) -> bool {
    let first = 8 * start + field.bit_offset as usize;
    let is_set = |place: usize| mask.get(place / 8).is_some_and(|byte| byte >> (place % 8) & 1 == 1);
    mask.is_empty() || (first..first + field.n_bits as usize).all(is_set)
}

/// The fields of a layout, as a campaign's files have them.
pub fn fields(layout: &Layout) -> Vec<Field> {
    layout.fields.iter().map(Field::from).collect()
}

/// A number, or whatever else is no pointer; nothing if C has no literal for it.
pub fn value(field: &Field, bits: u128) -> Option<String> {
    let n_bits = field.n_bits.clamp(1, 64);
    let low = bits as u64;
    match &field.format {
        Format::Bytes => None,
        Format::Float => literal::float(bits, field.n_bits),
        _ if field.n_bits > 64 => Some(literal::wide(low, (bits >> 64) as u64)),
        Format::Signed => Some(literal::signed(low, n_bits)),
        Format::Char if field.n_bits == 8 => Some(match low as u8 {
            0 => "0".to_owned(),
            byte => literal::character(byte),
        }),
        Format::Enum(constants) => {
            let unused = 64 - n_bits;
            let named = constants.iter().find(|(_, constant)| constant << unused >> unused == low);
            Some(named.map_or_else(|| literal::signed(low, n_bits), |(name, _)| name.clone()))
        }
        Format::Pointer if low == 0 => Some("NULL".to_owned()),
        Format::Pointer => Some(format!("(void *)0x{low:x}")),
        Format::Unsigned | Format::Bool | Format::Char => Some(literal::unsigned(low)),
    }
}
