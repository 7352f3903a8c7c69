//! Semantic functions that are written once and compiled for each of the host's vector widths.

use crate::exec::context::{Context, Flow};
use crate::exec::program::{Exec, Inst};
use crate::settings::settings;
use std::sync::OnceLock;

/// The code of a semantic function.
pub(crate) trait Code {
    /// `CHUNK` is how many lanes of 32 bits fit in a vector: that many are computed at a time. Every function that it calls must
    /// be inlined, because only then is it compiled for the width, too.
    fn run<const CHUNK: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow;
}

/// The semantic function, for vectors of the [chosen](Width::chosen) width.
pub(crate) fn widest<C: Code>() -> Exec {
    fn baseline<C: Code>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
        C::run::<4>(context, inst, mask)
    }
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma")]
        fn avx2<C: Code>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
            C::run::<8>(context, inst, mask)
        }
        #[target_feature(enable = "avx2,fma")]
        fn of_avx2<C: Code>() -> Exec {
            avx2::<C>
        }
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        fn avx512<C: Code>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
            C::run::<16>(context, inst, mask)
        }
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        fn of_avx512<C: Code>() -> Exec {
            avx512::<C>
        }
        match Width::chosen() {
            // SAFETY: the host has the features, now and whenever the function is called.
            Width::Avx512 => return unsafe { of_avx512::<C>() },
            // SAFETY: as above.
            Width::Avx2 => return unsafe { of_avx2::<C>() },
            Width::Baseline => {}
        }
    }
    baseline::<C>
}

/// The sign bits of a vector's lanes; that of the first lane is bit 0.
#[inline(always)]
pub(crate) fn signs<const CHUNK: usize>(lanes: &[i32; CHUNK]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{
            __m128, __m256, __m512i, _mm_movemask_ps, _mm256_movemask_ps, _mm512_movepi32_mask,
        };
        let vector = lanes.as_ptr();
        // SAFETY: each reads all lanes; code for vectors of this length runs on hosts that have them.
        unsafe {
            match CHUNK {
                4 => return _mm_movemask_ps(vector.cast::<__m128>().read_unaligned()) as u32,
                8 => return _mm256_movemask_ps(vector.cast::<__m256>().read_unaligned()) as u32,
                16 => {
                    return _mm512_movepi32_mask(vector.cast::<__m512i>().read_unaligned()).into();
                }
                _ => {}
            }
        }
    }
    lanes.iter().rev().fold(0, |bits, &lane| bits << 1 | (lane as u32) >> 31)
}

/// The vectors that semantic functions are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Width {
    /// Those that every processor of the architecture has.
    Baseline,
    /// 256 bits, with fused multiply-add.
    Avx2,
    /// 512 bits.
    Avx512,
}

impl Width {
    #[cfg(target_arch = "x86_64")]
    pub(in crate::exec::ops) fn has_avx2(self) -> bool {
        self >= Width::Avx2
    }

    /// The width for this process: what `PTYX_EMULATOR_VECTORS` says, if the host has it, or what suits the host.
    pub(crate) fn chosen() -> Width {
        static CHOSEN: OnceLock<Width> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            let wanted = match settings().vectors {
                Some(512) => Width::Avx512,
                Some(256) => Width::Avx2,
                Some(_) => Width::Baseline,
                None if is_slowed_by_avx512() => Width::Avx2,
                None => Width::Avx512,
            };
            Width::of_host().min(wanted)
        })
    }

    #[cfg(target_arch = "x86_64")]
    fn of_host() -> Width {
        let has_avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        let has_avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        match (has_avx2, has_avx512) {
            (true, true) => Width::Avx512,
            (true, false) => Width::Avx2,
            (false, _) => Width::Baseline,
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn of_host() -> Width {
        Width::Baseline
    }
}

/// Whether the host may have AVX-512 as the processors before Ice Lake do, which lack VBMI2: a core that uses vectors of 512 bits
/// runs at a lower clock rate for a while, whatever else it does (2.65 instead of 3.06 GHz, measured on a Cascade Lake).
fn is_slowed_by_avx512() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        !is_x86_feature_detected!("avx512vbmi2")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}
