//! K3: which launches make new variants. One test, alone in its program, so that the counter is its
//! own.

use ptyx::prelude::*;

#[kernel]
fn count<T: Num>(by: T, out: Atomics<u32>) {
    out[0].fetch_add(by.to_f64() as u32);
}

#[test]
fn one_variant_for_each_instance_and_set_of_knobs() {
    let mut out = DeviceBuffer::zeroed(1).unwrap();
    assert_eq!(ptyx::variants_compiled(), 0, "nothing is made before the first launch");
    for _ in 0..3 {
        for threads in [1, 32, 64] {
            launch!(count<<<2, threads>>>(1u32, &mut out)).unwrap();
        }
    }
    assert_eq!(ptyx::variants_compiled(), 1, "shapes share a variant");
    launch!(count<<<2, 32>>>(1u32, &mut out)).unwrap();
    assert_eq!(ptyx::variants_compiled(), 1, "so do launches of the same instance elsewhere");

    for _ in 0..2 {
        launch!(count<<<2, 32>>>(1u32, &mut out), maxregs = 32).unwrap();
    }
    assert_eq!(ptyx::variants_compiled(), 2, "other knobs");
    launch!(count<<<2, 32>>>(1u32, &mut out), maxregs = 40).unwrap();
    assert_eq!(ptyx::variants_compiled(), 3, "another value of a knob");
    launch!(count<<<2, 32>>>(1.0f32, &mut out)).unwrap();
    assert_eq!(ptyx::variants_compiled(), 4, "another instance");
    cuda!(blocks = 2, threads = 32, maxregs = 32, count(1u32, &mut out)).unwrap();
    assert_eq!(ptyx::variants_compiled(), 4, "the other macro, the same knobs");

    assert_eq!(out.to_vec().unwrap(), [3 * 2 * 97 + 64 * 6]);
}
