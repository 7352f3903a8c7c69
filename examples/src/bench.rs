//! Time on the device. The CUDA C++ side of the same method is `benches/cuda/common.cuh`; keep the
//! two alike.

use ptyx::{Event, Stream};
use std::fmt;

/// Launches before the timed ones.
pub const WARM_UP: usize = 5;

/// Timed launches.
pub const RUNS: usize = 25;

/// Times of several runs, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// The middle one.
    pub median_ms: f64,
    /// The shortest.
    pub min_ms: f64,
    /// The longest.
    pub max_ms: f64,
}

impl Times {
    /// Sorts `samples` out; the median of an even number is the upper one of the middle two.
    ///
    /// # Panics
    /// There are none.
    pub fn of(mut samples: Vec<f64>) -> Self {
        samples.sort_by(f64::total_cmp);
        Times {
            median_ms: samples[samples.len() / 2],
            min_ms: samples[0],
            max_ms: samples[samples.len() - 1],
        }
    }

    /// `amount` a second, in units of 10^9, at the median time.
    pub fn rate(&self, amount: f64) -> f64 {
        amount / (self.median_ms * 1e-3) * 1e-9
    }
}

/// The time of what `launch` puts on the default stream, in milliseconds. The first launch of a
/// kernel also assembles it: launch it once before.
///
/// # Errors
/// Those of `launch` and of the events.
pub fn time_once(launch: impl FnOnce() -> ptyx::Result<()>) -> ptyx::Result<f64> {
    let stream = Stream::default()?;
    let (start, end) = (Event::new()?, Event::new()?);
    start.record(&stream)?;
    launch()?;
    end.record(&stream)?;
    Ok(Event::elapsed(&start, &end)?.as_secs_f64() * 1e3)
}

/// Queues [`WARM_UP`] untimed launches and [`RUNS`] timed ones on the default stream with an event
/// between each two, so that the host's time to launch hides behind the running kernels; then
/// reads the events.
///
/// # Errors
/// Those of `launch` and of the events.
pub fn time_launches(mut launch: impl FnMut() -> ptyx::Result<()>) -> ptyx::Result<Times> {
    let stream = Stream::default()?;
    let events = (0..=RUNS).map(|_| Event::new()).collect::<ptyx::Result<Vec<_>>>()?;
    for _ in 0..WARM_UP {
        launch()?;
    }
    events[0].record(&stream)?;
    for event in &events[1..] {
        launch()?;
        event.record(&stream)?;
    }
    stream.synchronize()?;
    let samples = events
        .windows(2)
        .map(|pair| Event::elapsed(&pair[0], &pair[1]).map(|time| time.as_secs_f64() * 1e3))
        .collect::<ptyx::Result<Vec<_>>>()?;
    Ok(Times::of(samples))
}

/// Prints one line, alike for every program: the rate is `amount` over the median time, in `unit`.
pub fn report(name: &str, n: usize, times: Times, amount: f64, unit: impl fmt::Display) {
    let Times { median_ms, min_ms, max_ms } = times;
    println!(
        "BENCH {name} impl=ptyx n={n} median_ms={median_ms:.4} min_ms={min_ms:.4} \
         max_ms={max_ms:.4} rate={:.1} {unit}",
        times.rate(amount)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_and_rate() {
        let times = Times::of(vec![3.0, 1.0, 2.0]);
        assert_eq!((times.median_ms, times.min_ms, times.max_ms), (2.0, 1.0, 3.0));
        assert!((times.rate(4e9) - 2000.0).abs() < 1e-6);
    }
}
