//! Why a launch failed: the driver says "invalid value", a user needs the number.
//!
//! The causes are checked in this order, and the first that applies is reported: an extent that is not
//! positive; the shape of the clusters; an extent over the device's limit; an early start that the device does not have;
//! registers; threads over the kernel's limit; shared memory; parameter bytes.
//!
//! The driver's own checks are not enough. The driver 580.159.04, on an H200, launches a kernel with blocks
//! of one thread even if the kernel requires another block size; its code then computes with the required
//! size. So every launch is checked against the limits first.

use super::config::LaunchConfig;
use crate::context::Context;
use crate::driver::types::*;
use crate::module;

/// Shared memory that a block may have without asking, in bytes.
pub(super) const SHARED_WITHOUT_ASKING: u32 = 48 * 1024;

/// What is known about a kernel besides its function's attributes.
pub(super) struct OfKernel {
    /// Static shared memory, in bytes, if the driver does not say.
    pub(super) static_shared: u32,
    /// Dynamic shared memory that each launch asks for in addition, in bytes.
    pub(super) moved_shared: u32,
    /// The knobs `maxthreads`, in threads, and `minthreads`.
    pub(super) maxthreads: Option<[i128; 3]>,
    pub(super) minthreads: Option<[i128; 3]>,
    /// The clusters of its attribute, in blocks.
    pub(super) cluster: Option<[i128; 3]>,
    /// Bytes of the parameters.
    pub(super) parameters: i128,
}

/// The limits of the device and of the kernel for a launch.
pub(super) struct Limits {
    /// The largest grid, in blocks.
    pub(super) grid: [i128; 3],
    /// The largest block, in threads.
    pub(super) block: [i128; 3],
    /// The largest block, in threads over all dimensions.
    pub(super) threads: i128,
    /// 32-bit registers that a block may have.
    pub(super) registers: i128,
    /// Shared memory that a block may have, in bytes.
    pub(super) shared: i128,
    /// Bytes of parameters that a kernel may have.
    pub(super) parameters: i128,
    /// 32-bit registers of each of the kernel's threads.
    pub(super) kernel_registers: i128,
    /// The largest block that the driver accepts for the kernel, in threads.
    pub(super) kernel_threads: i128,
    /// The knob `maxthreads`, in threads.
    pub(super) maxthreads: Option<i128>,
    /// The knob `minthreads`.
    pub(super) minthreads: Option<[i128; 3]>,
    /// The clusters of the kernel's attribute, in blocks.
    pub(super) cluster: Option<[i128; 3]>,
    /// The kernel's static shared memory, in bytes.
    pub(super) kernel_shared: i128,
    /// Bytes of the kernel's parameters.
    pub(super) kernel_parameters: i128,
    /// The device's compute capability, times ten.
    pub(super) capability: u32,
}

impl Limits {
    /// Asks the driver. A value that it does not report does not limit anything.
    pub(super) fn of(context: &'static Context, function: CUfunction, kernel: &OfKernel) -> Limits {
        let device = |id| context.attribute(id).map_or(i128::MAX, i128::from);
        let function = |id| module::attribute(context, function, id).ok().map(i128::from);
        let shared = device(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
            .max(device(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK));
        Limits {
            grid: [
                device(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
                device(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                device(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z),
            ],
            block: [
                device(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
                device(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                device(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z),
            ],
            threads: device(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
            registers: device(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
            shared,
            parameters: most_parameters(context),
            kernel_registers: function(CU_FUNC_ATTRIBUTE_NUM_REGS).unwrap_or(0),
            kernel_threads: function(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK).unwrap_or(i128::MAX),
            maxthreads: kernel.maxthreads.map(product),
            minthreads: kernel.minthreads,
            cluster: kernel.cluster,
            kernel_shared: function(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
                .unwrap_or(i128::from(kernel.static_shared))
                + i128::from(kernel.moved_shared),
            kernel_parameters: kernel.parameters,
            capability: context.capability,
        }
    }
}

/// The limits of usual launches, in the driver's own types, so that a warm launch compares few words.
#[derive(Clone, Copy)]
pub(super) struct QuickLimits {
    grid: [u32; 3],
    block: [u32; 3],
    threads: u32,
    /// Dynamic shared memory, in bytes.
    shared: u32,
}

impl QuickLimits {
    /// Whether [`Limits::allow`] would allow a launch without clusters and without an early start, with extents that are
    /// positive; false says nothing.
    #[inline]
    pub(super) fn allow(&self, [x, y, z]: [u32; 3], [bx, by, bz]: [u32; 3], shared: u32) -> bool {
        // 0 wraps to what is never within.
        let within = |extent: u32, most: u32| extent.wrapping_sub(1) < most;
        // Three extents of 16 bits, once they are within the limits.
        let threads = || u64::from(bx) * u64::from(by) * u64::from(bz);
        within(bx, self.block[0])
            && within(by, self.block[1])
            && within(bz, self.block[2])
            && within(x, self.grid[0])
            && within(y, self.grid[1])
            && within(z, self.grid[2])
            && threads() <= u64::from(self.threads)
            && shared <= self.shared
    }
}

impl Limits {
    /// Those of usual launches.
    pub(super) fn quick(&self) -> QuickLimits {
        let words = |all: [i128; 3], most: u32| {
            all.map(|limit| u32::try_from(limit.clamp(0, most.into())).unwrap_or(0))
        };
        let kernel = self.kernel_threads.min(self.maxthreads.unwrap_or(i128::MAX));
        let mut threads = self.threads.min(kernel);
        if self.minthreads.is_some() || self.cluster.is_some() {
            // A single shape, and clusters, are for `Limits::allow` to check: here, no launch is allowed.
            threads = 0;
        }
        let shared = self.shared.saturating_sub(self.kernel_shared);
        // The largest number stands for one that does not fit.
        let [threads, shared, _] = words([threads, shared, 0], u32::MAX - 1);
        // Extents of 16 bits, so that their product fits.
        let (grid, block) = (words(self.grid, u32::MAX), words(self.block, u16::MAX.into()));
        QuickLimits { grid, block, threads, shared }
    }

    /// Whether a launch is within the limits that the host checks before it calls the driver: those of
    /// the grid, the block, its shared memory, and clusters. If not, [`explain`] gives the cause.
    #[inline]
    pub(super) fn allow(
        &self,
        config: &LaunchConfig<'_>,
        grid: [u32; 3],
        block: [u32; 3],
        shared: u32,
    ) -> bool {
        let below = |[x, y, z]: [u32; 3], most: [i128; 3]| {
            i128::from(x) <= most[0] && i128::from(y) <= most[1] && i128::from(z) <= most[2]
        };
        let [x, y, z] = block.map(u64::from);
        let threads = i128::from((x * y).saturating_mul(z));
        let is_plain = self.cluster.is_none()
            && (config.words.is_usual || config.clusters().is_none() && !config.is_programmatic());
        below(grid, self.grid)
            && below(block, self.block)
            && threads <= self.threads
            && threads <= self.kernel_threads
            && self.maxthreads.is_none_or(|most| threads <= most)
            && self.minthreads.is_none_or(|required| required == block.map(i128::from))
            && i128::from(shared) + self.kernel_shared <= self.shared
            && (is_plain
                || bad_cluster(config, self).is_none() && too_early(config, self).is_none())
    }
}

/// The compute capability from which launches have clusters, times ten.
const CLUSTERS: u32 = 90;
/// The largest cluster that each such device has, in blocks; and the largest of any.
pub(super) const PORTABLE_CLUSTER: u32 = 8;
const MAX_CLUSTER: i128 = ptyx_device::marker::MAX_CLUSTER as i128;

/// Bytes of parameters that a kernel may have (CUDA Programming Guide, "Function parameters"): 32764
/// from Volta on with a driver for CUDA 12.1, 4096 before.
fn most_parameters(context: &Context) -> i128 {
    match context.driver.version() {
        Ok(version) if version >= 12_010 => 32_764,
        _ => 4096,
    }
}

/// Why an assembler refuses a kernel with this many bytes of parameters, if that is the reason.
pub(super) fn too_many_parameters(context: &Context, bytes: i128) -> Option<String> {
    parameters_over(bytes, most_parameters(context))
}

fn parameters_over(bytes: i128, most: i128) -> Option<String> {
    (bytes > most).then(|| {
        format!("its parameters take too many bytes ({bytes} > {most}): put them into a buffer")
    })
}

fn product(dims: [i128; 3]) -> i128 {
    dims.iter().fold(1i128, |n, &extent| n.saturating_mul(extent))
}

/// Why the numbers of a launch can't even be passed to the driver.
pub(super) fn bad_numbers(config: &LaunchConfig<'_>, limits: &Limits) -> String {
    explain(config, limits).unwrap_or_else(|| "the driver can't handle its shape".to_owned())
}

/// The first cause that applies, with its numbers; `None` if none does.
pub(super) fn explain(config: &LaunchConfig<'_>, limits: &Limits) -> Option<String> {
    not_positive(config)
        .or_else(|| bad_cluster(config, limits))
        .or_else(|| over_device(config, limits))
        .or_else(|| too_early(config, limits))
        .or_else(|| over_registers(config, limits))
        .or_else(|| over_kernel(config, limits))
        .or_else(|| over_shared(config, limits))
        .or_else(|| over_parameters(limits))
}

/// Why a cooperative launch is too large for a device that holds `most` of its blocks at a time.
#[cold]
pub(super) fn not_resident(config: &LaunchConfig<'_>, most: Option<i128>) -> String {
    let blocks = product(config.all_blocks());
    let reason = "all blocks of a cooperative launch run at the same time, and the device can't hold so many";
    match most {
        Some(most) => format!("{reason} ({blocks} > {most})"),
        None => format!("{reason} ({blocks})"),
    }
}

/// The clusters of a launch: its own, or else those of the kernel's attribute.
pub(super) fn cluster(config: &LaunchConfig<'_>, limits: &Limits) -> Option<[i128; 3]> {
    config.clusters().or(limits.cluster)
}

/// Why the clusters of a launch are wrong.
fn bad_cluster(config: &LaunchConfig<'_>, limits: &Limits) -> Option<String> {
    let cluster = cluster(config, limits)?;
    if let Some((axis, extent)) = AXES.iter().zip(cluster).find(|(_, extent)| *extent < 1) {
        return Some(format!(
            "the cluster's {axis} dimension must be positive, not {extent} blocks"
        ));
    }
    if limits.capability < CLUSTERS {
        return Some(needs_ninety("a cluster", limits));
    }
    if let Some(required) = limits.cluster.filter(|required| *required != cluster) {
        let text = |[x, y, z]: [i128; 3]| format!("{x} x {y} x {z}");
        return Some(format!(
            "the kernel's attribute fixes clusters of {} blocks, but this launch has clusters of {}: leave `cluster` out",
            text(required),
            text(cluster)
        ));
    }
    let size = product(cluster);
    if size > MAX_CLUSTER {
        return Some(format!(
            "the cluster has more blocks than any device allows ({size} > {MAX_CLUSTER})"
        ));
    }
    let mut dims = AXES.iter().zip(config.all_blocks()).zip(cluster);
    dims.find(|((_, blocks), extent)| blocks % extent != 0).map(|((axis, blocks), extent)| {
        format!(
            "the grid's {axis} dimension must be a multiple of the cluster's ({blocks} is not a multiple of \
             {extent})"
        )
    })
}

/// Why a launch can't start before earlier kernels have ended.
fn too_early(config: &LaunchConfig<'_>, limits: &Limits) -> Option<String> {
    let older = config.is_programmatic() && limits.capability < CLUSTERS;
    older.then(|| needs_ninety("a programmatic launch", limits))
}

fn needs_ninety(what: &str, limits: &Limits) -> String {
    let (major, minor) = (limits.capability / 10, limits.capability % 10);
    format!("{what} needs compute capability 9.0 or later, but the device has {major}.{minor}")
}

/// Why the driver refuses a cluster when nothing else is wrong.
pub(super) fn no_room_for_cluster(cluster: [i128; 3]) -> String {
    let size = product(cluster);
    let larger = match size > i128::from(PORTABLE_CLUSTER) {
        true => "; only some devices have clusters of more than 8 blocks",
        false => "",
    };
    format!(
        "the device can't hold a cluster of {size} such blocks at a time: use fewer or smaller blocks or less \
         shared memory{larger}"
    )
}

const AXES: [&str; 3] = ["x", "y", "z"];

fn not_positive(config: &LaunchConfig<'_>) -> Option<String> {
    for (what, unit, dims) in
        [("grid", "blocks", config.all_blocks()), ("block", "threads", config.all_threads())]
    {
        for (axis, extent) in AXES.iter().zip(dims) {
            if extent < 1 {
                return Some(format!(
                    "the {what}'s {axis} dimension must be positive, not {extent} {unit}"
                ));
            }
        }
    }
    (config.all_shared_bytes() < 0).then(|| {
        format!("its dynamic shared memory can't be negative ({} bytes)", config.all_shared_bytes())
    })
}

fn over_device(config: &LaunchConfig<'_>, limits: &Limits) -> Option<String> {
    let shapes =
        [("grid", config.all_blocks(), limits.grid), ("block", config.all_threads(), limits.block)];
    for (what, dims, most) in shapes {
        for ((axis, extent), most) in AXES.iter().zip(dims).zip(most) {
            if extent > most {
                return Some(format!(
                    "the {what}'s {axis} dimension exceeds the device's limit ({extent} > {most})"
                ));
            }
        }
    }
    let threads = product(config.all_threads());
    (threads > limits.threads).then(|| {
        format!(
            "the block has more threads than the device's limit ({threads} > {})",
            limits.threads
        )
    })
}

/// Registers are handed out to whole warps, in units of 256.
fn over_registers(config: &LaunchConfig<'_>, limits: &Limits) -> Option<String> {
    const UNIT: i128 = 256;
    let threads = product(config.all_threads());
    let warps = (threads + 31) / 32;
    let each = limits.kernel_registers;
    let needed = warps * ((each * 32 + UNIT - 1) / UNIT) * UNIT;
    if needed <= limits.registers {
        return None;
    }
    let fitting = (limits.registers / warps / UNIT * UNIT / 32).min(255);
    Some(format!(
        "it needs too many registers: {warps} warps of 32 threads with {each} registers per thread \
         take {needed} > {}; use smaller blocks, or the knob `maxregs = {fitting}`",
        limits.registers
    ))
}

fn over_kernel(config: &LaunchConfig<'_>, limits: &Limits) -> Option<String> {
    if let Some(required) = limits.minthreads
        && config.all_threads() != required
    {
        let [x, y, z] = config.all_threads();
        let [rx, ry, rz] = required;
        return Some(format!(
            "the kernel requires blocks of {rx} x {ry} x {rz} threads (`threads` of its attribute, or \
             the knob minthreads), but this launch has {x} x {y} x {z}"
        ));
    }
    let threads = product(config.all_threads());
    if let Some(most) = limits.maxthreads
        && threads > most
    {
        return Some(format!(
            "the block has more threads than maxthreads allows, which the kernel's attribute or the launch sets \
             ({threads} > {most})"
        ));
    }
    (threads > limits.kernel_threads).then(|| {
        format!(
            "the block has more threads than the kernel's limit ({threads} > {})",
            limits.kernel_threads
        )
    })
}

fn over_shared(config: &LaunchConfig<'_>, limits: &Limits) -> Option<String> {
    let (of_kernel, of_launch) = (limits.kernel_shared, config.all_shared_bytes());
    let needed = of_kernel.saturating_add(of_launch);
    (needed > limits.shared).then(|| {
        format!(
            "its shared memory exceeds the device's limit ({} > {}): {} in the kernel, {} asked \
             for by the launch",
            kib(needed),
            kib(limits.shared),
            kib(of_kernel),
            kib(of_launch)
        )
    })
}

fn over_parameters(limits: &Limits) -> Option<String> {
    parameters_over(limits.kernel_parameters, limits.parameters)
}

/// Bytes as KiB, with a fraction where there is one; more than a device can have as bytes.
fn kib(bytes: i128) -> String {
    if bytes >= 1 << 40 {
        format!("{bytes} bytes")
    } else if bytes % 1024 == 0 {
        format!("{} KiB", bytes / 1024)
    } else {
        format!("{:.3} KiB", bytes as f64 / 1024.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits {
            grid: [2_147_483_647, 65_535, 65_535],
            block: [1024, 1024, 64],
            threads: 1024,
            registers: 65_536,
            shared: 232_448,
            parameters: 32_764,
            kernel_registers: 32,
            kernel_threads: 1024,
            maxthreads: None,
            minthreads: None,
            cluster: None,
            kernel_shared: 0,
            kernel_parameters: 16,
            capability: 90,
        }
    }

    fn why(config: &LaunchConfig<'_>, limits: &Limits) -> String {
        explain(config, limits).unwrap()
    }

    #[test]
    fn a_good_launch_has_no_cause() {
        let config = LaunchConfig::new().blocks((7, 8)).threads((32, 32)).shared_bytes(1024);
        assert_eq!(explain(&config, &limits()), None);
    }

    /// The quick comparison says the same of usual launches, around each limit.
    #[test]
    fn quick_limits_are_the_limits() {
        let around = |limit: u32| [1, limit - 1, limit, limit + 1];
        let all = [
            limits(),
            Limits { kernel_threads: 96, kernel_shared: 48 << 10, ..limits() },
            Limits { maxthreads: Some(256), ..limits() },
            Limits { threads: i128::MAX, kernel_threads: i128::MAX, ..limits() },
        ];
        let (mut allowed, mut refused) = (0, 0);
        for limits in all {
            let quick = limits.quick();
            for x in [1, 2, 32, 95, 96, 97, 255, 256, 257, 1023, 1024, 1025, u32::MAX] {
                for y in [1, 3, 8, u32::MAX] {
                    for z in around(64) {
                        for grid in [[1; 3], [1, 65_535, 65_536], [2_147_483_647, 1, 1]] {
                            for shared in [0, 184_319, 184_320, 184_321, 232_448, 232_449] {
                                let config = LaunchConfig::new();
                                let want = limits.allow(&config, grid, [x, y, z], shared);
                                assert_eq!(quick.allow(grid, [x, y, z], shared), want);
                                *(if want { &mut allowed } else { &mut refused }) += 1;
                            }
                        }
                    }
                }
            }
        }
        assert!(allowed > 100 && refused > 100);
        let required = Limits { minthreads: Some([32, 1, 1]), ..limits() };
        assert!(!required.quick().allow([1; 3], [32, 1, 1], 0));
    }

    #[test]
    fn not_positive() {
        let text = why(&LaunchConfig::new().blocks((1, 0)), &limits());
        assert_eq!(text, "the grid's y dimension must be positive, not 0 blocks");
        let text = why(&LaunchConfig::new().threads(-5), &limits());
        assert_eq!(text, "the block's x dimension must be positive, not -5 threads");
        assert!(why(&LaunchConfig::new().shared_bytes(-1), &limits()).contains("-1 bytes"));
    }

    #[test]
    fn over_the_device() {
        let text = why(&LaunchConfig::new().threads((1, 1, 65)), &limits());
        assert!(text.contains("z dimension") && text.contains("(65 > 64)"), "{text}");
        let text = why(&LaunchConfig::new().blocks(u64::MAX), &limits());
        assert!(text.contains("(18446744073709551615 > 2147483647)"), "{text}");
        let text = why(&LaunchConfig::new().threads((64, 32)), &limits());
        assert!(text.contains("(2048 > 1024)"), "{text}");
    }

    #[test]
    fn clusters() {
        let config = |blocks, cluster| LaunchConfig::new().blocks(blocks).cluster(cluster);
        assert_eq!(explain(&config((6, 4), (3, 2)), &limits()), None);
        assert_eq!(explain(&config((16, 1), (16, 1)), &limits()), None);
        let text = why(&config((6, 4), (2, 3)), &limits());
        assert!(
            text.contains("y dimension") && text.contains("4 is not a multiple of 3"),
            "{text}"
        );
        assert!(why(&config((34, 1), (17, 1)), &limits()).contains("(17 > 16)"));
        assert!(why(&config((2, 1), (0, 1)), &limits()).contains("x dimension must be positive"));
        let older = Limits { capability: 86, ..limits() };
        let text = why(&config((2, 1), (2, 1)), &older);
        assert_eq!(text, "a cluster needs compute capability 9.0 or later, but the device has 8.6");
        // SAFETY: it is not launched.
        let early = unsafe { LaunchConfig::new().programmatic() };
        assert_eq!(explain(&early, &limits()), None);
        assert!(why(&early, &older).contains("a programmatic launch needs compute capability 9.0"));
        assert!(no_room_for_cluster([16, 1, 1]).contains("only some devices"));
        // Those of the kernel's attribute.
        let fixed = Limits { cluster: Some([2, 1, 1]), ..limits() };
        let plain = LaunchConfig::new().blocks((6, 4));
        assert_eq!(explain(&plain, &fixed), None);
        assert_eq!(explain(&config((6, 4), (2, 1)), &fixed), None);
        assert!(why(&plain.blocks((7, 4)), &fixed).contains("7 is not a multiple of 2"));
        let text = why(&config((6, 4), (3, 2)), &fixed);
        assert!(
            text.contains("clusters of 2 x 1 x 1 blocks") && text.contains("3 x 2 x 1"),
            "{text}"
        );
        assert!(!fixed.quick().allow([2, 1, 1], [32, 1, 1], 0));
    }

    #[test]
    fn registers_with_the_arithmetic_and_a_hint() {
        let limits = Limits { kernel_registers: 72, kernel_threads: 896, ..limits() };
        let text = why(&LaunchConfig::new().threads(1024), &limits);
        // 32 warps * ceil(72 * 32 / 256) * 256 = 32 * 2304.
        assert!(text.contains("32 warps") && text.contains("73728 > 65536"), "{text}");
        assert!(text.contains("maxregs = 64"), "{text}");
    }

    #[test]
    fn over_the_kernel() {
        let limits = Limits { maxthreads: Some(1), kernel_threads: 1, ..limits() };
        assert!(why(&LaunchConfig::new().threads(2), &limits).contains("(2 > 1)"));
        let limits = Limits { maxthreads: None, kernel_threads: 256, ..limits };
        assert!(why(&LaunchConfig::new().threads(257), &limits).contains("(257 > 256)"));
        let limits = Limits { minthreads: Some([64, 1, 1]), ..limits };
        let text = why(&LaunchConfig::new().threads(32), &limits);
        assert!(text.contains("64 x 1 x 1") && text.contains("32 x 1 x 1"), "{text}");
    }

    #[test]
    fn shared_memory_in_kib() {
        let limits = Limits { kernel_shared: 4096, ..limits() };
        let text = why(&LaunchConfig::new().shared_bytes(232_448), &limits);
        assert!(text.contains("(231 KiB > 227 KiB)"), "{text}");
        assert!(text.contains("4 KiB in the kernel"), "{text}");
    }

    #[test]
    fn parameters() {
        let limits = Limits { kernel_parameters: 32_768, ..limits() };
        assert!(why(&LaunchConfig::new(), &limits).contains("(32768 > 32764)"));
    }

    /// Every launch that is not allowed has a cause; one that is allowed has none.
    #[test]
    fn what_is_not_allowed_is_explained() {
        let extents = [1, 2, 31, 32, 64, 65, 1023, 1024, 1025, 65_535, 65_536, u32::MAX];
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        let mut pick = |from: &[u32]| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            from[(state >> 33) as usize % from.len()]
        };
        let mut counts = [0; 2];
        for round in 0..20_000 {
            let small = [1, 1, 1, 2, 4, 32];
            let limits = Limits {
                maxthreads: (round % 3 == 0).then_some(64),
                minthreads: (round % 5 == 0).then_some([32, 1, 1]),
                kernel_threads: if round % 7 == 0 { 256 } else { 1024 },
                kernel_shared: 1024,
                ..limits()
            };
            let of = |round: u32| if round.is_multiple_of(2) { &extents[..] } else { &small[..] };
            let grid = [0; 3].map(|_| pick(of(round)));
            let block = [0; 3].map(|_| pick(of(round / 2)));
            let shared = pick(&[0, 0, 0, 1024, 231_424, 231_425, u32::MAX]);
            let config = LaunchConfig::new().blocks(grid).threads(block).shared_bytes(shared);
            let config = match round % 4 {
                0 => config.cluster([0; 3].map(|_| pick(&[1, 1, 1, 1, 2, 8, 0]))),
                _ => config,
            };
            let allowed = limits.allow(&config, grid, block, shared);
            counts[usize::from(allowed)] += 1;
            let cause = explain(&config, &limits);
            assert_eq!(cause.is_none(), allowed, "{grid:?} {block:?} {shared}: {cause:?}");
        }
        assert!(counts[0] > 1000 && counts[1] > 1000, "{counts:?}");
    }

    #[test]
    fn the_first_cause_is_told() {
        let limits = Limits { kernel_registers: 255, kernel_parameters: 1 << 20, ..limits() };
        let config = LaunchConfig::new().blocks(0).threads(2048).shared_bytes(1 << 30);
        assert!(why(&config, &limits).contains("must be positive"));
        let config = config.blocks(3).cluster(2);
        assert!(why(&config, &limits).contains("3 is not a multiple of 2"));
        let config = LaunchConfig::new().blocks(3).threads(2048).shared_bytes(1 << 30);
        assert!(why(&config, &limits).contains("(2048 > 1024)"));
        let config = config.threads(1024);
        assert!(why(&config, &limits).contains("registers"));
        let limits = Limits { kernel_registers: 8, ..limits };
        assert!(why(&config, &limits).contains("KiB"));
        let config = config.shared_bytes(0);
        assert!(why(&config, &limits).contains("parameters"));
    }
}
