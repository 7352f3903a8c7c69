//! Programs of random calls on buffers, arrays, streams, events, graphs and devices, against a model in which each call takes place
//! at once: in whatever order the device does the work, and whatever is dropped before it is done, the host reads what the
//! model says. Nothing leaks.
//!
//! Each seed is a process of its own, in which the emulated device runs work as late as it may. `PTYX_SEED` repeats a run.

use ptyx::device::random::{Philox4x32, Random};
use ptyx::{
    CudaArray, Device, DeviceBuffer, Event, Function, GraphExec, GrowableBuffer, LaunchConfig,
    ManagedBuffer, MemoryLimit, MemoryPool, Module, PinnedBuffer, Result, StagingBuffer, Stream,
};
use ptyx_emulator::driver::{Live, live};
use std::process::Command;

/// Adds `a` to each of `n` numbers, after `spin` rounds of nothing.
const ADD: &str = "
.version 6.3
.target sm_70
.address_size 64
.visible .entry add(.param .u64 p, .param .u64 n, .param .u32 a, .param .u32 spin)
{
	.reg .pred %p<3>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [n];
	ld.param.u32 %r1, [a];
	ld.param.u32 %r2, [spin];
	mov.u32 %r3, %ctaid.x;
	mov.u32 %r4, %ntid.x;
	mov.u32 %r5, %tid.x;
	mad.lo.s32 %r3, %r3, %r4, %r5;
	cvt.u64.u32 %rd3, %r3;
	setp.ge.u64 %p1, %rd3, %rd2;
	@%p1 bra $end;
$loop:
	setp.eq.u32 %p2, %r2, 0;
	@%p2 bra $done;
	sub.u32 %r2, %r2, 1;
	bra $loop;
$done:
	shl.b64 %rd4, %rd3, 2;
	add.s64 %rd5, %rd1, %rd4;
	ld.global.u32 %r6, [%rd5];
	add.u32 %r6, %r6, %r1;
	st.global.u32 [%rd5], %r6;
$end:
	ret;
}
";

const LEN: usize = 96;
const BUFFERS: usize = 6;
const STREAMS: usize = 4;
const ARRAYS: usize = 2;
/// Rows and columns of `LEN` texels.
const SHAPE: [usize; 2] = [8, 12];
const CALLS: usize = 300;

type Numbers = [u32; LEN];

/// A buffer with what the model says is in it.
struct Tracked {
    device: usize,
    buffer: DeviceBuffer<u32>,
    model: Numbers,
}

/// A CUDA array with what the model says is in it.
struct Texels {
    device: usize,
    array: CudaArray<u32>,
    model: Numbers,
}

/// A graph that adds to a buffer and stages a copy; the buffer may be gone.
struct Recorded {
    exec: GraphExec,
    device: usize,
    /// The buffer's number and how often the place was filled then, and what is added.
    of: (usize, u32, u32),
    staged: StagingBuffer<u32>,
}

struct Program {
    random: Philox4x32,
    devices: Vec<Device>,
    functions: Vec<Function>,
    streams: Vec<(usize, Stream)>,
    buffers: Vec<Tracked>,
    /// How often each place was filled.
    births: [u32; BUFFERS],
    pinned: (PinnedBuffer<u32>, Numbers),
    managed: (ManagedBuffer<u32>, Numbers),
    arrays: Vec<Texels>,
    growable: (usize, GrowableBuffer<u32>, Vec<u32>),
    recorded: Option<Recorded>,
    log: Vec<String>,
}

impl Program {
    fn new(seed: u64) -> Result<Program> {
        let devices = Device::all()?;
        let add = |device: &Device| device.with(|| Module::from_ptx(ADD)?.function("add"));
        let functions = devices.iter().map(add).collect::<Result<_>>()?;
        let mut program = Program {
            random: Philox4x32::at(seed, 0, 0),
            devices,
            functions,
            streams: Vec::new(),
            buffers: Vec::new(),
            births: [0; BUFFERS],
            pinned: (PinnedBuffer::zeroed(LEN)?, [0; LEN]),
            managed: (ManagedBuffer::zeroed(LEN)?, [0; LEN]),
            arrays: Vec::new(),
            growable: (0, GrowableBuffer::with_capacity(1 << 20)?, Vec::new()),
            recorded: None,
            log: Vec::new(),
        };
        for _ in 0..STREAMS {
            let stream = program.stream()?;
            program.streams.push(stream);
        }
        for _ in 0..BUFFERS {
            let buffer = program.buffer()?;
            program.buffers.push(buffer);
        }
        for _ in 0..ARRAYS {
            let texels = program.texels()?;
            program.arrays.push(texels);
        }
        Ok(program)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random.next_u32() as usize % limit
    }

    fn stream(&mut self) -> Result<(usize, Stream)> {
        let device = self.below(self.devices.len());
        Ok((device, self.devices[device].with(Stream::new)?))
    }

    /// One of the streams of a device, or a new one.
    fn stream_of(&mut self, device: usize) -> Result<Stream> {
        let at = self.below(STREAMS);
        match &self.streams[at] {
            (of, stream) if *of == device => Ok(stream.clone()),
            _ => self.devices[device].with(Stream::new),
        }
    }

    fn buffer(&mut self) -> Result<Tracked> {
        let (device, value) = (self.below(self.devices.len()), self.random.next_u32());
        let stream = self.stream_of(device)?;
        let in_pool = self.below(3) == 0;
        let buffer = if in_pool {
            let pool = MemoryPool::new(&self.devices[device], MemoryLimit::None)?;
            let mut buffer = DeviceBuffer::zeroed_in(LEN, &pool, &stream)?;
            buffer.fill_on(value, &stream)?;
            pool.trim(0)?;
            buffer
        } else {
            self.devices[device].with(|| DeviceBuffer::filled_on(LEN, value, &stream))?
        };
        Ok(Tracked { device, buffer, model: [value; LEN] })
    }

    fn texels(&mut self) -> Result<Texels> {
        let (device, model) = (self.below(self.devices.len()), [self.random.next_u32(); LEN]);
        let stream = self.stream_of(device)?;
        Ok(Texels { device, array: CudaArray::from_slice_on(&model, SHAPE, &stream)?, model })
    }

    fn check(&self, what: &str, found: &[u32], model: &[u32]) {
        assert!(found == model, "{what}: {found:?}, not {model:?}, after {:#?}", self.log);
    }

    fn call(&mut self) -> Result<()> {
        let (kind, at, other) = (self.below(20), self.below(BUFFERS), self.below(BUFFERS));
        let value = self.random.next_u32();
        let start = self.below(LEN);
        let range = start..start + self.below(LEN - start) + 1;
        let device = self.buffers[at].device;
        self.log.push(format!("{kind}: {at} {other} {range:?}"));
        let stream = self.stream_of(device)?;
        match kind {
            0 | 1 => {
                let Tracked { buffer, model, .. } = &mut self.buffers[at];
                buffer.slice_mut(range.clone()).fill_on(value, &stream)?;
                model[range].fill(value);
            }
            2..=4 => {
                let config = LaunchConfig::new().blocks(3).threads(32).stream(&stream);
                let Tracked { buffer, model, .. } = &mut self.buffers[at];
                let part = buffer.slice_mut(range.clone());
                let args = (part, range.len() as u64, value, value % 200);
                // SAFETY: the kernel changes so many numbers of this part, which is its argument.
                unsafe { self.functions[device].launch(config, args) }?;
                model[range].iter_mut().for_each(|number| *number = number.wrapping_add(value));
            }
            5 | 6 if at != other => {
                let from = self.buffers[other].model;
                let (to, from_buffer) = match at < other {
                    true => {
                        let (low, high) = self.buffers.split_at_mut(other);
                        (&mut low[at], &high[0])
                    }
                    false => {
                        let (low, high) = self.buffers.split_at_mut(at);
                        (&mut high[0], &low[other])
                    }
                };
                let mut part = to.buffer.slice_mut(range.clone());
                part.copy_from_buffer_on(from_buffer.buffer.slice(range.clone()), &stream)?;
                to.model[range.clone()].copy_from_slice(&from[range]);
            }
            7 => {
                let found = self.buffers[at].buffer.to_vec()?;
                self.check("a buffer", &found, &self.buffers[at].model);
            }
            8 => {
                self.buffers[at].buffer.copy_to_pinned_on(&mut self.pinned.0, &stream)?;
                self.pinned.1 = self.buffers[at].model;
            }
            9 => {
                self.buffers[at].buffer.copy_from_pinned_on(&self.pinned.0, &stream)?;
                self.buffers[at].model = self.pinned.1;
            }
            10 => {
                let (found, model) = (self.pinned.0.to_vec(), self.pinned.1);
                self.check("pinned memory", &found, &model);
                (self.pinned.0[start], self.pinned.1[start]) = (value, value);
            }
            11 => {
                // The old one is dropped while its work may wait.
                self.births[at] += 1;
                self.buffers[at] = self.buffer()?;
            }
            12 => {
                let place = self.below(STREAMS);
                self.streams[place] = self.stream()?;
            }
            13 => {
                let (event, from) = (Event::new()?, self.stream_of(0)?);
                event.record(&from)?;
                drop(from);
                self.devices[0].with(|| Stream::new()?.wait(&event))?;
                stream.wait(&event)?;
            }
            14 => {
                let config = LaunchConfig::new().blocks(3).threads(32).stream(&stream);
                let (managed, model) = &mut self.managed;
                // SAFETY: as above.
                unsafe {
                    self.functions[device].launch(config, (&mut *managed, LEN as u64, value, 50u32))
                }?;
                model.iter_mut().for_each(|number| *number = number.wrapping_add(value));
                if start.is_multiple_of(2) {
                    let (found, model) = (self.managed.0.to_vec(), self.managed.1);
                    self.check("managed memory", &found, &model);
                    (self.managed.0[start], self.managed.1[start]) = (value, value);
                }
            }
            15 | 16 => self.array(at, value, &stream)?,
            17 => self.grow(value)?,
            _ => self.graph(at, value, &stream)?,
        }
        Ok(())
    }

    /// Copies between arrays, and between an array and a buffer; `stream` is on the buffer's device.
    fn array(&mut self, at: usize, value: u32, stream: &Stream) -> Result<()> {
        let (one, kind) = (self.below(ARRAYS), self.below(5));
        let is_near = self.arrays[one].device == self.buffers[at].device;
        let (texels, buffer) = (&mut self.arrays[one], &mut self.buffers[at]);
        match kind {
            0 if is_near => {
                texels.array.copy_from_buffer_on(&buffer.buffer, stream)?;
                texels.model = buffer.model;
            }
            1 if is_near => {
                texels.array.copy_to_buffer_on(&mut buffer.buffer, stream)?;
                buffer.model = texels.model;
            }
            // The old one is dropped while its work may wait.
            2 if value.is_multiple_of(2) => self.arrays[one] = self.texels()?,
            2 | 3 => {
                let found = texels.array.to_vec()?;
                self.check("an array", &found, &self.arrays[one].model);
            }
            _ => {
                let device = self.arrays[one].device;
                let stream = self.stream_of(device)?;
                let (low, high) = self.arrays.split_at_mut(1);
                let (to, from) = match one {
                    0 => (&mut low[0], &high[0]),
                    _ => (&mut high[0], &low[0]),
                };
                // The upper half, from the lower one.
                let [rows, columns] = SHAPE;
                let part = [rows / 2..rows, 0..columns];
                to.array.copy_part_from_array_on([0, 0], &from.array, part, &stream)?;
                to.model[..LEN / 2].copy_from_slice(&from.model[LEN / 2..]);
            }
        }
        Ok(())
    }

    /// Changes the length of a buffer, and what is in it.
    fn grow(&mut self, value: u32) -> Result<()> {
        let (kind, count) = (self.below(6), self.below(3 * LEN));
        let stream = self.stream_of(self.growable.0)?;
        let (device, buffer, model) = &mut self.growable;
        match kind {
            0 | 1 => {
                buffer.extend_from_slice(&vec![value; count])?;
                model.extend(std::iter::repeat_n(value, count));
            }
            2 if !model.is_empty() => {
                let len = model.len();
                let config = LaunchConfig::new().blocks(len.div_ceil(32)).threads(32);
                let args = (buffer.as_slice_mut(), len as u64, value, value % 200);
                // SAFETY: the kernel changes so many numbers of its argument.
                unsafe { self.functions[*device].launch(config.stream(&stream), args) }?;
                model.iter_mut().for_each(|number| *number = number.wrapping_add(value));
            }
            3 => {
                buffer.truncate(count);
                model.truncate(count);
                buffer.shrink_to_fit()?;
            }
            // The old one is dropped while its work may wait.
            4 if value.is_multiple_of(4) => {
                let device = self.below(self.devices.len());
                let new = self.devices[device].with(|| GrowableBuffer::with_capacity(1 << 20))?;
                self.growable = (device, new, Vec::new());
            }
            _ => {
                let found = buffer.to_vec()?;
                self.check("a growable buffer", &found, &self.growable.2);
            }
        }
        Ok(())
    }

    /// Records a graph, or launches the one that was recorded.
    fn graph(&mut self, at: usize, value: u32, stream: &Stream) -> Result<()> {
        let Some(recorded) = self.recorded.take() else {
            let Tracked { device, buffer, .. } = &mut self.buffers[at];
            let function = &self.functions[*device];
            let mut staged = self.devices[*device].with(|| StagingBuffer::<u32>::zeroed(LEN))?;
            let graph = stream.capture(|stream| {
                let config = LaunchConfig::new().blocks(3).threads(32).stream(stream);
                // SAFETY: as above.
                unsafe { function.launch(config, (&mut *buffer, LEN as u64, value, 30u32)) }?;
                buffer.copy_to_pinned_on(&mut staged, stream)
            })?;
            let (exec, of) = (graph.instantiate()?, (at, self.births[at], value));
            self.recorded = Some(Recorded { exec, device: *device, of, staged });
            return Ok(());
        };
        let (of, birth, added) = recorded.of;
        let stream = self.stream_of(recorded.device)?;
        recorded.exec.launch(&stream)?;
        if birth == self.births[of] {
            let model = &mut self.buffers[of].model;
            model.iter_mut().for_each(|number| *number = number.wrapping_add(added));
            if value.is_multiple_of(2) {
                let found = recorded.staged.read().to_vec();
                self.check("a staged copy", &found, &self.buffers[of].model);
            }
        }
        if !value.is_multiple_of(3) {
            self.recorded = Some(recorded);
        }
        Ok(())
    }
}

fn run(seed: u64) -> Result<()> {
    let mut program = Program::new(seed)?;
    for _ in 0..CALLS {
        program.call()?;
    }
    for at in 0..BUFFERS {
        let found = program.buffers[at].buffer.to_vec()?;
        program.check("a buffer at the end", &found, &program.buffers[at].model);
    }
    for Texels { array, model, .. } in &program.arrays {
        program.check("an array at the end", &array.to_vec()?, model);
    }
    program.check(
        "a growable buffer at the end",
        &program.growable.1.to_vec()?,
        &program.growable.2,
    );
    program.check("pinned memory at the end", &program.pinned.0, &program.pinned.1);
    ptyx::synchronize()
}

/// How many of the driver's objects exist, kind by kind.
fn objects() -> [usize; 9] {
    let Live { allocations, host_allocations, streams, events, modules, pools, .. } = live();
    let Live { arrays, objects, graphs, .. } = live();
    [allocations, host_allocations, streams, events, modules, pools, arrays, objects, graphs]
}

/// The first of a child's seeds.
const CHILD: &str = "PTYX_TEST_CHILD";

#[test]
fn what_the_host_reads_is_what_the_calls_say() {
    if let Ok(seed) = std::env::var(CHILD) {
        let seed: u64 = seed.parse().unwrap();
        let run_all = || {
            (seed..seed + 10)
                .for_each(|seed| run(seed).unwrap_or_else(|e| panic!("seed {seed}: {e}")));
        };
        run_all();
        // Now everything exists that the process keeps for good.
        let before = objects();
        run_all();
        let start = std::time::Instant::now();
        // Ptyx keeps streams and pools of its own for reuse: as many as were busy at once, on three devices.
        let [allocations, host_allocations, streams, events, modules, pools, rest @ ..] = before;
        let [streams, pools] = [streams.max(3 * 18), pools.max(3 * 20)];
        let [arrays, textures, graphs] = rest;
        let most = [
            allocations,
            host_allocations,
            streams,
            events,
            modules,
            pools,
            arrays,
            textures,
            graphs,
        ];
        while objects().iter().zip(most).any(|(now, most)| *now > most) {
            // A thread of Ptyx frees what a stream was still using.
            assert!(start.elapsed().as_secs() < 20, "{before:?} became {:?}", objects());
            Device::all().unwrap().iter().for_each(|device| device.synchronize().unwrap());
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        return;
    }
    let first = ptyx_test_support::seed();
    for (index, (devices, peers)) in [("1", "1"), ("3", "1"), ("3", "0")].into_iter().enumerate() {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "what_the_host_reads_is_what_the_calls_say", "--nocapture"])
            .env(CHILD, first.wrapping_add(10 * index as u64).to_string())
            .env("PTYX_EMULATOR_ASYNC", "1")
            .env("PTYX_EMULATOR_SEED", first.to_string())
            .env("PTYX_EMULATOR_DEVICES", devices)
            .env("PTYX_EMULATOR_PEER_ACCESS", peers)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text}");
    }
}
