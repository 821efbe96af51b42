//! The compiled address registry: the file beside the database that `jeden gazetteer import` writes.

use std::sync::Arc;

use anyhow::Context;
use dedup::addresses::Addresses;
use gazetteer::registry::Registry;

use crate::settings::Settings;

/// Opens the registry. `None` if there is no file.
///
/// # Errors
/// If the file cannot be read, or an import has to write it again.
pub fn open(settings: &Settings) -> anyhow::Result<Option<Registry>> {
    let file = settings.gazetteer();
    if !file
        .try_exists()
        .with_context(|| format!("cannot read the address registry {}", file.display()))?
    {
        return Ok(None);
    }
    Ok(Some(Registry::open(&file)?))
}

/// The addresses that matching compares, with the registry if there is one.
pub fn addresses(settings: &Settings) -> anyhow::Result<Addresses> {
    Ok(edition(settings)?.1)
}

/// The id of the registry's edition, and the addresses with it. The id is `None` if there is no registry.
pub fn edition(settings: &Settings) -> anyhow::Result<(Option<String>, Addresses)> {
    let Some(registry) = open(settings)? else {
        return Ok((None, Addresses::default()));
    };
    let id = registry.edition().id_text();
    Ok((Some(id), Addresses::with_registry(Arc::new(registry))))
}

/// The id of the edition in the file, which is not read further. `None` if there is no registry or it cannot be read.
pub fn edition_on_disk(settings: &Settings) -> Option<String> {
    use std::fmt::Write;
    let id = gazetteer::registry::edition_id(&settings.gazetteer()).ok()?;
    let mut text = String::new();
    for byte in id {
        write!(text, "{byte:02x}").ok()?;
    }
    Some(text)
}

/// The id of the registry's edition. `None` if there is no registry.
pub fn edition_id(settings: &Settings) -> anyhow::Result<Option<String>> {
    Ok(open(settings)?.map(|registry| registry.edition().id_text()))
}
