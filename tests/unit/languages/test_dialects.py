"""In which language is a header called .h?"""

from __future__ import annotations

import pytest

from codeagentd.languages.dialects import language_of_source, may_be_other, presumed, sources_among

CPP = [
    "namespace lib {\n}", "template <typename T> T max(T a);", "class Shelf {\n};", "class Shelf;", " public:\n", "using std::string;", "virtual ~Shelf();",
    "#include <vector>",
]  # fmt: skip
C = [
    "int lend(int n);", "struct class_of { int class; };", "/* class Shelf { */", "// namespace lib {", "int delete(int this);",
    "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint lend(void);\n#ifdef __cplusplus\n}\nclass Shelf {};\n#endif\n", "#include <stdio.h>",
    'puts("class Shelf {");',
]  # fmt: skip


@pytest.mark.parametrize("text", CPP)
def test_what_only_cpp_says_makes_a_header_cpp(text: str) -> None:
    assert language_of_source(text.encode(), "c") == "cpp"


@pytest.mark.parametrize("text", C)
def test_everything_else_stays_c(text: str) -> None:
    assert language_of_source(text.encode(), "c") == "c"


def test_other_languages_are_what_their_name_says() -> None:
    assert language_of_source(b"class Shelf:", "python") == "python"


def test_what_is_included_is_php_where_it_opens_php_and_cpp_where_it_has_directives() -> None:
    assert language_of_source(b"<?php\n#define('A', 1);\n", "php") == "php"
    assert language_of_source(b"#include <shelf.h>\nint lend();\n", "php") == "cpp"
    for text in (
        b"mov ax, bx\n",
        b"# if the shelf is full\nlend() {\n}\n",
        b"<script>\nclass Shelf {\n}\n</script>\n",
        b"",
    ):
        assert language_of_source(text, "php") == "php"
    assert presumed("php", "ops.inc", sources_among(["a.inc", "src/a.cc"])) == "cpp"
    assert presumed("php", "ops.inc", sources_among(["a.inc", "src/a.c"])) == "cpp"
    assert presumed("php", "ops.inc", sources_among(["a.inc", "src/a.c", "index.php"])) == "php"
    assert presumed("php", "index.php", sources_among(["src/a.c"])) == "php"
    assert may_be_other("lib/ops.inc")


def test_headers_are_presumed_to_be_cpp_where_there_is_no_c() -> None:
    assert presumed("c", "a.h", sources_among(["a.h", "src/a.cc"])) == "cpp"
    assert presumed("c", "a.h", sources_among(["a.h", "src/a.cc", "b.c"])) == "c"
    assert presumed("c", "a.c", sources_among(["a.cc"])) == "c"
    assert presumed("c", "a.h", sources_among(["a.h"])) == "c"
    assert may_be_other("lib/a.h")
    assert not may_be_other("a.hpp")
