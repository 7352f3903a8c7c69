//! A list of rows: each is one thing that Ptyx relies on, with what uses it, and whether it holds.

use serde::{Deserialize, Serialize};

/// One thing that Ptyx relies on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// What it is: "attribute `convergent`".
    pub(crate) name: String,
    /// What relies on it, as paths below `compiler/src`.
    pub(crate) used_by: String,
    /// How the toolchain at hand differs, if it does.
    pub(crate) moved: Option<String>,
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Row { name, used_by, moved } = self;
        let verdict = moved.as_deref().unwrap_or("holds");
        write!(f, "{name}: {verdict} (used by {used_by})")
    }
}

/// Rows that are added as they are checked.
#[derive(Default)]
pub(crate) struct List(Vec<Row>);

impl List {
    /// Adds a row and checks it. Err says what is different.
    pub(super) fn check(
        &mut self,
        name: impl Into<String>,
        used_by: &str,
        check: impl FnOnce() -> Result<(), String>,
    ) {
        let name = name.into();
        let moved = match is_broken_by_tests(&name) {
            true => Some("a test marks it as moved".to_owned()),
            false => check().err(),
        };
        self.0.push(Row { name, used_by: used_by.to_owned(), moved });
    }

    /// Adds a row that holds if `found`.
    pub(super) fn find(&mut self, name: impl Into<String>, used_by: &str, found: bool) {
        self.check(name, used_by, || found.then_some(()).ok_or_else(|| "not found".to_owned()));
    }

    pub(super) fn into_rows(self) -> Vec<Row> {
        self.0
    }
}

/// Whether a test wants this row to fail.
fn is_broken_by_tests(name: &str) -> bool {
    cfg!(debug_assertions) && std::env::var("PTYX_TEST_MOVED_ROW").is_ok_and(|row| row == name)
}
