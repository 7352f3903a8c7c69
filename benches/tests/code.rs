//! Guards the length of the block's reductions and scans, where NVIDIA's tools are found: with a number of threads that
//! the compiler knows, their loops are about as long as CUB's (docs/code-quality.md).

use ptyx_benches::quality;
use ptyx_benches::quality::tools::Tools;
use ptyx_test_support::images;

/// The kernels, the most instructions that they may have for `sm_90`, and the loads of four words.
const KERNELS: [(&str, usize, usize); 6] = [
    ("block_reduce::block_reduce_f32", 95, 2),
    ("block_reduce::block_reduce_f64", 117, 4),
    ("block_extremes::block_min_i32", 82, 2),
    ("block_scan::block_scan_f32", 98, 2),
    ("block_scan::block_scan_f64", 123, 4),
    ("block_scan::block_scan_u64", 133, 4),
];

#[test]
fn block_functions_stay_short() {
    if cfg!(debug_assertions) {
        println!("SKIPPED: in dev builds, the device library checks itself, too");
        return;
    }
    let Some(tools) = Tools::find() else {
        println!("SKIPPED: no ptxas or no nvdisasm");
        return;
    };
    let images = images::images();
    let mut long = Vec::new();
    for (name, most, loads) in KERNELS {
        let (image, kernel) = images
            .iter()
            .flat_map(|image| image.kernels.iter().map(move |kernel| (image, kernel)))
            .find(|(_, kernel)| kernel.name.ends_with(name))
            .unwrap_or_else(|| panic!("there is no kernel `{name}`"));
        let ptx = quality::ptx_of(image, kernel, 90).expect("code for sm_90");
        let code = quality::of_ptx(&tools, ptx, &kernel.entry, 90).unwrap();
        assert_eq!((code.local, code.spills), (0, 0), "{name}: {code:?}");
        if code.counts.hot > most {
            long.push(format!("{name}: {} instructions, at most {most}", code.counts.hot));
        }
        let barriers = ptx.matches("bar.sync").count() + ptx.matches("barrier.sync").count();
        assert_eq!(barriers, 2, "{name}: {ptx}");
        let wide = ptx.matches("ld.volatile.shared.v4.b32").count();
        assert_eq!(wide, loads, "{name}: {ptx}");
    }
    assert!(long.is_empty(), "{long:#?}");
}
