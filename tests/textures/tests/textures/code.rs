//! Every instruction: the assembler takes it, and all ways to read one level agree.

use ptyx::device::texture::{
    Cube, CubeLayered, D1, D1Layered, D2, D2Layered, D3, Fetched, Texture1D, Texture1DLayered,
    Texture2D, Texture2DLayered, Texture3D, TextureCube, TextureCubeLayered,
};
use ptyx::prelude::*;
use ptyx::{CudaArray, Texture};
use ptyx_texture_tests::{Rng, images, rng, share};

/// Whether three ways to read a texture's first level agree, and what it has there.
macro_rules! agreeing {
    ($($kernel:ident $texture:ident $steps:literal |$x:ident, $layer:ident| ($($coordinate:expr),*);)*) => {$(
        #[kernel]
        fn $kernel<V: Fetched + PartialEq>(
            texture: $texture<V>,
            at: &[[f32; 3]],
            mut out: Disjoint<(V, bool)>,
        ) {
            let i = thread::index_1d();
            if let Some(out) = out.get_mut(i) {
                let ($x, $layer) = (at[i.get()], i.get() as u32 % 2);
                let _ = $layer;
                let plain = texture.fetch($($coordinate),*);
                let by_level = texture.fetch_lod($($coordinate,)* 0.0);
                let by_step = texture.fetch_grad($($coordinate,)* [0.0; $steps], [0.0; $steps]);
                *out = (plain, plain == by_level && plain == by_step);
            }
        }
    )*};
}

agreeing! {
    agree_1d Texture1D 1 |x, layer| (x[0]);
    agree_2d Texture2D 2 |x, layer| (x[0], x[1]);
    agree_3d Texture3D 3 |x, layer| (x[0], x[1], x[2]);
    agree_layers_1d Texture1DLayered 1 |x, layer| (x[0], layer);
    agree_layers_2d Texture2DLayered 2 |x, layer| (x[0], x[1], layer);
    agree_cube TextureCube 3 |x, layer| (x[0], x[1], x[2]);
    agree_cubes TextureCubeLayered 3 |x, layer| (x[0], x[1], x[2], layer);
}

const COUNT: usize = 64;

/// Bytes, so that numbers of all three kinds come of them.
fn bytes(rng: &mut Rng, len: usize) -> Vec<u8> {
    rng.vec(len, |rng| 1 + rng.below(100) as u8)
}

macro_rules! check {
    ($rng:ident, $at:ident: $($kernel:ident $d:ty, $shape:expr;)*) => {$(
        let shape = $shape;
        let texels = bytes($rng, shape.iter().product());
        let array = CudaArray::<u8, $d>::from_slice(&texels, shape)?;
        check!(@ $kernel $d, array, $at, texels: u8, |texel| texel);
        check!(@ $kernel $d, array, $at, texels: f32, |texel| (texel * 255.0).round() as u8);
        let signed: Vec<i8> = texels.iter().map(|&texel| texel as i8).collect();
        let array = CudaArray::<i8, $d>::from_slice(&signed, shape)?;
        check!(@ $kernel $d, array, $at, texels: i8, |texel| texel as u8);
    )*};
    (@ $kernel:ident $d:ty, $array:ident, $at:ident, $texels:ident: $value:ty, |$texel:ident| $byte:expr) => {
        let texture = Texture::<$value, $d>::new(&$array)?;
        let mut out = DeviceBuffer::<($value, bool)>::zeroed(COUNT)?;
        launch!($kernel::<$value><<<2, 32>>>(&texture, $at, &mut out))?;
        for ($texel, agree) in out.to_vec()? {
            let byte: u8 = $byte;
            assert!(agree && $texels.contains(&byte), "{} {}: {byte}", stringify!($kernel), stringify!($value));
        }
    };
}

#[test]
fn ways_to_read_one_level_agree() -> ptyx::Result<()> {
    let rng = &mut rng();
    let places = rng.vec(COUNT, |rng| [(); 3].map(|()| 9.0 * share(rng) - 2.0));
    let at = &DeviceBuffer::from_slice(&places)?;
    let side = 1 + rng.below(5);
    check! { rng, at:
        agree_1d D1, [side];
        agree_2d D2, [2, side];
        agree_3d D3, [3, 2, side];
        agree_layers_1d D1Layered, [2, side];
        agree_layers_2d D2Layered, [2, 3, side];
        agree_cube Cube, [6, side, side];
        agree_cubes CubeLayered, [12, side, side];
    }
    Ok(())
}

#[kernel]
fn brightest(x: Texture2D<f32>, mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        *out = out.max(x.fetch(i.get() as f32 + 0.5, 0.5));
    }
}

#[test]
fn prepared_kernels_take_textures() -> ptyx::Result<()> {
    let mut rng = rng();
    let rows = rng.vec(3, |rng| rng.vec(20, share));
    let mut out = DeviceBuffer::<f32>::zeroed(20)?;
    let mut array = CudaArray::<f32>::zeroed([1, 20])?;
    let texture = Texture::<f32>::new(&array)?;
    let kernel = compile!(brightest(&texture, &mut out))?;
    drop(texture);
    for row in &rows {
        array.copy_from_slice(row)?;
        let texture = Texture::<f32>::new(&array)?;
        kernel.launch(LaunchConfig::new().threads(32), args!(&texture, &mut out))?;
    }
    let wanted: Vec<f32> =
        (0..20).map(|i| rows.iter().map(|row| row[i]).fold(0.0, f32::max)).collect();
    assert_eq!(out.to_vec()?, wanted);
    Ok(())
}

#[test]
fn the_assembler_takes_the_modules() {
    let Some(ptxas) = images::assembler() else { return };
    let modules = images::assemble_modules(&ptxas);
    assert!(modules > 30, "{modules} modules: the images are missing");
}
