use super::*;

#[test]
fn memory_of_other_blocks() {
    let (module, mut random) = (module!("clusters"), Random::new());
    let blocks = 12;
    let values = random.ints(blocks * 64, -1000, 1000);
    let (input, out) = (Buffer::new(&values), Buffer::new(&vec![0i32; blocks * 64]));
    module.run("ring", blocks as u32, 64, args![input, out]);
    assert_rows("ring", &out.values(), 64, |block, thread| {
        let other = |step: usize| block / 4 * 4 + (block % 4 + step) % 4;
        let value = |step: usize| values[other(step) * 64 + (thread + step) % 64];
        (0..4).fold(0i32, |sum, step| sum.wrapping_mul(7).wrapping_add(value(step)))
    });
}

#[test]
fn a_histogram_of_a_cluster() {
    let (module, mut random) = (module!("clusters"), Random::new());
    let (bins, count) = (96, 5000);
    let values = random.words(count);
    let mut want = vec![0u32; bins];
    for value in &values {
        want[*value as usize % bins] += 1;
    }
    for blocks in [1, 2, 4, 8] {
        let (input, out) = (Buffer::new(&values), Buffer::new(&vec![0u32; bins]));
        let shape = (blocks, 128, bins as u32 / blocks * 4);
        let args = args![input, count as i32, out, bins as i32];
        module.run_in_cluster("histogram", shape, args);
        assert_eq!(out.values(), want, "{blocks} blocks");
    }
}

#[test]
fn places_in_clusters() {
    let module = module!("clusters");
    let (grid, threads) = ([4, 2], 32);
    let out = Buffer::new(&vec![0u32; 8 * 32 * 8]);
    module.run_2d("places", grid, [threads, 1], args![out]);
    assert_rows("places", &out.values(), 8, |row, what| {
        let (block, thread) = (row as u32 / threads, row as u32 % threads);
        let [x, y] = [block % grid[0] % 2, block / grid[0] % 2];
        let rank = x + 2 * y;
        let other = rank ^ 3;
        [rank, rank * threads + thread, x + 10 * y, 122, 4 * threads, other, 100 + other, 4][what]
    });
}
