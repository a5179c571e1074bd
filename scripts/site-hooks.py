"""Hooks of MkDocs for the site of the documentation (mkdocs.yml).

The site's pages are the repository's: those of docs, and from outside of it the README, some others and the
notebooks with their outputs. Links stand in them as they work in the repository; here they are turned to where
their targets are on the site. A source file or folder that is linked gets a page of its own."""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
#: Pages from outside of docs, and their names on the site.
OUTSIDE = {"README.md": "index.md", "CONTRIBUTING.md": "CONTRIBUTING.md", "CHANGELOG.md": "CHANGELOG.md",
           "fuzz/README.md": "fuzz/README.md"}
LANGUAGES = {".py": "python", ".rs": "rust", ".cpp": "cpp", ".java": "java", ".js": "javascript", ".toml": "toml"}
LINK = re.compile(r"(\]\(\s*<?)([^)\s>#]+)((?:#[^)\s>]*)?>?[^)]*\))")
FENCES = re.compile(r"(^```.*?^```[ \t]*$|`[^`\n]*`)", re.M | re.S)


def linked(text, function):
    """The text with a function applied to the targets of its links; code stays as it is."""
    parts = FENCES.split(text)
    parts[::2] = [LINK.sub(lambda m: m[1] + function(m[2]) + m[3], part) for part in parts[::2]]
    return "".join(parts)


def notebook(path):
    """A notebook as Markdown, with its outputs, and its pictures by name."""
    from nbconvert import MarkdownExporter

    folders = {"unique_key": path.stem, "output_files_dir": f"{path.stem}-pictures"}
    text, resources = MarkdownExporter().from_filename(str(path), resources=folders)
    return text, resources["outputs"]


class Site:
    """Where everything of the repository is on the site."""

    def __init__(self, files, config):
        self.files, self.config = files, config
        self.places = {f"docs/{file.src_uri}": file.src_uri for file in files if not file.inclusion.is_excluded()}
        self.origins = {uri: path for path, uri in self.places.items()}
        texts = {f"docs/{file.src_uri}": file.content_string for file in files if file.is_documentation_page()}
        for path, uri in OUTSIDE.items():
            texts[path] = self.page(path, uri, (ROOT / path).read_text(encoding="utf-8"))
        for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
            text, pictures = notebook(path)
            name = f"notebooks/{path.name}"
            texts[name] = self.page(name, f"notebooks/{path.stem}.md", text)
            for picture, content in pictures.items():
                self.add(f"notebooks/{picture}", f"notebooks/{picture}", content)
        for path, text in texts.items():
            linked(text, lambda target, path=path: self.source(path, target))

    def add(self, path, uri, content):
        self.places[path], self.origins[uri] = uri, path
        self.files.append(File.generated(self.config, uri, content=content))

    def page(self, path, uri, text):
        self.add(path, uri, text)
        return text

    def target(self, path, target):
        """The path in the repository that a page's link leads to, or None if it leads elsewhere."""
        if re.match(r"[a-z][a-z0-9+.-]*:|/", target, re.I):
            return None
        return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))

    def source(self, path, target):
        """Makes a page for a linked file or folder that has none."""
        wanted = self.target(path, target)
        if wanted is None or wanted in self.places or not (ROOT / wanted).exists():
            return target
        file, uri = ROOT / wanted, f"source/{wanted}.md"
        if file.is_dir():
            names = sorted(one.name for one in file.iterdir() if not one.name.startswith((".", "__")))
            own = {name: f"{wanted}/{name}" for name in names}
            self.add(wanted, uri, "")
            for name in names:
                if not (file / name).is_dir():
                    self.source(f"{wanted}/", name)
                elif any((file / name).iterdir()):
                    self.source(f"{wanted}/", name)
            lines = [f"- [{name}]({self.relative(uri, self.places[at])})" for name, at in own.items()]
            content = f"# {wanted}\n\n" + "\n".join(lines) + "\n"
            self.files.remove(self.files.get_file_from_path(uri))
            self.add(wanted, uri, content)
        elif file.suffix in (".png", ".svg"):
            self.add(wanted, f"source/{wanted}", file.read_bytes())
        else:
            language = LANGUAGES.get(file.suffix, "")
            text = file.read_text(encoding="utf-8")
            self.add(wanted, uri, f"# {wanted}\n\n~~~~~{language}\n{text}~~~~~\n")
        return target

    @staticmethod
    def relative(uri, other):
        return posixpath.relpath(other, posixpath.dirname(uri) or ".")

    def turn(self, uri, target):
        """A link of a page as it is on the site."""
        path = self.origins.get(uri)
        wanted = path and self.target(path, target)
        place = self.places.get(wanted)
        return self.relative(uri, place) if place else target


def on_files(files, config):
    global site
    site = Site(files, config)
    return files


def on_page_markdown(markdown, page, config, files):
    return linked(markdown, lambda target: site.turn(page.file.src_uri, target))
