//! Products of warpgroups in loops: pipelines, several warpgroups, and the code that it becomes.

use half::f16;
use ptyx::device::mma::{self, A, B, Fragment, Layout};
use ptyx::device::wgmma::{self, Accumulator, B128, KMajor, SharedTile};
use ptyx::prelude::*;
use ptyx_tensor_tests::{capability, images, rng};

/// The depth of a tile.
const DEPTH: usize = 64;

type Rows<const ROWS: usize> = SharedTile<f16, ROWS, DEPTH, B128, KMajor>;

/// 64 x 256 sums of one warpgroup: each step adds four products of depth 16.
#[kernel]
fn large(a: &[f16], b: &[f16], k: usize, c: SliceMut<f32>) {
    let (rows, columns) = (shared!(Rows<64>), shared!(Rows<256>));
    let mut sums = Accumulator::<f32, 256>::filled(0.0);
    for from in (0..k).step_by(DEPTH) {
        // SAFETY: the barriers separate it from products, which are done when `accumulate` returns.
        unsafe {
            block::sync();
            rows.fill(|row, depth| a[row * k + from.wrapping_add(depth)]);
            columns.fill(|column, depth| b[column * k + from.wrapping_add(depth)]);
            block::sync();
            sums.accumulate(|running| running.add(rows, columns));
        }
    }
    // SAFETY: the only warpgroup.
    unsafe { sums.store(c, Layout::row_major(256)) };
}

/// The same without anything that may panic: a call anywhere in a kernel makes the assembler wait after each product.
#[kernel]
fn lean(a: &[f16], b: &[f16], k: usize, c: SliceMut<f32>) {
    let (rows, columns) = (shared!(Rows<64>), shared!(Rows<256>));
    let (a, b, c) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
    let mut sums = Accumulator::<f32, 256>::filled(0.0);
    let mut from = 0usize;
    while from < k {
        // SAFETY: as above; matrices of 64 and 256 rows of `k` elements, a multiple of the depth.
        unsafe {
            block::sync();
            rows.fill(|row, depth| {
                a.add(row.wrapping_mul(k).wrapping_add(from.wrapping_add(depth))).read()
            });
            columns.fill(|column, depth| {
                b.add(column.wrapping_mul(k).wrapping_add(from.wrapping_add(depth))).read()
            });
            block::sync();
            sums.accumulate(|running| running.add(rows, columns));
        }
        from = from.wrapping_add(DEPTH);
    }
    // SAFETY: the only warpgroup; 64 rows of 256 elements.
    sums.for_each(|row, column, sum| unsafe {
        c.add(256usize.wrapping_mul(row).wrapping_add(column)).write(sum)
    });
}

/// 128 x 64 sums of two warpgroups, with two stages of tiles: while products of one are added, the other is filled.
/// Nothing in the loop may panic, for the same reason.
#[kernel]
fn pipeline(a: &[f16], b: &[f16], k: usize, c: SliceMut<f32>) {
    let (large, small) = (size_of::<Rows<128>>(), size_of::<Rows<64>>());
    let mut rows = [Rows::<128>::dynamic(0), Rows::<128>::dynamic(large)];
    let mut columns = [Rows::<64>::dynamic(2 * large), Rows::<64>::dynamic(2 * large + small)];
    let group = thread::rank() as usize / 128;
    let mut bands = rows.map(|rows| rows.band(group));
    let (a, b) = (a.as_ptr(), b.as_ptr());
    let at = |row: usize, column: usize| row.wrapping_mul(k).wrapping_add(column);
    let mut sums = Accumulator::<f32, 64>::filled(0.0);
    sums.accumulate(|running| {
        let mut from = 0usize;
        while from < k {
            // SAFETY: the products that read this stage before are done in both warpgroups; matrices of 128 and 64
            // rows of `k` elements, a multiple of the depth.
            unsafe {
                rows[0].fill(|row, depth| a.add(at(row, from.wrapping_add(depth))).read());
                columns[0].fill(|column, depth| b.add(at(column, from.wrapping_add(depth))).read());
                block::sync();
                running.add(bands[0], columns[0]);
            }
            running.commit();
            running.wait::<1>();
            block::sync();
            (rows[0], rows[1]) = (rows[1], rows[0]);
            (columns[0], columns[1]) = (columns[1], columns[0]);
            (bands[0], bands[1]) = (bands[1], bands[0]);
            from = from.wrapping_add(DEPTH);
        }
    });
    // SAFETY: each warpgroup has rows of its own.
    unsafe { sums.store(c, Layout::row_major(64).at(64 * group, 0)) };
}

/// Both halves of 128 x 16 sums in one warpgroup: two accumulators at a time.
#[kernel]
fn two(a: &[f16], b: &[f16], c: SliceMut<f32>) {
    let (rows, columns) = (shared!(Rows<128>), shared!(Rows<16>));
    // SAFETY: nobody reads before the barrier.
    unsafe {
        rows.fill(|row, depth| a[row * DEPTH + depth]);
        columns.fill(|column, depth| b[column * DEPTH + depth]);
    }
    block::sync();
    let mut upper = Accumulator::<f32, 16>::filled(0.0);
    let mut lower = Accumulator::<f32, 16>::filled(0.0);
    upper.accumulate(|upper| {
        lower.accumulate(|lower| {
            // SAFETY: the tiles stay as they are.
            unsafe {
                upper.add(rows.band(0), columns);
                lower.add(rows.band(1), columns);
            }
        });
    });
    // SAFETY: the only warpgroup; elements differ.
    unsafe {
        upper.store(c, Layout::row_major(16));
        lower.store(c, Layout::row_major(16).at(64, 0));
    }
}

/// Registers of the first warpgroup go to the second, which adds numbers.
#[kernel]
fn registers(x: &[f32], y: SliceMut<f32>) {
    let thread = thread::rank() as usize;
    // SAFETY: all threads of each warpgroup are here, and threads start with 128 registers.
    unsafe {
        if thread < 128 {
            wgmma::decrease_registers::<40>();
        } else {
            wgmma::increase_registers::<216>();
        }
    }
    if thread >= 128 {
        let mut sum = 0.0;
        for step in 0..8 {
            sum += x[8 * (thread - 128) + step];
        }
        // SAFETY: each thread has an element of its own.
        unsafe { y.write(thread - 128, sum) };
    }
}

#[test]
fn registers_of_another_warpgroup() {
    if capability() != 90 {
        println!("SKIPPED: only compute capability 9.0 has these instructions");
        return;
    }
    let mut rng = rng();
    let x = rng.vec(8 * 128, |rng| rng.below(1000) as f32);
    let mut y = DeviceBuffer::zeroed(128).unwrap();
    let of_x = DeviceBuffer::from_slice(&x).unwrap();
    launch!(registers<<<1, 256>>>(&of_x, &mut y), maxregs = 128).unwrap();
    for (got, x) in y.to_vec().unwrap().into_iter().zip(x.chunks(8)) {
        assert_eq!(got, x.iter().sum::<f32>());
    }
    let ptx = images::entry("warpgroup_loop::registers");
    assert_eq!(images::count(&ptx, "setmaxnreg.inc.sync.aligned.u32 216"), 1, "{ptx}");
    assert_eq!(images::count(&ptx, "setmaxnreg.dec.sync.aligned.u32 40"), 1, "{ptx}");
}

/// For every device: four products of warps where there are no warpgroups.
#[kernel]
fn either(a: &[f16], b: &[f16], c: SliceMut<f32>) {
    let layout = Layout::row_major(8);
    if arch_is!("sm_90a") {
        let (rows, columns) = (shared!(Rows<64>), shared!(Rows<8>));
        // SAFETY: nobody reads before the barrier, or writes behind it; the only warpgroup.
        unsafe {
            rows.fill(|row, depth| a[row * DEPTH + depth]);
            columns.fill(|column, depth| b[column * DEPTH + depth]);
            block::sync();
            let mut sums = Accumulator::<f32, 8>::filled(0.0);
            sums.accumulate(|running| running.replace(rows, columns));
            sums.store(c, layout);
        }
    } else {
        let first = thread::rank() as usize / 32 * 16;
        let mut sums: Fragment<mma::Accumulator, f32, 16, 8> = Fragment::filled(0.0);
        for from in (0..DEPTH).step_by(16) {
            let rows =
                Fragment::<A, f16, 16, 16>::load(a, Layout::row_major(DEPTH).at(first, from));
            let columns =
                Fragment::<B, f16, 16, 8>::load(b, Layout::column_major(DEPTH).at(from, 0));
            sums = mma::mma(rows, columns, sums);
        }
        // SAFETY: each warp has rows of its own.
        unsafe { sums.store(c, layout.at(first, 0)) };
    }
}

#[test]
fn another_way_on_other_devices() {
    if capability() < 80 {
        println!("SKIPPED: the device has no such instruction");
        return;
    }
    check_anywhere([64, 8, DEPTH], |a, b, c| launch!(either<<<1, 128>>>(a, b, c)).unwrap());
}

/// [`check_anywhere`] on devices that have warpgroups.
fn check(
    sizes: [usize; 3],
    launch: impl Fn(&DeviceBuffer<f16>, &DeviceBuffer<f16>, &mut DeviceBuffer<f32>),
) {
    if capability() == 90 {
        check_anywhere(sizes, launch);
    } else {
        println!("SKIPPED: only compute capability 9.0 has these instructions");
    }
}

/// Compares a product of matrices of small integers; `launch` computes `rows` x `columns` sums.
fn check_anywhere(
    [rows, columns, k]: [usize; 3],
    launch: impl Fn(&DeviceBuffer<f16>, &DeviceBuffer<f16>, &mut DeviceBuffer<f32>),
) {
    let mut rng = rng();
    let mut matrix =
        |rows: usize| rng.vec(rows * k, |rng| f16::from_f64(rng.below(17) as f64 - 8.0));
    let (a, b) = (matrix(rows), matrix(columns));
    let mut c = DeviceBuffer::zeroed(rows * columns).unwrap();
    launch(&DeviceBuffer::from_slice(&a).unwrap(), &DeviceBuffer::from_slice(&b).unwrap(), &mut c);
    for (index, got) in c.to_vec().unwrap().into_iter().enumerate() {
        let (row, column) = (&a[index / columns * k..][..k], &b[index % columns * k..][..k]);
        let want: f64 = row.iter().zip(column).map(|(a, b)| a.to_f64() * b.to_f64()).sum();
        assert_eq!(f64::from(got), want, "element {index}");
    }
}

#[test]
fn a_large_accumulator() {
    check([64, 256, 3 * DEPTH], |a, b, c| {
        launch!(large<<<1, 128>>>(a, b, 3 * DEPTH, c)).unwrap();
    });
}

#[test]
fn a_kernel_that_never_panics() {
    check([64, 256, 2 * DEPTH], |a, b, c| {
        launch!(lean<<<1, 128>>>(a, b, 2 * DEPTH, c)).unwrap();
    });
}

#[test]
fn two_warpgroups_and_two_stages() {
    check([128, 64, 5 * DEPTH], |a, b, c| {
        let bytes = 2 * (size_of::<Rows<128>>() + size_of::<Rows<64>>()) + Rows::<64>::SLACK;
        launch!(pipeline<<<1, 256, bytes>>>(a, b, 5 * DEPTH, c)).unwrap();
    });
}

#[test]
fn two_accumulators() {
    check([128, 16, DEPTH], |a, b, c| launch!(two<<<1, 128>>>(a, b, c)).unwrap());
}

/// Sums stay in registers, and the instructions of a tile follow each other.
#[test]
fn accumulators_stay_in_registers() {
    for (kernel, products) in
        [("warpgroup_loop::large", 4), ("warpgroup_loop::lean", 4), ("warpgroup_loop::pipeline", 4)]
    {
        let ptx = images::entry(kernel);
        assert!(!ptx.contains(".local ."), "{ptx}");
        assert_eq!(images::count(&ptx, "wgmma.mma_async"), products, "{ptx}");
        assert_moves_nothing_in_flight(&ptx);
    }
}

/// The assembler starts the products of a tile one after another, and waits only where the kernel does.
#[test]
fn products_follow_each_other() {
    let kernels = [
        ("warpgroup_loop::lean", "HGMMA.64x256x16.F32"),
        // What reports a panic calls functions in builds with debug assertions.
        #[cfg(not(debug_assertions))]
        ("warpgroup_loop::large", "HGMMA.64x256x16.F32"),
        #[cfg(not(debug_assertions))]
        ("warpgroup_loop::pipeline", "HGMMA.64x64x16.F32"),
    ];
    for (kernel, product) in kernels {
        let Some(code) = images::machine_code(kernel, 90) else { return };
        assert_eq!(code.starting("LDL").len() + code.starting("STL").len(), 0, "{code}");
        let all = code.starting("");
        let of_interest = |opcode: &&str| *opcode == product || opcode.starts_with("WARPGROUP.DEP");
        let order: Vec<&str> = all.into_iter().filter(of_interest).collect();
        assert_eq!(order[..4], [product; 4], "{code}");
        assert!(!order[4..].contains(&product), "{code}");
    }
}

/// Between the first product and the wait for all, no instruction names a register of sums but products.
fn assert_moves_nothing_in_flight(ptx: &str) {
    let lines: Vec<&str> = ptx.lines().map(str::trim_start).collect();
    let first = lines.iter().position(|line| line.starts_with("wgmma.mma_async")).unwrap();
    let last = lines.iter().rposition(|line| line.starts_with("wgmma.wait_group")).unwrap();
    let sums = lines[first].split_once('{').unwrap().1.split_once('}').unwrap().0;
    let sums: Vec<&str> = sums.split(',').map(str::trim).collect();
    for line in &lines[first..last] {
        let names = |sum: &&str| {
            line.split(|c: char| !(c.is_alphanumeric() || c == '%')).any(|word| word == *sum)
        };
        let product = line.starts_with("wgmma.mma_async");
        let count = sums.iter().copied().filter(names).count();
        assert!(count == if product { sums.len() } else { 0 }, "{line}: {ptx}");
    }
}
