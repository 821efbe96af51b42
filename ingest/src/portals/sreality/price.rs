//! The price of an advert.

use schema::OfferType;

use super::codes::{self, PriceUnit};
use super::payload::{Code, Price};
use crate::json::{Field, FieldReader};

/// Returns the price in crowns of the whole property, by the month for a rent.
///
/// - 0 and 1 mean "on request": there is no price, and nothing is rejected.
/// - If the plain price is one for a square metre (as for fields), the summary is the price of the whole.
/// - A price in another currency is rejected. The portal's own conversion follows the exchange rate, so the price would
///   appear to change every day.
pub(crate) fn total(
    price: &Price,
    offer: Option<OfferType>,
    reader: &mut FieldReader,
) -> Option<f64> {
    let plain = unless_on_request(reader.number("priceTotal", &price.price_czk));
    let summary = unless_on_request(reader.number("priceTotal", &price.price_summary_czk));
    let amount = summary.or(plain)?;
    if let Some(currency) = given(&price.price_currency_cb, reader)
        && currency.value != codes::CROWN
    {
        reader.reject(
            "priceTotal",
            format!("{amount} CZK from {}", currency.name),
            "a currency other than CZK",
        );
        return None;
    }
    let plain_unit = given(&price.price_unit_cb, reader);
    let summary_unit = given(&price.price_summary_unit_cb, reader);
    let unit = if summary.is_some() {
        summary_unit.or_else(|| plain_unit.clone())
    } else {
        plain_unit.clone()
    };
    let no_sum = summary == plain && is_per_area(plain_unit.as_ref());
    match total_in_unit(
        amount,
        if no_sum {
            plain_unit.as_ref()
        } else {
            unit.as_ref()
        },
        offer,
    ) {
        Ok(total) => Some(total),
        Err(reason) => {
            let unit = if no_sum { plain_unit } else { unit };
            let name = unit.map(|unit| unit.name).unwrap_or_default();
            reader.reject("priceTotal", format!("{amount} {name}").trim_end(), reason);
            None
        }
    }
}

fn unless_on_request(price: Option<f64>) -> Option<f64> {
    price.filter(|price| !(0.0..=1.0).contains(price))
}

fn given(field: &Field<Code>, reader: &mut FieldReader) -> Option<Code> {
    reader
        .value("priceTotal", field)
        .filter(|code| code.value != 0)
}

fn is_per_area(unit: Option<&Code>) -> bool {
    unit.and_then(|unit| codes::by_code(codes::PRICE_UNITS, unit.value)) == Some(PriceUnit::Area)
}

fn total_in_unit(
    amount: f64,
    unit: Option<&Code>,
    offer: Option<OfferType>,
) -> Result<f64, &'static str> {
    let Some(unit) = unit else { return Ok(amount) };
    let unit = codes::by_code(codes::PRICE_UNITS, unit.value).ok_or(FieldReader::UNKNOWN_CODE)?;
    total_from_unit(amount, unit, offer)
}

/// Returns the price of the whole for an amount in a unit. A rent "for the property" is monthly: every such advert that
/// was looked at says so in its text. A yearly rent is divided by twelve and rounded to whole crowns.
///
/// # Errors
/// Returns the reason why the amount is not a price of the whole.
pub(crate) fn total_from_unit(
    amount: f64,
    unit: PriceUnit,
    offer: Option<OfferType>,
) -> Result<f64, &'static str> {
    let is_rent = offer == Some(OfferType::Rent);
    match unit {
        PriceUnit::Whole => Ok(amount),
        PriceUnit::Month if is_rent => Ok(amount),
        PriceUnit::Year if is_rent => Ok((amount / 12.0).round()),
        PriceUnit::Month | PriceUnit::Year => Err("a rent for something that is not let"),
        PriceUnit::Stay => Err("a price by the day or the hour"),
        PriceUnit::Area => Err("a price per m²"),
    }
}
