//! Kernels that use memory of other devices, on emulated ones.

use super::devices::{child, is_child};
use super::*;
use crate::{Device, Error, GrowableBuffer, ManagedBuffer, MemoryLimit, MemoryPool, PeerReason};
use ptyx_device::random::{Philox4x32, Random as _};

/// Where the memory of a buffer comes from.
fn buffer(kind: u32, device: &Device, pools: &[MemoryPool], values: &[f32]) -> DeviceBuffer<f32> {
    device
        .with(|| {
            let mut buffer = match kind {
                0 => DeviceBuffer::<f32>::zeroed(values.len())?,
                1 => DeviceBuffer::<f32>::zeroed_shareable(values.len())?,
                _ => {
                    let pool = &pools[device.index() as usize];
                    DeviceBuffer::<f32>::zeroed_in(values.len(), pool, &Stream::new()?)?
                }
            };
            buffer.copy_from_slice(values)?;
            Ok::<_, Error>(buffer)
        })
        .unwrap()
}

/// Random launches on random devices with memory of random devices, against the same on the host.
fn random_program(seed: u64) {
    let devices = Device::all().unwrap();
    let mut rng = Philox4x32::at(seed, 0, 0);
    let mut below = move |bound: u32| rng.next_u32() % bound;
    let new_pool = |device| MemoryPool::new(device, MemoryLimit::None).unwrap();
    let pools: Vec<_> = devices.iter().map(new_pool).collect();
    let streams: Vec<Stream> =
        (0..6).map(|at| devices[at % devices.len()].with(Stream::new).unwrap()).collect();
    let (count, len) = (5, 70);
    let mut on_host: Vec<Vec<f32>> = Vec::new();
    let mut on_device = Vec::new();
    for _ in 0..count {
        let values: Vec<f32> = (0..len).map(|_| below(8) as f32).collect();
        let device = &devices[below(devices.len() as u32) as usize];
        on_device.push(buffer(below(3), device, &pools, &values));
        on_host.push(values);
    }
    for step in 0..60 {
        let [to, from] = [below(count), below(count)].map(|at| at as usize);
        let stream = &streams[below(6) as usize];
        match below(8) {
            // Dropped while kernels of other devices may use it.
            0 => {
                let values: Vec<f32> = (0..len).map(|_| below(8) as f32).collect();
                let device = &devices[below(devices.len() as u32) as usize];
                on_device[to] = buffer(below(3), device, &pools, &values);
                on_host[to] = values;
            }
            1 => {
                let device = on_device[to].device_index() as usize;
                let own = streams.iter().find(|stream| stream.device_index() as usize == device);
                on_device[to].fill_on(3.0, own.unwrap()).unwrap();
                on_host[to].fill(3.0);
            }
            2 => assert_eq!(on_device[from].to_vec().unwrap(), on_host[from], "step {step}"),
            _ if to == from => {}
            _ => {
                let a = 0.5;
                let x = std::mem::take(&mut on_host[from]);
                on_host[to].iter_mut().zip(&x).for_each(|(y, x)| *y += a * x);
                on_host[from] = x;
                let [y, x] = on_device.get_disjoint_mut([to, from]).unwrap();
                run_saxpy(LaunchConfig::new().blocks(3).threads(32).stream(stream), a, x, y)
                    .unwrap();
            }
        }
    }
    for (device, host) in on_device.iter().zip(&on_host) {
        assert_eq!(device.to_vec().unwrap(), *host);
    }
    for device in &devices {
        device.synchronize().unwrap();
    }
}

#[test]
fn kernels_use_memory_of_other_devices() {
    let test = "peers::kernels_use_memory_of_other_devices";
    if is_child() {
        let seed: u64 = std::env::var("PTYX_EMULATOR_SEED").unwrap().parse().unwrap();
        (0..4).for_each(|round| random_program(seed + round));
        return;
    }
    let seed = ptyx_test_support::seed();
    for (at, late) in ["0", "1", "1", "1"].into_iter().enumerate() {
        let seed = seed.wrapping_add(at as u64).to_string();
        println!("PTYX_EMULATOR_SEED={seed} PTYX_EMULATOR_ASYNC={late}");
        let variables = [
            ("PTYX_EMULATOR_DEVICES", "3"),
            ("PTYX_EMULATOR_ASYNC", late),
            ("PTYX_EMULATOR_SEED", &seed),
        ];
        child(test, &variables);
    }
}

#[test]
fn without_a_link_the_error_says_so() {
    let test = "peers::without_a_link_the_error_says_so";
    if !is_child() {
        child(test, &[("PTYX_EMULATOR_DEVICES", "2"), ("PTYX_EMULATOR_PEER_ACCESS", "0")]);
        return;
    }
    let [first, second] = Device::all().unwrap()[..] else { panic!() };
    assert!(!first.can_access_peer(&second).unwrap());
    let x = DeviceBuffer::filled(40, 2.0f32).unwrap();
    let shareable = || DeviceBuffer::<f32>::zeroed_shareable(40);
    for mut y in [second.with(|| DeviceBuffer::filled(40, 1.0f32)), second.with(shareable)]
        .map(Result::unwrap)
    {
        let before = y.to_vec().unwrap();
        let error =
            run_saxpy(LaunchConfig::new().blocks(2).threads(32), 1.0, &x, &mut y).unwrap_err();
        let Error::PeerAccess { device: 0, owner: 1, reason: PeerReason::NoLink } = error else {
            panic!("{error}")
        };
        let text = error.to_string();
        for part in ["device 0", "memory of device 1", "copy_from_buffer_on", "`ManagedBuffer`"] {
            assert!(text.contains(part), "{text}");
        }
        // What it advises: a copy, and managed memory.
        let mut copy = DeviceBuffer::<f32>::zeroed(40).unwrap();
        copy.copy_from_buffer_on(&y, &Stream::default().unwrap()).unwrap();
        run_saxpy(LaunchConfig::new().blocks(2).threads(32), 1.0, &x, &mut copy).unwrap();
        assert_eq!(copy.to_vec().unwrap(), before.iter().map(|y| y + 2.0).collect::<Vec<_>>());
        assert_eq!(y.to_vec().unwrap(), before);
    }
    let managed = ManagedBuffer::from_slice(&[5.0f32; 40]).unwrap();
    let there = second.with(Stream::new).unwrap();
    let mut y = second.with(|| DeviceBuffer::filled(40, 1.0f32)).unwrap();
    kernels();
    call3(
        Here,
        saxpy,
        LaunchConfig::new().blocks(2).threads(32).stream(&there),
        (&&&&&Slot::new(2.0f32)).pass(),
        (&&&&&Slot::new(&managed)).pass(),
        (&&&&&Slot::new(&mut y)).pass(),
    )
    .unwrap();
    assert_eq!(y.to_vec().unwrap(), [11.0; 40]);
}

#[test]
fn what_can_not_be_shared_is_named() {
    if !is_child() {
        child("peers::what_can_not_be_shared_is_named", &[("PTYX_EMULATOR_DEVICES", "2")]);
        return;
    }
    let [first, second] = Device::all().unwrap()[..] else { panic!() };
    let there = second.with(Stream::new).unwrap();
    let mut y = second.with(|| DeviceBuffer::filled(40, 1.0f32)).unwrap();
    let mut refuse = |x: &DeviceBuffer<f32>, wanted: PeerReason| {
        let config = LaunchConfig::new().blocks(2).threads(32).stream(&there);
        match run_saxpy(config, 1.0, x, &mut y) {
            Err(Error::PeerAccess { device: 1, owner: 0, reason }) => assert_eq!(reason, wanted),
            other => panic!("{other:?}"),
        }
    };
    let mut growable = GrowableBuffer::<f32>::with_capacity(40).unwrap();
    growable.resize(40, 1.0).unwrap();
    refuse(&growable, PeerReason::Growable);
    let owner = DeviceBuffer::filled(40, 1.0f32).unwrap();
    let (address, stream) = (owner.device_address(), Stream::new().unwrap());
    // SAFETY: the memory belongs to the owner, which nobody else uses.
    let foreign = unsafe { DeviceBuffer::<f32>::from_raw_on(address, 40, &stream, owner) }.unwrap();
    refuse(&foreign, PeerReason::Foreign);
    let x = DeviceBuffer::filled(40, 4.0f32).unwrap();
    // Only kernels can: fills and the like are work of the memory's device.
    let mut theirs = first.with(|| DeviceBuffer::filled(40, 4.0f32)).unwrap();
    assert!(matches!(theirs.fill_on(1.0, &there), Err(Error::WrongDevice { .. })));
    // A pool that was forbidden is permitted again by the next use.
    let pool = MemoryPool::of_device(&first).unwrap();
    for _ in 0..2 {
        let config = LaunchConfig::new().blocks(2).threads(32).stream(&there);
        run_saxpy(config, 1.0, &x, &mut y).unwrap();
        assert!(pool.access(&second).unwrap());
        there.synchronize().unwrap();
        pool.set_access(&second, false).unwrap();
    }
    assert_eq!(y.to_vec().unwrap(), [9.0; 40]);
}

/// Who reads what a kernel of another device has written gets its panic.
#[test]
fn a_panic_on_another_device_is_reported() {
    if !is_child() {
        let variables = [("PTYX_EMULATOR_DEVICES", "2"), ("PTYX_EMULATOR_ASYNC", "1")];
        child("peers::a_panic_on_another_device_is_reported", &variables);
        return;
    }
    kernels();
    let [_, second] = Device::all().unwrap()[..] else { panic!() };
    let there = second.with(Stream::new).unwrap();
    let x = DeviceBuffer::filled(40, 1.0f32).unwrap();
    let mut y = DeviceBuffer::filled(40, 1.0f32).unwrap();
    let config = LaunchConfig::new().blocks(2).threads(32).stream(&there);
    call1(Here, panics, config.clone(), (&&&&&Slot::new(0u64)).pass()).unwrap();
    run_saxpy(config, 1.0, &x, &mut y).unwrap();
    assert!(matches!(y.to_vec(), Err(Error::KernelPanic(_))));
    assert_eq!(y.to_vec().unwrap(), [2.0; 40]);
}

/// Access is enabled and disabled once, however often one asks, and a launch enables it again.
#[test]
fn access_is_given_and_taken() {
    if !is_child() {
        child("peers::access_is_given_and_taken", &[("PTYX_EMULATOR_DEVICES", "2")]);
        let variables = [("PTYX_EMULATOR_DEVICES", "2"), ("PTYX_EMULATOR_PEER_ACCESS", "0")];
        child("peers::access_is_given_and_taken", &variables);
        return;
    }
    use ptyx_emulator::driver::{calls_made, fail_calls};
    kernels();
    let [first, second] = Device::all().unwrap()[..] else { panic!("two devices") };
    let itself = first.enable_peer_access(&first).unwrap_err();
    assert!(matches!(itself, Error::PeerAccess { reason: PeerReason::NoLink, .. }), "{itself}");
    assert!(first.disable_peer_access(&first).is_err());
    if !first.can_access_peer(&second).unwrap() {
        let error = first.enable_peer_access(&second).unwrap_err();
        assert!(matches!(error, Error::PeerAccess { device: 0, owner: 1, .. }), "{error}");
        first.disable_peer_access(&second).unwrap();
        return;
    }
    // The calls of a piece of work that change who has access.
    let changes = |work: &dyn Fn()| {
        fail_calls("").unwrap();
        work();
        let calls = calls_made().0.into_iter();
        let is_change = |call: &&str| call.contains("PeerAccess") || call.contains("SetAccess");
        calls.filter(is_change).collect::<Vec<_>>()
    };
    let enable = || first.enable_peer_access(&second).unwrap();
    let disable = || first.disable_peer_access(&second).unwrap();
    let pools = [MemoryPool::of_device(&second).unwrap(), {
        let pool = MemoryPool::new(&second, MemoryLimit::None).unwrap();
        pool.make_current().unwrap();
        pool
    }];
    let has_access = || pools.each_ref().map(|pool| pool.access(&first).unwrap());
    assert_eq!((changes(&disable), has_access()), (vec!["cuCtxDisablePeerAccess"], [false; 2]));
    let given = ["cuCtxEnablePeerAccess", "cuMemPoolSetAccess", "cuMemPoolSetAccess"];
    assert_eq!((changes(&enable), has_access()), (given.to_vec(), [true; 2]));
    assert_eq!(changes(&enable), Vec::<&str>::new());
    let taken = ["cuCtxDisablePeerAccess", "cuMemPoolSetAccess", "cuMemPoolSetAccess"];
    assert_eq!((changes(&disable), has_access()), (taken.to_vec(), [false; 2]));
    assert_eq!(changes(&disable), ["cuCtxDisablePeerAccess"]);
    // One way only.
    enable();
    let other = MemoryPool::of_device(&first).unwrap();
    assert!(!other.access(&second).unwrap());
    // A kernel that runs keeps its access to the end, and the next launch enables it again.
    let x = second.with(|| DeviceBuffer::filled(32, 1.0f32)).unwrap();
    let mut y = first.with(|| DeviceBuffer::filled(32, 2.0f32)).unwrap();
    let stream = first.with(Stream::new).unwrap();
    for _ in 0..3 {
        run_saxpy(LaunchConfig::new().threads(32).stream(&stream), 2.0, &x, &mut y).unwrap();
        disable();
    }
    assert_eq!(y.to_vec().unwrap(), [8.0; 32]);
}
