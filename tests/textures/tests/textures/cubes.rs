//! Cubes: which face a direction meets, and where.

use ptyx::device::texture::{Cube, CubeLayered, TextureCube, TextureCubeLayered};
use ptyx::prelude::*;
use ptyx::{CudaArray, Texture};
use ptyx_texture_tests::{Rng, rng, share};

#[kernel]
fn look(x: TextureCube<u32>, at: &[[f32; 3]], mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, y_at, z_at] = at[i.get()];
        *out = x.fetch(x_at, y_at, z_at);
    }
}

#[kernel]
fn look_in_layer(x: TextureCubeLayered<u32>, at: &[[f32; 3]], mut out: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, y_at, z_at] = at[i.get()];
        *out = x.fetch(x_at, y_at, z_at, i.get() as u32 % 3);
    }
}

/// The centre of face +x is (1, 0, 0); looking at a face from inside of the cube, rows go down. Each row here: the centre,
/// where columns go, where rows go.
const FACES: [[[f32; 3]; 3]; 6] = [
    [[1., 0., 0.], [0., 0., -1.], [0., -1., 0.]],
    [[-1., 0., 0.], [0., 0., 1.], [0., -1., 0.]],
    [[0., 1., 0.], [1., 0., 0.], [0., 0., 1.]],
    [[0., -1., 0.], [1., 0., 0.], [0., 0., -1.]],
    [[0., 0., 1.], [1., 0., 0.], [0., -1., 0.]],
    [[0., 0., -1.], [-1., 0., 0.], [0., -1., 0.]],
];

/// A random face, a texel of it, and a direction to that texel.
fn target(rng: &mut Rng, side: usize) -> (usize, [f32; 3]) {
    let (face, column, row) = (rng.below(6), rng.below(side), rng.below(side));
    let mut along =
        |texel: usize| (texel as f32 + 0.1 + 0.8 * share(rng)) / side as f32 * 2.0 - 1.0;
    let (s, t) = (along(column), along(row));
    let length = 0.1 + 5.0 * share(rng);
    let [centre, columns, rows] = FACES[face];
    let direction = [0, 1, 2].map(|i| length * (centre[i] + s * columns[i] + t * rows[i]));
    ((face * side + row) * side + column, direction)
}

#[kernel]
fn gather(
    x: TextureCube<u32>,
    layers: TextureCubeLayered<u32>,
    at: &[[f32; 3]],
    mut out: Disjoint<[[u32; 4]; 2]>,
) {
    let i = thread::index_1d();
    if let Some(out) = out.get_mut(i) {
        let [x_at, y_at, z_at] = at[i.get()];
        let layer = i.get() as u32 % 3;
        *out = [x.gather::<0>(x_at, y_at, z_at), layers.gather::<0>(x_at, y_at, z_at, layer)];
    }
}

/// The four texels around a direction whose texel has neighbours on all sides.
#[test]
fn gathering_from_faces() -> ptyx::Result<()> {
    let mut rng = rng();
    let side = 3 + rng.below(7);
    let count = 6 * side * side;
    let [texels, layers] = [count, 2 * count].map(|count| rng.vec(count, Rng::next_u32));
    let cube = CudaArray::<u32, Cube>::from_slice(&texels, [6, side, side])?;
    let cubes = CudaArray::<u32, CubeLayered>::from_slice(&layers, [12, side, side])?;
    let (one, all) = (Texture::<u32, Cube>::new(&cube)?, Texture::<u32, CubeLayered>::new(&cubes)?);
    let inner = |rng: &mut Rng| loop {
        let found = target(rng, side);
        let [row, column] = [found.0 / side % side, found.0 % side];
        if [row, column].iter().all(|at| (1..side - 1).contains(at)) {
            return found;
        }
    };
    let targets = rng.vec(192, inner);
    let places: Vec<_> = targets.iter().map(|target| target.1).collect();
    let at = DeviceBuffer::from_slice(&places)?;
    let mut out = DeviceBuffer::zeroed(192)?;
    launch!(gather<<<6, 32>>>(&one, &all, &at, &mut out))?;
    for (i, (found, (index, direction))) in out.to_vec()?.iter().zip(&targets).enumerate() {
        // The texel is one of four whose corners are the four squares around it: which, the direction says.
        let layer = (i % 3).min(1) * count;
        let squares = [0, 1].map(|left| [0, 1].map(|up| index - left - up * side));
        let fits = |texels: &[u32], found: &[u32; 4]| {
            let four = |first: usize| [first + side, first + side + 1, first + 1, first];
            let at = squares
                .as_flattened()
                .iter()
                .position(|&first| four(first).map(|at| texels[at]) == *found);
            at.unwrap_or_else(|| panic!("{direction:?}, side {side}, thread {i}: {found:x?}"))
        };
        let here = fits(&texels, &found[0]);
        assert_eq!(here, fits(&layers[layer..], &found[1]), "{direction:?}, side {side}");
        // The middle between the four is nearest to the direction.
        let centre = |first: usize| {
            let [row, column] = [first / side % side + 1, first % side + 1];
            [column, row].map(|at| at as f32 / side as f32 * 2.0 - 1.0)
        };
        let [s, t] = on_face(index / (side * side), *direction);
        let squares = squares.as_flattened();
        let away = |first: usize| {
            let [x, y] = centre(first);
            (x - s).abs().max((y - t).abs())
        };
        let least = squares.iter().map(|&first| away(first)).fold(f32::INFINITY, f32::min);
        // Coordinates have 8 bits of fraction.
        assert!(away(squares[here]) <= least + 0.02 / side as f32, "{direction:?}, side {side}");
    }
    Ok(())
}

/// Where a direction meets a face, from -1 to 1 along its columns and rows.
fn on_face(face: usize, direction: [f32; 3]) -> [f32; 2] {
    let [centre, columns, rows] = FACES[face];
    let dot = |a: [f32; 3]| a.iter().zip(direction).map(|(a, b)| a * b).sum::<f32>();
    [dot(columns) / dot(centre), dot(rows) / dot(centre)]
}

#[test]
fn directions_meet_faces() -> ptyx::Result<()> {
    let mut rng = rng();
    let side = 1 + rng.below(7);
    let texels = rng.vec(6 * side * side, Rng::next_u32);
    let targets = rng.vec(192, |rng| target(rng, side));
    let places: Vec<_> = targets.iter().map(|target| target.1).collect();
    let at = DeviceBuffer::from_slice(&places)?;
    let cube = CudaArray::<u32, Cube>::from_slice(&texels, [6, side, side])?;
    let texture = Texture::<u32, Cube>::new(&cube)?;
    let mut out = DeviceBuffer::zeroed(192)?;
    launch!(look<<<6, 32>>>(&texture, &at, &mut out))?;
    for (found, (index, direction)) in out.to_vec()?.iter().zip(&targets) {
        let found = texels.iter().position(|texel| texel == found);
        assert_eq!(found, Some(*index), "{direction:?}, side {side}");
    }
    let texels = rng.vec(2 * 6 * side * side, Rng::next_u32);
    let cubes = CudaArray::<u32, CubeLayered>::from_slice(&texels, [12, side, side])?;
    let texture = Texture::<u32, CubeLayered>::new(&cubes)?;
    launch!(look_in_layer<<<6, 32>>>(&texture, &at, &mut out))?;
    for (i, (found, (index, direction))) in out.to_vec()?.iter().zip(&targets).enumerate() {
        let layer = (i % 3).min(1);
        let wanted = texels[layer * 6 * side * side + index];
        assert_eq!(*found, wanted, "{direction:?}, side {side}, layer {layer}");
    }
    Ok(())
}
