"""What is found out about a whole graph, on graphs made by hand."""

from __future__ import annotations

from array import array

import pytest

from codeagentd.analysis.community_names import names_of
from codeagentd.analysis.cycles import cycles
from codeagentd.analysis.full_analysis import analysed
from codeagentd.analysis.graph import File, Graph, Node, Reference, joined
from codeagentd.analysis.node_metrics import nearest, rows_of, sums_of, weights_of
from codeagentd.analysis.surprises import doubts
from codeagentd.model.analysis import NODE_COLUMNS, Doubt, NodeRow, NodeSort
from codeagentd.model.kinds import ReferenceKind, SymbolKind

CALL, IMPORT = int(ReferenceKind.CALL), int(ReferenceKind.IMPORT)
EACH = 3


def file(path: str, *, language: str = "python", family: int = 0) -> File:
    return File(path, language, family, language != "markdown", path.startswith("tests/"))


def module(number: int, place: int) -> Node:
    return Node(number, SymbolKind.MODULE, f"m{number}", 0, place, 0, is_file=True, lends=False)


def function(number: int, place: int, *, parent: int = 0, key: int = 0, lends: bool = False) -> Node:
    return Node(number, SymbolKind.FUNCTION, f"f{number}()", key, place, parent, is_file=False, lends=lends)


def call(source: int, target: int, *, kind: int = CALL, confidence: int = 0) -> Reference:
    return Reference(source, target, 0, kind, confidence)


def graph(nodes: list[Node], references: list[Reference], paths: dict[int, File]) -> Graph:
    return joined(nodes, paths, references, EACH)


ONE = {1: file("a.py")}


def test_an_edge_counts_once_for_each_relation_as_the_surest_of_its_places() -> None:
    found = graph(
        [function(1, 1), function(2, 1)], [call(1, 2, confidence=1), call(1, 2), call(1, 2, kind=IMPORT)], ONE
    )
    assert found.counted() == (2, 0, 0)
    assert (list(found.degree), list(found.fan_in), list(found.fan_out)) == ([1, 1], [0, 1], [1, 0])


def test_containment_makes_neighbours_but_nobody_depends_by_it() -> None:
    found = graph([module(1, 1), function(2, 1, parent=1)], [], ONE)
    assert (found.counted(), list(found.degree), list(found.fan_in)) == ((1, 0, 0), [1, 1], [0, 0])


@pytest.mark.parametrize(("lenders", "counted"), [(0, (0, 0, 0)), (1, (0, 1, 0)), (3, (0, 0, 3)), (4, (0, 0, 0))])
def test_an_open_reference_is_an_edge_to_few_members_of_its_name(lenders: int, counted: tuple[int, int, int]) -> None:
    nodes = [function(1, 1), *(function(2 + at, 1, key=9, lends=True) for at in range(lenders))]
    found = graph(nodes, [Reference(1, 0, 9, CALL, 1)], ONE)
    assert found.counted() == counted
    assert found.degree[0] == (1 if lenders == 1 else 0)


def test_an_open_reference_to_a_name_that_values_of_the_language_have_is_ambiguous_also_to_the_only_member() -> None:
    found = graph([function(1, 1), function(2, 1, key=9, lends=True)], [Reference(1, 0, 9, CALL, 2)], ONE)
    assert (found.counted(), list(found.degree)) == ((0, 0, 1), [0, 0])


def test_the_nodes_that_most_ambiguous_edges_lead_to_are_told_the_most_doubtful_first() -> None:
    nodes = [
        function(1, 1),
        function(2, 1),
        function(3, 2),
        *(function(at, 1, key=9, lends=True) for at in (4, 5)),
        *(function(at, 1, key=8, lends=True) for at in (6, 7)),
    ]
    unsure = [
        Reference(1, 0, 8, CALL, 2),
        Reference(1, 0, 9, CALL, 2),
        Reference(2, 0, 9, CALL, 2),
        Reference(3, 0, 8, CALL, 2),
        Reference(3, 0, 8, IMPORT, 2),
    ]
    found = doubts(graph(nodes, unsure, ONE | {2: file("tests/b.py")}))
    assert found == [Doubt(4, 2, 1, "calls"), Doubt(5, 2, 1, "calls"), Doubt(6, 1, 1, "calls"), Doubt(7, 1, 1, "calls")]


def test_an_open_reference_stays_in_its_family_of_languages() -> None:
    files = {1: file("a.py"), 2: file("b.go", language="go", family=1)}
    assert graph(
        [function(1, 1), function(2, 2, key=9, lends=True)], [Reference(1, 0, 9, CALL, 2)], files
    ).counted() == (0, 0, 0)


def test_files_that_import_each_other_are_told_from_the_first_path_on_the_shortest_first() -> None:
    files = {at: file(f"{name}.py") for at, name in enumerate("abcdefg", start=1)}
    nodes = [module(at, at) for at in files]
    ring = [call(at, at % 3 + 1, kind=IMPORT) for at in (1, 2, 3)]
    pair = [call(4, 5, kind=IMPORT), call(5, 4, kind=IMPORT), call(6, 7), call(7, 6)]
    assert cycles(graph(nodes, ring + pair, files)) == [["d.py", "e.py"], ["a.py", "b.py", "c.py"]]


def test_a_tangle_of_imports_ends() -> None:
    size = 60
    files = {at: file(f"{at:02}.py") for at in range(1, size + 1)}
    everything = [call(one, other, kind=IMPORT) for one in files for other in files if one != other]
    assert len(cycles(graph([module(at, at) for at in files], everything, files))) == 20


def clusters() -> Graph:
    """Two folders whose functions call each other, and one call between them."""
    files = {1: file("shop/a.py"), 2: file("bank/b.py"), 3: file("tests/test_a.py")}
    nodes = [function(number, 1 if number < 5 else 2) for number in range(1, 9)] + [function(9, 3)]
    inside = [
        call(one, other) for group in (range(1, 5), range(5, 9)) for one in group for other in group if one < other
    ]
    return graph(nodes, [*inside, call(1, 8, confidence=1), call(9, 1), call(9, 5)], files)


def test_surprises_cross_folders_and_communities_and_leave_tests_out() -> None:
    findings = analysed(clusters(), 7, {}).findings
    assert [(one.source, one.target, one.relation) for one in findings.surprises] == [(1, 8, "calls")]
    assert findings.surprises[0].reason == "from the folder shop to the folder bank; between two communities"


def test_what_rests_on_a_bare_name_is_no_surprise() -> None:
    files = {1: file("shop/a.py"), 2: file("bank/b.py")}
    nodes = [function(1, 1), function(2, 2, key=9, lends=True), function(3, 2)]
    guess, certain = Reference(1, 0, 9, CALL, 1), call(1, 3, confidence=1)
    found = analysed(graph(nodes, [guess, certain], files), 7, {}).findings.surprises
    assert [(one.source, one.target, one.confidence) for one in found] == [(1, 3, 1)]
    known_as_well = analysed(graph(nodes, [guess, call(1, 2)], files), 7, {}).findings.surprises
    assert [(one.source, one.target, one.confidence) for one in known_as_well] == [(1, 2, 0)]


def test_a_community_is_named_by_its_folder_or_by_its_strongest_symbols_where_several_have_one() -> None:
    files = {1: file("shop/a.py"), 2: file("shop/b.py"), 3: file("bank/c.py"), 4: file("bank/d.py")}
    nodes = [function(number, place) for number, place in enumerate([1, 2, 1, 2, 3, 4, 1], start=1)]
    found = graph(nodes, [call(1, 2), call(1, 3), call(2, 3), call(1, 4), call(5, 6)], files)
    assert names_of(found, [0, 0, 0, 1, 2, 2, 3]) == {0: "shop", 1: "shop/b.py", 2: "bank", 3: "shop/a.py"}
    assert names_of(found, [0, 0, 1, 1, 2, 2, 1]) == {0: "f1(), f2()", 1: "f3(), f4()", 2: "bank"}


def test_a_community_is_named_by_where_most_of_its_symbols_are() -> None:
    files = {1: file("core/a.py"), 2: file("core/b.py"), **{at: file(f"examples/e{at}.py") for at in range(3, 7)}}
    nodes = [function(number, 1 if number < 10 else 2 if number < 19 else number - 16) for number in range(1, 23)]
    assert names_of(graph(nodes, [], files), [0] * 18 + [0] * 4) == {0: "core"}
    assert names_of(graph(nodes, [], files), [0] * 9 + [1] * 9 + [0] * 2 + [1] * 2) == {0: "core/a.py", 1: "core/b.py"}


def test_the_second_symbol_in_a_name_is_not_part_of_the_first() -> None:
    files = {at: file(f"shop/{at}.py") for at in range(1, 7)}
    labels = ["Shop", "Shop.open()", "Till", "Shop", "Cash", "Cash.count()"]
    nodes = [
        Node(at, SymbolKind.CLASS, label, 0, at, 0, is_file=False, lends=False)
        for at, label in enumerate(labels, start=1)
    ]
    found = graph(nodes, [call(1, 2), call(1, 3), call(2, 3), call(5, 6)], files)
    assert names_of(found, [0, 0, 0, 1, 1, 1]) == {0: "Shop, Till", 1: "Cash, Shop"}


def test_a_connection_to_another_process_is_told_as_one() -> None:
    files = {1: file("shop/a.py"), 2: file("boundary:http", language="")}
    nodes = [function(1, 1), Node(2, SymbolKind.BOUNDARY, "GET /x", 0, 2, 0, is_file=False, lends=False)]
    (one,) = analysed(graph(nodes, [call(1, 2, confidence=1)], files), 7, {}).findings.surprises
    assert one.reason.startswith("it leads to another language or process")


def rows(of: Graph, member: list[int]) -> dict[int, NodeRow]:
    return {row.symbol: row for row in rows_of(of, member, weights_of(of), range(len(of.nodes)))}


def test_a_node_is_kept_with_its_neighbours_its_edges_and_what_it_can_count_as() -> None:
    found = rows(clusters(), [0, 0, 0, 0, 1, 1, 1, 1, 2])
    assert found[1] == NodeRow(
        1, 0, degree=5, fan_in=1, fan_out=4, inside=3, exact=3, inferred=1, ambiguous=0, sort=NodeSort.CODE
    )
    assert found[9] == NodeRow(
        9, 2, degree=2, fan_in=0, fan_out=2, inside=0, exact=2, inferred=0, ambiguous=0, sort=NodeSort.ANY
    )
    paths = {1: file("a.py"), 2: file("a.md", language="markdown")}
    assert [
        row.sort for row in rows(graph([module(1, 1), function(2, 1), function(3, 2)], [], paths), [0, 1, 2]).values()
    ] == [0, 2, 0]


def test_communities_add_up_their_members() -> None:
    sums = sums_of(rows(clusters(), [0, 0, 0, 0, 1, 1, 1, 1, 2]).values())
    assert sums[0] == (4, 12, 6, 1, 0, 0)
    assert [sums[one].cohesion for one in range(3)] == [1.0, 1.0, 1.0]
    assert sums_of(rows(clusters(), [0] * 9).values())[0].cohesion == 15 / 36


def test_a_new_node_joins_the_community_that_it_is_bound_to_most_closely_also_through_others_that_are_new() -> None:
    weights = {(1, 2): 1.0, (1, 3): 0.5, (1, 4): 0.6, (0, 1): 0.2, (0, 5): 1.0, (6, 7): 1.0}
    assert nearest([0, 1, 5, 6, 7, 8], weights, {2: 10, 3: 11, 4: 11}, 12) == {1: 11, 0: 11, 5: 11, 6: 12, 7: 12, 8: 13}
    assert nearest([1], {(1, 2): 1.0, (1, 3): 1.0}, {2: 5, 3: 4}, 9) == {1: 4}


def test_an_analysis_does_not_depend_on_numbers_and_keeps_those_of_communities() -> None:
    first = analysed(clusters(), 1, {})
    numbers = array("q", first.nodes)
    before = dict(zip(numbers[0::NODE_COLUMNS], numbers[1::NODE_COLUMNS], strict=True))
    again = analysed(clusters(), 1, {number: 40 + one for number, one in before.items()})
    assert again.communities == {one + 40: told for one, told in first.communities.items()}
    assert {one: sums.size for one, (_, sums) in first.communities.items()} == {0: 5, 1: 4}


def test_questions_say_why_and_an_empty_graph_has_one_too() -> None:
    asked = analysed(graph([], [], {}), 1, {}).findings.questions
    assert [one.kind for one in asked] == ["no_signal"]
    assert {one.kind for one in analysed(clusters(), 1, {}).findings.questions} >= {"bridge_node"}
