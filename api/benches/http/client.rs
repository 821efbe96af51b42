//! The load: a process of its own, so that the CPU time of the server can be told from it.

use std::io::{BufRead, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The environment variable that makes this program the client: the address of the server.
pub const ADDRESS: &str = "JEDEN_BENCH_CLIENT";

/// What to send.
pub struct Load<'a> {
    pub token: &'a str,
    pub connections: usize,
    pub duration: Duration,
    /// `Accept-Encoding`; empty for none.
    pub encoding: &'a str,
    pub paths: &'a [String],
}

/// What came of it.
#[derive(Debug, Default, Clone, Copy)]
pub struct Measured {
    pub answers: u64,
    pub seconds: f64,
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub worst_ms: f64,
    pub not_200: u64,
    pub bytes: u64,
}

/// Runs a load in a process of its own.
pub fn run(address: &str, load: &Load<'_>) -> std::io::Result<Measured> {
    let mut child = Command::new(std::env::current_exe()?)
        .env(ADDRESS, address)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        writeln!(
            input,
            "{}\n{}\n{}\n{}",
            load.token,
            load.connections,
            load.duration.as_millis(),
            load.encoding
        )?;
        for path in load.paths {
            writeln!(input, "{path}")?;
        }
    }
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Vec<f64> = text
        .split_whitespace()
        .filter_map(|it| it.parse().ok())
        .collect();
    let number = |place: usize| numbers.get(place).copied().unwrap_or_default();
    Ok(Measured {
        answers: number(0) as u64,
        seconds: number(1),
        p50_ms: number(2),
        p99_ms: number(3),
        worst_ms: number(4),
        not_200: number(5) as u64,
        bytes: number(6) as u64,
    })
}

/// The client process: reads what to send from its input, and prints what came of it.
pub fn main(address: &str) {
    let mut lines = std::io::stdin().lock().lines().map_while(Result::ok);
    let mut line = || lines.next().unwrap_or_default();
    let (token, connections, millis, encoding) = (line(), line(), line(), line());
    let paths: Vec<String> = lines.collect();
    let requests: Vec<Vec<u8>> = paths
        .iter()
        .map(|path| {
            let accept = if encoding.is_empty() {
                String::new()
            } else {
                format!("Accept-Encoding: {encoding}\r\n")
            };
            format!("GET {path} HTTP/1.1\r\nHost: bench\r\nX-Api-Key: {token}\r\n{accept}\r\n")
                .into_bytes()
        })
        .collect();
    let connections: usize = connections.parse().unwrap_or(1);
    let duration = Duration::from_millis(millis.parse().unwrap_or(1000));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let began = Instant::now();
    let done = runtime.block_on(async {
        let requests = std::sync::Arc::new(requests);
        let tasks: Vec<_> = (0..connections)
            .map(|number| {
                tokio::spawn(send(
                    address.to_owned(),
                    requests.clone(),
                    number * 7919,
                    began + duration,
                ))
            })
            .collect();
        let mut done = (Vec::new(), 0_u64, 0_u64);
        for task in tasks {
            let (mut times, not_200, bytes) = task.await.expect("a connection").expect("answers");
            done.0.append(&mut times);
            done.1 += not_200;
            done.2 += bytes;
        }
        done
    });
    let seconds = began.elapsed().as_secs_f64();
    let (mut times, not_200, bytes) = done;
    times.sort_unstable();
    let at = |share: f64| {
        let place = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
        times.get(place).copied().unwrap_or_default().as_secs_f64() * 1000.0
    };
    println!(
        "{} {seconds} {} {} {} {not_200} {bytes}",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

/// Sends requests on one connection until the end: times, answers other than 200, bytes of bodies.
async fn send(
    address: String,
    requests: std::sync::Arc<Vec<Vec<u8>>>,
    first: usize,
    end: Instant,
) -> std::io::Result<(Vec<Duration>, u64, u64)> {
    let mut stream = TcpStream::connect(&address).await?;
    stream.set_nodelay(true)?;
    let (mut times, mut not_200, mut bytes) = (Vec::new(), 0, 0);
    let mut buffer = vec![0; 1 << 20];
    for request in requests.iter().cycle().skip(first % requests.len()) {
        let began = Instant::now();
        if began >= end {
            break;
        }
        stream.write_all(request).await?;
        let (mut filled, mut whole) = (0, None);
        while whole.is_none_or(|whole| filled < whole) {
            let read = stream.read(&mut buffer[filled..]).await?;
            if read == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            filled += read;
            if whole.is_none() {
                whole = length(&buffer[..filled]);
            }
        }
        times.push(began.elapsed());
        not_200 += u64::from(!buffer.starts_with(b"HTTP/1.1 200"));
        bytes += filled as u64;
    }
    Ok((times, not_200, bytes))
}

/// The length of an answer with its head; `None` until the head is complete.
fn length(answer: &[u8]) -> Option<usize> {
    let head = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(answer.get(..head)?)
        .ok()?
        .to_ascii_lowercase();
    let body = text
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    Some(
        head + body
            .and_then(|length| length.trim().parse::<usize>().ok())
            .unwrap_or(0),
    )
}
