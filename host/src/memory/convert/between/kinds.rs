//! The kinds of memory of the host and of devices. CUDA arrays are in `texture/convert.rs`.

use super::sealed::{Read, Write};
use crate::error::Result;
use crate::memory::{
    DeviceArray, DeviceBuffer, DeviceSlice, DeviceSliceMut, DeviceView, DeviceViewMut,
    GrowableBuffer, GuardedBuffer, HostView, HostViewMut, ManagedBuffer, PinnedBuffer,
    PitchedBuffer, PitchedView, PitchedViewMut,
};
use core::ops::Range;
use ptyx_device::DeviceCopy;

impl<U: Copy, const N: usize> Read<U, N> for HostView<'_, U, N> {
    fn extents(&self) -> Result<[usize; N]> {
        Ok(self.shape())
    }

    fn read(&self, part: [Range<usize>; N]) -> Result<Vec<U>> {
        Ok(self.part(part)?.elements().collect())
    }
}

impl<T: Copy, const N: usize> Write<T, N> for HostViewMut<'_, T, N> {
    fn extents(&self) -> Result<[usize; N]> {
        Ok(self.shape())
    }

    fn write(mut self, elements: &[T]) -> Result<()> {
        HostViewMut::write(&mut self, elements.iter().copied());
        Ok(())
    }
}

impl<U: DeviceCopy, const N: usize> Read<U, N> for PitchedView<'_, U, N> {
    fn extents(&self) -> Result<[usize; N]> {
        Ok(self.shape())
    }

    fn read(&self, part: [Range<usize>; N]) -> Result<Vec<U>> {
        self.part(part)?.to_vec()
    }
}

impl<T: DeviceCopy, const N: usize> Write<T, N> for PitchedViewMut<'_, T, N> {
    fn extents(&self) -> Result<[usize; N]> {
        Ok(self.shape())
    }

    fn write(mut self, elements: &[T]) -> Result<()> {
        self.copy_from_slice(elements)
    }
}

/// Memory that is seen as one of the views above: `[generics] source, destination: axes |memory, number of
/// elements| view, mutable view, extents`.
macro_rules! seen_as {
    ($([$($generics:tt)*] $source:ty, $target:ty: $axes:tt |$memory:ident, $len:ident| $view:expr, $view_mut:expr, $shape:expr;)*) => {$(
        impl<T: DeviceCopy $($generics)*> Read<T, $axes> for $source {
            #[allow(unused_variables)]
            fn extents(&self) -> Result<[usize; $axes]> {
                let $memory = self;
                Ok($shape)
            }

            fn read(&self, part: [Range<usize>; $axes]) -> Result<Vec<T>> {
                let $memory = self;
                Read::read(&$view, part)
            }
        }

        impl<T: DeviceCopy $($generics)*> Write<T, $axes> for $target {
            #[allow(unused_variables)]
            fn extents(&self) -> Result<[usize; $axes]> {
                let $memory = self;
                Ok($shape)
            }

            #[allow(unused_mut, unused_variables)]
            fn write(self, elements: &[T]) -> Result<()> {
                let (mut $memory, $len) = (self, elements.len());
                Write::write($view_mut, elements)
            }
        }
    )*};
}

seen_as! {
    [] &[T], &mut [T]: 1
        |memory, len| HostView::new(memory, [memory.len()])?, HostViewMut::new(memory, [len])?, [memory.len()];
    [, const L: usize] &[T; L], &mut [T; L]: 1
        |memory, len| HostView::new(&memory[..], [L])?, HostViewMut::new(&mut memory[..], [L])?, [L];
    [] &Vec<T>, &mut Vec<T>: 1
        |memory, len| HostView::new(memory, [memory.len()])?, HostViewMut::new(memory, [len])?, [memory.len()];
    [] &PinnedBuffer<T>, &mut PinnedBuffer<T>: 1
        |memory, len| HostView::new(memory, [memory.len()])?, HostViewMut::new(memory, [len])?, [memory.len()];
    [] DeviceSlice<'_, T>, DeviceSliceMut<'_, T>: 1
        |memory, len| memory.view([memory.len()]), memory.view_mut([len]), [memory.len()];
    [] &DeviceBuffer<T>, &mut DeviceBuffer<T>: 1
        |memory, len| memory.as_slice(), memory.as_slice_mut(), [memory.len()];
    [] &GrowableBuffer<T>, &mut GrowableBuffer<T>: 1
        |memory, len| memory.as_slice(), memory.as_slice_mut(), [memory.len()];
    [] &ManagedBuffer<T>, &mut ManagedBuffer<T>: 1
        |memory, len| memory.as_slice(), memory.as_slice_mut(), [memory.len()];
    [] &GuardedBuffer<T>, &mut GuardedBuffer<T>: 1
        |memory, len| memory.as_slice(), memory.as_slice_mut(), [memory.len()];
    [, const N: usize] DeviceView<'_, T, N>, DeviceViewMut<'_, T, N>: N
        |memory, len| memory.pitched()?, memory.pitched_mut()?, memory.shape();
    [, const N: usize] &PitchedBuffer<T, N>, &mut PitchedBuffer<T, N>: N
        |memory, len| memory.view(), memory.view_mut(), memory.shape();
    [, const N: usize] &DeviceArray<T, N>, &mut DeviceArray<T, N>: N
        |memory, len| memory.view(), memory.view_mut(), memory.shape();
}
