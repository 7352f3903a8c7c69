//! The files that `PTYX_DUMP` asks for: IR between the steps, and PTX.

use std::fs;
use std::path::PathBuf;

use crate::report::Diagnostic;

/// Where the steps of one kernel are written, if anywhere.
#[derive(Clone, Debug)]
pub(super) struct Dump {
    /// The folder, and how the files' names begin.
    place: Option<(PathBuf, String)>,
}

impl Dump {
    /// A dump into `dir`, or none.
    pub(super) fn new(dir: Option<PathBuf>, stem: String) -> Dump {
        Dump { place: dir.map(|dir| (dir, stem)) }
    }

    /// Whether anything is written.
    pub(super) fn is_wanted(&self) -> bool {
        self.place.is_some()
    }

    /// The same for one of several variants.
    pub(super) fn of_variant(&self, variant: &str) -> Dump {
        let place = self.place.as_ref();
        Dump { place: place.map(|(dir, stem)| (dir.clone(), format!("{stem}-{variant}"))) }
    }

    /// Writes a step.
    pub(super) fn write(
        &self,
        extension: &str,
        text: impl FnOnce() -> String,
    ) -> Result<(), Diagnostic> {
        let Some((dir, stem)) = &self.place else { return Ok(()) };
        let path = dir.join(format!("{stem}.{extension}"));
        fs::create_dir_all(dir).and_then(|()| fs::write(&path, text())).map_err(|error| {
            Diagnostic::new(format!("PTYX_DUMP: {} can't be written: {error}", path.display()))
        })
    }
}
