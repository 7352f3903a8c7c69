//! Instructions that several families of architectures have: each of them gets its own.

use super::package::{BUILD, Package};
use ptyx_test_support::images;
use ptyx_test_support::part;
use std::fs;

/// Tiles of bytes through shared memory; what lanes must hold, as the PTX ISA has it for `mma.m16n8k32`.
const MAIN: &str = r#"
use ptyx::device::mma::{A, Accumulator, B, E2m3, Fragment, Layout, Product};
use ptyx::prelude::*;

#[kernel]
fn tiles(source: &[u8], sums: &[i32], mut out: Disjoint<[[u32; 4]; 3]>) {
    let (lane, bytes) = (thread::x() as usize, shared::dynamic::<u8>(0, 512));
    // SAFETY: each thread writes its own bytes, or the instructions between two barriers.
    unsafe {
        for i in 16 * lane..16 * lane + 16 {
            bytes.at(i).write(source[i]);
        }
        block::sync();
        let columns = Layout::column_major(16);
        let rows = Fragment::<A, u8, 16, 32>::load_transposed_tiles(bytes, columns).registers();
        let six = Fragment::<A, E2m3, 16, 32>::load_packed_tiles(bytes, Layout::row_major(32)).registers();
        block::sync();
        let sums = Fragment::<Accumulator, i32, 16, 8>::load(sums, Layout::row_major(8));
        Fragment::store_bytes::<u8, 1>([sums], bytes, columns, |sum| (sum - 3) as u8);
        block::sync();
        let stored = core::array::from_fn(|i| bytes.at(4 * lane + i).read());
        out[thread::index_1d()] = [rows, six, [u32::from_le_bytes(stored), 0, 0, 0]];
    }
}

/// A product of elements of 6 bits, which only `sm_120a` has, though the others have the instructions that load them.
#[kernel]
fn product(out: SliceMut<f32>) {
    let bytes = shared::dynamic::<u8>(0, 512);
    // SAFETY: nobody writes.
    let a = unsafe { Fragment::<A, E2m3, 16, 32>::load_packed_tiles(bytes, Layout::row_major(32)) };
    // SAFETY: as above.
    let b = unsafe { Fragment::<B, E2m3, 32, 8>::load_packed_tiles(bytes, Layout::column_major(32)) };
    let sums: Fragment<Accumulator, f32, 16, 8> = a.multiply(b, Fragment::filled(0.0));
    // SAFETY: the only warp.
    unsafe { sums.store(out, Layout::row_major(8)) };
}

fn main() -> ptyx::Result<()> {
    let source: Vec<u8> = (0..512u32).map(|i| (i.wrapping_mul(2654435761) >> 13) as u8).collect();
    let sums: Vec<i32> = (0..128).map(|i| 7 * i % 251).collect();
    let (device, device_sums) = (DeviceBuffer::from_slice(&source)?, DeviceBuffer::from_slice(&sums)?);
    let mut out = DeviceBuffer::filled(32, [[0; 4]; 3])?;
    launch!(tiles<<<1, 32, 512>>>(&device, &device_sums, &mut out))?;
    // Element `index` of 16 packed ones of 6 bits.
    let six = |line: usize, index: usize| {
        let bit = |bit: usize| source[16 * line + bit / 8] >> (bit % 8) & 1;
        (0..6).fold(0, |value, at| value | bit(6 * index + at) << at)
    };
    for (lane, got) in out.to_vec()?.into_iter().enumerate() {
        let place = |i: usize| (lane / 4 + 8 * (i / 4 % 2), 4 * (lane % 4) + i % 4 + 16 * (i / 8));
        for i in 0..16 {
            let (row, k) = place(i);
            assert_eq!(got[0][i / 4].to_le_bytes()[i % 4], source[16 * k + row], "{lane} {i}");
            assert_eq!(got[1][i / 4].to_le_bytes()[i % 4], six(2 * row + k / 16, k % 16), "{lane} {i}");
        }
        // Columns of 16 sums, one after another.
        let sum = |byte: usize| (sums[byte % 16 * 8 + byte / 16] - 3) as u8;
        assert_eq!(got[2][0].to_le_bytes(), [0, 1, 2, 3].map(|i| sum(4 * lane + i)), "{lane}");
    }
    if source.is_empty() {
        launch!(product<<<1, 32, 512>>>(&mut DeviceBuffer::zeroed(128)?))?;
    }
    println!("as wanted");
    Ok(())
}
"#;

#[test]
fn tiles_of_bytes() {
    part!(tiles_of_bytes);
    let package = Package::new("families", BUILD, MAIN, "");
    let dump = Package::folder("families").join("dump");
    let (works, text) = package.cargo(&["build"], &[("PTYX_DUMP", dump.to_str().unwrap())]);
    assert!(works, "{text}");
    let files = fs::read_dir(&dump).unwrap().map(|entry| entry.unwrap().path());
    let modules: Vec<String> = files
        .filter(|file| file.extension().is_some_and(|extension| extension == "ptx"))
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    for target in ["sm_100f", "sm_110f", "sm_121f", "sm_120a"] {
        let is_for = |ptx: &&String| {
            ptx.contains(".entry tiles(") && ptx.contains(&format!(".target {target}"))
        };
        let ptx = modules.iter().find(is_for).unwrap_or_else(|| panic!("none for {target}"));
        assert!(ptx.contains("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 "), "{ptx}");
        if let Some(ptxas) = images::assembler() {
            assert_eq!(images::assemble_for(&ptxas, ptx, target), None, "{ptx}");
        }
    }
    let of_products: Vec<_> =
        modules.iter().filter(|ptx| ptx.contains(".entry product(")).collect();
    let is_one = of_products.iter().all(|ptx| ptx.contains(".target sm_120a"));
    assert!(is_one && !of_products.is_empty(), "{of_products:?}");
    for capability in ["10.0", "10.3", "11.0", "12.0", "12.1"] {
        let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_CAPABILITY", capability)];
        let (works, text) = package.cargo(&["run"], &variables);
        assert!(works && text.contains("as wanted"), "{capability}: {text}");
    }
}
