//! Kernels for the tests: PTX by hand, and the function that stands for it.

use ptyx_device::{Array, Atomics, Disjoint, SliceMut};
use ptyx_macros::kernel;

pub(super) const HEAD: &str = ".version 6.3\n.target sm_70\n.address_size 64\n";

/// `y = a x + y`: `a: f32, x: &[f32], y: Disjoint<f32>`.
pub(super) const SAXPY: &str = "
.visible .entry saxpy(
	.param .f32 saxpy_param_0,
	.param .u64 saxpy_param_1,
	.param .u64 saxpy_param_2,
	.param .u64 saxpy_param_3,
	.param .u64 saxpy_param_4
)
{
	.reg .pred %p<2>;
	.reg .b32 %r<5>;
	.reg .f32 %f<5>;
	.reg .b64 %rd<9>;
	ld.param.f32 %f1, [saxpy_param_0];
	ld.param.u64 %rd1, [saxpy_param_1];
	ld.param.u64 %rd2, [saxpy_param_3];
	ld.param.u64 %rd3, [saxpy_param_4];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.s32 %r4, %r1, %r2, %r3;
	cvt.u64.u32 %rd4, %r4;
	setp.ge.u64 %p1, %rd4, %rd3;
	@%p1 bra $L_end;
	shl.b64 %rd5, %rd4, 2;
	add.s64 %rd6, %rd1, %rd5;
	add.s64 %rd7, %rd2, %rd5;
	ld.global.f32 %f2, [%rd6];
	ld.global.f32 %f3, [%rd7];
	fma.rn.f32 %f4, %f1, %f2, %f3;
	st.global.f32 [%rd7], %f4;
$L_end:
	ret;
}
";

#[kernel]
#[allow(unused_variables)]
pub(super) fn saxpy(a: f32, x: &[f32], y: Disjoint<f32>) {}

/// Writes what the launch calculates from a number: `number: u64, out: SliceMut<u32>`, and two limits; then 0, which is
/// for the level of a proof.
pub(super) const LIMITS: &str = "
.visible .entry limits(
	.param .u64 limits_param_0,
	.param .u64 limits_param_1,
	.param .u64 limits_param_2,
	.param .u32 limits_param_3,
	.param .u32 limits_param_4
)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [limits_param_1];
	ld.param.u32 %r1, [limits_param_3];
	ld.param.u32 %r2, [limits_param_4];
	mov.u32 %r3, 0;
	st.global.u32 [%rd1], %r1;
	st.global.u32 [%rd1+4], %r2;
	st.global.u32 [%rd1+8], %r3;
	ret;
}
";

#[kernel]
#[allow(unused_variables)]
pub(super) fn limits(number: u64, out: SliceMut<u32>) {}

/// Adds `count` times 1 to `out[0]`, slowly: `count: u32, out: SliceMut<u32>`.
pub(super) const SLOW: &str = "
.visible .entry slow(
	.param .u32 slow_param_0,
	.param .u64 slow_param_1,
	.param .u64 slow_param_2
)
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<3>;
	ld.param.u32 %r1, [slow_param_0];
	ld.param.u64 %rd1, [slow_param_1];
$L_loop:
	ld.volatile.global.u32 %r2, [%rd1];
	add.u32 %r2, %r2, 1;
	st.volatile.global.u32 [%rd1], %r2;
	sub.u32 %r1, %r1, 1;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra $L_loop;
	ret;
}
";

#[kernel]
#[allow(unused_variables)]
pub(super) fn slow(count: u32, out: SliceMut<u32>) {}

/// Writes the shape of the launch: `out: SliceMut<u32>`.
pub(super) const SHAPE: &str = "
.visible .entry shape(
	.param .u64 shape_param_0,
	.param .u64 shape_param_1
)
{
	.reg .b32 %r<8>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [shape_param_0];
	mov.u32 %r1, %nctaid.x;
	mov.u32 %r2, %nctaid.y;
	mov.u32 %r3, %nctaid.z;
	mov.u32 %r4, %ntid.x;
	mov.u32 %r5, %ntid.y;
	mov.u32 %r6, %ntid.z;
	mov.u32 %r7, %dynamic_smem_size;
	st.global.u32 [%rd1], %r1;
	st.global.u32 [%rd1+4], %r2;
	st.global.u32 [%rd1+8], %r3;
	st.global.u32 [%rd1+12], %r4;
	st.global.u32 [%rd1+16], %r5;
	st.global.u32 [%rd1+20], %r6;
	st.global.u32 [%rd1+24], %r7;
	ret;
}
";

#[kernel]
#[allow(unused_variables)]
pub(super) fn shape(out: SliceMut<u32>) {}

#[kernel]
#[allow(unused_variables)]
pub(super) fn flat_shape(out: SliceMut<u32>) {}

#[kernel]
#[allow(unused_variables)]
pub(super) fn counted_shape(out: SliceMut<u32>) {}

#[kernel]
#[allow(unused_variables)]
pub(super) fn preferring_shape(out: SliceMut<u32>) {}

/// Writes a scalar of a captured value: `f: F, out: SliceMut<u64>`; the closure has a `u8` and a
/// `u64`, passed as two parameters.
pub(super) const CAPTURE: &str = "
.visible .entry capture(
	.param .u8 capture_param_0,
	.param .u64 capture_param_1,
	.param .u64 capture_param_2,
	.param .u64 capture_param_3
)
{
	.reg .b16 %rs<2>;
	.reg .b64 %rd<4>;
	ld.param.u8 %rs1, [capture_param_0];
	ld.param.u64 %rd1, [capture_param_1];
	ld.param.u64 %rd2, [capture_param_2];
	cvt.u64.u16 %rd3, %rs1;
	add.u64 %rd1, %rd1, %rd3;
	st.global.u64 [%rd2], %rd1;
	ret;
}
";

#[kernel]
#[allow(unused_variables)]
pub(super) fn capture<T: Copy>(value: T, out: SliceMut<u64>) {}

/// `out[0] += shape[0] * 1000 + shape[1]`: `rows: u64, columns: u64` of an array, then `Atomics`.
pub(super) const AREA: &str = "
.visible .entry area(
	.param .u64 area_param_0,
	.param .u64 area_param_1,
	.param .u64 area_param_2,
	.param .u64 area_param_3
)
{
	.reg .b64 %rd<5>;
	ld.param.u64 %rd1, [area_param_1];
	ld.param.u64 %rd2, [area_param_2];
	ld.param.u64 %rd3, [area_param_3];
	mad.lo.u64 %rd4, %rd1, 1000, %rd2;
	atom.global.add.u64 %rd4, [%rd3], %rd4;
	ret;
}
";

#[kernel]
#[allow(unused_variables)]
pub(super) fn area(array: Array<f32, 2>, out: Atomics<u64>) {}

/// Panics as compiled kernels do: claims the record, fills it, completes it, ends.
pub(super) const PANIC: &str = "
.visible .global .align 8 .u64 __ptyx_panic_module;
.visible .entry panics(
	.param .u64 panics_param_0,
	.param .u64 panics_param_1,
	.param .u32 panics_param_2
)
{
	.reg .pred %p<3>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd3, [panics_param_0];
	mov.u32 %r3, %tid.x;
	cvt.u64.u32 %rd4, %r3;
	setp.lt.u64 %p2, %rd4, %rd3;
	@%p2 bra $L_end;
	ld.param.u64 %rd5, [panics_param_1];
	ld.param.u32 %r5, [panics_param_2];
	atom.exch.b32 %r2, [%rd5+8], %r5;
	setp.eq.u32 %p1, %r2, %r5;
	@%p1 bra $L_end;
	ld.u64 %rd1, [%rd5];
	ld.volatile.u32 %r2, [%rd1];
	setp.eq.u32 %p1, %r2, 0;
	@%p1 bra $L_claimed;
	ld.volatile.u32 %r2, [%rd1+340];
	add.u32 %r2, %r2, 1;
	st.volatile.u32 [%rd1+340], %r2;
	bra $L_end;
$L_claimed:
	st.u32 [%rd1+336], %r5;
	ld.global.u32 %r1, [__ptyx_panic_module];
	st.u32 [%rd1+4], %r1;
	mov.u32 %r4, 7;
	st.u32 [%rd1+8], %r4;
	mov.u32 %r3, %tid.x;
	st.u32 [%rd1+20], %r3;
	mov.u32 %r4, 42;
	st.u32 [%rd1+32], %r4;
	mov.u32 %r4, 9;
	st.u32 [%rd1+36], %r4;
	mov.u32 %r4, 1;
	st.u32 [%rd1+40], %r4;
	mov.u32 %r4, 3;
	st.u32 [%rd1+44], %r4;
	st.u64 [%rd1+56], %rd4;
	st.u64 [%rd1+64], %rd3;
	mov.u32 %r4, 0x732e61;
	st.u32 [%rd1+72], %r4;
	membar.sys;
	mov.u32 %r4, 2;
	st.volatile.u32 [%rd1], %r4;
$L_end:
	ret;
}
";

#[kernel]
#[allow(unused_variables)]
pub(super) fn panics(len: u64) {}

/// Writes far outside of every allocation.
pub(super) const FAULT: &str = "
.visible .entry fault()
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	mov.u64 %rd1, 64;
	mov.u32 %r1, 1;
	st.global.u32 [%rd1], %r1;
	ret;
}
";

#[kernel]
pub(super) fn fault() {}

/// 2 KiB of static shared memory.
pub(super) const SHARED: &str = "
.visible .entry uses_shared()
{
	.shared .align 4 .b8 memory[2048];
	.reg .b32 %r<2>;
	mov.u32 %r1, 1;
	st.shared.u32 [memory], %r1;
	ret;
}
";

#[kernel]
pub(super) fn uses_shared() {}

pub(super) const BROKEN: &str = "
.visible .entry broken()
{
	frobnicate.u32 %r1;
	ret;
}
";

#[kernel]
pub(super) fn broken() {}

#[kernel]
pub(super) fn missing() {}

#[kernel]
pub(super) fn too_new() {}
