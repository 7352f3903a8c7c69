//! The instructions `ldmatrix` and `stmatrix`: lines of 16 bytes in shared memory, whose addresses the lanes have.

/// An instruction that loads.
#[cfg(ptyx_device)]
macro_rules! load {
    ($arch:ident $version:literal, $form:literal [$($index:literal)*] $registers:literal; $address:ident $to:ident) => {
        // SAFETY: the promise of the caller of the function around it.
        unsafe {
            core::arch::asm!(
                head!($arch, $version, ""),
                "{{ .reg .b64 %row; cvta.to.shared.u64 %row, {row};",
                concat!("ldmatrix.sync.aligned.", $form, " ", $registers, ", [%row]; }}"),
                $(lateout(reg) $to[$index],)*
                row = in(reg) $address,
                options(readonly, nostack, preserves_flags),
            )
        }
    };
}

/// An instruction that stores.
#[cfg(ptyx_device)]
macro_rules! store {
    ($arch:ident $version:literal, $form:literal [$($index:literal)*] $registers:literal; $address:ident $from:ident) => {
        // SAFETY: the promise of the caller of the function around it.
        unsafe {
            core::arch::asm!(
                head!($arch, $version, ""),
                "{{ .reg .b64 %row; cvta.to.shared.u64 %row, {row};",
                concat!("stmatrix.sync.aligned.", $form, " [%row], ", $registers, "; }}"),
                $(in(reg) $from[$index],)*
                row = in(reg) $address,
                options(nostack, preserves_flags),
            )
        }
    };
}

/// Functions for some architectures: the first one, or the one for which the kernel is compiled.
macro_rules! lines {
    (
        $(#[$about:meta])*
        $instruction:ident($values:ident: $type:ty) $arch:ident $version:literal $(, $family:ident $later:literal)*:
        $($name:ident $form:literal $indices:tt $registers:literal;)*
    ) => {
        lines! {
            @ [$(#[$about])*] $instruction $values ($type) $arch $version [$($family $later)*]
            $($name $form $indices $registers;)*
        }
    };
    (
        @ $about:tt $instruction:ident $values:ident $type:tt $arch:ident $version:literal $families:tt
        $($name:ident $form:literal $indices:tt $registers:literal;)*
    ) => {
        $(lines! {
            @one $about $instruction $values $type $arch $version $families $name $form $indices $registers
        })*
    };
    (
        @one [$(#[$about:meta])*] $instruction:ident $values:ident ($type:ty) $arch:ident $version:literal
        [$($family:ident $later:literal)*] $name:ident $form:literal $indices:tt $registers:literal
    ) => {
        $(#[$about])*
        #[inline(always)]
        #[track_caller]
        pub(super) unsafe fn $name(address: *mut u8, $values: $type) {
            crate::__ptx! {
                device {
                    $(
                        if crate::arch_is!(stringify!($family)) {
                            $instruction!($family $later, $form $indices $registers; address $values);
                            return;
                        }
                    )*
                    $instruction!($arch $version, $form $indices $registers; address $values);
                }
                host {
                    let _ = (address, $values);
                    crate::intrinsics::on_the_host()
                }
            }
        }
    };
}

lines! {
    /// # Safety
    /// Each lane has the address of a row of 16 bytes in shared memory, valid and aligned.
    load(to: &mut [u32; 4]) sm_75 65:
    load_1 "m8n8.x1.shared.b16" [0] "{{{}}}";
    load_2 "m8n8.x2.shared.b16" [0 1] "{{{}, {}}}";
    load_4 "m8n8.x4.shared.b16" [0 1 2 3] "{{{}, {}, {}, {}}}";
    load_1_transposed "m8n8.x1.trans.shared.b16" [0] "{{{}}}";
    load_2_transposed "m8n8.x2.trans.shared.b16" [0 1] "{{{}, {}}}";
    load_4_transposed "m8n8.x4.trans.shared.b16" [0 1 2 3] "{{{}, {}, {}, {}}}";
}

lines! {
    /// # Safety
    /// As for loads, and nobody else uses the rows.
    store(from: [u32; 4]) sm_90 78:
    store_1 "m8n8.x1.shared.b16" [0] "{{{}}}";
    store_2 "m8n8.x2.shared.b16" [0 1] "{{{}, {}}}";
    store_4 "m8n8.x4.shared.b16" [0 1 2 3] "{{{}, {}, {}, {}}}";
    store_1_transposed "m8n8.x1.trans.shared.b16" [0] "{{{}}}";
    store_2_transposed "m8n8.x2.trans.shared.b16" [0 1] "{{{}, {}}}";
    store_4_transposed "m8n8.x4.trans.shared.b16" [0 1 2 3] "{{{}, {}, {}, {}}}";
}

lines! {
    /// # Safety
    /// Each lane has the address of a row of 16 bytes in shared memory, valid and aligned.
    load(to: &mut [u32; 4]) sm_120a 87, sm_100f 88, sm_110f 88, sm_121f 88:
    load_bytes_1 "m16n16.x1.trans.shared.b8" [0 1] "{{{}, {}}}";
    load_bytes_2 "m16n16.x2.trans.shared.b8" [0 1 2 3] "{{{}, {}, {}, {}}}";
    load_six_transposed_1 "m16n16.x1.trans.shared.b8x16.b6x16_p32" [0 1] "{{{}, {}}}";
    load_six_transposed_2 "m16n16.x2.trans.shared.b8x16.b6x16_p32" [0 1 2 3] "{{{}, {}, {}, {}}}";
    load_four_transposed_1 "m16n16.x1.trans.shared.b8x16.b4x16_p64" [0 1] "{{{}, {}}}";
    load_four_transposed_2 "m16n16.x2.trans.shared.b8x16.b4x16_p64" [0 1 2 3] "{{{}, {}, {}, {}}}";
    load_six_1 "m8n16.x1.shared.b8x16.b6x16_p32" [0] "{{{}}}";
    load_six_2 "m8n16.x2.shared.b8x16.b6x16_p32" [0 1] "{{{}, {}}}";
    load_six_4 "m8n16.x4.shared.b8x16.b6x16_p32" [0 1 2 3] "{{{}, {}, {}, {}}}";
    load_four_1 "m8n16.x1.shared.b8x16.b4x16_p64" [0] "{{{}}}";
    load_four_2 "m8n16.x2.shared.b8x16.b4x16_p64" [0 1] "{{{}, {}}}";
    load_four_4 "m8n16.x4.shared.b8x16.b4x16_p64" [0 1 2 3] "{{{}, {}, {}, {}}}";
}

lines! {
    /// # Safety
    /// As for loads, and nobody else uses the rows.
    store(from: [u32; 4]) sm_120a 87, sm_100f 88, sm_110f 88, sm_121f 88:
    store_bytes_1 "m16n8.x1.trans.shared.b8" [0] "{{{}}}";
    store_bytes_2 "m16n8.x2.trans.shared.b8" [0 1] "{{{}, {}}}";
    store_bytes_4 "m16n8.x4.trans.shared.b8" [0 1 2 3] "{{{}, {}, {}, {}}}";
}
