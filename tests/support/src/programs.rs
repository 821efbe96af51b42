//! The programs of PostgreSQL, and the user who runs them.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// PostgreSQL's programs, and the user who runs them.
#[derive(Debug, Clone)]
pub(crate) struct Programs {
    folder: PathBuf,
    user: Option<(u32, u32)>,
}

impl Programs {
    /// The newest programs found. `None` if there are none, or if no user may run them.
    pub(crate) fn find() -> Option<Self> {
        let mut folders: Vec<PathBuf> = std::env::var_os("PG_BINDIR")
            .map(PathBuf::from)
            .into_iter()
            .collect();
        folders.extend(installed());
        folders.extend(std::env::split_paths(
            &std::env::var_os("PATH").unwrap_or_default(),
        ));
        let complete =
            |folder: &PathBuf| folder.join("initdb").is_file() && folder.join("pg_ctl").is_file();
        let folder = folders.into_iter().find(complete)?;
        // PostgreSQL refuses to run as root.
        if is_root() {
            let user = ["postgres", "nobody"].into_iter().find_map(user)?;
            return Some(Self {
                folder,
                user: Some(user),
            });
        }
        Some(Self { folder, user: None })
    }

    /// The path of a program.
    pub(crate) fn path(&self, program: &str) -> PathBuf {
        self.folder.join(program)
    }

    /// A command that runs as the right user, in a folder that this user may enter, without our standard streams.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
            .env_remove("PGDATA")
            .env_remove("PGHOST")
            .env_remove("PGPORT")
            .env_remove("PGOPTIONS");
        if let Some((uid, gid)) = self.user {
            command.uid(uid).gid(gid);
        }
        command
    }

    /// Gives a folder to the user who runs the programs.
    pub(crate) fn hand_over(&self, folder: &Path) -> std::io::Result<()> {
        match self.user {
            Some((uid, gid)) => std::os::unix::fs::chown(folder, Some(uid), Some(gid)),
            None => Ok(()),
        }
    }
}

/// Debian's folders, the newest version first.
fn installed() -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir("/usr/lib/postgresql") else {
        return Vec::new();
    };
    let mut versions: Vec<(u32, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let version = entry.file_name().to_str()?.parse().ok()?;
            Some((version, entry.path().join("bin")))
        })
        .collect();
    versions.sort_unstable_by(|one, other| other.cmp(one));
    versions.into_iter().map(|(_, folder)| folder).collect()
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    // Our own process folder belongs to our user.
    std::fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

/// User and group number of a name.
fn user(name: &str) -> Option<(u32, u32)> {
    let passwd = std::fs::read_to_string("/etc/passwd").ok()?;
    let line = passwd
        .lines()
        .find(|line| line.split(':').next() == Some(name))?;
    let mut numbers = line.split(':').skip(2);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}
