//! Reading protocol buffers: fields with their numbers.

/// A value of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    /// A number of fixed length, which is not read.
    Fixed,
}

/// The fields of a message. A message that ends in the middle of a field ends before it.
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = (u64, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let key = varint(&mut self.0)?;
        let value = match key & 7 {
            0 => Value::Number(varint(&mut self.0)?),
            1 => self.pass_over(8)?,
            2 => {
                let length = usize::try_from(varint(&mut self.0)?).ok()?;
                let (bytes, rest) = self.0.split_at_checked(length)?;
                self.0 = rest;
                Value::Bytes(bytes)
            }
            5 => self.pass_over(4)?,
            _ => return None,
        };
        Some((key >> 3, value))
    }
}

impl<'a> Fields<'a> {
    fn pass_over(&mut self, bytes: usize) -> Option<Value<'a>> {
        self.0 = self.0.get(bytes..)?;
        Some(Value::Fixed)
    }
}

/// A number of variable length; `None` at the end, or if it is longer than any number.
pub(super) fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (byte, behind) = rest.split_first()?;
        *rest = behind;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// The numbers of a packed field.
pub(super) fn packed(mut bytes: &[u8]) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || varint(&mut bytes))
}

/// A signed number in zigzag notation.
pub(super) fn signed(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -((number & 1).cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_and_a_cut_message_ends() {
        let message = [0x08, 0x96, 0x01, 0x12, 2, b'a', b'b', 0x1d, 0, 0, 0, 0];
        let all: Vec<_> = Fields(&message).collect();
        let expected = [
            (1, Value::Number(150)),
            (2, Value::Bytes(b"ab")),
            (3, Value::Fixed),
        ];
        assert_eq!(all, expected);
        for cut in 0..message.len() {
            assert!(Fields(&message[..cut]).count() < 3);
        }
        assert_eq!(varint(&mut &[0xff_u8; 11][..]), None);
    }

    #[test]
    fn signs_alternate() {
        assert_eq!([0, 1, 2, 3].map(signed), [0, -1, 1, -2]);
    }
}
