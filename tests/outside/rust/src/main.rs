//! Reads a page, a detail and two errors with the generated client.

use std::env::var;
use std::error::Error;

use jeden_client::apis::configuration::Configuration;
use jeden_client::apis::offers_api::{get_offer, search_offers};
use jeden_client::apis::{Error as ApiError, ResponseContent};
use jeden_client::models::{self, error_error::Code};

fn main() -> Result<(), Box<dyn Error>> {
    let service = Configuration {
        base_path: var("JEDEN_URL")?,
        bearer_access_token: Some(var("JEDEN_TOKEN")?),
        ..Configuration::default()
    };

    let page = search(&service, Some(10_000_000.0), Some(2))?;
    assert_eq!((page.data.len(), page.pagination.limit), (2, 2));
    let first = &page.data[0];
    assert_eq!(first.r#type, Some(models::PropertyType::Apartment));
    assert_eq!(first.arrangement, Some(models::Arrangement::Variant2PlusKk));

    let detail = get_offer(&service, &first.id, None)?;
    assert_eq!((&detail.id, &detail.title), (&first.id, &first.title));
    assert!(!detail.portal_links.is_empty());

    let Err(ApiError::ResponseError(ResponseContent { status, content, .. })) =
        search(&service, Some(-1e6), Some(51))
    else {
        return Err("a page of 51 was not refused".into());
    };
    let refusal: models::Error = serde_json::from_str(&content)?;
    let paths: Vec<String> =
        refusal.error.details.unwrap_or_default().into_iter().map(|entry| entry.path).collect();
    assert_eq!(
        (status.as_u16(), refusal.error.code, paths),
        (400, Code::InvalidRequest, vec!["limit".to_owned()])
    );

    let missing = get_offer(&service, "nothing", None);
    assert!(matches!(missing, Err(ApiError::ResponseError(content)) if content.status == 404));

    println!("the Rust client read {} of {} links", first.id, detail.portal_links.len());
    Ok(())
}

/// Searches flats 2+kk for sale. The arguments are in the order of the generated function.
fn search(
    service: &Configuration,
    price_max: Option<f64>,
    limit: Option<i32>,
) -> Result<models::SearchResponse, ApiError<jeden_client::apis::offers_api::SearchOffersError>> {
    search_offers(
        service,
        Some(models::OfferType::Sale),
        Some(models::PropertyType::Apartment),
        None,
        Some(models::Arrangement::Variant2PlusKk),
        None,
        None,
        None,
        None,
        None,
        None,
        None,
        price_max,
        None,
        None,
        None,
        None,
        None,
        None,
        None,
        None,
        None,
        None,
        None,
        None,
        None,
        limit,
        None,
        None,
    )
}
