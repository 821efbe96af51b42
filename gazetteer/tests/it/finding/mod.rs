//! Finding texts and completing addresses with an address registry.

#![expect(
    clippy::unwrap_used,
    reason = "clippy allows it in test functions only, not in what these call"
)]

mod completing;
mod houses;
mod municipalities;
mod properties;

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use gazetteer::registry::Registry;
use gazetteer::{Gazetteer, GazetteerBuilder, Located};

/// The houses of an invented town with a village, and of further municipalities, two of them with the same name.
pub static GAZETTEER: LazyLock<Gazetteer> = LazyLock::new(|| {
    GazetteerBuilder::new()
        .registry(Arc::clone(&REGISTRY))
        .build()
});

pub static REGISTRY: LazyLock<Arc<Registry>> = LazyLock::new(|| Arc::new(registry()));

const HEADER: &str = "Kód ADM;Kód obce;Název obce;Kód MOMC;Název MOMC;Kód obvodu Prahy;Název obvodu Prahy;\
    Kód části obce;Název části obce;Kód ulice;Název ulice;Typ SO;Číslo domovní;Číslo orientační;\
    Znak čísla orientačního;PSČ;Souřadnice Y;Souřadnice X;Platí Od";

/// `code;municipality;quarter;street;kind;number;orientation;letter;postal code;kilometres west and south`.
const HOUSES: [&str; 24] = [
    "101;Kvíčalov;Kvíčalov;nám. Míru;č.p.;1;1;;39399;0.0;0.0",
    "102;Kvíčalov;Kvíčalov;nám. Míru;č.p.;2;2;;39399;0.0;0.05",
    "111;Kvíčalov;Kvíčalov;Dlouhá;č.p.;538;27;a;39399;0.2;0.0",
    "112;Kvíčalov;Kvíčalov;Dlouhá;č.p.;539;29;;39399;0.3;0.0",
    "113;Kvíčalov;Kvíčalov;Dlouhá;č.p.;29;4;;39399;0.4;0.0",
    "114;Kvíčalov;Zálesí;Dlouhá;č.p.;12;61;;39398;2.5;0.0",
    "115;Kvíčalov;Zálesí;Dlouhá;č.p.;13;63;;39398;2.6;0.0",
    "116;Kvíčalov;Zálesí;Dlouhá;č.p.;61;;;39398;2.7;0.0",
    "121;Kvíčalov;Kvíčalov;Československé armády;č.p.;275;21;;39399;0.0;0.4",
    "122;Kvíčalov;Kvíčalov;mjr. Nováka;č.p.;976;2;;39399;0.1;0.5",
    "123;Kvíčalov;Kvíčalov;1. máje;č.p.;832;7;;39399;0.1;0.6",
    "124;Kvíčalov;Kvíčalov;Stará parcela;č.p.;104;;;39399;0.1;0.7",
    "125;Kvíčalov;Kvíčalov;Školní;č.p.;55;;;39399;0.1;0.8",
    "126;Kvíčalov;Kvíčalov;U Lidového domu;č.p.;340;6;;39399;0.1;0.9",
    "131;Kvíčalov;Zálesí;;č.p.;5;;;39398;3.0;0.2",
    "132;Kvíčalov;Zálesí;;č.ev.;7;;;39398;3.1;0.2",
    "133;Kvíčalov;Kvíčalov;;č.p.;44;;;39399;0.2;0.9",
    "201;Drozdice;Drozdice;;č.p.;1;;;39301;30.0;0.0",
    "202;Drozdice;Drozdice;;č.p.;2;;;39301;30.1;0.0",
    "203;Drozdice;Drozdice;;č.p.;3;;;39301;30.2;0.0",
    "301;Drozdice;Drozdice;;č.p.;1;;;58801;-30.0;0.0",
    "302;Drozdice;Drozdice;;č.p.;2;;;58801;-30.1;0.0",
    "501;Černá Hora;Černá Hora;Na Prášilkách;č.p.;521;;;58803;-60.0;0.0",
    "401;Havranice;Havranice;Školní;č.p.;9;;;58802;-40.1;0.0",
];

fn registry() -> Registry {
    let municipality = |name: &str, code: u32| match (name, code / 100) {
        ("Kvíčalov", _) => 590_001,
        ("Drozdice", 2) => 590_002,
        ("Drozdice", _) => 590_003,
        ("Černá Hora", _) => 590_005,
        _ => 590_004,
    };
    let mut table = format!("{HEADER}\n");
    for house in HOUSES {
        let field: Vec<&str> = house.split(';').collect();
        let code: u32 = field[0].parse().unwrap();
        let obec = municipality(field[1], code);
        let part = obec * 10 + u32::from(field[2] == "Zálesí");
        let street = HOUSES
            .iter()
            .position(|other| other.split(';').nth(3) == Some(field[3]))
            .unwrap();
        let street = if field[3].is_empty() {
            String::new()
        } else {
            (obec * 100 + street as u32).to_string()
        };
        let metres = |text: &str| (text.parse::<f64>().unwrap() * 1000.0) as i64;
        let (y, x) = (690_000 + metres(field[9]), 1_100_000 + metres(field[10]));
        writeln!(
            table,
            "{code};{obec};{};;;;;{part};{};{street};{};{};{};{};{};{};{y}.00;{x}.00;2020-01-01T00:00:00",
            field[1], field[2], field[3], field[4], field[5], field[6], field[7], field[8]
        )
        .unwrap();
    }
    let municipalities = "KOD;NAZEV;STATUS_KOD;POU_KOD;OKRES_KOD;PLATI_OD;PLATI_DO\n\
         590001;Kvíčalov;3;1;3304;2020-01-01;\n590002;Drozdice;2;1;3304;2020-01-01;\n\
         590003;Drozdice;2;1;3707;2020-01-01;\n590004;Havranice;2;1;3707;2020-01-01;\n\
         590005;Černá Hora;2;1;3707;2020-01-01;\n";
    let tables = [
        ("20260630_OB_590000_ADR.csv", table.as_bytes()),
        ("UI_OBEC.csv", municipalities.as_bytes()),
    ];
    Registry::from_tables(&tables).unwrap()
}

/// The answer to a text.
pub fn found(text: &str) -> Located {
    let found = GAZETTEER.locate(text);
    assert!(found.is_ok(), "{text}: {found:?}");
    found.unwrap()
}

/// The code of the house that a text leads to.
pub fn house(text: &str) -> Option<u32> {
    found(text).codes.address_place
}
