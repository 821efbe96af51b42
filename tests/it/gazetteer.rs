//! `jeden gazetteer`: the registry is imported, shown, and used by a running server.

use std::path::{Path, PathBuf};

use support::{databases, sqlite};

use super::jeden::Jeden;

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/ruian")
        .join(name);
    path.to_str().unwrap().to_owned()
}

/// Runs the test on each database, each with its own gazetteer file.
async fn on_each(test: impl Fn(&dyn Fn(&[&str]) -> super::jeden::Ran, &Path)) {
    for database in databases().await {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("jeden.gazetteer");
        let jeden = Jeden::on(&database.url);
        let run = |arguments: &[&str]| {
            jeden.run(&[&["--gazetteer", file.to_str().unwrap()], arguments].concat())
        };
        test(&run, &file);
    }
}

#[tokio::test]
async fn an_imported_edition_is_shown_with_its_counts_and_attribution() {
    on_each(|run, _| {
        let nothing = run(&["gazetteer"]);
        assert_eq!(nothing.code, 0);
        assert!(
            nothing.stderr.contains("no address registry"),
            "{}",
            nothing.stderr
        );
        let files = [
            "20260630_OB_599901_ADR.csv",
            "20260630_ST_UZSZ.xml",
            "20260630_casti.tar.xz",
        ]
        .map(fixture);
        let import: Vec<&str> = ["gazetteer", "import"]
            .into_iter()
            .chain(files.iter().map(String::as_str))
            .collect();
        let imported = run(&import);
        assert_eq!(imported.code, 0, "{}", imported.stderr);
        for command in [&["gazetteer"][..], &["gazetteer", "show"]] {
            let shown = run(command).done();
            for word in [
                "2026-06-30",
                "RÚIAN, © ČÚZK, CC BY 4.0",
                "12",
                "in use since",
            ] {
                assert!(shown.contains(word), "{word}: {shown}");
            }
        }
        let located = run(&["gazetteer", "locate", "lipova 17, kvicalov", "--json"]).done();
        let located: serde_json::Value = serde_json::from_str(&located).unwrap();
        assert_eq!(
            (&located["level"], &located["district"]),
            (&"address".into(), &"Pelhřimov".into())
        );
        let house = (&located["houseNumber"], &located["codes"]["addressPlace"]);
        assert_eq!(house, (&"17/1".into(), &99_990_004.into()));
        let again = run(&import);
        assert!(again.stderr.contains("Nothing changed"), "{}", again.stderr);
    })
    .await;
}

#[tokio::test]
async fn an_import_with_errors_names_them_and_exits_with_3() {
    on_each(|run, _| {
        let imported = run(&["gazetteer", "import", &fixture("faults")]);
        assert_eq!(imported.code, 3, "{}", imported.stderr);
        assert!(
            imported
                .stderr
                .contains("20260630_OB_599904_ADR.csv, line 3: the coordinates Y 1100000")
        );
        assert!(
            imported
                .stderr
                .contains("6 rows, 5 values, 1 files left out"),
            "{}",
            imported.stderr
        );
    })
    .await;
}

#[tokio::test]
async fn a_file_of_another_edition_is_reported() {
    on_each(|run, file| {
        run(&[
            "gazetteer",
            "import",
            &fixture("20171130_OB_599901_ADR.csv"),
        ])
        .done();
        let old = std::fs::read(file).unwrap();
        run(&[
            "gazetteer",
            "import",
            &fixture("20260630_OB_599901_ADR.csv"),
        ])
        .done();
        std::fs::write(file, old).unwrap();
        let shown = run(&["gazetteer"]);
        assert!(
            shown.stderr.contains("copy its file here"),
            "{}",
            shown.stderr
        );
        std::fs::remove_file(file).unwrap();
        let shown = run(&["gazetteer"]);
        assert!(
            shown.stderr.contains("copy its file here"),
            "{}",
            shown.stderr
        );
        std::fs::write(
            file,
            "damaged, and longer than the head of a compiled registry",
        )
        .unwrap();
        let located = run(&["gazetteer", "locate", "Brno"]);
        assert_eq!(located.code, 1);
        assert!(
            located.stderr.contains("not a compiled address registry"),
            "{}",
            located.stderr
        );
    })
    .await;
}

#[tokio::test]
async fn the_compiled_file_is_stored_beside_the_embedded_database() {
    let database = sqlite().await;
    let jeden = Jeden::on(&database.url);
    jeden
        .run(&[
            "gazetteer",
            "import",
            &fixture("20260630_OB_599902_ADR.csv"),
        ])
        .done();
    let file = database.url.strip_prefix("sqlite://").unwrap();
    let file = PathBuf::from(format!("{}.gazetteer", file.split('?').next().unwrap()));
    assert!(file.exists(), "{}", file.display());
    assert!(jeden.run(&["gazetteer"]).done().contains('3'));
}
