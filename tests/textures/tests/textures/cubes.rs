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

/// A random face, a texel of it, and a direction to that texel. The centre of face +x is (1, 0, 0); looking at a face
/// from inside of the cube, rows go down. Each row here: the centre, where columns go, where rows go.
fn target(rng: &mut Rng, side: usize) -> (usize, [f32; 3]) {
    let faces: [[[f32; 3]; 3]; 6] = [
        [[1., 0., 0.], [0., 0., -1.], [0., -1., 0.]],
        [[-1., 0., 0.], [0., 0., 1.], [0., -1., 0.]],
        [[0., 1., 0.], [1., 0., 0.], [0., 0., 1.]],
        [[0., -1., 0.], [1., 0., 0.], [0., 0., -1.]],
        [[0., 0., 1.], [1., 0., 0.], [0., -1., 0.]],
        [[0., 0., -1.], [-1., 0., 0.], [0., -1., 0.]],
    ];
    let (face, column, row) = (rng.below(6), rng.below(side), rng.below(side));
    let mut along =
        |texel: usize| (texel as f32 + 0.1 + 0.8 * share(rng)) / side as f32 * 2.0 - 1.0;
    let (s, t) = (along(column), along(row));
    let length = 0.1 + 5.0 * share(rng);
    let [centre, columns, rows] = faces[face];
    let direction = [0, 1, 2].map(|i| length * (centre[i] + s * columns[i] + t * rows[i]));
    ((face * side + row) * side + column, direction)
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
