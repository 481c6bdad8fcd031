"""Edges around a symbol: calls, open member references, inheritance, overriding, dispatch, construction, containment;
their order and their pages.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
import pytest

from codeagentd.languages.untyped_members import lending
from codeagentd.model.ids import name_key
from codeagentd.model.kinds import (
    EDGE_OF_REFERENCE,
    EDGE_TYPES,
    Confidence,
    Origin,
    ReferenceKind,
    SymbolFlag,
    SymbolKind,
)
from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.query.graph import edge_pages
from codeagentd.query.graph.edges import (
    CALLEES,
    CALLERS,
    DEPENDENCIES,
    DEPENDENTS,
    IMPLEMENTATIONS,
    REFERENCES,
    EdgeFilter,
    neighbours,
)
from codeagentd.query.graph.traversal import steps
from codeagentd.query.paging import Slice
from codeagentd.query.symbols.name_resolution import resolve
from codeagentd.store.connection import Database
from tests.unit.query.sample_index import SampleIndex

KIND = ReferenceKind
METHOD, CLASS = SymbolKind.METHOD, SymbolKind.CLASS


@dataclass
class World:
    """Named symbols in one Python and one C# file, and questions about them."""

    index: SampleIndex
    db: Database
    python: int
    sharp: int
    symbols: dict[str, int] = field(default_factory=dict)

    def add(
        self,
        name: str,
        kind: SymbolKind = SymbolKind.FUNCTION,
        parent: str = "",
        line: int = 1,
        file: int | None = None,
    ) -> int:
        """A symbol, under its qualified name."""
        number = self.index.symbol(file or self.python, name, kind, self.symbols.get(parent), (line, line + 1))
        self.symbols[name] = number
        return number

    def ask(self, name: str, question: EdgeFilter, limit: int = 100) -> list[Neighbour]:
        """All neighbours of a symbol, page by page."""
        subject, after, found = resolve(self.db, self.index.node_id(self.symbols[name])), None, []
        while True:
            part = neighbours(self.db, subject, question, after, limit)
            found += part.items
            after = part.after
            if after is None:
                return found

    def part(self, name: str, question: EdgeFilter) -> Slice[Neighbour]:
        """The first page."""
        return neighbours(self.db, resolve(self.db, self.index.node_id(self.symbols[name])), question, None, 100)


@pytest.fixture
def world(index: SampleIndex, db: Database) -> World:
    made = World(index, db, index.file("m.py"), index.file("n.cs", "csharp"))
    made.add("m", SymbolKind.MODULE)
    return made


def brief(found: list[Neighbour]) -> list[tuple[str, str, str, str]]:
    return [(item.qualified_name, item.edge_type, item.confidence, item.origin) for item in found]


def places(item: Neighbour) -> list[tuple[str, int, int]]:
    return [(site.file_path, site.line, site.column) for site in item.sites]


def test_callers_come_with_every_call_site(world: World) -> None:
    target, caller = world.add("m.f", line=1), world.add("m.g", line=10)
    world.index.reference(caller, target, line=11, col=4)
    world.index.reference(caller, target, line=12, col=8)
    world.index.reference(caller, target, KIND.READ, line=13)
    (item,) = world.ask("m.f", CALLERS)
    assert (item.node_id, item.name, item.node_type) == (world.index.node_id(caller), "g", "function")
    assert (item.file_path, item.line_start, item.line_end) == ("m.py", 10, 11)
    assert (item.edge_type, item.confidence, item.origin, item.direction) == ("calls", "exact", "scope", "")
    assert places(item) == [("m.py", 11, 4), ("m.py", 12, 8)]


def test_a_call_in_another_file_of_a_partial_class_is_placed_there(world: World) -> None:
    target, caller = world.add("N.F", file=world.sharp), world.add("N.C", CLASS, file=world.sharp, line=5)
    other = world.index.file("part2.cs", "csharp")
    world.index.span(caller, other, 1, 9)
    world.index.reference(caller, target, line=3, file=other)
    (item,) = world.ask("N.F", CALLERS)
    assert (item.file_path, places(item)) == ("n.cs", [("part2.cs", 3, 0)])
    (back,) = world.ask("N.C", CALLEES)
    assert (back.qualified_name, places(back)) == ("N.F", [("part2.cs", 3, 0)])


def test_the_surest_come_first_then_path_and_line(world: World) -> None:
    target = world.add("m.f")
    late, early, unsure = world.add("m.late", line=50), world.add("m.early", line=20), world.add("m.unsure", line=2)
    sharp = world.add("N.z", line=1, file=world.sharp)
    world.index.reference(unsure, target, confidence=Confidence.AMBIGUOUS, origin=Origin.WILDCARD)
    world.index.reference(sharp, target)
    world.index.reference(early, target, confidence=Confidence.INFERRED)
    world.index.reference(late, target)
    found = world.ask("m.f", CALLERS)
    assert [item.name for item in found] == ["late", "z", "early", "unsure"]
    assert [item.confidence for item in found] == ["exact", "exact", "inferred", "ambiguous"]


def test_an_open_call_is_inferred_when_only_one_member_has_the_name(world: World) -> None:
    world.add("m.C", CLASS)
    world.add("m.C.go", METHOD, "m.C", 2)
    caller = world.add("m.use", line=9)
    world.index.reference(caller, None, name="go", line=10, col=6)
    assert brief(world.ask("m.C.go", CALLERS)) == [("m.use", "calls", "inferred", "unique_name")]
    assert brief(world.ask("m.use", CALLEES)) == [("m.C.go", "calls", "inferred", "unique_name")]


def test_an_open_call_is_ambiguous_when_several_members_have_the_name(world: World) -> None:
    for letter, line in (("A", 1), ("B", 5)):
        world.add(f"m.{letter}", CLASS, line=line)
        world.add(f"m.{letter}.go", METHOD, f"m.{letter}", line + 1)
    caller = world.add("m.use", line=9)
    world.index.reference(caller, None, name="go", line=10)
    assert brief(world.ask("m.A.go", CALLERS)) == [("m.use", "calls", "ambiguous", "same_name")]
    callees = world.ask("m.use", CALLEES)
    assert brief(callees) == [
        ("m.A.go", "calls", "ambiguous", "same_name"),
        ("m.B.go", "calls", "ambiguous", "same_name"),
    ]


def test_an_open_call_means_members_only_and_stays_in_its_language(world: World) -> None:
    world.add("m.C", CLASS)
    world.add("m.C.go", METHOD, "m.C", 2)
    world.add("m.go", line=20)
    world.add("N.D", CLASS, file=world.sharp)
    world.add("N.D.go", METHOD, "N.D", 3, file=world.sharp)
    caller = world.add("m.use", line=9)
    world.index.reference(caller, None, name="go")
    assert world.ask("m.go", CALLERS) == []
    assert world.ask("N.D.go", CALLERS) == []
    assert brief(world.ask("m.C.go", CALLERS)) == [("m.use", "calls", "inferred", "unique_name")]


def test_scripts_and_typescript_share_members(world: World) -> None:
    script, typed = world.index.file("a.js", "javascript"), world.index.file("b.ts", "typescript")
    world.add("C", CLASS, file=typed)
    world.add("C.go", METHOD, "C", 2, file=typed)
    world.index.reference(world.add("use", file=script), None, name="go")
    assert brief(world.ask("C.go", CALLERS)) == [("use", "calls", "inferred", "unique_name")]


def test_a_static_member_of_a_script_is_asked_of_its_type_alone(world: World) -> None:
    typed = world.index.file("b.ts", "typescript")
    for letter, flags in (("A", SymbolFlag.STATIC), ("B", 0)):
        parent = world.add(letter, CLASS, file=typed)
        world.symbols[f"{letter}.go"] = world.index.symbol(
            typed, f"{letter}.go", METHOD, parent, (2, 3), flags=int(flags)
        )
    world.index.reference(world.add("use", file=typed), None, name="go")
    assert world.ask("A.go", CALLERS) == []
    assert brief(world.ask("B.go", CALLERS)) == [("use", "calls", "inferred", "unique_name")]
    assert brief(world.ask("use", CALLEES)) == [("B.go", "calls", "inferred", "unique_name")]
    with world.index.readers().read() as db:
        names = {number: name for name, number in world.symbols.items()}
        assert [names[one.end] for one in steps(db, [world.symbols["use"]], forward=True)] == ["B.go"]
        assert [
            names[one.start] for one in steps(db, [world.symbols["A.go"], world.symbols["B.go"]], forward=False)
        ] == ["B.go"]
        assert [names[symbol] for symbol, _ in db.all("following.lenders", lending() | {"key": name_key("go")})] == [
            "B.go"
        ]
        assert {names[row[0]] for row in db.all("analysis.symbols", lending()) if row[9]} == {"B.go"}


def test_a_constructor_is_not_called_by_open_references(world: World) -> None:
    world.add("m.C", CLASS)
    world.add("m.C.__init__", SymbolKind.CONSTRUCTOR, "m.C", 2)
    world.index.reference(world.add("m.use", line=9), None, name="__init__")
    assert world.ask("m.C.__init__", CALLERS) == []
    assert world.ask("m.use", CALLEES) == []


def test_a_name_that_many_members_have_makes_no_edges_but_a_note(world: World) -> None:
    for number in range(4):
        world.add(f"m.C{number}", CLASS, line=number * 3)
        world.add(f"m.C{number}.go", METHOD, f"m.C{number}", number * 3 + 1)
    world.index.reference(world.add("m.use", line=90), None, name="go")
    assert world.ask("m.use", CALLEES) == []
    assert world.ask("m.C1.go", CALLERS) == []
    assert "1 on receivers of unknown type" in world.part("m.use", CALLEES).note
    assert "1 more of `.go`" in world.part("m.C1.go", CALLERS).note


def test_three_members_of_a_name_are_all_listed(world: World) -> None:
    for number in range(3):
        world.add(f"m.C{number}", CLASS, line=number * 3)
        world.add(f"m.C{number}.go", METHOD, f"m.C{number}", number * 3 + 1)
    world.index.reference(world.add("m.use", line=90), None, name="go")
    assert [item.confidence for item in world.ask("m.use", CALLEES)] == ["ambiguous"] * 3
    assert world.part("m.use", CALLEES).note == ""


def test_calls_out_of_the_repository_are_no_callees(world: World) -> None:
    world.index.reference(world.add("m.use"), None, name="append")
    assert world.ask("m.use", CALLEES) == []


def test_references_have_every_kind_with_its_edge_type(world: World) -> None:
    target, user = world.add("m.C", CLASS), world.add("m.use", line=9)
    for line, kind in enumerate(ReferenceKind, 10):
        world.index.reference(user, target, kind, line=line)
    found = world.ask("m.C", REFERENCES)
    assert {item.edge_type for item in found} == set(EDGE_OF_REFERENCE.values()) - {"overrides"}
    (plain,) = [item for item in found if item.edge_type == "references"]
    assert len(plain.sites) == 3


def test_every_edge_type_of_the_contract_can_be_asked_for(world: World) -> None:
    assert set(EDGE_OF_REFERENCE.values()) | {"contains"} == set(EDGE_TYPES)


@pytest.fixture
def family(world: World) -> World:
    """Base <- Middle <- Leaf, and Stranger; Base, Leaf and Stranger define run, and that of Leaf overrides Base's."""
    for line, name in enumerate(("Base", "Middle", "Leaf", "Stranger"), 1):
        world.add(f"m.{name}", CLASS, "m", line * 10)
    for line, name in ((11, "Base"), (31, "Leaf"), (41, "Stranger")):
        world.add(f"m.{name}.run", METHOD, f"m.{name}", line)
    world.index.override(world.symbols["m.Leaf.run"], world.symbols["m.Base.run"], Confidence.INFERRED)
    world.index.reference(world.symbols["m.Middle"], world.symbols["m.Base"], KIND.INHERIT, line=20)
    world.index.reference(
        world.symbols["m.Leaf"], world.symbols["m.Middle"], KIND.IMPLEMENT, line=30, confidence=Confidence.INFERRED
    )
    return world


def test_implementations_of_a_type_are_its_direct_heirs(family: World) -> None:
    assert brief(family.ask("m.Base", IMPLEMENTATIONS)) == [("m.Middle", "inherits", "exact", "scope")]
    assert brief(family.ask("m.Middle", IMPLEMENTATIONS)) == [("m.Leaf", "implements", "inferred", "scope")]


def test_implementations_of_a_method_override_it(family: World) -> None:
    (item,) = family.ask("m.Base.run", IMPLEMENTATIONS)
    assert brief([item]) == [("m.Leaf.run", "overrides", "inferred", "override")]
    assert places(item) == [("m.py", 31, 0)]


def test_a_method_depends_on_that_which_it_overrides(family: World) -> None:
    (item,) = family.ask("m.Leaf.run", DEPENDENCIES.only("overrides"))
    assert brief([item]) == [("m.Base.run", "overrides", "inferred", "override")]
    assert places(item) == [("m.py", 31, 0)]
    assert family.ask("m.Base.run", DEPENDENCIES.only("overrides")) == []


def test_overriding_is_no_reference_to_what_is_overridden(family: World) -> None:
    assert family.ask("m.Base.run", REFERENCES) == []


def test_overriding_in_a_ring_ends(family: World) -> None:
    user = family.add("m.use", line=90)
    family.index.override(family.symbols["m.Base.run"], family.symbols["m.Leaf.run"])
    family.index.reference(user, family.symbols["m.Base.run"], line=91)
    assert [item.qualified_name for item in family.ask("m.Base.run", IMPLEMENTATIONS)] == ["m.Leaf.run"]
    assert [item.qualified_name for item in family.ask("m.Base.run", DEPENDENCIES.only("overrides"))] == ["m.Leaf.run"]
    assert brief(family.ask("m.Leaf.run", CALLERS)) == [("m.use", "calls", "inferred", "override")]
    assert {item.qualified_name for item in family.ask("m.use", CALLEES)} == {"m.Base.run", "m.Leaf.run"}


def test_dependencies_contain_members_and_dependents_the_container(family: World) -> None:
    (member, base) = sorted(family.ask("m.Leaf", DEPENDENCIES), key=lambda item: item.edge_type)
    assert brief([member]) == [("m.Leaf.run", "contains", "exact", "contains")]
    assert (base.qualified_name, base.edge_type, base.direction) == ("m.Middle", "implements", "outgoing")
    (container,) = family.ask("m.Leaf.run", DEPENDENTS.only("contains"))
    assert (container.qualified_name, container.edge_type, container.direction) == ("m.Leaf", "contains", "incoming")
    assert places(container) == [("m.py", 31, 0)]


@pytest.mark.parametrize("edge_type", EDGE_TYPES)
def test_an_edge_type_leaves_only_its_edges(family: World, edge_type: str) -> None:
    for kind in ReferenceKind:
        family.index.reference(family.symbols["m.Stranger.run"], family.symbols["m.Leaf.run"], kind)
    every = family.ask("m.Leaf.run", DEPENDENTS) + family.ask("m.Leaf.run", DEPENDENCIES)
    narrowed = family.ask("m.Leaf.run", DEPENDENTS.only(edge_type)) + family.ask(
        "m.Leaf.run", DEPENDENCIES.only(edge_type)
    )
    assert narrowed == [item for item in every if item.edge_type == edge_type]
    assert narrowed


def test_a_neighbour_with_many_places_comes_in_several_items(world: World) -> None:
    target, user = world.add("m.f"), world.add("m.g", line=9)
    for line in range(120):
        world.index.reference(user, target, line=line)
    found = world.ask("m.f", CALLERS)
    assert [len(item.sites) for item in found] == [50, 50, 20]
    assert {item.total_sites for item in found} == {120}
    assert [site.line for item in found for site in item.sites] == list(range(120))


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
@pytest.mark.parametrize("budget", [1, 4, 400])
def test_pages_put_together_are_the_whole_without_gap_or_repetition(
    world: World, monkeypatch: pytest.MonkeyPatch, limit: int, budget: int
) -> None:
    monkeypatch.setattr(edge_pages, "SITES_PER_PAGE", budget)
    monkeypatch.setattr(edge_pages, "SITES_PER_ITEM", 3)
    for letter in "AB":
        world.add(f"m.{letter}", CLASS)
        world.add(f"m.{letter}.go", METHOD, f"m.{letter}", 2)
    wanted = set()
    for number in range(12):
        user = world.add(f"m.u{number}", line=number % 5)
        for line in range(number % 7 + 1):
            is_open = (number + line) % 3 == 0
            confidence = Confidence((number + line) % 3)
            kind = (KIND.CALL, KIND.READ, KIND.TYPE)[line % 3]
            place = 100 * number + line
            world.index.reference(
                user, None if is_open else world.symbols["m.A.go"], kind, name="go", line=place, confidence=confidence
            )
            wanted.add((f"m.u{number}", EDGE_OF_REFERENCE[kind], place))
    found = world.ask("m.A.go", REFERENCES, limit)
    got = [(item.qualified_name, item.edge_type, site.line) for item in found for site in item.sites]
    assert sorted(got) == sorted(wanted)
    ranks = [("exact", "inferred", "ambiguous").index(item.confidence) for item in found]
    assert ranks == sorted(ranks)


def test_a_page_goes_on_sensibly_after_the_last_item_has_gone(world: World) -> None:
    target = world.add("m.f")
    users = [world.add(f"m.u{number}", line=10 + number) for number in range(6)]
    for user in users:
        world.index.reference(user, target)
    subject = resolve(world.db, "m.f")
    first = neighbours(world.db, subject, CALLERS, None, 3)
    world.index.remove(users[2], users[3])
    rest = neighbours(world.db, subject, CALLERS, first.after, 3)
    assert [item.name for item in first.items] == ["u0", "u1", "u2"]
    assert [item.name for item in rest.items] == ["u4", "u5"]
    assert rest.after is None


@pytest.fixture
def levels(family: World) -> World:
    """Middle has run as well: Leaf's overrides that one, which overrides Base's. `m.use` calls them."""
    family.add("m.Middle.run", METHOD, "m.Middle", 21)
    for name, base in (("Middle", "Base"), ("Leaf", "Middle")):
        family.index.override(family.symbols[f"m.{name}.run"], family.symbols[f"m.{base}.run"])
    user = family.add("m.use", line=90)
    for line, name in ((91, "Base"), (92, "Middle"), (93, "Base"), (94, "Leaf")):
        family.index.reference(user, family.symbols[f"m.{name}.run"], line=line)
    family.index.reference(family.symbols["m.Leaf.run"], family.symbols["m.Base.run"], line=31, origin=Origin.SUPER)
    return family


def test_implementations_of_a_method_are_all_that_override_it_at_any_depth(family: World) -> None:
    family.add("m.Lowest", CLASS, line=60)
    family.add("m.Lowest.run", METHOD, "m.Lowest", 61)
    family.index.override(family.symbols["m.Lowest.run"], family.symbols["m.Leaf.run"])
    for question in (IMPLEMENTATIONS, DEPENDENTS.only("overrides")):
        overriding = family.ask("m.Base.run", question)
        assert [item.qualified_name for item in overriding] == ["m.Leaf.run", "m.Lowest.run"]
        assert {item.confidence for item in overriding} == {"inferred"}, "as the step to Leaf"


def test_callers_of_a_member_that_is_overridden_may_land_in_the_overriding_one(levels: World) -> None:
    direct, through = levels.ask("m.Leaf.run", CALLERS)
    assert brief([direct, through]) == [
        ("m.use", "calls", "exact", "scope"),
        ("m.use", "calls", "inferred", "override"),
    ]
    assert (places(direct), places(through)) == ([("m.py", 94, 0)], [("m.py", 91, 0), ("m.py", 92, 0), ("m.py", 93, 0)])
    assert brief(levels.ask("m.Base.run", CALLERS)) == [
        ("m.Leaf.run", "calls", "exact", "super"),
        ("m.use", "calls", "exact", "scope"),
    ]


def test_callees_are_also_the_members_that_override_those_called(levels: World) -> None:
    found = levels.ask("m.use", CALLEES)
    assert brief(found) == [
        ("m.Base.run", "calls", "exact", "scope"),
        ("m.Middle.run", "calls", "exact", "scope"),
        ("m.Leaf.run", "calls", "exact", "scope"),
        ("m.Middle.run", "calls", "inferred", "override"),
        ("m.Leaf.run", "calls", "inferred", "override"),
    ]
    assert places(found[3]) == [("m.py", 91, 0), ("m.py", 93, 0)]


def test_a_call_by_super_lands_in_the_member_that_it_names(levels: World) -> None:
    assert brief(levels.ask("m.Leaf.run", CALLEES)) == [("m.Base.run", "calls", "exact", "super")]
    assert "m.Leaf.run" not in [item.qualified_name for item in levels.ask("m.Middle.run", CALLERS)]


def test_a_member_that_is_read_may_be_the_overriding_one(family: World) -> None:
    user = family.add("m.use", line=90)
    family.index.reference(user, family.symbols["m.Base.run"], KIND.READ, line=91)
    assert ("m.use", "references", "inferred", "override") in brief(family.ask("m.Leaf.run", DEPENDENTS))
    assert ("m.Leaf.run", "references", "inferred", "override") in brief(family.ask("m.use", DEPENDENCIES))


def test_no_path_through_overriding_is_more_certain_than_its_steps(family: World) -> None:
    user, target = family.add("m.use", line=90), family.symbols["m.Base.run"]
    family.index.reference(user, target, line=91, confidence=Confidence.AMBIGUOUS)
    assert brief(family.ask("m.Leaf.run", CALLERS)) == [("m.use", "calls", "ambiguous", "override")]
    assert brief(family.ask("m.use", CALLEES)) == [
        ("m.Base.run", "calls", "ambiguous", "scope"),
        ("m.Leaf.run", "calls", "ambiguous", "override"),
    ]


def test_steps_of_traversal_follow_overriding(levels: World) -> None:
    names = {number: name for name, number in levels.symbols.items()}
    with levels.index.readers().read() as db:
        forward = steps(db, [levels.symbols["m.use"]], forward=True)
        backward = steps(db, [levels.symbols["m.Leaf.run"]], forward=False)
    assert {names[one.end] for one in forward} == {"m.Base.run", "m.Middle.run", "m.Leaf.run"}
    assert "m.use" in {names[one.end] for one in backward}


def test_a_variable_depends_on_what_its_initial_value_names(world: World) -> None:
    """The file has the reference; callers and references stay those of the file."""
    target = world.add("m.f")
    kept = world.add("m.kept", SymbolKind.CONSTANT, "m", line=20)
    world.add("m.later", SymbolKind.CONSTANT, "m", line=30)
    world.index.reference(world.symbols["m"], target, line=21, col=4)
    world.index.reference(world.symbols["m"], target, line=40)
    world.index.reference(world.symbols["m"], target, KIND.TYPE, line=20)
    edge = ("references", "inferred", "initial_value")
    assert ("m.kept", *edge) in brief(world.ask("m.f", DEPENDENTS))
    assert brief(world.ask("m.kept", DEPENDENCIES)) == [("m.f", *edge)]
    assert [item.qualified_name for item in world.ask("m.f", CALLERS)] == ["m"]
    assert {item.qualified_name for item in world.ask("m.f", REFERENCES)} == {"m"}
    with world.index.readers().read() as db:
        assert [(one.end, one.edge_type) for one in steps(db, [kept], forward=True)] == [(target, "references")]
        assert kept in [one.end for one in steps(db, [target], forward=False)]
        assert world.symbols["m.later"] not in [one.end for one in steps(db, [target], forward=False)]


def test_traversal_leads_from_an_export_to_those_who_use_its_module_as_a_value(
    index: SampleIndex, db: Database
) -> None:
    library, names, main = (index.file(f"{name}.ts", "typescript") for name in ("lib", "names", "main"))
    whole = {file: index.symbol(file, f"m{file}", SymbolKind.FILE) for file in (library, names, main)}
    lend = index.symbol(library, "lend", SymbolKind.FUNCTION, whole[library], flags=SymbolFlag.EXPORTED)
    index.symbol(library, "hidden", SymbolKind.FUNCTION, whole[library])
    index.reference(whole[names], whole[library], KIND.REEXPORT)
    later = index.symbol(main, "later", SymbolKind.CONSTANT, whole[main], (20, 22))
    pick = index.symbol(main, "pick", SymbolKind.FUNCTION, whole[main], (30, 32))
    index.reference(whole[main], whole[names], KIND.USE, line=21, origin=Origin.NAMESPACE)
    index.reference(pick, whole[library], KIND.USE, line=31, origin=Origin.NAMESPACE)
    with index.readers().read() as connection:
        backward = {(one.end, one.edge_type) for one in steps(connection, [lend], forward=False)}
        forward = {(one.start, one.end) for one in steps(connection, [pick, whole[main]], forward=True)}
    assert backward == {(whole[main], "uses"), (later, "uses"), (pick, "uses")}
    assert {(pick, whole[library]), (pick, lend), (whole[main], lend)} <= forward


def test_a_call_of_a_type_is_a_caller_of_its_constructor(world: World) -> None:
    world.add("m.C", CLASS)
    target, user = world.add("m.C.__init__", SymbolKind.CONSTRUCTOR, "m.C", 2), world.add("m.use", line=9)
    world.index.reference(user, world.symbols["m.C"], line=10)
    world.index.reference(user, target, KIND.CONSTRUCT, line=10, origin=Origin.CONSTRUCTOR)
    assert brief(world.ask("m.C.__init__", CALLERS)) == [("m.use", "constructs", "exact", "constructor")]
    assert brief(world.ask("m.use", CALLEES)) == [
        ("m.C", "calls", "exact", "scope"),
        ("m.C.__init__", "constructs", "exact", "constructor"),
    ]
    assert brief(world.ask("m.C.__init__", DEPENDENTS.only("constructs"))) == [
        ("m.use", "constructs", "exact", "constructor")
    ]


def test_callers_of_an_overriding_member_are_told_of_calls_through_what_it_overrides(levels: World) -> None:
    levels.index.reference(levels.symbols["m.use"], levels.symbols["m.Base.run"], KIND.READ, line=95)
    note = "3 calls go through m.Base.run, m.Middle.run, which this overrides, and may land here"
    assert (levels.part("m.Leaf.run", CALLERS).note, levels.part("m.Leaf.run", REFERENCES).note) == (note, note)
    assert levels.part("m.Leaf.run", DEPENDENTS).note == levels.part("m.Base.run", CALLERS).note == ""


def test_callees_that_are_overridden_are_told_but_not_those_called_by_super(family: World) -> None:
    user = family.add("m.use", line=90)
    family.index.reference(user, family.symbols["m.Base.run"], line=91)
    family.index.reference(user, family.symbols["m.Stranger.run"], line=92)
    family.index.reference(family.symbols["m.Leaf.run"], family.symbols["m.Base.run"], line=31, origin=Origin.SUPER)
    assert family.part("m.use", CALLEES).note == "m.Base.run is overridden by 1 member: a call may land there"
    assert family.part("m.Leaf.run", CALLEES).note == ""


def test_at_most_three_overridden_members_are_named_and_the_note_joins_others(family: World) -> None:
    user = family.add("m.use", line=90)
    for number in range(4):
        name = f"go{number}"
        for letter in ("Base", "Leaf"):
            family.add(f"m.{letter}.{name}", METHOD, f"m.{letter}", 60 + number)
        family.index.override(family.symbols[f"m.Leaf.{name}"], family.symbols[f"m.Base.{name}"])
        family.index.reference(user, family.symbols[f"m.Base.{name}"], line=91)
        family.add(f"m.C{number}", CLASS, line=70)
        family.add(f"m.C{number}.end", METHOD, f"m.C{number}", 71)
    family.index.reference(user, None, name="end", line=92)
    first, second = family.part("m.use", CALLEES).note.split("; ")
    assert first.endswith("have too many members: .end")
    told = ", ".join(f"m.Base.go{number} is overridden by 1 member" for number in range(3))
    assert second == f"{told}, …: a call may land there"


def test_the_second_page_has_no_note(family: World) -> None:
    user = family.add("m.use", line=90)
    for name in ("Base", "Stranger"):
        family.index.reference(user, family.symbols[f"m.{name}.run"], line=91)
    subject = resolve(family.db, "m.use")
    first = neighbours(family.db, subject, CALLEES, None, 1)
    assert (bool(first.note), neighbours(family.db, subject, CALLEES, first.after, 1).note) == (True, "")


def test_a_note_on_receivers_of_unknown_type_says_which_tool_lists_them(world: World) -> None:
    for number in range(4):
        world.add(f"m.C{number}", CLASS, line=70)
        world.add(f"m.C{number}.end", METHOD, f"m.C{number}", 71)
    world.index.reference(world.add("m.use", line=90), None, name="end", line=91)
    told = "1 more of `.end` on receivers of unknown type may mean it: more than 3 members have this name"
    with_parameter = msgspec.structs.replace(CALLERS, has_include=True)
    for question, listing in (
        (CALLERS, "get_references with include: possible"),
        (with_parameter, "include: possible"),
    ):
        assert world.part("m.C1.end", question).note.startswith(f"{told} ({listing} lists them)")


@pytest.mark.parametrize(("kind", "lands"), [(CLASS, False), (SymbolKind.INTERFACE, True), (SymbolKind.TRAIT, True)])
def test_a_call_by_the_name_of_a_type_may_land_elsewhere_only_where_that_is_a_contract(
    world: World, kind: SymbolKind, lands: bool
) -> None:
    """`Base.run(one)` runs the member of this class, `Contract::run(one)` of Rust that of the type of the argument."""
    for name, of in (("Base", kind), ("Leaf", CLASS)):
        world.add(f"m.{name}", of)
        world.add(f"m.{name}.run", METHOD, f"m.{name}", 2)
    world.index.override(world.symbols["m.Leaf.run"], world.symbols["m.Base.run"])
    user = world.add("m.use", line=90)
    world.index.reference(user, world.symbols["m.Base.run"], line=91, origin=Origin.MEMBER)
    callers = {item.qualified_name for item in world.ask("m.Leaf.run", CALLERS)}
    callees = {item.qualified_name for item in world.ask("m.use", CALLEES)}
    assert (callers, callees) == (({"m.use"}, {"m.Base.run", "m.Leaf.run"}) if lands else (set(), {"m.Base.run"}))
    with world.index.readers().read() as db:
        ends = {one.end for one in steps(db, [user], forward=True)}
        starts = {one.end for one in steps(db, [world.symbols["m.Leaf.run"]], forward=False)}
    assert (world.symbols["m.Leaf.run"] in ends, user in starts) == (lands, lands)
    notes = world.part("m.Leaf.run", CALLERS).note, world.part("m.use", CALLEES).note
    assert all("may land" in note or "a call may land" in note for note in notes) == lands
