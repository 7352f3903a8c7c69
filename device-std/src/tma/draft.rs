//! Tensor maps that a kernel makes from others, for tensors whose addresses or sizes only the device knows.

use super::map::{TensorMap, TensorMapMut};
use super::shape::innermost_first;
use super::{Layout, Placed, TileShape};
use crate::shared::Shared;
use crate::wgmma::shared_address;
use crate::{DeviceCopy, layout_name, layout_of, warp};
use core::fmt;
use core::marker::PhantomData;

/// Memory for a tensor map: 128 bytes, whose meaning only the hardware knows.
///
/// ```
/// use ptyx::device::tma::MapMemory;
/// assert_eq!((size_of::<MapMemory>(), align_of::<MapMemory>()), (128, 128));
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(128))]
pub struct MapMemory([u64; 16]);

// SAFETY: numbers, each of whose bit patterns is a value.
#[diagnostic::do_not_recommend]
unsafe impl DeviceCopy for MapMemory {
    const LAYOUT: u64 = layout_name(layout_of::<Self>(), "tma::MapMemory");
}

/// A copy of a tensor map in shared memory, for a kernel to change and then publish ([`TensorMap::draft`]).
///
/// ```
/// use ptyx::device::tma::MapDraft;
/// use ptyx::device::wgmma::Unswizzled;
///
/// /// Makes it the map of another array. The tiles stay: 64 numbers each.
/// ///
/// /// # Safety
/// /// As [`MapDraft::place`].
/// unsafe fn move_to(draft: &MapDraft<[f32; 64], Unswizzled>, start: *const f32, len: usize) {
///     // SAFETY: as the caller's.
///     unsafe { draft.place(start, [len], [1]) }
/// }
/// ```
pub struct MapDraft<K: TileShape, S: Placed> {
    memory: Shared<MapMemory>,
    of: PhantomData<(K, S)>,
}

impl<K: TileShape, S: Placed> fmt::Debug for MapDraft<K, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "MapDraft({}, {:?})", core::any::type_name::<K>(), Layout::<S>::SHOWN)
    }
}

/// One `tensormap.replace`: `[map]`, perhaps a constant, and a value.
macro_rules! replace {
    ($text:literal, $map:expr, $value:expr) => {
        crate::__ptx! {
            device {
                // SAFETY: the caller's promise.
                unsafe {
                    core::arch::asm!(
                        "//__ptyx_ptx arch=sm_90a ptx=8.3",
                        concat!("tensormap.replace.tile.", $text),
                        map = in(reg) $map,
                        value = in(reg) $value,
                        options(nostack, preserves_flags),
                    );
                }
            }
            host {
                let _ = ($map, $value);
            }
        }
    };
}

impl<K: TileShape, S: Placed> TensorMap<'_, K, S> {
    /// Copies the map to shared memory, where [`MapDraft::place`] can give it another tensor. The element type, the
    /// tile's shape and the swizzle stay.
    ///
    /// All lanes of a warp must call it together.
    ///
    /// ```
    /// use ptyx::device::tma::{MapMemory, TensorMap};
    /// use ptyx::prelude::*;
    ///
    /// /// The map of the array that entry `row` of a table describes by a pointer and a length. The warp keeps the map
    /// /// at `to`, in global memory.
    /// ///
    /// /// # Safety
    /// /// The table's arrays are valid while the kernel runs. Only this warp uses `to`.
    /// unsafe fn map_of_row(
    ///     template: &TensorMap<'_, [f32; 256]>,
    ///     table: &[(*const f32, usize)],
    ///     row: usize,
    ///     to: *mut MapMemory,
    /// ) -> TensorMap<'static, [f32; 256]> {
    ///     // SAFETY: as the caller's; the memory is used here only.
    ///     unsafe {
    ///         let draft = template.draft(shared!(MapMemory));
    ///         if warp::lane() == 0 {
    ///             let (start, len) = table[row];
    ///             draft.place(start, [len], [1]);
    ///         }
    ///         draft.publish(to)
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// Only this warp uses `memory`, and only through the draft.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn draft(&self, memory: Shared<MapMemory>) -> MapDraft<K, S> {
        const WORDS: usize = size_of::<MapMemory>() / 8;
        let (lane, from) = (warp::lane() as usize, self.place().cast::<u64>());
        if lane < WORDS {
            // SAFETY: words of the map, and of memory that is this warp's, as the caller says.
            unsafe { memory.as_mut_ptr().cast::<u64>().add(lane).write(from.add(lane).read()) };
        }
        warp::sync(warp::FULL);
        MapDraft { memory, of: PhantomData }
    }
}

impl<K: TileShape, S: Placed> MapDraft<K, S> {
    /// Makes it the map of the tensor at `start`. Sizes and strides are in elements, slowest axis first; the last
    /// stride is 1. (In an interleaved layout, the last stride is the number of channels of a slice, the second size is the number
    /// of slices, and the second stride leads from one slice to the next.)
    ///
    /// One thread of the warp calls it. PTX [`tensormap.replace`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-tensormap-replace) (`sm_90a`),
    /// `cuda::ptx::tensormap_replace_global_address()` of CUDA C++ and its siblings.
    ///
    /// ```
    /// use ptyx::device::tma::MapDraft;
    /// use ptyx::device::wgmma::Unswizzled;
    ///
    /// /// Makes it the map of a matrix of `rows` rows of 64 numbers, without gaps.
    /// ///
    /// /// # Safety
    /// /// As [`MapDraft::place`].
    /// unsafe fn matrix(draft: &MapDraft<[[f32; 64]; 8], Unswizzled>, start: *const f32, rows: usize) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { draft.place(start, [rows, 64], [64, 1]) }
    /// }
    /// ```
    ///
    /// # Safety
    /// - The tensor is valid as long as copies use the map.
    /// - It begins at a multiple of 16 bytes. Its sizes are 1 to 2^32, and all strides but the last are multiples of 16
    ///   bytes, and less than 2^40 bytes (as for `cuTensorMapEncodeTiled`). With slices of 32 bytes, they and the start are
    ///   multiples of 32 bytes.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn place(&self, start: *const K::Element, size: K::Index, strides: K::Index) {
        let map = shared_address(self.memory.as_mut_ptr().cast());
        let (sizes, strides) = (innermost_first(size.as_ref()), innermost_first(strides.as_ref()));
        // The instruction wants an address in global memory.
        replace!("global_address.shared::cta.b1024.b64 [{map}], {value};", map, start);
        macro_rules! dimension {
            ($number:literal $size:literal $stride:literal) => {
                if K::DIMENSIONS > $number {
                    replace!($size, map, sizes[$number] as u32);
                    if $number > 0 {
                        let bytes = strides[$number].wrapping_mul(size_of::<K::Element>()) as u64;
                        replace!($stride, map, bytes);
                    }
                }
            };
        }
        dimension! { 0
            "global_dim.shared::cta.b1024.b32 [{map}], 0, {value};"
            "global_stride.shared::cta.b1024.b64 [{map}], 0, {value};"
        }
        dimension! { 1
            "global_dim.shared::cta.b1024.b32 [{map}], 1, {value};"
            "global_stride.shared::cta.b1024.b64 [{map}], 0, {value};"
        }
        dimension! { 2
            "global_dim.shared::cta.b1024.b32 [{map}], 2, {value};"
            "global_stride.shared::cta.b1024.b64 [{map}], 1, {value};"
        }
        dimension! { 3
            "global_dim.shared::cta.b1024.b32 [{map}], 3, {value};"
            "global_stride.shared::cta.b1024.b64 [{map}], 2, {value};"
        }
        dimension! { 4
            "global_dim.shared::cta.b1024.b32 [{map}], 4, {value};"
            "global_stride.shared::cta.b1024.b64 [{map}], 3, {value};"
        }
    }

    /// Copies the map to global memory, where copies can use it, and makes it visible to the copies that threads of
    /// this warp start.
    ///
    /// All lanes of the warp must call it together. PTX [`tensormap.cp_fenceproxy`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-tensormap-cp-fenceproxy) and
    /// [`fence.proxy.tensormap`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-membar) (`sm_90`),
    /// `cuda::ptx::tensormap_cp_fenceproxy()` and `cuda::ptx::fence_proxy_tensormap_generic()` of CUDA C++.
    ///
    /// ```
    /// use ptyx::device::tma::{MapDraft, MapMemory, TensorMap};
    /// use ptyx::device::wgmma::Unswizzled;
    ///
    /// /// A map to load tiles of the draft's tensor with.
    /// ///
    /// /// # Safety
    /// /// As [`MapDraft::publish`].
    /// unsafe fn input(draft: MapDraft<[f32; 64], Unswizzled>, to: *mut MapMemory) -> TensorMap<'static, [f32; 64]> {
    ///     // SAFETY: as the caller's.
    ///     unsafe { draft.publish(to) }
    /// }
    /// ```
    ///
    /// # Safety
    /// - `to` is in global memory and stays there as long as copies use the map. Only this warp uses it.
    /// - The map's tensor is valid for `'a`, and nothing writes it meanwhile.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn publish<'a>(self, to: *mut MapMemory) -> TensorMap<'a, K, S> {
        self.copy(to);
        // SAFETY: the map has been copied there.
        unsafe { TensorMap::in_place(to.cast()) }
    }

    /// As [`publish`](Self::publish), for a tensor that tiles are stored into.
    ///
    /// PTX [`tensormap.cp_fenceproxy`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-tensormap-cp-fenceproxy) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::tma::{MapDraft, MapMemory, TensorMapMut};
    /// use ptyx::device::wgmma::Unswizzled;
    ///
    /// /// A map to store tiles into the draft's tensor with.
    /// ///
    /// /// # Safety
    /// /// As [`MapDraft::publish_mut`].
    /// unsafe fn output(draft: MapDraft<[f32; 64], Unswizzled>, to: *mut MapMemory) -> TensorMapMut<'static, [f32; 64]> {
    ///     // SAFETY: as the caller's.
    ///     unsafe { draft.publish_mut(to) }
    /// }
    /// ```
    ///
    /// # Safety
    /// As [`publish`](Self::publish), and nothing else uses the tensor for `'a`.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn publish_mut<'a>(self, to: *mut MapMemory) -> TensorMapMut<'a, K, S> {
        self.copy(to);
        // SAFETY: the map has been copied there.
        unsafe { TensorMapMut::in_place(to.cast()) }
    }

    #[inline(always)]
    #[track_caller]
    fn copy(&self, to: *mut MapMemory) {
        warp::sync(warp::FULL);
        let from = shared_address(self.memory.as_mut_ptr().cast());
        crate::__ptx! {
            device {
                // SAFETY: the caller's promise.
                unsafe {
                    core::arch::asm!(
                        "//__ptyx_ptx arch=sm_90 ptx=8.3",
                        "{{ .reg .b64 %to; cvta.to.global.u64 %to, {to};",
                        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%to], [{from}], 128;",
                        "fence.proxy.tensormap::generic.acquire.gpu [{to}], 128; }}",
                        to = in(reg) to,
                        from = in(reg) from,
                        options(nostack, preserves_flags),
                    );
                }
            }
            host {
                let _ = (from, to);
            }
        }
    }
}
