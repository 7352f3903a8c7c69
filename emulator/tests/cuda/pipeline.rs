use super::*;

#[test]
fn stages_of_a_block() {
    let (module, mut random) = (module!("pipeline"), Random::new());
    let tiles = 9;
    let values = random.ints(tiles * 128, -1000, 1000);
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0i32; 128]));
    module.run("staged", 1, 128, args![input, out, tiles as i32]);
    assert_rows("staged", &out.values(), 128, |_, at| {
        let value = |tile: usize| values[tile * 128 + (at + tile) % 128];
        (0..tiles).fold(0i32, |sum, tile| sum.wrapping_mul(3).wrapping_add(value(tile)))
    });
}

#[test]
fn a_pipeline_of_each_thread() {
    let (module, mut random) = (module!("pipeline"), Random::new());
    let count = 11;
    let values = random.ints(count * 64, -1000, 1000);
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0i32; 64]));
    module.run("alone", 1, 64, args![input, out, count as i32]);
    assert_rows("alone", &out.values(), 64, |_, at| {
        let value = |round: usize| values[round * 64 + at];
        (0..count).fold(0i32, |sum, round| sum.wrapping_mul(5).wrapping_add(value(round)))
    });
}

#[test]
fn copies_that_a_barrier_counts() {
    let (module, mut random) = (module!("pipeline"), Random::new());
    let values: Vec<f64> = (0..1024).map(|_| random.real(-1.0, 1.0)).collect();
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0f64; 1024]));
    module.run("counted", 1, 256, args![input, out]);
    assert_rows("counted", &out.values(), 256, |row, at| values[row * 256 + 255 - at] * 0.5 + 1.0);
}

#[test]
fn a_copy_of_a_group() {
    let (module, mut random) = (module!("pipeline"), Random::new());
    let values: Vec<i16> = random.ints(512, -1000, 1000).iter().map(|&v| v as i16).collect();
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0i16; 512]));
    module.run("group_copy", 1, 96, args![input, out]);
    assert_rows("group_copy", &out.values(), 512, |_, at| values[511 - at]);
}

#[test]
fn primitives() {
    let (module, mut random) = (module!("pipeline"), Random::new());
    let values = random.ints(128 * 4, -1000, 1000);
    let (input, out) = (Buffer::new(&values), Buffer::new(&[0i32; 128 * 4]));
    module.run("primitives", 1, 64, args![input, out]);
    assert_rows("primitives", &out.values(), 256, |row, at| {
        let (thread, part) = (63 - at / 4, at % 4);
        if row == 1 && part >= 2 { 0 } else { values[row * 256 + thread * 4 + part] }
    });
}
