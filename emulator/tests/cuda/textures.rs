//! Textures and surfaces by objects.

use super::*;
use crate::device::{driver, is_child, run_child};
use ptyx_driver_api::*;
use std::ffi::c_void;

/// A CUDA array of the driver's.
struct Array {
    handle: usize,
    width: usize,
    rows: usize,
}

impl Array {
    /// An array with the bytes of its texels. `height` and `depth` are 0 for dimensions that there are not.
    fn new(
        size: [usize; 3],
        format: CUarray_format,
        channels: u32,
        flags: u32,
        texels: &[u8],
    ) -> Array {
        let [width, height, depth] = size;
        let descriptor = CUarray3DDescriptor { width, height, depth, format, channels, flags };
        let mut handle = 0;
        let code = driver!(cuArray3DCreate_v2(
            &mut handle => *mut usize,
            &raw const descriptor => *const CUarray3DDescriptor,
        ));
        assert_eq!(code, 0);
        let rows = height.max(1) * depth.max(1);
        let array = Array { handle, width: texels.len() / rows, rows };
        array.copy(texels.as_ptr().cast_mut(), true, height.max(1), depth.max(1));
        array
    }

    /// Copies all texels between the array and the host.
    fn copy(&self, host: *mut u8, to_array: bool, height: usize, depth: usize) {
        let mut host_end = empty(CU_MEMORYTYPE_HOST);
        (host_end.host, host_end.pitch, host_end.height) =
            (host.cast::<c_void>(), self.width, height);
        let mut array_end = empty(CU_MEMORYTYPE_ARRAY);
        array_end.array = CUarray(self.handle as *mut c_void);
        let (from, to) = if to_array { (host_end, array_end) } else { (array_end, host_end) };
        let copy = CUmemcpy3D { from, to, width: self.width, height, depth };
        assert_eq!(driver!(cuMemcpy3D_v2(&raw const copy => *const CUmemcpy3D)), 0);
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.width * self.rows];
        self.copy(bytes.as_mut_ptr(), false, self.rows, 1);
        bytes
    }

    fn resource(&self) -> CUresourceDescriptor {
        CUresourceDescriptor::new(CU_RESOURCE_TYPE_ARRAY, [self.handle as u64, 0, 0, 0, 0])
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        driver!(cuArrayDestroy(self.handle => usize));
    }
}

fn empty(kind: CUmemorytype) -> CUmemcpyEnd3D {
    let null = std::ptr::null_mut();
    CUmemcpyEnd3D {
        x: 0,
        y: 0,
        z: 0,
        level: 0,
        kind,
        host: null,
        device: 0,
        array: CUarray::NULL,
        reserved: null,
        pitch: 0,
        height: 0,
    }
}

/// The nearest texel, clamped to the edge.
fn sampling() -> CUtextureDescriptor {
    CUtextureDescriptor {
        address: [CU_TR_ADDRESS_MODE_CLAMP; 3],
        filter: CU_TR_FILTER_MODE_POINT,
        flags: 0,
        max_anisotropy: 0,
        mip_filter: CU_TR_FILTER_MODE_POINT,
        mip_bias: 0.0,
        mip_min: 0.0,
        mip_max: 99.0,
        border: [0.0; 4],
        reserved: [0; 12],
    }
}

fn texture(resource: &CUresourceDescriptor, sampling: &CUtextureDescriptor) -> u64 {
    let mut number = 0;
    let code = driver!(cuTexObjectCreate(
        &mut number => *mut u64,
        &raw const *resource => *const CUresourceDescriptor,
        &raw const *sampling => *const CUtextureDescriptor,
        std::ptr::null() => *const c_void,
    ));
    assert_eq!(code, 0);
    number
}

fn surface(array: &Array) -> u64 {
    let (mut number, resource) = (0, array.resource());
    let code = driver!(cuSurfObjectCreate(
        &mut number => *mut u64,
        &raw const resource => *const CUresourceDescriptor,
    ));
    assert_eq!(code, 0);
    number
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn blends_and_gathers() {
    let (module, mut random) = (module!("textures"), Random::new());
    let (width, height) = (7, 5);
    let texels = random.reals(width * height, 0.0, 1.0);
    let (format, flags) = (CU_AD_FORMAT_FLOAT, CUDA_ARRAY3D_TEXTURE_GATHER);
    let array = Array::new([width, height, 0], format, 1, flags, &floats(&texels));
    let linear = CUtextureDescriptor { filter: CU_TR_FILTER_MODE_LINEAR, ..sampling() };
    let picture = texture(&array.resource(), &linear);
    // Quarters of texels have exact weights.
    let places: Vec<f32> =
        random.ints(256, -8, 40).iter().map(|&v| v as f32 / 4.0 + 0.125).collect();
    let (at, out) = (Buffer::new(&places), Buffer::new(&[0f32; 128]));
    module.run("fetches", 2, 64, args![picture, at, out]);
    let texel = |x: i64, y: i64| {
        let clamp = |at: i64, size: usize| at.clamp(0, size as i64 - 1) as usize;
        f64::from(texels[clamp(y, height) * width + clamp(x, width)])
    };
    let parts = |place: f32| {
        let shifted = f64::from(place) - 0.5;
        (shifted.floor() as i64, shifted.rem_euclid(1.0))
    };
    for (i, found) in out.values().iter().enumerate() {
        let ((x, a), (y, b)) = (parts(places[2 * i]), parts(places[2 * i + 1]));
        let row = |y| texel(x, y) * (1.0 - a) + texel(x + 1, y) * a;
        let wanted = row(y) * (1.0 - b) + row(y + 1) * b;
        assert!((f64::from(*found) - wanted).abs() < 1e-6, "{found}, not {wanted}");
    }
    let four = Buffer::new(&[0f32; 512]);
    module.run("gathers", 2, 64, args![picture, at, four]);
    for (i, found) in four.values().chunks(4).enumerate() {
        let ((x, _), (y, _)) = (parts(places[2 * i]), parts(places[2 * i + 1]));
        let wanted = [(0, 1), (1, 1), (1, 0), (0, 0)].map(|(dx, dy)| texel(x + dx, y + dy) as f32);
        assert_eq!(found, wanted);
    }
    assert_eq!(driver!(cuTexObjectDestroy(picture => u64)), 0);
}

#[test]
fn layers_of_colours() {
    let (module, mut random) = (module!("textures"), Random::new());
    let texels: Vec<u8> =
        random.words(6 * 4 * 2).iter().flat_map(|word| word.to_le_bytes()).collect();
    let (format, flags) = (CU_AD_FORMAT_UNSIGNED_INT8, CUDA_ARRAY3D_LAYERED);
    let array = Array::new([6, 4, 2], format, 4, flags, &texels);
    let integers = CUtextureDescriptor { flags: CU_TRSF_READ_AS_INTEGER, ..sampling() };
    let pictures = texture(&array.resource(), &integers);
    let places: Vec<f32> = random.ints(128, -2, 8).iter().map(|&v| v as f32 + 0.5).collect();
    let (at, out) = (Buffer::new(&places), Buffer::new(&[0u8; 256]));
    module.run("layers", 1, 64, args![pictures, at, out]);
    for (i, found) in out.values().chunks(4).enumerate() {
        let (x, y) =
            (places[2 * i].clamp(0.0, 5.0) as usize, places[2 * i + 1].clamp(0.0, 3.0) as usize);
        let from = (((i % 3).min(1) * 4 + y) * 6 + x) * 4;
        assert_eq!(found, &texels[from..from + 4]);
    }
    assert_eq!(driver!(cuTexObjectDestroy(pictures => u64)), 0);
}

#[test]
fn device_memory_by_index() {
    let (module, mut random) = (module!("textures"), Random::new());
    let numbers: Vec<i16> = random.ints(200, -30000, 30000).iter().map(|&v| v as i16).collect();
    let memory = Buffer::new(&numbers);
    let words = [memory.address, u64::from(CU_AD_FORMAT_SIGNED_INT16) | 2 << 32, 400, 0, 0];
    let resource = CUresourceDescriptor::new(CU_RESOURCE_TYPE_LINEAR, words);
    let integers = CUtextureDescriptor { flags: CU_TRSF_READ_AS_INTEGER, ..sampling() };
    let table = texture(&resource, &integers);
    let places = random.ints(64, -20, 120);
    let (at, out) = (Buffer::new(&places), Buffer::new(&[0i16; 128]));
    module.run("indexed", 1, 64, args![table, at, out]);
    for (found, &at) in out.values().chunks(2).zip(&places) {
        let wanted = match usize::try_from(at) {
            Ok(at) if at < 100 => &numbers[2 * at..2 * at + 2],
            _ => &[0, 0],
        };
        assert_eq!(found, wanted);
    }
    assert_eq!(driver!(cuTexObjectDestroy(table => u64)), 0);
}

#[test]
fn surfaces() {
    let (module, mut random) = (module!("textures"), Random::new());
    let (width, height) = (9, 6);
    let texels: Vec<u8> =
        random.words(width * height).iter().flat_map(|word| word.to_le_bytes()).collect();
    let (format, flags) = (CU_AD_FORMAT_UNSIGNED_INT8, CUDA_ARRAY3D_SURFACE_LDST);
    let from = Array::new([width, height, 0], format, 4, flags, &texels);
    let to = Array::new([width, height, 0], format, 4, flags, &vec![0; texels.len()]);
    let (a, b) = (surface(&from), surface(&to));
    module.run_2d("turned", [1, 1], [16, 8], args![a, b, width as i32, height as i32]);
    let wanted: Vec<u8> = texels.chunks(4).rev().flatten().copied().collect();
    assert_eq!(to.bytes(), wanted);
    for surface in [a, b] {
        assert_eq!(driver!(cuSurfObjectDestroy(surface => u64)), 0);
    }
    let numbers = random.reals(8 * 2, 0.0, 1.0);
    let flat = Array::new([8, 2, 0], CU_AD_FORMAT_FLOAT, 1, flags, &floats(&numbers));
    let (surface, out) = (surface(&flat), Buffer::new(&[0f32; 48]));
    module.run("edges", 1, 24, args![surface, out]);
    for (i, found) in out.values().chunks(2).enumerate() {
        let x = i as i32 - 8;
        let clamped = numbers[8 + x.clamp(0, 7) as usize];
        assert_eq!(found, [clamped, if (0..8).contains(&x) { clamped } else { 0.0 }], "{x}");
    }
    assert_eq!(driver!(cuSurfObjectDestroy(surface => u64)), 0);
}

#[test]
fn levels() {
    let (module, mut random) = (module!("textures"), Random::new());
    let values = random.reals(4, 0.0, 1.0);
    let descriptor = CUarray3DDescriptor {
        width: 8,
        height: 8,
        depth: 0,
        format: CU_AD_FORMAT_FLOAT,
        channels: 1,
        flags: 0,
    };
    let mut array = 0usize;
    let code = driver!(cuMipmappedArrayCreate(
        &mut array => *mut usize, &raw const descriptor => *const CUarray3DDescriptor, 4 => u32,
    ));
    assert_eq!(code, 0);
    for (index, &value) in values.iter().enumerate() {
        let mut handle = 0usize;
        let index = index as u32;
        let code = driver!(cuMipmappedArrayGetLevel(&mut handle => *mut usize, array => usize, index => u32));
        assert_eq!(code, 0);
        let side = 8 >> index;
        let level = Array { handle, width: 4 * side, rows: side };
        let mut texels = floats(&vec![value; side * side]);
        level.copy(texels.as_mut_ptr(), true, side, 1);
        // It belongs to the array.
        std::mem::forget(level);
    }
    let words = [array as u64, 0, 0, 0, 0];
    let resource = CUresourceDescriptor::new(CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, words);
    let normalized = CUtextureDescriptor { flags: CU_TRSF_NORMALIZED_COORDINATES, ..sampling() };
    let picture = texture(&resource, &normalized);
    let details: Vec<f32> = (0..32).map(|i| (i % 4) as f32 + 0.25 * (i % 3 - 1) as f32).collect();
    let (detail, out) = (Buffer::new(&details), Buffer::new(&[0f32; 32]));
    module.run("levels", 1, 32, args![picture, detail, out]);
    for (found, detail) in out.values().iter().zip(&details) {
        let wanted = 2.0 * values[detail.clamp(0.0, 3.0).round() as usize];
        assert_eq!(*found, wanted, "{detail}");
    }
    assert_eq!(driver!(cuTexObjectDestroy(picture => u64)), 0);
    assert_eq!(driver!(cuMipmappedArrayDestroy(array => usize)), 0);
}

/// What is wrong with a launch of the emulated device.
fn fault(module: &Module, kernel: &str, block: u32, args: &mut [Vec<u8>]) -> String {
    assert_ne!(module.try_run(kernel, (1, block, 0), args), 0);
    ptyx_emulator::driver::take_fault().unwrap_or_default()
}

/// In a process of its own: whichever thread waits for the context first is told of its fault.
#[test]
fn misuse_is_a_fault() {
    // A GPU would be lost.
    if on_gpu() {
        return;
    }
    if !is_child() {
        let printed = run_child("textures::misuse_is_a_fault", &[]);
        assert!(printed.contains("misuse was reported"), "{printed}");
        return;
    }
    let module = module!("textures");
    let array = Array::new([4, 4, 0], CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST, &[0; 64]);
    let (at, out) = (Buffer::new(&[0f32; 64]), Buffer::new(&[0f32; 256]));
    let picture = texture(&array.resource(), &sampling());
    let surface = surface(&array);
    let expect = |kernel: &str, object: u64, words: &str| {
        let report = fault(&module, kernel, 1, args![object, at, out]);
        assert!(report.contains(words), "{report}");
    };
    expect("fetches", 12, "is neither a texture nor a surface");
    expect("fetches", surface, "is a surface, not a texture");
    expect("layers", picture, "the texture is two dimensions, and the instruction reads layers");
    let report = fault(&module, "edges", 1, args![picture, out]);
    assert!(report.contains("is a texture, not a surface"), "{report}");
    // Thread 15 writes left of the surface, as bytes count: 16 columns of 4 are more than the 16 bytes of a row.
    let code = driver!(cuTexObjectDestroy(picture => u64));
    assert_eq!(code, 0);
    expect("fetches", picture, "was destroyed");
    let bytes = [4, 4, 0];
    let colours =
        Array::new(bytes, CU_AD_FORMAT_UNSIGNED_INT8, 4, CUDA_ARRAY3D_SURFACE_LDST, &[0; 64]);
    let narrow = super::textures::surface(&colours);
    let report = fault(&module, "turned", 8, args![narrow, narrow, 8i32, 1i32]);
    assert!(report.contains("a surface's access at byte 16 of row 0"), "{report}");
    let kept = texture(&array.resource(), &sampling());
    drop(array);
    expect("fetches", kept, "was freed");
    println!("misuse was reported");
}
