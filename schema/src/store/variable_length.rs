//! Whole numbers as bytes: seven bits in each byte, the lowest first. Small numbers take few bytes.

/// The bits of a byte; the eighth says that another byte follows.
const BITS: u32 = 7;
const MORE: u8 = 1 << BITS;

/// Appends a number.
pub(super) fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= u64::from(MORE) {
        bytes.push(number as u8 | MORE);
        number >>= BITS;
    }
    bytes.push(number as u8);
}

/// Takes a number from the beginning of the bytes. `None` if they do not begin with one.
pub(super) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0_u64, 0);
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & !MORE).checked_shl(shift)?;
        if byte & MORE == 0 {
            return Some(number);
        }
        shift += BITS;
    }
}

/// A number with a sign as one without: 0, -1, 1, -2, … become 0, 1, 2, 3, …, so that small numbers stay small.
pub(super) fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> (i64::BITS - 1))).cast_unsigned()
}

/// The number of which [`zigzag`] made this one.
pub(super) fn unzigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back_as_they_were(numbers in prop::collection::vec(any::<i64>(), 0..20)) {
            let mut bytes = Vec::new();
            for number in &numbers {
                push(&mut bytes, zigzag(*number));
            }
            let mut rest = bytes.as_slice();
            for number in numbers {
                prop_assert_eq!(take(&mut rest).map(unzigzag), Some(number));
            }
            prop_assert_eq!(take(&mut rest), None);
        }
    }

    #[test]
    fn small_numbers_take_one_byte() {
        for number in -64..64 {
            let mut bytes = Vec::new();
            push(&mut bytes, zigzag(number));
            assert_eq!(bytes.len(), 1, "{number}");
        }
    }
}
