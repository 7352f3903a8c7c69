//! A profile as a table.

use super::{Profile, WorkKind};
use core::fmt;
use core::time::Duration;

/// All work of one kind and name in a profile, from [`Profile::rows`].
///
/// ```
/// let (_, profile) = ptyx::profile(|| ptyx::DeviceBuffer::from_slice(&[1u8; 1 << 20]))?;
/// let [row] = &profile.rows()[..] else { panic!() };
/// assert_eq!((row.count, row.bytes), (1, Some(1 << 20)));
/// println!("{} took {:?}", row.name, row.total);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProfileRow {
    /// Its kind.
    pub kind: WorkKind,
    /// Its name.
    pub name: String,
    /// How often it ran.
    pub count: u64,
    /// How many of these were timed. The fields below count only those.
    pub timed: u64,
    /// The sum of their times.
    pub total: Duration,
    /// The shortest time.
    pub min: Duration,
    /// The longest time.
    pub max: Duration,
    /// The total of bytes copied or filled, if it is a copy or a fill.
    pub bytes: Option<u64>,
}

impl ProfileRow {
    /// The mean time; zero if none was timed.
    ///
    /// ```
    /// let (_, profile) = ptyx::profile(|| ptyx::DeviceBuffer::from_slice(&[1, 2, 3]))?;
    /// let row = &profile.rows()[0];
    /// assert_eq!(row.mean(), row.total); // there is one copy
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn mean(&self) -> Duration {
        match self.timed {
            0 => Duration::ZERO,
            timed => self.total.div_f64(timed as f64),
        }
    }

    /// The throughput in bytes per second, if it is a copy or a fill and was timed.
    ///
    /// ```
    /// let (_, profile) = ptyx::profile(|| ptyx::DeviceBuffer::from_slice(&[1u8; 1 << 20]))?;
    /// if let Some(rate) = profile.rows()[0].bytes_per_second() {
    ///     println!("{:.1} GB/s", rate * 1e-9);
    ///     assert!(rate > 0.0);
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn bytes_per_second(&self) -> Option<f64> {
        let bytes = self.bytes.filter(|_| !self.total.is_zero())?;
        Some(bytes as f64 / self.total.as_secs_f64())
    }
}

impl Profile {
    /// The work by kind and name, the longest total first.
    ///
    /// ```
    /// let ((), profile) = ptyx::profile(|| {
    ///     let mut buffer = ptyx::DeviceBuffer::<u32>::zeroed(10)?;
    ///     buffer.fill(1)?;
    ///     buffer.fill(2)
    /// })?;
    /// let fills = profile.rows().into_iter().find(|row| row.name == "fill").unwrap();
    /// assert!(fills.count >= 2);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn rows(&self) -> Vec<ProfileRow> {
        let mut rows: Vec<ProfileRow> = Vec::new();
        for work in &self.work {
            let same = |row: &&mut ProfileRow| row.kind == work.kind && row.name == work.name;
            let row = match rows.iter_mut().find(same) {
                Some(row) => row,
                None => {
                    rows.push(ProfileRow {
                        kind: work.kind,
                        name: work.name.clone(),
                        count: 0,
                        timed: 0,
                        total: Duration::ZERO,
                        min: Duration::MAX,
                        max: Duration::ZERO,
                        bytes: work.bytes.map(|_| 0),
                    });
                    let last = rows.len() - 1;
                    &mut rows[last]
                }
            };
            row.count += 1;
            if let Some(time) = work.time {
                row.timed += 1;
                row.total += time;
                row.min = row.min.min(time);
                row.max = row.max.max(time);
                row.bytes = row.bytes.map(|bytes| bytes + work.bytes.unwrap_or(0));
            }
        }
        rows.iter_mut().filter(|row| row.timed == 0).for_each(|row| row.min = Duration::ZERO);
        rows.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.name.cmp(&b.name)));
        rows
    }
}

/// A time with three significant digits and a unit.
fn time(time: Duration) -> String {
    let nanoseconds = time.as_nanos() as f64;
    scaled(nanoseconds, &[(1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns")])
}

/// A size with three significant digits and a unit.
fn size(bytes: u64) -> String {
    let units = [(1u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.iter().any(|&(unit, _)| bytes >= unit) {
        true => scaled(bytes as f64, &units.map(|(unit, name)| (unit as f64, name))),
        false => format!("{bytes} B"),
    }
}

/// A number in the largest unit that it reaches, or in the last one.
fn scaled(number: f64, units: &[(f64, &str)]) -> String {
    let reached = units.iter().find(|&&(unit, _)| number >= unit);
    let &(unit, name) = reached.or(units.last()).unwrap_or(&(1.0, ""));
    let number = number / unit;
    let digits = if number >= 100.0 { 0 } else { 1 + usize::from(number < 10.0) };
    format!("{number:.digits$} {name}")
}

const HEADS: [&str; 9] =
    ["work", "count", "total", "mean", "min", "max", "share", "bytes", "GiB/s"];

/// Writes the table.
pub(super) fn write(profile: &Profile, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let rows = profile.rows();
    let all: Duration = rows.iter().map(|row| row.total).sum();
    let cells = |row: &ProfileRow| {
        let times = match row.timed {
            0 => ["?"; 5].map(str::to_owned),
            _ => {
                let share = 100.0 * row.total.as_secs_f64() / all.as_secs_f64().max(1e-12);
                let [total, mean] = [row.total, row.mean()].map(time);
                [total, mean, time(row.min), time(row.max), format!("{share:.1} %")]
            }
        };
        let [total, mean, min, max, share] = times;
        let rate = row.bytes_per_second();
        let rate = rate.map(|rate| format!("{:.2}", rate / f64::from(1u32 << 30)));
        let (count, bytes) = (row.count.to_string(), row.bytes.map(size).unwrap_or_default());
        let rate = rate.unwrap_or_default();
        [row.name.clone(), count, total, mean, min, max, share, bytes, rate]
    };
    let lines: Vec<[String; HEADS.len()]> =
        core::iter::once(HEADS.map(str::to_owned)).chain(rows.iter().map(cells)).collect();
    let widest = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    for line in &lines {
        let mut text = String::new();
        for (column, cell) in line.iter().enumerate() {
            let width = widest(column).unwrap_or(0);
            match column {
                0 => text.push_str(&format!("{cell:width$}")),
                _ => text.push_str(&format!("  {cell:>width$}")),
            }
        }
        writeln!(f, "{}", text.trim_end())?;
    }
    let (count, elapsed) = (profile.work.len(), time(profile.elapsed));
    write!(f, "{count} in {elapsed}, {} of work on the device", time(all))?;
    match profile.failed {
        0 => {}
        failed => write!(f, "; {failed} more failed")?,
    }
    match profile.work.iter().filter(|work| work.time.is_none()).count() {
        0 => Ok(()),
        unknown => write!(f, "; the time of {unknown} is unknown"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProfiledWork;

    fn work(kind: WorkKind, name: &str, bytes: Option<u64>, micros: Option<u64>) -> ProfiledWork {
        ProfiledWork {
            kind,
            name: name.to_owned(),
            bytes,
            blocks: None,
            threads: None,
            device_index: 0,
            stream: 1,
            thread: std::thread::current().id(),
            submitted: Duration::ZERO,
            start: micros.map(|_| Duration::ZERO),
            time: micros.map(Duration::from_micros),
        }
    }

    #[test]
    fn the_table() {
        let work = vec![
            work(WorkKind::Kernel, "a::saxpy<f32>", None, Some(10)),
            work(WorkKind::Copy, "copy to host", Some(1 << 20), Some(1000)),
            work(WorkKind::Kernel, "a::saxpy<f32>", None, Some(30)),
            work(WorkKind::Kernel, "a::saxpy<f32>", None, None),
            work(WorkKind::Fill, "fill", Some(12), None),
        ];
        let profile = Profile { work, elapsed: Duration::from_millis(2), failed: 3 };
        let expected = "\
work           count    total     mean      min      max   share     bytes  GiB/s
copy to host       1  1.00 ms  1.00 ms  1.00 ms  1.00 ms  96.2 %  1.00 MiB   0.98
a::saxpy<f32>      3  40.0 us  20.0 us  10.0 us  30.0 us   3.8 %
fill               1        ?        ?        ?        ?       ?       0 B
5 in 2.00 ms, 1.04 ms of work on the device; 3 more failed; the time of 2 is unknown";
        assert_eq!(profile.to_string(), expected);
        let empty = Profile { work: Vec::new(), elapsed: Duration::ZERO, failed: 0 };
        let text = empty.to_string();
        assert!(text.ends_with("\n0 in 0.00 ns, 0.00 ns of work on the device"), "{text}");
    }

    #[test]
    fn numbers_have_three_digits() {
        let nanoseconds = |n| time(Duration::from_nanos(n));
        assert_eq!(nanoseconds(0), "0.00 ns");
        assert_eq!(nanoseconds(999), "999 ns");
        assert_eq!(nanoseconds(1_500), "1.50 us");
        assert_eq!(nanoseconds(25_040_000), "25.0 ms");
        assert_eq!(nanoseconds(7_000_000_000_000), "7000 s");
        assert_eq!([0, 1023, 1024, 3 << 29].map(size), ["0 B", "1023 B", "1.00 KiB", "1.50 GiB"]);
    }
}
