//! Loads and stores of whole warps: elements that lie side by side, one for all lanes, and others, in turns, so that each
//! instruction meets all of them. For vectors of every width of the host's.

mod device;

use device::{Device, on_gpu, run_child};
use std::fmt::Write as _;

/// Turns of each kernel.
const TURNS: usize = 64;
/// Lanes of a warp.
const LANES: usize = 32;
/// Elements that a kernel accesses.
const ELEMENTS: usize = 128;
/// Bytes before the first element.
const START: usize = 64;
/// The most bytes of an element.
const LARGEST: usize = 16;

/// State space, bits of a scalar, and how many scalars an element has.
fn kinds() -> impl Iterator<Item = (&'static str, usize, usize)> {
    let sizes = [(8, 1), (16, 1), (32, 1), (64, 1), (16, 4), (32, 2), (32, 4), (64, 2)];
    let of = move |space| sizes.map(|(bits, count)| (space, bits, count));
    ["global", "generic", "shared"].into_iter().flat_map(of)
}

fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// For each turn, the numbers of the lanes' elements.
fn elements(state: &mut u64) -> Vec<[usize; LANES]> {
    let turn = |turn: usize| {
        let start = next(state) as usize % (ELEMENTS - LANES);
        let mut indices: [usize; LANES] = std::array::from_fn(|lane| start + lane);
        match turn % 8 {
            0 | 1 => {}
            // At a multiple of 16 bytes in any case.
            2 => indices = std::array::from_fn(|lane| start / 16 * 16 + lane),
            3 => indices = [start; LANES],
            4 => indices.reverse(),
            5 => indices = std::array::from_fn(|lane| lane * 3),
            // All but one.
            6 => indices[next(state) as usize % LANES] = next(state) as usize % ELEMENTS,
            _ => indices = std::array::from_fn(|_| next(state) as usize % ELEMENTS),
        }
        indices
    };
    (0..TURNS).map(turn).collect()
}

/// Kernels `load<space><bits>x<count>(data, addresses, values, turns)` and `store..`: in each turn a lane accesses the element at
/// its next address, loads it into `values` or stores what is there.
fn module() -> String {
    let mut text = ".version 7.0\n.target sm_70\n.address_size 64\n".to_owned();
    for (space, bits, count) in kinds() {
        let register = if bits == 8 { 16 } else { bits };
        let registers: Vec<_> = (0..count).map(|at| format!("%v{register}_{at}")).collect();
        let value = match count {
            1 => registers[0].clone(),
            _ => format!("{{{}}}", registers.join(", ")),
        };
        let ty = match count {
            1 => format!("u{bits}"),
            _ => format!("v{count}.u{bits}"),
        };
        // Shared memory has addresses of 32 bits; the data are copied there and back.
        let (address, dot) = match space {
            "shared" => ("%a32", ".shared"),
            "generic" => ("%a64", ""),
            _ => ("%a64", ".global"),
        };
        let copy = |from: &str, to: &str, label: &str| match space {
            "shared" => format!(
                "mov.u32 %i, 0;\n{label}:\ncvt.u64.u32 %t64, %i;\nadd.u64 %t64, %t64, %data;\n\
                 mov.u32 %t32, memory;\nadd.u32 %t32, %t32, %i;\n\
                 ld.{from}.u32 %c, [{}];\nst.{to}.u32 [{}], %c;\nadd.u32 %i, %i, 4;\n\
                 setp.lt.u32 %p, %i, {};\n@%p bra {label};\n",
                if from == "shared" { "%t32" } else { "%t64" },
                if to == "shared" { "%t32" } else { "%t64" },
                START + ELEMENTS * LARGEST
            ),
            _ => String::new(),
        };
        let base = match space {
            "shared" => "mov.u32 %t32, memory;\nadd.u32 %a32, %a32, %t32;\n",
            _ => "cvt.u64.u32 %a64, %a32;\nadd.u64 %a64, %a64, %data;\n",
        };
        for kind in ["load", "store"] {
            let access = match kind {
                "load" => format!(
                    "ld{dot}.{ty} {value}, [{address}+{START}];\nst.global.{ty} [%values], {value};\n"
                ),
                _ => format!(
                    "ld.global.{ty} {value}, [%values];\nst{dot}.{ty} [{address}+{START}], {value};\n"
                ),
            };
            let _ = write!(
                text,
                ".visible .entry {kind}{space}{bits}x{count}(.param .u64 data, .param .u64 addresses, .param .u64 values, \
                 .param .u32 turns)\n{{\n.shared .align 16 .b8 memory[{}];\n.reg .pred %p;\n.reg .b{register} {};\n\
                 .reg .b32 %a32, %t32, %turns, %i, %c;\n.reg .b64 %a64, %t64, %data, %addresses, %values;\n\
                 ld.param.u64 %data, [data];\nld.param.u64 %addresses, [addresses];\n\
                 ld.param.u64 %values, [values];\nld.param.u32 %turns, [turns];\n\
                 mov.u32 %i, %tid.x;\nmad.wide.u32 %addresses, %i, 4, %addresses;\n\
                 mad.wide.u32 %values, %i, {LARGEST}, %values;\n{}TURN:\n\
                 ld.global.u32 %a32, [%addresses];\n{base}{access}\
                 add.u64 %addresses, %addresses, {};\nadd.u64 %values, %values, {};\n\
                 sub.u32 %turns, %turns, 1;\nsetp.ne.u32 %p, %turns, 0;\n@%p bra TURN;\n{}ret;\n}}\n",
                START + ELEMENTS * LARGEST,
                registers.join(", "),
                copy("global", "shared", "IN"),
                LANES * 4,
                LANES * LARGEST,
                copy("shared", "global", "OUT"),
            );
        }
    }
    text
}

/// The arguments of a kernel.
fn arguments(addresses: [u64; 3], turns: usize) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = addresses.iter().map(|word| word.to_le_bytes().to_vec()).collect();
    all.push((turns as u32).to_le_bytes().to_vec());
    all
}

fn bytes_of(elements: &[[usize; LANES]], size: usize) -> Vec<u8> {
    elements.iter().flatten().flat_map(|&index| ((index * size) as u32).to_le_bytes()).collect()
}

#[test]
fn warps_access_what_their_lanes_do() {
    let mut state = ptyx_test_support::seed();
    let device = Device::new();
    let module = device.load(&module()).unwrap_or_else(|log| panic!("{log}"));
    let mut random =
        |count: usize| -> Vec<u8> { (0..count).map(|_| next(&mut state) as u8).collect() };
    let (data, values) = (random(START + ELEMENTS * LARGEST), random(TURNS * LANES * LARGEST));
    for (space, bits, count) in kinds() {
        let size = bits / 8 * count;
        let elements = elements(&mut state);
        let (x, i, y) = (
            device.upload(&data),
            device.upload(&bytes_of(&elements, size)),
            device.upload(&values),
        );
        let run = |kind: &str| {
            let name = format!("{kind}{space}{bits}x{count}");
            let function = device.function(module, &name).expect("the kernel");
            let mut params = arguments([x, i, y], TURNS);
            let code = device.launch(function, [1, 1, 1], [LANES as u32, 1, 1], 0, &mut params);
            assert_eq!((code, device.synchronize()), (0, 0), "{name}");
            name
        };
        let name = run("store");
        let mut wanted = data.clone();
        for (turn, indices) in elements.iter().enumerate() {
            for (lane, index) in indices.iter().enumerate() {
                let value = &values[(turn * LANES + lane) * LARGEST..][..size];
                wanted[START + index * size..][..size].copy_from_slice(value);
            }
        }
        assert_eq!(device.download(x, data.len()), wanted, "{name}");
        let name = run("load");
        let mut loaded = values.clone();
        for (slot, index) in elements.iter().flatten().enumerate() {
            loaded[slot * LARGEST..][..size]
                .copy_from_slice(&wanted[START + index * size..][..size]);
        }
        assert_eq!(device.download(y, values.len()), loaded, "{name}");
        for address in [x, i, y] {
            device.free(address);
        }
    }
    println!("rows are right");
}

/// Rows that begin where they may and end behind the allocation, or whose elements are not aligned, after good ones.
#[test]
fn bad_rows_are_found() {
    if on_gpu() {
        return;
    }
    let device = Device::new();
    let module = device.load(&module()).unwrap_or_else(|log| panic!("{log}"));
    for (kind, last, part, code) in [
        ("load", 4 * (ELEMENTS as u32 - 31), "thread (31, 0, 0)", 700),
        ("store", 4 * (ELEMENTS as u32 - 31), "thread (31, 0, 0)", 700),
        ("load", 2, "thread (0, 0, 0)", 716),
        ("store", 2, "thread (0, 0, 0)", 716),
    ] {
        let mut addresses: Vec<u32> = (0..3 * LANES as u32).map(|lane| lane % 32 * 4).collect();
        addresses[2 * LANES..].iter_mut().for_each(|address| *address += last);
        let addresses: Vec<u8> = addresses.iter().flat_map(|word| word.to_le_bytes()).collect();
        let x = device.upload(&vec![0; START + ELEMENTS * 4]);
        let (i, y) = (device.upload(&addresses), device.upload(&vec![0; 3 * LANES * LARGEST]));
        let function = device.function(module, &format!("{kind}global32x1")).expect("the kernel");
        let mut params = arguments([x, i, y], 3);
        device.launch(function, [1, 1, 1], [LANES as u32, 1, 1], 0, &mut params);
        let found = device.synchronize();
        let report = ptyx_emulator::driver::take_fault().expect("a report");
        assert!(report.contains(part), "{report}");
        assert_eq!(found, code, "{report}");
    }
    println!("bad rows are found");
}

#[test]
fn rows_are_the_same_with_vectors_of_every_width() {
    if on_gpu() {
        return;
    }
    for bits in ["128", "256", "512"] {
        let variables = [("PTYX_EMULATOR_VECTORS", bits)];
        let text = run_child("warps_access_what_their_lanes_do", &variables);
        assert!(text.contains("rows are right"), "{text}");
        let text = run_child("bad_rows_are_found", &variables);
        assert!(text.contains("bad rows are found"), "{text}");
    }
}
