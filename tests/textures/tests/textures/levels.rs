//! Mipmaps: levels by number and by the distances of pixels.

use ptyx::device::texture::{D2Layered, Surface2D, Texture2D, Texture2DLayered};
use ptyx::prelude::*;
use ptyx::{CudaArray, Error, FilterMode, Surface, Texture, TextureOptions, TextureRule};
use ptyx_texture_tests::{rng, share};

#[kernel]
fn by_level(x: Texture2D<f32>, details: &[f32], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        *out = x.fetch_lod(0.3, 0.6, details[i.get()]);
    }
}

#[kernel]
fn by_distance(x: Texture2D<f32>, steps: &[[f32; 4]], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [ax, ay, bx, by] = steps[i.get()];
        *out = x.fetch_grad(0.3, 0.6, [ax, ay], [bx, by]);
    }
}

/// A mipmap of which each level has one value.
fn flat_levels(values: &[f32]) -> ptyx::Result<CudaArray<f32>> {
    let side = 1 << (values.len() - 1);
    let mut array = CudaArray::<f32>::zeroed_with_levels([side, side], values.len())?;
    for (level, &value) in values.iter().enumerate() {
        let [rows, columns] = array.level_shape(level)?;
        assert_eq!([rows, columns], [side >> level; 2]);
        array.copy_level_from_slice(level, &vec![value; rows * columns])?;
    }
    Ok(array)
}

/// The value between two levels.
fn between(values: &[f32], detail: f64) -> f64 {
    let detail = detail.clamp(0.0, (values.len() - 1) as f64);
    let (first, share) = (detail.floor() as usize, detail.fract());
    let second = values[(first + 1).min(values.len() - 1)];
    f64::from(values[first]) * (1.0 - share) + f64::from(second) * share
}

#[test]
fn levels_by_number() -> ptyx::Result<()> {
    let mut rng = rng();
    let values = rng.vec(5, share);
    let array = flat_levels(&values)?;
    let mut details = rng.vec(100, |rng| share(rng) * 7.0 - 1.0);
    // Not where the nearest level changes.
    for detail in &mut details {
        if (*detail - detail.floor() - 0.5).abs() < 0.02 {
            *detail += 0.1;
        }
    }
    let given = DeviceBuffer::from_slice(&details)?;
    for (filter, bias, range) in [
        (FilterMode::Point, 0.0, 0.0..=4.0),
        (FilterMode::Linear, 0.0, 0.0..=4.0),
        (FilterMode::Linear, 1.0, 0.0..=4.0),
        (FilterMode::Linear, 0.0, 1.5..=2.75),
    ] {
        let options = TextureOptions::new()
            .normalized(true)
            .mip_filter(filter)
            .mip_bias(bias)
            .mip_clamp(range.clone());
        let texture = Texture::<f32>::with(&array, &options)?;
        let mut out = DeviceBuffer::zeroed(details.len())?;
        launch!(by_level<<<4, 32>>>(&texture, &given, &mut out))?;
        for (found, &detail) in out.to_vec()?.iter().zip(&details) {
            let exact = f64::from(detail + bias);
            let clamped = exact.clamp(f64::from(*range.start()), f64::from(*range.end()));
            let (wanted, bound) = match filter {
                FilterMode::Point => (between(&values, clamped.round()), 0.0),
                FilterMode::Linear => (between(&values, clamped), 1.5 / 256.0),
            };
            let off = (f64::from(*found) - wanted).abs();
            assert!(
                off <= bound + 1e-6,
                "{found}, not {wanted}, at {detail}: {options:?}, {values:?}"
            );
        }
    }
    Ok(())
}

#[test]
fn levels_by_distance() -> ptyx::Result<()> {
    let mut rng = rng();
    let values: Vec<f32> = (0..6).map(|level| level as f32 / 8.0).collect();
    let array = flat_levels(&values)?;
    // Along the axes, where all ways to measure a distance agree.
    let steps = rng.vec(64, |rng| {
        let (a, b) = (share(rng) * 6.0 - 0.5, share(rng) * 6.0 - 0.5);
        [a.exp2() / 32.0, 0.0, 0.0, b.exp2() / 32.0]
    });
    let options =
        TextureOptions::new().normalized(true).mip_filter(FilterMode::Linear).max_anisotropy(1);
    let texture = Texture::<f32>::with(&array, &options)?;
    let given = DeviceBuffer::from_slice(&steps)?;
    let mut out = DeviceBuffer::zeroed(steps.len())?;
    launch!(by_distance<<<2, 32>>>(&texture, &given, &mut out))?;
    for (found, step) in out.to_vec()?.iter().zip(&steps) {
        let detail = f64::from((step[0].max(step[3]) * 32.0).log2());
        let wanted = between(&values, detail);
        let off = (f64::from(*found) - wanted).abs();
        // The hardware approximates the logarithm.
        assert!(off <= 0.02 / 8.0 + 1.5 / 256.0, "{found}, not {wanted}, for {step:?}");
    }
    Ok(())
}

#[kernel]
fn halve(large: Surface2D<f32>, small: Surface2D<f32>) {
    let (x, y) = (thread::x(), thread::y());
    let four = [[0, 0], [1, 0], [0, 1], [1, 1]];
    let sum: f32 = four.iter().map(|[right, down]| large.read(2 * x + right, 2 * y + down)).sum();
    small.write(x, y, sum / 4.0);
}

#[kernel]
fn sizes(x: Texture2DLayered<u8>, mut out: Disjoint<[u32; 4]>) {
    if let Some(out) = out.get_mut(thread::index_1d()) {
        *out = [x.width(), x.height(), x.layers(), x.levels()];
    }
}

#[test]
fn surfaces_of_levels_and_sizes() -> ptyx::Result<()> {
    let mut rng = rng();
    let texels = rng.vec(8 * 8, |rng| rng.next_f32());
    let mut large = CudaArray::<f32>::from_slice(&texels, [8, 8])?;
    let mut levels = CudaArray::<f32>::zeroed_with_levels([8, 8], 4)?;
    let mut from = Surface::new(&mut large)?;
    launch!(halve<<<1, (4, 4)>>>(&mut from, &mut Surface::of_level(&mut levels, 1)?))?;
    drop(from);
    let at = |x: usize, y: usize| texels[8 * y + x];
    let wanted: Vec<f32> = (0..16)
        .map(|i| (2 * (i % 4), 2 * (i / 4)))
        .map(|(x, y)| (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)) / 4.0)
        .collect();
    assert_eq!(levels.level_to_vec(1)?, wanted);
    assert!(levels.to_vec()?.iter().all(|&texel| texel == 0.0));

    let layers = CudaArray::<u8, D2Layered>::zeroed_with_levels([3, 20, 9], 2)?;
    let texture = Texture::<u8, D2Layered>::new(&layers)?;
    let mut out = DeviceBuffer::zeroed(1)?;
    launch!(sizes<<<1, 1>>>(&texture, &mut out))?;
    assert_eq!(out.to_vec()?, [[9, 20, 3, 2]]);
    Ok(())
}

#[test]
fn levels_that_there_are_not() -> ptyx::Result<()> {
    let rule = |error: Option<Error>| match error {
        Some(Error::Texture(rule)) => rule,
        other => panic!("{other:?}"),
    };
    let too_many = CudaArray::<f32>::zeroed_with_levels([4, 9], 5);
    assert_eq!(rule(too_many.err()), TextureRule::Levels { levels: 5, most: 4 });
    let mut array = CudaArray::<f32>::zeroed_with_levels([4, 9], 2)?;
    assert_eq!(rule(array.level_to_vec(2).err()), TextureRule::Level { level: 2, levels: 2 });
    let surface = Surface::of_level(&mut array, 7).err();
    assert_eq!(rule(surface), TextureRule::Level { level: 7, levels: 2 });
    let counted = Texture::<f32>::with(&array, &TextureOptions::new());
    assert_eq!(rule(counted.err()), TextureRule::Mipmap);
    Ok(())
}
