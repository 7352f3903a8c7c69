//! Approximations, and arithmetic on integers.

intrinsics! {
    // Approximations (PTX ISA 9.7.3: `.approx`).
    fn sin_approx(x: f32) -> f32 = nvvm("llvm.nvvm.sin.approx.f");
    fn cos_approx(x: f32) -> f32 = nvvm("llvm.nvvm.cos.approx.f");
    fn lg2_approx(x: f32) -> f32 = nvvm("llvm.nvvm.lg2.approx.f");
    fn sqrt_approx(x: f32) -> f32 = nvvm("llvm.nvvm.sqrt.approx.f");
    fn rsqrt_approx(x: f32) -> f32 = nvvm("llvm.nvvm.rsqrt.approx.f");
    fn div_approx(x: f32, y: f32) -> f32 = nvvm("llvm.nvvm.div.approx.f");
    fn ex2_approx(x: f32) -> f32 = pure("ex2.approx.f32 $0, $1;");
    fn rcp_approx(x: f32) -> f32 = pure("rcp.approx.f32 $0, $1;");
    fn tanh_approx(x: f32) -> f32 = pure("tanh.approx.f32 $0, $1;"), needs(sm_75, ptx 7.0);
    fn rint_f32(x: f32) -> f32 = pure("cvt.rni.f32.f32 $0, $1;");
    fn floor_f32(x: f32) -> f32 = pure("cvt.rmi.f32.f32 $0, $1;");
    fn ceil_f32(x: f32) -> f32 = pure("cvt.rpi.f32.f32 $0, $1;");
    fn trunc_f32(x: f32) -> f32 = pure("cvt.rzi.f32.f32 $0, $1;");
    fn rint_f64(x: f64) -> f64 = pure("cvt.rni.f64.f64 $0, $1;");
    fn saturate_f32(x: f32) -> f32 = nvvm("llvm.nvvm.saturate.f");
    fn saturate_f64(x: f64) -> f64 = nvvm("llvm.nvvm.saturate.d");

    // Integers (PTX ISA 9.7.1, 9.7.8).
    fn byte_perm(x: u32, y: u32, selector: u32) -> u32 = nvvm("llvm.nvvm.prmt");
    fn sad_i32(a: i32, b: i32, c: u32) -> u32 = nvvm("llvm.nvvm.sad.i");
    fn sad_u32(a: u32, b: u32, c: u32) -> u32 = nvvm("llvm.nvvm.sad.ui");
    fn dp4a_i32(a: i32, b: i32, c: i32) -> i32 = pure("dp4a.s32.s32 $0, $1, $2, $3;");
    fn dp2a_lo_i32(a: i32, b: i32, c: i32) -> i32 = pure("dp2a.lo.s32.s32 $0, $1, $2, $3;");
    fn dp2a_hi_i32(a: i32, b: i32, c: i32) -> i32 = pure("dp2a.hi.s32.s32 $0, $1, $2, $3;");
    fn dp4a_u32(a: u32, b: u32, c: u32) -> u32 = pure("dp4a.u32.u32 $0, $1, $2, $3;");
    fn dp2a_lo_u32(a: u32, b: u32, c: u32) -> u32 = pure("dp2a.lo.u32.u32 $0, $1, $2, $3;");
    fn dp2a_hi_u32(a: u32, b: u32, c: u32) -> u32 = pure("dp2a.hi.u32.u32 $0, $1, $2, $3;");
    fn funnel_l_wrap(low: u32, high: u32, by: u32) -> u32 = pure("shf.l.wrap.b32 $0, $1, $2, $3;");
    fn funnel_l_clamp(low: u32, high: u32, by: u32) -> u32 = pure("shf.l.clamp.b32 $0, $1, $2, $3;");
    fn funnel_r_wrap(low: u32, high: u32, by: u32) -> u32 = pure("shf.r.wrap.b32 $0, $1, $2, $3;");
    fn funnel_r_clamp(low: u32, high: u32, by: u32) -> u32 = pure("shf.r.clamp.b32 $0, $1, $2, $3;");
    fn prmt_f4e(x: u32, y: u32, from: u32) -> u32 = pure("prmt.b32.f4e $0, $1, $2, $3;");
    fn prmt_b4e(x: u32, y: u32, from: u32) -> u32 = pure("prmt.b32.b4e $0, $1, $2, $3;");
    fn prmt_rc8(x: u32, at: u32) -> u32 = pure("prmt.b32.rc8 $0, $1, $1, $2;");
    fn prmt_ecl(x: u32, at: u32) -> u32 = pure("prmt.b32.ecl $0, $1, $1, $2;");
    fn prmt_ecr(x: u32, at: u32) -> u32 = pure("prmt.b32.ecr $0, $1, $1, $2;");
    fn prmt_rc16(x: u32, at: u32) -> u32 = pure("prmt.b32.rc16 $0, $1, $1, $2;");
    fn bfind_i32(x: i32) -> u32 = pure("bfind.s32 $0, $1;");
    fn bfind_u32(x: u32) -> u32 = pure("bfind.u32 $0, $1;");
    fn bfind_i64(x: i64) -> u32 = pure("bfind.s64 $0, $1;");
    fn bfind_u64(x: u64) -> u32 = pure("bfind.u64 $0, $1;");
    fn bfind_shift_i32(x: i32) -> u32 = pure("bfind.shiftamt.s32 $0, $1;");
    fn bfind_shift_u32(x: u32) -> u32 = pure("bfind.shiftamt.u32 $0, $1;");
    fn bfind_shift_i64(x: i64) -> u32 = pure("bfind.shiftamt.s64 $0, $1;");
    fn bfind_shift_u64(x: u64) -> u32 = pure("bfind.shiftamt.u64 $0, $1;");
    fn bmsk_clamp(from: u32, bits: u32) -> u32 = pure("bmsk.clamp.b32 $0, $1, $2;"), needs(sm_70, ptx 7.6);
    fn bmsk_wrap(from: u32, bits: u32) -> u32 = pure("bmsk.wrap.b32 $0, $1, $2;"), needs(sm_70, ptx 7.6);
    fn szext_clamp_i32(x: i32, bits: u32) -> i32 = pure("szext.clamp.s32 $0, $1, $2;"), needs(sm_70, ptx 7.6);
    fn szext_clamp_u32(x: u32, bits: u32) -> u32 = pure("szext.clamp.u32 $0, $1, $2;"), needs(sm_70, ptx 7.6);
    fn szext_wrap_i32(x: i32, bits: u32) -> i32 = pure("szext.wrap.s32 $0, $1, $2;"), needs(sm_70, ptx 7.6);
    fn szext_wrap_u32(x: u32, bits: u32) -> u32 = pure("szext.wrap.u32 $0, $1, $2;"), needs(sm_70, ptx 7.6);
    fn fns(mask: u32, base: u32, offset: i32) -> u32 = pure("fns.b32 $0, $1, $2, $3;");
}
