//! Address lines of a portal, with their pins.

use std::collections::HashSet;
use std::error::Error;
use std::path::Path;

use super::figures::Query;

/// The cities without address places in the sample.
const ABSENT: [&str; 3] = ["Praha", "Brno", "Ostrava"];

/// The lines of all samples in the folder, with and without a street. The same line with the same pin counts once.
pub fn lines(folder: &Path) -> Result<Vec<Query>, Box<dyn Error>> {
    let (mut lines, mut seen) = (Vec::new(), HashSet::new());
    let mut files: Vec<_> = std::fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.sort();
    for file in files {
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !name.starts_with("flats_sale_cz_") {
            continue;
        }
        let reader = flate2::read::GzDecoder::new(std::fs::File::open(&file)?);
        let mut table = csv::Reader::from_reader(reader);
        let header = table.headers()?.clone();
        for row in table.records() {
            let row = row?;
            let field = |name: &str| {
                let index = header.iter().position(|column| column == name)?;
                row.get(index)
            };
            let query = query(&field);
            lines.extend(query.filter(|query| seen.insert((query.text.clone(), query.pin()))));
        }
    }
    Ok(lines)
}

/// `Byt 2+kk 50 m² k prodeji Šífařská, Praha 4 - Hodkovičky; 4 916 235 Kč …` with `okres Hlavní město Praha` beside it.
fn query<'a>(field: &impl Fn(&str) -> Option<&'a str>) -> Option<Query> {
    let title = field("popis")?;
    let line = title.split_once(" k prodeji ")?.1.split("; ").next()?;
    let (city, district) = (field("město")?, field("okres")?);
    let absent = |name: &str| ABSENT.iter().any(|absent| name.trim() == *absent);
    let (place, _) = line.split_once(", okres ").unwrap_or((line, ""));
    let named = |part: &str| {
        ABSENT
            .iter()
            .any(|city| part.trim().starts_with(&format!("{city} ")))
    };
    let whole = district.ends_with("Praha")
        || district.ends_with("Brno-město")
        || district.ends_with("Brno město");
    if absent(city) || whole || place.split(',').any(|part| absent(part) || named(part)) {
        return None;
    }
    let form = if place.contains(',') {
        "street, municipality"
    } else {
        "municipality, perhaps quarter"
    };
    let text = if line.contains("okres") {
        line.to_owned()
    } else {
        format!("{line}, {district}")
    };
    let (lat, lng) = field("coords")?.trim_matches(['(', ')']).split_once(", ")?;
    Some(Query::new(
        form,
        &text,
        lat.parse().ok()?,
        lng.parse().ok()?,
    ))
}
