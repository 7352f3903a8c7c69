//! A crate that turns on every lint: none may fire on the expansion of a Ptyx macro, since the user
//! could do nothing about it. rustc's are checked whenever this file is built, clippy's by `cargo
//! clippy --all-targets`.
#![deny(
    clippy::pedantic,
    clippy::nursery,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions,
    clippy::shadow_reuse,
    clippy::shadow_unrelated,
    clippy::shadow_same,
    clippy::items_after_statements,
    clippy::mem_forget,
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    clippy::allow_attributes,
    clippy::absolute_paths,
    clippy::unseparated_literal_suffix,
    clippy::std_instead_of_core,
    clippy::pub_use,
    clippy::ref_patterns,
    clippy::let_underscore_untyped,
    clippy::let_underscore_must_use,
    clippy::missing_inline_in_public_items,
    clippy::exhaustive_structs,
    clippy::field_scoped_visibility_modifiers,
    clippy::renamed_function_params,
    clippy::semicolon_inside_block,
    clippy::disallowed_script_idents,
    clippy::non_ascii_literal,
    clippy::modulo_arithmetic,
    clippy::integer_division,
    clippy::cast_possible_truncation,
    clippy::module_name_repetitions,
    clippy::cognitive_complexity,
    clippy::redundant_pub_crate
)]
#![deny(
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    rust_2018_idioms,
    unused,
    future_incompatible,
    let_underscore,
    nonstandard_style,
    unused_results,
    unused_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unused_import_braces,
    variant_size_differences,
    missing_debug_implementations,
    missing_copy_implementations,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    unit_bindings,
    keyword_idents,
    macro_use_extern_crate,
    meta_variable_misuse,
    non_ascii_idents,
    redundant_lifetimes,
    unsafe_op_in_unsafe_fn,
    ambiguous_negative_literals,
    absolute_paths_not_starting_with_crate,
    ffi_unwind_calls,
    let_underscore_drop,
    redundant_imports,
    unnameable_types,
    unused_macro_rules,
    impl_trait_redundant_captures,
    impl_trait_overcaptures,
    deprecated_safe_2024,
    edition_2024_expr_fragment_specifier,
    tail_expr_drop_order,
    if_let_rescope
)]
#![forbid(unsafe_code)]
use ptyx::prelude::*;

/// A pair.
#[derive(Clone, Copy, Debug, DeviceCopy)]
struct Pair<T> {
    /// One.
    first: T,
    /// Two.
    second: u32,
}

/// What the kernel takes.
#[derive(Debug)]
struct MeshView<'a> {
    /// Points.
    points: &'a [Pair<f32>],
    /// Areas.
    areas: Disjoint<'a, f32>,
    /// Factor.
    scale: f32,
}

/// What the host passes.
#[derive(KernelArg, Debug)]
#[kernel_arg(MeshView<'a>)]
struct Mesh<'a> {
    /// Points.
    points: &'a DeviceBuffer<Pair<f32>>,
    /// Areas.
    areas: &'a mut DeviceBuffer<f32>,
    /// Factor.
    scale: f32,
}

/// Measures.
#[kernel]
fn measure(mut mesh: MeshView<'_>) {
    let index = thread::index_1d();
    let sums = shared!([f32; 32]).cells(0.0_f32);
    let _: shared::SharedCells<f32> = sums;
    let mut total = 0.0;
    #[unroll]
    for step in 0_u8..4 {
        total += f32::from(step);
    }
    unroll!(
        2,
        for step in 0_u8..4 {
            total += f32::from(step);
        }
    );
    if let Some(area) = mesh.areas.get_mut(index) {
        let pair = mesh.points[index.get()];
        *area = pair.first.mul_add(mesh.scale, total);
        gpu_println!("{} {total:?}", pair.second);
    }
}

/// Maps.
#[kernel]
fn map<F: Fn(u32) -> u32>(f: F, mut out: Disjoint<'_, u32>) {
    let index = thread::index_1d();
    if let Some(value) = out.get_mut(index) {
        *value = f(*value);
    }
}

/// Runs them.
#[test]
fn no_lint_fires_on_expansions() -> ptyx::Result<()> {
    let points = DeviceBuffer::from_slice(&[Pair { first: 2.0_f32, second: 1 }; 4])?;
    let mut areas = DeviceBuffer::zeroed(4)?;
    launch!(measure<<<1, 4>>>(Mesh { points: &points, areas: &mut areas, scale: 0.5 }))?;
    let mut out = DeviceBuffer::<u32>::zeroed(4)?;
    let by = 3_u32;
    cuda!(threads = 4, map(move |value: u32| value + by, &mut out))?;
    launch!(map<<<1, 4>>>(|value: u32| value * 2, &mut out), maxregs = 32)?;
    let plus_one = |value: u32| value + 1;
    let prepared = compile!(map(plus_one, &mut out))?;
    prepared.launch(LaunchConfig::new().threads(4_u32), args!(plus_one, &mut out))?;
    assert_eq!(areas.to_vec()?, [13.0; 4]);
    assert_eq!(out.to_vec()?, [7; 4]);
    Ok(())
}
