//! Lines that say where they were inlined.
//!
//! LLVM 22 prints `.loc` with the innermost place of an instruction only: for code of the standard
//! library that is no line of the user's. PTX can say more (PTX ISA, ".loc": `function_name`,
//! `inlined_at`). So each place gets a number, which passes through the backend as its column, and the
//! printed `.loc` is rewritten from the place with that number.

use std::collections::HashMap;
use std::fmt::Write;

use crate::llvm::{Context, Location, Module, Place};
use crate::rust::{is_launch, path_of};

/// The highest column: LLVM keeps 16 bits.
const MAX_COLUMN: usize = 0xffff;

/// The places of a module's instructions. A place's column in the printed PTX is its index among the `numbered` ones plus one.
#[derive(Default)]
pub(crate) struct Places {
    /// All, and the calls that they were inlined through.
    all: Vec<Inlined>,
    /// Those that instructions have, as indices of `all`.
    numbered: Vec<usize>,
}

/// A place, and the call through which it was inlined.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Inlined {
    place: Place,
    /// The call's index among all places.
    caller: Option<usize>,
}

impl Places {
    /// A place, then the calls that it was inlined through, innermost first: their indices.
    fn chain(&self, innermost: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(innermost), |&index| self.all[index].caller)
    }
}

/// Numbers the places of `module`, and writes the numbers where the columns were.
pub(crate) fn number<'c>(context: &'c Context, module: &Module<'c>) -> Places {
    let mut collector = Collector::new(context);
    let mut numbers: HashMap<usize, u32> = HashMap::new();
    for function in module.functions() {
        for instruction in function.instructions() {
            let Some(location) = instruction.location() else { continue };
            let index = collector.of(location).index;
            let numbered = &mut collector.places.numbered;
            let number = *numbers.entry(index).or_insert_with(|| {
                numbered.push(index);
                numbered.len() as u32
            });
            // Beyond the limit, places have no column and no callers.
            instruction.set_column(context, if number as usize <= MAX_COLUMN { number } else { 0 });
        }
    }
    collector.places
}

/// Collects places, each once.
///
/// Many instructions share a location, and many locations the calls that they were inlined through: each is looked at once.
struct Collector<'c> {
    context: &'c Context,
    places: Places,
    indices: HashMap<Inlined, usize>,
    known: HashMap<Location<'c>, Known>,
    launches: Launches,
}

/// What is known of a location.
#[derive(Clone, Copy)]
struct Known {
    /// Its index among all places.
    index: usize,
    /// Whether it and all calls that it was inlined through surround a kernel.
    is_launch: bool,
}

impl<'c> Collector<'c> {
    fn new(context: &'c Context) -> Collector<'c> {
        Collector {
            context,
            places: Places::default(),
            indices: HashMap::new(),
            known: HashMap::new(),
            launches: Launches::default(),
        }
    }

    /// A location's place.
    fn of(&mut self, location: Location<'c>) -> Known {
        if let Some(&known) = self.known.get(&location) {
            return known;
        }
        let caller = location.caller().map(|caller| self.of(caller));
        let known = self.add(location.place(self.context), caller);
        self.known.insert(location, known);
        known
    }

    /// Adds a place that was inlined through `caller`. The calls that surround the kernel are left out: then the kernel is
    /// outermost, as the entry's name says.
    fn add(&mut self, place: Place, caller: Option<Known>) -> Known {
        let is_launch = caller.is_none_or(|caller| caller.is_launch) && self.launches.has(&place);
        let caller = caller.filter(|caller| is_launch || !caller.is_launch);
        let inlined = Inlined { place, caller: caller.map(|caller| caller.index) };
        let all = &mut self.places.all;
        let index = *self.indices.entry(inlined).or_insert_with_key(|inlined| {
            all.push(inlined.clone());
            all.len() - 1
        });
        Known { index, is_launch }
    }
}

/// Which functions, by symbol, surround every kernel: Ptyx's reading of the arguments, and rustc's call
/// through `Fn`.
#[derive(Default)]
struct Launches(HashMap<String, bool>);

impl Launches {
    fn has(&mut self, place: &Place) -> bool {
        if let Some(&known) = self.0.get(&place.function) {
            return known;
        }
        let found = is_launch(&path_of(&place.function));
        self.0.insert(place.function.clone(), found);
        found
    }
}

/// The printed PTX with what the numbers stand for.
pub(crate) fn write(ptx: &str, places: &Places) -> String {
    let mut writer = Writer::new(ptx, places);
    for line in ptx.lines() {
        match location(line) {
            Some((file, row, number)) => writer.location(line, file, row, number),
            None => {
                // The order of the text counts: what an earlier function said of a place does not hold for this one.
                if line.trim_start().starts_with(".func") || line.contains(".entry ") {
                    writer.callers.clear();
                }
                writer.text.push_str(line);
                writer.text.push('\n');
            }
        }
    }
    writer.finish()
}

/// File, line and column of a `.loc`.
fn location(line: &str) -> Option<(u32, u32, u32)> {
    let mut words = line.trim_start().strip_prefix(".loc")?.split_whitespace();
    let mut number = || words.next()?.parse().ok();
    Some((number()?, number()?, number()?))
}

/// File, line, column, as PTX has them.
type Position = (u32, u32, u32);

struct Writer<'a> {
    places: &'a Places,
    text: String,
    /// The numbers of the files, by path, and by the index of a place in them.
    files: HashMap<String, u32>,
    file_of: Vec<Option<u32>>,
    /// Files that the text does not name yet.
    new_files: Vec<String>,
    /// The inlined functions, by the order of their first use: by path, and by symbol.
    functions: HashMap<String, usize>,
    symbols: HashMap<&'a str, usize>,
    names: Vec<String>,
    /// What was said last of a position: where it was inlined.
    callers: HashMap<Position, Option<Position>>,
}

impl<'a> Writer<'a> {
    fn new(ptx: &str, places: &'a Places) -> Writer<'a> {
        let file = |line: &str| {
            let (number, path) = line.trim_start().strip_prefix(".file")?.trim().split_once(' ')?;
            Some((path.trim().trim_matches('"').to_owned(), number.trim().parse().ok()?))
        };
        let files = ptx.lines().map(|line| line.replace('\t', " ")).filter_map(|line| file(&line));
        Writer {
            places,
            text: String::with_capacity(ptx.len() * 2),
            files: files.collect(),
            file_of: vec![None; places.all.len()],
            new_files: Vec::new(),
            functions: HashMap::new(),
            symbols: HashMap::new(),
            names: Vec::new(),
            callers: HashMap::new(),
        }
    }

    /// Writes a `.loc` anew.
    fn location(&mut self, line: &str, file: u32, row: u32, number: u32) {
        let places = self.places;
        let innermost = (number as usize).checked_sub(1).and_then(|at| places.numbered.get(at));
        // The backend gives line 0, with whatever column, to what comes from several lines.
        let Some(&innermost) = innermost.filter(|&&at| places.all[at].place.line == row) else {
            let start = line.find(".loc").unwrap_or(0);
            let _ = writeln!(self.text, "{}.loc\t{file} {row} 0", &line[..start]);
            return;
        };
        // The outermost call first: a position must have been named before it is referred to.
        let mut caller: Option<Position> = None;
        let chain: Vec<usize> = places.chain(innermost).collect();
        for (depth, &index) in chain.iter().enumerate().rev() {
            let of_file = if depth == 0 { file } else { self.file(index) };
            let place = &places.all[index].place;
            let position = (of_file, place.line, place.column);
            if depth == 0 || self.callers.get(&position) != Some(&caller) {
                let _ = write!(self.text, "\t.loc\t{} {} {}", position.0, position.1, position.2);
                if let Some((file, line, column)) = caller {
                    let function = self.function(place);
                    let _ = write!(
                        self.text,
                        ", function_name $L__function{function}, inlined_at {file} {line} {column}"
                    );
                }
                self.text.push('\n');
                self.callers.insert(position, caller);
            }
            caller = Some(position);
        }
    }

    /// The number of a place's file.
    fn file(&mut self, index: usize) -> u32 {
        if let Some(number) = self.file_of[index] {
            return number;
        }
        let number = self.number_of_file(&self.places.all[index].place);
        self.file_of[index] = Some(number);
        number
    }

    fn number_of_file(&mut self, place: &Place) -> u32 {
        let path = match place.directory.as_str() {
            directory if !place.file.starts_with('/') && !directory.is_empty() => {
                format!("{directory}/{}", place.file)
            }
            _ => place.file.clone(),
        };
        if let Some(&number) = self.files.get(&path) {
            return number;
        }
        let number = self.files.values().max().map_or(1, |last| last + 1);
        self.new_files.push(format!("\t.file\t{number} \"{path}\"\n"));
        self.files.insert(path, number);
        number
    }

    /// The number of the label of a place's function.
    fn function(&mut self, place: &'a Place) -> usize {
        let (functions, names) = (&mut self.functions, &mut self.names);
        *self.symbols.entry(&place.function).or_insert_with(|| {
            let next = names.len();
            *functions.entry(path_of(&place.function)).or_insert_with_key(|name| {
                names.push(name.clone());
                next
            })
        })
    }

    /// The text, with the files and names that were added.
    fn finish(mut self) -> String {
        self.text.extend(self.new_files);
        if !self.names.is_empty() {
            self.text.push_str("\t.section\t.debug_str\n\t{\n");
            for (number, name) in self.names.iter().enumerate() {
                let bytes: Vec<String> =
                    name.bytes().chain([0]).map(|byte| byte.to_string()).collect();
                let _ = writeln!(self.text, "$L__function{number}:\n\t.b8 {}", bytes.join(","));
            }
            self.text.push_str("\t}\n");
        }
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm;
    use crate::rust::Toolchain;

    fn context() -> Context {
        llvm::load(&Toolchain::for_test().libllvm).unwrap();
        Context::new()
    }

    fn place(function: &str, file: &str, line: u32, column: u32) -> Place {
        let directory = "/home".to_owned();
        Place { function: function.into(), file: file.into(), directory, line, column }
    }

    /// Places, each with the calls that it was inlined through, numbered in this order.
    fn numbered(context: &Context, chains: Vec<Vec<Place>>) -> Places {
        let mut collector = Collector::new(context);
        for chain in chains {
            let caller = chain
                .into_iter()
                .rev()
                .fold(None, |caller, place| Some(collector.add(place, caller)));
            collector.places.numbered.extend(caller.map(|innermost| innermost.index));
        }
        collector.places
    }

    #[test]
    fn chains_are_written_from_the_outermost_call() {
        let own = place("k", "src/main.rs", 7, 9);
        let places = numbered(
            &context(),
            vec![
                vec![own.clone()],
                vec![place("get", "/rustc/slice.rs", 30, 5), own.clone()],
                vec![place("add", "/rustc/ops.rs", 3, 1), place("sum", "src/lib.rs", 2, 4), own],
            ],
        );
        let ptx = ".entry k(\n)\n{\n\t.loc\t1 7 1\n\tadd;\n\t.loc\t2 30 2\n\tld;\n\t.loc\t2 0 2\n\
                   \t.loc\t3 3 3\n\tmul;\n}\n\t.file\t1 \"/home/src/main.rs\"\n\
                   \t.file\t2 \"/rustc/slice.rs\"\n\t.file\t3 \"/rustc/ops.rs\"\n";
        let expected = ".entry k(\n)\n{\n\t.loc\t1 7 9\n\tadd;\n\
             \t.loc\t2 30 5, function_name $L__function0, inlined_at 1 7 9\n\tld;\n\t.loc\t2 0 0\n\
             \t.loc\t4 2 4, function_name $L__function1, inlined_at 1 7 9\n\
             \t.loc\t3 3 1, function_name $L__function2, inlined_at 4 2 4\n\tmul;\n}\n\
             \t.file\t1 \"/home/src/main.rs\"\n\t.file\t2 \"/rustc/slice.rs\"\n\
             \t.file\t3 \"/rustc/ops.rs\"\n\t.file\t4 \"/home/src/lib.rs\"\n\
             \t.section\t.debug_str\n\t{\n$L__function0:\n\t.b8 103,101,116,0\n\
             $L__function1:\n\t.b8 115,117,109,0\n$L__function2:\n\t.b8 97,100,100,0\n\t}\n";
        assert_eq!(write(ptx, &places), expected);
    }

    #[test]
    fn the_kernel_is_the_outermost_call() {
        let own = place("app::k", "src/main.rs", 7, 9);
        let get = place("core::slice::get", "/rustc/slice.rs", 30, 5);
        let shim = place("<app::k as core::ops::function::Fn<(u32,)>>::call", "/rustc/f.rs", 1, 1);
        let unpack = place("ptyx::launch::root::unpack1", "root.rs", 2, 2);
        let inner = vec![get.clone(), own.clone(), shim, unpack.clone()];
        let places = numbered(&context(), vec![inner, vec![unpack.clone()]]);
        let chain = |number: usize| -> Vec<Place> {
            let indices = places.chain(places.numbered[number]);
            indices.map(|index| places.all[index].place.clone()).collect()
        };
        assert_eq!(chain(0), [get, own]);
        assert_eq!(chain(1), [unpack]);
    }

    #[test]
    fn text_without_places_stays() {
        let ptx = ".version 7.2\n.entry k(\n)\n{\n\tret;\n}\n";
        assert_eq!(write(ptx, &Places::default()), ptx);
    }
}
