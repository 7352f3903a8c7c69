use super::device::driver;
use super::*;
use ptyx_driver_api::*;
use std::ffi::c_void;

/// Columns and rows of a tile.
const TILE: [usize; 2] = [32, 8];

/// The map of a matrix of `i32`, which is a kernel's parameter.
fn map(matrix: &Buffer<i32>, columns: usize, rows: usize) -> Vec<u8> {
    let mut map = CUtensorMap::EMPTY;
    let sizes = [columns as u64, rows as u64];
    let strides = [4 * columns as u64];
    let (sides, steps) = (TILE.map(|side| side as u32), [1u32; 2]);
    let code = driver!(cuTensorMapEncodeTiled(
        &raw mut map => *mut CUtensorMap, CU_TENSOR_MAP_DATA_TYPE_INT32 => u32, 2 => u32,
        matrix.address as *mut c_void => *mut c_void, sizes.as_ptr() => *const u64,
        strides.as_ptr() => *const u64, sides.as_ptr() => *const u32, steps.as_ptr() => *const u32,
        CU_TENSOR_MAP_INTERLEAVE_NONE => u32, CU_TENSOR_MAP_SWIZZLE_NONE => u32,
        CU_TENSOR_MAP_L2_PROMOTION_NONE => u32, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE => u32,
    ));
    assert_eq!(code, 0);
    map.opaque.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn tiles_of_a_tensor() {
    let (module, mut random) = (module!("tensors"), Random::new());
    let (columns, rows) = (100, 30);
    let values = random.ints(columns * rows, -1000, 1000);
    // The last two lie partly outside, where nothing is written. Tiles begin at multiples of 16 bytes; a store must not
    // begin before the matrix.
    let anywhere = [4 * random.int(0, 17), random.int(0, 22)];
    for [x, y] in [[0, 0], [32, 8], anywhere, [80, 25], [96, 29]] {
        let (from, to) = (Buffer::new(&values), Buffer::new(&vec![-1i32; columns * rows]));
        let maps = [&from, &to].map(|matrix| map(matrix, columns, rows));
        let [of_from, of_to] = maps;
        module.run("tile", 1, 64, args![of_from, of_to, x, y]);
        assert_rows("tile", &to.values(), columns, |row, column| {
            let [i, j] = [column as i32 - x, row as i32 - y];
            let inside = (0..TILE[0] as i32).contains(&i) && (0..TILE[1] as i32).contains(&j);
            if inside { 3 * values[row * columns + column] } else { -1 }
        });
    }
}

#[test]
fn bulk_copies_of_rows() {
    let (module, mut random) = (module!("tensors"), Random::new());
    for count in [1, 2, 7] {
        let values = random.reals(256 * count, -1.0, 1.0);
        let (input, out) = (Buffer::new(&values), Buffer::new(&[0f32; 256]));
        module.run("rows", 1, 256, args![input, out, count as i32]);
        assert_rows("rows", &out.values(), 256, |_, at| {
            // Halving is exact, so it makes no difference whether the addition is fused.
            (0..count).fold(0.0f32, |sum, row| sum * 0.5 + values[row * 256 + 255 - at])
        });
    }
}

#[test]
fn products_of_a_warpgroup() {
    let (module, mut random) = (module!("tensors"), Random::new());
    let depth = 48;
    // Small integers, so that all sums are exact.
    let mut matrix = |count: usize| random.ints(count, -16, 17);
    let (a, b, c) = (matrix(64 * depth), matrix(8 * depth), matrix(64 * 8));
    let halves = |values: &[i32]| {
        let half = |&value: &i32| {
            let bits = (value as f32).to_bits();
            let sign = (bits >> 16) as u16 & 0x8000;
            let rest = (bits & 0x7fff_ffff) >> 13;
            if value == 0 { sign } else { sign | (rest - (112 << 10)) as u16 }
        };
        Buffer::new(&values.iter().map(half).collect::<Vec<u16>>())
    };
    let start: Vec<f32> = c.iter().map(|&value| value as f32).collect();
    let (in_a, in_b, in_c) = (halves(&a), halves(&b), Buffer::new(&start));
    let out = Buffer::new(&[0f32; 64 * 8]);
    module.run("product", 1, 128, args![in_a, in_b, in_c, out, depth as i32]);
    assert_rows("product", &out.values(), 8, |row, column| {
        let products = (0..depth).map(|k| a[row * depth + k] * b[column * depth + k]);
        (products.sum::<i32>() + c[row * 8 + column]) as f32
    });
}
