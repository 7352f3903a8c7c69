//! Command lines of the examples: `--name value`, `--name=value`, flags and file names.

use std::cell::Cell;
use std::fmt::{Display, Write as _};
use std::str::FromStr;

/// An option of a command line.
#[derive(Clone, Copy, Debug)]
pub struct Opt {
    name: &'static str,
    /// What stands for the value in the help; a flag has none.
    value: Option<&'static str>,
    help: &'static str,
}

impl Opt {
    /// `--name VALUE`.
    pub const fn value(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Opt { name, value: Some(value), help }
    }

    /// `--name`.
    pub const fn flag(name: &'static str, help: &'static str) -> Self {
        Opt { name, value: None, help }
    }

    fn usage(&self) -> String {
        match self.value {
            Some(value) => format!("--{} {value}", self.name),
            None => format!("--{}", self.name),
        }
    }
}

/// `--seed N`, which most examples take.
pub const SEED: Opt = Opt::value("seed", "N", "seed of the random input (default: from the clock)");

thread_local! {
    /// What is to be read instead of the command line.
    static INSTEAD: Cell<Option<Vec<String>>> = const { Cell::new(None) };
}

/// Runs an example in a test, whose own command line is another: this thread's next [`Args::from_env`] reads these words.
pub fn instead_of_env<R>(words: &[&str], run: impl FnOnce() -> R) -> R {
    INSTEAD.set(Some(words.iter().map(|word| (*word).to_owned()).collect()));
    run()
}

/// A command line, taken apart.
#[derive(Debug, Default)]
pub struct Args {
    values: Vec<(&'static str, String)>,
    files: Vec<String>,
}

impl Args {
    /// Takes this process's command line apart. `--help` prints the help and ends the process.
    ///
    /// # Errors
    /// An unknown or repeated option, a missing value, or more or fewer file names than `files`.
    pub fn from_env(
        about: &str,
        files: &[&str],
        options: &[Opt],
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let mut words = std::env::args();
        let program = words.next().unwrap_or_default();
        let program = program.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let help = help(&program, about, files, options);
        let words = INSTEAD.take().unwrap_or_else(|| words.collect());
        if words.iter().any(|word| word == "--help" || word == "-h") {
            print!("{help}");
            std::process::exit(0);
        }
        let args = Self::parse(words, options)
            .map_err(|error| format!("{error}\n\n{}", help.trim_end()))?;
        if args.files.len() != files.len() {
            let found = args.files.len();
            return Err(format!("{found} file names instead of {}\n\n{}", files.len(), help).into());
        }
        Ok(args)
    }

    fn parse(words: Vec<String>, options: &[Opt]) -> Result<Self, String> {
        let mut args = Args::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let Some(option) = word.strip_prefix("--") else {
                args.files.push(word);
                continue;
            };
            let (name, attached) = match option.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (option, None),
            };
            let Some(known) = options.iter().find(|known| known.name == name) else {
                return Err(format!("there is no option `--{name}`"));
            };
            if args.values.iter().any(|(name, _)| *name == known.name) {
                return Err(format!("`--{name}` stands twice"));
            }
            let value = match (known.value, attached) {
                (None, None) => String::new(),
                (None, Some(_)) => return Err(format!("`--{name}` takes no value")),
                (Some(_), Some(value)) => value,
                (Some(_), None) => {
                    words.next().ok_or_else(|| format!("`--{name}` wants a value"))?
                }
            };
            args.values.push((known.name, value));
        }
        Ok(args)
    }

    /// Whether the flag `--name` was given.
    pub fn flag(&self, name: &str) -> bool {
        self.values.iter().any(|(known, _)| *known == name)
    }

    /// The value of `--name`, if it was given.
    ///
    /// # Errors
    /// It is no `T`.
    pub fn get<T>(&self, name: &str) -> Result<Option<T>, Box<dyn std::error::Error>>
    where
        T: FromStr,
        T::Err: Display,
    {
        let Some((_, value)) = self.values.iter().find(|(known, _)| *known == name) else {
            return Ok(None);
        };
        match value.parse() {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(format!("`--{name} {value}`: {error}").into()),
        }
    }

    /// The positive number `--name N`, or `default`.
    ///
    /// # Errors
    /// It is no number, or 0.
    pub fn size(&self, name: &str, default: usize) -> Result<usize, Box<dyn std::error::Error>> {
        match self.get(name)? {
            Some(0) => Err(format!("`--{name} 0`: must be at least 1").into()),
            Some(size) => Ok(size),
            None => Ok(default),
        }
    }

    /// `--seed N`, or one from the clock.
    ///
    /// # Errors
    /// It is no number.
    pub fn seed(&self) -> Result<u64, Box<dyn std::error::Error>> {
        Ok(self.get("seed")?.unwrap_or_else(crate::random::fresh_seed))
    }

    /// The file names, in order.
    pub fn files(&self) -> &[String] {
        &self.files
    }
}

fn help(program: &str, about: &str, files: &[&str], options: &[Opt]) -> String {
    let mut text = format!("{about}\n\nusage: {program}");
    for file in files {
        _ = write!(text, " {file}");
    }
    text.push_str(" [OPTIONS]\n\n");
    let help = Opt::flag("help", "print this");
    let width = options.iter().map(|option| option.usage().len()).max().unwrap_or(0).max(6);
    for option in options.iter().chain([&help]) {
        _ = writeln!(text, "  {:width$}  {}", option.usage(), option.help);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: &[Opt] = &[Opt::value("size", "N", ""), Opt::flag("bench", "")];

    fn parse(line: &str) -> Result<Args, String> {
        Args::parse(line.split_whitespace().map(str::to_owned).collect(), OPTIONS)
    }

    #[test]
    fn values_flags_and_files() {
        let args = parse("in.png --size=7 --bench out.png").unwrap();
        assert_eq!(args.files(), ["in.png", "out.png"]);
        assert_eq!(args.size("size", 1).unwrap(), 7);
        assert!(args.flag("bench"));
        assert!(!parse("").unwrap().flag("bench"));
        assert_eq!(parse("--size 8").unwrap().size("size", 1).unwrap(), 8);
        assert_eq!(parse("").unwrap().size("size", 9).unwrap(), 9);
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(parse("--sise 7").unwrap_err(), "there is no option `--sise`");
        assert_eq!(parse("--size").unwrap_err(), "`--size` wants a value");
        assert_eq!(parse("--bench=2").unwrap_err(), "`--bench` takes no value");
        assert_eq!(parse("--bench --bench").unwrap_err(), "`--bench` stands twice");
        let error = parse("--size x").unwrap().size("size", 1).unwrap_err().to_string();
        assert!(error.starts_with("`--size x`: "), "{error}");
        let error = parse("--size 0").unwrap().size("size", 1).unwrap_err().to_string();
        assert_eq!(error, "`--size 0`: must be at least 1");
    }
}
