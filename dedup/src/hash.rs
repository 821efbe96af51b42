//! Hashes that stay the same on every machine and in every version, because blocking keys are
//! stored.

/// The hash of a text or of several values.
pub type Hash = u64;

/// The hash of some texts, in this order (FNV-1a with a final mixing of its bits).
pub fn hash(parts: &[&str]) -> Hash {
    let mut state: u64 = 0xcbf2_9ce4_8422_2325;
    for part in parts {
        for byte in part.bytes().chain([0xff]) {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    (state ^ (state >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// One hash from two values, in this order.
pub(crate) fn combine(one: Hash, other: Hash) -> Hash {
    let value = (one ^ other.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (value ^ (value >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ other
}
