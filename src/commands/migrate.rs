//! `jeden migrate`

use schema::store::Db;

use crate::outcome::Outcome;
use crate::progress;
use crate::settings::Settings;

pub async fn run(settings: &Settings) -> anyhow::Result<Outcome> {
    let db = Db::connect(&settings.database()).await?;
    let migrated = db.migrate().await?;
    progress::say(&match migrated.applied {
        0 => format!("The database schema is current ({}).", migrated.version),
        count => format!(
            "Applied {count} migrations; the database schema is now {}.",
            migrated.version
        ),
    });
    db.close().await;
    Ok(Outcome::Done)
}
