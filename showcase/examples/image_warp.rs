//! Swirls a picture and writes it as a PNG: a texture interpolates the colours between pixels.

use ptyx::device::texture::Texture2D;
use ptyx::prelude::*;
use ptyx::{AddressMode, CudaArray, FilterMode, Texture, TextureOptions};
use ptyx_examples::args::{Args, Opt};
use ptyx_examples::{Error, bench, finish, picture, print_device};
use std::process::ExitCode;

/// Where a pixel of the swirled picture comes from, in coordinates from 0 to 1: turned about the centre, less so far
/// out.
fn source(x: f32, y: f32, turns: f32) -> (f32, f32) {
    let (dx, dy) = (x - 0.5, y - 0.5);
    let near = (1.0 - 2.0 * dx.mul_add(dx, dy * dy).sqrt()).max(0.0);
    let angle = core::f32::consts::TAU * turns * near * near;
    let (sin, cos) = angle.sin_cos();
    (dx.mul_add(cos, dy.mul_add(-sin, 0.5)), dx.mul_add(sin, dy.mul_add(cos, 0.5)))
}

/// One pixel per thread.
#[kernel]
fn swirl(picture: Texture2D<[f32; 4]>, turns: f32, mut out: DisjointArray<[u8; 4], 2>) {
    let [height, width] = out.shape();
    let i = thread::index_2d();
    if let Some(out) = out.get_mut(i) {
        let (x, y) = (i.x() as f32 + 0.5, i.y() as f32 + 0.5);
        let (x, y) = source(x / width as f32, y / height as f32, turns);
        *out = picture.fetch(x, y).map(|colour| (colour * 255.0 + 0.5) as u8);
    }
}

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("out", "FILE", "the PNG to write (default: image_warp.png)"),
        Opt::value("width", "N", "pixels in a row (default: 960)"),
        Opt::value("height", "N", "rows (default: 640)"),
        Opt::flag("bench", "measure, 7680 x 4320 pixels unless --width and --height say otherwise"),
    ];
    let args = Args::from_env(
        "Swirls a generated picture with a texture, and writes it as a PNG.",
        &[],
        &options,
    )?;
    let path = args.get("out")?.unwrap_or_else(|| "image_warp.png".to_owned());
    let bench = args.flag("bench");
    let (width, height) = if bench { (7680, 4320) } else { (960, 640) };
    let (width, height) = (args.size("width", width)?, args.size("height", height)?);
    print_device()?;

    let turns = 0.8;
    let pixels: Vec<[u8; 4]> =
        (0..width * height).map(|i| tile(i % width, i / width, width, height)).collect();
    let array = CudaArray::<[u8; 4]>::from_slice(&pixels, [height, width])?;
    let options = TextureOptions::new()
        .normalized(true)
        .filter(FilterMode::Linear)
        .address(AddressMode::Mirror);
    let texture = Texture::<[f32; 4]>::with(&array, &options)?;
    let mut device = DeviceBuffer::<[u8; 4]>::zeroed(width * height)?;
    let blocks = (width.div_ceil(32), height.div_ceil(8));
    let mut launch = || {
        let out = device.view_mut([height, width]);
        launch!(swirl<<<blocks, (32, 8)>>>(&texture, turns, out))
    };
    // The first launch assembles the kernel.
    launch()?;
    let ms = bench::time_once(&mut launch)?;
    if bench {
        let (times, n) = (bench::time_launches(launch)?, width * height);
        check(&pixels, &device.to_vec()?, width, height, turns)?;
        bench::report("image_warp", n, times, n as f64, "Gpixels/s");
        return Ok(());
    }
    let swirled = device.to_vec()?;
    check(&pixels, &swirled, width, height, turns)?;
    let samples: Vec<u8> = swirled.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    picture::write_png(&path, width, height, &samples)?;
    println!(
        "image_warp: {width} x {height} pixels in {ms:.3} ms, {:.1} Mpixel/s; close to the host's result; \
         written to {path}",
        (width * height) as f64 * 1e-3 / ms
    );
    Ok(())
}

/// A pixel of the original picture: tiles of soft colours.
fn tile(x: usize, y: usize, width: usize, height: usize) -> [u8; 4] {
    let wave = |at: usize, size: usize, waves: f64| {
        (at as f64 / size as f64 * waves * std::f64::consts::TAU).sin()
    };
    let (a, b) = (wave(x, width, 6.0), wave(y, height, 4.0));
    let share = |value: f64| (127.5 * (1.0 + value)) as u8;
    [share(a * b), share(0.5 * (a + b)), share(wave(x + y, width, 1.0)), 255]
}

/// Compares every seventh pixel with the host's, with exact weights.
fn check(
    before: &[[u8; 4]],
    after: &[[u8; 4]],
    width: usize,
    height: usize,
    turns: f32,
) -> Result<(), Error> {
    let mirror = |at: i64, size: usize| {
        let at = at.rem_euclid(2 * size as i64) as usize;
        at.min(2 * size - 1 - at)
    };
    for (i, got) in after.iter().enumerate().step_by(7) {
        let (x, y) = ((i % width) as f32 + 0.5, (i / width) as f32 + 0.5);
        let (x, y) = source(x / width as f32, y / height as f32, turns);
        let (x, y) = (f64::from(x) * width as f64 - 0.5, f64::from(y) * height as f64 - 0.5);
        for channel in 0..4 {
            let at = |dx: i64, dy: i64| {
                let row = mirror(y.floor() as i64 + dy, height);
                f64::from(before[row * width + mirror(x.floor() as i64 + dx, width)][channel])
            };
            let blend = |a: f64, b: f64, share: f64| a + (b - a) * share;
            let (s, t) = (x.rem_euclid(1.0), y.rem_euclid(1.0));
            let want = blend(blend(at(0, 0), at(1, 0), s), blend(at(0, 1), at(1, 1), s), t);
            // Weights of a texture have 8 fractional bits, of which the last one is rounded.
            if (f64::from(got[channel]) - want).abs() > 3.0 {
                let place = format!("pixel {}, {}", i % width, i / width);
                return Err(format!(
                    "{place} is {got:?}, but channel {channel} should be {want:.1}"
                )
                .into());
            }
        }
    }
    Ok(())
}
