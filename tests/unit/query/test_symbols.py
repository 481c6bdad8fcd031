"""Naming symbols: ids, qualified, bare and dotted names; details and exact lookup."""

from __future__ import annotations

import pytest

from codeagent_protocol.errors import InvalidParameter, NotFound
from codeagentd.model.kinds import SymbolFlag, SymbolKind
from codeagentd.query.symbols.lookup import Filters, details, filters, lookup
from codeagentd.query.symbols.name_resolution import resolve, single
from codeagentd.store.connection import Database
from tests.unit.query.sample_index import SampleIndex


@pytest.fixture
def shop(index: SampleIndex) -> dict[str, int]:
    """Two classes with a method of the same name, in one file."""
    file = index.file("shop/pricing.py")
    module = index.symbol(file, "shop.pricing", SymbolKind.MODULE, lines=(1, 40))
    discount = index.symbol(file, "shop.pricing.Discount", SymbolKind.CLASS, module, (3, 9))
    return {
        "file": file,
        "module": module,
        "discount": discount,
        "apply": index.symbol(file, "shop.pricing.Discount.apply", SymbolKind.METHOD, discount, (5, 9)),
        "holiday_apply": index.symbol(file, "shop.pricing.Holiday.apply", SymbolKind.METHOD, module, (12, 20)),
    }


def test_a_node_id_names_its_symbol(index: SampleIndex, db: Database, shop: dict[str, int]) -> None:
    found = resolve(db, index.node_id(shop["discount"]))
    assert (found.id, found.qualified_name, found.path, found.language) == (
        shop["discount"],
        "shop.pricing.Discount",
        "shop/pricing.py",
        "python",
    )


@pytest.mark.parametrize(
    "name",
    ["shop.pricing.Discount.apply", "Discount.apply", "pricing.Discount.apply", "Discount::apply", "Discount#apply"],
)
def test_a_name_that_only_one_symbol_has_stands_for_its_id(db: Database, shop: dict[str, int], name: str) -> None:
    assert resolve(db, name).id == shop["apply"]


@pytest.mark.parametrize("name", ["shop::Till::lend", "Till::lend", "Till.lend", "shop.Till.lend"])
def test_a_name_with_colons_resolves_however_it_is_joined(index: SampleIndex, db: Database, name: str) -> None:
    file = index.file("shop.rs", "rust")
    till = index.symbol(file, "shop::Till", SymbolKind.STRUCT)
    lend = index.symbol(file, "shop::Till::lend", SymbolKind.METHOD, till)
    assert resolve(db, name).id == lend


def test_a_bare_name_resolves_when_it_is_unique(db: Database, shop: dict[str, int]) -> None:
    assert resolve(db, "Discount").id == shop["discount"]


def test_code_is_meant_before_the_documents_that_speak_of_it(index: SampleIndex, db: Database) -> None:
    code = index.symbol(index.file("a.py"), "a.version")
    index.symbol(index.file("package.json", "json"), "package.json.version", SymbolKind.KEY)
    index.symbol(index.file("README.md", "markdown"), "README.md#version", SymbolKind.FUNCTION)
    assert resolve(db, "version").id == code
    key = index.symbol(index.file("b.toml", "toml"), "b.toml.only", SymbolKind.KEY)
    assert resolve(db, "only").id == key


def test_an_exact_qualified_name_wins_over_a_longer_one_that_ends_alike(
    index: SampleIndex, db: Database, shop: dict[str, int]
) -> None:
    index.symbol(shop["file"], "other.shop.pricing.Discount", SymbolKind.CLASS, shop["module"], (30, 31))
    assert resolve(db, "shop.pricing.Discount").id == shop["discount"]


def test_a_dotted_name_ends_at_a_part_and_never_inside_one(
    index: SampleIndex, db: Database, shop: dict[str, int]
) -> None:
    index.symbol(shop["file"], "shop.NoDiscount.apply", SymbolKind.METHOD, shop["module"], (30, 31))
    assert resolve(db, "Discount.apply").id == shop["apply"]


def test_an_ambiguous_name_lists_its_candidates(index: SampleIndex, db: Database, shop: dict[str, int]) -> None:
    with pytest.raises(InvalidParameter) as caught:
        resolve(db, "apply")
    facts = caught.value.as_dict()
    assert facts["code"] == "invalid_parameter"
    assert facts["total_candidates"] == 2
    assert facts["candidates"][0] == {
        "node_id": index.node_id(shop["apply"]), "qualified_name": "shop.pricing.Discount.apply", "node_type": "method",
        "file_path": "shop/pricing.py", "line_start": 5,
    }  # fmt: skip


def test_of_many_candidates_ten_are_listed_and_all_are_counted(index: SampleIndex, db: Database) -> None:
    file = index.file("many.py")
    for line in range(1, 31):
        index.symbol(file, f"many.C{line}.run", SymbolKind.METHOD, lines=(line, line))
    with pytest.raises(InvalidParameter) as caught:
        resolve(db, "run")
    assert len(caught.value.facts["candidates"]) == 10
    assert caught.value.facts["total_candidates"] == 30


def test_overloads_are_one_and_told_apart_by_their_parameters(index: SampleIndex, db: Database) -> None:
    file = index.file("Texts.java", "java")
    for line, signature in ((3, "(String text)"), (9, "(CharSequence text)")):
        index.symbol(file, "Texts.trim", SymbolKind.METHOD, lines=(line, line), signature=signature)
    found = single(db, "Texts.trim")
    assert len(found.subjects) == 2
    assert found.note.startswith(
        "2 definitions of 'Texts.trim' are answered together: Texts.trim(String text) (method, Texts.java:3"
    )
    assert "also defined: Texts.trim(CharSequence text)" in found.note_of_best


def test_a_name_that_only_ends_like_others_is_not_found_but_these_are_told(
    index: SampleIndex, db: Database, shop: dict[str, int]
) -> None:
    with pytest.raises(NotFound) as caught:
        resolve(db, "app.shop.pricing.Discount.apply")
    facts = caught.value.as_dict()
    assert index.node_id(shop["apply"]) in [one["node_id"] for one in facts["candidates"]]
    assert "candidates" in facts["remedy"]


@pytest.mark.parametrize("name", ["no-such-node", "", ".", "Discount.", "A" * 22, "%", "Discount.unapply"])
def test_what_nothing_is_called_is_not_found(db: Database, shop: dict[str, int], name: str) -> None:
    with pytest.raises(NotFound) as caught:
        resolve(db, name)
    assert caught.value.remedy
    assert shop


def test_details_have_every_field(index: SampleIndex, db: Database, shop: dict[str, int]) -> None:
    flags = SymbolFlag.PUBLIC_API | SymbolFlag.ASYNC | SymbolFlag.DOC_COMMENT
    symbol = index.symbol(
        shop["file"],
        "shop.pricing.total",
        SymbolKind.FUNCTION,
        shop["module"],
        (22, 30),
        flags=flags,
        signature="(amounts: list)",
        parameters=1,
        returns="float",
    )
    index.reference(shop["apply"], symbol)
    index.reference(shop["holiday_apply"], symbol)
    found = details(db, resolve(db, "total"))
    assert (found.project_id, found.language, found.node_type, found.parse_status) == (
        "python:.",
        "python",
        "function",
        "full",
    )
    assert (found.is_public_api, found.is_async, found.has_doc_comment) == (True, True, True)
    assert (found.is_static, found.is_abstract, found.is_override, found.is_deprecated) == (False, False, False, False)
    assert (found.parameter_signature, found.parameter_count, found.return_type, found.reference_count) == (
        "(amounts: list)",
        1,
        "float",
        2,
    )


def test_lookup_gives_every_symbol_of_exactly_that_name(index: SampleIndex, db: Database) -> None:
    first, second = index.file("a.cs", "csharp", "csharp:A"), index.file("b.cs", "csharp", "csharp:B")
    for file, line in ((second, 4), (first, 9), (first, 2)):
        index.symbol(file, "N.C.M", SymbolKind.METHOD, lines=(line, line))
    index.symbol(first, "N.C.M.Inner", SymbolKind.CLASS)
    found = lookup(db, "N.C.M", Filters(), None, 10).items
    assert [(hit.file_path, hit.line_start) for hit in found] == [("a.cs", 2), ("a.cs", 9), ("b.cs", 4)]
    only_b = lookup(db, "N.C.M", filters(db, None, "csharp", "csharp:B"), None, 10).items
    assert [hit.file_path for hit in only_b] == ["b.cs"]
    assert lookup(db, "N.C.M", filters(db, None, "python", None), None, 10).items == []


def test_an_unknown_project_is_an_error_that_names_the_known_ones(index: SampleIndex, db: Database) -> None:
    index.file("a.py", project="python:app")
    with pytest.raises(NotFound) as caught:
        filters(db, None, None, "python:none")
    assert caught.value.facts["projects"] == ["python:app"]
