//! All kernels of a program: link them, compile each, put the results together.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use ptyx_image::{Image, Provenance};
use serde::{Deserialize, Serialize};

use super::jobs::Job;
use super::process::{self, Done, End};
use crate::device_pass::Program;
use crate::kernel::{self, Cache, Compiled};
use crate::link::{KernelRoot, Linked, link, name_sites};
use crate::llvm;
use crate::report::{Diagnostic, in_order};

/// The result of compiling a program.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// The kernels that could be compiled.
    pub(crate) image: Image,
    /// What is wrong with the others, each mistake once.
    pub(crate) errors: Vec<Diagnostic>,
    /// The same by the crate that launches them: its place among the crates of the program.
    pub(crate) by_crate: BTreeMap<usize, Vec<Diagnostic>>,
}

/// Compiles the kernels that `program`'s own modules launch, in other processes.
///
/// # Errors
/// What kept all kernels from being compiled.
pub(crate) fn compile(program: &Program) -> Done<Outcome> {
    let run = |name, job| process::run(&program.work_dir, name, &job);
    match run("codegen", Job::Program(Box::new(program.clone()))) {
        End::Done(outcome) => outcome,
        End::Lost(_) => {
            run("codegen-apart", Job::ProgramApart(Box::new(program.clone()))).or_lost()
        }
    }
}

/// Compiles the kernels in this process, on all processors.
pub(super) fn compile_together(program: &Program) -> Done<Outcome> {
    compile_by(program, |linked| Ok(compile_all(program, linked)))
}

/// Compiles each kernel in a process of its own: one that LLVM can't compile gets a message like the
/// rest.
pub(super) fn compile_apart(program: &Program) -> Done<Outcome> {
    compile_by(program, |linked| {
        let bitcode = program.work_dir.join("codegen-linked.bc");
        fs::write(&bitcode, &linked.bitcode).map_err(|error| {
            Diagnostic::new(format!("{} can't be written: {error}", bitcode.display()))
        })?;
        let one = |(index, root): (usize, &KernelRoot)| {
            let job = Job::Kernel {
                program: Box::new(program.clone()),
                root: Box::new(root.clone()),
                number: linked.before + index,
                bitcode: bitcode.clone(),
            };
            match process::run(&program.work_dir, "codegen-kernel", &job) {
                End::Done(outcome) => outcome,
                End::Lost(reason) => {
                    let launch = root.sites.first().map(|site| site.place.clone());
                    Err(vec![reason.at(launch).within(&root.type_name)])
                }
            }
        };
        let results = linked.roots.iter().enumerate().map(one).collect();
        let _ = fs::remove_file(&bitcode);
        Ok(results)
    })
}

/// Compiles one kernel of the module in the file `bitcode`.
pub(super) fn compile_kernel(
    program: &Program,
    root: &KernelRoot,
    number: usize,
    bitcode: &Path,
) -> Done<Compiled> {
    let one = |error: Diagnostic| vec![error];
    llvm::load(&program.toolchain.libllvm).map_err(|error| one(error.into()))?;
    let bitcode = fs::read(bitcode).map_err(|error| {
        one(Diagnostic::new(format!("{} can't be read: {error}", bitcode.display())))
    })?;
    kernel::compile(program, &Cache::of(program), &bitcode, root, number)
}

/// Compiles every kernel, on all processors. The results stand in the order of the roots.
///
/// To take one kernel out of a module costs a look at everything in it. So a program with many kernels
/// is first divided into groups, and each kernel is taken out of its group's module.
fn compile_all(program: &Program, linked: &Linked) -> Vec<Done<Compiled>> {
    let roots = &linked.roots;
    let size = group_size(roots.len());
    let groups: Vec<_> = roots.chunks(size).collect();
    let modules: Vec<Result<Cow<'_, [u8]>, Diagnostic>> = match groups.len() {
        1 => vec![Ok(Cow::Borrowed(&linked.bitcode))],
        count => in_parallel(count, |group| {
            kernel::extract(&linked.bitcode, groups[group]).map(Cow::Owned)
        }),
    };
    let cache = Cache::of(program);
    let compiled = in_parallel(roots.len(), |index| {
        let bitcode = modules[index / size].as_ref().map_err(|error| vec![error.clone()])?;
        kernel::compile(program, &cache, bitcode, &roots[index], linked.before + index)
    });
    cache.trim();
    compiled
}

/// How many of `kernels` make a group: the looks at the whole module and those at a group's are as many
/// if there are as many groups as kernels in each.
fn group_size(kernels: usize) -> usize {
    match kernels {
        ..MIN_KERNELS_OF_GROUPS => kernels.max(1),
        _ => kernels.isqrt(),
    }
}

/// With fewer kernels, one step is as fast.
const MIN_KERNELS_OF_GROUPS: usize = 32;

/// What `work` makes of each number below `count`, in their order, on all processors.
fn in_parallel<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(count));
    let threads = thread::available_parallelism().map_or(1, usize::from).min(count);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    let result = work(index);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Links the kernels, has `compile` compile those of each family, and joins the results.
fn compile_by(
    program: &Program,
    compile: impl Fn(&Linked) -> Result<Vec<Done<Compiled>>, Diagnostic>,
) -> Done<Outcome> {
    let one = |error: Diagnostic| vec![error];
    llvm::load(&program.toolchain.libllvm).map_err(|error| one(error.into()))?;
    let linked = link(program).map_err(one)?;
    let mut compiled = Vec::new();
    for linked in &linked {
        compiled.extend(compile(linked).map_err(one)?);
    }
    let owners: Vec<usize> = linked.iter().flat_map(|linked| linked.owners.clone()).collect();
    let roots: Vec<_> = linked.into_iter().flat_map(|linked| linked.roots).collect();
    Ok(join(program, &roots, &owners, compiled))
}

/// Puts the results of all roots together, equal kernels once. `owners` has for each root the crate
/// that launches it.
fn join(
    program: &Program,
    roots: &[KernelRoot],
    owners: &[usize],
    compiled: Vec<Done<Compiled>>,
) -> Outcome {
    let mut image = Image {
        provenance: Provenance {
            compiler: env!("CARGO_PKG_VERSION").to_owned(),
            rustc: program.toolchain.version.clone(),
            target: program.toolchain.target.clone(),
            package: program.package.clone(),
            unit: program.unit.name().to_owned(),
            libdevice: program.libdevice.as_ref().map(|file| file.display().to_string()),
        },
        failed_targets: program.failed_targets.clone(),
        ..Image::default()
    };
    let mut errors: Vec<(Vec<usize>, Diagnostic)> = Vec::new();
    let mut kernel_of_unpack: HashMap<String, u32> = HashMap::new();
    for ((root, &owner), result) in roots.iter().zip(owners).zip(compiled) {
        match result {
            Ok(compiled) => {
                let index = compiled.add_to(&mut image);
                kernel_of_unpack.insert(root.symbol.clone(), index);
            }
            Err(found) => {
                let of_launch = |error: Diagnostic| match root.sites.first() {
                    // A site's name begins with the path of its module.
                    Some(site) => {
                        error.launched(&site.place, site.id.split(':').next().unwrap_or_default())
                    }
                    None => error,
                };
                errors.extend(found.into_iter().map(|error| (vec![owner], of_launch(error))));
            }
        }
    }
    for error in name_sites(roots, &kernel_of_unpack, &mut image) {
        let launches = |(root, _): &(&KernelRoot, &usize)| {
            root.sites.iter().any(|site| Some(&site.place) == error.place())
        };
        let launching = roots.iter().zip(owners).filter(launches);
        let mut owners_here: BTreeSet<usize> = launching.map(|(_, &owner)| owner).collect();
        if owners_here.is_empty() {
            owners_here.extend(owners);
        }
        errors.push((owners_here.into_iter().collect(), error));
    }
    image.roots.sort_by(|a, b| (&a.type_name, &a.site).cmp(&(&b.type_name, &b.site)));
    image.roots.dedup();
    let mut by_crate: BTreeMap<usize, Vec<Diagnostic>> = BTreeMap::new();
    for (owners, error) in &errors {
        for &owner in owners {
            by_crate.entry(owner).or_default().push(error.clone());
        }
    }
    let by_crate = by_crate.into_iter().map(|(owner, found)| (owner, in_order(found)));
    let by_crate = by_crate.collect();
    let errors = in_order(errors.into_iter().map(|(_, error)| error).collect());
    Outcome { image, errors, by_crate }
}
