// What only an operating system has: each use is refused at its place, all of them together.
use ptyx::prelude::*;

#[kernel]
fn files(path: [u8; 4], mut y: Disjoint<u64>) {
    let i = thread::index_1d();
    if let (Some(y), Ok(path)) = (y.get_mut(i), str::from_utf8(&path)) {
        *y = std::fs::metadata(path).map_or(0, |file| file.len());
        if std::path::Path::new(path).exists() {
            *y += 1;
        }
    }
}

#[kernel]
fn threads(n: u32) {
    let worker = std::thread::spawn(move || n + 1);
    assert_eq!(worker.join().unwrap(), n + 1);
    std::thread::sleep(std::time::Duration::from_millis(1));
}

#[kernel]
fn environment(mut y: Disjoint<u64>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = u64::from(std::env::var("HOME").is_ok()) + std::env::args().count() as u64;
    }
}

#[kernel]
fn time(mut y: Disjoint<u64>) {
    let start = std::time::Instant::now();
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        let now = std::time::SystemTime::now();
        *y = now.duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs());
        *y += start.elapsed().as_secs();
    }
}

#[kernel]
fn processes(n: i32) {
    if std::process::Command::new("ls").status().is_err() {
        std::process::exit(n);
    }
}

#[kernel]
fn endings(n: i32) {
    if n == 1 {
        std::process::abort();
    }
    std::panic::panic_any(n);
}

#[kernel]
fn connections(n: u16) {
    assert!(std::net::TcpStream::connect(("localhost", n)).is_ok());
    let mut line = String::new();
    let _ = std::io::stdin().read_line(&mut line);
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::<u64>::zeroed(8)?;
    launch!(files<<<1, 8>>>(*b"data", &mut y))?;
    launch!(threads<<<1, 8>>>(1))?;
    launch!(environment<<<1, 8>>>(&mut y))?;
    launch!(time<<<1, 8>>>(&mut y))?;
    launch!(processes<<<1, 8>>>(1))?;
    launch!(endings<<<1, 8>>>(1))?;
    launch!(connections<<<1, 8>>>(80))
}
