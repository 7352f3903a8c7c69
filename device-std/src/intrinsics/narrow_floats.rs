//! Floats of 16, 8 and 19 bits.

intrinsics! {
    // Half precision, as LLVM's own instructions: the optimiser knows them, and fuses them.
    fn f16_from_f32(x: f32) -> u16 = float(half fptrunc);
    fn f16_to_f32(x: u16) -> f32 = float(half fpext);
    fn f16_from_f64(x: f64) -> u16 = float(half fptrunc);
    fn f16_to_f64(x: u16) -> f64 = float(half fpext);
    fn f16_add(a: u16, b: u16) -> u16 = float(half fadd);
    fn f16_sub(a: u16, b: u16) -> u16 = float(half fsub);
    fn f16_mul(a: u16, b: u16) -> u16 = float(half fmul);
    fn f16_div(a: u16, b: u16) -> u16 = float(half fdiv);
    fn f16_eq(a: u16, b: u16) -> u32 = float(half oeq);
    fn f16_lt(a: u16, b: u16) -> u32 = float(half olt);
    fn f16_le(a: u16, b: u16) -> u32 = float(half ole);
    fn bf16_from_f32(x: f32) -> u16 = float(bfloat fptrunc);
    fn bf16_to_f32(x: u16) -> f32 = float(bfloat fpext);
    fn bf16_from_f64(x: f64) -> u16 = float(bfloat fptrunc);
    fn bf16_to_f64(x: u16) -> f64 = float(bfloat fpext);
    fn bf16_add(a: u16, b: u16) -> u16 = float(bfloat fadd);
    fn bf16_sub(a: u16, b: u16) -> u16 = float(bfloat fsub);
    fn bf16_mul(a: u16, b: u16) -> u16 = float(bfloat fmul);
    fn bf16_div(a: u16, b: u16) -> u16 = float(bfloat fdiv);
    fn bf16_eq(a: u16, b: u16) -> u32 = float(bfloat oeq);
    fn bf16_lt(a: u16, b: u16) -> u32 = float(bfloat olt);
    fn bf16_le(a: u16, b: u16) -> u32 = float(bfloat ole);

    // Half precision (PTX ISA, "Half Precision Floating Point Instructions", `cvt`): also of pairs, the
    // first number in the lower half.
    fn f16_add_sat(a: u16, b: u16) -> u16 = pure("add.rn.sat.f16 $0, $1, $2;");
    fn f16_sub_sat(a: u16, b: u16) -> u16 = pure("sub.rn.sat.f16 $0, $1, $2;");
    fn f16_mul_sat(a: u16, b: u16) -> u16 = pure("mul.rn.sat.f16 $0, $1, $2;");
    fn f16_fma(a: u16, b: u16, c: u16) -> u16 = pure("fma.rn.f16 $0, $1, $2, $3;");
    fn f16_fma_sat(a: u16, b: u16, c: u16) -> u16 = pure("fma.rn.sat.f16 $0, $1, $2, $3;");
    fn f16_fma_relu(a: u16, b: u16, c: u16) -> u16 =
        pure("fma.rn.relu.f16 $0, $1, $2, $3;"), needs(sm_80, ptx 7.0);
    fn f16_min(a: u16, b: u16) -> u16 = pure("min.f16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16_min_nan(a: u16, b: u16) -> u16 = pure("min.NaN.f16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16_max(a: u16, b: u16) -> u16 = pure("max.f16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16_max_nan(a: u16, b: u16) -> u16 = pure("max.NaN.f16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16_ex2(x: u16) -> u16 = pure("ex2.approx.f16 $0, $1;"), needs(sm_75, ptx 7.0);
    fn f16_tanh(x: u16) -> u16 = pure("tanh.approx.f16 $0, $1;"), needs(sm_75, ptx 7.0);
    fn f16x2_add(a: u32, b: u32) -> u32 = pure("add.rn.f16x2 $0, $1, $2;");
    fn f16x2_sub(a: u32, b: u32) -> u32 = pure("sub.rn.f16x2 $0, $1, $2;");
    fn f16x2_mul(a: u32, b: u32) -> u32 = pure("mul.rn.f16x2 $0, $1, $2;");
    fn f16x2_add_sat(a: u32, b: u32) -> u32 = pure("add.rn.sat.f16x2 $0, $1, $2;");
    fn f16x2_sub_sat(a: u32, b: u32) -> u32 = pure("sub.rn.sat.f16x2 $0, $1, $2;");
    fn f16x2_mul_sat(a: u32, b: u32) -> u32 = pure("mul.rn.sat.f16x2 $0, $1, $2;");
    fn f16x2_fma(a: u32, b: u32, c: u32) -> u32 = pure("fma.rn.f16x2 $0, $1, $2, $3;");
    fn f16x2_fma_sat(a: u32, b: u32, c: u32) -> u32 = pure("fma.rn.sat.f16x2 $0, $1, $2, $3;");
    fn f16x2_fma_relu(a: u32, b: u32, c: u32) -> u32 =
        pure("fma.rn.relu.f16x2 $0, $1, $2, $3;"), needs(sm_80, ptx 7.0);
    fn f16x2_min(a: u32, b: u32) -> u32 = pure("min.f16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16x2_min_nan(a: u32, b: u32) -> u32 =
        pure("min.NaN.f16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16x2_max(a: u32, b: u32) -> u32 = pure("max.f16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16x2_max_nan(a: u32, b: u32) -> u32 =
        pure("max.NaN.f16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16x2_ex2(x: u32) -> u32 = pure("ex2.approx.f16x2 $0, $1;"), needs(sm_75, ptx 7.0);
    fn f16x2_tanh(x: u32) -> u32 = pure("tanh.approx.f16x2 $0, $1;"), needs(sm_75, ptx 7.0);
    fn f16_from_f32_rz(x: f32) -> u16 = pure("cvt.rz.f16.f32 $0, $1;");
    fn f16_from_f32_ru(x: f32) -> u16 = pure("cvt.rp.f16.f32 $0, $1;");
    fn f16_from_f32_rd(x: f32) -> u16 = pure("cvt.rm.f16.f32 $0, $1;");
    fn f16x2_from_f32_rn_relu(high: f32, low: f32) -> u32 =
        pure("cvt.rn.relu.f16x2.f32 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16x2_from_f32_rz_relu(high: f32, low: f32) -> u32 =
        pure("cvt.rz.relu.f16x2.f32 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16x2_from_f32_rn(high: f32, low: f32) -> u32 =
        pure("cvt.rn.f16x2.f32 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn f16x2_from_f32_rz(high: f32, low: f32) -> u32 =
        pure("cvt.rz.f16x2.f32 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16_fma(a: u16, b: u16, c: u16) -> u16 =
        pure("fma.rn.bf16 $0, $1, $2, $3;"), needs(sm_80, ptx 7.0);
    fn bf16_fma_relu(a: u16, b: u16, c: u16) -> u16 =
        pure("fma.rn.relu.bf16 $0, $1, $2, $3;"), needs(sm_80, ptx 7.0);
    fn bf16_min(a: u16, b: u16) -> u16 = pure("min.bf16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16_min_nan(a: u16, b: u16) -> u16 =
        pure("min.NaN.bf16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16_max(a: u16, b: u16) -> u16 = pure("max.bf16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16_max_nan(a: u16, b: u16) -> u16 =
        pure("max.NaN.bf16 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16_ex2(x: u16) -> u16 = pure("ex2.approx.ftz.bf16 $0, $1;"), needs(sm_90, ptx 7.8);
    fn bf16_tanh(x: u16) -> u16 = pure("tanh.approx.bf16 $0, $1;"), needs(sm_90, ptx 7.8);
    fn bf16x2_add(a: u32, b: u32) -> u32 = pure("add.rn.bf16x2 $0, $1, $2;"), needs(sm_90, ptx 7.8);
    fn bf16x2_sub(a: u32, b: u32) -> u32 = pure("sub.rn.bf16x2 $0, $1, $2;"), needs(sm_90, ptx 7.8);
    fn bf16x2_mul(a: u32, b: u32) -> u32 = pure("mul.rn.bf16x2 $0, $1, $2;"), needs(sm_90, ptx 7.8);
    fn bf16x2_fma(a: u32, b: u32, c: u32) -> u32 =
        pure("fma.rn.bf16x2 $0, $1, $2, $3;"), needs(sm_80, ptx 7.0);
    fn bf16x2_fma_relu(a: u32, b: u32, c: u32) -> u32 =
        pure("fma.rn.relu.bf16x2 $0, $1, $2, $3;"), needs(sm_80, ptx 7.0);
    fn bf16x2_min(a: u32, b: u32) -> u32 = pure("min.bf16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16x2_min_nan(a: u32, b: u32) -> u32 =
        pure("min.NaN.bf16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16x2_max(a: u32, b: u32) -> u32 = pure("max.bf16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16x2_max_nan(a: u32, b: u32) -> u32 =
        pure("max.NaN.bf16x2 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16x2_ex2(x: u32) -> u32 = pure("ex2.approx.ftz.bf16x2 $0, $1;"), needs(sm_90, ptx 7.8);
    fn bf16x2_tanh(x: u32) -> u32 = pure("tanh.approx.bf16x2 $0, $1;"), needs(sm_90, ptx 7.8);
    fn bf16_from_f32_rz(x: f32) -> u16 = pure("cvt.rz.bf16.f32 $0, $1;"), needs(sm_80, ptx 7.0);
    fn bf16_from_f32_ru(x: f32) -> u16 = pure("cvt.rp.bf16.f32 $0, $1;"), needs(sm_90, ptx 7.8);
    fn bf16_from_f32_rd(x: f32) -> u16 = pure("cvt.rm.bf16.f32 $0, $1;"), needs(sm_90, ptx 7.8);
    fn bf16x2_from_f32_rn_relu(high: f32, low: f32) -> u32 =
        pure("cvt.rn.relu.bf16x2.f32 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16x2_from_f32_rz_relu(high: f32, low: f32) -> u32 =
        pure("cvt.rz.relu.bf16x2.f32 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16x2_from_f32_rn(high: f32, low: f32) -> u32 =
        pure("cvt.rn.bf16x2.f32 $0, $1, $2;"), needs(sm_80, ptx 7.0);
    fn bf16x2_from_f32_rz(high: f32, low: f32) -> u32 =
        pure("cvt.rz.bf16x2.f32 $0, $1, $2;"), needs(sm_80, ptx 7.0);

    // 8-bit floats, two at a time, and `tf32` (PTX ISA, `cvt`).
    fn e4m3x2_from_f32(high: f32, low: f32) -> u16 =
        pure("cvt.rn.satfinite.e4m3x2.f32 $0, $1, $2;"), needs(sm_89, ptx 8.1);
    fn e4m3x2_from_f16x2(x: u32) -> u16 =
        pure("cvt.rn.satfinite.e4m3x2.f16x2 $0, $1;"), needs(sm_89, ptx 8.1);
    fn e4m3x2_to_f16x2(x: u16) -> u32 = pure("cvt.rn.f16x2.e4m3x2 $0, $1;"), needs(sm_89, ptx 8.1);
    fn e5m2x2_from_f32(high: f32, low: f32) -> u16 =
        pure("cvt.rn.satfinite.e5m2x2.f32 $0, $1, $2;"), needs(sm_89, ptx 8.1);
    fn e5m2x2_from_f16x2(x: u32) -> u16 =
        pure("cvt.rn.satfinite.e5m2x2.f16x2 $0, $1;"), needs(sm_89, ptx 8.1);
    fn e5m2x2_to_f16x2(x: u16) -> u32 = pure("cvt.rn.f16x2.e5m2x2 $0, $1;"), needs(sm_89, ptx 8.1);
    fn e4m3x2_from_f32_relu(high: f32, low: f32) -> u16 =
        pure("cvt.rn.satfinite.relu.e4m3x2.f32 $0, $1, $2;"), needs(sm_89, ptx 8.1);
    fn e4m3x2_from_f16x2_relu(x: u32) -> u16 =
        pure("cvt.rn.satfinite.relu.e4m3x2.f16x2 $0, $1;"), needs(sm_89, ptx 8.1);
    fn e4m3x2_to_f16x2_relu(x: u16) -> u32 =
        pure("cvt.rn.relu.f16x2.e4m3x2 $0, $1;"), needs(sm_89, ptx 8.1);
    fn e5m2x2_from_f32_relu(high: f32, low: f32) -> u16 =
        pure("cvt.rn.satfinite.relu.e5m2x2.f32 $0, $1, $2;"), needs(sm_89, ptx 8.1);
    fn e5m2x2_from_f16x2_relu(x: u32) -> u16 =
        pure("cvt.rn.satfinite.relu.e5m2x2.f16x2 $0, $1;"), needs(sm_89, ptx 8.1);
    fn e5m2x2_to_f16x2_relu(x: u16) -> u32 =
        pure("cvt.rn.relu.f16x2.e5m2x2 $0, $1;"), needs(sm_89, ptx 8.1);
    fn tf32_from_f32_rn_relu(x: f32) -> u32 =
        pure("cvt.rn.relu.tf32.f32 $0, $1;"), needs(sm_90, ptx 7.8);
    fn tf32_from_f32_rz_relu(x: f32) -> u32 =
        pure("cvt.rz.relu.tf32.f32 $0, $1;"), needs(sm_90, ptx 7.8);
    fn tf32_from_f32_rna(x: f32) -> u32 = pure("cvt.rna.tf32.f32 $0, $1;"), needs(sm_80, ptx 7.0);
    fn tf32_from_f32_rn(x: f32) -> u32 = pure("cvt.rn.tf32.f32 $0, $1;"), needs(sm_90, ptx 7.8);
    fn tf32_from_f32_rz(x: f32) -> u32 = pure("cvt.rz.tf32.f32 $0, $1;"), needs(sm_90, ptx 7.8);
}
