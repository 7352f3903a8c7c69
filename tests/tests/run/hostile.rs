//! Absurd launches and modules: each is an error or does what it says, and the device stays usable.

use ptyx::prelude::*;
use ptyx::{Error, Module};
use ptyx_tests::images::images;
use ptyx_tests::{Rng, rng};

#[kernel]
fn shape_of_launch(out: SliceMut<[u32; 7]>) {
    if thread::rank() == 0 && block::rank() == 0 {
        let (b, g) = (block::dim(), grid::dim());
        let bytes = shared::dynamic_bytes() as u32;
        // SAFETY: one thread of the launch.
        unsafe { out.write(0, [g.x, g.y, g.z, b.x, b.y, b.z, bytes]) }
    }
}

/// Numbers at the ends of what extents can be. None of them makes a valid grid that takes long.
const EXTENTS: [i128; 11] =
    [0, -1, 1, 1, 2, 3, 1 << 32, (1 << 32) + 1, i64::MAX as i128, u64::MAX as i128, i128::MIN];
const BYTES: [usize; 7] = [0, 0, 1024, 48 << 10, 100 << 10, 1 << 33, usize::MAX];
const COUNTS: [i64; 9] = [0, 1, 16, 32, 255, 256, 1 << 40, -1, i64::MIN];
const NAMES: [&str; 8] = ["fine", "", "1a", "größe", "a b", "a\0b", "_", "%r1"];

fn pick<T: Copy>(rng: &mut Rng, from: &[T]) -> T {
    from[rng.below(from.len())]
}

#[test]
fn launches_of_any_shape() {
    let mut rng = rng();
    let mut out = DeviceBuffer::filled(1, [9u32; 7]).unwrap();
    let (mut ran, mut refused) = (0, 0);
    // A GPU's driver lets some launches pass that it should not: rarely, so try many.
    let rounds = if Device::current().unwrap().is_emulated() { 400 } else { 20_000 };
    for round in 0..rounds {
        let mut extents = |most: &[i128]| {
            let likely = rng.below(2) == 0;
            [0; 3].map(|_| match likely {
                true => 1 + rng.below(4) as i128,
                false if rng.below(4) == 0 => pick(&mut rng, most),
                false => pick(&mut rng, &EXTENTS),
            })
        };
        let (blocks, threads) = (extents(&[7]), extents(&[32, 1024, 1025]));
        let bytes = pick(&mut rng, &BYTES);
        let (count, name) = (pick(&mut rng, &COUNTS), pick(&mut rng, &NAMES));
        let launched = match rng.below(10) {
            0 => launch!(shape_of_launch<<<blocks, threads, bytes>>>(&mut out), maxregs = count),
            1 => {
                launch!(shape_of_launch<<<blocks, threads, bytes>>>(&mut out), blocks_per_sm = count)
            }
            2 => launch!(shape_of_launch<<<blocks, threads, bytes>>>(&mut out), maxthreads = count),
            3 => launch!(shape_of_launch<<<blocks, threads, bytes>>>(&mut out), minthreads = count),
            4 => launch!(shape_of_launch<<<blocks, threads, bytes>>>(&mut out), alias = name),
            _ => launch!(shape_of_launch<<<blocks, threads, bytes>>>(&mut out)),
        };
        let what = format!("round {round}: {blocks:?} {threads:?} {bytes} {count} {name:?}");
        match launched {
            Ok(()) => {
                ran += 1;
                let [g, b] = [blocks, threads].map(|dims| dims.map(|extent| extent as u32));
                let wanted = [g[0], g[1], g[2], b[0], b[1], b[2], bytes as u32];
                assert_eq!(out.to_vec().unwrap(), [wanted], "{what}");
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty(), "{what}");
            }
        }
    }
    println!("{ran} launches ran, {refused} were refused");
    assert!(ran > 20 && refused > 20, "{ran} ran, {refused} refused");
    Stream::default().unwrap().synchronize().unwrap();
}

/// A block of one thread, which a GPU's driver takes whatever size the kernel requires.
#[test]
fn required_blocks_are_required() {
    let mut out = DeviceBuffer::filled(1, [9u32; 7]).unwrap();
    for required in [16, 255, 256] {
        let refused = cuda!(
            blocks = (4, 2, 1),
            threads = (1, 1, 1),
            shmem = 49_152,
            minthreads = required,
            shape_of_launch(&mut out)
        );
        let text = refused.expect_err("one thread").to_string();
        assert!(text.contains(&format!("{required} x 1 x 1")), "{text}");
        launch!(shape_of_launch<<<2, required>>>(&mut out), minthreads = required).unwrap();
        assert_eq!(out.to_vec().unwrap()[0][3], required);
    }
}

/// A text with some of its words, numbers and signs changed for others of it.
fn damaged(ptx: &str, rng: &mut Rng) -> String {
    let mut tokens: Vec<&str> = ptx.split_inclusive(|c: char| " \t\n,;[]()".contains(c)).collect();
    for _ in 0..1 + rng.below(3) {
        let (at, from) = (rng.below(tokens.len()), rng.below(tokens.len()));
        match rng.below(4) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[from]),
            2 => {
                tokens[at] =
                    pick(rng, &["99999999999;", "-1, ", "0x", "%tid.x;", "{", "}\n", ".b128 "])
            }
            _ => tokens[at] = tokens[from],
        }
        if tokens.is_empty() {
            break;
        }
    }
    tokens.concat()
}

/// The PTX of this program's kernels, damaged: the emulated device loads it, or says what is wrong.
#[test]
fn damaged_kernels_load_or_are_refused() {
    if !Device::current().unwrap().is_emulated() {
        println!("SKIPPED: about the emulated device");
        return;
    }
    let mut rng = rng();
    let modules: Vec<&str> = images()
        .iter()
        .flat_map(|image| &image.modules)
        .map(|module| module.ptx.as_str())
        .filter(|ptx| ptx.len() < 40_000)
        .collect();
    let (mut loaded, mut refused) = (0, 0);
    for _ in 0..300 {
        let ptx = damaged(modules[rng.below(modules.len())], &mut rng);
        match Module::from_ptx(&ptx) {
            Ok(_) => loaded += 1,
            Err(Error::Assembler { log, .. }) => {
                refused += 1;
                assert!(log.contains("line"), "{log}\n{ptx}");
            }
            Err(error) => panic!("{error}\n{ptx}"),
        }
    }
    println!("{loaded} damaged modules were loaded, {refused} refused");
    assert!(refused > 0);
}
