//! Knobs of a kernel's attribute: their directives, what the compiler knows by them, and launches that contradict.

use ptyx::prelude::*;
use ptyx_tests::images;

const TILE: usize = 16;

/// Each block writes a row, whose length is the number of its threads: no check is left of the column.
#[kernel(threads = (TILE, 4))]
fn rows(x: &[[u32; 64]], y: Atomics<u32>) {
    let column = thread::x() as usize + block::dim_x() as usize * thread::y() as usize;
    let row = block::x() as usize;
    y[64 * row + column].store(x[row][column] + 1);
}

/// The same, with any block.
#[kernel]
fn rows_of_any(x: &[[u32; 64]], y: Atomics<u32>) {
    let column = thread::x() as usize + block::dim_x() as usize * thread::y() as usize;
    let row = block::x() as usize;
    y[64 * row + column].store(x[row][column] + 1);
}

#[kernel(maxthreads = 64, blocks_per_sm = 3, maxregs = 40)]
fn limited(x: &[[u32; 64]], mut y: Disjoint<u32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = x[0][thread::x() as usize];
    }
}

/// Copies by indices of 32 bits, and of 64.
#[kernel]
fn copy(x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = x[i.get()];
    }
}

#[kernel(wide)]
fn copy_wide(x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = x[i.get()];
    }
}

#[test]
fn indices_have_64_bits_in_wide_kernels_only() {
    let x = DeviceBuffer::from_slice(&[1u32, 2, 3]).unwrap();
    let mut y = DeviceBuffer::zeroed(3).unwrap();
    launch!(copy<<<1, 32>>>(&x, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [1, 2, 3]);
    y = DeviceBuffer::zeroed(3).unwrap();
    launch!(copy_wide<<<1, 32>>>(&x, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), [1, 2, 3]);
    let is_wide = |name: &str| images::entry(name).contains("mul.wide.u32");
    assert!(!is_wide("kernel_knobs::copy"), "{}", images::entry("kernel_knobs::copy"));
    assert!(is_wide("kernel_knobs::copy_wide"), "{}", images::entry("kernel_knobs::copy_wide"));
}

/// Calls a kernel as a function: that one's knobs are not this one's.
#[kernel]
fn calls_limited(x: &[[u32; 64]], y: Disjoint<u32>) {
    limited(x, y);
}

/// The lines of the variant with this entry name that start with a knob's directive.
fn directives(entry: &str) -> Vec<String> {
    let kernels = ptyx::compiled_kernels().unwrap();
    let found = kernels.iter().find(|kernel| kernel.entry == entry);
    let ptx = &found.unwrap_or_else(|| panic!("no `{entry}` among {kernels:?}")).ptx;
    if let Some(ptxas) = images::assembler() {
        assert_eq!(images::assemble(&ptxas, ptx, &[90]), None, "{ptx}");
    }
    let is_directive = |line: &&str| {
        [".maxntid", ".reqntid", ".minnctapersm", ".maxnreg"]
            .iter()
            .any(|start| line.starts_with(start))
    };
    ptx.lines().map(str::trim).filter(is_directive).map(str::to_owned).collect()
}

#[test]
fn knobs_of_kernels_are_directives_and_facts() {
    let numbers: Vec<[u32; 64]> =
        (0..3).map(|row| core::array::from_fn(|column| 100 * row + column as u32)).collect();
    let x = DeviceBuffer::from_slice(&numbers).unwrap();
    let want: Vec<u32> = numbers.iter().flatten().map(|x| x + 1).collect();
    let mut y = DeviceBuffer::zeroed(3 * 64).unwrap();
    launch!(rows<<<3, (16, 4)>>>(&x, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), want);
    y = DeviceBuffer::zeroed(3 * 64).unwrap();
    launch!(rows_of_any<<<3, (16, 4)>>>(&x, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap(), want);
    launch!(rows<<<3, (16, 4)>>>(&x, &mut y), maxregs = 32, alias = "rows_with_registers").unwrap();
    launch!(rows<<<3, (16, 4)>>>(&x, &mut y), minthreads = (16, 4), alias = "rows_the_same")
        .unwrap();
    launch!(limited<<<1, 64>>>(&x, &mut y)).unwrap();
    launch!(limited<<<1, 32>>>(&x, &mut y), maxregs = 24, maxthreads = 32, alias = "limited_smaller")
        .unwrap();
    launch!(calls_limited<<<1, 64>>>(&x, &mut y)).unwrap();
    assert_eq!(y.to_vec().unwrap()[..64], numbers[0]);

    for (entry, want) in [
        ("rows", &[".reqntid 16, 4, 1"][..]),
        ("rows_of_any", &[]),
        ("rows_with_registers", &[".reqntid 16, 4, 1", ".maxnreg 32"]),
        ("rows_the_same", &[".reqntid 16, 4, 1"]),
        ("limited", &[".maxntid 64, 1, 1", ".minnctapersm 3", ".maxnreg 40"]),
        ("limited_smaller", &[".maxntid 32, 1, 1", ".minnctapersm 3", ".maxnreg 24"]),
        ("calls_limited", &[]),
    ] {
        assert_eq!(directives(entry), want, "{entry}");
    }

    // Two checks are left of `rows`: its row in `x`, and the place in `y`.
    let comparisons = |name: &str| images::entry(name).matches("setp").count();
    let (known, any) =
        (comparisons("kernel_knobs::rows"), comparisons("kernel_knobs::rows_of_any"));
    assert!(known < any, "{known}, {any}");
    let ptx = images::entry("kernel_knobs::rows");
    assert!(!ptx.contains("%ntid"), "{ptx}");
    // The only check of a column is that of `calls_limited`.
    let (known, any) =
        (comparisons("kernel_knobs::limited"), comparisons("kernel_knobs::calls_limited"));
    assert!(known < any, "{known}, {any}");
}

#[test]
fn launches_that_contradict_a_kernel_are_refused() {
    let x = DeviceBuffer::from_slice(&[[1u32; 64]]).unwrap();
    let mut y = DeviceBuffer::zeroed(64).unwrap();
    let refused = |launched: ptyx::Result<()>, parts: &[&str]| {
        let text = launched.unwrap_err().to_string();
        assert!(parts.iter().all(|part| text.contains(part)), "{parts:?}: {text}");
    };
    refused(launch!(rows<<<1, 64>>>(&x, &mut y)), &["16 x 4 x 1", "64 x 1 x 1"]);
    let launched = launch!(rows<<<1, (16, 4)>>>(&x, &mut y), minthreads = (16, 8));
    refused(launched, &["16 x 4 x 1 threads", "16 x 8 x 1"]);
    let launched = launch!(rows<<<1, (16, 4)>>>(&x, &mut y), maxthreads = 128);
    refused(launched, &["16 x 4 x 1 threads", "128 x 1 x 1"]);
    refused(launch!(limited<<<1, 65>>>(&x, &mut y)), &["(65 > 64)"]);
    refused(
        launch!(limited<<<1, 32>>>(&x, &mut y), maxthreads = 65),
        &["at most 64", "65 x 1 x 1"],
    );
    assert_eq!(y.to_vec().unwrap(), [0; 64]);
}
