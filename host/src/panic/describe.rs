//! Turns a record into text, with the table of the module that it comes from.

use super::message;
use crate::error::KernelPanic;
use core::ptr;
use ptyx_device::panic::{KIND_BOUNDS, KIND_SITE, PanicRecord};
use ptyx_device::print::PARTS;
use ptyx_image::panic::{Message, Panics, Site, Word};
use std::sync::{Mutex, PoisonError};

/// A module whose kernels may panic.
#[derive(Clone)]
struct Known {
    /// The names of its kernels.
    name: String,
    panics: &'static Panics,
}

/// The modules, by the numbers that are written into them.
static MODULES: Mutex<Vec<Known>> = Mutex::new(Vec::new());

/// Gives a module the number under which its panics are reported.
pub(crate) fn register(name: &str, panics: &'static Panics) -> u64 {
    let mut modules = MODULES.lock().unwrap_or_else(PoisonError::into_inner);
    let is_same = |known: &Known| known.name == name && ptr::eq(known.panics, panics);
    if let Some(known) = modules.iter().position(is_same) {
        return known as u64;
    }
    modules.push(Known { name: name.to_owned(), panics });
    (modules.len() - 1) as u64
}

fn registered(number: u32) -> Option<Known> {
    let modules = MODULES.lock().unwrap_or_else(PoisonError::into_inner);
    modules.get(number as usize).cloned()
}

/// The text of a line that a kernel printed, from its record's state, module and words. Any record has one.
pub(crate) fn line(state: u32, module: u32, words: &[u64]) -> String {
    if state == PARTS {
        return message::text(words, false);
    }
    let known = registered(module);
    let line = known.and_then(|known| known.panics.prints.get(state as usize - 1));
    let value = |word: &Word| word.value(words);
    match line {
        Some(line) => message::text(&line.iter().map(value).collect::<Vec<_>>(), false),
        None => format!("<line {state} of a module that has fewer>\n"),
    }
}

/// What a record says. Any record gives some text.
pub(super) fn describe(record: &PanicRecord) -> KernelPanic {
    let known = registered(record.kernel);
    let site = known.as_ref().and_then(|known| site(record, known.panics));
    let (file, line, column, said) = match (site, record.kind) {
        (Some((site, file)), _) => (file.to_owned(), site.line, site.column, said_by(site, record)),
        (None, KIND_SITE) => {
            let text = format!("panic {} of a module that has fewer", record.site);
            (String::new(), 0, 0, Said { message: text, bounds: None })
        }
        (None, _) => {
            let file = &record.file[..record.file.len().min(record.file_len as usize)];
            let said = match record.kind {
                KIND_BOUNDS => Said::bounds(record.index, record.len),
                _ => {
                    let words = record.parts.len().min(record.words as usize);
                    Said::parts(&record.parts[..words], record.cut_off != 0)
                }
            };
            (String::from_utf8_lossy(file).into_owned(), record.line, record.column, said)
        }
    };
    KernelPanic {
        kernel: known.map_or_else(|| "(unknown)".to_owned(), |known| known.name),
        message: said.message,
        file,
        line,
        column,
        block: record.block,
        thread: record.thread,
        bounds: said.bounds,
        launch: None,
        graph: None,
        others: 0,
    }
}

/// The site of a record that has one, and its file.
fn site<'p>(record: &PanicRecord, panics: &'p Panics) -> Option<(&'p Site, &'p str)> {
    let number = usize::try_from(record.site).ok().filter(|_| record.kind == KIND_SITE)?;
    let site = panics.sites.get(number)?;
    Some((site, panics.files.get(site.file as usize)?))
}

/// What a panic says.
struct Said {
    message: String,
    /// Index and length of a failed bounds check.
    bounds: Option<(u64, u64)>,
}

impl Said {
    fn bounds(index: u64, len: u64) -> Said {
        let message = format!("index out of bounds: the len is {len} but the index is {index}");
        Said { message, bounds: Some((index, len)) }
    }

    fn parts(words: &[u64], cut_off: bool) -> Said {
        Said { message: message::text(words, cut_off), bounds: None }
    }
}

fn said_by(site: &Site, record: &PanicRecord) -> Said {
    let value = |word: &Word| word.value(&record.parts);
    match &site.message {
        Message::Bounds { index, len } => Said::bounds(value(index), value(len)),
        Message::Parts(words) => Said::parts(&words.iter().map(value).collect::<Vec<_>>(), false),
    }
}
