//! Postal codes (PSČ).

use std::fmt;
use std::num::NonZeroU32;

use czech::fold_name;

/// A Czech postal code: five digits, the first 1 to 7. Shown as `110 00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PostalCode(NonZeroU32);

impl PostalCode {
    /// The code in `11000`, `110 00`, `PSČ 110 00`, `CZ-11000`. `None` for foreign codes and for the placeholders of
    /// portals (`00000`, `98765`).
    pub fn parse(text: &str) -> Option<Self> {
        let mut digits = 0_u32;
        let mut count = 0;
        for c in text.chars() {
            if let Some(digit) = c.to_digit(10) {
                count += 1;
                if count > 5 {
                    return None;
                }
                digits = digits * 10 + digit;
            } else if count > 0 && !c.is_whitespace() {
                return None;
            }
        }
        let marker: String = text.chars().take_while(|c| !c.is_ascii_digit()).collect();
        let marker = fold_name(&marker);
        (count == 5 && matches!(marker.as_str(), "" | "psc" | "cz"))
            .then_some(digits)
            .and_then(Self::from_number)
    }

    /// The code with these five digits; `None` if the country has no such code.
    pub fn from_number(digits: u32) -> Option<Self> {
        let digits = NonZeroU32::new(digits)?;
        (10_000..80_000)
            .contains(&digits.get())
            .then_some(Self(digits))
    }

    /// Whether it is a code of Prague: those from 100 00 to 199 99 are, and no others.
    pub const fn is_of_prague(self) -> bool {
        self.number() < 20_000
    }

    /// The five digits as a number.
    pub const fn number(self) -> u32 {
        self.0.get()
    }
}

impl fmt::Display for PostalCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:03} {:02}", self.number() / 100, self.number() % 100)
    }
}
