// Functions that linked PTX does not have, or not like that, and one of a libdevice that is not there.
// env: PTYX_LIBDEVICE=off
use ptyx::prelude::*;

ptyx::link_ptx!("twice.ptx");

unsafe extern "C" {
    fn twice(x: f64) -> f32;
    fn thrice(x: f32) -> f32;
    fn __nv_erfinvf(x: f32) -> f32;
}

#[kernel]
fn other_parameters(mut y: Disjoint<f32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        // SAFETY: it has no requirements.
        *y = unsafe { twice(2.0) };
    }
}

#[kernel]
fn missing(mut y: Disjoint<f32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        // SAFETY: it has no requirements.
        *y = unsafe { thrice(*y) };
    }
}

#[kernel]
fn no_libdevice(mut y: Disjoint<f32>) {
    if let Some(y) = y.get_mut(thread::index_1d()) {
        // SAFETY: it has no requirements.
        *y = unsafe { __nv_erfinvf(*y) };
    }
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::<f32>::zeroed(8)?;
    launch!(other_parameters<<<1, 8>>>(&mut y))?;
    launch!(missing<<<1, 8>>>(&mut y))?;
    launch!(no_libdevice<<<1, 8>>>(&mut y))
}
//@ file: src/twice.ptx
.version 6.3
.target sm_70
.address_size 64
.visible .func (.param .b32 func_retval0) twice(.param .b32 twice_param_0)
{
	.reg .f32 %f<2>;
	ld.param.f32 %f1, [twice_param_0];
	add.rn.f32 %f1, %f1, %f1;
	st.param.f32 [func_retval0], %f1;
	ret;
}
.visible .func (.param .b32 func_retval0) thrice_not(.param .b32 a)
{
	ret;
}
