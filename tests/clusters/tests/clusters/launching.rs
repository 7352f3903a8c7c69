//! Every way to launch with clusters, and why a launch with clusters fails.

use ptyx::prelude::*;
use ptyx_cluster_tests::{device_has_clusters, images, rng};

/// The number of blocks in the cluster, for each block; `extra` bytes of shared memory are used.
#[kernel]
fn sizes(mut y: Disjoint<u32>) {
    let bytes = shared::dynamic_bytes();
    let bytes = shared::dynamic::<u8>(0, bytes);
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = group::cluster().blocks() + bytes.len() as u32;
    }
}

#[test]
fn every_way_to_launch() {
    if !device_has_clusters() {
        return;
    }
    let mut y = DeviceBuffer::zeroed(8).unwrap();
    let check = |y: &DeviceBuffer<u32>, want: u32| assert_eq!(y.to_vec().unwrap(), [want; 8]);
    launch!(sizes<<<8, 1>>>(&mut y)).unwrap();
    check(&y, 1);
    let size = 1 << rng().below(4);
    launch!(sizes<<<8, 1>>>(&mut y), cluster = size).unwrap();
    check(&y, size);
    cuda!(blocks = 8, threads = 1, cluster = (4, 1, 1), sizes(&mut y)).unwrap();
    check(&y, 4);
    let prepared = compile!(sizes(&mut y)).unwrap();
    let config = LaunchConfig::new().blocks(8).cluster([2, 1]);
    prepared.launch(config.clone(), args!(&mut y)).unwrap();
    check(&y, 2);
    prepared.launch(config.cooperative(), args!(&mut y)).unwrap();
    check(&y, 2);
    // More than 48 KiB of shared memory, which also must be asked for.
    launch!(sizes<<<8, 1, 65536>>>(&mut y), cluster = 8, maxregs = 64).unwrap();
    check(&y, 8 + 65536);
}

#[test]
fn clusters_that_do_not_fit_are_explained() {
    if !device_has_clusters() {
        return;
    }
    let mut y = DeviceBuffer::zeroed(64).unwrap();
    let mut why = |blocks: u32, cluster: u32| {
        launch!(sizes<<<blocks, 1>>>(&mut y), cluster = cluster).unwrap_err().to_string()
    };
    assert!(why(6, 4).contains("(6 is not a multiple of 4)"), "{}", why(6, 4));
    assert!(why(64, 32).contains("(32 > 16)"), "{}", why(64, 32));
    assert!(why(8, 0).contains("must be positive"), "{}", why(8, 0));
    // Sixteen blocks are possible on some devices; if not, the reason says so.
    match launch!(sizes<<<16, 1>>>(&mut y), cluster = 16) {
        Ok(()) => assert_eq!(y.to_vec().unwrap()[..16], [16; 16]),
        Err(error) => assert!(error.to_string().contains("only some devices"), "{error}"),
    }
}

/// Its clusters have two blocks, whatever the launch says.
#[kernel(cluster = (2, 1, 1))]
fn pairs(mut y: Disjoint<[u32; 3]>) {
    let cluster = group::cluster();
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = [cluster.blocks(), cluster.block_rank(), cluster.reduce_add(block::x())];
    }
}

/// Clusters of the largest size that only some devices have.
#[kernel(cluster = 16)]
fn sixteen(mut y: Disjoint<u32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        *y = group::cluster().blocks();
    }
}

#[test]
fn clusters_of_the_attribute() {
    if !device_has_clusters() {
        return;
    }
    let want: Vec<[u32; 3]> = (0..8).map(|x| [2, x % 2, (x / 2 * 2) * 2 + 1]).collect();
    let y = || DeviceBuffer::<[u32; 3]>::zeroed(8).unwrap();
    let mut plain = y();
    launch!(pairs<<<8, 1>>>(&mut plain)).unwrap();
    assert_eq!(plain.to_vec().unwrap(), want);
    let mut same = y();
    launch!(pairs<<<8, 1>>>(&mut same), cluster = 2, maxregs = 64).unwrap();
    assert_eq!(same.to_vec().unwrap(), want);
    let mut prepared = y();
    let kernel = compile!(pairs(&mut prepared)).unwrap();
    let config = LaunchConfig::new().blocks(8);
    kernel.launch(config.clone(), args!(&mut prepared)).unwrap();
    assert_eq!(prepared.to_vec().unwrap(), want);
    let mut bound_to = y();
    let bound = kernel.bind(config, args!(&mut bound_to)).unwrap();
    bound.launch().unwrap();
    drop(bound);
    assert_eq!(bound_to.to_vec().unwrap(), want);

    let mut y = y();
    let error = launch!(pairs<<<8, 1>>>(&mut y), cluster = 4).unwrap_err();
    assert!(matches!(error, ptyx::Error::Launch { .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("2 x 1 x 1") && text.contains("4 x 1 x 1"), "{text}");
    let text = launch!(pairs<<<7, 1>>>(&mut y)).unwrap_err().to_string();
    assert!(text.contains("(7 is not a multiple of 2)"), "{text}");

    // A directive, and a constant of the code.
    let kernels = ptyx::compiled_kernels().unwrap();
    let ptx = &kernels.iter().find(|kernel| kernel.entry == "pairs").unwrap().ptx;
    assert!(ptx.contains(".reqnctapercluster 2, 1, 1\n"), "{ptx}");
    assert!(!ptx.contains("%cluster_nctarank"), "{ptx}");
    if let Some(ptxas) = images::assembler() {
        assert_eq!(images::assemble(&ptxas, ptx, &[90]), None, "{ptx}");
    }

    let mut blocks = DeviceBuffer::zeroed(16).unwrap();
    match launch!(sixteen<<<16, 1>>>(&mut blocks)) {
        Ok(()) => assert_eq!(blocks.to_vec().unwrap(), [16; 16]),
        Err(error) => assert!(error.to_string().contains("only some devices"), "{error}"),
    }
}

/// What each block knows of a launch without a word about clusters, and of one with.
#[kernel]
fn says(mut y: Disjoint<[u32; 2]>) {
    let cluster = group::cluster();
    y[thread::index_1d()] = [cluster.is_explicit().into(), cluster.blocks()];
}

#[test]
fn a_cluster_is_explicit_if_the_launch_says_so() {
    if !device_has_clusters() {
        return;
    }
    let mut y = DeviceBuffer::zeroed(128).unwrap();
    launch!(says<<<4, 32>>>(&mut y)).unwrap();
    assert!(y.to_vec().unwrap().iter().all(|said| *said == [0, 1]));
    launch!(says<<<4, 32>>>(&mut y), cluster = 2).unwrap();
    assert!(y.to_vec().unwrap().iter().all(|said| *said == [1, 2]));
}

/// Blocks of several clusters wait for the whole grid.
#[kernel]
fn grid_and_clusters(sum: Atomics<u32>, mut y: Disjoint<u32>) {
    let own = shared!([u32; 1]).atomics(0);
    let cluster = group::cluster();
    cluster.with_peers(own, |peers| {
        peers.of(0)[0].fetch_add(cluster.rank());
    });
    if cluster.rank() == 0 {
        sum[0].fetch_add(own[0].load());
    }
    group::grid().sync();
    y[thread::index_1d()] = sum[0].load();
}

#[test]
fn a_cooperative_launch_can_have_clusters() {
    if !device_has_clusters() {
        return;
    }
    let mut sum = DeviceBuffer::zeroed(1).unwrap();
    let mut y = DeviceBuffer::zeroed(12 * 64).unwrap();
    launch!(grid_and_clusters<<<12, 64>>>(&mut sum, &mut y), cluster = 4, cooperative).unwrap();
    let each: u32 = (0..4 * 64).sum();
    assert_eq!(y.to_vec().unwrap(), [3 * each; 12 * 64]);
}

/// The extents of grid and block along z, and this thread's place among them.
#[kernel]
fn depths(y: Atomics<u32>) {
    let z = block::z() * block::dim_z() + thread::z();
    y[z as usize].fetch_add(block::dim_z() << 16 | grid::dim_z());
}

#[test]
fn grids_and_blocks_have_a_depth() {
    let mut rng = rng();
    for _ in 0..8 {
        let mut extent = || 1 + rng.below(5) as u32;
        let (grid, block) = ([extent(), extent(), extent()], [extent(), extent(), extent()]);
        let mut y = DeviceBuffer::zeroed((grid[2] * block[2]) as usize).unwrap();
        launch!(depths<<<(grid[0], grid[1], grid[2]), (block[0], block[1], block[2])>>>(&mut y))
            .unwrap();
        // All threads with the same z add the same.
        let want = grid[0] * grid[1] * block[0] * block[1] * (block[2] << 16 | grid[2]);
        assert_eq!(y.to_vec().unwrap(), vec![want; (grid[2] * block[2]) as usize]);
    }
}
