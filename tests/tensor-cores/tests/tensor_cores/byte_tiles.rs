//! Tiles of bytes: `ldmatrix.m16n16`, `.m8n16` with packed elements, and `stmatrix.m16n8`, which compute capability 12.0
//! has.
//!
//! What lanes must hold is computed here from the fragments' layouts in the PTX ISA (9.7.14.5, `mma.m16n8k32`), not by
//! the device library. Elsewhere than on such a GPU the tests run on the emulated device, which claims to be one.

use crate::narrow::with_instructions_of;
use ptyx::device::DeviceCopy;
use ptyx::device::mma::{A, Accumulator, B, E2m3, E3m2, E4m3, E5m2, Fragment, Layout, PaddedE2m1};
use ptyx::device::shared::Shared;
use ptyx::prelude::*;
use ptyx_tensor_tests::{Rng, images, rng};

/// Bytes of shared memory.
const ROOM: usize = 8192;

/// The source's elements in shared memory.
fn staged<U: DeviceCopy>(source: &[U]) -> Shared<[U]> {
    let tile = shared::dynamic::<U>(0, source.len());
    for i in (warp::lane() as usize..source.len()).step_by(32) {
        // SAFETY: each lane writes its own elements.
        unsafe { tile.at(i).write(source[i]) };
    }
    block::sync();
    tile
}

/// Row and K of byte `index` of a lane, in a matrix A of 16 rows.
fn place_in_a(lane: usize, index: usize) -> (usize, usize) {
    let (group, member) = (lane / 4, lane % 4);
    (group + 8 * (index / 4 % 2), 4 * member + index % 4 + 16 * (index / 8))
}

/// Column and K of byte `index` of a lane, in a matrix B.
fn place_in_b(lane: usize, index: usize) -> (usize, usize) {
    let (group, member) = (lane / 4, lane % 4);
    (group, 4 * member + index % 4 + 16 * (index / 4))
}

/// `lines` lines of `length` elements, at a random place, in groups of 16 elements that begin at multiples of 16 bytes:
/// the bytes of shared memory, and for each line its elements. Elements have `bits` bits and are packed.
struct Lines {
    bytes: Vec<u8>,
    elements: Vec<Vec<u8>>,
    start: usize,
    stride: usize,
}

impl Lines {
    fn new(rng: &mut Rng, lines: usize, length: usize, bits: usize) -> Lines {
        let (start, stride) = (16 * rng.below(3), length + 16 * rng.below(3));
        let mask = u8::MAX >> (8 - bits);
        // Everything else is noise, the padding included.
        let mut bytes = rng.vec(start + lines * stride, |rng| rng.next_u32() as u8);
        let mut elements = Vec::new();
        for line in 0..lines {
            let own: Vec<u8> = rng.vec(length, |rng| rng.next_u32() as u8 & mask);
            for (part, group) in own.chunks(16).enumerate() {
                let at = start + line * stride + 16 * part;
                for bit in 0..16 * bits {
                    let value = group[bit / bits] >> (bit % bits) & 1;
                    let byte = &mut bytes[at + bit / 8];
                    *byte = *byte & !(1 << (bit % 8)) | value << (bit % 8);
                }
            }
            elements.push(own);
        }
        Lines { bytes, elements, start, stride }
    }
}

/// The registers of each lane, `count` of them, given the element at a line and K: a row of A, a column of B.
fn registers(
    count: usize,
    place: fn(usize, usize) -> (usize, usize),
    at: impl Fn(usize, usize) -> u8,
) -> Vec<u32> {
    let word = |lane: usize, register: usize| {
        u32::from_le_bytes(std::array::from_fn(|part| {
            let (line, k) = place(lane, 4 * register + part);
            at(line, k)
        }))
    };
    (0..32 * count).map(|index| word(index / count, index % count)).collect()
}

/// Writes a lane's registers behind those of the lanes before it.
fn report(registers: &[u32], to: SliceMut<u32>) {
    for (index, &register) in registers.iter().enumerate() {
        // SAFETY: each lane writes its own elements.
        unsafe { to.write(warp::lane() as usize * registers.len() + index, register) };
    }
}

/// Runs a kernel of `registers` registers on some lines.
fn check<U: DeviceCopy + From<u8>>(
    [lines, length, bits]: [usize; 3],
    by_rows: bool,
    count: usize,
    run: impl Fn(&DeviceBuffer<U>, Layout, &mut DeviceBuffer<u32>),
    want: impl Fn(&Lines) -> Vec<u32>,
) {
    let mut rng = rng();
    for _ in 0..4 {
        let tile = Lines::new(&mut rng, lines, length, bits);
        let stride = tile.stride;
        let layout = if by_rows { Layout::row_major(stride) } else { Layout::column_major(stride) };
        let units: Vec<U> = tile.bytes.iter().map(|&byte| byte.into()).collect();
        let source = DeviceBuffer::from_slice(&units).unwrap();
        let mut to = DeviceBuffer::zeroed(32 * count).unwrap();
        run(&source, layout.from(tile.start), &mut to);
        assert_eq!(to.to_vec().unwrap(), want(&tile));
    }
}

/// A matrix A of 16 rows, which lies by columns if it is transposed.
macro_rules! of_a {
    ($($test:ident $kernel:ident: $type:ident 16 x $k:literal, $load:ident, by_rows $by_rows:literal, $bits:literal bits << $shift:literal;)*) => {$(
        #[kernel]
        fn $kernel(source: &[u8], layout: Layout, to: SliceMut<u32>) {
            let tile = staged(source);
            // SAFETY: nobody writes after the barrier.
            let fragment = unsafe { Fragment::<A, $type, 16, $k>::$load(tile, layout) };
            report(&fragment.registers(), to);
        }

        #[test]
        fn $test() {
            with_instructions_of("byte_tiles", stringify!($test), || {
                let size = if $by_rows { [16, $k, $bits] } else { [$k, 16, $bits] };
                check::<u8>(size, $by_rows, $k / 8, |source, layout, to| {
                    launch!($kernel<<<1, 32, ROOM>>>(source, layout, to)).unwrap();
                }, |tile| registers($k / 8, place_in_a, |row, k| {
                    (if $by_rows { tile.elements[row][k] } else { tile.elements[k][row] }) << $shift
                }));
            });
        }
    )*};
}

of_a! {
    bytes_of_a_transposed a_bytes: E4m3 16 x 32, load_transposed_tiles, by_rows false, 8 bits << 0;
    bytes_of_a_of_one_tile a_one: u8 16 x 16, load_transposed_tiles, by_rows false, 8 bits << 0;
    six_bits_of_a a_six: E3m2 16 x 32, load_packed_tiles, by_rows true, 6 bits << 0;
    six_bits_of_a_transposed a_six_transposed: E2m3 16 x 32, load_packed_transposed_tiles, by_rows false, 6 bits << 0;
    four_bits_of_a a_four: PaddedE2m1 16 x 32, load_packed_tiles, by_rows true, 4 bits << 2;
    four_bits_of_a_transposed a_four_transposed: PaddedE2m1 16 x 32, load_packed_transposed_tiles, by_rows false, 4 bits << 2;
}

/// A matrix B of 8 columns, which lie as lines.
macro_rules! of_b {
    ($($test:ident $kernel:ident: $type:ident $k:literal x 8, $bits:literal bits << $shift:literal;)*) => {$(
        #[kernel]
        fn $kernel(source: &[u8], layout: Layout, to: SliceMut<u32>) {
            let tile = staged(source);
            // SAFETY: nobody writes after the barrier.
            let fragment = unsafe { Fragment::<B, $type, $k, 8>::load_packed_tiles(tile, layout) };
            report(&fragment.registers(), to);
        }

        #[test]
        fn $test() {
            with_instructions_of("byte_tiles", stringify!($test), || {
                check::<u8>([8, $k, $bits], false, $k / 16, |source, layout, to| {
                    launch!($kernel<<<1, 32, ROOM>>>(source, layout, to)).unwrap();
                }, |tile| registers($k / 16, place_in_b, |column, k| tile.elements[column][k] << $shift));
            });
        }
    )*};
}

of_b! {
    six_bits_of_b b_six: E2m3 32 x 8, 6 bits << 0;
    four_bits_of_b b_four: PaddedE2m1 32 x 8, 4 bits << 2;
    six_bits_of_long_b b_six_long: E3m2 64 x 8, 6 bits << 0;
}

/// Two matrices B of 8 columns, side by side. Their rows lie as lines.
macro_rules! of_two_b {
    ($($test:ident $kernel:ident: $type:ident $k:literal x 8, $load:ident, $bits:literal bits << $shift:literal;)*) => {$(
        #[kernel]
        fn $kernel(source: &[u8], layout: Layout, left: SliceMut<u32>, right: SliceMut<u32>) {
            let tile = staged(source);
            // SAFETY: nobody writes after the barrier.
            let fragments = unsafe { Fragment::<B, $type, $k, 8>::$load(tile, layout) };
            report(&fragments[0].registers(), left);
            report(&fragments[1].registers(), right);
        }

        #[test]
        fn $test() {
            with_instructions_of("byte_tiles", stringify!($test), || {
                for side in 0..2 {
                    check::<u8>([$k, 16, $bits], true, $k / 16, |source, layout, to| {
                        let mut other = DeviceBuffer::zeroed(to.len()).unwrap();
                        let [left, right] = if side == 0 { [to, &mut other] } else { [&mut other, to] };
                        launch!($kernel<<<1, 32, ROOM>>>(source, layout, left, right)).unwrap();
                    }, |tile| registers($k / 16, place_in_b, |column, k| {
                        tile.elements[k][column + 8 * side] << $shift
                    }));
                }
            });
        }
    )*};
}

of_two_b! {
    bytes_of_b_transposed b_bytes: E5m2 32 x 8, load_transposed_tiles, 8 bits << 0;
    bytes_of_b_of_one_tile b_one: u8 16 x 8, load_transposed_tiles, 8 bits << 0;
    bytes_of_long_b_transposed b_long: E4m3 64 x 8, load_transposed_tiles, 8 bits << 0;
    six_bits_of_b_transposed b_six_transposed: E3m2 32 x 8, load_packed_transposed_tiles, 6 bits << 0;
    four_bits_of_b_transposed b_four_transposed: PaddedE2m1 32 x 8, load_packed_transposed_tiles, 4 bits << 2;
}

/// Stores sums as bytes, by columns, and writes all of shared memory to `to`.
#[kernel]
fn store<const N: usize>(sums: &[i32], layout: Layout, mut to: Disjoint<i8>) {
    let tile = shared::dynamic::<i8>(0, to.len());
    for i in thread::grid_stride(to.len()) {
        // SAFETY: each lane writes its own elements.
        unsafe { tile.at(i.get()).write(to[i]) };
    }
    block::sync();
    let fragments: [Fragment<Accumulator, i32, 16, 8>; N] =
        core::array::from_fn(|side| Fragment::load(sums, Layout::row_major(8 * N).at(0, 8 * side)));
    // SAFETY: the only warp.
    unsafe { Fragment::store_bytes::<i8, N>(fragments, tile, layout, |sum| sum as i8) };
    block::sync();
    for i in thread::grid_stride(to.len()) {
        // SAFETY: nobody writes after the barrier.
        to[i] = unsafe { tile.at(i.get()).read() };
    }
}

macro_rules! stores {
    ($($test:ident $n:literal;)*) => {$(
        #[test]
        fn $test() {
            with_instructions_of("byte_tiles", stringify!($test), || {
                let mut rng = rng();
                for _ in 0..4 {
                    let (start, stride) = (16 * rng.below(3), 16 + 16 * rng.below(3));
                    let sums = rng.vec(16 * 8 * $n, |rng| rng.next_u32().cast_signed());
                    let mut want = rng.vec(start + stride * 8 * $n, |rng| rng.next_u32() as i8);
                    let mut to = DeviceBuffer::from_slice(&want).unwrap();
                    let source = DeviceBuffer::from_slice(&sums).unwrap();
                    let layout = Layout::column_major(stride).from(start);
                    launch!(store::<$n><<<1, 32, ROOM>>>(&source, layout, &mut to)).unwrap();
                    for (index, sum) in sums.into_iter().enumerate() {
                        let (row, column) = (index / (8 * $n), index % (8 * $n));
                        want[start + stride * column + row] = sum as i8;
                    }
                    assert_eq!(to.to_vec().unwrap(), want);
                }
            });
        }
    )*};
}

stores! {
    bytes_of_sums 1;
    bytes_of_two_sums 2;
    bytes_of_four_sums 4;
}

/// What the caller does wrong.
#[kernel]
fn wrong(layout: Layout, of_a: bool, mut y: Disjoint<u32>) {
    let tile = shared::dynamic::<u8>(0, 1024);
    let word = if of_a {
        // SAFETY: nobody writes; the values don't matter.
        let a = unsafe { Fragment::<A, E4m3, 16, 32>::load_transposed_tiles(tile, layout) };
        a.registers()[0]
    } else {
        // SAFETY: the same.
        let [_, b] = unsafe { Fragment::<B, E4m3, 32, 8>::load_transposed_tiles(tile, layout) };
        b.registers()[0]
    };
    y[thread::index_1d()] = word;
}

#[test]
fn places_are_checked() {
    with_instructions_of("byte_tiles", "places_are_checked", || {
        let mut y = DeviceBuffer::zeroed(32).unwrap();
        let mut run = |layout: Layout, of_a: bool| {
            launch!(wrong<<<1, 32, 1024>>>(layout, of_a, &mut y))
                .and_then(|_| y.to_vec())
                .map_err(|error| error.to_string())
        };
        assert!(run(Layout::column_major(32), true).is_ok());
        assert!(run(Layout::row_major(32), false).is_ok());
        for (layout, of_a, text) in [
            (
                Layout::row_major(16),
                true,
                "a matrix that is transposed must be stored the other way round",
            ),
            (
                Layout::column_major(16),
                false,
                "a matrix that is transposed must be stored the other way round",
            ),
            (Layout::column_major(40), true, "does not lie within the slice"),
            (Layout::row_major(32).from(32), false, "does not lie within the slice"),
            (Layout::column_major(24), true, "rows of a tile must begin at multiples of 16 bytes"),
            (
                Layout::row_major(16).from(8),
                false,
                "rows of a tile must begin at multiples of 16 bytes",
            ),
        ] {
            let error = run(layout, of_a).expect_err(text);
            assert!(error.contains(text), "{error}");
        }
    });
}

/// The vendor's assembler takes each instruction.
#[test]
fn the_assembler_takes_each_instruction() {
    for (entry, instruction) in [
        ("a_bytes", "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 "),
        ("a_one", "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 "),
        ("a_six", "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32 "),
        ("a_six_transposed", "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b6x16_p32 "),
        ("a_four_transposed", "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b4x16_p64 "),
        ("b_four", "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b4x16_p64 "),
        ("store<1>", "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 "),
        ("store<2>", "stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 "),
        ("store<4>", "stmatrix.sync.aligned.m16n8.x4.trans.shared.b8 "),
    ] {
        let modules = images::modules(&format!("byte_tiles::{entry}"));
        for target in ["sm_100f", "sm_110f", "sm_121f", "sm_120a"] {
            let is_for = |ptx: &&String| ptx.contains(&format!(".target {target}"));
            let ptx = modules.iter().find(is_for).expect(target);
            assert!(ptx.contains(instruction), "{ptx}");
            if let Some(ptxas) = images::assembler() {
                assert_eq!(images::assemble_for(&ptxas, ptx, target), None, "{ptx}");
            }
        }
    }
}
