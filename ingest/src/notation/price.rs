//! Prices: `3 950 000 Kč`, `15 900 Kč/měsíc`, `250 Kč/m²`, `Cena na vyžádání`.

use czech::fold;
use czech::tokens::{Tokens, number};

/// A published price.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Price {
    /// No amount: on request, by agreement, in the text, free, or the placeholder 0 or 1.
    OnRequest,
    /// An amount in crowns.
    Crowns {
        /// The amount, CZK.
        amount: f64,
        /// What the amount is for.
        per: Per,
    },
    /// An amount in another currency.
    OtherCurrency,
}

/// What an amount is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Per {
    /// The whole property, also if the text does not say.
    Property,
    /// A month.
    Month,
    /// A year.
    Year,
    /// A day or night.
    Day,
    /// A square metre.
    SquareMetre,
}

impl Price {
    /// The API's `priceTotal`: the amount for the whole property or for a month of it. `None` for an amount per square
    /// metre, day or year.
    pub fn total(self) -> Option<f64> {
        match self {
            Self::Crowns {
                amount,
                per: Per::Property | Per::Month,
            } => Some(amount),
            _ => None,
        }
    }
}

/// Parts of texts in the place of a price that mean that no price is published.
const ON_REQUEST: [&str; 16] = [
    "vyzadani",
    "na dotaz",
    "dohod",
    "info",
    "v rk",
    "u rk",
    "v textu",
    "nabidnet",
    "nerozhoduje",
    "zdarma",
    "rezerv",
    "u maklere",
    "neuveden",
    "na poptavku",
    "poptavce",
    "prodano",
];

/// The price that is the value of a field. Only the first amount counts, because a second one is an older price or a
/// price per square metre. `None` if the text is not a price.
///
/// ```
/// use ingest::notation::price::{Price, price};
/// assert_eq!(price("3\u{200d}\u{a0}950\u{200d}\u{a0}000\u{200d}\u{a0}Kč").unwrap().total(), Some(3_950_000.0));
/// assert_eq!(price("Cena na vyžádání"), Some(Price::OnRequest));
/// assert_eq!(price("250 Kč/m²").unwrap().total(), None);
/// ```
pub fn price(text: &str) -> Option<Price> {
    let tokens = Tokens::parse(text);
    let keys = tokens.keys();
    let folded = fold(text);
    let on_request = ON_REQUEST.iter().any(|words| folded.contains(words));
    let first = keys.iter().position(|key| amount(key).is_some());
    let Some(at) = first else {
        return on_request.then_some(Price::OnRequest);
    };
    let before = at
        .checked_sub(1)
        .and_then(|before| keys.get(before))
        .copied();
    let after = keys.get(at + 1..).unwrap_or_default();
    let (factor, after) = scale(after);
    let value = amount(keys.get(at)?)? * factor;
    if before.is_some_and(is_other_currency)
        || after.first().is_some_and(|key| is_other_currency(key))
    {
        return Some(Price::OtherCurrency);
    }
    let crowns = before.is_some_and(is_crowns) || is_followed_by_crowns(after);
    if value <= 1.0 || (on_request && !crowns) {
        return Some(Price::OnRequest);
    }
    Some(Price::Crowns {
        amount: value,
        per: per(after),
    })
}

/// The total in crowns that a running text labels as the price (`Cena: 2 499 000 Kč`, `cena 11 000,-`). `None` if it
/// labels no amount, or several that differ.
pub fn price_in_text(text: &str) -> Option<f64> {
    let tokens = Tokens::parse(text);
    let keys = tokens.keys();
    let prices: Vec<f64> = (0..keys.len())
        .filter_map(|at| labelled_at(&keys, at))
        .collect();
    let first = *prices.first()?;
    prices
        .iter()
        .all(|price| (price - first).abs() < 1.0)
        .then_some(first)
}

/// The total that is labelled at this token.
fn labelled_at(keys: &[&str], at: usize) -> Option<f64> {
    let (["cena", ":" | "je" | "-", value @ ..] | ["cena", value @ ..]) = keys.get(at..)? else {
        return None;
    };
    let (factor, after) = scale(value.get(1..)?);
    let amount = amount(value.first()?)? * factor;
    let crowns = is_followed_by_crowns(after);
    (crowns && amount > 1.0 && matches!(per(after), Per::Property | Per::Month)).then_some(amount)
}

/// The former price in crowns that a running text names (`původní cena 2 499 000 Kč`, `sleva z 5.990.000,-`). `None` if it
/// names none, or several that differ.
pub fn former_price_in_text(keys: &[&str]) -> Option<f64> {
    let mut prices = (0..keys.len()).filter_map(|at| former_at(keys.get(at..)?));
    let first = prices.next()?;
    prices
        .all(|price| (price - first).abs() < 1.0)
        .then_some(first)
}

/// The former total that the first words name.
fn former_at(keys: &[&str]) -> Option<f64> {
    let lowered = |word: &str| {
        ["zlevnen", "snizen", "sleva", "slevnen"]
            .iter()
            .any(|stem| word.starts_with(stem))
    };
    let value = match keys {
        [
            "puvodni" | "drivejsi",
            "cena",
            ":" | "byla" | "-",
            value @ ..,
        ]
        | ["puvodni" | "drivejsi", "cena", value @ ..]
        | ["puvodne", "za", value @ ..] => value,
        [word, "z", "ceny" | "puvodnich", value @ ..] | [word, "z", value @ ..]
            if lowered(word) =>
        {
            value
        }
        _ => return None,
    };
    let (factor, after) = scale(value.get(1..)?);
    let amount = amount(value.first()?)? * factor;
    let is_total = matches!(per(after), Per::Property | Per::Month);
    (is_followed_by_crowns(after) && amount > 1.0 && is_total).then_some(amount)
}

/// The amount of a number's key. A comma with three digits groups thousands in a price.
fn amount(key: &str) -> Option<f64> {
    number(key).or_else(|| {
        key.split_once(',')
            .and_then(|(head, group)| number(&format!("{head}{group}")))
    })
}

/// The factor of `mil.` or `tis.` behind an amount, and the words behind it.
fn scale<'a, 'b>(after: &'a [&'b str]) -> (f64, &'a [&'b str]) {
    let (factor, rest) = match after {
        ["mil" | "milion" | "miliony" | "milionu" | "mio", rest @ ..] => (1e6, rest),
        ["tis" | "tisic", rest @ ..] => (1e3, rest),
        _ => return (1.0, after),
    };
    match rest {
        [".", rest @ ..] => (factor, rest),
        _ => (factor, rest),
    }
}

fn is_other_currency(key: &str) -> bool {
    matches!(
        key,
        "eur" | "€" | "euro" | "eura" | "usd" | "$" | "gbp" | "£" | "aed"
    )
}

fn is_crowns(key: &str) -> bool {
    matches!(key, "kc" | "czk" | "korun")
}

fn is_followed_by_crowns(after: &[&str]) -> bool {
    match after {
        [",", "-", ..] => true,
        [key, ..] => is_crowns(key),
        [] => false,
    }
}

/// What the amount is for, from the few words before the next number.
fn per(after: &[&str]) -> Per {
    for at in 0..after.len().min(8) {
        match after.get(at..).unwrap_or_default() {
            ["m" | "metr", "2" | "ctverecni", ..] | ["m", "^", "2", ..] => return Per::SquareMetre,
            [key, ..] if number(key).is_some() => break,
            [key, ..] if key.starts_with("mes") => return Per::Month,
            ["rok" | "rocne" | "rok.", ..] => return Per::Year,
            ["den" | "noc" | "denne", ..] => return Per::Day,
            _ => {}
        }
    }
    Per::Property
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn total(text: &str, expected: Option<f64>) {
        assert_eq!(price(text).and_then(Price::total), expected, "{text}");
    }

    #[test]
    fn amounts_are_read_however_they_are_grouped() {
        total(
            "3\u{200d}\u{a0}950\u{200d}\u{a0}000\u{200d}\u{a0}Kč\n\t\tSpočítat hypotéku",
            Some(3_950_000.0),
        );
        total("10.000.000,- Kč", Some(10_000_000.0));
        total("10,500 Kč", Some(10_500.0));
        total("9 999 999,99 Kč", Some(9_999_999.99));
        total("2499000", Some(2_499_000.0));
        total("2,5 mil. Kč", Some(2_500_000.0));
        total("11 tis. Kč měs.", Some(11_000.0));
        total("15 900 Kč/měsíc", Some(15_900.0));
        total("CZK 4 200 000", Some(4_200_000.0));
    }

    #[test]
    fn a_former_price_is_named_as_such() {
        let former = |text: &str| former_price_in_text(&Tokens::parse(text).keys());
        assert_eq!(
            former("Původní cena: 5 990 000 Kč, nyní 5 490 000 Kč."),
            Some(5_990_000.0)
        );
        assert_eq!(former("SLEVA z 2.499.000,- Kč!"), Some(2_499_000.0));
        assert_eq!(former("Cena snížena z 6,5 mil. Kč"), Some(6_500_000.0));
        assert_eq!(former("Cena 5 990 000 Kč, sleva 10 %."), None);
        assert_eq!(
            former("Původní cena 5 990 000 Kč, původní cena 4 990 000 Kč"),
            None
        );
    }

    #[test]
    fn words_and_placeholders_mean_a_price_on_request() {
        for text in [
            "Cena na vyžádání",
            "Info o ceně u RK",
            "Dohodou",
            "V textu",
            "Nabídněte",
            "Rezervováno",
            "Cena na dotaz",
            "Zdarma",
            "Nerozhoduje",
            "0 Kč",
            "1 Kč",
            "Cena na vyžádání, tel. 800 123 456",
        ] {
            assert_eq!(price(text), Some(Price::OnRequest), "{text}");
        }
        assert_eq!(
            price("3 200 000 Kč k dohodě").and_then(Price::total),
            Some(3_200_000.0)
        );
    }

    #[test]
    fn a_price_per_square_metre_or_day_is_not_a_total() {
        for text in [
            "250 Kč/m²",
            "250 Kč / m2 / měsíc",
            "1 200 Kč za m²",
            "1 500 Kč/den",
            "60 000 Kč za rok",
        ] {
            total(text, None);
            assert!(matches!(price(text), Some(Price::Crowns { .. })), "{text}");
        }
        total("6 390 000 Kč (89 014 Kč/m²)", Some(6_390_000.0));
    }

    #[test]
    fn two_prices_are_never_joined() {
        total("6 590 000 Kč 6 390 000 Kč", Some(6_590_000.0));
        total("6 590 000 Kč6 390 000 Kč", Some(6_590_000.0));
    }

    #[test]
    fn another_currency_is_not_an_amount_in_crowns() {
        for text in ["102 000 €", "€ 102 000", "EUR 98 000", "98 000 eur"] {
            assert_eq!(price(text), Some(Price::OtherCurrency), "{text}");
        }
    }

    #[test]
    fn other_text_is_not_a_price() {
        for text in ["", "Kč", "viz popis"] {
            assert_eq!(price(text), None, "{text}");
        }
    }

    #[test]
    fn a_text_gives_the_one_price_it_labels() {
        assert_eq!(
            price_in_text("Pozemek u lesa.\r\nCena 2 499 000 kč"),
            Some(2_499_000.0)
        );
        assert_eq!(price_in_text("cena : 10.000.000,- Kč"), Some(10_000_000.0));
        assert_eq!(
            price_in_text("Cena 5 250 000 Kč bez DPH, cena 6 352 500 Kč s DPH"),
            None
        );
        assert_eq!(price_in_text("Cena 250 Kč/m2"), None);
        assert_eq!(price_in_text("Doprava 10.000 Kč"), None);
        assert_eq!(price_in_text("Cena dohodou"), None);
    }
}
