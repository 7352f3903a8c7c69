//! What a program does with memory, launches and graphs: the scenarios in which each driver call fails.

use super::super::*;
use super::Scenario;
use crate::{
    CaptureMode, Constant, CudaArray, Device, Event, Global, Graph, GrowableBuffer, GuardedBuffer,
    Linker, ManagedBuffer, ManagedUse, MemoryAdvice, MemoryLimit, MemoryLocation, MemoryPool,
    Module, PinnedBuffer, PitchedBuffer, StagingBuffer, Surface, TensorMap, TensorMapMut, Texture,
    device_static,
};

#[device_static]
static FOUND: Global<u32> = Global::new(0);
#[device_static]
static TABLE: Constant<[u32; 3]> = Constant::new([0; 3]);

pub(super) const SCENARIOS: [Scenario; 24] = [
    ("buffers", || {
        let stream = Stream::new()?;
        let a = DeviceBuffer::from_slice(&[1u32, 2, 3, 4])?;
        let mut b = DeviceBuffer::<u32>::zeroed_on(4, &stream)?;
        b.copy_from_buffer(&a)?;
        b.slice_mut(1..).fill(9)?;
        let clone = b.try_clone()?;
        drop(b);
        assert_eq!(clone.to_vec()?, [1, 9, 9, 9]);
        assert_eq!(a.slice(2..).to_vec()?, [3, 4]);
        Ok(())
    }),
    ("launches", || {
        let x = DeviceBuffer::filled(32, 1.0f32)?;
        let mut y = DeviceBuffer::filled(32, 2.0f32)?;
        let stream = Stream::new()?;
        for stream in [&stream, &Stream::default()?] {
            let config = LaunchConfig::new().threads(32).stream(stream);
            run_saxpy(config, 3.0, &x, &mut y)?;
        }
        assert_eq!(y.to_vec()?, [8.0; 32]);
        crate::synchronize()
    }),
    ("pools", || {
        let (device, stream) = (Device::current()?, Stream::new()?);
        let shared = MemoryPool::shareable(&device, MemoryLimit::None)?;
        let current = MemoryPool::new(&device, MemoryLimit::Bytes(64 << 20))?;
        current.make_current()?;
        let first = DeviceBuffer::<u8>::zeroed_in(100, &shared, &stream)?;
        let second = DeviceBuffer::filled(100, 7u8)?;
        first.share_in_pool()?;
        drop((shared, current));
        let third = DeviceBuffer::<u8>::zeroed(100)?;
        assert!(MemoryPool::of_device(&device)?.is_current()?);
        assert_eq!((first.to_vec()?, second.to_vec()?), (third.to_vec()?, vec![7; 100]));
        Ok(())
    }),
    ("pinned memory", || {
        let mut pinned = PinnedBuffer::from_slice(&[5u32, 6])?;
        let buffer = DeviceBuffer::from_slice(&[7u32, 8])?;
        pinned.copy_from_slice(&buffer.to_vec()?);
        assert_eq!(*pinned, [7, 8]);
        let vector = PinnedBuffer::from_vec(vec![1.0f32; 32])?;
        let mut y = PinnedBuffer::<f32>::zeroed(32)?;
        let stream = Stream::new()?;
        let config = LaunchConfig::new().threads(32).stream(&stream);
        call3(Here, saxpy, config, 2.0f32, &vector, &mut y)?;
        assert_eq!((vector.into_vec(), &*y), (vec![1.0; 32], &[2.0; 32][..]));
        // Nobody else gets this memory: if it can't be unregistered, no later run has to register it again.
        let numbers = Box::leak(Box::new([0u32; 4]));
        PinnedBuffer::scope(&mut numbers[..2], |pinned| {
            buffer.copy_to_pinned_on(pinned, &stream)
        })??;
        assert_eq!(*numbers, [7, 8, 0, 0]);
        Ok(())
    }),
    ("managed memory", || {
        let stream = Stream::new()?;
        let x = ManagedBuffer::from_slice(&[1.0f32; 32])?;
        let mut y = ManagedBuffer::<f32>::zeroed(32)?;
        y.advise(.., MemoryAdvice::PreferredLocation(MemoryLocation::Host))?;
        x.prefetch_on(.., MemoryLocation::Host, &stream)?;
        let config = LaunchConfig::new().threads(32).stream(&stream);
        call3(Here, saxpy, config, 2.0f32, &x, &mut y)?;
        y.attach(ManagedUse::Host, &stream)?;
        assert_eq!(*y, [2.0; 32]);
        assert_eq!(y.attributes(..)?.preferred_location, Some(MemoryLocation::Host));
        Ok(())
    }),
    ("managed memory of graphs", || {
        let stream = Stream::new()?;
        let mut x = GuardedBuffer::new(ManagedBuffer::from_slice(&[1.0f32; 32])?);
        let mut y = GuardedBuffer::new(ManagedBuffer::<f32>::zeroed(32)?);
        let exec = stream.capture(|stream| {
            let config = LaunchConfig::new().threads(32).stream(stream);
            call3(Here, saxpy, config, 2.0f32, &x, &mut y)
        })?;
        let exec = exec.instantiate()?;
        for round in 1..3 {
            x.write().fill(round as f32);
            exec.launch(&stream)?;
        }
        stream.synchronize()?;
        assert_eq!(y.read()[..], [6.0; 32]);
        Ok(())
    }),
    ("pitched arrays", || {
        let stream = Stream::new()?;
        let a = PitchedBuffer::from_slice(&[1u32, 2, 3, 4], [2, 2])?;
        let mut b = PitchedBuffer::filled_on([3, 3], 0.5f64, &stream)?;
        b.part_mut([1..2, 0..3])?.zero()?;
        let mut c = PitchedBuffer::<u32>::zeroed_on([3, 3], &stream)?;
        c.part_mut([0..3, 0..1])?.fill_on(9, &stream)?;
        c.part_mut([1..3, 1..3])?.copy_from_view(&a)?;
        drop(a);
        assert_eq!(c.to_vec()?, [9, 0, 0, 9, 1, 2, 9, 3, 4]);
        let mut pinned = PinnedBuffer::<f64>::zeroed(9)?;
        b.view().copy_to_pinned_on(pinned.view_mut([3, 3])?, &stream)?;
        assert_eq!(*pinned, [0.5, 0.5, 0.5, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5]);
        Ok(())
    }),
    ("streams and events", || {
        let (first, second) = (Stream::new()?, Stream::new()?);
        let mut buffer = DeviceBuffer::<u32>::zeroed_on(100, &first)?;
        let start = Event::new()?;
        start.record(&first)?;
        buffer.fill(1)?;
        start.synchronize()?;
        second.synchronize()?;
        assert_eq!(buffer.to_vec()?, [1; 100]);
        Ok(())
    }),
    ("modules", || {
        const PART: &str =
            ".visible .global .align 4 .u32 v[2] = {3, 4};\n.visible .entry k() { ret; }";
        let mut linker = Linker::new()?;
        linker.add_ptx("part", &[HEAD, PART].concat())?;
        let module = Module::from_image(&linker.finish()?)?;
        let (k, v) = (module.function("k")?, module.global::<u32>("v")?);
        v.copy_from_slice(&[5, 6])?;
        // SAFETY: it does nothing.
        unsafe { k.launch(LaunchConfig::new(), ()) }?;
        assert_eq!(v.to_vec()?, [5, 6]);
        Ok(())
    }),
    ("memory and streams of others", || {
        let theirs = Stream::new()?;
        // SAFETY: the owner keeps the stream.
        let stream = unsafe { Stream::from_raw(theirs.raw(), theirs.clone())? };
        let memory = DeviceBuffer::from_slice_on(&[1u32, 2, 3, 4], &theirs)?;
        let address = memory.as_slice().address();
        // SAFETY: the owner keeps the memory, which nothing else uses.
        let mut buffer = unsafe { DeviceBuffer::<u32>::from_raw_on(address, 4, &stream, memory)? };
        buffer.fill(7)?;
        buffer.lend_on(&stream, |lent| assert_eq!(lent, address))?;
        assert_eq!(buffer.to_vec()?, [7; 4]);
        Ok(())
    }),
    ("profiles", || {
        let (mut buffer, stream) = (DeviceBuffer::<u32>::zeroed(40)?, Stream::new()?);
        let x = DeviceBuffer::filled(32, 1.0f32)?;
        let mut y = DeviceBuffer::filled(32, 2.0f32)?;
        let (sevens, profile) = crate::profile(|| {
            buffer.fill_on(7, &stream)?;
            run_saxpy(LaunchConfig::new().threads(32), 3.0, &x, &mut y)?;
            buffer.to_vec()
        })?;
        assert_eq!((sevens, profile.failed()), (vec![7; 40], 0));
        assert!(profile.work().len() >= 3, "{profile}");
        Ok(())
    }),
    ("graphs", || {
        let (stream, side) = (Stream::new()?, Stream::new()?);
        let x = DeviceBuffer::filled(32, 1.0f32)?;
        let mut y = DeviceBuffer::<f32>::zeroed(32)?;
        let mut z = DeviceBuffer::<f32>::zeroed(32)?;
        let fork = Event::new()?;
        let graph = stream.capture(|stream| {
            let config = LaunchConfig::new().threads(32).stream(stream);
            fork.record(stream)?;
            side.wait(&fork)?;
            run_saxpy(config, 2.0, &x, &mut y)?;
            z.copy_from_buffer_on(&y, &side)
        })?;
        let mut exec = graph.instantiate()?;
        exec.launch(&side)?;
        exec.update(&graph)?;
        exec.launch(&stream)?;
        drop(graph);
        assert_eq!(z.to_vec()?, [4.0; 32]);
        Ok(())
    }),
    ("growable", || {
        let mut buffer = GrowableBuffer::<f32>::with_capacity(10 << 20)?;
        buffer.extend_from_slice(&[1.0; 32])?;
        buffer.resize(1 << 20, 2.0)?;
        let mut y = DeviceBuffer::<f32>::zeroed(32)?;
        run_saxpy(LaunchConfig::new().threads(32), 1.0, &buffer, &mut y)?;
        buffer.truncate(32);
        buffer.shrink_to_fit()?;
        assert_eq!(buffer.to_vec()?, y.to_vec()?);
        Ok(())
    }),
    ("graphs by hand", || {
        let stream = Stream::new()?;
        let x = DeviceBuffer::filled(32, 1.0f32)?;
        let (mut y, mut z) = (DeviceBuffer::<f32>::zeroed(32)?, DeviceBuffer::<f32>::zeroed(32)?);
        let (mut now, zero) = (DeviceBuffer::filled(1, 1u32)?, DeviceBuffer::filled(1, 0u32)?);
        let mut graph = Graph::new()?;
        let config = || LaunchConfig::new().threads(32);
        let kernel = graph.add_node(&[], |s| run_saxpy(config().stream(s), 2.0, &x, &mut y))?;
        graph.add_while(&mut now, &[kernel], |body, now| {
            body.add_node(&[], |s| z.copy_from_buffer_on(&y, s))?;
            body.add_node(&[], |s| now.copy_from_buffer_on(&zero, s)).map(|_| ())
        })?;
        graph.add_if(&zero, &[], |body| body.add_node(&[], |s| z.fill_on(0.0, s)).map(|_| ()))?;
        graph.add_switch(&zero, 2, &[], |body, case| {
            body.add_node(&[], |s| z.fill_on(case as f32, s)).map(|_| ())
        })?;
        graph.with_scratch(32, &[], |graph, scratch| {
            graph.add_node(&[], |s| scratch.copy_from_buffer_on(&y, s))?;
            graph.add_node(&[], |s| z.copy_from_buffer_on(&*scratch, s))
        })?;
        let mut exec = graph.instantiate()?;
        exec.set_node(kernel, |s| run_saxpy(config().stream(s), 3.0, &x, &mut y))?;
        drop(graph);
        exec.launch(&stream)?;
        assert_eq!(z.to_vec()?, [3.0; 32]);
        Ok(())
    }),
    ("graphs and the host", || {
        let stream = Stream::new()?;
        let (mut input, mut output) =
            (StagingBuffer::from_slice(&[1u32, 2, 3])?, StagingBuffer::<u32>::zeroed(3)?);
        let other = StagingBuffer::from_slice(&[4u32, 5, 6])?;
        let mut buffer = DeviceBuffer::<u32>::zeroed(3)?;
        let mut graph = Graph::new()?;
        let read = graph.add_node(&[], |s| buffer.copy_from_pinned_on(&input, s))?;
        graph.add_node(&[], |s| buffer.copy_to_pinned_on(&mut output, s))?;
        let mut exec = graph.instantiate()?;
        input.write()[0] = 9;
        exec.launch(&stream)?;
        stream.synchronize()?;
        assert_eq!(output.read()[..], [9, 2, 3]);
        exec.set_node(read, |s| buffer.copy_from_pinned_on(&other, s))?;
        drop((graph, input, other));
        exec.launch(&stream)?;
        drop(exec);
        stream.synchronize()?;
        assert_eq!(output.read()[..], [4, 5, 6]);
        Ok(())
    }),
    ("arrays and textures", || {
        let stream = Stream::new()?;
        let mut array = CudaArray::<f32>::from_slice(&[1.0, 2.0, 3.0, 4.0], [2, 2])?;
        let mut pinned = PinnedBuffer::from_slice(&[5.0f32, 6.0])?;
        array.copy_part_from_pinned_on([0, 0], pinned.view([1, 2])?, &stream)?;
        let texture = Texture::<f32>::new(&array)?;
        drop(texture);
        drop(Surface::new(&mut array)?);
        let mut other = CudaArray::<f32>::zeroed([2, 2])?;
        other.copy_part_from_array_on([1, 0], &array, [0..1, 0..2], &stream)?;
        other.copy_part_to_pinned_on([1, 0], pinned.view_mut([1, 2])?, &stream)?;
        let mut buffer = DeviceBuffer::<f32>::zeroed(4)?;
        array.copy_to_buffer_on(&mut buffer, &stream)?;
        assert_eq!((&*pinned, buffer.to_vec()?), (&[5.0, 6.0][..], vec![5.0, 6.0, 3.0, 4.0]));
        Ok(())
    }),
    ("arrays and textures in graphs", || {
        let stream = Stream::new()?;
        let mut array = CudaArray::<f32>::zeroed([2, 2])?;
        let staged = StagingBuffer::from_slice(&[1.0f32, 2.0, 3.0, 4.0])?;
        let mut out = DeviceBuffer::<f32>::zeroed(4)?;
        let exec = stream
            .capture(|stream| {
                array.copy_part_from_pinned_on([0, 0], staged.view([2, 2])?, stream)?;
                array.copy_to_buffer_on(&mut out, stream)
            })?
            .instantiate()?;
        drop(array);
        exec.launch(&stream)?;
        assert_eq!(out.to_vec()?, [1.0, 2.0, 3.0, 4.0]);
        Ok(())
    }),
    ("copies between kinds of memory", || {
        let mut array = CudaArray::<f32>::zeroed([2, 3])?;
        let mut managed = ManagedBuffer::<u8>::zeroed(6)?;
        let pitched = PitchedBuffer::from_slice(&[1u16, 2, 3, 4], [2, 2])?;
        crate::copy_as_or(&pitched, [0, -1], &mut array, 0.5)?;
        crate::copy_as(&array, managed.view_mut([2, 3]))?;
        assert_eq!(managed[..], [0, 1, 2, 0, 3, 4]);
        Ok(())
    }),
    ("tensor maps", || {
        let mut x = DeviceBuffer::<f32>::zeroed(64 * 64)?;
        TensorMap::<[[f32; 8]; 32]>::new(&x, [64, 64])?;
        TensorMapMut::<[[f32; 8]; 32]>::new(&mut x, [64, 64])?;
        Ok(())
    }),
    ("conversions", || {
        let stream = Stream::new()?;
        let exact = DeviceBuffer::from_slice(&[0.5f64, 1e300])?;
        let mut short = DeviceBuffer::<f32>::zeroed_on(2, &stream)?;
        short.as_slice_mut().copy_from_buffer_as_on(&exact, &stream)?;
        assert_eq!(short.to_vec()?, [0.5, f32::INFINITY]);
        assert_eq!(DeviceBuffer::<f32>::from_slice_as(&[1.5f64])?.to_vec()?, [1.5]);
        Ok(())
    }),
    ("statics", || {
        FOUND.set(&7)?;
        TABLE.set(&[1, 2, 3])?;
        assert_eq!((FOUND.get()?, TABLE.get()?), (7, [1, 2, 3]));
        Ok(())
    }),
    ("captured copies and statics", || {
        let there = Device::get(1)?;
        let (stream, side, fork) = (Stream::new()?, Stream::new()?, Event::new()?);
        let x = there.with(|| DeviceBuffer::filled(32, 3u32))?;
        let mut y = DeviceBuffer::<u32>::zeroed(32)?;
        let mut z = DeviceBuffer::<f32>::zeroed(32)?;
        let graph = stream.capture(|stream| {
            fork.record(stream)?;
            side.wait(&fork)?;
            y.copy_from_buffer_on(&x, stream)?;
            side.add_capture_dependencies(&stream.capture_dependencies()?)?;
            FOUND.set_on(&9, &side)?;
            z.as_slice_mut().copy_from_buffer_as_on(&y, &side)
        })?;
        let exec = graph.instantiate()?;
        drop((graph, x));
        CaptureMode::Relaxed.with(|| exec.launch(&stream))??;
        assert_eq!((FOUND.get()?, z.to_vec()?), (9, vec![3.0; 32]));
        Ok(())
    }),
    ("other devices", || {
        let there = Device::get(1)?;
        let (stream, theirs) = (Stream::new()?, there.with(Stream::new)?);
        let pool = MemoryPool::new(&there, MemoryLimit::None)?;
        let x = DeviceBuffer::filled(32, 1.0f32)?;
        let mut y = DeviceBuffer::<f32>::zeroed_in(32, &pool, &theirs)?;
        run_saxpy(LaunchConfig::new().threads(32).stream(&stream), 2.0, &x, &mut y)?;
        run_saxpy(LaunchConfig::new().threads(32).stream(&theirs), 2.0, &x, &mut y)?;
        let mut back = DeviceBuffer::<f32>::zeroed(32)?;
        back.copy_from_buffer_on(&y, &stream)?;
        drop(y);
        assert_eq!(back.to_vec()?, [4.0; 32]);
        let array = there.with(|| CudaArray::<u8>::from_slice(&[1, 2, 3, 4], [2, 2]))?;
        let mut copy = CudaArray::<u8>::zeroed([2, 2])?;
        copy.copy_part_from_array_on([0, 0], &array, [0..2, 0..2], &stream)?;
        drop(array);
        assert_eq!(copy.to_vec()?, [1, 2, 3, 4]);
        Ok(())
    }),
    ("panics", || {
        let stream = Stream::new()?;
        let x = DeviceBuffer::filled(32, 1.0f32)?;
        let mut y = DeviceBuffer::<f32>::zeroed(32)?;
        run_saxpy(LaunchConfig::new().threads(32).stream(&stream), 1.0, &x, &mut y)?;
        stream.synchronize()
    }),
];
