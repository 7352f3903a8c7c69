//! The fundamental types and state spaces of PTX (PTX ISA, sections 5.1 and 5.2).

macro_rules! types {
    ($($variant:ident $name:literal $size:literal $kind:ident;)*) => {
        /// A fundamental or packed type.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Type { $(#[doc = $name] $variant,)* }

        impl Type {
            /// The type a modifier such as `u32` names.
            pub(crate) fn from_name(name: &str) -> Option<Type> {
                match name { $($name => Some(Type::$variant),)* _ => None }
            }

            /// Its name, without the dot.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Type::$variant => $name,)* }
            }

            /// Its size in bytes; 0 for a predicate.
            pub(crate) fn size(self) -> u32 {
                match self { $(Type::$variant => $size,)* }
            }

            /// What its bits mean.
            pub(crate) fn kind(self) -> Kind {
                match self { $(Type::$variant => Kind::$kind,)* }
            }
        }
    };
}

/// What the bits of a type mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Untyped bits.
    Bits,
    /// Unsigned integer.
    Unsigned,
    /// Two's complement integer.
    Signed,
    /// Floating point.
    Float,
    /// One bit.
    Predicate,
}

types! {
    Pred "pred" 0 Predicate;
    B8 "b8" 1 Bits;
    B16 "b16" 2 Bits;
    B32 "b32" 4 Bits;
    B64 "b64" 8 Bits;
    B128 "b128" 16 Bits;
    U8 "u8" 1 Unsigned;
    U16 "u16" 2 Unsigned;
    U32 "u32" 4 Unsigned;
    U64 "u64" 8 Unsigned;
    S8 "s8" 1 Signed;
    S16 "s16" 2 Signed;
    S32 "s32" 4 Signed;
    S64 "s64" 8 Signed;
    F16 "f16" 2 Float;
    F32 "f32" 4 Float;
    F64 "f64" 8 Float;
    Bf16 "bf16" 2 Float;
    Tf32 "tf32" 4 Float;
    F16x2 "f16x2" 4 Float;
    Bf16x2 "bf16x2" 4 Float;
    E4m3x2 "e4m3x2" 2 Float;
    E5m2x2 "e5m2x2" 2 Float;
    U16x2 "u16x2" 4 Unsigned;
    S16x2 "s16x2" 4 Signed;
}

/// Where a variable lives, or an address points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    /// Any of the windows below.
    Generic,
    /// Device memory.
    Global,
    /// Read-only device memory.
    Const,
    /// Memory of one block.
    Shared,
    /// That of all blocks of a cluster.
    Cluster,
    /// Memory of one thread.
    Local,
    /// Parameters of a kernel or a function.
    Param,
}

impl Space {
    /// The space a modifier such as `shared::cta` names.
    pub(crate) fn from_name(name: &str) -> Option<Space> {
        Some(match name {
            "global" => Space::Global,
            "const" => Space::Const,
            "shared" | "shared::cta" => Space::Shared,
            "shared::cluster" => Space::Cluster,
            "local" => Space::Local,
            "param" | "param::entry" | "param::func" => Space::Param,
            _ => return None,
        })
    }

    /// Its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Space::Generic => "generic",
            Space::Global => "global",
            Space::Const => "constant",
            Space::Shared | Space::Cluster => "shared",
            Space::Local => "local",
            Space::Param => "parameter",
        }
    }
}
