//! A profile as a file in Chrome's trace event format, which Perfetto also reads: objects with a name, a kind, a process,
//! a thread and times in microseconds.

use super::{Profile, ProfiledWork, WorkKind};
use core::time::Duration;
use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::path::Path;
use std::thread::ThreadId;

/// The process of the host's threads. That of a device is one more than its index.
const HOST: u32 = 0;

/// A time of the format.
fn micros(time: Duration) -> String {
    let nanoseconds = time.as_nanos();
    format!("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000)
}

/// A text as a JSON string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control < ' ' => quoted.push_str(&format!("\\u{:04x}", control as u32)),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// An object with these members, whose values are JSON.
fn object(members: &[(&str, String)]) -> String {
    let members: Vec<String> =
        members.iter().map(|(key, value)| format!("{}: {value}", quoted(key))).collect();
    format!("{{{}}}", members.join(", "))
}

/// The index of an item, which is added if it is new.
fn index_of<T: PartialEq>(items: &mut Vec<T>, item: T) -> usize {
    items.iter().position(|known| *known == item).unwrap_or_else(|| {
        items.push(item);
        items.len() - 1
    })
}

/// The name of a process or, with a thread, of that.
fn named(process: u32, thread: Option<usize>, name: &str) -> String {
    let what = if thread.is_some() { "thread_name" } else { "process_name" };
    object(&[
        ("ph", quoted("M")),
        ("name", quoted(what)),
        ("pid", process.to_string()),
        ("tid", thread.unwrap_or(0).to_string()),
        ("args", object(&[("name", quoted(name))])),
    ])
}

/// A call of the host.
fn submitted(work: &ProfiledWork, thread: usize) -> String {
    object(&[
        ("ph", quoted("i")),
        ("s", quoted("t")),
        ("name", quoted(&work.name)),
        ("cat", quoted("submitted")),
        ("pid", HOST.to_string()),
        ("tid", thread.to_string()),
        ("ts", micros(work.submitted)),
    ])
}

/// A piece of work on a device, if it was timed.
fn done(work: &ProfiledWork, stream: usize) -> Option<String> {
    let (start, time) = work.start.zip(work.time)?;
    let kind = match work.kind {
        WorkKind::Kernel => "kernel",
        WorkKind::Copy => "copy",
        WorkKind::Fill => "fill",
        WorkKind::Graph => "graph",
    };
    let mut args = vec![("stream", quoted(&format!("{:#x}", work.stream)))];
    args.extend(work.blocks.map(|shape| ("blocks", format!("{shape:?}"))));
    args.extend(work.threads.map(|shape| ("threads", format!("{shape:?}"))));
    args.extend(work.bytes.map(|bytes| ("bytes", bytes.to_string())));
    Some(object(&[
        ("ph", quoted("X")),
        ("name", quoted(&work.name)),
        ("cat", quoted(kind)),
        ("pid", (work.device_index + 1).to_string()),
        ("tid", stream.to_string()),
        ("ts", micros(start)),
        ("dur", micros(time)),
        ("args", object(&args)),
    ]))
}

/// The profile's events.
fn events(profile: &Profile) -> Vec<String> {
    let mut streams: Vec<(u32, usize)> = Vec::new();
    let mut threads: Vec<ThreadId> = Vec::new();
    let mut events = Vec::new();
    for work in &profile.work {
        events.push(submitted(work, index_of(&mut threads, work.thread)));
        let stream = index_of(&mut streams, (work.device_index, work.stream));
        events.extend(done(work, stream));
    }
    events.push(named(HOST, None, "host"));
    for thread in 0..threads.len() {
        events.push(named(HOST, Some(thread), &format!("thread {thread}")));
    }
    for (index, &(device, handle)) in streams.iter().enumerate() {
        events.push(named(device + 1, None, &format!("device {device}")));
        events.push(named(device + 1, Some(index), &format!("stream {handle:#x}")));
    }
    events
}

/// Writes the file, an event on each line.
pub(super) fn write(profile: &Profile, path: &Path) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let mut separator = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
    for event in events(profile) {
        write!(file, "{separator}{event}")?;
        separator = ",\n";
    }
    writeln!(file, "\n]}}")?;
    file.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_times() {
        assert_eq!(quoted("a \"b\" \\ \n ü"), r#""a \"b\" \\ \u000a ü""#);
        assert_eq!(micros(Duration::from_nanos(1_002_003)), "1002.003");
        assert_eq!(object(&[("a", "1".into()), ("b", "2".into())]), r#"{"a": 1, "b": 2}"#);
    }
}
