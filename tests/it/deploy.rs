//! The files in deploy/ name existing variables and options, and pass their check.

use std::collections::BTreeSet;
use std::process::Command;

use super::jeden::{program, project, ran};

/// The files in deploy/ that set variables.
const FILES: [&str; 4] = [
    "jeden-serve.service",
    "jeden-work.service",
    "compose.yaml",
    "Containerfile",
];

fn deploy_file(file: &str) -> String {
    let path = project("deploy").join(file);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The help of a command, with single spaces instead of line breaks.
fn help(command: &str) -> String {
    let help = ran(program().args([command, "--help"])).done();
    help.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a text that begin with `prefix`. A word ends before the first character that `is_part` rejects.
fn words<'a>(text: &'a str, prefix: &str, is_part: impl Fn(char) -> bool) -> BTreeSet<&'a str> {
    text.split(|letter: char| !is_part(letter))
        .filter(|word| word.starts_with(prefix))
        .collect()
}

#[test]
fn every_variable_that_is_set_exists() {
    let help = ["serve", "work"].map(help).join(" ");
    for file in FILES {
        let text = deploy_file(file);
        let named = words(&text, "JEDEN_", |letter| {
            letter.is_ascii_uppercase() || letter == '_'
        });
        assert!(!named.is_empty(), "{file} sets no variable");
        for name in named {
            assert!(
                help.contains(&format!("[env: {name}")),
                "{file}: {name} is not a variable of jeden"
            );
        }
    }
}

#[test]
fn every_started_command_accepts_its_options() {
    for command in ["serve", "work"] {
        let unit = deploy_file(&format!("jeden-{command}.service"));
        let start = unit
            .lines()
            .find_map(|line| line.strip_prefix("ExecStart=/usr/local/bin/jeden "));
        let mut given = start.expect("the unit starts jeden").split(' ');
        assert_eq!(given.next(), Some(command));
        let help = help(command);
        for flag in given.filter(|word| word.starts_with("--")) {
            assert!(
                help.contains(&format!("{flag} ")),
                "{command} has no option {flag}"
            );
        }
        assert!(deploy_file("compose.yaml").contains(&format!("command: [\"{command}\"]")));
    }
    help("migrate");
}

#[test]
fn the_files_pass_their_check() {
    let checked = Command::new(project("deploy/check.sh")).output().unwrap();
    let said = String::from_utf8_lossy(&checked.stderr);
    assert!(
        checked.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&checked.stdout)
    );
}
