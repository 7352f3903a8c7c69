//! Filters, address modes and coordinates, against a reference with exact weights.

use ptyx::device::texture::{
    D1, D1Layered, D2, D2Layered, D3, Texture1D, Texture1DLayered, Texture2D, Texture2DLayered,
    Texture3D,
};
use ptyx::prelude::*;
use ptyx::{AddressMode, CudaArray, FilterMode, Texture, TextureOptions};
use ptyx_texture_tests::{Picture, Reading, Rng, coordinate, rng, share, tolerance};

#[kernel]
fn fetch_1d(x: Texture1D<f32>, at: &[[f32; 3]], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        *out = x.fetch(at[i.get()][0]);
    }
}

#[kernel]
fn fetch_2d(x: Texture2D<f32>, at: &[[f32; 3]], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, y_at, _] = at[i.get()];
        *out = x.fetch(x_at, y_at);
    }
}

#[kernel]
fn fetch_3d(x: Texture3D<f32>, at: &[[f32; 3]], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, y_at, z_at] = at[i.get()];
        *out = x.fetch(x_at, y_at, z_at);
    }
}

/// The third number is the layer.
#[kernel]
fn fetch_layers_1d(x: Texture1DLayered<f32>, at: &[[f32; 3]], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, _, layer] = at[i.get()];
        *out = x.fetch(x_at, layer as u32);
    }
}

#[kernel]
fn fetch_layers_2d(x: Texture2DLayered<f32>, at: &[[f32; 3]], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, y_at, layer] = at[i.get()];
        *out = x.fetch(x_at, y_at, layer as u32);
    }
}

#[kernel]
fn near_1d(x: Texture1D<f32>, at: &[[f32; 3]], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        *out = x.fetch_offset::<-3>(at[i.get()][0]);
    }
}

#[kernel]
fn near_2d(x: Texture2D<f32>, at: &[[f32; 3]], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, y_at, _] = at[i.get()];
        *out = x.fetch_offset::<7, -8>(x_at, y_at);
    }
}

#[kernel]
fn near_3d(x: Texture3D<f32>, at: &[[f32; 3]], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, y_at, z_at] = at[i.get()];
        *out = x.fetch_offset::<1, -2, 5>(x_at, y_at, z_at);
    }
}

#[kernel]
fn near_layers_1d(x: Texture1DLayered<f32>, at: &[[f32; 3]], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, _, layer] = at[i.get()];
        *out = x.fetch_offset::<6>(x_at, layer as u32);
    }
}

#[kernel]
fn near_layers_2d(x: Texture2DLayered<f32>, at: &[[f32; 3]], mut out: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, y_at, layer] = at[i.get()];
        *out = x.fetch_offset::<-1, 4>(x_at, y_at, layer as u32);
    }
}

const COUNT: usize = 192;

/// Every way to read a picture, with the options for it.
fn readings(rng: &mut Rng) -> Vec<(Reading, bool, TextureOptions)> {
    let mut all = Vec::new();
    for blends in [false, true] {
        for normalized in [false, true] {
            use AddressMode::{Border, Clamp, Mirror, Wrap};
            for mode in [Clamp, Border, Wrap, Mirror] {
                if !normalized && matches!(mode, Wrap | Mirror) {
                    continue;
                }
                let border = share(rng);
                let filter = if blends { FilterMode::Linear } else { FilterMode::Point };
                let options = TextureOptions::new()
                    .address(mode)
                    .filter(filter)
                    .normalized(normalized)
                    .border([border; 4]);
                all.push((Reading { mode, blends, border: border.into() }, normalized, options));
            }
        }
    }
    all
}

/// Compares fetches at random places. `fetch` gets the options and the places, of which layers are left as they are. It
/// reads so many texels away from them.
fn compare(
    rng: &mut Rng,
    picture: &Picture,
    dimensions: usize,
    layers: bool,
    offset: [i32; 3],
    mut fetch: impl FnMut(&TextureOptions, &[[f32; 3]]) -> Vec<f32>,
) {
    for (reading, normalized, options) in readings(rng) {
        let (mut places, mut wanted) = (Vec::new(), Vec::new());
        for _ in 0..COUNT {
            let mut at = [0.0f32; 3];
            for (at, &size) in at.iter_mut().zip(&picture.size).take(dimensions) {
                *at = coordinate(rng, size, 2 * size);
            }
            let layer = rng.below(picture.size[2] + 2);
            let exact = std::array::from_fn(|axis| f64::from(at[axis]) + f64::from(offset[axis]));
            let value = if layers {
                let plane = picture.size[0] * picture.size[1];
                let from = layer.min(picture.size[2] - 1) * plane;
                let size = [picture.size[0], picture.size[1], 1];
                let texels = picture.texels[from..from + plane].to_vec();
                Picture { size, texels }.sample(exact, dimensions, &reading)
            } else {
                picture.sample(exact, dimensions, &reading)
            };
            if normalized {
                for (at, &size) in at.iter_mut().zip(&picture.size).take(dimensions) {
                    *at /= size as f32;
                }
            }
            if layers {
                at[2] = layer as f32;
            }
            places.push(at);
            wanted.push(value);
        }
        let found = fetch(&options, &places);
        let bound = if reading.blends { tolerance(dimensions) } else { 0.0 };
        for ((found, wanted), at) in found.iter().zip(&wanted).zip(&places) {
            let off = (f64::from(*found) - wanted).abs();
            let (size, allowed) = (picture.size, bound + 1e-7);
            assert!(
                off <= allowed,
                "{found}, not {wanted}, at {at:?} of {size:?}: {reading:?} {normalized}"
            );
        }
    }
}

macro_rules! filter_tests {
    ($($name:ident $kernel:ident $d:ty, $dimensions:literal $layers:literal [$($axis:literal)*] $offset:expr;)*) => {$(
        #[test]
        fn $name() -> ptyx::Result<()> {
            let mut rng = rng();
            let mut size = [1; 3];
            $(size[$axis] = 2 + rng.below(9);)*
            let picture = Picture::random(&mut rng, size);
            let mut shape = [$(size[$axis]),*];
            shape.reverse();
            let array = CudaArray::<f32, $d>::from_slice(&picture.floats(), shape)?;
            compare(&mut rng, &picture, $dimensions, $layers, $offset, |options, places| {
                let texture = Texture::<f32, $d>::with(&array, options).unwrap();
                let at = DeviceBuffer::from_slice(places).unwrap();
                let mut out = DeviceBuffer::zeroed(places.len()).unwrap();
                let blocks = places.len().div_ceil(64);
                launch!($kernel<<<blocks, 64>>>(&texture, &at, &mut out)).unwrap();
                out.to_vec().unwrap()
            });
            Ok(())
        }
    )*};
}

filter_tests! {
    one_dimension fetch_1d D1, 1 false [0] [0; 3];
    two_dimensions fetch_2d D2, 2 false [0 1] [0; 3];
    three_dimensions fetch_3d D3, 3 false [0 1 2] [0; 3];
    layers_of_one_dimension fetch_layers_1d D1Layered, 1 true [0 2] [0; 3];
    layers_of_two_dimensions fetch_layers_2d D2Layered, 2 true [0 1 2] [0; 3];
    offset_in_one_dimension near_1d D1, 1 false [0] [-3, 0, 0];
    offsets_in_two_dimensions near_2d D2, 2 false [0 1] [7, -8, 0];
    offsets_in_three_dimensions near_3d D3, 3 false [0 1 2] [1, -2, 5];
    offset_in_layers_of_one_dimension near_layers_1d D1Layered, 1 true [0 2] [6, 0, 0];
    offsets_in_layers_of_two_dimensions near_layers_2d D2Layered, 2 true [0 1 2] [-1, 4, 0];
}

#[kernel]
fn gather_near(x: Texture2D<f32>, at: &[[f32; 2]], mut out: Disjoint<[[f32; 4]; 2]>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, y_at] = at[i.get()];
        *out = [x.gather_offset::<0, -8, 7>(x_at, y_at), x.gather_offset::<0, 3, 0>(x_at, y_at)];
    }
}

/// Offsets move all four texels, of which those outside are the nearest inside.
#[test]
fn gathering_with_offsets() -> ptyx::Result<()> {
    let mut rng = rng();
    let [rows, columns] = [2 + rng.below(20), 2 + rng.below(20)];
    let texels = Picture::random(&mut rng, [columns, rows, 1]).floats();
    let array = CudaArray::<f32>::from_slice(&texels, [rows, columns])?;
    let texture = Texture::<f32>::new(&array)?;
    // Half a texel from where a blend takes others.
    let places =
        rng.vec(COUNT, |rng| [coordinate(rng, columns, 9) + 0.5, coordinate(rng, rows, 9) + 0.5]);
    let at = DeviceBuffer::from_slice(&places)?;
    let mut out = DeviceBuffer::zeroed(COUNT)?;
    launch!(gather_near<<<COUNT.div_ceil(64), 64>>>(&texture, &at, &mut out))?;
    for ([x, y], found) in places.iter().zip(out.to_vec()?) {
        for (found, [dx, dy]) in found.iter().zip([[-8, 7], [3, 0]]) {
            let first = [(x - 0.5).floor() as i32 + dx, (y - 0.5).floor() as i32 + dy];
            let texel = |right: i32, down: i32| {
                let column = (first[0] + right).clamp(0, columns as i32 - 1) as usize;
                let row = (first[1] + down).clamp(0, rows as i32 - 1) as usize;
                texels[row * columns + column]
            };
            let wanted = [texel(0, 1), texel(1, 1), texel(1, 0), texel(0, 0)];
            assert_eq!(*found, wanted, "at {x} {y}, {dx} {dy} away, of {columns} x {rows}");
        }
    }
    Ok(())
}

#[kernel]
fn gather_in_layers(
    x: Texture2DLayered<[f32; 4]>,
    at: &[[f32; 2]],
    mut out: Disjoint<[[f32; 4]; 2]>,
) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let ([x_at, y_at], layer) = (at[i.get()], i.get() as u32 % 4);
        *out = [x.gather::<0>(x_at, y_at, layer), x.gather::<3>(x_at, y_at, layer)];
    }
}

/// In a layer as in two dimensions; a layer that is not there is the last one.
#[test]
fn gathering_in_layers() -> ptyx::Result<()> {
    let mut rng = rng();
    let [rows, columns] = [2 + rng.below(20), 2 + rng.below(20)];
    let texels = rng.vec(3 * rows * columns, |rng| [(); 4].map(|()| rng.next_f32()));
    let array = CudaArray::<[f32; 4], D2Layered>::from_slice(&texels, [3, rows, columns])?;
    let texture = Texture::<[f32; 4], D2Layered>::new(&array)?;
    let places =
        rng.vec(COUNT, |rng| [coordinate(rng, columns, 2) + 0.5, coordinate(rng, rows, 2) + 0.5]);
    let at = DeviceBuffer::from_slice(&places)?;
    let mut out = DeviceBuffer::zeroed(COUNT)?;
    launch!(gather_in_layers<<<COUNT.div_ceil(64), 64>>>(&texture, &at, &mut out))?;
    for (i, ([x, y], found)) in places.iter().zip(out.to_vec()?).enumerate() {
        let first = [(x - 0.5).floor() as i32, (y - 0.5).floor() as i32];
        let texel = |right: i32, down: i32| {
            let column = (first[0] + right).clamp(0, columns as i32 - 1) as usize;
            let row = (first[1] + down).clamp(0, rows as i32 - 1) as usize;
            texels[((i % 4).min(2) * rows + row) * columns + column]
        };
        let four = [texel(0, 1), texel(1, 1), texel(1, 0), texel(0, 0)];
        let wanted = [0, 3].map(|channel| four.map(|texel| texel[channel]));
        assert_eq!(found, wanted, "at {x} {y} of {columns} x {rows}, layer {}", i % 4);
    }
    Ok(())
}

#[kernel]
fn gather_all(x: Texture2D<[f32; 4]>, at: &[[f32; 2]], mut out: Disjoint<[[f32; 4]; 4]>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, y_at] = at[i.get()];
        *out = [
            x.gather::<0>(x_at, y_at),
            x.gather::<1>(x_at, y_at),
            x.gather::<2>(x_at, y_at),
            x.gather::<3>(x_at, y_at),
        ];
    }
}

#[kernel]
fn gather_integers(x: Texture2D<u32>, at: &[[f32; 2]], mut out: Disjoint<[u32; 4]>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, y_at] = at[i.get()];
        *out = x.gather::<0>(x_at, y_at);
    }
}

#[test]
fn gathering_takes_the_four_texels_of_a_blend() -> ptyx::Result<()> {
    let mut rng = rng();
    let [rows, columns] = [2 + rng.below(20), 2 + rng.below(20)];
    let texels = rng.vec(rows * columns, |rng| [(); 4].map(|()| rng.next_f32()));
    let numbers = rng.vec(rows * columns, Rng::next_u32);
    // Half a texel from where a blend takes others.
    let places =
        rng.vec(COUNT, |rng| [coordinate(rng, columns, 2) + 0.5, coordinate(rng, rows, 2) + 0.5]);
    let at = DeviceBuffer::from_slice(&places)?;
    let corners = |[x, y]: [f32; 2]| {
        let (x, y) = ((x - 0.5).floor() as i64, (y - 0.5).floor() as i64);
        [[0, 1], [1, 1], [1, 0], [0, 0]].map(|[right, down]| {
            let column = (x + right).clamp(0, columns as i64 - 1) as usize;
            let row = (y + down).clamp(0, rows as i64 - 1) as usize;
            row * columns + column
        })
    };
    let array = CudaArray::<[f32; 4]>::from_slice(&texels, [rows, columns])?;
    let texture = Texture::<[f32; 4]>::new(&array)?;
    let mut out = DeviceBuffer::zeroed(COUNT)?;
    launch!(gather_all<<<COUNT.div_ceil(64), 64>>>(&texture, &at, &mut out))?;
    for (found, &place) in out.to_vec()?.iter().zip(&places) {
        for (channel, found) in found.iter().enumerate() {
            assert_eq!(*found, corners(place).map(|at| texels[at][channel]), "{place:?}");
        }
    }
    let array = CudaArray::<u32>::from_slice(&numbers, [rows, columns])?;
    let texture = Texture::<u32>::new(&array)?;
    let mut out = DeviceBuffer::zeroed(COUNT)?;
    launch!(gather_integers<<<COUNT.div_ceil(64), 64>>>(&texture, &at, &mut out))?;
    for (found, &place) in out.to_vec()?.iter().zip(&places) {
        assert_eq!(*found, corners(place).map(|at| numbers[at]), "{place:?}");
    }
    Ok(())
}
