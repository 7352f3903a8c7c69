//! Loads and stores with several hints at once.

use super::{Cached, Policy};
use crate::arch_at_least;
use crate::global::is_global;
#[cfg(not(ptyx_device))]
use crate::intrinsics;
#[cfg(ptyx_device)]
use crate::ptx::word;
use core::fmt;

/// The instructions of a load, by the size of the type.
#[cfg(ptyx_device)]
macro_rules! load {
    ($type:ty, $from:expr, $form:expr, $head:literal $(, $policy:expr)?) => {{
        let from: *const $type = $from;
        let mut value = core::mem::MaybeUninit::<$type>::uninit();
        let to = value.as_mut_ptr();
        // SAFETY: the address is that of a value in global memory; as many bytes as it has are read and written.
        unsafe {
            match size_of::<$type>() {
                1 => to.cast::<u8>().write(load!(@one u16, ".b8", from, $form, $head $(, $policy)?) as u8),
                2 => to.cast::<u16>().write(load!(@one u16, ".b16", from, $form, $head $(, $policy)?)),
                4 => to.cast::<u32>().write(load!(@one u32, ".b32", from, $form, $head $(, $policy)?)),
                8 => to.cast::<u64>().write(load!(@one u64, ".b64", from, $form, $head $(, $policy)?)),
                _ => {
                    let (low, high): (u64, u64);
                    core::arch::asm!(
                        $head,
                        concat!(
                            "ld.global__ptyx_word_{a}___ptyx_word_{b}___ptyx_word_{c}_.v2.b64 {{{}, {}}}, [{}]",
                            load!(@operand $($policy)?), ";"
                        ),
                        lateout(reg) low, lateout(reg) high, in(reg) from $(, in(reg) $policy)?,
                        a = const $form[0], b = const $form[1], c = const $form[2],
                        options(readonly, nostack, preserves_flags)
                    );
                    to.cast::<[u64; 2]>().write([low, high]);
                }
            }
            value.assume_init()
        }
    }};
    (@one $word:ty, $type:literal, $from:expr, $form:expr, $head:literal $(, $policy:expr)?) => {{
        let value: $word;
        core::arch::asm!(
            $head,
            concat!(
                "ld.global__ptyx_word_{a}___ptyx_word_{b}___ptyx_word_{c}_", $type, " {}, [{}]",
                load!(@operand $($policy)?), ";"
            ),
            lateout(reg) value, in(reg) $from $(, in(reg) $policy)?,
            a = const $form[0], b = const $form[1], c = const $form[2],
            options(readonly, nostack, preserves_flags)
        );
        value
    }};
    (@operand) => { "" };
    (@operand $policy:expr) => { ", {}" };
}

/// The instructions of a store, by the size of the type.
#[cfg(ptyx_device)]
macro_rules! store {
    ($type:ty, $to:expr, $value:expr, $form:expr, $head:literal $(, $policy:expr)?) => {{
        let (to, value): (*mut $type, $type) = ($to, $value);
        let from: *const $type = &raw const value;
        // SAFETY: as for loads.
        unsafe {
            match size_of::<$type>() {
                1 => store!(@one u16::from(from.cast::<u8>().read()), ".b8", to, $form, $head $(, $policy)?),
                2 => store!(@one from.cast::<u16>().read(), ".b16", to, $form, $head $(, $policy)?),
                4 => store!(@one from.cast::<u32>().read(), ".b32", to, $form, $head $(, $policy)?),
                8 => store!(@one from.cast::<u64>().read(), ".b64", to, $form, $head $(, $policy)?),
                _ => {
                    let [low, high] = from.cast::<[u64; 2]>().read();
                    core::arch::asm!(
                        $head,
                        concat!(
                            "st.global__ptyx_word_{a}___ptyx_word_{b}___ptyx_word_{c}_.v2.b64 [{}], {{{}, {}}}",
                            store!(@operand $($policy)?), ";"
                        ),
                        in(reg) to, in(reg) low, in(reg) high $(, in(reg) $policy)?,
                        a = const $form[0], b = const $form[1], c = const $form[2],
                        options(nostack, preserves_flags)
                    );
                }
            }
        }
    }};
    (@one $value:expr, $type:literal, $to:expr, $form:expr, $head:literal $(, $policy:expr)?) => {
        core::arch::asm!(
            $head,
            concat!(
                "st.global__ptyx_word_{a}___ptyx_word_{b}___ptyx_word_{c}_", $type, " [{}], {}",
                store!(@operand $($policy)?), ";"
            ),
            in(reg) $to, in(reg) $value $(, in(reg) $policy)?,
            a = const $form[0], b = const $form[1], c = const $form[2],
            options(nostack, preserves_flags)
        )
    };
    (@operand) => { "" };
    (@operand $policy:expr) => { ", {}" };
}

/// A load with hints, one of each kind at most: the read-only data path, a priority in L1, how much L2 loads around the value,
/// and a [`Policy`] of L2.
///
/// PTX [`ld.global`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-ld) with these modifiers
/// (`sm_70`, PTX 7.4). Those of L2 need `sm_80`: on older devices, a load with them is a plain load. So is one of memory that is
/// not global.
///
/// ```
/// use ptyx::device::cache::{Load, Policy};
///
/// /// `ld.global.nc.L1::no_allocate.L2::256B`
/// ///
/// /// # Safety
/// /// Nobody writes the value while the kernel runs.
/// unsafe fn stream(x: &f32) -> f32 {
///     // SAFETY: the caller's promise.
///     unsafe { Load::new().read_only() }.no_allocate().prefetch_256().from(x)
/// }
///
/// /// `ld.global.L1::evict_last.L2::cache_hint`
/// fn table(x: &f32, policy: Policy) -> f32 {
///     Load::new().evict_last().policy(policy).from(x)
/// }
/// ```
///
/// Each hint can be given once:
///
/// ```compile_fail,E0599
/// use ptyx::device::cache::Load;
///
/// fn both(x: &f32) -> f32 {
///     Load::new().evict_last().no_allocate().from(x)
/// }
/// ```
#[derive(Clone, Copy)]
#[doc(alias = "__ldg")]
#[doc(alias = "ld.global.nc")]
#[must_use = "these are hints: `from` loads"]
pub struct Load<const READ_ONLY: bool = false, const L1: u8 = 0, const L2: u16 = 0, H = ()> {
    policy: H,
}

/// A store with hints, one of each kind at most: a priority in L1, and a [`Policy`] of L2.
///
/// PTX [`st.global`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-st) with these modifiers
/// (`sm_70`, PTX 7.4). A policy needs `sm_80`: on older devices, a store with one is a plain store. So is one to memory that is
/// not global.
///
/// ```
/// use ptyx::device::cache::{Policy, Store};
///
/// /// `st.global.L1::no_allocate.L2::cache_hint`
/// fn stream(place: &mut f32, value: f32) {
///     Store::new().no_allocate().policy(Policy::evict_first()).to(place, value);
/// }
/// ```
#[derive(Clone, Copy)]
#[must_use = "these are hints: `to` stores"]
pub struct Store<const L1: u8 = 0, H = ()> {
    policy: H,
}

/// A [`Policy`], or none.
#[doc(hidden)]
pub trait Hint: Copy {
    const IS_SOME: bool;
    fn bits(self) -> u64;
}

impl Hint for () {
    const IS_SOME: bool = false;

    #[inline(always)]
    fn bits(self) -> u64 {
        0
    }
}

impl Hint for Policy {
    const IS_SOME: bool = true;

    #[inline(always)]
    fn bits(self) -> u64 {
        Policy::bits(self)
    }
}

impl Load {
    /// No hints.
    ///
    /// ```
    /// use ptyx::device::cache::Load;
    ///
    /// fn plain(x: &f32) -> f32 {
    ///     Load::new().from(x)
    /// }
    /// ```
    #[inline(always)]
    pub const fn new() -> Self {
        Load { policy: () }
    }
}

impl Default for Load {
    fn default() -> Self {
        Load::new()
    }
}

impl<const L1: u8, const L2: u16, H: Hint> Load<false, L1, L2, H> {
    /// Loads through the read-only data path (`.nc`; `__ldg()` of CUDA C), which is not kept coherent.
    ///
    /// ```
    /// use ptyx::device::cache::Load;
    ///
    /// /// # Safety
    /// /// Nobody writes the value while the kernel runs.
    /// unsafe fn load(x: &f32) -> f32 {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { Load::new().read_only() }.from(x)
    /// }
    /// ```
    ///
    /// # Safety
    /// What is loaded has not been written since the kernel was launched, and nobody writes it while the kernel runs.
    #[inline(always)]
    pub const unsafe fn read_only(self) -> Load<true, L1, L2, H> {
        Load { policy: self.policy }
    }
}

/// The priorities in L1, by their numbers in the types.
macro_rules! priorities {
    ($($name:ident $number:literal $ptx:literal: $load:literal $store:literal;)*) => {
        impl<const READ_ONLY: bool, const L2: u16, H: Hint> Load<READ_ONLY, 0, L2, H> {$(
            #[doc = concat!($load, " (`", $ptx, "`).")]
            ///
            /// ```
            /// use ptyx::device::cache::Load;
            ///
            /// fn load(x: &f32) -> f32 {
            #[doc = concat!("    Load::new().", stringify!($name), "().from(x)")]
            /// }
            /// ```
            #[inline(always)]
            pub const fn $name(self) -> Load<READ_ONLY, $number, L2, H> {
                Load { policy: self.policy }
            }
        )*}

        impl<H: Hint> Store<0, H> {$(
            #[doc = concat!($store, " (`", $ptx, "`).")]
            ///
            /// ```
            /// use ptyx::device::cache::Store;
            ///
            /// fn store(place: &mut f32) {
            #[doc = concat!("    Store::new().", stringify!($name), "().to(place, 1.0);")]
            /// }
            /// ```
            #[inline(always)]
            pub const fn $name(self) -> Store<$number, H> {
                Store { policy: self.policy }
            }
        )*}

        /// The modifier of a priority.
        #[cfg(ptyx_device)]
        const fn priority(number: u8) -> &'static str {
            match number {
                $($number => $ptx,)*
                _ => "",
            }
        }
    };
}

priorities! {
    evict_first 1 ".L1::evict_first": "L1 evicts what is loaded before other lines" "L1 evicts what is stored before other lines";
    evict_last 2 ".L1::evict_last": "L1 evicts what is loaded after other lines" "L1 evicts what is stored after other lines";
    evict_unchanged 3 ".L1::evict_unchanged": "L1 does not change its order of eviction" "L1 does not change its order of eviction";
    no_allocate 4 ".L1::no_allocate": "What is loaded takes no place in L1" "What is stored takes no place in L1";
}

/// How much L2 loads, by the numbers in the types.
macro_rules! prefetches {
    ($($name:ident $bytes:literal $ptx:literal;)*) => {
        impl<const READ_ONLY: bool, const L1: u8, H: Hint> Load<READ_ONLY, L1, 0, H> {$(
            #[doc = concat!("L2 loads ", stringify!($bytes), " bytes around the value (`", $ptx, "`, `sm_80`).")]
            ///
            /// ```
            /// use ptyx::device::cache::Load;
            ///
            /// fn load(x: &f32) -> f32 {
            #[doc = concat!("    Load::new().", stringify!($name), "().from(x)")]
            /// }
            /// ```
            #[inline(always)]
            pub const fn $name(self) -> Load<READ_ONLY, L1, $bytes, H> {
                Load { policy: self.policy }
            }
        )*}

        /// The modifier of a size.
        #[cfg(ptyx_device)]
        const fn prefetch(bytes: u16) -> &'static str {
            match bytes {
                $($bytes => $ptx,)*
                _ => "",
            }
        }
    };
}

prefetches! {
    prefetch_64 64 ".L2::64B";
    prefetch_128 128 ".L2::128B";
    prefetch_256 256 ".L2::256B";
}

impl<const READ_ONLY: bool, const L1: u8, const L2: u16> Load<READ_ONLY, L1, L2> {
    /// L2 keeps what is loaded as a policy says (`.L2::cache_hint`, `sm_80`).
    ///
    /// ```
    /// use ptyx::device::cache::{Load, Policy};
    ///
    /// fn load(x: &f32) -> f32 {
    ///     Load::new().policy(Policy::evict_last()).from(x)
    /// }
    /// ```
    #[inline(always)]
    pub const fn policy(self, policy: Policy) -> Load<READ_ONLY, L1, L2, Policy> {
        Load { policy }
    }
}

impl<const READ_ONLY: bool, const L1: u8, const L2: u16, H: Hint> Load<READ_ONLY, L1, L2, H> {
    /// The modifiers behind `ld.global`.
    #[cfg(ptyx_device)]
    const FORM: [u128; 3] = words([
        if READ_ONLY { ".nc" } else { "" },
        priority(L1),
        if H::IS_SOME { ".L2::cache_hint" } else { "" },
        prefetch(L2),
    ]);

    /// Loads a value.
    ///
    /// ```
    /// use ptyx::device::cache::Load;
    /// use ptyx::device::vector::F32x4;
    ///
    /// fn load(x: &F32x4) -> F32x4 {
    ///     Load::new().no_allocate().prefetch_128().from(x)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn from<T: Cached>(self, from: &T) -> T {
        let newer = L2 != 0 || H::IS_SOME;
        if !is_global(from) || newer && !arch_at_least!(80) {
            return *from;
        }
        #[cfg(ptyx_device)]
        return match (newer, H::IS_SOME) {
            (_, true) => {
                load!(T, from, Self::FORM, "//__ptyx_ptx arch=sm_80 ptx=74", self.policy.bits())
            }
            (true, false) => load!(T, from, Self::FORM, "//__ptyx_ptx arch=sm_80 ptx=74"),
            (false, false) => load!(T, from, Self::FORM, "//__ptyx_ptx arch=sm_70 ptx=74"),
        };
        #[cfg(not(ptyx_device))]
        {
            let _ = self.policy.bits();
            intrinsics::on_the_host()
        }
    }
}

impl Store {
    /// No hints.
    ///
    /// ```
    /// use ptyx::device::cache::Store;
    ///
    /// fn plain(place: &mut f32) {
    ///     Store::new().to(place, 1.0);
    /// }
    /// ```
    #[inline(always)]
    pub const fn new() -> Self {
        Store { policy: () }
    }
}

impl Default for Store {
    fn default() -> Self {
        Store::new()
    }
}

impl<const L1: u8> Store<L1> {
    /// L2 keeps what is stored as a policy says (`.L2::cache_hint`, `sm_80`).
    ///
    /// ```
    /// use ptyx::device::cache::{Policy, Store};
    ///
    /// fn store(place: &mut f32) {
    ///     Store::new().policy(Policy::evict_first()).to(place, 1.0);
    /// }
    /// ```
    #[inline(always)]
    pub const fn policy(self, policy: Policy) -> Store<L1, Policy> {
        Store { policy }
    }
}

impl<const L1: u8, H: Hint> Store<L1, H> {
    /// The modifiers behind `st.global`.
    #[cfg(ptyx_device)]
    const FORM: [u128; 3] =
        words([priority(L1), if H::IS_SOME { ".L2::cache_hint" } else { "" }, "", ""]);

    /// Stores a value.
    ///
    /// ```
    /// use ptyx::device::cache::Store;
    ///
    /// fn store(place: &mut f32) {
    ///     Store::new().evict_first().to(place, 1.0);
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn to<T: Cached>(self, to: &mut T, value: T) {
        if !is_global(to) || H::IS_SOME && !arch_at_least!(80) {
            *to = value;
            return;
        }
        #[cfg(ptyx_device)]
        match H::IS_SOME {
            true => store!(
                T,
                to,
                value,
                Self::FORM,
                "//__ptyx_ptx arch=sm_80 ptx=74",
                self.policy.bits()
            ),
            false => store!(T, to, value, Self::FORM, "//__ptyx_ptx arch=sm_70 ptx=74"),
        }
        #[cfg(not(ptyx_device))]
        {
            let _ = self.policy.bits();
            intrinsics::on_the_host()
        }
    }
}

impl<const READ_ONLY: bool, const L1: u8, const L2: u16, H: Hint> fmt::Debug
    for Load<READ_ONLY, L1, L2, H>
{
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Load(read_only: {READ_ONLY}, policy: {})", H::IS_SOME)
    }
}

impl<const L1: u8, H: Hint> fmt::Debug for Store<L1, H> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Store(policy: {})", H::IS_SOME)
    }
}

/// Modifiers, one after another, as words of an instruction's text.
#[cfg(ptyx_device)]
const fn words(parts: [&str; 4]) -> [u128; 3] {
    let (mut text, mut len, mut part) = ([0; 48], 0, 0);
    while part < parts.len() {
        let bytes = parts[part].as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            text[len] = bytes[at];
            len += 1;
            at += 1;
        }
        part += 1;
    }
    let mut words = [0; 3];
    let mut index = 0;
    while index < 3 {
        let (from, left) = (16 * index, len.saturating_sub(16 * index));
        let count = if left < 16 { left } else { 16 };
        let (_, rest) = text.split_at(from);
        words[index] = word(rest.split_at(count).0);
        index += 1;
    }
    words
}
