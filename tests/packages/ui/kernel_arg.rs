// A struct of the host and the kernel's struct that it becomes must fit.
use ptyx::prelude::*;

struct MeshView<'a> {
    points: &'a [f32],
    areas: Disjoint<'a, f32>,
    scale: f32,
}

#[derive(KernelArg)]
#[kernel_arg(MeshView<'a>)]
struct OtherName<'a> {
    pts: &'a DeviceBuffer<f32>,
    areas: &'a mut DeviceBuffer<f32>,
    scale: f32,
}

#[derive(KernelArg)]
#[kernel_arg(MeshView<'a>)]
struct OtherType<'a> {
    points: &'a DeviceBuffer<f64>,
    areas: &'a DeviceBuffer<f32>,
    scale: u32,
}

#[derive(KernelArg)]
#[kernel_arg(MeshView<'a>)]
struct Fewer<'a> {
    points: &'a DeviceBuffer<f32>,
    areas: &'a mut DeviceBuffer<f32>,
}

#[derive(KernelArg)]
#[kernel_arg(MeshView<'a>)]
struct HostMemory<'a> {
    points: Vec<f32>,
    areas: &'a mut DeviceBuffer<f32>,
    scale: f32,
}

#[repr(packed)]
struct PackedView<'a> {
    scale: u8,
    points: &'a [f32],
}

#[derive(KernelArg)]
#[kernel_arg(PackedView<'a>)]
struct Packed<'a> {
    scale: u8,
    points: &'a DeviceBuffer<f32>,
}

fn main() {}
