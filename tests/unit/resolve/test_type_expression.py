"""Types as they are written, in the notations of several languages."""

from __future__ import annotations

import pytest

from codeagentd.resolve.syntax.type_expression import TypeText, element, union_members

SEE_THROUGH = ("Optional", "Union", "Annotated", "Promise")


def said(text: str) -> list[str]:
    def show(one: TypeText) -> str:
        return one.name + (f"<{', '.join(map(show, one.arguments))}>" if one.arguments else "")

    return [show(one) for one in union_members(text, SEE_THROUGH)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Shelf", ["Shelf"]),
        ("library.Shelf", ["library.Shelf"]),
        ('"Shelf"', ["Shelf"]),
        ("Optional[Shelf]", ["Shelf"]),
        ("typing.Optional['Shelf']", ["Shelf"]),
        ('typing.Optional["Shelf"]', ["Shelf"]),
        ("Shelf | None", ["Shelf"]),
        ("Union[Shelf, Book, None]", ["Shelf", "Book"]),
        ("dict[str, Shelf]", ["dict<str, Shelf>"]),
        ("list[Shelf | None]", ["list<Shelf>"]),
        ("Annotated[Shelf, Depends(get)]", ["Shelf"]),
        (": Promise<Shelf<Book>>", ["Shelf<Book>"]),
        ("Shelf[]", ["[]<Shelf>"]),
        ("readonly Shelf[]", ["[]<Shelf>"]),
        ("(reader: Reader) => Shelf", []),
        ("(Shelf | undefined)", ["Shelf"]),
        ("Shelf | undefined | null", ["Shelf"]),
        ("A & B", ["A", "B"]),
        ("*library.Shelf", ["library.Shelf"]),
        ("[]*Shelf", ["[]<Shelf>"]),
        ("[3]Shelf", ["[]<Shelf>"]),
        ("map[string]*Shelf", ["map<Shelf>"]),
        ("func(Reader) error", []),
        ("chan Shelf", ["[]<Shelf>"]),
        ("const std::vector<Shelf> &", ["std.vector<Shelf>"]),
        ("struct shelf *", ["shelf"]),
        ("&'a mut Shelf", ["Shelf"]),
        ("&[Shelf]", ["[]<Shelf>"]),
        ("Box<dyn Reader>", ["Box<Reader>"]),
        ("[Shelf]", ["[]<Shelf>"]),
        ("[String: Shelf]", ["[:]<String, Shelf>"]),
        ("Shelf?", ["Shelf"]),
        ("list[Shelf | Box]", ["list<|<Shelf, Box>>"]),
        ("(Shelf | Box)[]", ["[]<|<Shelf, Box>>"]),
        ("Array<Shelf & Box>", ["Array<Shelf>"]),
        ("(() => Shelf)[]", ["[]<>"]),
        ("Shelf!", ["Shelf"]),
        ("List<? extends Shelf>", ["List<Shelf>"]),
        ("?\\Library\\Shelf", [".Library.Shelf"]),
        ("global::Library.Shelf", ["global.Library.Shelf"]),
        ("None", []),
        ("void", []),
        ("", []),
        ("[[[[[[[[[[[[[[[[[[[[", []),
        ("<>,", []),
    ],
)
def test_a_written_type_is_read(text: str, expected: list[str]) -> None:
    assert said(text) == expected


def test_iterating_yields_the_first_argument() -> None:
    (shelves,) = union_members("list[Shelf]")
    assert element(shelves) == TypeText("Shelf")
    assert element(TypeText("Shelf")) is None
