//! Where the input of a macro begins.

use std::fs;

use crate::llvm::Place;

/// The macros that launch kernels.
const MACROS: [&str; 3] = ["launch", "cuda", "compile"];

/// The file, the line and the column, in characters, of the first token in the call of one of Ptyx's macros that is at
/// a place. `None` if there is no such call.
pub(crate) fn first_token(place: &Place) -> Option<String> {
    let path = fs::canonicalize(place.path()).ok()?;
    let text = fs::read_to_string(&path).ok()?;
    let (line, column) = position(&text, place.line, place.column)?;
    Some(format!("{}:{line}:{column}", path.display()))
}

fn position(text: &str, line: u32, column: u32) -> Option<(usize, usize)> {
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    let start: usize = text.split_inclusive('\n').take(index).map(str::len).sum();
    let call = text.get(start + usize::try_from(column).ok()?.checked_sub(1)?..)?;
    let (path, input) = call.split_once('!')?;
    let is_path = path.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
    let name = path.rsplit(':').next()?;
    if !is_path || !MACROS.contains(&name) {
        return None;
    }
    let mut rest = without_comments(input)?.strip_prefix(['(', '[', '{'])?;
    rest = without_comments(rest)?;
    let before = &text[..text.len() - rest.len()];
    let last_line = before.rsplit('\n').next()?;
    // In the definition of another macro, what stands there is not what the launch gets.
    let is_token = !rest.is_empty() && !rest.starts_with('$');
    is_token.then(|| (before.matches('\n').count() + 1, last_line.chars().count() + 1))
}

/// What follows spaces and comments.
fn without_comments(mut text: &str) -> Option<&str> {
    loop {
        text = text.trim_start();
        text = match text.strip_prefix("//") {
            Some(comment) => comment.split_once('\n')?.1,
            // Comments within comments are left to the caller, who then finds no token there.
            None => match text.strip_prefix("/*") {
                Some(comment) => comment.split_once("*/")?.1,
                None => return Some(text),
            },
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_token_of_a_launch() {
        let text = "fn f() {\n    ä(); ptyx::launch!(k<<<1, 2>>>())?;\n  cuda! { // one\n    /* two */ k<<<1>>>();\n}\n";
        // Columns of places count bytes, those of tokens characters.
        assert_eq!(position(text, 2, 11), Some((2, 24)));
        assert_eq!(position(text, 3, 3), Some((4, 15)));
        for (line, column) in
            [(1, 1), (2, 5), (2, 17 + 8), (3, 1), (9, 1), (2, 200), (0, 1), (1, 0)]
        {
            assert_eq!(position(text, line, column), None, "{line}:{column}");
        }
        assert_eq!(position("relaunch!(x)", 1, 1), None);
        assert_eq!(position("run!(x)", 1, 1), None);
        assert_eq!(position("launch!($k<<<1, 32>>>())", 1, 1), None);
        assert_eq!(position("launch!(x)", 1, 1), Some((1, 9)));
    }
}
