//! Nothing leaks, in whatever order things are dropped while work is pending, and whatever forked children do: afterwards,
//! no more of the driver's objects exist than before. On the emulated device, which counts them.

use ptyx::{
    CudaArray, Device, DeviceBuffer, Event, ExternalMemory, ExternalSemaphore, GraphExec,
    GrowableBuffer, GuardedBuffer, LaunchConfig, Linker, ManagedBuffer, MemoryLimit, MemoryPool,
    Module, PinnedBuffer, Result, SemaphoreKind, StagingBuffer, Stream, Texture, TilePool,
};
use ptyx_emulator::driver::{Live, during_fork, live};
use std::any::Any;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(child: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(code: i32) -> !;
    fn exit(code: i32) -> !;
}

const LEN: usize = 64;

/// Adds 1 to each number; one thread for each.
const ADD_ONE: &str = "
.version 6.3
.target sm_70
.address_size 64
.visible .entry add_one(.param .u64 p)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd1, %rd1, %rd2;
	ld.global.u32 %r2, [%rd1];
	add.u32 %r2, %r2, 1;
	st.global.u32 [%rd1], %r2;
	ret;
}
";

/// Something with pending work.
type Thing = Box<dyn Any + Send>;

/// Things of all kinds that use each other, with pending work. The stream comes first.
fn things(value: u32) -> Result<Vec<Thing>> {
    let stream = Stream::new()?;
    let mut buffer = DeviceBuffer::<u32>::zeroed_on(LEN, &stream)?;
    let mut pinned = PinnedBuffer::from_slice(&[value; LEN])?;
    let mut managed = ManagedBuffer::<u32>::zeroed_on(LEN, &stream)?;
    let mut array = CudaArray::<u32>::zeroed([8, 8])?;
    let mut guarded = GuardedBuffer::new(ManagedBuffer::<u32>::zeroed_on(LEN, &stream)?);
    let (mut staged, event) = (StagingBuffer::<u32>::zeroed(LEN)?, Event::new()?);
    let pool = MemoryPool::new(&Device::current()?, MemoryLimit::None)?;
    let mut pooled = DeviceBuffer::<u32>::zeroed_in(LEN, &pool, &stream)?;
    let mut grown = GrowableBuffer::<u32>::with_capacity(1 << 20)?;
    grown.resize_on(LEN, value, &stream)?;
    buffer.copy_from_pinned_on(&pinned, &stream)?;
    managed.as_slice_mut().copy_from_buffer_on(&buffer, &stream)?;
    array.copy_from_buffer_on(&buffer, &stream)?;
    pooled.copy_from_buffer_on(&buffer, &stream)?;
    let graph = stream.capture(|stream| {
        buffer.slice_mut(..LEN / 2).fill_on(value, stream)?;
        guarded.as_slice_mut().copy_from_buffer_on(&buffer, stream)?;
        buffer.copy_to_pinned_on(&mut staged, stream)
    })?;
    let exec: GraphExec = graph.instantiate()?;
    exec.launch(&stream)?;
    buffer.copy_to_pinned_on(&mut pinned, &stream)?;
    event.record(&stream)?;
    let function = Module::from_ptx(ADD_ONE)?.function("add_one")?;
    let config = LaunchConfig::new().threads(LEN).stream(&stream);
    // SAFETY: the kernel changes as many numbers as the buffer has.
    unsafe { function.launch(config, (&mut buffer,)) }?;
    Ok(vec![
        Box::new(stream),
        Box::new((buffer, grown)),
        Box::new((pinned, event)),
        Box::new((managed, guarded, pooled, pool)),
        Box::new((exec, graph, staged)),
        Box::new(array),
        Box::new(function),
    ])
}

/// The permutation of `count` things with this number.
fn order(mut number: usize, count: usize) -> Vec<usize> {
    let mut rest: Vec<usize> = (0..count).collect();
    let mut chosen = Vec::new();
    for left in (1..=count).rev() {
        chosen.push(rest.remove(number % left));
        number /= left;
    }
    chosen
}

/// Waits until no more of the driver's objects exist than before. Memory stays in pools, so bytes don't count. Pools
/// are kept for reuse: as many as were in use at once, at most `pools`.
fn expect_no_more_than(before: Live, pools: usize, what: &str) {
    let before = Live { pools, ..before };
    let counts = |live: Live| {
        let Live { allocations, bytes: _, host_allocations, streams, events, modules, .. } = live;
        let Live { pools, arrays, objects, external, opened, linkers, graphs, .. } = live;
        let first = [allocations, host_allocations, streams, events, modules, pools];
        [first, [arrays, objects, external, opened, linkers, graphs]].concat()
    };
    let known = counts(before);
    let is_more = |now: Live| counts(now).iter().zip(&known).any(|(now, before)| now > before);
    // A thread of Ptyx frees what a stream was still using.
    let deadline = Instant::now() + Duration::from_secs(20);
    while is_more(live()) {
        assert!(Instant::now() < deadline, "{what}: {before:?} became {:?}", live());
        ptyx::synchronize().unwrap();
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Runs a test in child processes, in which work is done at once or late.
fn in_processes(test: &str, work: impl FnOnce()) {
    const CHILD: &str = "PTYX_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        return work();
    }
    for (late, seed) in [("0", "0"), ("1", "1"), ("1", "2")] {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture", "--test-threads=1"])
            .env(CHILD, "1")
            .env("PTYX_DEVICE", "emulator")
            .env("PTYX_EMULATOR_ASYNC", late)
            .env("PTYX_EMULATOR_SEED", seed)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Drops seven kinds of things in different orders: every 12th of all 5040, from one that the seed chooses; all of
/// them with `PTYX_TEST_ALL=1`. In every third order, another thread drops them.
#[test]
fn drops_in_every_order() {
    in_processes("drops_in_every_order", || {
        let count = things(0).unwrap().len();
        let orders: usize = (1..=count).product();
        for number in 0..3 {
            drop(things(number).unwrap());
        }
        ptyx::synchronize().unwrap();
        let before = live();
        let all = std::env::var_os("PTYX_TEST_ALL").is_some();
        let first = (ptyx_test_support::seed() % 12) as usize;
        let tried = if all { (0..orders).step_by(1) } else { (first..orders).step_by(12) };
        eprintln!("from order {first}");
        for (done, number) in tried.enumerate() {
            let mut all: Vec<Option<Thing>> =
                things(number as u32).unwrap().into_iter().map(Some).collect();
            let order = order(number, count);
            let mut dropping = || order.iter().for_each(|&at| drop(all[at].take()));
            match done % 3 {
                0 => std::thread::scope(|scope| scope.spawn(dropping).join().unwrap()),
                _ => dropping(),
            }
            if done % 50 == 0 || number + 12 >= orders {
                ptyx::synchronize().unwrap();
                expect_no_more_than(before, 16, &format!("order {number}: {order:?}"));
            }
        }
    });
}

/// A file of zeros, as another library exports memory.
fn exported(bytes: u64) -> std::os::fd::OwnedFd {
    let path = std::env::temp_dir().join(format!("ptyx-leaks-{}", std::process::id()));
    let file = std::fs::File::options().read(true).write(true).create_new(true).open(&path);
    std::fs::remove_file(path).unwrap();
    file.as_ref().unwrap().set_len(bytes).unwrap();
    file.unwrap().into()
}

/// Things of other kinds, for [`things`].
fn rarer_things() -> Result<Vec<Thing>> {
    let device = Device::current()?;
    let stream = Stream::new()?;
    // SAFETY: the files are as large as this says, and nobody else has them; so below.
    let external = unsafe { ExternalMemory::import(exported(4096), 4096, false, &device)? };
    let semaphore =
        // SAFETY: as above.
        unsafe { ExternalSemaphore::import(exported(8), SemaphoreKind::Timeline, &device)? };
    // SAFETY: as above.
    let shared = unsafe { external.buffer_on::<u32>(0, LEN, &stream)? };
    stream.signal_semaphore(&semaphore, 1)?;
    let mut linker = Linker::new()?;
    linker.add_ptx("add_one", ADD_ONE)?;
    let tiles = TilePool::new(&device, 4)?;
    let mipmaps = CudaArray::<f32>::zeroed_with_levels([8, 8], 2)?;
    static ARRAY: OnceLock<CudaArray<f32>> = OnceLock::new();
    let texture = Texture::<f32>::new(ARRAY.get_or_init(|| CudaArray::zeroed([8, 8]).unwrap()))?;
    Ok(vec![
        Box::new((shared, external)),
        Box::new(semaphore),
        Box::new(linker),
        Box::new(tiles),
        Box::new(mipmaps),
        Box::new(texture),
    ])
}

/// Functions of streams, and graphs with such functions, drop what they own: while the driver calls them, they must not
/// call it.
#[test]
fn host_functions_leak_nothing() {
    in_processes("host_functions_leak_nothing", || {
        let stream = Stream::new().unwrap();
        let round = |number: u32| {
            let mut all = things(number).unwrap();
            all.extend(rarer_things().unwrap());
            let mut later = things(number).unwrap();
            later.extend(rarer_things().unwrap());
            stream.on_host(move || drop(all)).unwrap();
            let kept = std::sync::Mutex::new(later);
            let count = move || assert!(!kept.lock().unwrap().is_empty());
            let exec = stream.capture(|stream| stream.on_host_each(count)).unwrap();
            exec.instantiate().unwrap().launch(&stream).unwrap();
            // A module that nothing but a graph uses any more.
            let mut buffer = DeviceBuffer::<u32>::zeroed(LEN).unwrap();
            let function = Module::from_ptx(ADD_ONE).unwrap().function("add_one").unwrap();
            let graph = stream.capture(|stream| {
                let config = LaunchConfig::new().threads(LEN).stream(stream);
                // SAFETY: the kernel changes as many numbers as the buffer has.
                unsafe { function.launch(config, (&mut buffer,)) }
            });
            let exec = graph.unwrap().instantiate().unwrap();
            exec.launch(&stream).unwrap();
            drop((function, exec));
            assert_eq!(buffer.to_vec().unwrap(), [1; LEN]);
        };
        (0..3).for_each(&round);
        ptyx::synchronize().unwrap();
        let before = live();
        (0..10).for_each(&round);
        ptyx::synchronize().unwrap();
        expect_no_more_than(before, 24, "after the functions");
    });
}

/// A forked child drops its copies of the parent's things and tries to make others. The parent's stay, and are freed once.
#[test]
fn children_by_fork_leak_nothing() {
    in_processes("children_by_fork_leak_nothing", || {
        for number in 0..3 {
            drop(things(number).unwrap());
        }
        ptyx::synchronize().unwrap();
        let before = live();
        let mut kept = Vec::new();
        for number in 0..24 {
            let mut own: Vec<Option<Thing>> =
                things(number).unwrap().into_iter().map(Some).collect();
            let order = order(number as usize * 199, own.len());
            // SAFETY: the child drops its copies, makes calls that Ptyx refuses, and ends. No other thread of this process
            // holds a lock: there are none but those of Ptyx, and the emulated device's lock is this one's.
            unsafe {
                let child = during_fork(|| fork());
                assert!(child >= 0);
                if child == 0 {
                    let here = live();
                    order.iter().for_each(|&at| drop(own[at].take()));
                    let is_refused = things(1).is_err() && Stream::new().is_err();
                    // The child frees none of the parent's objects.
                    match is_refused && live() == here {
                        true if number % 2 == 0 => exit(0),
                        true => _exit(0),
                        false => _exit(3),
                    }
                }
                let mut status = -1;
                assert_eq!(waitpid(child, &mut status, 0), child);
                assert_eq!(status, 0, "{number}: what `waitpid` says of the child");
            }
            kept.push(own);
        }
        assert!(live().arrays >= before.arrays + 24);
        drop(kept);
        ptyx::synchronize().unwrap();
        expect_no_more_than(before, before.pools + 24, "after the children");
    });
}
