"""What the official client library of the protocol gets, in five languages, on a real shim and daemon."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.five_languages import FILES, LIBRARIES, Library, is_sound, occurrences, written
from tests.harness.protocol_client import ProtocolClient, protocol_client
from tests.harness.waiting import eventually
from tests.harness.world import World

pytestmark = pytest.mark.limit(180)  # where the library has to be fetched
REFERENCES = {"context": {"includeDeclaration": True}}


@pytest.fixture(scope="module")
def libraries() -> Iterator[tuple[World, Path]]:
    with World() as world:
        repo = world.repository("five", FILES)
        world.index(repo)
        yield world, repo


@pytest.fixture(scope="module")
def client(libraries: tuple[World, Path]) -> Iterator[ProtocolClient]:
    with protocol_client(*libraries) as client:
        yield client


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> Library:
    return LIBRARIES[request.param]


def names(symbols: list[dict]) -> set[str]:
    """The names of symbols, and of all below them."""
    return {symbol["name"] for symbol in symbols} | {
        name for symbol in symbols for name in names(symbol.get("children", []))
    }


def test_every_use_leads_to_the_definition(client: ProtocolClient, library: Library) -> None:
    for path, line, column in library.uses:
        found = client.places(client.at("definition", path, (line, column + 1)))
        assert found == {library.definition}, (path, line, column)


def test_references_are_every_use_in_every_file(client: ProtocolClient, library: Library) -> None:
    path, *place = library.definition
    found = client.at("references", path, tuple(place), **REFERENCES)
    assert client.places(found) == {library.definition, *library.uses}


def test_hovers_have_the_signature_and_the_documentation(client: ProtocolClient, library: Library) -> None:
    path, *place = library.uses[-1]
    value = client.at("hover", path, tuple(place))["contents"]["value"]
    assert library.defined in value
    assert "Lends an item for some days." in value


def test_a_renamed_function_has_its_new_name_everywhere(client: ProtocolClient, library: Library) -> None:
    path, *place = library.uses[0]
    prepared = client.at("prepareRename", path, tuple(place))
    assert prepared["placeholder"] == library.lend
    texts = library.paths | client.applied(client.at("rename", path, tuple(place), newName=library.new_name))
    assert not occurrences(texts, library.lend)
    assert len(occurrences(texts, library.new_name)) == 1 + len(library.uses)
    for name, text in texts.items():
        if not name.endswith((".toml", ".mod")):
            assert is_sound(library.language, text), text


def test_calls_go_up_and_down(client: ProtocolClient, library: Library) -> None:
    path, *place = library.definition
    (item,) = client.at("prepareCallHierarchy", path, tuple(place))
    calls = {
        call["from"]["name"]: len(call["fromRanges"])
        for call in client.request("callHierarchy/incomingCalls", item=item)
    }
    assert calls == {library.serve: 2, "opened": 1}
    (item,) = client.at("prepareCallHierarchy", *_split(library.place(f" {library.serve}(", library.serve)))
    called = {call["to"]["name"] for call in client.request("callHierarchy/outgoingCalls", item=item)}
    assert called >= {library.lend}
    assert {name.lower() for name in called} >= {"summary"}


def test_types_go_up_and_down(client: ProtocolClient, library: Library) -> None:
    line = next(line for line in ("class Book", "struct Book", "type Book") if _has(library, line))
    (book,) = client.at("prepareTypeHierarchy", *_split(library.place(line, "Book")))
    (item,) = client.request("typeHierarchy/supertypes", item=book)
    assert item["name"] == "Item"
    assert [below["name"] for below in client.request("typeHierarchy/subtypes", item=item)] == ["Book"]


def test_the_outline_has_what_a_file_defines(client: ProtocolClient, library: Library) -> None:
    outline = client.whole("documentSymbol", library.desk_path)
    assert library.serve in names(outline)
    found = {symbol["name"]: client.path(symbol["location"]["uri"]) for symbol in search(client, library.lend)}
    assert library.lend in found


def test_what_is_being_written_is_completed(client: ProtocolClient, library: Library) -> None:
    text, place = written(library.paths[library.desk_path], library.anchor, "book.")
    client.open(library.desk_path, text, library.language)
    members = {item["label"].lower() for item in client.at("completion", library.desk_path, place)["items"]}
    client.close(library.desk_path)
    assert "summary" in members
    assert library.serve.lower() not in members
    text, place = written(library.paths[library.desk_path], library.anchor, library.serve[:3])
    client.open(library.desk_path, text, library.language)
    in_scope = {item["label"] for item in client.at("completion", library.desk_path, place)["items"]}
    client.close(library.desk_path)
    assert library.serve in in_scope
    assert "book" in in_scope


def test_the_parameters_of_a_call_are_shown_as_it_is_written(client: ProtocolClient, library: Library) -> None:
    call = next(line.strip() for line in library.paths[library.desk_path].split("\n") if f"{library.lend}(" in line)
    name = call[: call.index("(")].split("=")[-1].strip()
    text, place = written(library.paths[library.desk_path], library.anchor, f"{name}(book, ")
    client.open(library.desk_path, text, library.language)
    help_ = client.at("signatureHelp", library.desk_path, place)
    client.close(library.desk_path)
    (signature,) = help_["signatures"]
    parameters = [signature["label"][slice(*part["label"])] for part in signature["parameters"]]
    assert "days" in parameters[help_["activeParameter"]]


def test_a_first_index_is_shown_in_the_making(world: World) -> None:
    line = "def lend_{0}(book):\n    return lend_{1}(book)\n\n\n"
    files = {
        f"library/part_{part}.py": "".join(line.format(f"{part}_{n}", f"{part}_{n - 1}") for n in range(60))
        for part in range(400)
    }
    with protocol_client(world, world.repository("cold", files)) as client:
        reports = eventually(
            lambda: (told := client.told) and told[-1].get("progress", {}).get("kind") == "end" and told
        )
    values = [report["progress"] for report in reports]
    assert values[0] == {"kind": "begin", "title": "Indexing", "percentage": 0}
    shown = [value["percentage"] for value in values[1:-1]]
    assert shown
    assert shown == sorted(shown)


def search(client: ProtocolClient, query: str) -> list[dict]:
    """What workspace/symbol finds."""
    found: list[dict] = client.request("workspace/symbol", query=query)
    return found


def _has(library: Library, line: str) -> bool:
    return any(line in text for text in library.files.values())


def _split(place: tuple[str, int, int]) -> tuple[str, tuple[int, int]]:
    return place[0], place[1:]
