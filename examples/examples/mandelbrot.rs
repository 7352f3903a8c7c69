//! The Mandelbrot set, band by band with a progress bar, into a PNG.

use indicatif::{ProgressBar, ProgressStyle};
use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt};
use ptyx_examples::{Error, bench, finish, picture, print_device};
use std::process::ExitCode;

/// The part of the complex plane that a picture shows.
#[derive(Clone, Copy, Debug, DeviceCopy)]
struct Frame {
    /// The centre of the upper left pixel.
    left: f64,
    top: f64,
    /// Distance between pixels.
    pixel: f64,
}

impl Frame {
    /// The number that a pixel stands for; as in [`escape`], with explicit fused operations, so that
    /// host and device compute the same bits.
    fn point(&self, column: usize, row: usize) -> (f64, f64) {
        (
            (column as f64).mul_add(self.pixel, self.left),
            (row as f64).mul_add(-self.pixel, self.top),
        )
    }
}

/// The steps after which `z = z^2 + c`, from 0, leaves the circle of radius 2, at most `limit`.
fn escape(re: f64, im: f64, limit: u32) -> u32 {
    let (mut x, mut y) = (0.0f64, 0.0f64);
    let mut steps = 0;
    while steps < limit && x.mul_add(x, y * y) <= 4.0 {
        let next = x.mul_add(x, y.mul_add(-y, re));
        y = (2.0 * x).mul_add(y, im);
        x = next;
        steps += 1;
    }
    steps
}

/// One pixel a thread: `steps` is a band of the picture that starts at row `first`.
#[kernel]
fn mandelbrot(frame: Frame, first: usize, limit: u32, mut steps: DisjointArray<u32, 2>) {
    let i = thread::index_2d();
    if let Some(steps) = steps.get_mut(i) {
        let (re, im) = frame.point(i.x(), first + i.y());
        *steps = escape(re, im, limit);
    }
}

/// Rows in a band.
const BAND: usize = 32;

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("out", "FILE", "the picture (default: mandelbrot.png)"),
        Opt::value("width", "N", "pixels in a row (default: 960)"),
        Opt::value("height", "N", "rows (default: 640)"),
        Opt::value("limit", "N", "most steps a pixel (default: 300)"),
    ];
    let args = Args::from_env("The Mandelbrot set, computed on the device.", &[], &options)?;
    let out = args.get("out")?.unwrap_or_else(|| "mandelbrot.png".to_owned());
    let (width, height) = (args.size("width", 960)?, args.size("height", 640)?);
    let limit = u32::try_from(args.size("limit", 300)?)?;
    print_device()?;

    let pixel = (3.2 / width as f64).max(2.4 / height as f64);
    let left = -0.75 - pixel * (width - 1) as f64 / 2.0;
    let top = pixel * (height - 1) as f64 / 2.0;
    let frame = Frame { left, top, pixel };

    let bar = ProgressBar::new(height as u64)
        .with_style(ProgressStyle::with_template("{bar:40} {pos}/{len} rows {elapsed}")?);
    let mut steps = vec![0u32; width * height];
    let mut ms = 0.0;
    for (band, rows) in steps.chunks_mut(BAND * width).enumerate() {
        let first = band * BAND;
        let height = rows.len() / width;
        let mut device = DeviceBuffer::zeroed(rows.len())?;
        let blocks = (width.div_ceil(32), height.div_ceil(8));
        let mut launch = |limit| {
            let steps = device.view_mut([height, width]);
            launch!(mandelbrot<<<blocks, (32, 8)>>>(frame, first, limit, steps))
        };
        if band == 0 {
            // The first launch assembles the kernel.
            launch(1)?;
        }
        ms += bench::time_once(|| launch(limit))?;
        device.copy_to_slice(rows)?;
        bar.inc(height as u64);
    }
    bar.finish();

    check(frame, width, limit, &steps)?;
    let samples: Vec<u8> = steps.iter().flat_map(|&steps| colour(steps, limit)).collect();
    picture::write_png(&out, width, height, &samples)?;
    let total: u64 = steps.iter().map(|&steps| u64::from(steps)).sum();
    println!(
        "mandelbrot: {width} x {height}, {total} steps in {ms:.3} ms, {:.2} G/s; equal to the \
         host's result; written to {out}",
        total as f64 * 1e-6 / ms
    );
    Ok(())
}

/// Compares every seventh pixel with the host's.
fn check(frame: Frame, width: usize, limit: u32, steps: &[u32]) -> Result<(), Error> {
    for (i, &got) in steps.iter().enumerate().step_by(7) {
        let (re, im) = frame.point(i % width, i / width);
        let want = escape(re, im, limit);
        if got != want {
            return Err(format!("{got} steps at {re} + {im} i, not {want}").into());
        }
    }
    Ok(())
}

/// Black inside; outside, colours that go round with the logarithm of the steps.
fn colour(steps: u32, limit: u32) -> [u8; 3] {
    if steps >= limit {
        return [0; 3];
    }
    let angle = 2.0 * (f64::from(steps) + 1.0).ln();
    [0.0, 0.6, 1.2].map(|phase| (127.5 * (1.0 - (angle + phase).cos())) as u8)
}
