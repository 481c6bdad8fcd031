"""What is taken out of C and C++ before it is parsed, and which names are kept of it."""

from __future__ import annotations

import pytest

from codeagentd.extract.preprocess.macros import hidden_names, masked, without_macros

REMOVED = [
    ("API int lend(int n);", "API"),
    ("API const struct shelf *top(void);", "API"),
    ("static INLINE shelf_t *top(void);", "INLINE"),
    ("FAST PURE static int lend(int n) {", "FAST PURE"),
    ("class EXPORT Shelf final : public Base {", "EXPORT"),
    ("class LOCKABLE(mutex) Shelf {", "LOCKABLE mutex"),
    ("  Mutex* const lock_ GUARDED_BY(other_) = nullptr;", "GUARDED_BY other_"),
    ("Book* NONNULL Shelf::Find(int id);", "NONNULL"),
    ("using Old DEPRECATED() = New;", "DEPRECATED"),
]
UNCHANGED = [
    "typedef struct Zio ZIO;",
    "static Shelf TOP = {0};",
    "const int LIMIT = 3;",
    "x = a * LIMIT + b;",
    "return LEND(a) * b;",
    "enum class Colour : char { kRed };",
    "struct shelf top = {0};",
    "for (Shelf shelf : SHELVES) {}",
    "unsigned int N;",
    "else LEND(x);",
    "Shelf const top(3);",
    "/* API int lend */ \"API int lend\"",
    "#define API int lend",
]  # fmt: skip


@pytest.mark.parametrize(("line", "names"), REMOVED)
def test_macros_around_declarations_are_taken_out_and_their_names_kept(line: str, names: str) -> None:
    source = line.encode()
    parsed = without_macros(source)
    assert [source[start:end].decode() for start, end in hidden_names(source, parsed)] == names.split()
    assert len(parsed) == len(source)


@pytest.mark.parametrize("line", UNCHANGED)
def test_what_is_no_macro_stays(line: str) -> None:
    assert without_macros(line.encode()) == line.encode()


def test_comments_literals_and_directives_are_blanks_of_the_same_length() -> None:
    source = b'int a; // "x"\n#define B \\\n  2\nchar *s = "\\"/*"; char c = \'"\'; int n = 1\'000;\n'
    assert masked(source) == b"int a;       \n           \n   \nchar *s =       ; char c =    ; int n = 1'000;\n"
