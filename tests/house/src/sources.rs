//! A crate's modules, and the paths that their code names. Tests are left out.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// One module of a crate.
#[derive(Debug, Default)]
pub struct Module {
    /// Its file, below the source folder.
    pub file: String,
    /// The names of what it defines.
    pub items: BTreeSet<String>,
    /// The macros among them that stand in the crate's root for others (`#[macro_export]`).
    pub exported: BTreeSet<String>,
    /// What `use` brings in: name to path.
    pub imports: BTreeMap<String, Vec<String>>,
    /// The paths of `use path::*`.
    pub globs: Vec<Vec<String>>,
    /// Every path in its code, and the line.
    pub paths: Vec<(usize, Vec<String>)>,
}

/// The modules of a crate by their paths below the root, which is `""`.
pub type Modules = BTreeMap<String, Module>;

/// Reads a crate from its `lib.rs` on. `read` gives the text of a file below the source folder.
///
/// # Errors
/// A file is missing, or is no Rust.
pub fn read(read: &dyn Fn(&str) -> Option<String>) -> Result<Modules, String> {
    let mut reader = Reader { read, modules: Modules::new() };
    reader.file("", "", &["lib.rs".to_owned()])?;
    Ok(reader.modules)
}

struct Reader<'a> {
    read: &'a dyn Fn(&str) -> Option<String>,
    modules: Modules,
}

/// A module while its tokens are read.
struct Place {
    /// Its path.
    path: String,
    /// Where the files of its children stand.
    folder: String,
    module: Module,
}

/// The path of a module or of a file in another one.
fn below(outer: &str, separator: &str, name: &str) -> String {
    if outer.is_empty() { name.to_owned() } else { format!("{outer}{separator}{name}") }
}

impl Reader<'_> {
    /// Reads the first of `candidates` that exists as the module `path`.
    fn file(&mut self, path: &str, folder: &str, candidates: &[String]) -> Result<(), String> {
        let found = candidates.iter().find_map(|file| Some((file, (self.read)(file)?)));
        let Some((file, text)) = found else {
            return Err(format!("module `{path}`: there is no {}", candidates.join(" and no ")));
        };
        let tokens: TokenStream = text.parse().map_err(|error| format!("{file}: {error}"))?;
        self.module(path, folder, file, tokens)
    }

    fn module(
        &mut self,
        path: &str,
        folder: &str,
        file: &str,
        tokens: TokenStream,
    ) -> Result<(), String> {
        let module = Module { file: file.to_owned(), ..Module::default() };
        let mut place = Place { path: path.to_owned(), folder: folder.to_owned(), module };
        self.items(&mut place, tokens)?;
        self.modules.insert(place.path, place.module);
        Ok(())
    }

    /// Reads the items of a module.
    fn items(&mut self, place: &mut Place, tokens: TokenStream) -> Result<(), String> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            let end = end_of_item(&tokens, at, false);
            if !is_test(&tokens[at..end]) {
                self.item(place, &tokens[at..end])?;
            }
            at = end;
        }
        Ok(())
    }

    fn item(&mut self, place: &mut Place, tokens: &[TokenTree]) -> Result<(), String> {
        let head = &tokens[start_of_item(tokens)..];
        match (head.first().map(ToString::to_string).as_deref(), head.get(1), head.get(2)) {
            (Some("mod"), Some(TokenTree::Ident(name)), Some(rest)) => {
                let name = name.to_string();
                let path = below(&place.path, "::", &name);
                let folder = below(&place.folder, "/", &name);
                if let TokenTree::Group(body) = rest {
                    let file = place.module.file.clone();
                    return self.module(&path, &folder, &file, body.stream());
                }
                self.file(&path, &folder, &[format!("{folder}.rs"), format!("{folder}/mod.rs")])
            }
            (Some("use"), ..) => {
                let mut leaves = Vec::new();
                use_tree(&head[1..], &[], &mut leaves);
                for leaf in leaves {
                    place.module.paths.push((leaf.line, leaf.path.clone()));
                    match leaf.name {
                        Some(name) => drop(place.module.imports.insert(name, leaf.path)),
                        None => place.module.globs.push(leaf.path),
                    }
                }
                Ok(())
            }
            _ => {
                if let Some(name) = defined_name(head) {
                    if tokens[..tokens.len() - head.len()].iter().any(is_macro_export) {
                        place.module.exported.insert(name.clone());
                    }
                    place.module.items.insert(name);
                }
                code(&mut place.module, tokens, 0);
                Ok(())
            }
        }
    }
}

/// Reads tokens whose items are nobody else's: bodies, signatures, arguments of macros. `depth` says how many
/// modules stand around them that a macro makes.
fn code(module: &mut Module, tokens: &[TokenTree], depth: usize) {
    let add = |module: &mut Module, line, path| {
        module.paths.extend(seen_from_outside(path, depth).map(|path| (line, path)));
    };
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        if is_test(rest) {
            at = end_of_item(tokens, at, true);
            continue;
        }
        match &rest[0] {
            // Where something is visible is no import.
            TokenTree::Ident(word) if word == "pub" => {
                let is_scope = matches!(rest.get(1), Some(TokenTree::Group(group)) if starts_with(group, "in"));
                at += 1 + usize::from(is_scope);
            }
            TokenTree::Ident(word) if word == "use" => {
                let end = end_of_item(tokens, at, true);
                let mut leaves = Vec::new();
                use_tree(&tokens[at + 1..end], &[], &mut leaves);
                leaves.into_iter().for_each(|leaf| add(module, leaf.line, leaf.path));
                at = end;
            }
            TokenTree::Ident(word) if word == "mod" => {
                let count = 2 + usize::from(is_punct(rest.get(1), '$'));
                if let Some(TokenTree::Group(body)) = rest.get(count) {
                    let inner: Vec<TokenTree> = body.stream().into_iter().collect();
                    code(module, &inner, depth + 1);
                }
                at += count + 1;
            }
            TokenTree::Ident(word) => {
                let (path, count) = path(rest);
                if path.len() > 1 {
                    add(module, word.span().start().line, path);
                }
                at += count;
            }
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                code(module, &inner, depth);
                at += 1;
            }
            _ => at += 1,
        }
    }
}

/// A path in a module that is `depth` modules inside of another one, as that names it; `None` if it does not
/// lead out.
fn seen_from_outside(path: Vec<String>, depth: usize) -> Option<Vec<String>> {
    let up = path.iter().take_while(|word| *word == "super").count();
    match path.first()?.as_str() {
        "crate" => Some(path),
        _ if depth == 0 => Some(path),
        "super" if up > depth => Some(path[depth..].to_vec()),
        "super" if up == depth => Some([&["self".to_owned()], &path[depth..]].concat()),
        _ => None,
    }
}

/// The path at the start of the tokens, and how many of them it takes.
fn path(tokens: &[TokenTree]) -> (Vec<String>, usize) {
    let (mut path, mut at) = (Vec::new(), 0);
    while let Some(TokenTree::Ident(word)) = tokens.get(at) {
        path.push(word.to_string());
        at += 1;
        if !is_separator(&tokens[at..]) {
            break;
        }
        at += 2;
    }
    (path, at.max(1))
}

fn is_punct(token: Option<&TokenTree>, c: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == c)
}

fn is_separator(tokens: &[TokenTree]) -> bool {
    is_punct(tokens.first(), ':') && is_punct(tokens.get(1), ':')
}

fn starts_with(group: &Group, word: &str) -> bool {
    matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(first)) if first == word)
}

/// What a `use` brings in.
struct Leaf {
    line: usize,
    path: Vec<String>,
    /// The name it gets; none for `*`.
    name: Option<String>,
}

/// Takes a `use` tree apart, whose tokens stand below `prefix`.
fn use_tree(tokens: &[TokenTree], prefix: &[String], leaves: &mut Vec<Leaf>) {
    for tree in tokens.split(|token| is_punct(Some(token), ',') || is_punct(Some(token), ';')) {
        let Some(first) = tree.iter().find(|token| !is_punct(Some(token), ':')) else { continue };
        let line = first.span().start().line;
        let tree = if is_separator(tree) { &tree[2..] } else { tree };
        let (words, count) = path(tree);
        let mut full: Vec<String> = prefix.iter().cloned().chain(words).collect();
        match tree.get(if full.len() == prefix.len() { 0 } else { count }) {
            Some(TokenTree::Group(group)) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                use_tree(&inner, &full, leaves);
            }
            Some(TokenTree::Punct(star)) if star.as_char() == '*' => {
                leaves.push(Leaf { line, path: full, name: None });
            }
            renamed => {
                // `a::{self}` is `a`.
                if full.len() > 1 && full.last().is_some_and(|last| last == "self") {
                    full.pop();
                }
                let name = match (renamed, tree.get(count + 1)) {
                    (Some(_), Some(TokenTree::Ident(new))) => Some(new.to_string()),
                    _ => full.last().cloned(),
                };
                leaves.push(Leaf { line, path: full, name: name.or(Some(String::new())) });
            }
        }
    }
}

/// How many tokens are attributes and visibility.
fn start_of_item(tokens: &[TokenTree]) -> usize {
    let mut at = 0;
    loop {
        match tokens.get(at) {
            Some(TokenTree::Punct(hash)) if hash.as_char() == '#' => {
                at += if is_punct(tokens.get(at + 1), '!') { 3 } else { 2 };
            }
            Some(TokenTree::Ident(word)) if word == "pub" => {
                let is_scope = matches!(tokens.get(at + 1), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
                at += 1 + usize::from(is_scope);
            }
            _ => return at.min(tokens.len()),
        }
    }
}

/// Where the item ends that starts at `at`; in code also where a field or an arm does.
fn end_of_item(tokens: &[TokenTree], at: usize, in_code: bool) -> usize {
    let start = at + start_of_item(&tokens[at..]);
    let word = |index: usize| tokens.get(index).map(ToString::to_string).unwrap_or_default();
    let ends_with_semicolon = match word(start).as_str() {
        "use" | "static" | "type" | "let" => true,
        "const" => !matches!(word(start + 1).as_str(), "fn" | "unsafe" | "extern" | "async"),
        _ => false,
    };
    for (index, token) in tokens.iter().enumerate().skip(start) {
        let ends = match token {
            TokenTree::Punct(punct) if punct.as_char() == ';' => true,
            TokenTree::Punct(punct) => in_code && !ends_with_semicolon && punct.as_char() == ',',
            TokenTree::Group(group) => {
                group.delimiter() == Delimiter::Brace && !ends_with_semicolon
            }
            _ => false,
        };
        if ends {
            return index + 1;
        }
    }
    tokens.len()
}

/// Whether an attribute at the start says that what follows is a test's.
fn is_test(tokens: &[TokenTree]) -> bool {
    let mut at = 0;
    while is_punct(tokens.get(at), '#') {
        let Some(TokenTree::Group(group)) = tokens.get(at + 1) else { return false };
        let mut inner = group.stream().into_iter();
        if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(condition))) =
            (inner.next(), inner.next())
            && name == "cfg"
            && demands_test(condition.stream())
        {
            return true;
        }
        at += 2;
    }
    false
}

/// Whether a `cfg` is `test`, or `all` of `test` and more.
fn demands_test(condition: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = condition.into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Ident(all), TokenTree::Group(group)] if all == "all" => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            inner
                .split(|token| is_punct(Some(token), ','))
                .any(|part| demands_test(part.iter().cloned().collect()))
        }
        [TokenTree::Ident(test)] => test == "test",
        _ => false,
    }
}

fn is_macro_export(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if starts_with(group, "macro_export"))
}

/// The name that an item defines, its attributes and visibility left out.
fn defined_name(tokens: &[TokenTree]) -> Option<String> {
    let mut words = tokens.iter();
    while let Some(token) = words.next() {
        match token.to_string().as_str() {
            "fn" | "struct" | "enum" | "union" | "trait" | "type" | "static" | "const" => {
                let rest = words.as_slice();
                match rest.first()?.to_string().as_str() {
                    // `const fn`, `const unsafe fn`.
                    "fn" | "unsafe" | "extern" | "async" => {}
                    "mut" => return Some(rest.get(1)?.to_string()),
                    name => return Some(name.to_owned()),
                }
            }
            "macro_rules" => return Some(words.as_slice().get(1)?.to_string()),
            "unsafe" | "extern" | "async" | "auto" => {}
            // The ABI of `extern "C" fn`.
            literal if literal.starts_with('"') => {}
            _ => return None,
        }
    }
    None
}
