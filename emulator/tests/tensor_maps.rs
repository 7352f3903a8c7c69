//! The driver's tensor maps: each rule of its documentation.

mod device;

use device::{Device, driver};
use ptyx_driver_api::*;
use std::ffi::{c_int, c_void};

/// A tensor map's arguments, the innermost dimension first.
#[derive(Clone)]
struct Tensor {
    element: u32,
    address: u64,
    sizes: Vec<u64>,
    strides: Vec<u64>,
    sides: Vec<u32>,
    steps: Vec<u32>,
    interleave: u32,
    swizzle: u32,
    promotion: u32,
    fill: u32,
}

impl Tensor {
    fn encode(&self) -> c_int {
        let mut map = CUtensorMap::EMPTY;
        let code = driver!(cuTensorMapEncodeTiled(
            &raw mut map => *mut CUtensorMap, self.element => u32, self.sizes.len() as u32 => u32,
            self.address as *mut c_void => *mut c_void, self.sizes.as_ptr() => *const u64,
            self.strides.as_ptr() => *const u64, self.sides.as_ptr() => *const u32,
            self.steps.as_ptr() => *const u32, self.interleave => u32,
            self.swizzle => u32, self.promotion => u32, self.fill => u32,
        ));
        assert_eq!(code == 0, map.opaque != CUtensorMap::EMPTY.opaque);
        code
    }
}

#[test]
fn tensor_maps_are_checked() {
    let device = Device::new();
    let address = device.upload(&[0; 4096]);
    let good = Tensor {
        element: CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
        address,
        sizes: vec![16, 8, 4],
        strides: vec![64, 512],
        sides: vec![8, 8, 2],
        steps: vec![1, 2, 1],
        interleave: CU_TENSOR_MAP_INTERLEAVE_NONE,
        swizzle: CU_TENSOR_MAP_SWIZZLE_32B,
        promotion: CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
        fill: CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA,
    };
    assert_eq!(good.encode(), 0);
    type Change = fn(&mut Tensor);
    let fine: [Change; 7] = [
        |t| t.element = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        |t| t.element = CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
        |t| t.element = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
        |t| t.sizes[2] = 1 << 32,
        |t| t.strides[1] = (1 << 40) - 16,
        |t| t.sides[1] = 256,
        |t| t.steps[1] = 8,
    ];
    for (index, change) in fine.into_iter().enumerate() {
        let mut tensor = good.clone();
        change(&mut tensor);
        assert_eq!(tensor.encode(), 0, "change {index}");
    }
    let wrong: [Change; 16] = [
        |t| t.element = 100,
        |t| t.address += 4,
        |t| t.sizes[1] = 0,
        |t| t.sizes[2] = (1 << 32) + 1,
        |t| t.strides[0] = 72,
        |t| t.strides[1] = 1 << 40,
        |t| t.sides[2] = 0,
        |t| t.sides[1] = 257,
        |t| t.sides[0] = 6,  // rows of 24 bytes
        |t| t.sides[0] = 16, // rows wider than the swizzle
        |t| t.steps[1] = 0,
        |t| t.steps[2] = 9,
        |t| t.swizzle = 9,
        |t| t.promotion = 4,
        |t| t.fill = 2,
        |t| t.element = CU_TENSOR_MAP_DATA_TYPE_UINT32, // has no NaN
    ];
    for (index, change) in wrong.into_iter().enumerate() {
        let mut tensor = good.clone();
        change(&mut tensor);
        assert_eq!(tensor.encode() as u32, CUDA_ERROR_INVALID_VALUE, "change {index}");
    }
    let mut flat = good.clone();
    (flat.sizes, flat.strides, flat.sides, flat.steps) = (vec![], vec![], vec![], vec![]);
    assert_eq!(flat.encode() as u32, CUDA_ERROR_INVALID_VALUE, "no dimensions");
    device.free(address);
}

#[test]
fn interleaved_layouts_are_checked() {
    let device = Device::new();
    let address = device.upload(&[0; 4096]);
    // 2 images of 2 slices of 16 channels, 3 rows and 8 columns.
    let good = Tensor {
        element: CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
        address,
        sizes: vec![8, 3, 2, 2],
        strides: vec![256, 768, 1536],
        sides: vec![8, 3, 1, 1],
        steps: vec![1, 2, 1, 1],
        interleave: CU_TENSOR_MAP_INTERLEAVE_32B,
        swizzle: CU_TENSOR_MAP_SWIZZLE_32B,
        promotion: CU_TENSOR_MAP_L2_PROMOTION_NONE,
        fill: CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
    };
    assert_eq!(good.encode(), 0);
    type Change = fn(&mut Tensor);
    let of_16_bytes: [Change; 6] = [
        |_| (),
        |t| t.sides[2] = 24,
        |t| t.swizzle = CU_TENSOR_MAP_SWIZZLE_NONE,
        |t| (t.swizzle, t.sides[0]) = (CU_TENSOR_MAP_SWIZZLE_64B, 128),
        |t| t.address += 16,
        |t| t.strides[1] += 16,
    ];
    for (index, change) in of_16_bytes.into_iter().enumerate() {
        let mut tensor = good.clone();
        tensor.interleave = CU_TENSOR_MAP_INTERLEAVE_16B;
        change(&mut tensor);
        assert_eq!(tensor.encode(), 0, "change {index}");
    }
    let wrong: [Change; 8] = [
        |t| t.interleave = 3,
        |t| t.swizzle = CU_TENSOR_MAP_SWIZZLE_NONE,
        |t| t.swizzle = CU_TENSOR_MAP_SWIZZLE_64B,
        |t| t.address += 16,
        |t| t.strides[1] += 16,
        |t| t.sides[0] = 4, // columns, of 2 bytes each
        |t| t.steps[0] = 9,
        |t| (t.sizes, t.strides, t.sides) = (vec![8, 3], vec![256], vec![8, 3]),
    ];
    for (index, change) in wrong.into_iter().enumerate() {
        let mut tensor = good.clone();
        change(&mut tensor);
        assert_eq!(tensor.encode() as u32, CUDA_ERROR_INVALID_VALUE, "change {index}");
    }
    device.free(address);
}

#[test]
fn columns_of_interleaved_layouts_are_checked() {
    let device = Device::new();
    let address = device.upload(&[0; 4096]);
    let encode = |swizzle: u32, interleave: u32, channels: u32, address: u64| {
        let mut map = CUtensorMap::EMPTY;
        // 2 images of 2 slices, 3 rows and 8 columns.
        let (sizes, strides) = ([8u64, 3, 2, 2], [256u64, 768, 1536]);
        let (lower, upper, steps) = ([-1i32; 2], [-1i32; 2], [3u32, 2, 1, 1]);
        driver!(cuTensorMapEncodeIm2col(
            &raw mut map => *mut CUtensorMap, CU_TENSOR_MAP_DATA_TYPE_FLOAT16 => u32, 4 => u32,
            address as *mut c_void => *mut c_void, sizes.as_ptr() => *const u64,
            strides.as_ptr() => *const u64, lower.as_ptr() => *const c_int,
            upper.as_ptr() => *const c_int, channels => u32, 64 => u32, steps.as_ptr() => *const u32,
            interleave => u32, swizzle => u32, CU_TENSOR_MAP_L2_PROMOTION_NONE => u32,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE => u32,
        )) as u32
    };
    let (b16, b32) = (CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_INTERLEAVE_32B);
    assert_eq!(encode(CU_TENSOR_MAP_SWIZZLE_NONE, b16, 8, address), CUDA_SUCCESS);
    assert_eq!(encode(CU_TENSOR_MAP_SWIZZLE_128B, b16, 8, address + 16), CUDA_SUCCESS);
    assert_eq!(encode(CU_TENSOR_MAP_SWIZZLE_32B, b32, 16, address), CUDA_SUCCESS);
    for (swizzle, interleave, channels, address) in [
        (CU_TENSOR_MAP_SWIZZLE_NONE, b32, 16, address),
        (CU_TENSOR_MAP_SWIZZLE_32B, b32, 16, address + 16),
        (CU_TENSOR_MAP_SWIZZLE_NONE, b16, 4, address),
        (CU_TENSOR_MAP_SWIZZLE_NONE, 3, 8, address),
    ] {
        let code = encode(swizzle, interleave, channels, address);
        assert_eq!(code, CUDA_ERROR_INVALID_VALUE, "{swizzle} {interleave} {channels}");
    }
    device.free(address);
}
