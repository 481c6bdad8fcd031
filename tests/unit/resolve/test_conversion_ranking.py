"""How the types of parameters and arguments are read, as they are written in several languages."""

from __future__ import annotations

import pytest

from codeagentd.resolve.overloads.conversion_ranking import _parameters, name_of


@pytest.mark.parametrize(("text", "name"), [
    ("String", "String"), ("java.util.List<Book>", "List"), ("byte[][]", "byte[][]"), ("const std::string&", "string"), ("Book?", "Book"),
    ("const char*", "char*"), ("Book*", "Book"), ("(Book) -> Unit", "function"),
    ("Func<int, bool>", "Func"), ("Map<Book, (Int) -> Int>", "Map"), ("Shelf | Book", ""), ("", ""),
])  # fmt: skip
def test_a_written_type_goes_by_the_last_part_of_its_name(text: str, name: str) -> None:
    assert name_of(text) == name


@pytest.mark.parametrize(("signature", "is_leading", "types"), [
    ("(final int days, @Nullable String name)", True, ["int", "String"]), ("(byte[] data, int at[])", True, ["byte[]", "int[]"]),
    ("(Map<String, Book> books, T one)", True, ["Map<String, Book>", "T"]), ("(const Slice& a, size_t)", True, ["const Slice&", "size_t"]),
    ("(this Shelf shelf, ref int n, string s = \"a, b\")", True, ["Shelf", "int", "string"]), ("(book: Book, at: Int = 0)", False, ["Book", "Int"]),
    ("(done: (Book) -> Unit)", False, ["(Book) -> Unit"]), ("()", True, []), ("(int …", True, []),
])  # fmt: skip
def test_parameters_say_their_types(signature: str, is_leading: bool, types: list[str]) -> None:
    assert [one.text for one in _parameters(signature, is_leading)] == types


@pytest.mark.parametrize(("signature", "is_leading", "element"), [
    ("(String... names)", True, "String"), ("(params int[] values)", True, "int"), ("(vararg names: String)", False, "String"),
    ("(names: String*)", False, "String"),
])  # fmt: skip
def test_of_a_parameter_for_any_number_of_arguments_the_type_of_each_is_read(
    signature: str, is_leading: bool, element: str
) -> None:
    (parameter,) = _parameters(signature, is_leading)
    assert parameter.takes_several
    assert parameter.text == element
