//! What a compiled kernel is, and where it goes: into the cache and into an image.

use ptyx_image::{Image, Kernel, Module};
use serde::{Deserialize, Serialize};

use super::describe::Description;
use super::variant::Variant;
use crate::link::KernelRoot;
use crate::report::Diagnostic;

/// A compiled kernel. Its code's module indices count in `modules`.
#[derive(Serialize, Deserialize)]
pub(crate) struct Compiled {
    pub(super) kernel: Kernel,
    pub(super) modules: Vec<Module>,
}

impl Compiled {
    /// A kernel with these variants, whose parameters are the same.
    pub(super) fn of(
        root: &KernelRoot,
        description: Description,
        variants: Vec<Variant>,
    ) -> Result<Compiled, Diagnostic> {
        let Some(first) = variants.first() else {
            return Err(Diagnostic::new("no architecture is left for it: this is a bug in Ptyx"));
        };
        let (params, knobs) = (first.params.clone(), first.knobs);
        let (mut code, mut modules) = (Vec::new(), Vec::new());
        for mut variant in variants {
            variant.code.move_modules(modules.len() as u32);
            code.push(variant.code);
            modules.extend(variant.modules);
        }
        let Description { name, shown_name, definition, .. } = description;
        let args = root.layouts.clone();
        let (file, line) = (definition.file, definition.line);
        let kernel =
            Kernel { name: shown_name, entry: name, args, params, knobs, file, line, code };
        Ok(Compiled { kernel, modules })
    }

    /// Its PTX, once for each architecture that has code of its own.
    pub(crate) fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// Adds the kernel to an image, unless the image has an equal one; its index there.
    pub(crate) fn add_to(self, image: &mut Image) -> u32 {
        let Compiled { mut kernel, modules } = self;
        let is_same = |known: &Kernel| {
            known.name == kernel.name
                && known.args == kernel.args
                && known.params == kernel.params
                && known.all_code().count() == kernel.all_code().count()
                && known.all_code().zip(kernel.all_code()).all(|(known, code)| {
                    let (other, new) =
                        (&image.modules[known.module as usize], &modules[code.module as usize]);
                    known.arch == code.arch
                        && known.limits == code.limits
                        && known.proof == code.proof
                        && other.ptx == new.ptx
                        && other.panics == new.panics
                        && other.statics == new.statics
                })
        };
        if let Some(index) = image.kernels.iter().position(is_same) {
            return index as u32;
        }
        for code in &mut kernel.code {
            code.move_modules(image.modules.len() as u32);
        }
        image.modules.extend(modules);
        image.kernels.push(kernel);
        image.kernels.len() as u32 - 1
    }
}
