//! The edges in a picture: reads a PNG or JPEG, writes the magnitude of its brightness gradient.

use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt};
use ptyx_examples::picture::{self, Picture};
use ptyx_examples::{Error, bench, finish, print_device};
use std::process::ExitCode;

/// Brightness from 0 to 1, on white where the pixel is transparent (ITU-R BT.709 weights).
fn brightness([red, green, blue, alpha]: [u16; 4]) -> f32 {
    const UNIT: f32 = 1.0 / 65535.0;
    let [red, green, blue, alpha] = [red, green, blue, alpha].map(f32::from);
    let light = UNIT * (0.2126 * red + 0.7152 * green + 0.0722 * blue);
    let alpha = UNIT * alpha;
    light * alpha + (1.0 - alpha)
}

/// The gradient's size at a pixel, from 0 to 255; `at` gives the brightness `dx`, `dy` away.
fn gradient(at: impl Fn(isize, isize) -> f32) -> u8 {
    let x = at(1, -1) + 2.0 * at(1, 0) + at(1, 1) - at(-1, -1) - 2.0 * at(-1, 0) - at(-1, 1);
    let y = at(-1, 1) + 2.0 * at(0, 1) + at(1, 1) - at(-1, -1) - 2.0 * at(0, -1) - at(1, -1);
    ((x * x + y * y).sqrt() * 255.0 + 0.5) as u8
}

/// `i + by`, kept inside `0..len`.
fn neighbour(i: usize, by: isize, len: usize) -> usize {
    i.saturating_add_signed(by).min(len - 1)
}

/// One pixel a thread.
#[kernel]
fn sobel(picture: Array<[u16; 4], 2>, mut edges: DisjointArray<u8, 2>) {
    let i = thread::index_2d();
    let [height, width] = picture.shape();
    if let Some(edge) = edges.get_mut(i) {
        *edge = gradient(|dx, dy| {
            let (x, y) = (neighbour(i.x(), dx, width), neighbour(i.y(), dy, height));
            brightness(picture[[y, x]])
        });
    }
}

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options: [Opt; 0] = [];
    let about = "Writes the edges in IN (PNG or JPEG) to OUT (PNG).";
    let args = Args::from_env(about, &["IN", "OUT"], &options)?;
    let [input, output] = args.files() else { unreachable!("two file names, as checked") };
    let Picture { width, height, pixels } = Picture::read(input)?;
    print_device()?;

    let device_pixels = DeviceBuffer::from_slice(&pixels)?;
    let mut device_edges = DeviceBuffer::zeroed(width * height)?;
    let blocks = (width.div_ceil(32), height.div_ceil(8));
    let mut launch = || {
        let from = device_pixels.view([height, width]);
        let to = device_edges.view_mut([height, width]);
        launch!(sobel<<<blocks, (32, 8)>>>(from, to))
    };
    // The first launch assembles the kernel.
    launch()?;
    let ms = bench::time_once(launch)?;
    let edges = device_edges.to_vec()?;

    for (i, &got) in edges.iter().enumerate() {
        let want = gradient(|dx, dy| {
            let (x, y) = (neighbour(i % width, dx, width), neighbour(i / width, dy, height));
            brightness(pixels[y * width + x])
        });
        // Fused operations on the device may round the other way.
        if got.abs_diff(want) > 1 {
            let (x, y) = (i % width, i / width);
            return Err(format!("pixel {x}, {y} is {got}, not {want}").into());
        }
    }
    picture::write_png(output, width, height, &edges)?;
    println!(
        "sobel: {width} x {height} pixels in {ms:.3} ms, {:.1} Mpixel/s; equal to the host's \
         result; written to {output}",
        (width * height) as f64 * 1e-3 / ms
    );
    Ok(())
}
