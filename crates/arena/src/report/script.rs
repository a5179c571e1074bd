//! Scripts of pages, as ECMAScript modules with imports and exports.
//!
//! A server serves each under its [`path`](Script::path), so that an `import` means the same file to a browser
//! as to a type checker that reads the repository. A page that has to stand alone holds the same modules as
//! one script, see [`joined`].

/// A module of a page's script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Script {
    /// Where the file is, from the folder of crates: `arena/src/report/assets/dom.js`.
    pub path: &'static str,
    pub text: &'static str,
}

/// The module at this path from the folder of crates.
#[macro_export]
macro_rules! script {
    ($path:literal) => {
        $crate::report::script::Script {
            path: $path,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../", $path)),
        }
    };
}

/// The module that every page's script uses: elements of pages and of pictures.
pub const DOM: Script = crate::script!("arena/src/report/assets/dom.js");

/// The controls of a replay, for a page that knows how to draw a position.
pub const REPLAY_CONTROLS: Script = crate::script!("arena/src/report/assets/replay_controls.js");

impl Script {
    /// The paths of the modules that it imports from, resolved as browsers do.
    pub fn imports(&self) -> Vec<String> {
        let lines = self.text.lines().filter(|line| line.starts_with("import "));
        let from = lines.filter_map(|line| line.split('"').nth(1));
        from.map(|relative| resolved(self.path, relative)).collect()
    }

    /// The names that it declares at its top level: all modules of a joined script share them.
    pub fn names(&self) -> Vec<&'static str> {
        let declared = |line: &'static str| {
            let line = line.strip_prefix("export ").unwrap_or(line);
            let line = line.strip_prefix("async ").unwrap_or(line);
            let kinds = ["const ", "let ", "function ", "class "];
            let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
            Some(&rest[..end.unwrap_or(rest.len())])
        };
        // Declarations inside of functions are indented, and so do not match.
        self.text.lines().filter_map(declared).collect()
    }
}

/// The path that `relative` names in the file at `path`.
fn resolved(path: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "." => {}
            // Above the root there is nothing: such a path names no module.
            ".." if parts.last().is_none_or(|last| *last == "..") => parts.push(".."),
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The modules as one script, in which they share their names. Each must come after those it imports from, and
/// each import must be one whole line.
pub fn joined(scripts: &[Script]) -> String {
    // A function around everything keeps the names from the page's global scope.
    let mut text = "(() => {\n\"use strict\";\n".to_owned();
    for script in scripts {
        for line in script.text.lines() {
            if !line.starts_with("import ") {
                text.push_str(line.strip_prefix("export ").unwrap_or(line));
                text.push('\n');
            }
        }
    }
    text.push_str("})();\n");
    text
}

/// Checks that modules can be [`joined`] or served together: each imports only from earlier ones, and no two
/// define the same name.
///
/// # Errors
/// The first import or name that does not fit, in words.
pub fn check(scripts: &[Script]) -> Result<(), String> {
    let mut paths: Vec<&str> = Vec::new();
    let mut names: Vec<(&str, &str)> = Vec::new();
    for script in scripts {
        for import in script.imports() {
            if !paths.contains(&import.as_str()) {
                return Err(format!("{} needs {import} before it", script.path));
            }
        }
        for name in script.names() {
            if let Some((_, other)) = names.iter().find(|(other, _)| *other == name) {
                return Err(format!("{} and {other} both have a {name}", script.path));
            }
            names.push((name, script.path));
        }
        paths.push(script.path);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Script = Script {
        path: "x/a.js",
        text: "export const one = 1;\nfunction two() {\n  const three = 3;\n}\n",
    };
    const B: Script = Script {
        path: "x/y/b.js",
        text: "import { one } from \"../a.js\";\n\nexport async function four() {}\none;\n",
    };

    #[test]
    fn modules_know_their_imports_and_names() {
        assert_eq!(A.names(), ["one", "two"]);
        assert_eq!(B.names(), ["four"]);
        assert_eq!(B.imports(), ["x/a.js"]);
        assert_eq!(resolved("x/y/b.js", "../../../../a.js"), "../../a.js");
        assert_eq!(check(&[A, B]), Ok(()));
        assert!(check(&[B, A]).unwrap_err().contains("x/a.js"));
        let same = Script { path: "z.js", ..A };
        assert!(check(&[A, same]).unwrap_err().contains("one"));
    }

    #[test]
    fn joined_modules_are_one_script() {
        let text = joined(&[A, B]);
        assert!(text.contains("\nconst one = 1;\n"), "{text}");
        assert!(text.contains("\nasync function four() {}\n"), "{text}");
        assert!(!text.contains("import"), "{text}");
    }

    #[test]
    fn the_modules_of_all_reports_fit_together() {
        assert_eq!(check(&[DOM, REPLAY_CONTROLS]), Ok(()));
    }
}
