//! Adverts of API v2.

use serde_json::{Value, json};

use crate::payloads::fixture;

use super::read_advert;

/// Makes an advert of API v2 with these rows.
pub fn v2(items: &[Value]) -> Value {
    json!({"name": {"value": "x"}, "items": items,
        "seo": {"category_main_cb": 2, "category_sub_cb": 37, "category_type_cb": 2}})
}

#[test]
fn a_storey_of_v2_is_separated_from_the_total() {
    let storeys = |line: &str| {
        let attributes = read_advert(&v2(&[json!({"name": "Podlaží", "value": line})]))
            .unwrap()
            .listing
            .attributes;
        (attributes.floor, attributes.floor_count)
    };
    assert_eq!(storeys("4. podlaží"), (Some(3), None));
    assert_eq!(storeys("6. podlaží z celkem 6"), (Some(5), Some(6)));
    assert_eq!(
        storeys("1. podlaží z celkem 4 včetně 1 podzemního"),
        (Some(0), Some(4))
    );
    assert_eq!(storeys("3 včetně 1 podzemního"), (None, Some(3)));
    assert_eq!(storeys("2"), (None, Some(2)));
    assert_eq!(storeys("přízemí z celkem 4"), (Some(0), Some(4)));
    assert_eq!(storeys("-1. podlaží z celkem 5"), (Some(-1), Some(5)));
}

#[test]
fn a_hidden_price_of_v2_is_left_out() {
    let mut advert = fixture("sreality", "v2-flat-sale");
    for price in [json!({}), json!({"value_raw": 1}), Value::Null] {
        advert["price_czk"] = price;
        let reading = read_advert(&advert).unwrap();
        assert_eq!(reading.listing.attributes.price_total, None);
        assert_eq!(reading.unread, []);
    }
}

#[test]
fn a_list_item_of_v2_is_read() {
    let item = json!({"hash_id": 2_476_090_188_i64, "name": "Prodej bytu 3+kk 64\u{a0}m²", "price": 9_980_000,
        "locality": "U Silnice, Praha 6 - Ruzyně", "gps": {"lat": 50.090_469, "lon": 14.318_93},
        "price_czk": {"value_raw": 9_980_000, "unit": "", "name": "Celková cena"},
        "seo": {"category_main_cb": 1, "category_sub_cb": 6, "category_type_cb": 1,
            "locality": "praha-ruzyne-u-silnice"}});
    let reading = read_advert(&item).unwrap();
    assert_eq!(reading.unread, []);
    let attributes = &reading.listing.attributes;
    assert_eq!(
        (attributes.price_total, attributes.living_area),
        (Some(9_980_000.0), Some(64.0))
    );
    assert_eq!(
        (attributes.street.as_deref(), attributes.city.as_deref()),
        (Some("U Silnice"), Some("Praha"))
    );
    assert_eq!(reading.listing.evidence.pin, None);
    let url = reading.url.unwrap();
    assert_eq!(
        url,
        "https://www.sreality.cz/detail/prodej/byt/3+kk/praha-ruzyne-u-silnice/2476090188"
    );
}
