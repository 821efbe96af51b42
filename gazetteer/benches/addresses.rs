//! Reading addresses, and locating texts among the places of 60,000 invented rows.

use std::fmt::Write as _;
use std::sync::LazyLock;

use gazetteer::{Address, AddressParts, Gazetteer, PlaceRow};
use schema::Location;

const STREETS: [&str; 12] = [
    "Nádražní",
    "Školní",
    "Zahradní",
    "Polní",
    "nám. Míru",
    "Husova",
    "Komenského",
    "17. listopadu",
    "Lipová",
    "Na Výsluní",
    "tř. Osvobození",
    "Palackého",
];

fn main() {
    divan::main();
}

/// Built once for all texts.
static GAZETTEER: LazyLock<Gazetteer> = LazyLock::new(gazetteer);

/// Rows of 2,000 invented villages around the authored towns, 30 streets each.
fn gazetteer() -> Gazetteer {
    let texts: Vec<(String, String, Location)> = (0..60_000)
        .map(|i: u32| {
            let (village, street) = (i / 30, i % 30);
            let city = format!("Horní Lhota {}", syllables(village));
            let base = STREETS
                .get(street as usize % STREETS.len())
                .copied()
                .unwrap_or_default();
            let street = if street < 12 {
                base.to_owned()
            } else {
                format!("{base} {}", syllables(street))
            };
            let lat = 48.8 + f64::from(village % 50) * 0.03;
            let lng = 12.8 + f64::from(village / 50) * 0.12 + f64::from(i % 30) * 0.0005;
            (city, street, Location { lat, lng })
        })
        .collect();
    Gazetteer::from_rows(texts.iter().map(|(city, street, location)| PlaceRow {
        city: Some(city),
        street: Some(street),
        location: Some(*location),
        count: 2,
        ..PlaceRow::default()
    }))
}

fn syllables(mut n: u32) -> String {
    let mut word = String::from("K");
    for _ in 0..4 {
        let (consonant, vowel) = (n % 10, n / 10 % 4);
        let pair = [
            char::from(b"bdklmnprst"[consonant as usize]),
            char::from(b"aeio"[vowel as usize]),
        ];
        word.extend(pair);
        n /= 7;
    }
    let _ = write!(word, "v");
    word
}

#[divan::bench(args = [
    "Nádražní 60/114, 15000 Praha 5 - Smíchov",
    "Rokytnice nad Jizerou - Horní Rokytnice, okres Semily",
    "Prodej bytu 2+kk 54 m² v Olomouci, Dolní náměstí",
])]
fn read_a_line(line: &str) -> Address {
    Address::from_parts(&AddressParts {
        line: Some(line),
        ..AddressParts::default()
    })
}

#[divan::bench]
fn read_a_listing() -> Address {
    Address::from_parts(&divan::black_box(AddressParts {
        street: Some("ul. Železničářská"),
        neighborhood: Some("Doubravka"),
        city: Some("Plzeň"),
        district: Some("Plzeň-město"),
        region: Some("Plzeňský kraj"),
        postal_code: Some("312 00"),
        line: Some("ul. Železničářská 12, Plzeň - Doubravka"),
        house_number: None,
    }))
}

#[divan::bench(args = [
    "Brno",
    "byt v Praze 5 na Smíchově",
    "nam miru, horni lhota kbabababav",
    "Palckého 12, Horní Lhta",
    "lipova skolni zahradni polni husova palackeho lipova skolni zahradni polni husova palackeho",
])]
fn locate(bencher: divan::Bencher<'_, '_>, text: &str) {
    let gazetteer = &*GAZETTEER;
    bencher.bench_local(|| gazetteer.locate(divan::black_box(text)).is_ok());
}

#[divan::bench(sample_count = 5)]
fn build_from_60000_rows() -> usize {
    gazetteer().len()
}
