//! Textures of buffers.

use ptyx::device::texture::{Linear, Texture2D, TextureLinear};
use ptyx::prelude::*;
use ptyx::{AddressMode, Error, FilterMode, Texture, TextureOptions, TextureRule};
use ptyx_texture_tests::{Picture, Reading, coordinate, rng, tolerance};

#[kernel]
fn look_up(table: TextureLinear<[u16; 2]>, at: &[i32], mut out: Disjoint<[u16; 2]>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        *out = table.fetch(at[i.get()]);
    }
}

#[test]
fn buffers_by_index() -> ptyx::Result<()> {
    let mut rng = rng();
    let len = 1 + rng.below(300);
    let table = rng.vec(len, |rng| [rng.next_u32() as u16, rng.next_u32() as u16]);
    let mut at = rng.vec(100, |rng| rng.below(3 * len) as i32 - len as i32);
    at.extend([i32::MIN, -1, 0, len as i32 - 1, len as i32, i32::MAX]);
    let wanted: Vec<_> = at
        .iter()
        .map(|&at| usize::try_from(at).ok().and_then(|at| table.get(at).copied()))
        .map(Option::unwrap_or_default)
        .collect();
    let buffer = DeviceBuffer::from_slice(&table)?;
    let texture = Texture::<[u16; 2], Linear>::linear(&buffer)?;
    let places = DeviceBuffer::from_slice(&at)?;
    let mut out = DeviceBuffer::zeroed(at.len())?;
    launch!(look_up<<<at.len().div_ceil(32), 32>>>(&texture, &places, &mut out))?;
    assert_eq!(out.to_vec()?, wanted);
    Ok(())
}

#[kernel]
fn sample(x: Texture2D<f32>, at: &[[f32; 2]], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, y_at] = at[i.get()];
        *out = x.fetch(x_at, y_at);
    }
}

#[test]
fn rows_of_buffers() -> ptyx::Result<()> {
    let mut rng = rng();
    for _ in 0..4 {
        let size = [1 + rng.below(30), 1 + rng.below(30), 1];
        let stride = size[0].next_multiple_of(8) + 8 * rng.below(3);
        let picture = Picture::random(&mut rng, size);
        // What lies between rows is not read.
        let mut padded = vec![f32::NAN; size[1] * stride];
        for (row, texels) in picture.floats().chunks(size[0]).enumerate() {
            padded[row * stride..][..size[0]].copy_from_slice(texels);
        }
        let buffer = DeviceBuffer::from_slice(&padded)?;
        let options = TextureOptions::new().filter(FilterMode::Linear).address(AddressMode::Clamp);
        let shape = [size[1], size[0]];
        let texture = Texture::<f32>::of_rows(&buffer, shape, stride, &options)?;
        let places = rng.vec(100, |rng| [coordinate(rng, size[0], 3), coordinate(rng, size[1], 3)]);
        let at = DeviceBuffer::from_slice(&places)?;
        let mut out = DeviceBuffer::zeroed(places.len())?;
        launch!(sample<<<4, 32>>>(&texture, &at, &mut out))?;
        let reading = Reading { mode: AddressMode::Clamp, blends: true, border: 0.0 };
        for (found, [x, y]) in out.to_vec()?.iter().zip(&places) {
            let wanted = picture.sample([f64::from(*x), f64::from(*y), 0.0], 2, &reading);
            let off = (f64::from(*found) - wanted).abs();
            assert!(off <= tolerance(2), "{found}, not {wanted}, at {x} {y} of {size:?}");
        }
    }
    Ok(())
}

#[test]
fn what_does_not_suit_a_texture() -> ptyx::Result<()> {
    let buffer = DeviceBuffer::<f32>::zeroed(1000)?;
    let rule = |result: ptyx::Result<Texture<'_, f32>>| match result {
        Err(Error::Texture(rule)) => rule,
        other => panic!("{other:?}"),
    };
    let options = TextureOptions::new();
    let rows = |shape, stride| rule(Texture::of_rows(&buffer, shape, stride, &options));
    assert!(matches!(rows([10, 30], 24), TextureRule::Pitch { bytes: 96, row: 120, .. }));
    assert!(matches!(rows([10, 30], 31), TextureRule::Pitch { bytes: 124, row: 120, .. }));
    assert_eq!(rows([32, 30], 32), TextureRule::Length { needed: 1022, len: 1000 });
    assert!(matches!(rows([0, 30], 32), TextureRule::Size { dimension: 0, size: 0, .. }));
    assert!(matches!(rows([10, 0], 32), TextureRule::Size { dimension: 1, size: 0, .. }));
    let part = Texture::of_rows(buffer.slice(1..), [2, 30], 32, &options);
    assert!(matches!(rule(part), TextureRule::Address { .. }));
    let empty = DeviceBuffer::<f32>::zeroed(0)?;
    match Texture::<f32, Linear>::linear(&empty) {
        Err(Error::Texture(TextureRule::Size { dimension: 0, size: 0, .. })) => {}
        other => panic!("{other:?}"),
    }
    Ok(())
}
