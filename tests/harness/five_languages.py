"""The same small library in five languages, each of several files, and what an editor should find in it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from tree_sitter_language_pack import get_parser

Place = tuple[str, int, int]  # path, line and column, both from 0


class Library(NamedTuple):
    """The library in one language, below the folder `folder` of a repository.

    Three files call the function `lend`, which is `defined` in the first; its callers are `callers`. `book` is a type
    below `item`; `method` is a member of both. `desk` is the file of the function `serve`, in which a line behind
    `anchor` may be written.
    """

    language: str
    folder: str
    files: dict[str, str]
    lend: str
    defined: str
    new_name: str
    desk: str
    serve: str
    anchor: str

    @property
    def paths(self) -> dict[str, str]:
        """The texts by their paths in the repository."""
        return {f"{self.folder}/{path}": text for path, text in self.files.items()}

    @property
    def desk_path(self) -> str:
        """The path of the desk in the repository."""
        return f"{self.folder}/{self.desk}"

    @property
    def definition(self) -> Place:
        """The place where `lend` is defined."""
        return self.place(self.defined, self.lend)

    @property
    def uses(self) -> list[Place]:
        """The other places of `lend`, in the order of files and lines."""
        return [place for place in occurrences(self.paths, self.lend) if place != self.definition]

    def place(self, line: str, name: str) -> Place:
        """The place of `name` in the first line that has the text `line`."""
        for path, text in self.paths.items():
            for number, content in enumerate(text.split("\n")):
                if line in content:
                    return path, number, content.index(name, content.index(line))
        raise AssertionError(f"no line has {line!r}")


def occurrences(texts: dict[str, str], name: str) -> list[Place]:
    """The places of a word in texts."""
    return [
        (path, number, match.start())
        for path, text in sorted(texts.items())
        for number, line in enumerate(text.split("\n"))
        for match in re.finditer(rf"\b{name}\b", line)
    ]


def is_sound(language: str, text: str) -> bool:
    """Whether a text has no error of syntax."""
    return not get_parser(language).parse(text.encode()).root_node.has_error  # type: ignore[arg-type]


def written(text: str, anchor: str, line: str) -> tuple[str, tuple[int, int]]:
    """The text with another line behind the one that has `anchor`, indented alike, and the position of its end."""
    lines = text.split("\n")
    number = next(number for number, content in enumerate(lines) if anchor in content)
    indent = lines[number][: len(lines[number]) - len(lines[number].lstrip())]
    lines.insert(number + 1, indent + line)
    return "\n".join(lines), (number + 1, len(indent + line))


PYTHON: Final = Library(
    "python",
    "python",
    {
        "library/__init__.py": "",
        "library/items.py": '''class Item:
    def summary(self) -> str:
        return "an item"


class Book(Item):
    def __init__(self, title: str) -> None:
        self.title = title

    def summary(self) -> str:
        return self.title


def lend_out(item: Item, days: int) -> str:
    """Lends an item for some days."""
    return f"{item.summary()} for {days} days"
''',
        "library/desk.py": """from library.items import Book, lend_out


def serve(title: str) -> str:
    book = Book(title)
    first = lend_out(book, 14)
    return first + book.summary() + lend_out(book, 7)
""",
        "library/hall.py": """from library.desk import serve
from library.items import Book, lend_out


def opened() -> str:
    serve("atlas")
    return lend_out(Book("map"), 1)
""",
    },
    "lend_out", "def lend_out(", "hand_over", "library/desk.py", "serve", "book = Book(",
)  # fmt: skip
TYPESCRIPT: Final = Library(
    "typescript",
    "web",
    {
        "items.ts": """export interface Item {
  summary(): string;
}

export class Book implements Item {
  constructor(private title: string) {}
  summary(): string {
    return this.title;
  }
}

/** Lends an item for some days. */
export function lendOut(item: Item, days: number): string {
  return `${item.summary()} for ${days} days`;
}
""",
        "desk.ts": """import { Book, lendOut } from "./items";

export function serve(title: string): string {
  const book = new Book(title);
  const first = lendOut(book, 14);
  return first + book.summary() + lendOut(book, 7);
}
""",
        "hall.ts": """import { serve } from "./desk";
import { Book, lendOut } from "./items";

export function opened(): string {
  serve("atlas");
  return lendOut(new Book("map"), 1);
}
""",
    },
    "lendOut", "function lendOut(", "handOver", "desk.ts", "serve", "book = new Book(",
)  # fmt: skip
GO: Final = Library(
    "go",
    "go",
    {
        "go.mod": "module example.com/library\n\ngo 1.19\n",
        "items/items.go": """package items

import "fmt"

type Item interface {
	Summary() string
}

type Book struct{ Title string }

func (b Book) Summary() string { return b.Title }

// Lends an item for some days.
func LendOut(item Item, days int) string {
	return fmt.Sprintf("%s for %d days", item.Summary(), days)
}
""",
        "desk/desk.go": """package desk

import "example.com/library/items"

func Serve(title string) string {
	book := items.Book{Title: title}
	first := items.LendOut(book, 14)
	return first + book.Summary() + items.LendOut(book, 7)
}
""",
        "hall/hall.go": """package hall

import (
	"example.com/library/desk"
	"example.com/library/items"
)

func opened() string {
	desk.Serve("atlas")
	return items.LendOut(items.Book{Title: "map"}, 1)
}
""",
    },
    "LendOut", "func LendOut(", "HandOver", "desk/desk.go", "Serve", "book := ",
)  # fmt: skip
RUST: Final = Library(
    "rust",
    "rust",
    {
        "Cargo.toml": '[package]\nname = "library"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": "pub mod desk;\npub mod hall;\npub mod items;\n",
        "src/items.rs": """pub trait Item {
    fn summary(&self) -> String;
}

pub struct Book {
    pub title: String,
}

impl Item for Book {
    fn summary(&self) -> String {
        self.title.clone()
    }
}

/// Lends an item for some days.
pub fn lend_out(item: &dyn Item, days: u32) -> String {
    format!("{} for {} days", item.summary(), days)
}
""",
        "src/desk.rs": """use crate::items::{lend_out, Book, Item};

pub fn serve(title: &str) -> String {
    let book = Book { title: title.to_string() };
    let first = lend_out(&book, 14);
    first + &book.summary() + &lend_out(&book, 7)
}
""",
        "src/hall.rs": """use crate::desk::serve;
use crate::items::{lend_out, Book};

pub fn opened() -> String {
    serve("atlas");
    lend_out(&Book { title: "map".to_string() }, 1)
}
""",
    },
    "lend_out", "fn lend_out(", "hand_over", "src/desk.rs", "serve", "let book = ",
)  # fmt: skip
JAVA: Final = Library(
    "java",
    "java",
    {
        "src/main/java/library/Item.java": "package library;\n\npublic interface Item {\n    String summary();\n}\n",
        "src/main/java/library/Book.java": """package library;

public class Book implements Item {
    private final String title;

    public Book(String title) {
        this.title = title;
    }

    @Override
    public String summary() {
        return title;
    }
}
""",
        "src/main/java/library/Lending.java": """package library;

public class Lending {
    /** Lends an item for some days. */
    public static String lendOut(Item item, int days) {
        return item.summary() + " for " + days + " days";
    }
}
""",
        "src/main/java/library/Desk.java": """package library;

public class Desk {
    public String serve(String title) {
        Book book = new Book(title);
        String first = Lending.lendOut(book, 14);
        return first + book.summary() + Lending.lendOut(book, 7);
    }
}
""",
        "src/main/java/library/Hall.java": """package library;

public class Hall {
    public String opened() {
        new Desk().serve("atlas");
        return Lending.lendOut(new Book("map"), 1);
    }
}
""",
    },
    "lendOut", "String lendOut(", "handOver", "src/main/java/library/Desk.java", "serve", "Book book = ",
)  # fmt: skip
LIBRARIES: Final = {library.language: library for library in (PYTHON, TYPESCRIPT, GO, RUST, JAVA)}
FILES: Final = {path: text for library in LIBRARIES.values() for path, text in library.paths.items()}
