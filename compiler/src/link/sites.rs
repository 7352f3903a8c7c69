//! The keys by which the host looks up launches, and launches that it could not tell apart.

use std::collections::HashMap;

use ptyx_image::{Image, Root};

use super::roots::{KernelRoot, LaunchSite};
use crate::llvm::Place;
use crate::report::{Diagnostic, in_file};

/// A launch of a kernel of the image.
struct Launch<'a> {
    root: &'a KernelRoot,
    site: &'a LaunchSite,
    kernel: u32,
}

/// Gives `image` a root for each launch of `roots`; `kernels` maps each root's symbol to the index of
/// its kernel. Returns what is wrong.
///
/// Kernels with the same type name and argument layouts that one `launch!` launches (that is, closures
/// of one function) are told apart by the locations of the launch's callers, if a `#[track_caller]`
/// function passes them through.
pub(crate) fn name_sites(
    roots: &[KernelRoot],
    kernels: &HashMap<String, u32>,
    image: &mut Image,
) -> Vec<Diagnostic> {
    let launches: Vec<Launch<'_>> = roots
        .iter()
        .filter_map(|root| Some((root, *kernels.get(&root.symbol)?)))
        .flat_map(|(root, kernel)| root.sites.iter().map(move |site| Launch { root, site, kernel }))
        .collect();
    let args = |launch: &Launch<'_>| &image.kernels[launch.kernel as usize].args;
    let mut named = Vec::new();
    let mut errors = Vec::new();
    for launch in &launches {
        let key = |launch: &Launch<'_>| {
            (launch.root.type_name.clone(), launch.site.id.clone(), launch.site.crate_id)
        };
        let is_rival = |other: &&Launch<'_>| {
            key(other) == key(launch)
                && other.kernel != launch.kernel
                && args(other) == args(launch)
        };
        let rivals: Vec<&Launch<'_>> = launches.iter().filter(is_rival).collect();
        let names = match rivals.iter().find(|rival| !are_apart(launch.site, rival.site)) {
            Some(rival) => {
                errors.push(ambiguous(launch.root, rival.root, launch.site));
                continue;
            }
            None if rivals.is_empty() => Some(&launch.site.id),
            None => None,
        };
        // By its callers in any case: another image may have a launch with the same key.
        named.extend(names.into_iter().chain(&launch.site.tracked).map(|site| Root {
            type_name: launch.root.type_name.clone(),
            site: site.clone(),
            crate_id: launch.site.crate_id,
            instance: launch.root.instance,
            kernel: launch.kernel,
        }));
    }
    image.roots.extend(named);
    errors
}

/// Whether all callers of two launches are known, and different.
fn are_apart(one: &LaunchSite, other: &LaunchSite) -> bool {
    !one.tracked.is_empty()
        && !other.tracked.is_empty()
        && one.tracked.iter().all(|site| !other.tracked.contains(site))
}

/// Two kernel instances that the host could not tell apart.
fn ambiguous(one: &KernelRoot, other: &KernelRoot, site: &LaunchSite) -> Diagnostic {
    let diagnostic = Diagnostic::new(format!(
        "two different kernels are launched here as `{}`: the program could not tell which to run",
        one.type_name
    ))
    .at(Some(site.place.clone()));
    if !one.type_name.contains("{{closure}}") {
        return diagnostic
            .note(
                "types with the same name in different functions or blocks also have the same type \
                 name in the program",
            )
            .help("rename one of the types, or move it into its own module");
    }
    let diagnostic = diagnostic.note("Rust gives all closures in one function the same type name");
    fn only_in<'a>(a: &'a KernelRoot, b: &KernelRoot) -> Option<&'a Place> {
        a.closures.iter().find(|closure| !b.closures.contains(closure))
    }
    let diagnostic = match (only_in(other, one), only_in(one, other)) {
        (Some(a), Some(b)) => {
            let (first, second) = if a.line <= b.line { (a, b) } else { (b, a) };
            let [first, second] = [first, second].map(in_file);
            diagnostic.note(format!("they are the closures at {first} and {second}"))
        }
        _ => diagnostic,
    };
    diagnostic.help(
        "write `#[track_caller]` above the function that launches, so that the location of its call \
         tells them apart; or make one of them in its own function, as in `fn scale(a: f32) -> \
         impl Fn(f32) -> f32 + Copy { move |x| a * x }`",
    )
}
