//! Address lines and what is read from them: street, numbers, quarter, city district, municipality, district, postal
//! code. A part that is not named in a case must not be read.

use gazetteer::{Address, AddressParts};

/// What a line is read as, in one text: only the parts that were found.
fn summary(address: &Address) -> String {
    if address.foreign {
        return "foreign".to_owned();
    }
    let number = &address.number;
    let mut parts: Vec<String> = Vec::new();
    let mut part = |name: &str, value: Option<String>| {
        parts.extend(value.map(|value| format!("{name}={value}")));
    };
    part("street", address.street_key().map(str::to_owned));
    part("building", number.building.map(|number| number.to_string()));
    part(
        "registration",
        number.registration.map(|number| number.to_string()),
    );
    for (name, slot) in [("orientation", number.orientation), ("lone", number.lone)] {
        let text = slot.map(|slot| {
            let letter = slot.letter.map(String::from).unwrap_or_default();
            let through = slot
                .through
                .map(|last| format!("-{last}"))
                .unwrap_or_default();
            format!("{}{letter}{through}", slot.number)
        });
        part(name, text);
    }
    part("quarter", address.quarter_key().map(str::to_owned));
    part(
        "city_district",
        address.city_district.map(|district| district.to_string()),
    );
    part(
        "municipality",
        address.municipality_key().map(str::to_owned),
    );
    part(
        "district",
        address.district.map(|district| district.name().to_owned()),
    );
    part(
        "region",
        address.region.map(|region| region.name().to_owned()),
    );
    part(
        "postal_code",
        address.postal_code.map(|code| code.to_string()),
    );
    parts.join(" | ")
}

fn completed_line(line: &str) -> String {
    summary(&Address::from_parts(&AddressParts {
        line: Some(line),
        ..AddressParts::default()
    }))
}

fn assert_all(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(line, expected)| completed_line(line) != *expected)
        .map(|(line, expected)| {
            format!(
                "{line}\n     got {}\n expected {expected}",
                completed_line(line)
            )
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {} wrong:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

#[test]
fn street_first_and_street_last_are_the_same_address() {
    assert_all(&[
        (
            "Sokolská 12, Liberec",
            "street=sokolska | lone=12 | municipality=liberec",
        ),
        (
            "Liberec, Sokolská 12",
            "street=sokolska | lone=12 | municipality=liberec",
        ),
        (
            "Smetanova 8, Hronov - Zbečník",
            "street=smetanova | lone=8 | quarter=zbecnik | municipality=hronov",
        ),
        (
            "Hronov, Zbečník, Smetanova 8",
            "street=smetanova | lone=8 | quarter=zbecnik | municipality=hronov",
        ),
        (
            "Dlouhá, Kocourkov",
            "street=dlouha | municipality=kocourkov",
        ),
        (
            "masarykova 103 modřice 66442",
            "street=masarykova | lone=103 | municipality=modrice | postal_code=664 42",
        ),
    ]);
}

#[test]
fn districts_and_regions_are_distinguished_from_towns() {
    assert_all(&[
        (
            "Modřice, okres Brno-venkov",
            "municipality=modrice | district=Brno-venkov",
        ),
        (
            "Lhota (okres Kladno)",
            "municipality=lhota | district=Kladno",
        ),
        ("Lhota okr. Kladno", "municipality=lhota | district=Kladno"),
        (
            "Hřivice - Touchovice, okres Louny",
            "quarter=touchovice | municipality=hrivice | district=Louny",
        ),
        (
            "Václavská, okres Brno-město - Staré Brno",
            "street=vaclavska | quarter=stare brno | municipality=brno | district=Brno-město",
        ),
        (
            "Písek, Jihočeský kraj",
            "municipality=pisek | region=Jihočeský kraj",
        ),
        ("Telč, Vysočina", "municipality=telc | region=Kraj Vysočina"),
        (
            "V Horní Stromce, Praha 3, Vinohrady, okres Hlavní město Praha",
            "street=v horni stromce | quarter=vinohrady | city_district=Praha 3 | municipality=praha | district=Praha",
        ),
        (
            "702 00 Ostrava - město",
            "municipality=ostrava | district=Ostrava-město | postal_code=702 00",
        ),
    ]);
}

#[test]
fn city_districts_and_parts_are_separated_from_the_city() {
    assert_all(&[
        (
            "Plzeňská, Praha 5 - Smíchov",
            "street=plzenska | quarter=smichov | city_district=Praha 5 | municipality=praha",
        ),
        (
            "Praha 9 - Praha 14",
            "city_district=Praha 14 | municipality=praha",
        ),
        ("Praha-Klánovice", "quarter=klanovice | municipality=praha"),
        (
            "Pařížská 1067, Praha Staré Město",
            "street=parizska | lone=1067 | quarter=stare mesto | municipality=praha",
        ),
        (
            "Jelínkova 1195, Brno-Žabovřesky - Žabovřesky",
            "street=jelinkova | lone=1195 | quarter=zabovresky | municipality=brno",
        ),
        (
            "Křimická, Plzeň 3, Plzeň, okres Plzeň-město",
            "street=krimicka | city_district=Plzeň 3 | municipality=plzen | district=Plzeň-město",
        ),
        (
            "Prosečská, Liberec - Liberec XXX-Vratislavice nad Nisou",
            "street=prosecska | quarter=vratislavice nad nisou | municipality=liberec",
        ),
        (
            "České Budějovice 2, Sokolská 152/41",
            "street=sokolska | building=152 | orientation=41 | quarter=ceske budejovice 2 | municipality=ceske budejovice",
        ),
        (
            "Sušice - Sušice I",
            "quarter=susice i | municipality=susice",
        ),
        (
            "Frýdek - Místek, Hlavní třída",
            "street=hlavni trida | municipality=frydek mistek",
        ),
    ]);
}

#[test]
fn portals_own_ways_with_parts_are_understood() {
    assert_all(&[
        (
            "Olomouc - Nová Ulice",
            "quarter=nova ulice | municipality=olomouc",
        ),
        (
            "Krestova, Ostrava-Jih - Hrabůvka",
            "street=krestova | quarter=hrabuvka | municipality=ostrava",
        ),
        (
            "Mezírka 1362/29, Brno-střed - Veveří",
            "street=mezirka | building=1362 | orientation=29 | quarter=veveri | municipality=brno",
        ),
        (
            "Pampelišková, Slezská Ostrava - Heřmanice",
            "street=pampeliskova | quarter=hermanice | municipality=ostrava",
        ),
        (
            "Třebíč Nové Dvory, Kpt. Nálepky",
            "street=kpt nalepky | quarter=nove dvory | municipality=trebic",
        ),
        (
            "Hranice Hranice I-Město, Jurikova",
            "street=jurikova | quarter=mesto | municipality=hranice",
        ),
        (
            "Krnov Pod Cvilínem, Žižkova",
            "street=zizkova | quarter=pod cvilinem | municipality=krnov",
        ),
        (
            "Brodek u Přerova, Tyršova",
            "street=tyrsova | municipality=brodek u prerova",
        ),
        ("Sídliště, Žebrák", "street=sidliste | municipality=zebrak"),
        (
            "Benešov u Semil, okres Semily",
            "municipality=benesov u semil | district=Semily",
        ),
    ]);
}

#[test]
fn abbreviations_and_type_words_equal_their_full_forms() {
    assert_all(&[
        (
            "nám. Míru 7, Tábor",
            "street=namesti miru | lone=7 | municipality=tabor",
        ),
        (
            "NÁMĚSTÍ MÍRU 7, TÁBOR",
            "street=namesti miru | lone=7 | municipality=tabor",
        ),
        (
            "ul. Palackého 36, Opava",
            "street=palackeho | lone=36 | municipality=opava",
        ),
        (
            "Palackého ul. 36, Opava",
            "street=palackeho | lone=36 | municipality=opava",
        ),
        (
            "ul.Výstavní 5, Opava",
            "street=vystavni | lone=5 | municipality=opava",
        ),
        (
            "Ulrychova 5, Opava",
            "street=ulrychova | lone=5 | municipality=opava",
        ),
        (
            "Československé armády 3, Náchod",
            "street=cs armady | lone=3 | municipality=nachod",
        ),
        (
            "Čs. armády 3, Náchod",
            "street=cs armady | lone=3 | municipality=nachod",
        ),
        (
            "generála Svobody 3, Šumperk",
            "street=gen svobody | lone=3 | municipality=sumperk",
        ),
        (
            "Gen. Svobody 3, Šumperk",
            "street=gen svobody | lone=3 | municipality=sumperk",
        ),
        (
            "Marxova, Ústí n. L. - Předlice",
            "street=marxova | quarter=predlice | municipality=usti nad labem",
        ),
        (
            "Sokolská, Č. Budějovice",
            "street=sokolska | municipality=ceske budejovice",
        ),
        (
            "Brno - Král. Pole, Palackého tř.",
            "street=palackeho trida | quarter=kralovo pole | municipality=brno",
        ),
    ]);
}

#[test]
fn ordinals_belong_to_the_name() {
    assert_all(&[
        ("1. máje, Havířov", "street=1 maje | municipality=havirov"),
        (
            "1.máje 832/7, Havířov",
            "street=1 maje | building=832 | orientation=7 | municipality=havirov",
        ),
        (
            "17. listopadu 235, Pardubice",
            "street=17 listopadu | lone=235 | municipality=pardubice",
        ),
        (
            "28 října 4, Ostrava",
            "street=28 rijna | lone=4 | municipality=ostrava",
        ),
        (
            "nám. 5. května 11, Kolín",
            "street=namesti 5 kvetna | lone=11 | municipality=kolin",
        ),
    ]);
}

#[test]
fn parcels_flats_and_cadastral_areas_are_not_house_numbers() {
    assert_all(&[
        ("pozemek v k.ú. Modřice", "municipality=modrice"),
        ("Modřice, p.č. 1234/5", "municipality=modrice"),
        ("Modřice, parc. č. st. 88", "municipality=modrice"),
        (
            "Školní 5, byt č. 12, Kolín",
            "street=skolni | lone=5 | municipality=kolin",
        ),
        ("Modřice, LV 120", "municipality=modrice"),
    ]);
}

#[test]
fn villages_without_streets_have_building_numbers() {
    assert_all(&[
        (
            "Dolní Adršpach 130, 549 57 Adršpach",
            "building=130 | quarter=dolni adrspach | municipality=adrspach | postal_code=549 57",
        ),
        (
            "č.p. 111, 503 33 Praskačka",
            "building=111 | municipality=praskacka | postal_code=503 33",
        ),
        (
            "č. ev. 416, 74401 Trojanovice",
            "registration=416 | municipality=trojanovice | postal_code=744 01",
        ),
        (
            "Damice č.ev. 21, 363 01 Krásný Les",
            "registration=21 | quarter=damice | municipality=krasny les | postal_code=363 01",
        ),
        (
            "Krásný Les 249, 464 01",
            "building=249 | municipality=krasny les | postal_code=464 01",
        ),
        (
            "Mlada Boleslav c.p. 202",
            "building=202 | municipality=mlada boleslav",
        ),
    ]);
}

#[test]
fn the_place_is_read_from_a_title() {
    assert_all(&[
        (
            "U Lidového domu 340, Kolín",
            "street=u lidoveho domu | lone=340 | municipality=kolin",
        ),
        (
            "Prodej bytu 2+kk 54 m² v Olomouci, Dolní náměstí",
            "street=dolni namesti | municipality=olomouc",
        ),
        (
            "byt v Praze 5 na Smíchově",
            "quarter=smichov | city_district=Praha 5 | municipality=praha",
        ),
        (
            "chalupa ve Špindlerově Mlýně",
            "municipality=spindleruv mlyn",
        ),
        (
            "byt v Opavě na ulici Hradecká",
            "street=hradecka | municipality=opava",
        ),
        (
            "MasarykovaNabízíme, Modřice",
            "street=masarykova | municipality=modrice",
        ),
    ]);
}

#[test]
fn a_capital_separates_two_words_but_is_a_typing_error_after_a_single_letter() {
    assert_all(&[
        (
            "PolníLouka, Kolín",
            "street=polni louka | municipality=kolin",
        ),
        ("Na kSalce, Kolín", "street=na ksalce | municipality=kolin"),
    ]);
}

#[test]
fn a_text_that_is_not_a_czech_address_gives_nothing() {
    assert_all(&[
        ("Estepona, Španělsko", "foreign"),
        ("Bratislava (Slovensko)", "foreign"),
        ("-1", ""),
        ("0", ""),
        ("", ""),
        ("   ,, - ,", ""),
        ("neuvedeno", ""),
    ]);
}
