//! The parameters of an advert's page: the titles and values of the facts that the page shows.

use schema::Listing;
use serde_json::{Map, Value};

use super::payload::{Choice, Parameter};
use crate::json::{Field, FieldReader, Object, read_fields};
use crate::pages::attribute_list::{self, Attribute, Labels, Row};

/// The title of the floor level. The parameter does not tell whether it counts from 0 or from 1.
const LEVEL: &str = "patro";

/// What the value of each title is.
const LABELS: &Labels = &[
    ("stav objektu", Attribute::Condition),
    ("stavba", Attribute::Construction),
    ("vlastnictvi", Attribute::Ownership),
    ("vybaveni", Attribute::Equipment),
    ("poloha domu", Attribute::Position),
    ("odpad", Attribute::Sewerage),
    ("vytapeni", Attribute::Heating),
    ("energeticka narocnost", Attribute::EnergyClass),
    ("pocet podlazi", Attribute::FloorCount),
    ("uzitna plocha", Attribute::LivingArea),
    ("celkova plocha", Attribute::TotalArea),
    ("plocha pozemku", Attribute::LandArea),
    ("balkon", Attribute::Balcony),
    ("lodzie", Attribute::Loggia),
    ("terasa", Attribute::Terrace),
    ("sklep", Attribute::Cellar),
    ("zahrada", Attribute::Garden),
    ("vytah", Attribute::Elevator),
    ("garaz", Attribute::Garage),
    ("parkovani", Attribute::Parking),
    ("bazen", Attribute::Pool),
    ("bezbarierovy", Attribute::BarrierFree),
    ("bezbarierovy pristup", Attribute::BarrierFree),
    (LEVEL, Attribute::Ignored),
    ("cena", Attribute::Ignored),
    ("cesta", Attribute::Ignored),
    ("dispozice", Attribute::Ignored),
    ("doprava", Attribute::Ignored),
    ("elektrina", Attribute::Ignored),
    ("internet", Attribute::Ignored),
    ("k dispozici od", Attribute::Ignored),
    ("pocet pokoju", Attribute::Ignored),
    ("plyn", Attribute::Ignored),
    ("poplatky", Attribute::Ignored),
    ("rok rekonstrukce", Attribute::Ignored),
    ("rok vystavby", Attribute::YearBuilt),
    ("telekomunikace", Attribute::Ignored),
    ("typ nemovitosti", Attribute::Ignored),
    ("umisteni objektu", Attribute::Ignored),
    ("vodni zdroj", Attribute::Ignored),
    ("voda", Attribute::Ignored),
    ("vratna kauce", Attribute::Ignored),
];

/// Fills what the parameters say and the advert itself does not. Returns the floor level that they name.
pub(crate) fn fill_parameters(
    parameters: &Field<Map<String, Value>>,
    listing: &mut Listing,
    reader: &mut FieldReader,
) -> Option<f64> {
    let parameters = reader.value("parameters", parameters).unwrap_or_default();
    let rows: Vec<Row> = parameters
        .values()
        .filter_map(|parameter| row(parameter, reader))
        .collect();
    attribute_list::fill_from_rows(&rows, LABELS, listing, reader);
    let written = attribute_list::row_value(&rows, LEVEL)?;
    let level = written
        .trim()
        .parse()
        .ok()
        .filter(|level: &f64| level.is_finite());
    if level.is_none() {
        reader.reject("floor", written, "not a floor");
    }
    level
}

/// Returns a parameter as the page shows it: `Sklep: Ano`, `Odpad: septik, jímka`.
fn row(parameter: &Value, reader: &mut FieldReader) -> Option<Row> {
    let parameter: Parameter = read_fields(parameter);
    let title = reader.word("parameters", &parameter.title)?;
    Some(Row::new(&title, value(&parameter, reader)?))
}

fn value(parameter: &Parameter, reader: &mut FieldReader) -> Option<String> {
    let mut titles = Vec::new();
    for choice in reader
        .value("parameters", &parameter.options)
        .unwrap_or_default()
    {
        let Some(Object(Choice { title })) = reader.value("parameters", &choice) else {
            continue;
        };
        titles.extend(reader.word("parameters", &title));
    }
    if !titles.is_empty() {
        return Some(titles.join(", "));
    }
    match parameter.value.get()? {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(if *flag { "Ano" } else { "Ne" }.to_owned()),
        _ => None,
    }
}
