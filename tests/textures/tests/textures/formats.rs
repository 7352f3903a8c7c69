//! Texels of every type, as themselves and as floats.

use half::f16;
use ptyx::device::texture::{Fetched, ReadAs, Texel, Texture2D};
use ptyx::prelude::*;
use ptyx::{CudaArray, Texture, TextureOptions};
use ptyx_texture_tests::{Rng, rng};

/// Every texel.
#[kernel]
fn fetch_all<V: Fetched>(x: Texture2D<V>, mut out: DisjointArray<V, 2>) {
    let at = thread::index_2d();
    if let Some(out) = out.get_mut(at) {
        let [row, column] = at.get();
        *out = x.fetch(column as f32 + 0.5, row as f32 + 0.5);
    }
}

fn random<T: Texel>(rng: &mut Rng, len: usize) -> Vec<T> {
    rng.vec(len, |rng| {
        let bits = [rng.next_u64(), rng.next_u64()];
        // SAFETY: texels are at most 16 bytes of numbers, of which every bit pattern is a value.
        unsafe { (&raw const bits).cast::<T>().read() }
    })
}

/// All texels of a random picture, and what a texture gives for them.
fn read<T: ReadAs<V>, V: Fetched>(rng: &mut Rng, options: &TextureOptions) -> (Vec<T>, Vec<V>) {
    let shape = [1 + rng.below(12), 1 + rng.below(12)];
    let len = shape[0] * shape[1];
    let texels = random::<T>(rng, len);
    let array = CudaArray::<T>::from_slice(&texels, shape).unwrap();
    let texture = Texture::<V>::with(&array, options).unwrap();
    let mut out = DeviceBuffer::<V>::zeroed(len).unwrap();
    launch!(fetch_all::<V><<<(1, 1), (16, 16)>>>(&texture, out.view_mut(shape))).unwrap();
    drop(texture);
    (texels, out.to_vec().unwrap())
}

macro_rules! as_themselves {
    ($($name:ident: $($number:ty)*;)*) => {$(
        #[test]
        fn $name() {
            let mut rng = rng();
            let options = TextureOptions::new();
            $(
                let (texels, found) = read::<$number, $number>(&mut rng, &options);
                assert_eq!(found, texels);
                let (texels, found) = read::<[$number; 2], [$number; 2]>(&mut rng, &options);
                assert_eq!(found, texels);
                let (texels, found) = read::<[$number; 4], [$number; 4]>(&mut rng, &options);
                assert_eq!(found, texels);
            )*
        }
    )*};
}

as_themselves! {
    bytes_are_themselves: u8 i8;
    short_integers_are_themselves: u16 i16;
    integers_are_themselves: u32 i32;
}

/// A float's bits, or that it is none.
fn bits(value: f32) -> Option<u32> {
    (!value.is_nan()).then_some(value.to_bits())
}

#[test]
fn floats_are_themselves() {
    let mut rng = rng();
    let options = TextureOptions::new();
    let (texels, found) = read::<[f32; 4], [f32; 4]>(&mut rng, &options);
    assert_eq!(
        found.iter().flatten().map(|&v| bits(v)).collect::<Vec<_>>(),
        texels.iter().flatten().map(|&v| bits(v)).collect::<Vec<_>>()
    );
    let (texels, found) = read::<[f16; 2], [f32; 2]>(&mut rng, &options);
    assert_eq!(
        found.iter().flatten().map(|&v| bits(v)).collect::<Vec<_>>(),
        texels.iter().flatten().map(|&v| bits(v.to_f32())).collect::<Vec<_>>()
    );
}

/// Compares floats that were integers.
fn close(found: &[f32], wanted: impl Iterator<Item = f64>) {
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((f64::from(*found) - wanted).abs() < 2e-7, "{found}, not {wanted}");
    }
}

#[test]
fn integers_become_shares() {
    let mut rng = rng();
    let options = TextureOptions::new();
    let (texels, found) = read::<u8, f32>(&mut rng, &options);
    close(&found, texels.iter().map(|&v| f64::from(v) / 255.0));
    let (texels, found) = read::<u16, f32>(&mut rng, &options);
    close(&found, texels.iter().map(|&v| f64::from(v) / 65535.0));
    let (texels, found) = read::<i8, f32>(&mut rng, &options);
    close(&found, texels.iter().map(|&v| (f64::from(v) / 127.0).max(-1.0)));
    let (texels, found) = read::<[i16; 4], [f32; 4]>(&mut rng, &options);
    let wanted = texels.iter().flatten().map(|&v| (f64::from(v) / 32767.0).max(-1.0));
    close(&found.concat(), wanted);
}

#[test]
fn colours_become_shares_of_light() {
    let mut rng = rng();
    let options = TextureOptions::new().srgb(true);
    let (texels, found) = read::<[u8; 4], [f32; 4]>(&mut rng, &options);
    for (texel, found) in texels.iter().zip(&found) {
        for channel in 0..4 {
            let share = f64::from(texel[channel]) / 255.0;
            let light = match share {
                _ if channel == 3 => share,
                x if x <= 0.04045 => x / 12.92,
                x => ((x + 0.055) / 1.055).powf(2.4),
            };
            let off = (f64::from(found[channel]) - light).abs();
            // An H200 was seen to have 256 steps.
            assert!(off <= 1.0 / 256.0, "{found:?} of {texel:?}, channel {channel}: not {light}");
        }
    }
}
