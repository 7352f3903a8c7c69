//! Loads and stores of global memory with any modifiers, as inline PTX.

/// The instructions of a load or store, by the size of the type. `$head` says what they need.
#[cfg(ptyx_device)]
macro_rules! load {
    ($type:ty, $from:expr, $head:literal, $form:literal $(, $policy:expr)?) => {{
        let from: *const $type = $from;
        let mut value = core::mem::MaybeUninit::<$type>::uninit();
        // SAFETY: the address is that of a value in global memory; as many bytes as it has are read and written.
        unsafe {
            match size_of::<$type>() {
                1 => value.as_mut_ptr().cast::<u8>().write(load!(@one u16, ".b8", from, $head, $form $(, $policy)?) as u8),
                2 => value.as_mut_ptr().cast::<u16>().write(load!(@one u16, ".b16", from, $head, $form $(, $policy)?)),
                4 => value.as_mut_ptr().cast::<u32>().write(load!(@one u32, ".b32", from, $head, $form $(, $policy)?)),
                8 => value.as_mut_ptr().cast::<u64>().write(load!(@one u64, ".b64", from, $head, $form $(, $policy)?)),
                _ => {
                    let (low, high): (u64, u64);
                    core::arch::asm!(
                        $head,
                        concat!("ld.global", $form, ".v2.b64 {{{}, {}}}, [{}]", load!(@policy $($policy)?), ";"),
                        lateout(reg) low, lateout(reg) high, in(reg) from $(, in(reg) $policy)?,
                        options(readonly, nostack, preserves_flags)
                    );
                    value.as_mut_ptr().cast::<[u64; 2]>().write([low, high]);
                }
            }
            value.assume_init()
        }
    }};
    (@one $word:ty, $type:literal, $from:expr, $head:literal, $form:literal $(, $policy:expr)?) => {{
        let value: $word;
        core::arch::asm!(
            $head,
            concat!("ld.global", $form, $type, " {}, [{}]", load!(@policy $($policy)?), ";"),
            lateout(reg) value, in(reg) $from $(, in(reg) $policy)?,
            options(readonly, nostack, preserves_flags)
        );
        value
    }};
    (@policy) => { "" };
    (@policy $policy:expr) => { ", {}" };
}

#[cfg(ptyx_device)]
macro_rules! store {
    ($type:ty, $to:expr, $value:expr, $head:literal, $form:literal $(, $policy:expr)?) => {{
        let (to, value): (*mut $type, $type) = ($to, $value);
        let from: *const $type = &raw const value;
        // SAFETY: as for loads.
        unsafe {
            match size_of::<$type>() {
                1 => store!(@one u16::from(from.cast::<u8>().read()), ".b8", to, $head, $form $(, $policy)?),
                2 => store!(@one from.cast::<u16>().read(), ".b16", to, $head, $form $(, $policy)?),
                4 => store!(@one from.cast::<u32>().read(), ".b32", to, $head, $form $(, $policy)?),
                8 => store!(@one from.cast::<u64>().read(), ".b64", to, $head, $form $(, $policy)?),
                _ => {
                    let [low, high] = from.cast::<[u64; 2]>().read();
                    core::arch::asm!(
                        $head,
                        concat!("st.global", $form, ".v2.b64 [{}], {{{}, {}}}", store!(@policy $($policy)?), ";"),
                        in(reg) to, in(reg) low, in(reg) high $(, in(reg) $policy)?,
                        options(nostack, preserves_flags)
                    );
                }
            }
        }
    }};
    (@one $value:expr, $type:literal, $to:expr, $head:literal, $form:literal $(, $policy:expr)?) => {
        core::arch::asm!(
            $head,
            concat!("st.global", $form, $type, " [{}], {}", store!(@policy $($policy)?), ";"),
            in(reg) $to, in(reg) $value $(, in(reg) $policy)?,
            options(nostack, preserves_flags)
        )
    };
    (@policy) => { "" };
    (@policy $policy:expr) => { ", {}" };
}

#[cfg(ptyx_device)]
pub(super) use {load, store};
