//! The registry and the queries in the data beside the project.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Read;
use std::path::{Path, PathBuf};

use gazetteer::District;
use gazetteer::registry::{Registry, import};

use super::figures::Query;

/// The whole country except Prague, Brno and Ostrava, as of 2022-04-30.
const TABLES: &str = "ruian/ruian_2022-04-30_OB_ADR_all_except_praha_brno_ostrava.tar.xz";
/// The district of each municipality.
const DISTRICTS: &str = "ruian/lists/obce_okres_kraj_psc_gps_2018.csv";

/// The folder with the data, if it exists.
pub fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    folder.join(TABLES).exists().then_some(folder)
}

/// The compiled registry. It is compiled from the published tables if it is missing or has another format.
pub fn compiled(shared: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/evaluate");
    let file = folder.join("ruian.gazetteer");
    if Registry::open(&file).is_err() {
        println!(
            "compiling the registry; run again to see the memory of a process that only opens it"
        );
        let lists = folder.join("lists");
        std::fs::create_dir_all(&lists)?;
        write_lists(&shared.join(DISTRICTS), &lists)?;
        import(&[shared.join(TABLES), lists], &file, &|_| ())?;
    }
    Ok(file)
}

/// Writes the district of each municipality as a code list of the registry.
fn write_lists(districts: &Path, lists: &Path) -> Result<(), Box<dyn Error>> {
    let mut municipalities =
        String::from("KOD;NAZEV;STATUS_KOD;POU_KOD;OKRES_KOD;PLATI_OD;PLATI_DO\n");
    for row in csv::Reader::from_path(districts)?.records() {
        let row = row?;
        let field = |index: usize| row.get(index).unwrap_or_default();
        let code = District::parse(field(2)).map_or(0, District::code);
        writeln!(
            municipalities,
            "{};{};2;1;{code};2018-01-01;",
            field(1),
            field(0)
        )?;
    }
    std::fs::write(lists.join("UI_OBEC.csv"), municipalities)?;
    Ok(())
}

/// The queries, each with its form and the position of its place.
pub fn queries(file: &Path) -> Result<Vec<Query>, Box<dyn Error>> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(file)?).read_to_string(&mut text)?;
    let query = |line: &str| {
        let mut fields = line.split('\t');
        let (form, text) = (fields.next()?, fields.next()?);
        Some(Query::new(
            form,
            text,
            fields.next()?.parse().ok()?,
            fields.next()?.parse().ok()?,
        ))
    };
    Ok(text.lines().filter_map(query).collect())
}

/// The memory of this process: now and at its peak.
pub fn resident() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let megabytes = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace()
            .nth(1)?
            .parse::<u64>()
            .ok()
            .map(|kilobytes| kilobytes / 1000)
    };
    match (megabytes("VmRSS"), megabytes("VmHWM")) {
        (Some(now), Some(most)) => format!("{now} MB resident, {most} MB at its peak"),
        _ => "resident memory unknown".to_owned(),
    }
}
